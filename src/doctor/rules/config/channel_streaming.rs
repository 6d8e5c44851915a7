//! Streaming of a channel is one section now.

use serde_json::Value;

use crate::doctor::rule::{Check, Notes, Rule};
use crate::doctor::value::{Object, channel_parts};
use crate::model::doctor::Version;
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "channel-streaming",
    severity: Severity::Error,
    since: Version(2026, 5, 0),
    what: "streaming of a channel is one section now",
    why: "How replies are streamed was spread over several keys of a channel. The gateway refuses a \
          configuration with this key and does not start.",
    fix: "Moves them into streaming; a value that is there wins, and then the old key stays for a \
          person to look at.",
    before: "{ channels: { telegram: { streamMode: \"partial\", chunkMode: \"newline\", blockStreaming: true } } }",
    after: "{ channels: { telegram: { streaming: { mode: \"partial\", chunkMode: \"newline\", block: { enabled: true } } } } }",
    check: Check::Migrate(migrate),
};

fn migrate(root: &mut Value, notes: &mut Notes) {
    for channel in ["telegram", "slack", "discord"] {
        channel_parts(root, channel, |path, part| {
            mode(channel, path, part, notes);
            for (old, new) in moves(channel) {
                move_key(path, part, old, new, notes);
            }
        });
    }
    // The only mode that it had is the only one there is.
    channel_parts(root, "googlechat", |path, part| {
        if part.shift_remove("streamMode").is_some() {
            notes.change(format!("Removed {path}.streamMode (no longer used)."));
        }
    });
}

/// Keys and their places in `streaming`.
fn moves(channel: &str) -> Vec<(&'static str, &'static [&'static str])> {
    let mut all: Vec<(&str, &[&str])> = vec![
        ("chunkMode", &["chunkMode"]),
        ("blockStreaming", &["block", "enabled"]),
        ("blockStreamingCoalesce", &["block", "coalesce"]),
    ];
    match channel {
        "slack" => all.push(("nativeStreaming", &["nativeTransport"])),
        _ => all.push(("draftChunk", &["preview", "chunk"])),
    }
    all
}

fn mode(channel: &str, path: &str, part: &mut Object, notes: &mut Notes) {
    let (from, kind) = match part.get("streaming") {
        Some(Value::Bool(_)) => ("streaming", "boolean"),
        Some(Value::String(_)) => ("streaming", "scalar"),
        Some(Value::Object(_)) | None if part.contains_key("streamMode") => ("streamMode", ""),
        _ => return,
    };
    let asked = part.get(from).cloned().unwrap_or_default();
    let Some(mode) = mode_of(channel, &asked) else {
        notes.leave(format!("{path}.{from} is none of off, partial, block and progress"));
        return;
    };
    let there = part.get("streaming").and_then(|s| s.get("mode")).is_some();
    if there {
        notes.leave(format!("{path}.{from} and {path}.streaming.mode are both set"));
        return;
    }
    part.shift_remove(from);
    let target = part.entry("streaming").or_insert_with(|| Value::Object(Object::new()));
    if let Some(target) = target.as_object_mut() {
        target.insert("mode".to_owned(), mode.into());
    }
    notes.change(match kind {
        "" => format!("Moved {path}.streamMode \u{2192} {path}.streaming.mode ({mode})."),
        kind => format!("Moved {path}.streaming ({kind}) \u{2192} {path}.streaming.mode ({mode})."),
    });
}

fn mode_of(channel: &str, asked: &Value) -> Option<&'static str> {
    match asked {
        Value::Bool(true) => Some("partial"),
        Value::Bool(false) => Some("off"),
        Value::String(text) => match (text.trim().to_lowercase().as_str(), channel) {
            ("off", _) => Some("off"),
            ("partial", _) | ("replace", "slack") => Some("partial"),
            ("block", _) | ("append", "slack") => Some("block"),
            ("progress", _) | ("status_final", "slack") => Some("progress"),
            _ => None,
        },
        _ => None,
    }
}

fn move_key(path: &str, part: &mut Object, old: &str, new: &[&str], notes: &mut Notes) {
    let Some(value) = part.get(old).cloned() else { return };
    let empty = || Value::Object(Object::new());
    let Some((last, above)) = new.split_last() else { return };
    let mut at = part.entry("streaming").or_insert_with(empty).as_object_mut();
    for name in above {
        at = at.and_then(|object| object.entry(*name).or_insert_with(empty).as_object_mut());
    }
    let shown = new.join(".");
    match at {
        Some(target) if !target.contains_key(*last) => {
            target.insert((*last).to_owned(), value);
            part.shift_remove(old);
            notes.change(format!("Moved {path}.{old} \u{2192} {path}.streaming.{shown}."));
        }
        _ => notes.leave(format!("{path}.{old} and {path}.streaming.{shown} are both set")),
    }
}
