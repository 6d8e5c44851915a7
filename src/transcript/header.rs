//! What the beginning of a transcript says: its header, and whether a person ever wrote.
//!
//! Both work on a bounded part of the file, line by line, and never fail on content. A line that cannot be read is doubt:
//! it may have been a person's words, so a transcript with one is never called empty of them.

use crate::model::index::{DamageKind, Text};
use crate::model::probe::{HeaderState, UserTurns};
use crate::store::identity::identity;
use crate::store::lexer::{Fault, Lexer};
use crate::store::parse::BOM;
use crate::units::time::parse_iso;

/// Reads the header from the start of a file. `whole` says that `bytes` is the entire file.
///
/// The first line that is not blank decides (spec/transcripts.md 1.2): an object with type `session` and a string id.
/// A header so long that it is cut off by the bounded read counts if both were seen.
pub fn header(bytes: &[u8], whole: bool) -> HeaderState {
    if bytes.is_empty() && whole {
        return HeaderState::Empty;
    }
    let bytes = bytes.strip_prefix(BOM).unwrap_or(bytes);
    let Some((line, ends)) = lines(bytes).find(|(line, _)| !line.trim_ascii().is_empty()) else {
        return HeaderState::NotAHeader;
    };
    let mut fields = HeaderFields::default();
    let mut lexer = Lexer::new(line, 0);
    let complete = match object(&mut lexer, |lexer, name| fields.member(lexer, name)) {
        Ok(()) => true,
        Err(fault) => fault.kind == DamageKind::Truncated && !ends && !whole,
    };
    fields.state(line).filter(|_| complete).unwrap_or(HeaderState::NotAHeader)
}

#[derive(Default)]
struct HeaderFields {
    is_session: bool,
    id: Option<Text>,
    parent: Option<Text>,
    timestamp: Option<Text>,
}

impl HeaderFields {
    fn member(&mut self, lexer: &mut Lexer<'_>, name: Text) -> Result<(), Fault> {
        let buf = lexer.buf();
        match &*identity(name, buf) {
            b"type" => {
                self.is_session = lexer.string_or_skip()?.is_some_and(|text| &*identity(text, buf) == b"session")
            }
            b"id" => self.id = lexer.string_or_skip()?,
            b"parentSession" => self.parent = lexer.string_or_skip()?,
            b"timestamp" => self.timestamp = lexer.string_or_skip()?,
            _ => lexer.value()?,
        }
        Ok(())
    }

    fn state(&self, line: &[u8]) -> Option<HeaderState> {
        let id = self.id.filter(|_| self.is_session)?.get(line).into_owned();
        let parent = self.parent.map(|text| text.get(line).into_owned());
        let at = self.timestamp.and_then(|text| parse_iso(&text.get(line)));
        Some(HeaderState::Valid { id, parent, at })
    }
}

/// Looks for a message of a user. `whole` says that `bytes` is the entire file.
pub fn user_turns(bytes: &[u8], whole: bool) -> UserTurns {
    let bytes = bytes.strip_prefix(BOM).unwrap_or(bytes);
    let mut doubt = !whole;
    for (line, ends) in lines(bytes) {
        if line.trim_ascii().is_empty() {
            continue;
        }
        match is_user_message(line) {
            Ok(true) => return UserTurns::Seen,
            Ok(false) => {}
            // The last line of a bounded read is cut by us, not damaged.
            Err(_) if !ends && !whole => {}
            Err(_) if memchr::memmem::find(line, b"\"user\"").is_some() => return UserTurns::Seen,
            // A fragment of a record may be one of a user's; what has nothing of JSON never was a record, unless its
            // bytes were lost (NUL runs after a power cut).
            Err(_) => doubt |= line.iter().any(|c| matches!(c, b'{' | b'}' | b'"' | 0)),
        }
    }
    if doubt { UserTurns::Unknown } else { UserTurns::None }
}

/// Whether a record is a user's: `message.role`, or `role` itself as older writers have it, is `user`.
fn is_user_message(line: &[u8]) -> Result<bool, Fault> {
    let mut user = false;
    let mut lexer = Lexer::new(line, 0);
    object(&mut lexer, |lexer, name| {
        let buf = lexer.buf();
        match &*identity(name, buf) {
            b"message" if lexer.peek() == Some(b'{') => lexer.members(|lexer, name| {
                if &*identity(name, buf) == b"role" {
                    user |= is_user(lexer)?;
                    Ok(())
                } else {
                    lexer.value()
                }
            }),
            b"role" => {
                user |= is_user(lexer)?;
                Ok(())
            }
            _ => lexer.value(),
        }
    })?;
    Ok(user)
}

fn is_user(lexer: &mut Lexer<'_>) -> Result<bool, Fault> {
    let buf = lexer.buf();
    Ok(lexer.string_or_skip()?.is_some_and(|role| &*identity(role, buf) == b"user"))
}

