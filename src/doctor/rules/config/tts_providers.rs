//! Text-to-speech providers belong under tts.providers, and edge is microsoft.

use serde_json::Value;

use crate::doctor::rule::{Check, Notes, Rule};
use crate::doctor::value::{Object, channel_parts, merge_missing, object_mut};
use crate::model::doctor::Version;
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "tts-providers",
    severity: Severity::Error,
    since: Version(2026, 5, 0),
    what: "text-to-speech providers belong under tts.providers, and edge is microsoft",
    why: "Settings of each provider have one shape now. The gateway refuses a configuration with this \
          key and does not start.",
    fix: "Moves tts.openai, elevenlabs, microsoft and edge under tts.providers and renames edge to \
          microsoft; values that are there win.",
    before: "{ messages: { tts: { provider: \"edge\", openai: { voice: \"alloy\" } } } }",
    after: "{ messages: { tts: { provider: \"microsoft\", providers: { openai: { voice: \"alloy\" } } } } }",
    check: Check::Migrate(migrate),
};

/// Providers that had a key of their own, in the order in which they move.
const OWN: [&str; 3] = ["openai", "elevenlabs", "microsoft"];

fn migrate(root: &mut Value, notes: &mut Notes) {
    if let Some(tts) = object_mut(root, &["messages", "tts"]) {
        normalize("messages.tts", tts, notes);
    }
    if let Some(tts) = object_mut(root, &["plugins", "entries", "voice-call", "config", "tts"]) {
        normalize("plugins.entries.voice-call.config.tts", tts, notes);
    }
    channel_parts(root, "discord", |path, part| {
        let tts = part.get_mut("voice").and_then(|voice| voice.get_mut("tts")).and_then(Value::as_object_mut);
        if let Some(tts) = tts {
            normalize(&format!("{path}.voice.tts"), tts, notes);
        }
    });
}

fn normalize(path: &str, tts: &mut Object, notes: &mut Notes) {
    if tts.get("provider").and_then(Value::as_str).is_some_and(|p| p.trim().eq_ignore_ascii_case("edge")) {
        tts.insert("provider".to_owned(), "microsoft".into());
        notes.change(format!("Moved {path}.provider \"edge\" \u{2192} \"microsoft\"."));
    }
    for key in OWN {
        let Some(old) = tts.get(key).and_then(Value::as_object).cloned() else { continue };
        if fill(tts, key, old) {
            tts.shift_remove(key);
            notes.change(format!("Moved {path}.{key} \u{2192} {path}.providers.{key}."));
        }
    }
    let edge = tts.get("providers").and_then(|providers| providers.get("edge")).and_then(Value::as_object).cloned();
    if let Some(old) = edge
        && fill(tts, "microsoft", old)
    {
        if let Some(providers) = tts.get_mut("providers").and_then(Value::as_object_mut) {
            providers.shift_remove("edge");
        }
        notes.change(format!("Moved {path}.providers.edge \u{2192} {path}.providers.microsoft."));
    }
    if let Some(old) = tts.get("edge").and_then(Value::as_object).cloned()
        && fill(tts, "microsoft", old)
    {
        tts.shift_remove("edge");
        notes.change(format!("Moved {path}.edge \u{2192} {path}.providers.microsoft."));
    }
}

/// Whether there was a place for it.
fn fill(tts: &mut Object, provider: &str, old: Object) -> bool {
    let providers = tts.entry("providers").or_insert_with(|| Value::Object(Object::new())).as_object_mut();
    let target = providers.map(|p| p.entry(provider).or_insert_with(|| Value::Object(Object::new())));
    match target.and_then(Value::as_object_mut) {
        Some(target) => {
            merge_missing(target, old);
            true
        }
        None => false,
    }
}
