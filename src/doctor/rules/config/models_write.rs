//! Commands.modelsWrite has no effect.

use serde_json::Value;

use crate::doctor::rule::{Check, Notes, Rule};
use crate::doctor::value::take;
use crate::model::doctor::Version;
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "commands-models-write",
    severity: Severity::Warning,
    since: Version(2026, 5, 0),
    what: "commands.modelsWrite has no effect",
    why: "Models are no longer added by a command in a chat.",
    fix: "Removes the key.",
    before: "{ commands: { modelsWrite: true, restart: true } }",
    after: "{ commands: { restart: true } }",
    check: Check::Migrate(migrate),
};

fn migrate(root: &mut Value, notes: &mut Notes) {
    if take(root, &["commands", "modelsWrite"]).is_some() {
        notes.change("Removed deprecated commands.modelsWrite (/models add is deprecated).");
    }
}
