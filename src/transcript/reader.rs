//! Records read again by their place, a window of the file at a time: a path mostly runs forwards.

use std::io;

use super::entries::Entry;
use super::lines::LONG;
use super::node::Node;
use super::source::Source;

/// Bytes read at once.
const WINDOW: usize = 256 * 1024;

/// Reads records.
#[derive(Debug)]
pub struct Records<'a> {
    source: &'a Source,
    window: Vec<u8>,
    start: u64,
}

impl<'a> Records<'a> {
    /// Records of a transcript.
    pub fn of(source: &'a Source) -> Self {
        Self { source, window: Vec::new(), start: 0 }
    }

    /// The same, with a part of the file that was read already.
    pub fn with_window(source: &'a Source, start: u64, window: Vec<u8>) -> Self {
        Self { source, window, start }
    }

    /// Gives the record of an entry to `each`; nothing if it is not there any more.
    ///
    /// # Errors
    /// What reading gives.
    pub fn at<T>(&mut self, entry: &Entry, each: impl FnOnce(Option<Node<'_>>) -> T) -> io::Result<T> {
        self.at_place(entry.offset(), u64::from(entry.len), each)
    }

    /// As [`Records::at`], by place.
    ///
    /// # Errors
    /// What reading gives.
    pub fn at_place<T>(&mut self, at: u64, len: u64, each: impl FnOnce(Option<Node<'_>>) -> T) -> io::Result<T> {
        if len > LONG as u64 {
            let record = self.source.record(at, len)?;
            return Ok(each(Node::new(&record.text, &record.cuts)));
        }
        let text = self.bytes(at, usize::try_from(len).unwrap_or(LONG))?;
        Ok(each(Node::new(text, &[])))
    }

    /// Bytes of the file, at most [`LONG`]; fewer if it ends before.
    ///
    /// # Errors
    /// What reading gives.
    pub fn bytes(&mut self, at: u64, len: usize) -> io::Result<&[u8]> {
        let inside = at >= self.start && at + len as u64 <= self.start + self.window.len() as u64;
        if !inside {
            // Whoever goes backwards will want what lies before.
            let backwards = at < self.start && at + WINDOW as u64 > self.start;
            let from = if backwards { (at + len as u64).saturating_sub(WINDOW as u64).min(at) } else { at };
            let ahead = usize::try_from(at - from).unwrap_or(0);
            self.window = self.source.bytes(from, (ahead + len).max(WINDOW))?;
            self.start = from;
        }
        let from = usize::try_from(at - self.start).unwrap_or(0).min(self.window.len());
        let end = (from + len).min(self.window.len());
        Ok(&self.window[from..end])
    }
}
