//! `agents.list` and `agents.defaults` (spec 1.3).

use serde_json::Value;

use super::reader::{Reader, shown, whole};
use crate::discover::agent_id;
use crate::model::settings::AgentEntry;
use crate::model::sourced::Sourced;

/// `agents.list`.
pub const LIST: &str = "agents.list";
/// `agents.defaults.contextTokens`.
pub const CONTEXT_TOKENS: &str = "agents.defaults.contextTokens";
/// `agents.defaults.model`.
pub const DEFAULT_MODEL: &str = "agents.defaults.model";

/// The agents in order, each id once, never empty; and the id of the default one.
pub(super) fn read(r: &mut Reader<'_>) -> (Vec<AgentEntry>, String) {
    let mut agents: Vec<AgentEntry> = Vec::new();
    let mut defaults = Vec::new();
    for (i, item) in items(r).iter().enumerate() {
        let Some(agent) = entry(r, i, item) else { continue };
        if agent.default {
            defaults.push(agent.id.clone());
        }
        match agents.iter().find(|a| a.id == agent.id) {
            Some(first) => {
                let text = format!(
                    "{}: agents {:?} and {:?} are one agent, {}; they share a folder and the first one counts",
                    r.file(LIST).display(),
                    first.raw,
                    agent.raw,
                    agent.id
                );
                r.warn(text);
            }
            None => agents.push(agent),
        }
    }
    if agents.is_empty() {
        agents.push(AgentEntry {
            id: agent_id::MAIN.to_owned(),
            raw: agent_id::MAIN.to_owned(),
            default: false,
            model: None,
        });
    }
    if defaults.len() > 1 {
        let text =
            format!("{}: several default agents ({}); the first counts", r.file(LIST).display(), defaults.join(", "));
        r.warn(text);
    }
    let default = defaults.into_iter().next().unwrap_or_else(|| agents[0].id.clone());
    (agents, default)
}

fn items<'a>(r: &mut Reader<'a>) -> &'a [Value] {
    match r.value(LIST) {
        Some(Value::Array(items)) => items,
        Some(other) => {
            r.problem(LIST, other, "a list of agents");
            &[]
        }
        None => &[],
    }
}

fn entry(r: &mut Reader<'_>, position: usize, item: &Value) -> Option<AgentEntry> {
    let Some(object) = item.as_object() else {
        let text = format!("{}: {LIST}.{position} is not an object and is ignored", r.file(LIST).display());
        r.warn(text);
        return None;
    };
    // The id decides which folder is looked at: one that cannot be read may not silently become `main`.
    let raw = match object.get("id") {
        Some(Value::String(id)) => id.clone(),
        None => String::new(),
        Some(other) => {
            r.problem(&format!("{LIST}.{position}.id"), other, "a string");
            return None;
        }
    };
    let default = object.get("default").is_some_and(truthy);
    let model = object.get("model").and_then(model_name);
    Some(AgentEntry { id: agent_id::normalize(&raw), raw, default, model })
}

/// `agents.defaults.contextTokens`. Only shown, so a bad value is advice and no problem.
pub(super) fn context_tokens(r: &mut Reader<'_>) -> Option<Sourced<u64>> {
    let value = r.value(CONTEXT_TOKENS)?;
    match whole(value).filter(|n| *n > 0) {
        Some(n) => Some(r.sourced(CONTEXT_TOKENS, n)),
        None => {
            let text = format!("{CONTEXT_TOKENS} is {}, not a positive whole number; ignored", shown(value));
            r.warn(text);
            None
        }
    }
}

/// `agents.defaults.model`: the name, or `primary` of an object.
pub(super) fn default_model(r: &mut Reader<'_>) -> Option<String> {
    r.value(DEFAULT_MODEL).and_then(model_name)
}

fn model_name(value: &Value) -> Option<String> {
    let text = value.as_str().or_else(|| value.get("primary")?.as_str())?.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// Truth as JavaScript has it.
fn truthy(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(b) => *b,
        Value::Number(n) => n.as_f64().is_some_and(|n| n != 0.0),
        Value::String(s) => !s.is_empty(),
        Value::Array(_) | Value::Object(_) => true,
    }
}
