//! Dm.policy and dm.allowFrom stand beside dm now.

use serde_json::Value;

use crate::doctor::rule::{Check, Notes, Rule};
use crate::doctor::value::{Object, channel_parts};
use crate::model::doctor::Version;
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "channel-dm-policy",
    severity: Severity::Error,
    since: Version(2026, 5, 0),
    what: "dm.policy and dm.allowFrom stand beside dm now",
    why: "Who may write directly is set at the same place for every channel. The gateway refuses a \
          configuration with this key and does not start.",
    fix: "Moves them to dmPolicy and allowFrom; equal values are removed, different ones stay for a \
          person to look at. For Matrix, trusted becomes allowlist or pairing.",
    before: "{ channels: { slack: { dm: { policy: \"open\", enabled: true } } } }",
    after: "{ channels: { slack: { dm: { enabled: true }, dmPolicy: \"open\" } } }",
    check: Check::Migrate(migrate),
};

fn migrate(root: &mut Value, notes: &mut Notes) {
    for channel in ["slack", "discord"] {
        channel_parts(root, channel, |path, part| {
            move_out(path, part, "policy", "dmPolicy", notes);
            move_out(path, part, "allowFrom", "allowFrom", notes);
            if part.get("dm").and_then(Value::as_object).is_some_and(Object::is_empty) {
                part.shift_remove("dm");
            }
        });
    }
    channel_parts(root, "matrix", |path, part| trusted(path, part, notes));
}

fn move_out(path: &str, part: &mut Object, old: &str, new: &str, notes: &mut Notes) {
    let Some(value) = part.get("dm").and_then(|dm| dm.get(old)).cloned() else { return };
    let there = part.get(new).cloned();
    if there.as_ref().is_some_and(|there| *there != value) {
        notes.leave(format!("{path}.dm.{old} and {path}.{new} are both set, and differ"));
        return;
    }
    if let Some(dm) = part.get_mut("dm").and_then(Value::as_object_mut) {
        dm.shift_remove(old);
    }
    if there.is_some() {
        notes.change(format!("Removed {path}.dm.{old} ({path}.{new} already set)."));
    } else {
        part.insert(new.to_owned(), value);
        notes.change(format!("Moved {path}.dm.{old} \u{2192} {path}.{new}."));
    }
}

fn trusted(path: &str, part: &mut Object, notes: &mut Notes) {
    let Some(dm) = part.get_mut("dm").and_then(Value::as_object_mut) else { return };
    if dm.get("policy").and_then(Value::as_str) != Some("trusted") {
        return;
    }
    let listed = dm.get("allowFrom").and_then(Value::as_array).is_some_and(|list| !list.is_empty());
    let policy = if listed { "allowlist" } else { "pairing" };
    dm.insert("policy".to_owned(), policy.into());
    notes.change(format!("Moved {path}.dm.policy \"trusted\" \u{2192} \"{policy}\"."));
}
