//! Routing.agents and routing.defaultAgentId are agents.list now.

use serde_json::Value;
use serde_json::json;

use crate::doctor::rule::{Check, Notes, Rule};
use crate::doctor::value::{Object, drop_empty, ensure, get, merge_missing, object, take};
use crate::model::doctor::Version;
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "routing-agents",
    severity: Severity::Error,
    since: Version(2026, 5, 0),
    what: "routing.agents and routing.defaultAgentId are agents.list now",
    why: "Agents are a list with one default. The gateway refuses the old keys; its own doctor drops \
          them with everything in them.",
    fix: "Makes an entry of each agent, and marks the default one; where the list has the same id, its \
          values win. Without a default the agent main is put first, because it was the default then.",
    before: "{ routing: { agents: { ops: { workspace: \"~/ops\" } }, defaultAgentId: \"ops\" } }",
    after: "{ agents: { list: [{ id: \"ops\", workspace: \"~/ops\", default: true }] } }",
    check: Check::Migrate(migrate),
};

fn migrate(root: &mut Value, notes: &mut Notes) {
    let old = object(root, &["routing", "agents"]).cloned();
    let default = get(root, &["routing", "defaultAgentId"]).and_then(Value::as_str).map(|id| id.trim().to_owned());
    if old.is_none() && default.is_none() {
        return;
    }
    if let Some((id, _)) = old.iter().flatten().find(|(_, settings)| !settings.is_object()) {
        notes.leave(format!("routing.agents cannot be moved: routing.agents.{id} is no object"));
        return;
    }
    if default.is_none() && get(root, &["routing", "defaultAgentId"]).is_some_and(|id| !id.is_null()) {
        notes.leave("routing.defaultAgentId is no text: it names no agent");
        return;
    }
    let Some(agents) = ensure(root, &["agents"]) else { return };
    let had_list = agents.get("list").and_then(Value::as_array).is_some_and(|list| !list.is_empty());
    let list = agents.entry("list").or_insert_with(|| Value::Array(Vec::new()));
    let Some(list) = list.as_array_mut() else {
        notes.leave("routing.agents cannot be moved: agents.list is no list");
        return;
    };
    for (id, settings) in old.iter().flatten() {
        let Some(settings) = settings.as_object().cloned() else { continue };
        add(list, id, settings);
    }
    if old.is_some() {
        notes.change("Moved routing.agents \u{2192} agents.list.");
    }
    let marked = list.iter().any(|agent| agent.get("default") == Some(&Value::Bool(true)));
    match default {
        Some(id) if !marked && !id.is_empty() => {
            add(list, &id, Object::new());
            if let Some(agent) = entry(list, &id) {
                agent.insert("default".to_owned(), true.into());
            }
            notes.change(format!("Moved routing.defaultAgentId \u{2192} agents.list[] default ({id})."));
        }
        Some(_) => notes.change("Removed routing.defaultAgentId (agents.list has a default already)."),
        None if !marked && !had_list && !list.is_empty() && entry(list, "main").is_none() => {
            list.insert(0, json!({ "id": "main" }));
        }
        None => {}
    }
    if list.is_empty() {
        take(root, &["agents", "list"]);
        drop_empty(root, &["agents"]);
    }
    for key in ["agents", "defaultAgentId"] {
        take(root, &["routing", key]);
    }
    drop_empty(root, &["routing"]);
}

fn entry<'v>(list: &'v mut [Value], id: &str) -> Option<&'v mut Object> {
    let same =
        |agent: &&mut Value| agent.get("id").and_then(Value::as_str).is_some_and(|i| i.trim().eq_ignore_ascii_case(id));
    list.iter_mut().find(same)?.as_object_mut()
}

fn add(list: &mut Vec<Value>, id: &str, settings: Object) {
    if let Some(there) = entry(list, id) {
        merge_missing(there, settings);
        return;
    }
    let mut agent = Object::new();
    agent.insert("id".to_owned(), id.into());
    merge_missing(&mut agent, settings);
    list.push(Value::Object(agent));
}
