//! Match.accountID of a binding is written accountId.

use serde_json::Value;

use crate::doctor::rule::{Check, Notes, Rule};
use crate::model::doctor::Version;
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "bindings-account-id",
    severity: Severity::Error,
    since: Version(2026, 5, 0),
    what: "match.accountID of a binding is written accountId",
    why: "The key has another capital letter. The gateway refuses a configuration with this key and \
          does not start.",
    fix: "Renames the key; a value under the new name wins.",
    before: "{ bindings: [{ agentId: \"ops\", match: { channel: \"slack\", accountID: \"work\" } }] }",
    after: "{ bindings: [{ agentId: \"ops\", match: { channel: \"slack\", accountId: \"work\" } }] }",
    check: Check::Migrate(migrate),
};

fn migrate(root: &mut Value, notes: &mut Notes) {
    let bindings = root.get_mut("bindings").and_then(Value::as_array_mut);
    for (at, binding) in bindings.into_iter().flatten().enumerate() {
        let Some(of) = binding.get_mut("match").and_then(Value::as_object_mut) else { continue };
        let Some(old) = of.shift_remove("accountID") else { continue };
        let (from, to) = (format!("bindings[{at}].match.accountID"), format!("bindings[{at}].match.accountId"));
        if of.contains_key("accountId") {
            notes.change(format!("Removed {from} ({to} already set)."));
        } else {
            of.insert("accountId".to_owned(), old);
            notes.change(format!("Moved {from} \u{2192} {to}."));
        }
    }
}
