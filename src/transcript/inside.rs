//! Whole records on a damaged line that is too long to keep.
//!
//! The line is read once more and taken apart as a repair does it, so that every command sees the same records on it. A
//! record with NUL bytes in its midst is none: only without them it can be read. Nor is one on a line with more runs of NUL
//! bytes than are told apart.

use std::io;

use super::lines::{LONG, Line};
use super::mend::dissect::{PartKind, dissect, dissect_long};
use super::mend::lines::{Bytes, Place, RawLine};
use super::record::Record;

/// A record, and where in the file it lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Inside {
    /// Offset of its first byte.
    pub at: u64,
    /// Bytes.
    pub len: u64,
    /// What it says.
    pub record: Record,
}

/// The whole records on a line of `file`, in order. A line that was cut off meanwhile has none.
///
/// # Errors
/// What reading gives.
pub fn records(file: &(impl Bytes + ?Sized), line: &Line<'_>) -> io::Result<Vec<Inside>> {
    match again(file, line) {
        Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => Ok(Vec::new()),
        found => found,
    }
}

fn again(file: &(impl Bytes + ?Sized), line: &Line<'_>) -> io::Result<Vec<Inside>> {
    let place = Place { number: 1, offset: line.at, len: line.len, newline: line.newline };
    let raw = RawLine::read(file, place, LONG)?;
    if raw.noise {
        return Ok(Vec::new());
    }
    let parts = if raw.long { dissect_long(file, &raw)? } else { dissect(&raw.text) };
    let mut found = Vec::new();
    for part in parts {
        let PartKind::Record(record) = part.kind else { continue };
        let (at, len) = (raw.start(part.from), (part.to - part.from) as u64);
        if raw.end(part.to) == at + len {
            found.push(Inside { at, len, record });
        }
    }
    Ok(found)
}
