//! A line too long to keep: checked piece by piece as it is read, in constant memory.
//!
//! Transcripts hold images as text, one of 25 MB in one line. Such a line is read by a machine that takes bytes in pieces
//! of any size and remembers where it is: which brackets are open (one bit each). Beside that it writes a shortened form of
//! the record ([`super::slim`]). It accepts exactly what [`super::record::line`] accepts; a test compares the two.

use crate::model::index::DamageKind;
use crate::store::lexer::{Fault, MAX_DEPTH};

use super::record::{self, Line};
use super::slim::{Slim, Slimmer};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// White space before the root.
    Start,
    /// A value must come.
    Value,
    /// A value or `]`.
    FirstElement,
    /// A key or `}`.
    FirstKey,
    /// A key.
    Key,
    /// `:`.
    Colon,
    /// `,` or a closing bracket.
    After,
    /// Inside a string.
    Text,
    /// After a backslash.
    Escape,
    /// Hexadecimal digits that are still to come.
    Hex(u8),
    /// The rest of `true`, `false` or `null`.
    Word(&'static [u8]),
    /// A number.
    Number(Num),
    /// White space after the root.
    Done,
    /// Not JSON.
    Bad,
}

/// Where in a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Num {
    Minus,
    Zero,
    Int,
    Point,
    Fraction,
    Exp,
    ExpSign,
    ExpDigits,
}

impl Num {
    /// Whether a number may end here.
    fn complete(self) -> bool {
        matches!(self, Self::Zero | Self::Int | Self::Fraction | Self::ExpDigits)
    }

    fn next(self, byte: u8) -> Option<Self> {
        Some(match (self, byte) {
            (Self::Minus, b'0') => Self::Zero,
            (Self::Minus, b'1'..=b'9') | (Self::Int, b'0'..=b'9') => Self::Int,
            (Self::Zero | Self::Int, b'.') => Self::Point,
            (Self::Point | Self::Fraction, b'0'..=b'9') => Self::Fraction,
            (Self::Zero | Self::Int | Self::Fraction, b'e' | b'E') => Self::Exp,
            (Self::Exp, b'+' | b'-') => Self::ExpSign,
            (Self::Exp | Self::ExpSign | Self::ExpDigits, b'0'..=b'9') => Self::ExpDigits,
            _ => return None,
        })
    }
}

/// One long line being read.
#[derive(Debug)]
pub struct LongLine {
    state: State,
    /// True for an object, innermost last.
    open: Vec<bool>,
    /// The string being read is a key.
    key: bool,
    slim: Slimmer,
    /// The root is an object, `null`, or something else.
    root: u8,
    /// Bytes taken.
    len: u64,
    /// NUL bytes among them.
    nuls: u64,
    fault: Option<(DamageKind, u64)>,
    unicode: Unicode,
}

impl Default for LongLine {
    fn default() -> Self {
        Self {
            state: State::Start,
            open: Vec::new(),
            key: false,
            slim: Slimmer::default(),
            root: 0,
            len: 0,
            nuls: 0,
            fault: None,
            unicode: Unicode::default(),
        }
    }
}

/// What a long line was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ended {
    /// As for a short one.
    pub line: Line,
    /// Length in bytes, without the newline.
    pub len: u64,
    /// NUL bytes in it.
    pub nuls: u64,
    /// It holds bytes that are not UTF-8, or half a surrogate pair.
    pub bad_unicode: bool,
}

impl LongLine {
    /// Takes the next piece. No piece may hold the newline.
    pub fn feed(&mut self, piece: &[u8]) {
        self.nuls += memchr::memchr_iter(0, piece).count() as u64;
        self.unicode.feed(piece);
        let mut at = 0;
        while at < piece.len() && self.state != State::Bad {
            if self.state == State::Text {
                at = self.string(piece, at);
            } else {
                self.byte(piece[at], self.len + at as u64);
                at += 1;
            }
        }
        self.len += piece.len() as u64;
    }

    /// It is no JSON, whatever follows.
    pub fn is_bad(&self) -> bool {
        self.state == State::Bad
    }

    /// It is a whole value; nothing but white space may follow.
    pub fn is_whole(&self) -> bool {
        self.state == State::Done
    }

