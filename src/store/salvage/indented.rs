//! Rows of an indented text, known by their lines.
//!
//! A line that begins with the indent of rows and a quote begins a row; the stretch up to the next such line holds that
//! row and nothing else. So damage in one stretch says nothing about the next one. Only where damage took the line feed
//! before a row must it be looked for inside a stretch: its last line still has the indent of rows.

use std::ops::Range;

use memchr::{memchr_iter, memrchr};

use super::{Found, judge};
use crate::model::index::Row;

/// The white space before the key of a row, if the text has one row per line.
///
/// It is read from the head; if the head is damaged, from the last row's closing line; else it is the gateway's own.
pub fn indent_of(buf: &[u8]) -> Option<Vec<u8>> {
    head_indent(buf).or_else(|| tail_indent(buf)).unwrap_or_else(|| {
        let gateways = b"\n  \"";
        memchr::memmem::find(buf, gateways).map(|_| b"  ".to_vec())
    })
}

/// `Some(None)` for a sound head without lines.
#[expect(clippy::option_option, reason = "no head and a head without indent are different answers")]
fn head_indent(buf: &[u8]) -> Option<Option<Vec<u8>>> {
    let text = buf.strip_prefix(crate::store::parse::BOM).unwrap_or(buf).trim_ascii_start();
    let mut text = text.strip_prefix(b"[").map_or(text, <[u8]>::trim_ascii_start);
    text = text.strip_prefix(b"{")?;
    let space = &text[..text.iter().position(|b| !b.is_ascii_whitespace())?];
    if text.get(space.len()) != Some(&b'"') {
        return None;
    }
    Some(memrchr(b'\n', space).map(|at| space[at + 1..].to_vec()).filter(|indent| !indent.is_empty()))
}

#[expect(clippy::option_option, reason = "the same answers as for the head")]
fn tail_indent(buf: &[u8]) -> Option<Option<Vec<u8>>> {
    let rest = buf.trim_ascii_end().strip_suffix(b"}")?;
    let rest = rest.strip_suffix(b"\n").or_else(|| rest.strip_suffix(b"\r\n"))?.strip_suffix(b"}")?;
    let rest = rest.strip_suffix(b"\r").unwrap_or(rest);
    let line = &rest[memrchr(b'\n', rest).map_or(0, |at| at + 1)..];
    (!line.is_empty() && line.iter().all(|b| matches!(b, b' ' | b'\t'))).then(|| Some(line.to_vec()))
}

/// Finds every row of the text.
pub fn search(found: &mut Found<'_>, indent: &[u8]) {
    let starts = row_lines(found.buf, indent);
    let ends = starts.iter().copied().skip(1).chain([found.buf.len()]);
    let mut stretches: Vec<Range<usize>> = starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect();
    let first = starts.first().copied().unwrap_or(found.buf.len());
    let mut search = Search { found, indent };
    search.inside(0..first);
    for stretch in stretches.drain(..) {
        search.stretch(stretch);
    }
}

/// Offsets of the quotes that begin a row by their line.
fn row_lines(buf: &[u8], indent: &[u8]) -> Vec<usize> {
    let line_starts = std::iter::once(0).chain(memchr_iter(b'\n', buf).map(|at| at + 1));
    line_starts
        .filter(|at| buf[*at..].strip_prefix(indent).is_some_and(|rest| rest.first() == Some(&b'"')))
        .map(|at| at + indent.len())
        .collect()
}

struct Search<'f, 'a> {
    found: &'f mut Found<'a>,
    indent: &'f [u8],
}

impl Search<'_, '_> {
    /// A stretch that begins with the quote of a row's key.
    fn stretch(&mut self, at: Range<usize>) {
        let mut rest = at.start + 1;
        match self.found.try_row(at.start, at.end) {
            Some(row) if self.ends_well(&row) || (self.comes_after_row(at.start) && self.ends_alone(&row)) => {
                rest = row.value.end as usize;
                self.found.rows.push(row);
            }
            _ => self.cut(at.clone()),
        }
        self.inside(rest..at.end);
    }

    /// Remembers the key of a row that is not whole, if it is one: what follows is an object.
    fn cut(&mut self, at: Range<usize>) {
        let mut lexer = crate::store::lexer::Lexer::new(&self.found.buf[..at.end], at.start);
        if let Ok(key) = lexer.key()
            && (lexer.peek() == Some(b'{') || judge::has_row_key(self.found.buf, key))
        {
            self.found.note_cut(key);
        }
    }

    /// Rows whose own line begin was damaged.
    fn inside(&mut self, mut at: Range<usize>) {
        while let Some(offset) = memchr::memchr(b'"', &self.found.buf[at.clone()]) {
            let quote = at.start + offset;
            at.start = quote + 1;
            if !self.may_begin_row(quote, at.end) {
                continue;
            }
            if !self.found.may_go_on() {
                return;
            }
            if let Some(row) = self.found.try_row(quote, at.end)
                && self.ends_well(&row)
            {
                at.start = row.value.end as usize;
                self.found.rows.push(row);
            }
        }
    }

    /// A quote before a key and an object. On an undamaged line with another indent it is a field, whatever it holds,
    /// unless it has the key of a row.
    fn may_begin_row(&self, quote: usize, end: usize) -> bool {
        let buf = self.found.buf;
        if quote > 0 && buf[quote - 1] == b'\\' {
            return false;
        }
        let line = &buf[memrchr(b'\n', &buf[..quote]).map_or(0, |at| at + 1)..quote];
        let own_line = line.iter().all(|b| matches!(b, b' ' | b'\t'));
        let mut lexer = crate::store::lexer::Lexer::new(&buf[..end], quote);
        let Ok(key) = lexer.key() else { return false };
        lexer.peek() == Some(b'{') && (!own_line || judge::has_row_key(buf, key))
    }

    /// An object whose closing bracket stands on a line with the indent of rows.
    fn ends_well(&self, row: &Row) -> bool {
        let value = row.value.of(self.found.buf);
        let Some(inner) = value.strip_suffix(b"}") else { return false };
        memrchr(b'\n', inner).is_some_and(|at| &inner[at + 1..] == self.indent)
    }

    /// The line before it is the head or ends with a comma: nothing is missing in front of it.
    fn comes_after_row(&self, quote: usize) -> bool {
        let before = self.found.buf[..quote].trim_ascii_end();
        match before.last() {
            Some(b'{') => before.len() == 1 || before[..before.len() - 1].iter().all(|b| super::is_between_rows(*b)),
            Some(b',') => {
                let end = before.len() - 1;
                self.found.rows.last().is_some_and(|row| row.value.end as usize == end)
            }
            _ => false,
        }
    }

    /// A value on one line, followed by the next row, the end of the rows or the end of the text.
    fn ends_alone(&self, row: &Row) -> bool {
        let buf = self.found.buf;
        let value = row.value.of(buf);
        if !judge::is_delimited(buf, row) || memchr::memchr(b'\n', value).is_some() {
            return false;
        }
        let after = &buf[row.value.end as usize..];
        let next = after.strip_prefix(b",").unwrap_or(after);
        let line = next.strip_prefix(b"\r\n").or_else(|| next.strip_prefix(b"\n"));
        match line {
            None => after.trim_ascii().is_empty(),
            Some(line) if next.len() < after.len() => {
                line.is_empty() || line.strip_prefix(self.indent).is_some_and(|rest| rest.first() == Some(&b'"'))
            }
            Some(line) => line.trim_ascii_start().first().is_none_or(|b| *b == b'}'),
        }
    }
}
