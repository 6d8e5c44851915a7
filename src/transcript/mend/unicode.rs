//! Halves of surrogate pairs and bytes that are not UTF-8, found in text that comes in pieces of any size.
//!
//! Both become U+FFFD: an escape as `\ufffd`, raw bytes as the three bytes of that character. A provider refuses every
//! request whose history holds one of them.

use crate::model::mend::Edit;
use crate::order::Order as _;

const ESCAPED: &[u8] = br"\ufffd";
const RAW: &[u8] = "\u{fffd}".as_bytes();

/// A raw sequence that has begun.
#[derive(Debug, Clone, Copy)]
struct Sequence {
    start: u64,
    /// Bytes that are still to come.
    need: u8,
    /// Range of the next one.
    range: (u8, u8),
    /// It began with `ED`, and what follows makes it half a pair.
    surrogate: bool,
}

/// Where in an escape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Escape {
    None,
    /// After the backslash, at this offset.
    Kind(u64),
    /// `digits` digits were read, with this value.
    Digits {
        start: u64,
        digits: u8,
        unit: u16,
    },
}

/// Looks at the text of one record.
#[derive(Debug)]
pub struct Fixer {
    at: u64,
    sequence: Option<Sequence>,
    escape: Escape,
    /// An escaped high half that ends right before the next byte: its offset, and where it ends.
    high: Option<(u64, u64)>,
    /// Offsets relative to the first byte fed.
    pub edits: Vec<Edit>,
}

impl Default for Fixer {
    fn default() -> Self {
        Self { at: 0, sequence: None, escape: Escape::None, high: None, edits: Vec::new() }
    }
}

impl Fixer {
    /// The changes of a text that is at hand as a whole.
    pub fn of(text: &[u8]) -> Vec<Edit> {
        let mut fixer = Self::default();
        fixer.feed(text);
        fixer.end()
    }

    /// Takes the next piece.
    pub fn feed(&mut self, piece: &[u8]) {
        let mut rest = piece;
        while !rest.is_empty() {
            if self.sequence.is_none() && self.escape == Escape::None {
                let plain = rest.iter().position(|b| *b == b'\\' || *b >= 0x80).unwrap_or(rest.len());
                if plain > 0 {
                    self.not_paired(self.at);
                    self.at += plain as u64;
                    rest = &rest[plain..];
                    continue;
                }
            }
            self.byte(rest[0]);
            self.at += 1;
            rest = &rest[1..];
        }
    }

    /// The text has ended.
    pub fn end(mut self) -> Vec<Edit> {
        self.broken(self.at);
        if let Some((start, end)) = self.high.take() {
            self.put(start, end, ESCAPED);
        }
        self.edits.order_by_key(|e| e.at);
        self.edits
    }

    fn put(&mut self, start: u64, end: u64, text: &[u8]) {
        self.edits.push(Edit { at: start, cut: end - start, put: text.into() });
    }

    /// A raw sequence ends before its time.
    fn broken(&mut self, at: u64) {
        if let Some(sequence) = self.sequence.take() {
            self.put(sequence.start, at, RAW);
        }
    }

    /// What comes at `at` is no low half: a high half before it stands alone.
    fn not_paired(&mut self, at: u64) {
        if let Some((start, end)) = self.high.take_if(|(_, end)| *end <= at) {
            self.put(start, end, ESCAPED);
        }
    }

    fn byte(&mut self, byte: u8) {
        if let Some(mut sequence) = self.sequence {
            if (sequence.range.0..=sequence.range.1).contains(&byte) {
                sequence.surrogate &= sequence.need != 2 || byte >= 0xA0;
                sequence.need -= 1;
                sequence.range = (0x80, 0xBF);
                self.sequence = Some(sequence).filter(|s| s.need > 0);
                if sequence.need == 0 && sequence.surrogate {
                    self.put(sequence.start, self.at + 1, RAW);
                }
                return;
            }
            self.broken(self.at);
        }
        match self.escape {
            Escape::None => self.outside(byte),
            Escape::Kind(start) if byte == b'u' => self.escape = Escape::Digits { start, digits: 0, unit: 0 },
            Escape::Kind(start) => {
                self.escape = Escape::None;
                self.not_paired(start);
            }
            Escape::Digits { start, digits, unit } => match char::from(byte).to_digit(16) {
                Some(digit) => {
                    let unit = unit << 4 | digit as u16;
                    self.escape = Escape::Digits { start, digits: digits + 1, unit };
                    if digits == 3 {
                        self.escape = Escape::None;
                        self.unit(start, unit);
                    }
                }
                None => {
                    self.escape = Escape::None;
                    self.outside(byte);
                }
            },
        }
    }