    /// The line has ended. The shortened form means something only for a record.
    pub fn end(mut self) -> (Ended, Slim) {
        if let State::Number(num) = self.state
            && num.complete()
            && self.open.is_empty()
        {
            self.state = State::Done;
        }
        let slim = self.slim.end();
        let line = match (self.state, self.root) {
            (State::Start, _) => Line::Blank,
            (State::Done, b'{') => record::line(&slim.text),
            (State::Done, b'n') => Line::Null,
            (State::Done, _) => Line::NonObject,
            _ => {
                let (kind, at) = self.fault.unwrap_or((DamageKind::Truncated, self.len));
                Line::Bad(Fault { kind, at: usize::try_from(at).unwrap_or(usize::MAX) })
            }
        };
        (Ended { line, len: self.len, nuls: self.nuls, bad_unicode: self.unicode.bad() }, slim)
    }

    /// Skips string content to the next byte that matters; gives the position after what it took.
    fn string(&mut self, piece: &[u8], at: usize) -> usize {
        let special = |b: &u8| *b < 0x20 || *b == b'"' || *b == b'\\';
        let end = piece[at..].iter().position(special).map_or(piece.len(), |n| at + n);
        self.slim.plain(&piece[at..end]);
        let Some(byte) = piece.get(end) else { return end };
        match byte {
            b'"' => self.string_ends(),
            b'\\' => {
                self.slim.escape_begins();
                self.state = State::Escape;
            }
            _ => self.bad(*byte, self.len + end as u64),
        }
        end + 1
    }

    fn string_ends(&mut self) {
        self.slim.string_ends();
        if self.key {
            self.state = State::Colon;
        } else {
            self.value_ends();
        }
    }

    fn value_ends(&mut self) {
        self.state = if self.open.is_empty() { State::Done } else { State::After };
    }

    fn bad(&mut self, byte: u8, at: u64) {
        let kind = match (self.state, byte) {
            (_, 0) => DamageKind::NulBytes,
            (State::Done, _) => DamageKind::TrailingData,
            _ => DamageKind::Syntax,
        };
        self.fault = Some((kind, at));
        self.state = State::Bad;
    }

    fn byte(&mut self, byte: u8, at: u64) {
        if let State::Number(num) = self.state {
            match num.next(byte) {
                Some(next) => {
                    self.slim.token(&[byte]);
                    self.state = State::Number(next);
                    return;
                }
                None if num.complete() => self.value_ends(),
                None => return self.bad(byte, at),
            }
        }
        let space = matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
        match self.state {
            State::Start | State::Value | State::FirstElement | State::FirstKey | State::Key if space => {}
            State::Colon | State::After | State::Done if space => {}
            State::Start | State::Value => self.value(byte, at),
            State::FirstElement if byte == b']' => self.close(false, byte, at),
            State::FirstElement => self.value(byte, at),
            State::FirstKey if byte == b'}' => self.close(true, byte, at),
            State::FirstKey | State::Key if byte == b'"' => {
                self.key = true;
                self.slim.begins(self.open.len());
                self.slim.string_begins();
                self.state = State::Text;
            }
            State::Colon if byte == b':' => {
                self.slim.token(b":");
                self.state = State::Value;
            }
            State::After if byte == b',' => {
                self.slim.comma();
                self.state = if self.open.last() == Some(&true) { State::Key } else { State::Value };
            }
            State::After if byte == b'}' => self.close(true, byte, at),
            State::After if byte == b']' => self.close(false, byte, at),
            State::Escape => self.escape(byte, at),
            State::Hex(left) if byte.is_ascii_hexdigit() => {
                self.slim.escape(byte);
                self.state = if left == 1 { State::Text } else { State::Hex(left - 1) };
            }
            State::Word(rest) if rest.first() == Some(&byte) => {
                self.slim.token(&[byte]);
                match &rest[1..] {
                    [] => self.value_ends(),
                    more => self.state = State::Word(more),
                }
            }
            _ => self.bad(byte, at),
        }
    }

    fn escape(&mut self, byte: u8, at: u64) {
        match byte {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => self.state = State::Text,
            b'u' => self.state = State::Hex(4),
            _ => return self.bad(byte, at),
        }
        self.slim.escape(byte);
    }

