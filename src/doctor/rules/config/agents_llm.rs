//! Agents.defaults.llm is gone.

use serde_json::Value;

use crate::doctor::rule::{Check, Notes, Rule};
use crate::doctor::value::{object, take};
use crate::model::doctor::Version;
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "agents-defaults-llm",
    severity: Severity::Error,
    since: Version(2026, 5, 0),
    what: "agents.defaults.llm is gone",
    why: "How long a model may be silent follows models.providers.<id>.timeoutSeconds; the old value \
          has no place to go. The gateway refuses a configuration with this key and does not start.",
    fix: "Removes the section.",
    before: "{ agents: { defaults: { llm: { idleTimeoutSeconds: 60 }, maxConcurrent: 2 } } }",
    after: "{ agents: { defaults: { maxConcurrent: 2 } } }",
    check: Check::Migrate(migrate),
};

fn migrate(root: &mut Value, notes: &mut Notes) {
    if object(root, &["agents", "defaults", "llm"]).is_some() {
        take(root, &["agents", "defaults", "llm"]);
        notes.change(
            "Removed agents.defaults.llm; model idle timeout now follows models.providers.<id>.timeoutSeconds.",
        );
    }
}
