//! Sandbox.perSession is called scope now.

use serde_json::Value;

use crate::doctor::rule::{Check, Notes, Rule};
use crate::doctor::value::agents;
use crate::model::doctor::Version;
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "sandbox-per-session",
    severity: Severity::Error,
    since: Version(2026, 5, 0),
    what: "sandbox.perSession is called scope now",
    why: "true means a sandbox per session, false one that is shared. The gateway refuses a \
          configuration with this key and does not start.",
    fix: "Sets scope to session or shared; where scope is set already, the old key goes.",
    before: "{ agents: { defaults: { sandbox: { perSession: true } } } }",
    after: "{ agents: { defaults: { sandbox: { scope: \"session\" } } } }",
    check: Check::Migrate(migrate),
};

fn migrate(root: &mut Value, notes: &mut Notes) {
    agents(root, |path, agent| {
        let Some(sandbox) = agent.get_mut("sandbox").and_then(Value::as_object_mut) else { return };
        let Some(per_session) = sandbox.get("perSession").and_then(Value::as_bool) else { return };
        sandbox.shift_remove("perSession");
        let (old, new) = (format!("{path}.sandbox.perSession"), format!("{path}.sandbox.scope"));
        if sandbox.contains_key("scope") {
            notes.change(format!("Removed {old} ({new} already set)."));
            return;
        }
        let scope = if per_session { "session" } else { "shared" };
        sandbox.insert("scope".to_owned(), scope.into());
        notes.change(format!("Moved {old} \u{2192} {new} ({scope})."));
    });
}