/// Walks a line that must be one object and nothing else; any other JSON value has no members.
fn object(lexer: &mut Lexer<'_>, each: impl FnMut(&mut Lexer<'_>, Text) -> Result<(), Fault>) -> Result<(), Fault> {
    lexer.space();
    if lexer.peek() == Some(b'{') {
        lexer.members(each)?;
    } else {
        lexer.value()?;
    }
    lexer.space();
    if lexer.peek().is_some() { Err(lexer.fault()) } else { Ok(()) }
}

/// Lines without their newline, and whether they had one.
fn lines(bytes: &[u8]) -> impl Iterator<Item = (&[u8], bool)> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (line, after, ends) = match memchr::memchr(b'\n', rest) {
            Some(at) => (&rest[..at], &rest[at + 1..], true),
            None => (rest, &rest[rest.len()..], false),
        };
        rest = after;
        Some((line, ends))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = r#"{"type":"session","version":3,"id":"a","timestamp":"2026-05-01T08:00:00.000Z","cwd":"/"}"#;

    fn id_of(text: &str, whole: bool) -> Option<String> {
        match header(text.as_bytes(), whole) {
            HeaderState::Valid { id, .. } => Some(id),
            _ => None,
        }
    }

    #[test]
    fn headers() {
        let state = header(format!("{HEADER}\n").as_bytes(), true);
        assert_eq!(state, HeaderState::Valid { id: "a".into(), parent: None, at: Some(1_777_622_400_000) });
        assert_eq!(id_of(&format!("\u{feff}\n \r\n{HEADER}"), true).as_deref(), Some("a"));
        assert_eq!(id_of(r#"{"id":"","type":"sess\u0069on"}"#, true).as_deref(), Some(""));
        assert_eq!(id_of(r#"{"cwd":"\ud83e","type":"session","id":"\ud83e!"}"#, true).as_deref(), Some("\u{fffd}!"));
        let HeaderState::Valid { parent, .. } =
            header(br#"{"type":"session","id":"b","parentSession":"/x/a.jsonl"}"#, true)
        else {
            panic!("no header")
        };
        assert_eq!(parent.as_deref(), Some("/x/a.jsonl"));
        assert_eq!(header(b"", true), HeaderState::Empty);
        for bad in [
            "\n\n",
            "{}",
            "null",
            "[]",
            "5",
            "\0\0\0",
            r#"{"type":"session","id":7}"#,
            r#"{"type":"message","id":"a"}"#,
            r#"{"type":"session","id":"a""#,
            r#"{"type":"session","id":"a"}x"#,
            r#"x{"type":"session","id":"a"}"#,
            "{\"type\":\"message\"}\n{\"type\":\"session\",\"id\":\"a\"}",
        ] {
            assert_eq!(header(bad.as_bytes(), true), HeaderState::NotAHeader, "{bad}");
        }
    }

    #[test]
    fn a_header_cut_by_the_bounded_read_counts_and_a_torn_one_does_not() {
        let cut = r#"{"type":"session","id":"a","cwd":"/very/lo"#;
        assert_eq!(id_of(cut, false).as_deref(), Some("a"));
        assert_eq!(id_of(cut, true), None);
        assert_eq!(id_of(&format!("{cut}\n{HEADER}"), false), None);
        assert_eq!(id_of(r#"{"type":"session","cwd":"/very/lo"#, false), None);
    }

    #[test]
    fn user_turns_are_seen_missing_or_unknown() {
        let user = r#"{"type":"message","id":"1","parentId":null,"message":{"content":"hi","role":"user"}}"#;
        let assistant =
            r#"{"type":"message","id":"2","message":{"role":"assistant","content":[{"text":"\"role\":\"user\""}]}}"#;
        let turns = |text: String, whole| user_turns(text.as_bytes(), whole);
        assert_eq!(turns(format!("{HEADER}\n{user}\n"), true), UserTurns::Seen);
        assert_eq!(turns(format!("\u{feff}{user}"), false), UserTurns::Seen);
        assert_eq!(turns(r#"{"role":"user","content":"old"}"#.into(), true), UserTurns::Seen);
        assert_eq!(turns(format!("{HEADER}\n{assistant}\n\n"), true), UserTurns::None);
        assert_eq!(turns(format!("{HEADER}\n{assistant}\n"), false), UserTurns::Unknown);
        assert_eq!(turns(format!("{HEADER}\n{}", &user[..40]), false), UserTurns::Unknown);
        assert_eq!(turns(String::new(), true), UserTurns::None);
        assert_eq!(turns(format!("{HEADER}\nnull\n5\n[]\n"), true), UserTurns::None);
    }

    #[test]
    fn damage_is_never_proof_that_nobody_wrote() {
        let torn = format!("{HEADER}\n{{\"type\":\"message\",\"mess");
        assert_eq!(user_turns(torn.as_bytes(), true), UserTurns::Unknown);
        let glued = format!("{HEADER}\n{{\"type\":\"mes{{\"message\":{{\"role\":\"user\"}}}}\n");
        assert_eq!(user_turns(glued.as_bytes(), true), UserTurns::Seen);
        assert_eq!(user_turns(&[0; 64], true), UserTurns::Unknown);
    }
}
