//! Rows of a text without lines, and of what the search by lines left over.
//!
//! From the first brace of the text every member is a row, until something does not read. From there on a row must look
//! like one; what directly follows it, after a comma, is its neighbour and a row as well. A root that closes although
//! the text goes on shows that a bracket was lost in it: its last rows are not believed.

use std::ops::Range;

use super::{Found, judge};
use crate::model::index::Row;
use crate::store::lexer::Lexer;

/// Finds the rows in one stretch of the text.
pub fn search(found: &mut Found<'_>, gap: Range<usize>) {
    let mut search = Search { end: gap.end, first: found.rows.len(), found };
    let mut at = gap.start;
    if let Some(row) = search.head(gap.start) {
        at = search.siblings(row);
    }
    while let Some(next) = search.next_quote(at) {
        if !search.found.may_go_on() {
            return;
        }
        at = next + 1;
        if search.is_row(next) {
            at = search.siblings(next);
        }
    }
}

struct Search<'f, 'a> {
    found: &'f mut Found<'a>,
    end: usize,
    /// Rows before this position were found by their lines.
    first: usize,
}

impl Search<'_, '_> {
    /// The quote of the first row, if the stretch begins with the head of a text.
    fn head(&self, start: usize) -> Option<usize> {
        let text = &self.found.buf[..self.end];
        let whole = (start == 0).then(|| if text.starts_with(crate::store::parse::BOM) { 3 } else { 0 })?;
        self.root(whole)
    }

    /// The quote of the first row of a root object (or of one in an array) at `at`.
    fn root(&self, at: usize) -> Option<usize> {
        let mut lexer = Lexer::new(&self.found.buf[..self.end], at);
        lexer.space();
        if lexer.take(b'[').is_ok() {
            lexer.space();
        }
        lexer.take(b'{').ok()?;
        lexer.space();
        (lexer.peek() == Some(b'"')).then(|| lexer.pos())
    }

    fn next_quote(&self, from: usize) -> Option<usize> {
        let text = &self.found.buf[..self.end];
        let quotes = memchr::memchr_iter(b'"', text.get(from..)?).map(|at| from + at);
        // A quote behind a backslash is inside a string.
        quotes.into_iter().find(|at| *at == 0 || text[at - 1] != b'\\')
    }

    /// Whether what begins at this quote is a row by its looks.
    fn is_row(&mut self, at: usize) -> bool {
        let mut lexer = Lexer::new(&self.found.buf[..self.end], at);
        let Ok(key) = lexer.key() else { return false };
        if lexer.peek() != Some(b'{') {
            return false;
        }
        let named = judge::has_row_key(self.found.buf, key);
        let row = self.found.try_row(at, self.end);
        if named && row.is_none() {
            self.found.note_cut(key);
        }
        row.is_some_and(|row| judge::looks_like_session(&row) || (named && row.odd.is_none() && !row.value.is_empty()))
    }

    /// Takes the row at this quote and every row after it. Gives the offset to go on from.
    fn siblings(&mut self, mut at: usize) -> usize {
        loop {
            let Some(row) = self.found.try_row(at, self.end).filter(|row| judge::is_delimited(self.found.buf, row))
            else {
                self.cut(at);
                return at + 1;
            };
            let mut lexer = Lexer::new(&self.found.buf[..self.end], row.value.end as usize);
            let after_row = lexer.pos();
            self.found.rows.push(row);
            lexer.space();
            if lexer.take(b',').is_ok() {
                lexer.space();
                if lexer.peek() == Some(b'"') {
                    at = lexer.pos();
                    continue;
                }
                return after_row;
            }
            if lexer.take(b'}').is_err() {
                return after_row;
            }
            lexer.space();
            let closed = lexer.pos();
            match lexer.peek() {
                // In an array of objects the next one is a root like this.
                Some(b',' | b']') if self.in_array() => match self.after_array_item(lexer) {
                    Some(next) => at = next,
                    None => return closed,
                },
                Some(b',' | b']' | b'}' | b':') => {
                    if !self.is_end_again(closed) {
                        self.disbelieve();
                    }
                    return closed;
                }
                _ => match self.root(closed) {
                    Some(next) => at = next,
                    None => return closed,
                },
            }
        }
    }

    fn in_array(&self) -> bool {
        self.found.buf.trim_ascii_start().starts_with(b"[")
    }

    fn after_array_item(&self, mut lexer: Lexer<'_>) -> Option<usize> {
        if lexer.take(b']').is_ok() {
            return self.root(lexer.pos());
        }
        lexer.take(b',').ok()?;
        self.root(lexer.pos())
    }

    /// Whether what comes after a root is the end of that root once more, as a text leaves it that was written twice.
    fn is_end_again(&self, closed: usize) -> bool {
        let (root, rest) = self.found.buf.split_at(closed);
        root.ends_with(rest) && !rest.iter().all(|b| super::is_between_rows(*b))
    }

    /// A lost bracket ended a row too early, and what followed it in that row was taken for rows. That row is the last one
    /// before them, unless they are the end of another row, whose beginning is gone: it has such a field already, or the
    /// first of them has a name that no field has.
    fn disbelieve(&mut self) {
        let mut fields: Vec<Row> = Vec::new();
        while self.found.rows.len() > self.first {
            let Some(row) = self.found.rows.pop() else { return };
            if !self.is_sure(&row) {
                fields.push(row);
                continue;
            }
            let buf = self.found.buf;
            let broken = fields.last().filter(|first| judge::is_named_once(buf, first.key));
            if let Some(first) = broken.filter(|first| first.session_id.is_some()) {
                self.found.note_cut(first.key);
            }
            let whole = broken.is_some() || judge::has_any_member(buf, &row, fields.iter().map(|field| field.key));
            if whole {
                self.found.rows.push(row)
            } else {
                self.found.note_cut(row.key)
            }
            return;
        }
    }

    fn is_sure(&self, row: &Row) -> bool {
        judge::has_row_key(self.found.buf, row.key) || judge::looks_like_session(row)
    }

    fn cut(&mut self, at: usize) {
        let mut lexer = Lexer::new(&self.found.buf[..self.end], at);
        if let Ok(key) = lexer.key()
            && lexer.peek() == Some(b'{')
        {
            self.found.note_cut(key);
        }
    }
}
