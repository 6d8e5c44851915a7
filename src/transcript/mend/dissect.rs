//! A line that is no record: the whole records in it, and what is between them.
//!
//! Records that follow each other from the start of the line are whole if each of them is an object. A record behind a
//! fragment must prove itself ([`Record::proves_itself`]), because the end of a torn record is full of objects.

use std::io;

use crate::model::index::DamageKind;
use crate::store::lexer::Lexer;
use crate::store::parse::BOM;
use crate::transcript::long_line::LongLine;
use crate::transcript::record::{self, Line, Record};

use super::lines::{Bytes, RawLine};

/// How many places are tried as the beginning of a record behind a fragment.
const TRIES: usize = 64;
/// Most places of one line that is read again from the file each time.
const LONG_TRIES: usize = 1024;
/// How a record begins, in every version that any writer wrote.
const BEGINS: &[u8] = b"{\"";

/// What a stretch of a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartKind {
    /// A whole record.
    Record(Record),
    /// Anything else.
    Fragment,
    /// White space, byte order marks.
    Nothing,
}

/// A stretch of a line, by positions in its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// Where it begins.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
    /// What it is.
    pub kind: PartKind,
}

/// Takes a bad line apart. The parts cover the text, in order.
pub fn dissect(text: &[u8]) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let start = at + nothing(&text[at..]);
        if start > at {
            parts.push(Part { from: at, to: start, kind: PartKind::Nothing });
        }
        at = start;
        if at == text.len() {
            break;
        }
        // From the start of the line, or right behind a record.
        if let Some((to, found)) = record_at(text, at) {
            parts.push(Part { from: at, to, kind: PartKind::Record(found) });
            at = to;
            continue;
        }
        let next = next_record(text, at + 1);
        let to = next.unwrap_or(text.len());
        // White space of JSON: a form feed is none, and a line that keeps one is still bad.
        let end = at + text[at..to].iter().rposition(|b| !is_space(*b)).map_or(0, |last| last + 1);
        parts.push(Part { from: at, to: end.max(at + 1), kind: PartKind::Fragment });
        at = end.max(at + 1);
        if next.is_none() {
            if at < to {
                parts.push(Part { from: at, to, kind: PartKind::Nothing });
            }
            break;
        }
    }
    parts
}

/// White space between values of JSON.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

/// Length of white space and byte order marks at the start.
fn nothing(text: &[u8]) -> usize {
    let mut at = 0;
    loop {
        let rest = &text[at..];
        if rest.starts_with(BOM) {
            at += BOM.len();
        } else if rest.first().is_some_and(|b| is_space(*b)) {
            at += 1;
        } else {
            return at;
        }
    }
}

/// The object that begins at `at`, and where it ends.
fn record_at(text: &[u8], at: usize) -> Option<(usize, Record)> {
    if text.get(at) != Some(&b'{') || u32::try_from(text.len()).is_err() {
        return None;
    }
    let mut lexer = Lexer::new(text, at);
    lexer.value().ok()?;
    match record::line(&text[at..lexer.pos()]) {
        Line::Record(found) => Some((lexer.pos(), found)),
        _ => None,
    }
}

fn next_record(text: &[u8], from: usize) -> Option<usize> {
    let rest = text.get(from..)?;
    let starts = memchr::memmem::find_iter(rest, BEGINS).map(|n| from + n).take(TRIES);
    let proven = |at: &usize| record_at(text, *at).is_some_and(|(_, found)| found.proves_itself());
    starts.into_iter().find(proven)
}

