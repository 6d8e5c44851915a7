//! Settings of the plugin voice-call have other names now.

use serde_json::Value;

use crate::doctor::rule::{Check, Notes, Rule};
use crate::doctor::value::{Object, object_mut};
use crate::model::doctor::Version;
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "voice-call-legacy",
    severity: Severity::Error,
    since: Version(2026, 5, 0),
    what: "settings of the plugin voice-call have other names now",
    why: "Providers of speech recognition have sections of their own, and a call that is only written \
          down is a mock. The gateway refuses a configuration with this key and does not start.",
    fix: "Renames provider log to mock, moves twilio.from to fromNumber and the options of streaming \
          to streaming.providers.openai; values that are there win.",
    before: "{ plugins: { entries: { \"voice-call\": { config: { provider: \"log\", twilio: { from: \"+1555\" } } } } } }",
    after: "{ plugins: { entries: { \"voice-call\": { config: { provider: \"mock\", twilio: { }, fromNumber: \"+1555\" } } } } }",
    check: Check::Migrate(migrate),
};

const PATH: &str = "plugins.entries.voice-call.config";
/// Options of streaming and their names under `providers.openai`.
const OPTIONS: [(&str, &str); 4] = [
    ("openaiApiKey", "apiKey"),
    ("sttModel", "model"),
    ("silenceDurationMs", "silenceDurationMs"),
    ("vadThreshold", "vadThreshold"),
];

fn migrate(root: &mut Value, notes: &mut Notes) {
    let Some(config) = object_mut(root, &["plugins", "entries", "voice-call", "config"]) else { return };
    if config.get("provider").and_then(Value::as_str).map(str::trim) == Some("log") {
        config.insert("provider".to_owned(), "mock".into());
        notes.change(format!("Moved {PATH}.provider \"log\" \u{2192} \"mock\"."));
    }
    if let Some(number) = config.get_mut("twilio").and_then(Value::as_object_mut).and_then(|t| t.shift_remove("from")) {
        put(config, "fromNumber", number, "twilio.from", "fromNumber", notes);
    }
    let Some(streaming) = config.get_mut("streaming").and_then(Value::as_object_mut) else { return };
    if let Some(provider) = streaming.shift_remove("sttProvider") {
        put(streaming, "provider", provider, "streaming.sttProvider", "streaming.provider", notes);
    }
    for (old, new) in OPTIONS {
        if !streaming.contains_key(old) {
            continue;
        }
        let empty = || Value::Object(Object::new());
        let providers = streaming.entry("providers").or_insert_with(empty).as_object_mut();
        if providers.and_then(|p| p.entry("openai").or_insert_with(empty).as_object_mut()).is_none() {
            notes.leave(format!("{PATH}.streaming.providers is in the way: it is no object"));
            return;
        }
        let Some(value) = streaming.shift_remove(old) else { continue };
        let target = streaming.get_mut("providers").and_then(|p| p.get_mut("openai")).and_then(Value::as_object_mut);
        if let Some(target) = target {
            let (from, to) = (format!("streaming.{old}"), format!("streaming.providers.openai.{new}"));
            put(target, new, value, &from, &to, notes);
        }
    }
}

fn put(target: &mut Object, key: &str, value: Value, from: &str, to: &str, notes: &mut Notes) {
    if target.contains_key(key) {
        notes.change(format!("Removed {PATH}.{from} ({PATH}.{to} already set)."));
    } else {
        target.insert(key.to_owned(), value);
        notes.change(format!("Moved {PATH}.{from} \u{2192} {PATH}.{to}."));
    }
}
