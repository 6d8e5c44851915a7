//! Raw control characters inside strings: what a writer should have escaped.
//!
//! A record whose text holds a raw newline lies on several physical lines, none of which is JSON. Escaped, it is the
//! record that was meant; that this is so is proven by the rest: it must then be a record and nothing else.

use crate::model::mend::Edit;
use crate::transcript::long_line::LongLine;
use crate::transcript::record::{self, Line, Record};

use super::unicode::Fixer;

/// Most characters that are escaped in a text that comes in pieces. More of them is no text.
const MOST: usize = 1 << 18;

/// The changes that make a record of `text`, relative to it; `None` if that does not make one.
pub fn escaped(text: &[u8]) -> Option<Vec<Edit>> {
    let edits = escapes(text);
    if edits.is_empty() {
        return None;
    }
    let fixed = apply(text, &edits);
    match record::line(&fixed) {
        Line::Record(found) if found.proves_itself() => Some(edits),
        _ => None,
    }
}

/// A text that comes in pieces, its control characters escaped as it comes and what that gives judged at once: in constant
/// memory, but for the changes.
#[derive(Debug, Default)]
pub struct Escaping {
    at: u64,
    inside: bool,
    skip: bool,
    edits: Vec<Edit>,
    long: LongLine,
    unicode: Fixer,
}

/// A record that the changes of its control characters make.
#[derive(Debug)]
pub struct Escaped {
    /// The record.
    pub found: Record,
    /// Its text, shortened ([`crate::transcript::slim`]).
    pub text: Vec<u8>,
    /// The changes, relative to its beginning.
    pub edits: Vec<Edit>,
    /// Changes of what is no Unicode text, likewise.
    pub unicode: Vec<Edit>,
}

impl Escaping {
    /// Takes the next piece.
    pub fn feed(&mut self, piece: &[u8]) {
        self.unicode.feed(piece);
        let mut fed = 0;
        for (ix, byte) in piece.iter().enumerate() {
            if std::mem::take(&mut self.skip) {
                continue;
            }
            match byte {
                b'"' => self.inside = !self.inside,
                b'\\' => self.skip = self.inside,
                0..0x20 if self.inside => {
                    let put = escape(*byte);
                    self.long.feed(&piece[fed..ix]);
                    self.long.feed(&put);
                    fed = ix + 1;
                    if self.edits.len() <= MOST {
                        self.edits.push(Edit { at: self.at + ix as u64, cut: 1, put: put.into() });
                    }
                }
                _ => {}
            }
        }
        self.long.feed(&piece[fed..]);
        self.at += piece.len() as u64;
    }

    /// It makes no record, whatever follows.
    pub fn is_bad(&self) -> bool {
        self.long.is_bad() || self.edits.len() > MOST
    }

    /// It is a whole value.
    pub fn is_whole(&self) -> bool {
        self.long.is_whole()
    }

    /// The text has ended. `None` if that does not make a record, or if it needs no change.
    pub fn end(self) -> Option<Escaped> {
        if self.edits.is_empty() || self.edits.len() > MOST {
            return None;
        }
        let (ended, slim) = self.long.end();
        match ended.line {
            Line::Record(found) if found.proves_itself() => {
                Some(Escaped { found, text: slim.text, edits: self.edits, unicode: self.unicode.end() })
            }
            _ => None,
        }
    }
}

/// One change for each control character inside a string.
fn escapes(text: &[u8]) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut inside = false;
    let mut skip = false;
    for (at, byte) in (0..).zip(text) {
        if std::mem::take(&mut skip) {
            continue;
        }
        match byte {
            b'"' => inside = !inside,
            b'\\' => skip = inside,
            0..0x20 if inside => edits.push(Edit { at, cut: 1, put: escape(*byte).into() }),
            _ => {}
        }
    }
    edits
}

fn escape(byte: u8) -> Vec<u8> {
    match byte {
        b'\n' => br"\n".to_vec(),
        b'\r' => br"\r".to_vec(),
        b'\t' => br"\t".to_vec(),
        other => format!("\\u{other:04x}").into_bytes(),
    }
}

/// The text with the changes made.
pub fn apply(text: &[u8], edits: &[Edit]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() + edits.len() * 5);
    let mut at = 0;
    for edit in edits {
        let start = usize::try_from(edit.at).map_or(text.len(), |n| n.clamp(at, text.len()));
        out.extend_from_slice(&text[at..start]);
        out.extend_from_slice(&edit.put);
        at = usize::try_from(edit.cut).map_or(text.len(), |n| start.saturating_add(n).min(text.len()));
    }
    out.extend_from_slice(&text[at..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_over_several_lines_becomes_one() {
        let text = b"{\"type\":\"message\",\"id\":\"a\",\"parentId\":null,\"message\":{\"role\":\"user\",\"content\":\"a \\\" b\r\n\tc\x01\"}}";
        let fixed = apply(text, &escaped(text).unwrap());
        assert!(matches!(record::line(&fixed), Line::Record(_)));
        assert!(fixed.ends_with(br#""a \" b\r\n\tc\u0001"}}"#), "{}", String::from_utf8_lossy(&fixed));
    }

    #[test]
    fn in_pieces_or_as_a_whole() {
        let record = "{\"type\":\"message\",\"id\":\"a\",\"parentId\":null,\"x\":\"a \\\" b\r\n\tc\\\\\x01\"}";
        for text in [record, &record[..20], &record.replace("\\\"", "\""), "{\"a\":\"\n\"}", "x\ny"] {
            for step in 1..9 {
                let mut escaping = Escaping::default();
                text.as_bytes().chunks(step).for_each(|piece| escaping.feed(piece));
                assert_eq!(escaping.end().map(|e| e.edits), escaped(text.as_bytes()), "{text:?} in steps of {step}");
            }
        }
    }

    #[test]
    fn what_does_not_become_a_record_is_left() {
        for text in ["{\"type\":\"message\",\"id\":\"a", "{\"a\":\"\n\"}", "{}", "\"\n\"", "{\"type\":\"x\"\n}"] {
            assert_eq!(escaped(text.as_bytes()), None, "{text:?}");
        }
    }
}
