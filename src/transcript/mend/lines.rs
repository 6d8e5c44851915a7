//! A line with its NUL bytes taken out and remembered.
//!
//! A power cut leaves blocks of NUL bytes where text was never written; a line may hold megabytes of them. They are
//! counted, not kept.

use std::io;

use crate::transcript::source::{self, Source};

/// Most runs of NUL bytes in one line that are told apart.
const RUNS: usize = 4096;
/// Bytes read at once.
const PIECE: usize = 64 * 1024;

/// Bytes at any offset, of a size that does not change meanwhile: an open transcript, or text in memory.
pub trait Bytes {
    /// How many there are.
    fn size(&self) -> u64;

    /// Reads at an offset; gives the bytes read, fewer only at the end.
    ///
    /// # Errors
    /// What reading gives.
    fn read_at(&self, buffer: &mut [u8], at: u64) -> io::Result<usize>;
}

impl Bytes for [u8] {
    fn size(&self) -> u64 {
        self.len() as u64
    }

    fn read_at(&self, buffer: &mut [u8], at: u64) -> io::Result<usize> {
        let rest = usize::try_from(at).ok().and_then(|at| self.get(at..)).unwrap_or_default();
        let len = rest.len().min(buffer.len());
        buffer[..len].copy_from_slice(&rest[..len]);
        Ok(len)
    }
}

/// A file that may be written to meanwhile: it has the size that it has when it is asked.
impl Bytes for std::fs::File {
    fn size(&self) -> u64 {
        self.metadata().map_or(0, |meta| meta.len())
    }

    fn read_at(&self, buffer: &mut [u8], at: u64) -> io::Result<usize> {
        source::read_at(self, buffer, at)
    }
}

impl Bytes for Source {
    fn size(&self) -> u64 {
        self.size
    }

    fn read_at(&self, buffer: &mut [u8], at: u64) -> io::Result<usize> {
        Self::read_at(self, buffer, at)
    }
}

/// All of it, from the beginning, as a reader.
pub struct Reader<'a, B: ?Sized> {
    bytes: &'a B,
    at: u64,
    went_on: &'a dyn Fn(u64) -> bool,
    /// The reading was stopped before the end.
    pub stopped: bool,
}

impl<'a, B: Bytes + ?Sized> Reader<'a, B> {
    /// Starts at the beginning. `went_on` hears of bytes as they are read, and stops the reading by answering no.
    pub fn new(bytes: &'a B, went_on: &'a dyn Fn(u64) -> bool) -> Self {
        Self { bytes, at: 0, went_on, stopped: false }
    }
}

impl<B: Bytes + ?Sized> io::Read for Reader<'_, B> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let got = self.bytes.read_at(buffer, self.at)?;
        self.at += got as u64;
        self.stopped |= got > 0 && !(self.went_on)(got as u64);
        Ok(if self.stopped { 0 } else { got })
    }
}

/// NUL bytes in a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NulRun {
    /// How many bytes of the text come before it.
    pub after: u64,
    /// How many NUL bytes.
    pub len: u64,
}

/// Where a physical line lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Its number, from 1.
    pub number: u64,
    /// Its offset in the file.
    pub offset: u64,
    /// Its length in the file, without the newline.
    pub len: u64,
    /// It ends with a newline.
    pub newline: bool,
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
    /// The text is too long to keep.
    pub long: bool,
    /// It has more runs of NUL bytes than are told apart.
    pub noise: bool,
}

impl RawLine {
    /// A line that is at hand as a whole.
    pub fn of(bytes: &[u8], number: u64, offset: u64, newline: bool) -> Self {
        let mut line = Self { number, offset, newline, ..Self::default() };
        line.feed_above(bytes, usize::MAX);
        line
    }

    /// A line that must be read again; its text is kept if it has at most `long` bytes.
    ///
    /// # Errors
    /// What reading gives.
    pub fn read(file: &(impl Bytes + ?Sized), place: Place, long: usize) -> io::Result<Self> {
        let Place { number, offset, len, newline } = place;
        let mut line = Self { number, offset, newline, ..Self::default() };
        let mut buffer = vec![0; PIECE];
        while line.len < len {
            let want = usize::try_from(len - line.len).map_or(PIECE, |n| n.min(PIECE));
            match file.read_at(&mut buffer[..want], offset + line.len)? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                got => line.feed_above(&buffer[..got], long),
            }
        }
        Ok(line)
    }

    /// Where it lies.
    pub fn place(&self) -> Place {
        Place { number: self.number, offset: self.offset, len: self.len, newline: self.newline }
    }

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

    fn feed_above(&mut self, mut piece: &[u8], long: usize) {
        self.len += piece.len() as u64;
        while let Some(first) = piece.first() {
            let take = if *first == 0 {
                let run = piece.iter().position(|b| *b != 0).unwrap_or(piece.len());
                self.nul(run as u64);
                run
            } else {
                let run = memchr::memchr(0, piece).unwrap_or(piece.len());
                self.plain(&piece[..run], long);
                run
            };
            piece = &piece[take..];
        }
    }

    fn nul(&mut self, len: u64) {
        if let Some(last) = self.nuls.last_mut().filter(|last| last.after == self.text_len) {
            last.len += len;
        } else if self.nuls.len() == RUNS {
            self.noise = true;
        } else {
            self.nuls.push(NulRun { after: self.text_len, len });
        }
    }

    fn plain(&mut self, piece: &[u8], long: usize) {
        self.text_len += piece.len() as u64;
        if self.long {
            return;
        }
        self.text.extend_from_slice(piece);
        if self.text.len() > long {
            self.text = Vec::new();
            self.long = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_in_the_text_lead_back_to_the_file() {
        let line = RawLine::of(b"\0\0c\0d\0\0", 3, 4, true);
        assert_eq!((line.len, &*line.text, line.after()), (7, &b"cd"[..], 12));
        assert_eq!((line.start(0), line.end(0), line.start(1), line.end(1), line.end(2)), (6, 4, 8, 7, 9));
    }

    #[test]
    fn a_line_of_nothing_but_nuls_costs_nothing() {
        let bytes = vec![0; 3 << 20];
        let place = Place { number: 1, offset: 0, len: 3 << 20, newline: false };
        let line = RawLine::read(&bytes[..], place, 1 << 20).unwrap();
        assert_eq!((line.len, line.text_len, line.long), (3 << 20, 0, false));
    }
}