/// Takes a bad line apart that is too long to keep, by reading it again.
///
/// # Errors
/// What reading gives.
pub fn dissect_long(file: &(impl Bytes + ?Sized), line: &RawLine) -> io::Result<Vec<Part>> {
    let whole = usize::try_from(line.text_len).unwrap_or(usize::MAX);
    let mut parts = Vec::new();
    let mut at = 0;
    let mut tries = 0;
    while at < whole {
        let start = at + long_nothing(file, line, at)?;
        if start > at {
            parts.push(Part { from: at, to: start, kind: PartKind::Nothing });
        }
        at = start;
        if at == whole {
            break;
        }
        if let Some((to, found)) = long_record_at(file, line, at)? {
            parts.push(Part { from: at, to, kind: PartKind::Record(found) });
            at = to;
            continue;
        }
        let next = long_next_record(file, line, at + 1, &mut tries)?;
        let to = next.unwrap_or(whole);
        let end = long_trimmed(file, line, at, to)?.max(at + 1);
        parts.push(Part { from: at, to: end, kind: PartKind::Fragment });
        at = end;
        if next.is_none() {
            if at < to {
                parts.push(Part { from: at, to, kind: PartKind::Nothing });
            }
            break;
        }
    }
    Ok(parts)
}

/// As [`nothing`], from a position of a long line.
fn long_nothing(file: &(impl Bytes + ?Sized), line: &RawLine, at: usize) -> io::Result<usize> {
    let whole = usize::try_from(line.text_len).unwrap_or(usize::MAX);
    let (mut rest, mut len): (Vec<u8>, usize) = (Vec::new(), 0);
    each_piece(file, line, at, whole, |_, piece| {
        rest.extend_from_slice(piece);
        let taken = nothing(&rest);
        len += taken;
        rest.drain(..taken);
        // The beginning of a byte order mark may lie at the end of a piece.
        rest.len() < BOM.len() && BOM.starts_with(&rest)
    })?;
    Ok(len)
}

/// Where a stretch of a long line ends without the white space at its end.
fn long_trimmed(file: &(impl Bytes + ?Sized), line: &RawLine, from: usize, to: usize) -> io::Result<usize> {
    let (mut at, mut end) = (from, from);
    each_piece(file, line, from, to, |_, piece| {
        if let Some(last) = piece.iter().rposition(|b| !is_space(*b)) {
            end = at + last + 1;
        }
        at += piece.len();
        true
    })?;
    Ok(end)
}

/// As [`next_record`], from a position of a long line.
fn long_next_record(
    file: &(impl Bytes + ?Sized),
    line: &RawLine,
    mut from: usize,
    tries: &mut usize,
) -> io::Result<Option<usize>> {
    for _ in 0..TRIES {
        let Some(start) = find_long(file, line, from)?.filter(|_| *tries < LONG_TRIES) else { return Ok(None) };
        *tries += 1;
        if let Some((_, found)) = long_record_at(file, line, start)?
            && found.proves_itself()
        {
            return Ok(Some(start));
        }
        from = start + 1;
    }
    Ok(None)
}

/// The object that begins at `at` of a long line, and where it ends.
fn long_record_at(file: &(impl Bytes + ?Sized), line: &RawLine, at: usize) -> io::Result<Option<(usize, Record)>> {
    let whole = usize::try_from(line.text_len).unwrap_or(usize::MAX);
    let mut object = false;
    each_piece(file, line, at, at + 1, |_, piece| {
        object = piece.first() == Some(&b'{');
        false
    })?;
    if !object {
        return Ok(None);
    }
    let read = |to: usize| -> io::Result<Line> {
        let mut long = LongLine::default();
        each_piece(file, line, at, to, |_, piece| {
            long.feed(piece);
            !long.is_bad()
        })?;
        Ok(long.end().0.line)
    };
    match read(whole)? {
        Line::Record(found) => Ok(Some((long_trimmed(file, line, at, whole)?, found))),
        // Something follows: what comes before it is read once more, alone.
        Line::Bad(fault) if fault.kind == DamageKind::TrailingData => {
            let to = long_trimmed(file, line, at, at + fault.at)?;
            match read(to)? {
                Line::Record(found) => Ok(Some((to, found))),
                _ => Ok(None),
            }
        }
        _ => Ok(None),
    }
}

