//! Audio.transcription has a new place.

use serde_json::Value;

use crate::doctor::rule::{Check, Notes, Rule};
use crate::doctor::value::{Object, drop_empty, ensure, object, take};
use crate::model::doctor::Version;
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "audio-transcription",
    severity: Severity::Warning,
    since: Version(2026, 5, 0),
    what: "audio.transcription has a new place",
    why: "A command that transcribes audio is a model of tools.media.audio now.",
    fix: "Makes a model of the command, with {input} as {{MediaPath}}. Only beside another migration: \
          alone, it still works.",
    before: "{ audio: { transcription: { command: [\"whisper\", \"{input}\"], timeoutSeconds: 30 } } }",
    after: "{ tools: { media: { audio: { enabled: true, models: [{ command: \"whisper\", type: \"cli\", args: [\"{{MediaPath}}\"], timeoutSeconds: 30 }] } } } }",
    check: Check::Beside(&[], migrate),
};

fn migrate(root: &mut Value, notes: &mut Notes) {
    let Some(old) = object(root, &["audio", "transcription"]) else { return };
    let Some(model) = model(old) else {
        take(root, &["audio", "transcription"]);
        notes.change("Removed audio.transcription (invalid or empty command).");
        drop_empty(root, &["audio"]);
        return;
    };
    let Some(audio) = ensure(root, &["tools", "media", "audio"]) else {
        notes.leave("audio.transcription cannot be moved: tools.media.audio is no object");
        return;
    };
    if audio.get("models").and_then(Value::as_array).is_some_and(|models| !models.is_empty()) {
        notes.change("Removed audio.transcription (tools.media.audio.models already set).");
    } else {
        audio.insert("enabled".to_owned(), true.into());
        audio.insert("models".to_owned(), Value::Array(vec![model]));
        notes.change("Moved audio.transcription \u{2192} tools.media.audio.models.");
    }
    take(root, &["audio", "transcription"]);
    drop_empty(root, &["audio"]);
}

/// A model of a command line. Also used for `routing.transcribeAudio`.
pub fn model(old: &Object) -> Option<Value> {
    let words: Vec<&str> = old.get("command")?.as_array()?.iter().filter_map(Value::as_str).collect();
    let (program, rest) = words.split_first()?;
    if !is_safe(program) {
        return None;
    }
    let args: Vec<String> = rest.iter().map(|arg| arg.replace("{input}", "{{MediaPath}}")).collect();
    let mut model = Object::new();
    model.insert("command".to_owned(), (*program).into());
    model.insert("type".to_owned(), "cli".into());
    if !args.is_empty() {
        model.insert("args".to_owned(), args.into());
    }
    if let Some(seconds) = old.get("timeoutSeconds") {
        model.insert("timeoutSeconds".to_owned(), seconds.clone());
    }
    Some(Value::Object(model))
}

/// A program that no shell would take for more than a name or a path.
fn is_safe(program: &str) -> bool {
    let hostile = |c: char| c.is_control() || ";&|`$<>\"'".contains(c);
    if program.is_empty() || program.contains(hostile) {
        return false;
    }
    let path = program.contains(['/', '\\']) || program.starts_with(['.', '~']);
    let name = program.chars().all(|c| c.is_ascii_alphanumeric() || "._+-".contains(c));
    path || (name && !program.starts_with('-'))
}
