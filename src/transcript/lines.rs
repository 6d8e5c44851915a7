//! The lines of a transcript, one after the other, in constant memory.
//!
//! This is the only place that splits a file into lines. A line up to [`LONG`] bytes is handed out as it stands in the
//! buffer; a longer one is read by [`LongLine`] and handed out shortened. Which of the two happens depends on the length of
//! the line alone, so nothing that is made of lines can depend on how the bytes came in.

use std::io::{self, Read};

use super::long_line::{Ended, LongLine};
use super::slim::Slim;

/// Lines longer than this are not kept.
pub const LONG: usize = 1 << 20;
/// Bytes read at once.
pub const PIECE: usize = 256 * 1024;

/// One line.
#[derive(Debug)]
pub struct Line<'a> {
    /// Offset of its first byte.
    pub at: u64,
    /// Its length, without the newline.
    pub len: u64,
    /// It ends with a newline.
    pub newline: bool,
    /// What it holds.
    pub body: Body<'a>,
}

/// What a line holds.
#[derive(Debug)]
pub enum Body<'a> {
    /// All of it, without the newline.
    Short(&'a [u8]),
    /// A line longer than [`LONG`], judged and shortened.
    Long(Box<(Ended, Slim)>),
}

impl Line<'_> {
    /// Offset of what comes after it.
    pub fn end(&self) -> u64 {
        self.at + self.len + u64::from(self.newline)
    }
}

/// Reads lines.
#[derive(Debug)]
pub struct Lines<R> {
    reader: R,
    buffer: Vec<u8>,
    /// The bytes of `buffer` that are not handed out yet.
    start: usize,
    end: usize,
    /// Offset of `start` in the file.
    offset: u64,
    piece: usize,
    /// Lines longer than this are not handed out whole: [`LONG`].
    long: usize,
    ended: bool,
}

impl<R: Read> Lines<R> {
    /// Lines of what `reader` gives, whose first byte is at `offset` of the file and begins a line.
    pub fn new(reader: R, offset: u64) -> Self {
        Self::in_pieces(reader, offset, PIECE)
    }

    /// As [`Lines::new`], reading so many bytes at once.
    pub fn in_pieces(reader: R, offset: u64, piece: usize) -> Self {
        let piece = piece.max(1);
        Self { reader, buffer: vec![0; piece], start: 0, end: 0, offset, piece, long: LONG, ended: false }
    }

    /// With another bound than [`LONG`].
    #[must_use]
    pub fn long_above(self, long: usize) -> Self {
        Self { long, ..self }
    }

    /// Offset of the next line.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Skips to what follows the next newline; gives the bytes skipped, and whether there was a newline.
    ///
    /// # Errors
    /// What reading gives.
    pub fn skip_line(&mut self) -> io::Result<(u64, bool)> {
        let from = self.offset;
        loop {
            let found = memchr::memchr(b'\n', &self.buffer[self.start..self.end]);
            let taken = found.map_or(self.end - self.start, |at| at + 1);
            self.start += taken;
            self.offset += taken as u64;
            if found.is_some() || !self.fill()? {
                return Ok((self.offset - from, found.is_some()));
            }
        }
    }

    /// The next line.
    ///
    /// # Errors
    /// What reading gives.
    pub fn next_line(&mut self) -> io::Result<Option<Line<'_>>> {
        let mut looked = 0;
        loop {
            let have = self.end - self.start;
            if let Some(found) = memchr::memchr(b'\n', &self.buffer[self.start + looked..self.end]) {
                let len = looked + found;
                if len > self.long {
                    return self.long().map(Some);
                }
                return Ok(Some(self.short(len, true)));
            }
            looked = have;
            if have > self.long {
                return self.long().map(Some);
            }
            if !self.fill()? {
                return Ok((have > 0).then(|| self.short(have, false)));
            }
        }
    }

    fn short(&mut self, len: usize, newline: bool) -> Line<'_> {
        let (from, at) = (self.start, self.offset);
        let taken = len + usize::from(newline);
        self.start += taken;
        self.offset += taken as u64;
        Line { at, len: len as u64, newline, body: Body::Short(&self.buffer[from..from + len]) }
    }

    fn long(&mut self) -> io::Result<Line<'_>> {
        let at = self.offset;
        let mut long = LongLine::default();
        loop {
            let rest = &self.buffer[self.start..self.end];
            let found = memchr::memchr(b'\n', rest);
            let len = found.unwrap_or(rest.len());
            long.feed(&rest[..len]);
            let taken = len + usize::from(found.is_some());
            self.start += taken;
            self.offset += taken as u64;
            if found.is_some() || !self.fill()? {
                let newline = found.is_some();
                let len = self.offset - at - u64::from(newline);
                return Ok(Line { at, len, newline, body: Body::Long(Box::new(long.end())) });
            }
        }
    }

    /// Reads more behind what is there. `false` at the end.
    fn fill(&mut self) -> io::Result<bool> {
        if self.ended {
            return Ok(false);
        }
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        if self.buffer.len() < self.end + self.piece {
            self.buffer.resize(self.end + self.piece, 0);
        }
        loop {
            match self.reader.read(&mut self.buffer[self.end..self.end + self.piece]) {
                Ok(0) => {
                    self.ended = true;
                    return Ok(false);
                }
                Ok(got) => {
                    self.end += got;
                    return Ok(true);
                }
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines as plain values: offset, length, newline, long.
    fn all(text: &[u8], piece: usize) -> Vec<(u64, u64, bool, bool)> {
        let mut lines = Lines::in_pieces(text, 10, piece);
        let mut out = Vec::new();
        while let Some(line) = lines.next_line().unwrap() {
            if let Body::Short(bytes) = line.body {
                let from = usize::try_from(line.at - 10).unwrap();
                assert_eq!(bytes, &text[from..from + bytes.len()]);
            }
            out.push((line.at, line.len, line.newline, matches!(line.body, Body::Long(_))));
        }
        out
    }

    #[test]
    fn lines_do_not_depend_on_how_the_bytes_come_in() {
        let text = b"one\n\n\r\nlast";
        let want = [(10, 3, true, false), (14, 0, true, false), (15, 1, true, false), (17, 4, false, false)];
        for piece in [1, 2, 3, 100] {
            assert_eq!(all(text, piece), want);
        }
        assert!(all(b"", 1).is_empty());
        let edge = |len: usize| [vec![b'x'; len], b"\ny\n".to_vec()].concat();
        for piece in [1000, LONG - 1, LONG, LONG + 1, 3 * LONG] {
            assert_eq!(all(&edge(LONG), piece)[0], (10, LONG as u64, true, false), "{piece}");
            assert_eq!(all(&edge(LONG + 1), piece)[0], (10, LONG as u64 + 1, true, true), "{piece}");
            assert_eq!(all(&edge(LONG + 1), piece)[1], (LONG as u64 + 12, 1, true, false), "{piece}");
        }
    }

    #[test]
    fn a_line_can_be_skipped() {
        let mut lines = Lines::in_pieces(&b"abc\ndef"[..], 0, 2);
        assert_eq!(lines.skip_line().unwrap(), (4, true));
        assert_eq!(lines.next_line().unwrap().unwrap().at, 4);
        assert_eq!(lines.skip_line().unwrap(), (0, false));
    }
}
