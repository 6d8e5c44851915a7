//! Where the part of a run log begins that stays.
//!
//! A log keeps its last lines: at most so many that are not blank, and at most so many bytes, always whole lines. The
//! file is read backwards in chunks, so the cost is that of the part that stays, whatever the file grew to. What stays
//! is the same bytes as before, including a last line that is still being written.
//!
//! A last line that alone is larger than the byte limit stays, alone: a log without its newest entry is useless, and
//! a second trim changes nothing.

use std::io::{self, Read, Seek, SeekFrom};

use crate::model::sourced::Limit;

/// How much is read at once.
const CHUNK: u64 = 64 * 1024;

/// The part of a log that stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Keep {
    /// Offset of its first byte; 0 if everything stays.
    pub from: u64,
    /// Lines in it that are not blank.
    pub lines: u64,
}

/// Finds the part of `log` (`size` bytes long) that stays. A log of blank lines only stays as it is.
///
/// # Errors
/// I/O errors of the reader; a log that became shorter meanwhile is one.
pub fn keep_from(
    log: &mut (impl Read + Seek),
    size: u64,
    keep_lines: Limit<u64>,
    max_bytes: Limit<u64>,
) -> io::Result<Keep> {
    let bounds =
        Bounds { size, lines: keep_lines.at().unwrap_or(u64::MAX).max(1), bytes: max_bytes.at().unwrap_or(u64::MAX) };
    let mut tail = Tail { from: size, lines: 0, line_end: size, blank: true };
    let mut buffer = Vec::new();
    let mut chunk_end = size;
    while chunk_end > 0 {
        let start = chunk_end.saturating_sub(CHUNK);
        read_at(log, start, chunk_end, &mut buffer)?;
        for (within, byte) in buffer.iter().enumerate().rev() {
            let at = start + within as u64;
            // A newline ends the line before it; the line after it begins at the next byte.
            if *byte == b'\n' && !tail.line_begins_at(at + 1, &bounds) {
                return Ok(tail.keep());
            }
            if *byte == b'\n' {
                tail.line_end = at + 1;
            } else if !byte.is_ascii_whitespace() {
                tail.blank = false;
            }
        }
        chunk_end = start;
    }
    tail.line_begins_at(0, &bounds);
    Ok(if tail.lines == 0 { Keep { from: 0, lines: 0 } } else { tail.keep() })
}

/// Counts lines that are not blank. Reads to the end with little memory.
///
/// # Errors
/// I/O errors of the reader.
pub fn count_lines(log: &mut impl Read) -> io::Result<u64> {
    let mut buffer = vec![0; 64 * 1024];
    let (mut lines, mut blank) = (0, true);
    loop {
        let n = log.read(&mut buffer)?;
        if n == 0 {
            return Ok(lines + u64::from(!blank));
        }
        let mut rest = &buffer[..n];
        while let Some(end) = memchr::memchr(b'\n', rest) {
            lines += u64::from(!(blank && rest[..end].iter().all(u8::is_ascii_whitespace)));
            blank = true;
            rest = &rest[end + 1..];
        }
        blank &= rest.iter().all(u8::is_ascii_whitespace);
    }
}

struct Bounds {
    size: u64,
    lines: u64,
    bytes: u64,
}

/// What was accepted so far, from the end.
struct Tail {
    from: u64,
    lines: u64,
    line_end: u64,
    blank: bool,
}

impl Tail {
    /// The line that begins at `at` has been seen whole. `false` if it no longer fits: then nothing before it does.
    fn line_begins_at(&mut self, at: u64, bounds: &Bounds) -> bool {
        if at == self.line_end {
            return true;
        }
        let blank = std::mem::replace(&mut self.blank, true);
        if blank {
            // Stays only if a line before it does.
            return true;
        }
        let fits = self.lines < bounds.lines && bounds.size - at <= bounds.bytes;
        if self.lines > 0 && !fits {
            return false;
        }
        self.from = at;
        self.lines += 1;
        true
    }

