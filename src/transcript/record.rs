//! One line of a transcript: whether it is a record, and the few fields that hold a transcript together.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::model::Ms;
use crate::model::index::{DamageKind, Text};
use crate::model::transcript::{IdKind, Kind, Role};
use crate::store::identity::{identity, identity_of};
use crate::store::lexer::{Fault, Lexer};
use crate::units::time::iso_ms;

/// How many places of a bad line are tried as the beginning of a record that an append glued to a fragment.
const GLUE_TRIES: usize = 64;

/// An entry id as a number; two ids are the same entry if their numbers are.
///
/// A collision would be a wrong finding, never a lost byte: nothing is written because of it alone.
pub type IdHash = u64;

/// The number of an id, escapes resolved. Never 0.
pub fn hash(id: &[u8]) -> IdHash {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    hasher.finish().max(1)
}

/// The number of an id of any kind. To the gateway the number 7 and the text "7" are two ids, and no two lists are one.
fn key(raw: &[u8]) -> IdHash {
    match raw.first() {
        None | Some(b'{' | b'[' | b'n') => 0,
        Some(b'"') => hash(&identity_of(&raw[1..raw.len() - 1])),
        _ => hash(&[b"\0", raw].concat()),
    }
}

/// The parent of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Parent {
    /// No such field.
    #[default]
    Absent,
    /// `null`, empty, 0, `false`, a list or an object: a root.
    Root,
    /// An id.
    Id(IdHash),
}

/// What a record says about itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Record {
    /// `type` is `session`.
    pub session: bool,
    /// `type` is `compaction`.
    pub compaction: bool,
    /// `type`.
    pub kind: Kind,
    /// `id`, if a string; an empty one counts.
    pub id: Option<IdHash>,
    /// `id` of any type; 0 if there is none that could be found again.
    pub key: IdHash,
    /// What `id` is.
    pub named: IdKind,
    /// `parentId`.
    pub parent: Parent,
    /// `firstKeptEntryId`, if a string that is not empty.
    pub kept: Option<IdHash>,
    /// `firstKeptEntryIndex`, if a whole number: what the first version has instead.
    pub kept_index: Option<u32>,
    /// `timestamp`, if a time; epoch ms.
    pub at: Option<Ms>,
    /// `message` is an object.
    pub message: bool,
    /// `message.role`.
    pub role: Role,
    /// `version` is a number of at least 2: entries have ids.
    pub linked: bool,
    /// `version`, if a number.
    pub version: Option<u32>,
}

impl Record {
    /// Whether an object that was found behind a fragment is a record of its own: a torn record ends with objects too (a
    /// tool call has a `type` and an `id`), but none of them names a parent.
    pub fn proves_itself(&self) -> bool {
        let message = self.kind == Kind::Message && self.message;
        self.id.is_some() && (self.session || self.parent != Parent::Absent || message)
    }

    /// Takes over a top-level field; `raw` is its value as text.
    fn take(&mut self, name: &[u8], raw: &[u8]) {
        let string = (raw.first() == Some(&b'"')).then(|| identity_of(&raw[1..raw.len() - 1]));
        match name {
            b"type" => {
                self.kind = string.as_deref().map_or(Kind::Unknown, Kind::of);
                self.session = self.kind == Kind::Session;
                self.compaction = self.kind == Kind::Compaction;
            }
            b"id" => {
                self.id = string.as_deref().map(hash);
                self.key = key(raw);
                self.named = IdKind::of(raw);
            }
            b"parentId" => self.parent = if truthy(raw) { Parent::Id(key(raw).max(1)) } else { Parent::Root },
            b"firstKeptEntryId" => self.kept = string.as_deref().filter(|v| !v.is_empty()).map(hash),
            b"firstKeptEntryIndex" => {
                self.kept_index = number(raw).filter(|n| *n >= 0.0 && n.fract() == 0.0).map(|n| n as u32)
            }
            b"timestamp" => self.at = string.as_deref().and_then(iso_ms),
            b"version" => {
                let version = version(raw);
                self.linked = version.is_some_and(|v| v >= 2.0);
                self.version = version.map(|v| v.ceil() as u32);
            }
            _ => {}
        }
    }
}

/// Whether JavaScript would take the value for true.
fn truthy(raw: &[u8]) -> bool {
    match raw.first() {
        None | Some(b'n' | b'f') => false,
        Some(b'"') => raw.len() > 2,
        Some(b'-' | b'0'..=b'9') => number(raw) != Some(0.0),
        _ => true,
    }
}

impl IdKind {
    fn of(raw: &[u8]) -> Self {
        match raw.first() {
            None => Self::Missing,
            Some(b'n') => Self::Null,
            _ if truthy(raw) => Self::Usable,
            _ => Self::Empty,
        }
    }
}

