//! Identity belongs to an agent of agents.list.

use serde_json::Value;
use serde_json::json;

use crate::doctor::rule::{Check, Notes, Rule};
use crate::doctor::value::{Object, ensure, merge_missing, object, take};
use crate::model::doctor::Version;
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "identity-root",
    severity: Severity::Error,
    since: Version(2026, 5, 0),
    what: "identity belongs to an agent of agents.list",
    why: "Each agent has a name of its own. The gateway refuses the old section; its own doctor drops \
          it.",
    fix: "Moves it to the default agent; values that are there win. Without a list, one with the agent \
          main is made.",
    before: "{ identity: { name: \"Clawd\" } }",
    after: "{ agents: { list: [{ id: \"main\", identity: { name: \"Clawd\" } }] } }",
    check: Check::Migrate(migrate),
};

fn migrate(root: &mut Value, notes: &mut Notes) {
    let Some(identity) = object(root, &["identity"]).cloned() else { return };
    let Some(agents) = ensure(root, &["agents"]) else { return };
    let list = agents.entry("list").or_insert_with(|| Value::Array(Vec::new()));
    let Some(list) = list.as_array_mut() else {
        notes.leave("identity cannot be moved: agents.list is no list");
        return;
    };
    if list.is_empty() {
        list.push(json!({ "id": "main" }));
    }
    let default = list.iter().position(|agent| agent.get("default") == Some(&Value::Bool(true))).unwrap_or(0);
    let Some(agent) = list.get_mut(default).and_then(Value::as_object_mut) else {
        notes.leave("identity cannot be moved: the first agent of agents.list is no object");
        return;
    };
    let target = agent.entry("identity").or_insert_with(|| Value::Object(Object::new()));
    let Some(target) = target.as_object_mut() else {
        notes.leave(format!("identity cannot be moved: agents.list[{default}].identity is no object"));
        return;
    };
    merge_missing(target, identity);
    take(root, &["identity"]);
    notes.change(format!("Moved identity \u{2192} agents.list[{default}].identity."));
}
