//! ThreadBindings.spawnSubagentSessions and spawnAcpSessions are one key now.

use serde_json::Value;

use crate::doctor::rule::{Check, Notes, Rule};
use crate::doctor::value::{Object, channel_parts, channels, object_mut};
use crate::model::doctor::Version;
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "thread-bindings-spawn",
    severity: Severity::Error,
    since: Version(2026, 5, 0),
    what: "threadBindings.spawnSubagentSessions and spawnAcpSessions are one key now",
    why: "spawnSessions stands for both kinds of sessions. The gateway refuses a configuration with \
          this key and does not start.",
    fix: "Sets spawnSessions to the one value given, or to true only if both were true; where it is \
          set already, the old keys go.",
    before: "{ session: { threadBindings: { spawnSubagentSessions: true, spawnAcpSessions: false } } }",
    after: "{ session: { threadBindings: { spawnSessions: false } } }",
    check: Check::Migrate(migrate),
};

/// The old keys.
const OLD: [&str; 2] = ["spawnSubagentSessions", "spawnAcpSessions"];

fn migrate(root: &mut Value, notes: &mut Notes) {
    if let Some(session) = object_mut(root, &["session"]) {
        join("session", session, notes);
    }
    for channel in channels(root) {
        channel_parts(root, &channel, |path, part| join(path, part, notes));
    }
}

fn join(path: &str, part: &mut Object, notes: &mut Notes) {
    let Some(bindings) = part.get_mut("threadBindings").and_then(Value::as_object_mut) else { return };
    let given: Vec<Value> = OLD.iter().filter_map(|key| bindings.shift_remove(*key)).collect();
    if given.is_empty() {
        return;
    }
    let (old, new) =
        (format!("{path}.threadBindings.{}", OLD.join("/")), format!("{path}.threadBindings.spawnSessions"));
    let flags: Vec<bool> = given.iter().filter_map(Value::as_bool).collect();
    if bindings.contains_key("spawnSessions") {
        notes.change(format!("Removed deprecated {old} ({new} already set)."));
        return;
    }
    if flags.is_empty() {
        notes.change(format!("Removed deprecated {old} (not true or false)."));
        return;
    }
    let both = flags.iter().all(|flag| *flag);
    bindings.insert("spawnSessions".to_owned(), both.into());
    let conflict = flags.windows(2).any(|pair| pair[0] != pair[1]);
    let verb = if conflict { "Collapsed conflicting" } else { "Moved" };
    notes.change(format!("{verb} {old} \u{2192} {new} ({both})."));
}
