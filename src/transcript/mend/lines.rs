//! The lines of a file, NUL bytes taken out and remembered.
//!
//! A power cut leaves blocks of NUL bytes where text was never written; a line may hold megabytes of them. They are
//! counted, not kept.

use std::io::{self, Read};

use crate::transcript::long_line::LongLine;
use crate::transcript::scan::LONG;

/// Bytes read at once.
const PIECE: usize = 64 * 1024;
/// Most runs of NUL bytes in one line that are told apart.
const RUNS: usize = 4096;

/// NUL bytes in a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NulRun {
    /// How many bytes of the text come before it.
    pub after: u64,
    /// How many NUL bytes.
    pub len: u64,
}

/// One physical line.
#[derive(Debug, Default)]
pub struct RawLine {
    /// Its number, from 1.
    pub number: u64,
    /// Its offset in the file.
    pub offset: u64,
    /// Its length in the file, without the newline.
    pub len: u64,
    /// It ends with a newline.
    pub newline: bool,
    /// Its text without NUL bytes; empty if it is long.
    pub text: Vec<u8>,
    /// Length of the text.
    pub text_len: u64,
    /// Runs of NUL bytes, in order.
    pub nuls: Vec<NulRun>,
    /// The text is too long to keep: it was checked as it came by.
    pub long: Option<LongLine>,
    /// It has more runs of NUL bytes than are told apart.
    pub noise: bool,
}

impl RawLine {
    /// File offset of the byte at `pos` of the text.
    pub fn start(&self, pos: usize) -> u64 {
        self.at(pos as u64, |run| run.after <= pos as u64)
    }

    /// File offset after the byte before `pos` of the text.
    pub fn end(&self, pos: usize) -> u64 {
        self.at(pos as u64, |run| run.after < pos as u64)
    }

    fn at(&self, pos: u64, before: impl Fn(&&NulRun) -> bool) -> u64 {
        self.offset + pos + self.nuls.iter().take_while(before).map(|run| run.len).sum::<u64>()
    }

    /// File offset after the line, its newline included.
    pub fn after(&self) -> u64 {
        self.offset + self.len + u64::from(self.newline)
    }

    fn feed(&mut self, mut piece: &[u8]) {
        self.len += piece.len() as u64;
        while let Some(first) = piece.first() {
            let take = if *first == 0 {
                let run = piece.iter().position(|b| *b != 0).unwrap_or(piece.len());
                self.nul(run as u64);
                run
            } else {
                let run = memchr::memchr(0, piece).unwrap_or(piece.len());
                self.plain(&piece[..run]);
                run
            };
            piece = &piece[take..];
        }
    }

    fn nul(&mut self, len: u64) {
        match self.nuls.last_mut() {
            Some(last) if last.after == self.text_len => last.len += len,
            _ if self.nuls.len() == RUNS => self.noise = true,
            _ => self.nuls.push(NulRun { after: self.text_len, len }),
        }
    }

    fn plain(&mut self, piece: &[u8]) {
        self.text_len += piece.len() as u64;
        if let Some(long) = &mut self.long {
            return long.feed(piece);
        }
        self.text.extend_from_slice(piece);
        if self.text.len() > LONG {
            let mut long = LongLine::default();
            long.feed(&self.text);
            self.text = Vec::new();
            self.long = Some(long);
        }
    }
}

/// Reads lines one after the other.
pub struct Lines<'a, R> {
    reader: &'a mut R,
    buffer: Vec<u8>,
    from: usize,
    to: usize,
    offset: u64,
    number: u64,
    went_on: &'a dyn Fn(u64) -> bool,
    stopped: bool,
}

impl<'a, R: Read> Lines<'a, R> {
    /// Starts at the beginning of the file, where `reader` must be. `went_on` hears of bytes as they are read, and stops
    /// the reading by answering no.
    pub fn new(reader: &'a mut R, went_on: &'a dyn Fn(u64) -> bool) -> Self {
        Self { reader, buffer: vec![0; PIECE], from: 0, to: 0, offset: 0, number: 0, went_on, stopped: false }
    }

    /// The reading was stopped before the end.
    pub fn stopped(&self) -> bool {
        self.stopped
    }

    /// The next line; `None` at the end of the file.
    ///
    /// # Errors
    /// What reading gives.
    pub fn next(&mut self) -> io::Result<Option<RawLine>> {
        let mut line = RawLine { number: self.number + 1, offset: self.offset, ..RawLine::default() };
        loop {
            if self.from == self.to && !self.fill()? {
                if line.len == 0 {
                    return Ok(None);
                }
                break;
            }
            let rest = &self.buffer[self.from..self.to];
            if let Some(end) = memchr::memchr(b'\n', rest) {
                line.feed(&rest[..end]);
                line.newline = true;
                self.from += end + 1;
                break;
            }
            line.feed(rest);
            self.from = self.to;
        }
        self.number += 1;
        self.offset = line.after();
        Ok(Some(line))
    }

    fn fill(&mut self) -> io::Result<bool> {
        loop {
            match self.reader.read(&mut self.buffer) {
                Ok(0) => return Ok(false),
                Ok(got) => {
                    (self.from, self.to) = (0, got);
                    self.stopped = !(self.went_on)(got as u64);
                    return Ok(!self.stopped);
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

    fn all(bytes: &[u8]) -> Vec<RawLine> {
        let mut reader = bytes;
        let mut lines = Lines::new(&mut reader, &|_| true);
        std::iter::from_fn(|| lines.next().unwrap()).collect()
    }

    #[test]
    fn lines_have_offsets_and_text_without_nuls() {
        let lines = all(b"ab\n\n\0\0c\0d\0\0\nlast");
        let seen: Vec<_> = lines.iter().map(|l| (l.number, l.offset, l.len, l.newline, &*l.text)).collect();
        assert_eq!(seen[0], (1, 0, 2, true, &b"ab"[..]));
        assert_eq!(seen[1], (2, 3, 0, true, &b""[..]));
        assert_eq!(seen[2], (3, 4, 7, true, &b"cd"[..]));
        assert_eq!(seen[3], (4, 12, 4, false, &b"last"[..]));
        let nul = &lines[2];
        assert_eq!((nul.start(0), nul.end(0), nul.start(1), nul.end(1), nul.end(2)), (6, 4, 8, 7, 9));
        assert!(all(b"").is_empty());
    }

    #[test]
    fn a_line_of_nothing_but_nuls_costs_nothing() {
        let bytes = vec![0; 3 << 20];
        let lines = all(&bytes);
        assert_eq!((lines.len(), lines[0].len, lines[0].text_len, lines[0].long.is_some()), (1, 3 << 20, 0, false));
    }
}
