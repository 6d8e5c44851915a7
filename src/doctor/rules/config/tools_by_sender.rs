//! A key of toolsBySender does not say what it names.

use serde_json::Value;

use crate::doctor::rule::{Check, Notes, Rule};
use crate::doctor::value::Object;
use crate::model::doctor::Version;
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "tools-by-sender-keys",
    severity: Severity::Warning,
    since: Version(2026, 5, 0),
    what: "a key of toolsBySender does not say what it names",
    why: "A sender is named by id, name, user name or number, and the key says which. A bare key is \
          taken for an id.",
    fix: "Writes id: before it.",
    before: "{ tools: { toolsBySender: { \"12345\": { deny: [\"exec\"] } } } }",
    after: "{ tools: { toolsBySender: { \"id:12345\": { deny: [\"exec\"] } } } }",
    check: Check::Migrate(migrate),
};

/// What a key may begin with.
const KINDS: [&str; 6] = ["id:", "e164:", "username:", "name:", "channel:", "*"];

fn migrate(root: &mut Value, notes: &mut Notes) {
    walk("", root, notes);
}

fn walk(path: &str, value: &mut Value, notes: &mut Notes) {
    let below = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    match value {
        Value::Array(items) => {
            for (at, item) in items.iter_mut().enumerate() {
                walk(&below(&at.to_string()), item, notes);
            }
        }
        Value::Object(map) => {
            for (key, item) in map.iter_mut() {
                match (key.as_str(), item) {
                    ("toolsBySender", Value::Object(senders)) => rename(&below(key), senders, notes),
                    (_, item) => walk(&below(key), item, notes),
                }
            }
        }
        _ => {}
    }
}

fn rename(path: &str, senders: &mut Object, notes: &mut Notes) {
    let bare =
        |key: &&String| *key != "$include" && !KINDS.iter().any(|kind| key.trim().to_lowercase().starts_with(kind));
    let keys: Vec<String> = senders.keys().filter(bare).cloned().collect();
    for key in keys {
        let new = format!("id:{}", key.trim());
        if senders.contains_key(&new) {
            notes.leave(format!("{path} has both {key} and {new}"));
        } else if let Some(value) = senders.shift_remove(&key) {
            notes.change(format!("Moved {path}.{key} \u{2192} {path}.{new}."));
            senders.insert(new, value);
        }
    }
}
