//! `session.maintenance.rotateBytes`: no longer read.

use serde_json::Value;

use crate::doctor::rule::{Check, Notes, Rule};
use crate::model::doctor::Version;
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "session-rotate-bytes",
    severity: Severity::Warning,
    since: Version(2026, 5, 0),
    what: "session.maintenance.rotateBytes is ignored",
    why: "The gateway no longer rotates its index. The key is tolerated and has no effect, so a limit that somebody \
          believes in is not there; maxDiskBytes is the setting that bounds the folder.",
    fix: "Removes the key.",
    before: "{ session: { maintenance: { rotateBytes: \"10mb\", pruneAfter: \"14d\" } } }",
    after: "{ session: { maintenance: { pruneAfter: \"14d\" } } }",
    check: Check::Migrate(migrate),
};

fn migrate(root: &mut Value, notes: &mut Notes) {
    let maintenance = root.pointer_mut("/session/maintenance").and_then(Value::as_object_mut);
    if maintenance.is_some_and(|m| m.shift_remove("rotateBytes").is_some()) {
        notes.change("Removed deprecated session.maintenance.rotateBytes.");
    }
}
