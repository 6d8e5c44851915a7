//! CodexDynamicToolsProfile is gone.

use serde_json::Value;

use crate::doctor::rule::{Check, Notes, Rule};
use crate::doctor::value::take;
use crate::model::doctor::Version;
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "codex-dynamic-tools-profile",
    severity: Severity::Error,
    since: Version(2026, 5, 0),
    what: "codexDynamicToolsProfile is gone",
    why: "The runtime codex always keeps its own tools for the workspace. The gateway refuses a \
          configuration with this key and does not start.",
    fix: "Removes the key.",
    before: "{ plugins: { entries: { codex: { config: { codexDynamicToolsProfile: \"full\" } } } } }",
    after: "{ plugins: { entries: { codex: { config: { } } } } }",
    check: Check::Migrate(migrate),
};

fn migrate(root: &mut Value, notes: &mut Notes) {
    if take(root, &["plugins", "entries", "codex", "config", "codexDynamicToolsProfile"]).is_some() {
        notes.change("Removed plugins.entries.codex.config.codexDynamicToolsProfile.");
    }
}
