//! What a person recognises a conversation by: how often they wrote, and their first line.
//!
//! Works on a bounded part of the file, line by line, and never fails on content: a line that cannot be read counts as
//! nothing.

use serde_json::Value;

use super::header::header;
use crate::model::candidate::Preview;
use crate::model::probe::HeaderState;

/// Characters of the first line that are kept.
const CUT: usize = 100;

/// Looks at the beginning of a transcript. `whole` says that `bytes` is the entire file.
pub fn preview(bytes: &[u8], whole: bool) -> Preview {
    let header_id = match header(bytes, whole) {
        HeaderState::Valid { id, .. } => Some(id),
        _ => None,
    };
    let mut out = Preview { whole, header_id, ..Preview::default() };
    for line in bytes.split(|b| *b == b'\n') {
        // Most lines are tool results; only those that can be a user's are parsed.
        if memchr::memmem::find(line, b"\"user\"").is_none() {
            continue;
        }
        let Ok(record) = serde_json::from_slice::<Value>(line) else { continue };
        let message = record.get("message").filter(|m| m.is_object()).unwrap_or(&record);
        if message.get("role").and_then(Value::as_str) != Some("user") {
            continue;
        }
        out.turns += 1;
        if out.first.is_none() {
            out.first = message.get("content").and_then(first_line);
        }
    }
    out
}

/// First line with something on it: of a text, or of the first text part.
fn first_line(content: &Value) -> Option<String> {
    let of_text = |text: &str| {
        let line = text.lines().map(str::trim).find(|l| !l.is_empty())?;
        let mut cut: String = line.chars().take(CUT).collect();
        if cut.len() < line.len() {
            cut.push('\u{2026}');
        }
        Some(cut)
    };
    match content {
        Value::String(text) => of_text(text),
        Value::Array(parts) => parts.iter().find_map(|p| p.get("text").and_then(Value::as_str).and_then(of_text)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_and_the_first_line() {
        let text = concat!(
            r#"{"type":"session","id":"a"}"#,
            "\n",
            r#"{"type":"message","message":{"role":"assistant","content":"\"user\""}}"#,
            "\n",
            r#"{"type":"message","message":{"role":"user","content":[{"type":"image"},{"type":"text","text":"\n  hello\nyou"}]}}"#,
            "\n",
            r#"{"role":"user","content":"old form"}"#,
            "\n",
            r#"{"type":"message","message":{"role":"user","cont"#,
        );
        let seen = preview(text.as_bytes(), false);
        assert_eq!((seen.turns, seen.first.as_deref(), seen.whole), (2, Some("hello"), false));
        assert_eq!(seen.header_id.as_deref(), Some("a"));
    }

    #[test]
    fn a_long_line_is_cut_between_characters() {
        let long = "\u{e9}".repeat(300);
        let text = format!(r#"{{"role":"user","content":"{long}"}}"#);
        let first = preview(text.as_bytes(), true).first.unwrap();
        assert_eq!(first.chars().count(), CUT + 1);
        assert_eq!(preview(b"\0\0\"user\"", true), Preview { whole: true, ..Preview::default() });
    }
}