/// The version that a header names, as JavaScript compares it: text counts as the number that it spells, and what is no
/// number is in no comparison below another one, so nothing is migrated. `None`: none is named, which means 1.
pub fn version(raw: &[u8]) -> Option<f64> {
    /// What the gateway reads without a change.
    const CURRENT: f64 = 3.0;
    let plain = raw.strip_prefix(b"\"").and_then(|raw| raw.strip_suffix(b"\"")).map(<[u8]>::trim_ascii);
    match (plain, raw.first()) {
        (Some(b""), _) | (None, Some(b'f')) => Some(0.0),
        (Some(text), _) => Some(number(text).unwrap_or(CURRENT)),
        (None, None | Some(b'n')) => None,
        (None, Some(b't')) => Some(1.0),
        (None, Some(b'{' | b'[')) => Some(CURRENT),
        (None, Some(_)) => number(raw),
    }
}

fn number(raw: &[u8]) -> Option<f64> {
    let digit = raw.first().is_some_and(|b| *b == b'-' || b.is_ascii_digit());
    std::str::from_utf8(raw).ok().filter(|_| digit).and_then(|t| t.parse().ok())
}

/// What a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Line {
    /// Nothing but white space.
    Blank,
    /// An object.
    Record(Record),
    /// `null`.
    Null,
    /// Any other JSON value.
    NonObject,
    /// Not JSON.
    Bad(Fault),
}

/// Reads one line, with or without its newline.
pub fn line(bytes: &[u8]) -> Line {
    if bytes.trim_ascii().is_empty() {
        return Line::Blank;
    }
    if u32::try_from(bytes.len()).is_err() {
        return Line::Bad(Fault { kind: DamageKind::TooLarge, at: 0 });
    }
    let mut lexer = Lexer::new(bytes, 0);
    lexer.space();
    let first = lexer.peek();
    let mut record = Record::default();
    let read =
        if first == Some(b'{') { lexer.members(|lexer, name| field(lexer, name, &mut record)) } else { lexer.value() };
    let ended = read.and_then(|()| {
        lexer.space();
        if lexer.peek().is_some() { Err(trailing(&lexer)) } else { Ok(()) }
    });
    match (ended, first) {
        (Err(fault), _) => Line::Bad(fault),
        (Ok(()), Some(b'{')) => Line::Record(record),
        (Ok(()), Some(b'n')) => Line::Null,
        (Ok(()), _) => Line::NonObject,
    }
}

fn trailing(lexer: &Lexer<'_>) -> Fault {
    let fault = lexer.fault();
    if fault.kind == DamageKind::Syntax { Fault { kind: DamageKind::TrailingData, ..fault } } else { fault }
}

fn field(lexer: &mut Lexer<'_>, name: Text, record: &mut Record) -> Result<(), Fault> {
    let buf = lexer.buf();
    let name = identity(name, buf);
    match &*name {
        b"type" | b"id" | b"parentId" | b"firstKeptEntryId" | b"firstKeptEntryIndex" | b"timestamp" | b"version" => {
            let start = lexer.pos();
            lexer.value()?;
            record.take(&name, lexer.span_from(start).of(buf));
            Ok(())
        }
        b"message" => {
            record.message = lexer.peek() == Some(b'{');
            record.role = Role::None;
            if !record.message {
                return lexer.value();
            }
            lexer.members(|lexer, name| {
                if &*identity(name, buf) != b"role" {
                    return lexer.value();
                }
                let role = lexer.string_or_skip()?;
                record.role = role.map_or(Role::None, |role| Role::of(&identity(role, buf)));
                Ok(())
            })
        }
        _ => lexer.value(),
    }
}

/// Whole records in a bad line, by where they begin: those that follow each other from its start, and the one that an
/// append glued to a fragment.
pub fn glued(bytes: &[u8]) -> Vec<usize> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(end) = record_at(bytes, at) {
        found.push(at);
        at = end;
    }
    if at >= bytes.len() {
        return found;
    }
    let rest = bytes.get(at + 1..).unwrap_or_default();
    let starts = memchr::memmem::find_iter(rest, b"{\"").map(|n| at + 1 + n).take(GLUE_TRIES);
    for start in starts {
        if matches!(line(&bytes[start..]), Line::Record(r) if r.proves_itself()) {
            found.push(start);
            break;
        }
    }
    found
}

