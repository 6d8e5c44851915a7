//! What was said in transcripts, as far as the doctor asks: whether only the heartbeat spoke, and turns that were to be
//! silent and were not.
//!
//! # Performance
//! Files are read in one stream; a line is parsed only if it has the bytes that are looked for, and one beyond
//! [`LONGEST`] is left out.

use std::io::{BufRead as _, BufReader};
use std::path::Path;

use serde_json::Value;

use crate::fsx::read::open_regular;

/// Longest line that is looked at.
const LONGEST: u64 = 4 << 20;
/// Largest transcript of a main session that is read for its speakers.
const MOST: u64 = 16 << 20;
/// What the gateway writes in the name of the user when it wakes the agent.
const POLL: &str = "[OpenClaw heartbeat poll]";
/// What an agent says that has nothing to say.
const SILENT: &str = "NO_REPLY";

/// Whether every user message of the transcript is one of the heartbeat, and there is one. `None` if it cannot be told.
pub fn only_heartbeat(path: &Path) -> Option<bool> {
    let (mut heartbeat, mut others) = (0_u64, 0_u64);
    lines(path, MOST, b"\"user\"", |_, line| {
        if let Some(text) = spoken(line, "user") {
            if is_heartbeat(text.trim()) { heartbeat += 1 } else { others += 1 }
        }
    })?;
    Some(heartbeat > 0 && others == 0)
}

/// Lines of assistant messages that begin or end with the silent token and say more than that.
pub fn loud_silences(path: &Path) -> Option<Vec<u64>> {
    let mut found = Vec::new();
    let mut look = |number, line: &[u8]| {
        if spoken(line, "assistant").is_some_and(|text| is_leak(text.trim())) {
            found.push(number);
        }
    };
    lines(path, u64::MAX, b"NO_REPLY", &mut look)?;
    lines(path, u64::MAX, b"no_reply", &mut look)?;
    found.sort_unstable();
    found.dedup();
    Some(found)
}

fn is_heartbeat(text: &str) -> bool {
    let closing = text.lines().next_back().is_some_and(|line| line.contains("HEARTBEAT_OK"));
    text == POLL || (closing && (text.contains("periodic") || text.contains("HEARTBEAT.md")))
}

fn is_leak(text: &str) -> bool {
    let token = |part: Option<&str>| part.is_some_and(|p| p.eq_ignore_ascii_case(SILENT));
    let begins = token(text.get(..SILENT.len()));
    let ends = token(text.len().checked_sub(SILENT.len()).and_then(|at| text.get(at..)));
    (begins || ends) && text.len() > SILENT.len()
}

/// Text of a message of that role.
fn spoken(line: &[u8], role: &str) -> Option<String> {
    said_by(&serde_json::from_slice(line).ok()?, role)
}

/// Text of an entry that is a message of that role.
pub(super) fn said_by(entry: &Value, role: &str) -> Option<String> {
    let message = entry.get("message").filter(|m| m.get("role").and_then(Value::as_str) == Some(role))?;
    match message.get("content")? {
        Value::String(text) => Some(text.clone()),
        Value::Array(parts) => {
            let text = |part: &Value| {
                let is_text = part.get("type").and_then(Value::as_str) == Some("text");
                part.get("text").filter(|_| is_text).and_then(Value::as_str).map(str::to_owned)
            };
            Some(parts.iter().filter_map(text).collect())
        }
        _ => None,
    }
}

/// Gives every line, from 1, that has the bytes `wanted`. `None` for a file of more than `most` bytes.
fn lines(path: &Path, most: u64, wanted: &[u8], mut each: impl FnMut(u64, &[u8])) -> Option<()> {
    let (file, _) = open_regular(path).ok().filter(|(_, fp)| fp.size <= most)?;
    let mut reader = BufReader::with_capacity(1 << 18, file);
    let finder = memchr::memmem::Finder::new(wanted);
    let (mut line, mut number) = (Vec::new(), 0);
    loop {
        line.clear();
        let mut whole = true;
        loop {
            let buffer = reader.fill_buf().ok()?;
            if buffer.is_empty() {
                break;
            }
            let (used, ends) = match memchr::memchr(b'\n', buffer) {
                Some(at) => (at + 1, true),
                None => (buffer.len(), false),
            };
            whole &= (line.len() + used) as u64 <= LONGEST;
            if whole {
                line.extend_from_slice(&buffer[..used]);
            }
            reader.consume(used);
            if ends {
                break;
            }
        }
        if line.is_empty() && whole {
            return Some(());
        }
        number += 1;
        if whole && finder.find(&line).is_some() {
            each(number, line.trim_ascii());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(text: &str) -> (tempfile::TempDir, std::path::PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.jsonl");
        std::fs::write(&path, text).unwrap();
        (dir, path)
    }

    fn said(role: &str, text: &str) -> String {
        format!("{}\n", serde_json::json!({ "type": "message", "message": { "role": role, "content": text } }))
    }

    #[test]
    fn a_silence_that_says_something_is_a_leak() {
        let text = ["NO_REPLY", "no_reply ", "NO_REPLY\n\nBut then", "Done. NO_REPLY", "say NO_REPLY if", "hello"]
            .map(|text| said("assistant", text))
            .concat();
        let (_dir, path) = write(&(said("user", "NO_REPLY or not") + &text));
        assert_eq!(loud_silences(&path), Some(vec![4, 5]));
    }

    #[test]
    fn the_heartbeat_alone_owns_a_session_where_nobody_else_spoke() {
        let poll = said("user", POLL);
        let tasks = said("user", "Read HEARTBEAT.md and act.\nIf there is nothing, say HEARTBEAT_OK");
        for (text, wanted) in [
            (format!("{poll}{tasks}{}", said("assistant", "user")), true),
            (format!("{poll}{}", said("user", "hi")), false),
            (said("assistant", "x"), false),
            (String::new(), false),
        ] {
            let (_dir, path) = write(&text);
            assert_eq!(only_heartbeat(&path), Some(wanted), "{text}");
        }
    }
}