    fn value(&mut self, byte: u8, at: u64) {
        if self.state == State::Start {
            self.root = byte;
        }
        self.key = false;
        if self.open.last() != Some(&true) {
            self.slim.begins(self.open.len());
        }
        self.state = match byte {
            b'{' | b'[' if self.open.len() == MAX_DEPTH => {
                self.fault = Some((DamageKind::TooDeep, at));
                State::Bad
            }
            b'{' | b'[' => {
                self.open.push(byte == b'{');
                if byte == b'{' { State::FirstKey } else { State::FirstElement }
            }
            b'"' => State::Text,
            b't' => State::Word(b"rue"),
            b'f' => State::Word(b"alse"),
            b'n' => State::Word(b"ull"),
            b'-' => State::Number(Num::Minus),
            b'0' => State::Number(Num::Zero),
            b'1'..=b'9' => State::Number(Num::Int),
            _ => return self.bad(byte, at),
        };
        if byte == b'"' {
            self.slim.string_begins();
        } else {
            self.slim.token(&[byte]);
        }
    }

    fn close(&mut self, object: bool, byte: u8, at: u64) {
        if self.open.last() != Some(&object) {
            return self.bad(byte, at);
        }
        self.slim.closes(self.open.len(), byte);
        self.open.pop();
        self.value_ends();
    }
}

/// Looks for bytes that are not UTF-8 and for half surrogate pairs, across pieces.
#[derive(Debug, Default)]
struct Unicode {
    bad: bool,
    /// An incomplete sequence at the end of the last piece.
    rest: Vec<u8>,
    escape: Escape,
    /// The last escape was a high half, and nothing came since.
    high: bool,
}

/// Where in an escape.
#[derive(Debug, Default, Clone, Copy)]
enum Escape {
    #[default]
    None,
    Backslash,
    Hex {
        left: u8,
        unit: u16,
    },
}

impl Unicode {
    fn feed(&mut self, piece: &[u8]) {
        if !self.bad {
            self.utf8(piece);
            self.surrogates(piece);
        }
    }

    fn bad(&self) -> bool {
        self.bad || self.high || !self.rest.is_empty()
    }

    fn utf8(&mut self, piece: &[u8]) {
        let mut piece = piece;
        while !self.rest.is_empty() {
            let Some((first, after)) = piece.split_first() else { return };
            self.rest.push(*first);
            piece = after;
            match std::str::from_utf8(&self.rest) {
                Ok(_) => self.rest.clear(),
                Err(e) if e.error_len().is_none() => {}
                Err(_) => {
                    self.bad = true;
                    return;
                }
            }
        }
        if let Err(e) = std::str::from_utf8(piece) {
            match e.error_len() {
                None => self.rest.extend_from_slice(&piece[e.valid_up_to()..]),
                Some(_) => self.bad = true,
            }
        }
    }

    fn surrogates(&mut self, piece: &[u8]) {
        let mut at = 0;
        while at < piece.len() {
            if matches!(self.escape, Escape::None) {
                let Some(found) = memchr::memchr(b'\\', &piece[at..]) else {
                    self.bad |= self.high;
                    return;
                };
                self.bad |= self.high && found > 0;
                self.escape = Escape::Backslash;
                at += found + 1;
                continue;
            }
            self.escaped(piece[at]);
            at += 1;
        }
    }

    fn escaped(&mut self, byte: u8) {
        self.escape = match (self.escape, byte) {
            (Escape::Backslash, b'u') => Escape::Hex { left: 4, unit: 0 },
            (Escape::Hex { left, unit }, _) => {
                let digit = char::from(byte).to_digit(16).and_then(|d| u16::try_from(d).ok()).unwrap_or(0);
                let unit = unit << 4 | digit;
                if left > 1 {
                    Escape::Hex { left: left - 1, unit }
                } else {
                    let low = (0xDC00..=0xDFFF).contains(&unit);
                    self.bad |= low != self.high;
                    self.high = (0xD800..=0xDBFF).contains(&unit);
                    Escape::None
                }
            }
            _ => {
                self.bad |= self.high;
                Escape::None
            }
        };
    }
}

#[cfg(test)]
#[path = "long_line_tests.rs"]
mod tests;
