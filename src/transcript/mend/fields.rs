//! The fields of a record that mending needs, as far as they can be read: a fragment gives those before the cut.

use crate::model::index::Text;
use crate::store::identity::identity;
use crate::store::lexer::{Fault, Lexer};
use crate::transcript::record;

/// Top-level fields. Text is raw, between the quotes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fields {
    /// `type`.
    pub kind: Option<Vec<u8>>,
    /// `id`.
    pub id: Option<Vec<u8>>,
    /// `parentId`; `Some(None)` for `null`.
    pub parent: Option<Option<Vec<u8>>>,
    /// `timestamp`.
    pub timestamp: Option<Vec<u8>>,
    /// `version`.
    pub version: Option<u64>,
    /// `cwd`.
    pub cwd: Option<Vec<u8>>,
    /// `parentSession`.
    pub parent_session: Option<Vec<u8>>,
    /// `firstKeptEntryId`.
    pub kept: Option<Vec<u8>>,
    /// `message.role` is a string that is not blank.
    pub role: bool,
}

impl Fields {
    /// Reads them up to where the text stops being JSON. A string that is cut does not count.
    pub fn of(text: &[u8]) -> Self {
        let mut fields = Self::default();
        if u32::try_from(text.len()).is_ok() {
            let mut lexer = Lexer::new(text, 0);
            lexer.space();
            // What was read before a fault stands.
            let _ = lexer.members(|lexer, name| fields.member(lexer, name));
        }
        fields
    }

    fn member(&mut self, lexer: &mut Lexer<'_>, name: Text) -> Result<(), Fault> {
        let buf = lexer.buf();
        let text = |lexer: &mut Lexer<'_>| lexer.string_or_skip().map(|t| t.map(|t| t.span.of(buf).to_vec()));
        match &*identity(name, buf) {
            b"type" => self.kind = text(lexer)?,
            b"id" => self.id = text(lexer)?,
            b"parentId" => self.parent = Some(text(lexer)?),
            b"firstKeptEntryId" => self.kept = text(lexer)?,
            b"timestamp" => self.timestamp = text(lexer)?,
            b"cwd" => self.cwd = text(lexer)?,
            b"parentSession" => self.parent_session = text(lexer)?,
            b"version" => {
                let start = lexer.pos();
                lexer.value()?;
                self.version = number(lexer.span_from(start).of(buf));
            }
            b"message" if lexer.peek() == Some(b'{') => {
                lexer.members(|lexer, name| {
                    if &*identity(name, buf) == b"role" {
                        self.role = text(lexer)?.is_some_and(|role| !role.trim_ascii().is_empty());
                        Ok(())
                    } else {
                        lexer.value()
                    }
                })?;
            }
            _ => lexer.value()?,
        }
        Ok(())
    }

    /// A message that the gateway drops before its next run: no object, or a role that is no text.
    pub fn is_roleless(&self) -> bool {
        self.kind.as_deref() == Some(b"message") && !self.role
    }
}

/// A version: what lies between two is the later one, what is beyond counting the largest, and quotes do not matter, for
/// a format that is not known must never look like an old one.
fn number(text: &[u8]) -> Option<u64> {
    let value = record::version(text)?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a cast saturates")]
    Some(value.ceil() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::record::Line;

    #[test]
    fn a_fragment_gives_what_comes_before_the_cut() {
        let whole =
            r#"{"type":"message","id":"b","parentId":"a","timestamp":"T","message":{"role":"user","content":"hello"}}"#;
        let all = Fields::of(whole.as_bytes());
        assert_eq!(
            (all.id.as_deref(), all.parent.clone().flatten().as_deref(), all.role),
            (Some(&b"b"[..]), Some(&b"a"[..]), true)
        );
        let cut = Fields::of(&whole.as_bytes()[..whole.find("hello").unwrap()]);
        assert_eq!((cut.id, cut.parent, cut.role), (all.id, all.parent, true));
        let early = Fields::of(br#"{"type":"message","id":"b","parentId":"a"#);
        assert_eq!((early.id.as_deref(), early.parent), (Some(&b"b"[..]), None));
        assert_eq!(Fields::of(br#"{"parentId":null,"version":3.0}"#).parent, Some(None));
        assert_eq!(Fields::of(br#"{"version":3.0}"#).version, Some(3));
    }

    #[test]
    fn a_version_that_is_not_known_is_no_old_one() {
        for version in ["99999999999999999999", "9007199254740993", "1e400", "3.5", "\"4\""] {
            let fields = Fields::of(format!(r#"{{"version":{version}}}"#).as_bytes());
            assert!(fields.version.is_some_and(|v| v > 3), "{version}");
        }
        for (version, means) in
            [("\"x\"", Some(3)), ("\"2\"", Some(2)), ("null", None), ("true", Some(1)), ("{}", Some(3))]
        {
            let text = format!(r#"{{"type":"session","id":"s","version":{version}}}"#);
            assert_eq!(Fields::of(text.as_bytes()).version, means, "{version}");
            let Line::Record(found) = record::line(text.as_bytes()) else { panic!("{version}") };
            assert_eq!(found.version.map(u64::from), means, "{version}");
            assert_eq!(found.linked, means.is_some_and(|v| v > 1), "{version}");
        }
    }

    #[test]
    fn messages_without_a_role() {
        for (text, drops) in [
            (r#"{"type":"message","message":{"role":"user"}}"#, false),
            (r#"{"type":"message","message":{"role":null}}"#, true),
            (r#"{"type":"message","message":{"role":" "}}"#, true),
            (r#"{"type":"message","message":"x"}"#, true),
            (r#"{"type":"message"}"#, true),
            (r#"{"type":"custom"}"#, false),
        ] {
            assert_eq!(Fields::of(text.as_bytes()).is_roleless(), drops, "{text}");
        }
    }
}
