//! Rows out of a damaged index.
//!
//! A row is saved only if all of its bytes, from the quote of its key to the last byte of its value, lie outside the
//! damage, and then byte for byte. What cannot be told from the inside of another row is left alone: a nested object
//! never becomes a row, and two halves of different rows never become one. The texts that come here were written by
//! the gateway (an object of objects, nearly always indented by two spaces) and then cut off, filled with NUL bytes by
//! a power cut, doubled, or written over in the middle. What the gateway never writes as a row, a value that is no
//! object, is a row of a sound text alone: in a damaged one it is a field of something else. Of a list of entries
//! without keys nothing is a row, except what is one by its looks.
//!
//! # How a row is known without the text before it
//!
//! In an indented text by its lines: a raw line feed is never inside a string, so a line that begins with the indent of
//! rows and a quote begins a row, wherever the damage was, and the row ends on a line with the same indent
//! ([`indented`]). In a text without lines a row is known as a member of the root that was followed from its first
//! brace, or by its looks: an `agent:` key (or one of the few other names of the gateway) before an object with the
//! fields of a session; its neighbours are rows too ([`compact`]). Stretches that the first way leaves over are tried
//! the second way.
//!
//! # Performance
//!
//! One pass for sound stretches. Starting again inside broken ones could cost the square of the length on hostile
//! input, so the bytes read that way are limited; [`Salvage::gave_up`] says when that limit was met.

mod compact;
mod indented;
mod judge;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::model::index::{Odd, Row, Span, Text};
use crate::order::Order as _;

use super::identity::identity;
use super::row::RowScanner;

/// What was found. Spans are offsets into the damaged bytes.
#[derive(Debug, Clone, Default)]
pub struct Salvage {
    /// Whole rows, in file order; of a key that comes twice only the last one.
    pub rows: Vec<Row>,
    /// Keys of rows of which only a part is left and no whole one anywhere, in file order.
    pub cut: Vec<Text>,
    /// Whole rows that a later row with the same key replaced.
    pub replaced: Vec<Row>,
    /// Bytes that belong to no whole row and are not white space, commas or brackets between rows.
    pub lost_bytes: u64,
    /// The search was stopped: the text is damaged in a way that would take forever to search to the end.
    pub gave_up: bool,
}

impl Salvage {
    /// The saved rows as a new index in the gateway's own layout.
    pub fn render(&self, buf: &[u8]) -> Vec<u8> {
        let rows: Vec<(&[u8], &[u8])> = self.rows.iter().map(|row| (row.key.span.of(buf), row.value.of(buf))).collect();
        render(&rows)
    }

    /// Replaced rows whose bytes differ from those of the row that replaced them.
    pub fn conflicts(&self, buf: &[u8]) -> usize {
        let kept: HashMap<Cow<'_, [u8]>, &[u8]> =
            self.rows.iter().map(|row| (identity(row.key, buf), row.value.of(buf))).collect();
        self.replaced.iter().filter(|row| kept.get(&identity(row.key, buf)) != Some(&row.value.of(buf))).count()
    }
}

/// Raw keys and values as an index in the gateway's own layout: two spaces before each row, no final line feed.
pub fn render(rows: &[(&[u8], &[u8])]) -> Vec<u8> {
    if rows.is_empty() {
        return b"{}".to_vec();
    }
    let mut out = Vec::with_capacity(rows.iter().map(|(key, value)| key.len() + value.len() + 8).sum());
    for (nth, (key, value)) in rows.iter().enumerate() {
        out.extend_from_slice(if nth == 0 { b"{\n  \"" } else { b",\n  \"" });
        out.extend_from_slice(key);
        out.extend_from_slice(b"\": ");
        out.extend_from_slice(value);
    }
    out.extend_from_slice(b"\n}");
    out
}

/// Finds every whole row of a damaged index.
///
/// A sound index gives all of its rows. A text longer than a [`Span`] can address gives none and says it gave up.
pub fn salvage(buf: &[u8]) -> Salvage {
    if u32::try_from(buf.len()).is_err() {
        return Salvage { gave_up: true, lost_bytes: buf.len() as u64, ..Salvage::default() };
    }
    let mut found = Found::new(buf);
    // A sound text needs no search, however oddly it is laid out.
    if let Some(rows) = super::parse::sound_rows(buf) {
        found.rows = rows;
        return found.into_salvage();
    }
    let mut gaps: Vec<_> = std::iter::once(0..buf.len()).collect();
    if let Some(indent) = indented::indent_of(buf) {
        indented::search(&mut found, &indent);
        gaps = found.gaps();
    }
    for gap in gaps {
        compact::search(&mut found, gap);
    }
    let entry = judge::begins_with_entry(buf);
    found.keep_entries(entry);
    found.into_salvage()
}