    fn keep(&self) -> Keep {
        Keep { from: self.from, lines: self.lines }
    }
}

fn read_at(log: &mut (impl Read + Seek), start: u64, end: u64, buffer: &mut Vec<u8>) -> io::Result<()> {
    log.seek(SeekFrom::Start(start))?;
    buffer.clear();
    buffer.resize(usize::try_from(end - start).unwrap_or(0), 0);
    log.read_exact(buffer)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use proptest::prelude::*;

    use super::*;

    fn keep(text: &[u8], lines: u64, bytes: u64) -> Keep {
        let limit = |n| if n == 0 { Limit::Off } else { Limit::At(n) };
        keep_from(&mut Cursor::new(text), text.len() as u64, limit(lines), limit(bytes)).unwrap()
    }

    #[test]
    fn the_last_lines_stay() {
        for (text, lines, bytes, from, kept) in [
            (&b"a\nb\nc\n"[..], 2, 0, 2, 2),
            (b"a\nb\nc", 2, 0, 2, 2),
            (b"a\n\n \nb\n\nc\n", 2, 0, 5, 2),
            (b"a\nb\nc\n", 9, 0, 0, 3),
            (b"a\nb\nc\n", 0, 4, 2, 2),
            (b"a\nb\nc\n", 0, 5, 2, 2),
            (b"a\nb\nc\n", 0, 6, 0, 3),
            (b"a\nb\nc\n", 1, 6, 4, 1),
            (b"a\nb\nlong line\n", 0, 3, 4, 1),
            (b"long line\n\n", 0, 3, 0, 1),
            (b"a\r\nb\r\n", 1, 0, 3, 1),
            (b"\n\n\n", 1, 1, 0, 0),
            (b"", 1, 1, 0, 0),
            (b"a\nb\n", 0, 0, 0, 2),
        ] {
            assert_eq!(keep(text, lines, bytes), Keep { from, lines: kept }, "{text:?} {lines} {bytes}");
        }
    }

    #[test]
    fn lines_across_chunks_are_whole() {
        let line = format!("{}\n", "x".repeat(50_000));
        let text = line.repeat(10);
        let kept = keep(text.as_bytes(), 3, 0);
        assert_eq!(kept, Keep { from: 7 * line.len() as u64, lines: 3 });
        assert_eq!(count_lines(&mut text.as_bytes()).unwrap(), 10);
    }

    #[test]
    fn a_log_that_shrank_is_an_error() {
        assert!(keep_from(&mut Cursor::new(b"a\n"), 50, Limit::At(1), Limit::Off).is_err());
    }

    proptest! {
        #[test]
        fn what_stays_is_a_tail_of_whole_lines_within_the_limits_and_trimming_again_changes_nothing(
            text in "(([a-c]{0,9}| {0,3})\n){0,30}[a-c]{0,4}", lines in 1u64..12, bytes in 1u64..60
        ) {
            let text = text.as_bytes();
            let first = keep(text, lines, bytes);
            let stays = &text[usize::try_from(first.from).unwrap()..];
            let count = count_lines(&mut &*stays).unwrap();
            prop_assert_eq!(count, first.lines);
            prop_assert!(first.from == 0 || text[usize::try_from(first.from).unwrap() - 1] == b'\n');
            prop_assert!(first.lines <= lines);
            prop_assert!(first.lines <= 1 || stays.len() as u64 <= bytes);
            prop_assert_eq!(keep(stays, lines, bytes).from, 0);
            // No further line would have fitted.
            let gone = &text[..usize::try_from(first.from).unwrap()];
            let mut whole = gone.split_inclusive(|b| *b == b'\n').rev().scan(0, |sum, line| {
                *sum += line.len();
                Some((line, *sum))
            });
            if let Some((_, more)) = whole.find(|(line, _)| !line.iter().all(u8::is_ascii_whitespace)) {
                prop_assert!(first.lines == lines || (stays.len() + more) as u64 > bytes);
            }
        }
    }
}
