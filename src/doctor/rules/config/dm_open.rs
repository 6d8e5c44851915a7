//! A channel is open to direct messages and lists who may write.

use serde_json::Value;

use crate::doctor::rule::{Check, Notes, Rule};
use crate::doctor::value::{channel_parts, channels, text};
use crate::model::doctor::Version;
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "dm-open-allow-from",
    severity: Severity::Error,
    since: Version(2026, 5, 0),
    what: "a channel is open to direct messages and lists who may write",
    why: "dmPolicy open means everybody; the gateway refuses it beside a list that does not say so \
          with \"*\".",
    fix: "Adds \"*\" to allowFrom, which is what open means. Set dmPolicy to allowlist instead if the \
          list was meant.",
    before: "{ channels: { telegram: { dmPolicy: \"open\", allowFrom: [\"1\"] } } }",
    after: "{ channels: { telegram: { dmPolicy: \"open\", allowFrom: [\"1\", \"*\"] } } }",
    check: Check::Migrate(migrate),
};

fn migrate(root: &mut Value, notes: &mut Notes) {
    for channel in channels(root) {
        channel_parts(root, &channel, |path, part| {
            if text(part, "dmPolicy") != Some("open") {
                return;
            }
            let list = part.entry("allowFrom").or_insert_with(|| Value::Array(Vec::new()));
            let Some(list) = list.as_array_mut() else { return };
            if !list.iter().any(|who| who.as_str().map(str::trim) == Some("*")) {
                list.push("*".into());
                notes.change(format!("Added \"*\" to {path}.allowFrom (dmPolicy is open)."));
            }
        });
    }
}