/// Rows found so far.
struct Found<'a> {
    buf: &'a [u8],
    rows: Vec<Row>,
    cut: Vec<Text>,
    /// Bytes that may still be read again.
    budget: u64,
    gave_up: bool,
}

impl<'a> Found<'a> {
    fn new(buf: &'a [u8]) -> Self {
        let budget = (buf.len() as u64) * 16 + (1 << 22);
        Self { buf, rows: Vec::new(), cut: Vec::new(), budget, gave_up: false }
    }

    /// Tries to read a row whose key's quote is at `at`, no further than `end`.
    fn try_row(&mut self, at: usize, end: usize) -> Option<Row> {
        let mut scanner = RowScanner::new(&self.buf[..end], at);
        let row = scanner.row();
        self.budget = self.budget.saturating_sub((scanner.lexer.pos() - at) as u64 + 1);
        // References are positions in a list that nobody keeps here.
        let row = row.ok().map(|row| Row { refs: Span::default(), ..row })?;
        (judge::is_text(self.buf, row.key) && !judge::is_glued(self.buf, &row)).then_some(row)
    }

    /// Whether there is still budget; remembers if not.
    fn may_go_on(&mut self) -> bool {
        self.gave_up |= self.budget == 0;
        !self.gave_up
    }

    fn note_cut(&mut self, key: Text) {
        self.cut.push(key);
    }

    /// Stretches that no row covers, in order.
    fn gaps(&mut self) -> Vec<std::ops::Range<usize>> {
        self.sort();
        let mut gaps = Vec::new();
        let mut at = 0;
        for row in &self.rows {
            gaps.push(at..quote(row).max(at));
            at = row.value.end as usize;
        }
        gaps.push(at..self.buf.len());
        gaps.retain(|gap| self.buf[gap.clone()].iter().any(|b| !is_between_rows(*b)));
        gaps
    }

    /// Keeps what can be a session entry. In a list of entries without keys every other object is a field of one of them.
    fn keep_entries(&mut self, list_of_entries: bool) {
        let buf = self.buf;
        let sure = |row: &Row| judge::has_row_key(buf, row.key) || judge::looks_like_session(row);
        self.rows.retain(|row| row.odd != Some(Odd::NotAnObject) && (!list_of_entries || sure(row)));
        if list_of_entries {
            self.cut.retain(|key| judge::has_row_key(buf, *key));
        }
    }

    fn sort(&mut self) {
        self.rows.order_by_key(|row| row.key.span.start);
    }

    fn into_salvage(mut self) -> Salvage {
        let lost_bytes = self
            .gaps()
            .into_iter()
            .map(|gap| self.buf[gap].iter().filter(|b| !is_between_rows(**b)).count() as u64)
            .sum();
        let mut last: HashMap<Cow<'_, [u8]>, usize> = HashMap::new();
        for (ix, row) in self.rows.iter().enumerate() {
            last.insert(identity(row.key, self.buf), ix);
        }
        self.cut.order_by_key(|key| key.span.start);
        let mut seen = HashSet::new();
        self.cut.retain(|key| {
            let name = identity(*key, self.buf);
            !last.contains_key(&name) && seen.insert(name)
        });
        let keep: HashSet<usize> = last.into_values().collect();
        let (mut rows, mut replaced) = (Vec::with_capacity(keep.len()), Vec::new());
        for (ix, row) in self.rows.into_iter().enumerate() {
            if keep.contains(&ix) { rows.push(row) } else { replaced.push(row) }
        }
        Salvage { rows, cut: self.cut, replaced, lost_bytes, gave_up: self.gave_up }
    }
}

/// Offset of the quote before a row's key.
fn quote(row: &Row) -> usize {
    row.key.span.start as usize - 1
}

/// White space and the structure between rows.
fn is_between_rows(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t' | b',' | b'{' | b'}' | b'[' | b']' | 0xEF | 0xBB | 0xBF)
}

#[cfg(test)]
#[path = "salvage_tests.rs"]
mod tests;
