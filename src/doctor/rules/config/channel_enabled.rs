//! Allow of a group or channel is called enabled now.

use serde_json::Value;

use crate::doctor::rule::{Check, Notes, Rule};
use crate::doctor::value::{Object, channel_parts};
use crate::model::doctor::Version;
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "channel-allow-enabled",
    severity: Severity::Error,
    since: Version(2026, 5, 0),
    what: "allow of a group or channel is called enabled now",
    why: "Slack, Discord, Google Chat, Matrix and Zalo use the same word. The gateway refuses a \
          configuration with this key and does not start.",
    fix: "Renames the key; where enabled is set too, that one stays.",
    before: "{ channels: { slack: { channels: { C1: { allow: true } } } } }",
    after: "{ channels: { slack: { channels: { C1: { enabled: true } } } } }",
    check: Check::Migrate(migrate),
};

/// Channels and the ways to their groups; `*` stands for any name.
const PLACES: &[(&str, &[&str])] = &[
    ("slack", &["channels", "*"]),
    ("discord", &["guilds", "*", "channels", "*"]),
    ("googlechat", &["groups", "*"]),
    ("matrix", &["groups", "*"]),
    ("matrix", &["rooms", "*"]),
    ("zalouser", &["groups", "*"]),
];

fn migrate(root: &mut Value, notes: &mut Notes) {
    for (channel, way) in PLACES {
        channel_parts(root, channel, |path, part| walk(path, part, way, notes));
    }
}

fn walk(path: &str, object: &mut Object, way: &[&str], notes: &mut Notes) {
    let Some((first, rest)) = way.split_first() else { return rename(path, object, notes) };
    for (name, value) in object.iter_mut().filter(|(name, _)| *first == "*" || name == first) {
        if let Some(value) = value.as_object_mut() {
            walk(&format!("{path}.{name}"), value, rest, notes);
        }
    }
}

fn rename(path: &str, group: &mut Object, notes: &mut Notes) {
    let Some(allow) = group.shift_remove("allow") else { return };
    if group.contains_key("enabled") {
        notes.change(format!("Removed {path}.allow ({path}.enabled already set)."));
    } else {
        group.insert("enabled".to_owned(), allow);
        notes.change(format!("Moved {path}.allow \u{2192} {path}.enabled."));
    }
}
