//! ThreadBindings.ttlHours is called idleHours now.

use serde_json::Value;

use crate::doctor::rule::{Check, Notes, Rule};
use crate::doctor::value::{Object, channel_parts, channels, object_mut};
use crate::model::doctor::Version;
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "thread-bindings-ttl",
    severity: Severity::Error,
    since: Version(2026, 5, 0),
    what: "threadBindings.ttlHours is called idleHours now",
    why: "It counts hours without a message, as it did under the old name, for the session and for \
          each channel and account. The gateway refuses a configuration with this key and does not \
          start.",
    fix: "Renames the key; where idleHours is set too, that one stays and the old one goes.",
    before: "{ session: { threadBindings: { enabled: true, ttlHours: 24 } } }",
    after: "{ session: { threadBindings: { enabled: true, idleHours: 24 } } }",
    check: Check::Migrate(migrate),
};

fn migrate(root: &mut Value, notes: &mut Notes) {
    if let Some(session) = object_mut(root, &["session"]) {
        rename("session", session, notes);
    }
    for channel in channels(root) {
        channel_parts(root, &channel, |path, part| rename(path, part, notes));
    }
}

fn rename(path: &str, part: &mut Object, notes: &mut Notes) {
    let Some(bindings) = part.get_mut("threadBindings").and_then(Value::as_object_mut) else { return };
    let (old, new) = (format!("{path}.threadBindings.ttlHours"), format!("{path}.threadBindings.idleHours"));
    let Some(hours) = bindings.shift_remove("ttlHours") else { return };
    if bindings.contains_key("idleHours") {
        notes.change(format!("Removed {old} ({new} already set)."));
    } else {
        bindings.insert("idleHours".to_owned(), hours);
        notes.change(format!("Moved {old} \u{2192} {new}."));
    }
}