    fn outside(&mut self, byte: u8) {
        if byte == b'\\' {
            self.escape = Escape::Kind(self.at);
            return;
        }
        self.not_paired(self.at);
        let (need, range, surrogate) = match byte {
            0..0x80 => return,
            0xC2..=0xDF => (1, (0x80, 0xBF), false),
            0xE0 => (2, (0xA0, 0xBF), false),
            0xE1..=0xEC | 0xEE..=0xEF => (2, (0x80, 0xBF), false),
            0xED => (2, (0x80, 0xBF), true),
            0xF0 => (3, (0x90, 0xBF), false),
            0xF1..=0xF3 => (3, (0x80, 0xBF), false),
            0xF4 => (3, (0x80, 0x8F), false),
            _ => return self.put(self.at, self.at + 1, RAW),
        };
        self.sequence = Some(Sequence { start: self.at, need, range, surrogate });
    }

    fn unit(&mut self, start: u64, unit: u16) {
        let end = self.at + 1;
        match unit {
            0xDC00..=0xDFFF if self.high.is_some_and(|(_, ended)| ended == start) => self.high = None,
            0xDC00..=0xDFFF => {
                self.not_paired(start);
                self.put(start, end, ESCAPED);
            }
            0xD800..=0xDBFF => {
                self.not_paired(start);
                self.high = Some((start, end));
            }
            _ => self.not_paired(start),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::record::has_lone_surrogate;

    fn fixed(text: &[u8], step: usize) -> Vec<u8> {
        let mut fixer = Fixer::default();
        text.chunks(step).for_each(|piece| fixer.feed(piece));
        let mut out = text.to_vec();
        for edit in fixer.end().iter().rev() {
            let at = usize::try_from(edit.at).unwrap();
            out.splice(at..at + usize::try_from(edit.cut).unwrap(), edit.put.iter().copied());
        }
        out
    }

    #[test]
    fn halves_and_strange_bytes_become_the_replacement_character() {
        let cases: &[(&[u8], &[u8])] = &[
            (br"\ud83e", br"\ufffd"),
            (br"a\uD83Eade9", br"a\ufffdade9"),
            (br"\ud83e\ud83e\udd80", br"\ufffd\ud83e\udd80"),
            (br"\udd80", br"\ufffd"),
            (br"\ud83e\n\udd80", br"\ufffd\n\ufffd"),
            (br"\ud83e\u0041", br"\ufffd\u0041"),
            (b"\xed\xa0\xbdx", "\u{fffd}x".as_bytes()),
            (b"\xed\xa0\xbd\xed\xb8\x80", "\u{fffd}\u{fffd}".as_bytes()),
            (b"a\xffb\xe2\x82", "a\u{fffd}b\u{fffd}".as_bytes()),
            (b"\xe2\x82\xe2\x82\xac", "\u{fffd}\u{20ac}".as_bytes()),
        ];
        for (text, want) in cases {
            for step in 1..8 {
                assert_eq!(fixed(text, step), *want, "{text:?} in steps of {step}");
            }
        }
    }

    #[test]
    fn good_text_stays() {
        for fine in [r"\ud83e\udd80", r"\\ud83e", r"\u0041", "", r"\n\\\n", "\u{1f980}\u{e9}\u{ed00}\u{d7ff}"] {
            assert_eq!(fixed(fine.as_bytes(), 3), fine.as_bytes(), "{fine}");
        }
    }

    #[test]
    fn what_comes_out_has_neither() {
        proptest::proptest!(|(text in r#"(\\ud83e|\\udd80|\\\\|\\n|a|é|\\u0041){0,12}"#, step in 1usize..9)| {
            let out = fixed(text.as_bytes(), step);
            proptest::prop_assert!(!has_lone_surrogate(&out), "{}", text);
        });
        proptest::proptest!(|(bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..40), step in 1usize..9)| {
            let text: Vec<u8> = bytes.into_iter().filter(|b| *b != b'\\').collect();
            let out = fixed(&text, step);
            proptest::prop_assert!(std::str::from_utf8(&out).is_ok(), "{:?}", text);
        });
    }
}
