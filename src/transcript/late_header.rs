//! The session header of a file that does not begin with one.
//!
//! The gateway takes such a file for no transcript; a person who wants the conversation still has its header further down.

use std::io;

use super::inside;
use super::lines::{Body, Lines};
use super::record::{self, Line, Record};
use super::source::Source;

/// Offset and length of the first session header, wherever it stands. The file is read up to it.
///
/// # Errors
/// What reading gives.
pub fn find(source: &Source) -> io::Result<Option<(u64, u64)>> {
    let is_header = |record: &Record| record.session && record.id.is_some();
    let mut lines = Lines::new(source.range(0, source.size), 0);
    while let Some(line) = lines.next_line()? {
        let found = match &line.body {
            Body::Short(text) => match record::line(text) {
                Line::Record(record) => is_header(&record).then_some((line.at, line.len)),
                Line::Bad(_) => record::whole_records(text).into_iter().find_map(|(from, to)| {
                    let record = record::line(&text[from..to]);
                    matches!(record, Line::Record(r) if is_header(&r))
                        .then_some((line.at + from as u64, (to - from) as u64))
                }),
                _ => None,
            },
            Body::Long(long) => match long.0.line {
                Line::Record(record) => is_header(&record).then_some((line.at, line.len)),
                Line::Bad(_) => inside::records(source, &line)?
                    .into_iter()
                    .find_map(|found| is_header(&found.record).then_some((found.at, found.len))),
                _ => None,
            },
        };
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}
