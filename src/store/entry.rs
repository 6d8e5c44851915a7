//! What a list shows of a row, read from its span only when the row is shown.
//!
//! Lenient: a field of an unexpected type reads as absent, a lone surrogate as U+FFFD, and of a field that comes twice
//! the last one counts. Nothing here decides anything.

use super::identity::identity;
use super::lexer::{Fault, Lexer};
use crate::model::entry::Entry;
use crate::model::index::{IndexFacts, Row};

/// Reads the fields of `row`. A row that is not an object has none.
pub fn read(index: &IndexFacts, row: &Row) -> Entry {
    let mut entry = Entry::default();
    let mut lexer = Lexer::new(&index.bytes, row.value.start as usize);
    if lexer.peek() == Some(b'{') {
        // The row was scanned whole when the index was read: a fault cannot come, and would only end the reading.
        let _ = lexer.members(|lexer, name| member(&mut entry, lexer, &identity(name, &index.bytes)));
    }
    entry
}

fn member(entry: &mut Entry, lexer: &mut Lexer<'_>, name: &[u8]) -> Result<(), Fault> {
    match name {
        b"chatType" => entry.chat_type = text(lexer)?,
        b"updatedAt" => entry.updated_at = number(lexer)?,
        b"systemSent" => entry.system_sent = flag(lexer)?,
        b"abortedLastRun" => entry.aborted_last_run = flag(lexer)?,
        b"thinkingLevel" => entry.thinking_level = text(lexer)?,
        b"verboseLevel" => entry.verbose_level = text(lexer)?,
        b"traceLevel" => entry.trace_level = text(lexer)?,
        b"reasoningLevel" => entry.reasoning_level = text(lexer)?,
        b"elevatedLevel" => entry.elevated_level = text(lexer)?,
        b"responseUsage" => entry.response_usage = text(lexer)?,
        b"groupActivation" => entry.group_activation = text(lexer)?,
        b"inputTokens" => entry.input_tokens = number(lexer)?,
        b"outputTokens" => entry.output_tokens = number(lexer)?,
        b"totalTokens" => entry.total_tokens = number(lexer)?,
        b"totalTokensFresh" => entry.total_tokens_fresh = flag(lexer)?,
        b"compactionCount" => entry.compaction_count = number(lexer)?,
        b"contextTokens" => entry.context_tokens = number(lexer)?,
        b"model" => entry.model = text(lexer)?,
        b"modelProvider" => entry.model_provider = text(lexer)?,
        b"modelOverride" => entry.model_override = text(lexer)?,
        b"providerOverride" => entry.provider_override = text(lexer)?,
        _ => lexer.value()?,
    }
    Ok(())
}

/// A string that is not empty.
fn text(lexer: &mut Lexer<'_>) -> Result<Option<String>, Fault> {
    let text = lexer.string_or_skip()?;
    Ok(text.map(|t| t.get(lexer.buf()).into_owned()).filter(|t| !t.is_empty()))
}

fn number(lexer: &mut Lexer<'_>) -> Result<Option<f64>, Fault> {
    let text = std::str::from_utf8(raw(lexer)?).unwrap_or_default();
    let numeric = text.starts_with(|c: char| c == '-' || c.is_ascii_digit());
    Ok(text.parse().ok().filter(|n: &f64| numeric && n.is_finite()))
}

fn flag(lexer: &mut Lexer<'_>) -> Result<Option<bool>, Fault> {
    Ok(match raw(lexer)? {
        b"true" => Some(true),
        b"false" => Some(false),
        _ => None,
    })
}

fn raw<'a>(lexer: &mut Lexer<'a>) -> Result<&'a [u8], Fault> {
    let start = lexer.pos();
    lexer.value()?;
    Ok(lexer.span_from(start).of(lexer.buf()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::index::IndexState;

    fn entry(row: &str) -> Entry {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("sessions.json");
        std::fs::write(&path, format!("{{\"k\": {row}}}")).unwrap();
        let IndexState::Whole(index) = crate::store::read::read(&path) else { panic!("{row}") };
        read(&index, &index.rows[0])
    }

    #[test]
    fn fields_are_read_as_far_as_they_make_sense() {
        let e = entry(
            r#"{"model": "a", "model": "b", "totalTokens": 12.5, "contextTokens": "many", "systemSent": true,
                "thinkingLevel": "", "verboseLevel": "\ud83e!", "origin": {"chatType": "group"}, "updatedAt": 1e12}"#,
        );
        assert_eq!(e.model.as_deref(), Some("b"));
        assert_eq!(e.total_tokens, Some(12.5));
        assert_eq!(e.context_tokens, None);
        assert_eq!(e.system_sent, Some(true));
        assert_eq!(e.thinking_level, None);
        assert_eq!(e.verbose_level.as_deref(), Some("\u{fffd}!"));
        assert_eq!(e.chat_type, None);
        assert_eq!(e.updated_at, Some(1e12));
    }

    #[test]
    fn a_row_that_is_no_object_has_no_fields() {
        for row in ["null", "[]", "\"x\"", "7"] {
            assert_eq!(entry(row), Entry::default(), "{row}");
        }
    }
}
