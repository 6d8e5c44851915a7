//! What a text stands for if it is JSON, a part of an address, a page, or the output of a terminal; and where each byte of
//! that was written.

use std::borrow::Cow;

/// Notations within notations that are looked through.
pub const LEVELS: usize = 3;

/// A way to write text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notation {
    /// Escapes of JSON strings, also as shells and scripts know them.
    Json,
    /// `%22` in addresses.
    Percent,
    /// `&quot;` in pages.
    Html,
    /// Sequences that a terminal obeys and does not show: `ESC [ 32 m`.
    Terminal,
}

/// Those that may stand within each other.
pub const ALL: [Notation; 3] = [Notation::Json, Notation::Percent, Notation::Html];

/// Text as decoded, and where it came from.
#[derive(Debug, Clone)]
pub struct Decoded<'t> {
    /// The decoded bytes.
    pub text: Cow<'t, [u8]>,
    /// Where the unit that gave each byte begins in the original, and where the original ends. `None`: nothing differs.
    at: Option<Vec<u32>>,
}

impl<'t> Decoded<'t> {
    /// Text as it stands; of at most 4 GiB.
    pub fn plain(text: &'t [u8]) -> Self {
        Self { text: Cow::Borrowed(text), at: None }
    }

    /// What it stands for in a notation. `None` if nothing in it is written so.
    pub fn read_as(&self, notation: Notation) -> Option<Decoded<'static>> {
        let mark = match notation {
            Notation::Json => b'\\',
            Notation::Percent => b'%',
            Notation::Html => b'&',
            Notation::Terminal => ESC,
        };
        memchr::memchr(mark, &self.text)?;
        let (mut text, mut at) = (Vec::with_capacity(self.text.len()), Vec::with_capacity(self.text.len() + 1));
        let (mut pos, mut changed) = (0, false);
        // Where what stands for nothing begins: it belongs to the byte behind it.
        let mut silent = None;
        loop {
            let rest = &self.text[pos..];
            let run = memchr::memchr(mark, rest).unwrap_or(rest.len());
            if run > 0 {
                text.extend_from_slice(&rest[..run]);
                at.push(silent.take().unwrap_or_else(|| self.origin(pos)));
                at.extend((pos + 1..pos + run).map(|pos| self.origin(pos)));
                pos += run;
            }
            let rest = &rest[run..];
            let Some(byte) = rest.first() else { break };
            let start = silent.take().unwrap_or_else(|| self.origin(pos));
            let before = text.len();
            let unit = unit(notation, rest);
            changed |= unit.is_some();
            let (code, used) = unit.unwrap_or((Code::Byte(*byte), 1));
            push(&mut text, code);
            silent = (text.len() == before).then_some(start);
            at.resize(text.len(), start);
            pos += used;
        }
        at.push(silent.unwrap_or_else(|| self.origin(self.text.len())));
        changed.then_some(Decoded { text: Cow::Owned(text), at: Some(at) })
    }

    fn origin(&self, pos: usize) -> u32 {
        self.at.as_ref().map_or_else(|| u32::try_from(pos).unwrap_or(u32::MAX), |at| at[pos])
    }

    /// Where a range of it was written.
    pub fn written(&self, (from, to): (usize, usize)) -> (usize, usize) {
        let Some(at) = &self.at else { return (from, to) };
        let mut end = to;
        // A range that ends inside of a unit takes all of it.
        while end < self.text.len() && end > from && at[end] == at[end - 1] {
            end += 1;
        }
        (at[from] as usize, at[end] as usize)
    }
}

/// What one unit stands for.
enum Code {
    Char(u32),
    Byte(u8),
    Nothing,
}

/// What a sequence for a terminal begins with.
const ESC: u8 = 0x1b;

fn push(text: &mut Vec<u8>, code: Code) {
    let code = match code {
        Code::Byte(byte) => return text.push(byte),
        Code::Nothing => return,
        Code::Char(code) => code,
    };
    match char::from_u32(code) {
        Some(c) => text.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        // Half of a pair, as the three bytes that it would be.
        None => text.extend([0xE0 | (code >> 12) as u8, 0x80 | (code >> 6 & 0x3F) as u8, 0x80 | (code & 0x3F) as u8]),
    }
}

/// What is written at the beginning of some text that begins with the mark of a notation, and how many bytes that takes.
fn unit(notation: Notation, text: &[u8]) -> Option<(Code, usize)> {
    match notation {
        Notation::Json => escape(text),
        Notation::Percent => Some((Code::Byte(u8::try_from(hex(text.get(1..3)?)?).ok()?), 3)),
        Notation::Html => reference(text),
        Notation::Terminal => sequence(text),
    }
}

