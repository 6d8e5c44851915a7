//! The index in one pass: rows as spans, or the place where it stops being an index.
//!
//! Doubt keeps: a text that is not one whole JSON object is damage, never an empty store. The gateway takes such a text
//! for `{}` and its next cleanup then deletes every transcript; here the kind and place of the damage stop the run.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use crate::model::fingerprint::Fingerprint;
use crate::model::index::{Damage, DamageKind, IndexFacts, Layout, Row, Span};

use super::identity::identity;
use super::lexer::{Fault, Lexer};
use super::row::RowScanner;

/// UTF-8 byte order mark. The gateway fails on it; we read it and keep it.
pub const BOM: &[u8] = b"\xEF\xBB\xBF";

/// Reads an index from memory.
///
/// # Errors
///
/// The first [`Damage`], with the number of rows that are whole before it.
pub fn parse(path: PathBuf, fp: Fingerprint, bytes: Arc<Vec<u8>>) -> Result<IndexFacts, Damage> {
    if u32::try_from(bytes.len()).is_err() {
        return Err(Damage { kind: DamageKind::TooLarge, offset: 0, line: 1, column: 1, whole_rows: 0 });
    }
    let mut scan = Scan::new(&bytes);
    let layout = scan.root().map_err(|fault| damage(&bytes, fault, scan.rows.len()))?;
    let Scan { mut rows, scanner: RowScanner { mut references, .. }, .. } = scan;
    rows.shrink_to_fit();
    references.shrink_to_fit();
    mark_shadowed(&bytes, &mut rows);
    Ok(IndexFacts { path, fp, bytes, layout, rows, references })
}

/// The rows of a sound index, duplicates included, in file order; their references are left out. `None` for a text that is
/// none.
pub(super) fn sound_rows(buf: &[u8]) -> Option<Vec<Row>> {
    let mut scan = Scan::new(buf);
    scan.root().ok()?;
    Some(scan.rows.into_iter().map(|row| Row { refs: Span::default(), ..row }).collect())
}

struct Scan<'a> {
    scanner: RowScanner<'a>,
    rows: Vec<Row>,
    bom: bool,
}

impl<'a> Scan<'a> {
    fn new(buf: &'a [u8]) -> Self {
        let bom = buf.starts_with(BOM);
        Self { scanner: RowScanner::new(buf, if bom { BOM.len() } else { 0 }), rows: Vec::new(), bom }
    }

    fn root(&mut self) -> Result<Layout, Fault> {
        let buf = self.scanner.lexer.buf();
        self.scanner.lexer.space();
        match self.scanner.lexer.peek() {
            None => return Err(Fault { kind: DamageKind::Empty, at: 0 }),
            Some(b'{') => {}
            Some(_) => return Err(self.other_root()),
        }
        self.scanner.lexer.take(b'{')?;
        let mut head_end = self.scanner.lexer.pos();
        let mut tail_start = head_end;
        self.scanner.lexer.space();
        if self.scanner.lexer.peek() != Some(b'}') {
            head_end = self.scanner.lexer.pos();
            self.rows()?;
            tail_start = self.rows.last().map_or(head_end, |row| row.value.end as usize);
        }
        self.scanner.lexer.take(b'}')?;
        trailing(&mut self.scanner.lexer)?;
        let head = span(0, head_end);
        let tail = span(tail_start, buf.len());
        Ok(Layout { bom: self.bom, crlf: is_crlf(head.of(buf), tail.of(buf)), head, tail })
    }

    /// All rows; stops before the closing brace.
    fn rows(&mut self) -> Result<(), Fault> {
        loop {
            self.rows.push(self.scanner.row()?);
            self.scanner.lexer.space();
            if self.scanner.lexer.peek() != Some(b',') {
                return Ok(());
            }
            self.scanner.lexer.take(b',')?;
            self.scanner.lexer.space();
        }
    }

    /// What is wrong with a root that is not an object: that it is not one, if it is JSON at all.
    fn other_root(&mut self) -> Fault {
        let at = self.scanner.lexer.pos();
        match self.scanner.lexer.value().and_then(|()| trailing(&mut self.scanner.lexer)) {
            Ok(()) => Fault { kind: DamageKind::NotAnObject, at },
            Err(fault) => fault,
        }
    }
}

/// Nothing but white space may follow the root.
fn trailing(lexer: &mut Lexer<'_>) -> Result<(), Fault> {
    lexer.space();
    match lexer.peek() {
        None => Ok(()),
        Some(b'{' | b'[' | b'"' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n') => {
            Err(Fault { kind: DamageKind::TrailingData, at: lexer.pos() })
        }
        Some(_) => Err(lexer.fault()),
    }
}

fn is_crlf(head: &[u8], tail: &[u8]) -> bool {
    [head, tail].iter().find_map(|part| memchr::memchr(b'\n', part).map(|at| part[..at].ends_with(b"\r"))) == Some(true)
}

fn span(start: usize, end: usize) -> Span {
    let narrow = |n| u32::try_from(n).unwrap_or(u32::MAX);
    Span { start: narrow(start), end: narrow(end) }
}

/// Marks every row whose key comes again later. Keys are compared as the gateway compares them, not by spelling.
fn mark_shadowed(buf: &[u8], rows: &mut [Row]) {
    let mut last: HashMap<Cow<'_, [u8]>, u32> = HashMap::new();
    let mut shadowed = Vec::new();
    for ix in perhaps_twice(buf, rows) {
        shadowed.extend(last.insert(identity(rows[ix as usize].key, buf), ix));
    }
    for ix in shadowed {
        rows[ix as usize].shadowed = true;
    }
}

/// Rows whose key has the same weak hash as another one, ascending: nearly always none, so that the table above, which
/// withstands keys made to collide, is hardly ever filled.
fn perhaps_twice(buf: &[u8], rows: &[Row]) -> Vec<u32> {
    let mut hashes: Vec<(u64, u32)> = rows.iter().map(|row| weak_hash(&identity(row.key, buf))).zip(0..).collect();
    hashes.sort_unstable();
    let mut twice: Vec<u32> =
        hashes.chunk_by(|a, b| a.0 == b.0).filter(|same| same.len() > 1).flatten().map(|(_, ix)| *ix).collect();
    twice.sort_unstable();
    twice
}

fn weak_hash(bytes: &[u8]) -> u64 {
    let mix = |hash: u64, word: u64| (hash.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    let (words, rest) = bytes.as_chunks::<8>();
    let hash = words.iter().fold(bytes.len() as u64, |hash, word| mix(hash, u64::from_le_bytes(*word)));
    rest.iter().fold(hash, |hash, byte| mix(hash, u64::from(*byte)))
}

fn damage(buf: &[u8], fault: Fault, whole_rows: usize) -> Damage {
    let before = &buf[..fault.at.min(buf.len())];
    let line_start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
    Damage {
        kind: fault.kind,
        offset: before.len() as u64,
        line: memchr::memchr_iter(b'\n', before).count() as u64 + 1,
        column: (before.len() - line_start) as u64 + 1,
        whole_rows: whole_rows as u64,
    }
}

#[cfg(test)]
#[path = "parse_tests.rs"]
pub(crate) mod tests;