/// The next place of a long line that looks like the beginning of a record.
fn find_long(file: &(impl Bytes + ?Sized), line: &RawLine, from: usize) -> io::Result<Option<usize>> {
    let whole = usize::try_from(line.text_len).unwrap_or(usize::MAX);
    let mut window: Vec<u8> = Vec::new();
    let mut window_at = from;
    let mut found = None;
    each_piece(file, line, from, whole, |_, piece| {
        window.extend_from_slice(piece);
        if let Some(at) = memchr::memmem::find(&window, BEGINS) {
            found = Some(window_at + at);
            return false;
        }
        let keep = window.len().min(BEGINS.len() - 1);
        window_at += window.len() - keep;
        window.drain(..window.len() - keep);
        true
    })?;
    Ok(found)
}

/// Reads the text of a line from position `from` to `to`, NUL bytes left out, until `each` answers no.
///
/// # Errors
/// What reading gives.
pub fn each_piece(
    file: &(impl Bytes + ?Sized),
    line: &RawLine,
    from: usize,
    to: usize,
    mut each: impl FnMut(u64, &[u8]) -> bool,
) -> io::Result<()> {
    let mut offset = line.start(from);
    let end = line.end(to);
    let mut buffer = vec![0; 64 * 1024];
    while offset < end {
        let want = usize::try_from(end - offset).map_or(buffer.len(), |n| n.min(buffer.len()));
        let got = match file.read_at(&mut buffer[..want], offset)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            got => got,
        };
        let mut rest = &buffer[..got];
        while !rest.is_empty() {
            let nuls = rest.iter().position(|b| *b != 0).unwrap_or(rest.len());
            offset += nuls as u64;
            rest = &rest[nuls..];
            let run = memchr::memchr(0, rest).unwrap_or(rest.len());
            if run > 0 && !each(offset, &rest[..run]) {
                return Ok(());
            }
            offset += run as u64;
            rest = &rest[run..];
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRY: &str = r#"{"type":"message","id":"a","parentId":null,"message":{"role":"user"}}"#;

    fn shape(text: &str) -> String {
        let part = |p: &Part| match p.kind {
            PartKind::Record(_) => format!("R{}", p.to - p.from),
            PartKind::Fragment => format!("F{}", p.to - p.from),
            PartKind::Nothing => format!("-{}", p.to - p.from),
        };
        dissect(text.as_bytes()).iter().map(part).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn records_are_told_from_fragments() {
        let n = ENTRY.len();
        assert_eq!(shape(&format!("{ENTRY}{ENTRY}")), format!("R{n} R{n}"));
        assert_eq!(shape(&format!("{ENTRY} {ENTRY}\r")), format!("R{n} -1 R{n} -1"));
        assert_eq!(shape(&format!("{}{ENTRY}", &ENTRY[..30])), format!("F30 R{n}"));
        assert_eq!(shape(&format!("{ENTRY}{}", &ENTRY[..30])), format!("R{n} F30"));
        assert_eq!(shape(&format!("{}{ENTRY}{ENTRY}{}", &ENTRY[..30], &ENTRY[..9])), format!("F30 R{n} R{n} F9"));
        assert_eq!(shape(&format!("\u{feff}{ENTRY}")), format!("-3 R{n}"));
        assert_eq!(shape("undefined \r"), "F9 -2");
    }

    #[test]
    fn wherever_a_record_was_cut_the_next_one_is_whole() {
        let n = ENTRY.len();
        for cut in 1..n {
            assert_eq!(shape(&format!("{}{ENTRY}", &ENTRY[..cut])), format!("F{cut} R{n}"));
        }
    }

    #[test]
    fn the_blocks_of_a_torn_record_are_no_records() {
        let torn = r#"{"type":"message","id":"b","parentId":"a","message":{"content":[{"type":"toolCall","id":"c","name":"x","arguments":{}}"#;
        assert_eq!(shape(torn), format!("F{}", torn.len()));
        assert_eq!(shape(&format!("{torn}{ENTRY}")), format!("F{} R{}", torn.len(), ENTRY.len()));
    }
}