/// A sequence for a terminal. One that moves the cursor ends a word; colours and `K` do not.
fn sequence(text: &[u8]) -> Option<(Code, usize)> {
    match text.get(1)? {
        b'[' => {
            let len = text[2..].iter().take(32).take_while(|b| matches!(b, 0x20..=0x3f)).count();
            let code = match text.get(2 + len)? {
                b'm' | b'K' => Code::Nothing,
                0x40..=0x7e => Code::Byte(b' '),
                _ => return None,
            };
            Some((code, 3 + len))
        }
        // A link or a title, with where it ends. What it says is looked at where it stands.
        b']' => {
            let rest = &text[2..text.len().min(2048)];
            let bell = memchr::memchr2(7, ESC, rest)?;
            let len = if rest[bell] == 7 { 1 } else { rest[bell..].starts_with(b"\x1b\\").then_some(2)? };
            Some((Code::Nothing, 2 + bell + len))
        }
        // The character set, which `tput sgr0` chooses too.
        b'(' | b')' if text.get(2)?.is_ascii_alphanumeric() => Some((Code::Nothing, 3)),
        _ => None,
    }
}

fn hex(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0u32, |sum, b| Some(sum << 4 | char::from(*b).to_digit(16)?))
}

fn escape(text: &[u8]) -> Option<(Code, usize)> {
    let plain = |byte: u8| Some((Code::Byte(byte), 2));
    match text.get(1)? {
        b'n' => plain(b'\n'),
        b't' => plain(b'\t'),
        b'r' => plain(b'\r'),
        b'b' => plain(8),
        b'f' => plain(12),
        // As shells write it in front of a sequence for a terminal.
        b'e' | b'E' if text.get(2) == Some(&b'[') => plain(ESC),
        b'0' if text.starts_with(b"\\033[") => Some((Code::Byte(ESC), 4)),
        b'x' => Some((Code::Char(hex(text.get(2..4)?)?), 4)),
        b'u' => {
            let first = hex(text.get(2..6)?)?;
            let second = text.get(6..12).filter(|t| t.starts_with(b"\\u")).and_then(|t| hex(&t[2..]));
            Some(match second.filter(|low| (0xDC00..0xE000).contains(low) && (0xD800..0xDC00).contains(&first)) {
                Some(low) => (Code::Char(0x10000 + ((first - 0xD800) << 10) + (low - 0xDC00)), 12),
                None => (Code::Char(first), 6),
            })
        }
        other @ (b'"' | b'\'' | b'\\' | b'/' | b'`') => plain(*other),
        _ => None,
    }
}

fn reference(text: &[u8]) -> Option<(Code, usize)> {
    const NAMED: [(&[u8], u8); 6] =
        [(b"&amp;", b'&'), (b"&lt;", b'<'), (b"&gt;", b'>'), (b"&quot;", b'"'), (b"&apos;", b'\''), (b"&nbsp;", b' ')];
    if let Some((name, byte)) = NAMED.iter().find(|(name, _)| text.starts_with(name)) {
        return Some((Code::Byte(*byte), name.len()));
    }
    let number = text.strip_prefix(b"&#")?;
    let (digits, skipped, base) = match number.strip_prefix(b"x").or_else(|| number.strip_prefix(b"X")) {
        Some(digits) => (digits, 3, 16),
        None => (number, 2, 10),
    };
    let len = digits.iter().take(8).take_while(|b| char::from(**b).is_digit(base)).count();
    let value = u32::from_str_radix(std::str::from_utf8(&digits[..len]).ok()?, base).ok()?;
    (digits.get(len) == Some(&b';') && char::from_u32(value).is_some())
        .then_some((Code::Char(value), skipped + len + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_notation_says_where_its_text_was_written() {
        for (notation, text, want) in [
            (Notation::Json, r#"a\"b\u00e9\ud83e\udd80\x41\q"#, "a\"bé🦀A\\q"),
            (Notation::Percent, "a%22%C3%a9%zz%4", "a\"é%zz%4"),
            (Notation::Json, r"\e[1m\033[m\x1b[K\u001b[0m\e\033", "\x1b[1m\x1b[m\x1b[K\x1b[0m\\e\\033"),
            (Notation::Html, "&lt;&#39;&#x1F980;&amp;lt;&nope;&#;", "<'🦀&lt;&nope;&#;"),
            (Notation::Terminal, "\x1b[01;31m\x1b[Ka\x1b[mb\x1b[2Jc\x1b(Bd\x1b", "ab cd\x1b"),
        ] {
            let plain = Decoded::plain(text.as_bytes());
            let read = plain.read_as(notation).unwrap();
            assert_eq!(String::from_utf8_lossy(&read.text), want);
            assert_eq!(read.written((0, read.text.len())), (0, text.len()));
            let crab = want.find('🦀').map(|at| read.written((at, at + 4)));
            if let Some((from, to)) = crab {
                assert!(matches!(&text[from..to], r"\ud83e\udd80" | "&#x1F980;"), "{}", &text[from..to]);
            }
            assert!(Decoded::plain(b"nothing").read_as(notation).is_none());
        }
    }

    #[test]
    fn levels_lead_back_to_the_first() {
        let text = br#"x%5C%22y"#;
        let once = Decoded::plain(text).read_as(Notation::Percent).unwrap();
        let twice = once.read_as(Notation::Json).unwrap();
        assert_eq!(&*twice.text, b"x\"y");
        assert_eq!(twice.written((1, 2)), (1, 7));
    }
}
