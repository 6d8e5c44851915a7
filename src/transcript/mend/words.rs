//! The text of a record, as far as it is at hand.

use std::borrow::Cow;
use std::io;

use crate::model::mend::Edit;
use crate::transcript::long_line::LongLine;

use super::dissect::{Part, each_piece};
use super::lines::{Bytes, RawLine};
use super::unicode::Fixer;

/// How much a text says about the bytes of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Truth {
    /// They are the same.
    Exact,
    /// All is there, and control characters are escaped.
    Escaped,
    /// Long strings and lists are shortened ([`crate::transcript::slim`]).
    Shortened,
}

/// The text of a record or a fragment.
#[derive(Debug)]
pub struct Words<'a> {
    /// It.
    pub text: Cow<'a, [u8]>,
    /// What it is worth.
    pub truth: Truth,
    /// What of a shortened text that was read here is no Unicode text: changes relative to its beginning.
    pub unicode: Vec<Edit>,
}

impl<'a> Words<'a> {
    /// The bytes of the file.
    pub fn exact(text: &'a [u8]) -> Self {
        Self { text: text.into(), truth: Truth::Exact, unicode: Vec::new() }
    }

    /// A shortened record.
    pub fn shortened(text: &'a [u8]) -> Self {
        Self { text: text.into(), truth: Truth::Shortened, unicode: Vec::new() }
    }

    /// A part of a line that is too long to keep: read again, and shortened if it is longer than `long`.
    ///
    /// # Errors
    /// What reading gives.
    pub fn read(file: &(impl Bytes + ?Sized), line: &RawLine, part: &Part, long: usize) -> io::Result<Words<'static>> {
        if part.to - part.from <= long {
            let mut text = Vec::with_capacity(part.to - part.from);
            each_piece(file, line, part.from, part.to, |_, piece| {
                text.extend_from_slice(piece);
                true
            })?;
            return Ok(Words { text: text.into(), truth: Truth::Exact, unicode: Vec::new() });
        }
        let mut slim = LongLine::default();
        let mut unicode = Fixer::default();
        each_piece(file, line, part.from, part.to, |_, piece| {
            slim.feed(piece);
            unicode.feed(piece);
            !slim.is_bad()
        })?;
        Ok(Words { text: slim.end().1.text.into(), truth: Truth::Shortened, unicode: unicode.end() })
    }
}
