//! The runtime is chosen by provider and model, not by agent.

use serde_json::Value;

use crate::doctor::rule::{Check, Notes, Rule};
use crate::doctor::value::agents;
use crate::model::doctor::Version;
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "agents-runtime",
    severity: Severity::Error,
    since: Version(2026, 5, 0),
    what: "the runtime is chosen by provider and model, not by agent",
    why: "agentRuntime and embeddedHarness of an agent are not read any more. The gateway refuses a \
          configuration with this key and does not start.",
    fix: "Removes both from the defaults and from each agent of the list.",
    before: "{ agents: { list: [{ id: \"main\", agentRuntime: { id: \"pi\" } }] } }",
    after: "{ agents: { list: [{ id: \"main\" }] } }",
    check: Check::Migrate(migrate),
};

fn migrate(root: &mut Value, notes: &mut Notes) {
    agents(root, |path, agent| {
        for key in ["embeddedHarness", "agentRuntime"] {
            if agent.get(key).is_some_and(Value::is_object) {
                agent.shift_remove(key);
                notes.change(format!("Removed {path}.{key}; runtime is now provider/model scoped."));
            }
        }
    });
}
