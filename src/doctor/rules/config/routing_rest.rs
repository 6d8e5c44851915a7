//! Routing is spread over messages, bindings and tools now.

use serde_json::Value;

use super::audio_transcription::model;
use crate::doctor::rule::{Check, Notes, Rule};
use crate::doctor::value::{drop_empty, ensure, get, merge_missing, object, take};
use crate::model::doctor::Version;
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "routing-queue-bindings",
    severity: Severity::Error,
    since: Version(2026, 5, 0),
    what: "routing is spread over messages, bindings and tools now",
    why: "The gateway refuses the section routing; its own doctor drops these keys with everything in \
          them.",
    fix: "Moves queue to messages.queue, bindings to the top, agentToAgent to tools.agentToAgent and \
          transcribeAudio to tools.media.audio.models; values that are there win.",
    before: "{ routing: { queue: { mode: \"collect\" } } }",
    after: "{ messages: { queue: { mode: \"collect\" } } }",
    check: Check::Migrate(migrate),
};

fn migrate(root: &mut Value, notes: &mut Notes) {
    section(root, "queue", &["messages", "queue"], notes);
    section(root, "agentToAgent", &["tools", "agentToAgent"], notes);
    bindings(root, notes);
    transcribe(root, notes);
    drop_empty(root, &["routing"]);
}

fn section(root: &mut Value, key: &str, new: &[&str], notes: &mut Notes) {
    let Some(old) = object(root, &["routing", key]).cloned() else { return };
    let to = new.join(".");
    let Some(target) = ensure(root, new) else {
        notes.leave(format!("routing.{key} cannot be moved: {to} is no object"));
        return;
    };
    let verb = if target.is_empty() { "Moved" } else { "Merged" };
    merge_missing(target, old);
    take(root, &["routing", key]);
    notes.change(format!("{verb} routing.{key} \u{2192} {to}."));
}

fn bindings(root: &mut Value, notes: &mut Notes) {
    let Some(old) = get(root, &["routing", "bindings"]).and_then(Value::as_array).cloned() else { return };
    let Some(top) = root.as_object_mut() else { return };
    let list = top.entry("bindings").or_insert_with(|| Value::Array(Vec::new()));
    let Some(list) = list.as_array_mut() else {
        notes.leave("routing.bindings cannot be moved: bindings is no list");
        return;
    };
    for binding in old {
        if !list.contains(&binding) {
            list.push(binding);
        }
    }
    take(root, &["routing", "bindings"]);
    notes.change("Moved routing.bindings \u{2192} bindings.");
}

fn transcribe(root: &mut Value, notes: &mut Notes) {
    let Some(old) = object(root, &["routing", "transcribeAudio"]) else { return };
    let Some(model) = model(old) else {
        notes.leave("routing.transcribeAudio has no command that can be run; it stays");
        return;
    };
    let Some(audio) = ensure(root, &["tools", "media", "audio"]) else { return };
    if audio.get("models").and_then(Value::as_array).is_some_and(|models| !models.is_empty()) {
        notes.change("Removed routing.transcribeAudio (tools.media.audio.models already set).");
    } else {
        audio.insert("enabled".to_owned(), true.into());
        audio.insert("models".to_owned(), Value::Array(vec![model]));
        notes.change("Moved routing.transcribeAudio \u{2192} tools.media.audio.models.");
    }
    take(root, &["routing", "transcribeAudio"]);
}
