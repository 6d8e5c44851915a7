//! Tts.enabled is called auto now.

use serde_json::Value;

use crate::doctor::rule::{Check, Notes, Rule};
use crate::doctor::value::{Object, agents, channel_parts, channels, object_mut, text};
use crate::model::doctor::Version;
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "tts-enabled",
    severity: Severity::Error,
    since: Version(2026, 5, 0),
    what: "tts.enabled is called auto now",
    why: "auto says when to speak: always, off and more. The gateway refuses a configuration with this \
          key and does not start.",
    fix: "Sets auto to always or off; where auto is set already, the old key goes.",
    before: "{ messages: { tts: { enabled: true } } }",
    after: "{ messages: { tts: { auto: \"always\" } } }",
    check: Check::Migrate(migrate),
};

fn migrate(root: &mut Value, notes: &mut Notes) {
    if let Some(messages) = object_mut(root, &["messages"]) {
        switch("messages", messages, notes);
    }
    agents(root, |path, agent| {
        let path = match path.strip_prefix("agents.list.") {
            Some(at) => format!("agents.list[{at}]"),
            None => path.to_owned(),
        };
        switch(&path, agent, notes);
    });
    for channel in channels(root) {
        channel_parts(root, &channel, |path, part| switch(path, part, notes));
    }
    if let Some(config) = object_mut(root, &["plugins", "entries", "voice-call", "config"]) {
        switch("plugins.entries.voice-call.config", config, notes);
    }
}

fn switch(path: &str, holder: &mut Object, notes: &mut Notes) {
    let Some(tts) = holder.get_mut("tts").and_then(Value::as_object_mut) else { return };
    let Some(enabled) = tts.get("enabled").and_then(Value::as_bool) else { return };
    tts.shift_remove("enabled");
    if text(tts, "auto").is_some() {
        notes.change(format!("Removed {path}.tts.enabled because {path}.tts.auto is already set."));
        return;
    }
    let auto = if enabled { "always" } else { "off" };
    tts.insert("auto".to_owned(), auto.into());
    notes.change(format!("Moved {path}.tts.enabled \u{2192} {path}.tts.auto \"{auto}\"."));
}
