//! Session.parentForkMaxTokens is gone.

use serde_json::Value;

use crate::doctor::rule::{Check, Notes, Rule};
use crate::doctor::value::take;
use crate::model::doctor::Version;
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "session-parent-fork-max-tokens",
    severity: Severity::Error,
    since: Version(2026, 5, 0),
    what: "session.parentForkMaxTokens is gone",
    why: "The size of a fork of a parent session is found automatically. The gateway refuses a \
          configuration with this key and does not start.",
    fix: "Removes the key.",
    before: "{ session: { parentForkMaxTokens: 100000, scope: \"per-sender\" } }",
    after: "{ session: { scope: \"per-sender\" } }",
    check: Check::Migrate(migrate),
};

fn migrate(root: &mut Value, notes: &mut Notes) {
    if take(root, &["session", "parentForkMaxTokens"]).is_some() {
        notes.change("Removed session.parentForkMaxTokens; parent fork sizing is automatic.");
    }
}