/// Begin and end of every whole record in a bad line (see [`glued`]), white space around it left out.
pub fn whole_records(bytes: &[u8]) -> Vec<(usize, usize)> {
    let end = |start: usize| Some((start, record_at(bytes, start)?));
    glued(bytes)
        .into_iter()
        .filter_map(end)
        .map(|(start, end)| {
            let spaces = bytes[start..end].len() - bytes[start..end].trim_ascii_end().len();
            let lead = bytes[start..end].len() - bytes[start..end].trim_ascii_start().len();
            (start + lead, end - spaces)
        })
        .collect()
}

/// The end of the object that begins at `at`, white space before and after it included.
fn record_at(bytes: &[u8], at: usize) -> Option<usize> {
    if u32::try_from(bytes.len()).is_err() {
        return None;
    }
    let mut lexer = Lexer::new(bytes, at);
    lexer.space();
    if lexer.peek() != Some(b'{') {
        return None;
    }
    lexer.value().ok()?;
    lexer.space();
    Some(lexer.pos())
}

/// Whether JSON text holds half a surrogate pair as an escape. The text must have passed the lexer.
pub fn has_lone_surrogate(text: &[u8]) -> bool {
    let mut at = 0;
    let mut high_ends = None;
    while let Some(found) = memchr::memchr(b'\\', &text[at..]) {
        let escape = at + found;
        let unit = escaped_unit(text, escape);
        at = (escape + if unit.is_some() { 6 } else { 2 }).min(text.len());
        let paired = high_ends == Some(escape);
        let low = unit.is_some_and(|u| (0xDC00..=0xDFFF).contains(&u));
        // A high half must be followed at once by a low one, and a low one must follow a high one.
        if low != paired && (low || high_ends.is_some()) {
            return true;
        }
        high_ends = unit.filter(|u| (0xD800..=0xDBFF).contains(u)).map(|_| at);
    }
    high_ends.is_some()
}

fn escaped_unit(text: &[u8], backslash: usize) -> Option<u16> {
    let digits = text.get(backslash + 1..backslash + 6)?.strip_prefix(b"u")?;
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(text: &str) -> Record {
        match line(text.as_bytes()) {
            Line::Record(record) => record,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn fields_are_those_of_the_top_level() {
        let r = record(r#"{"type":"compaction","id":"a","parentId":"b","firstKeptEntryId":"c","x":{"id":"z"}}"#);
        assert!(r.compaction && !r.session);
        assert_eq!((r.id, r.parent, r.kept), (Some(hash(b"a")), Parent::Id(hash(b"b")), Some(hash(b"c"))));
        assert_eq!(record(r#"{"id":"\u0061"}"#).id, Some(hash(b"a")));
        assert_eq!(record(r#"{"id":7,"parentId":null}"#).parent, Parent::Root);
        assert_eq!(record("{}\r").parent, Parent::Absent);
        assert!(record(r#"{"type":"session","version":3}"#).linked);
        assert!(!record(r#"{"type":"session"}"#).linked && !record(r#"{"version":1}"#).linked);
    }

    #[test]
    fn lines_are_told_apart() {
        for (text, want) in [("", "Blank"), (" \t\r", "Blank"), ("null", "Null"), ("5", "NonO"), ("[]", "NonO")] {
            assert!(format!("{:?}", line(text.as_bytes())).starts_with(want), "{text}");
        }
        for bad in ["undefined", "{", "{}x", "{\"a\":\"\u{1}\"}", "\u{feff}{}", "\0{}"] {
            assert!(matches!(line(bad.as_bytes()), Line::Bad(_)), "{bad:?}");
        }
    }

    #[test]
    fn glued_records_are_found() {
        let whole = r#"{"type":"message","id":"a","parentId":null,"message":{"role":"user"}}"#;
        let cut = &whole[..30];
        assert_eq!(glued(format!("{whole}{whole}").as_bytes()), [0, whole.len()]);
        assert_eq!(glued(format!("{cut}{whole}").as_bytes()), [cut.len()]);
        assert_eq!(glued(format!("{whole}{cut}").as_bytes()), [0]);
        assert!(glued(cut.as_bytes()).is_empty());
        assert!(glued(br#"{"type":"mess"#).is_empty() && glued(b"undefined").is_empty());
    }

    #[test]
    fn half_pairs_are_found_and_whole_ones_and_escaped_backslashes_are_not() {
        for lone in [r"\ud83e", r"a\ud83e b", r"\ud83e\ud83e\udd80", r"\udd80", r"\ud83e\n\udd80", r"\uD83Eade9"] {
            assert!(has_lone_surrogate(lone.as_bytes()), "{lone}");
        }
        for fine in [r"\ud83e\udd80", r"\\ud83e", r"\u0041", "", r"\n\\\n", r"\ud83e\udd80\ud83e\udd80"] {
            assert!(!has_lone_surrogate(fine.as_bytes()), "{fine}");
        }
    }
}
