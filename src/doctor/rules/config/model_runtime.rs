//! A model is named by the runtime that runs it.

use serde_json::Value;

use crate::doctor::rule::{Check, Notes, Rule};
use crate::doctor::value::{Object, agents};
use crate::model::doctor::Version;
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "model-runtime-refs",
    severity: Severity::Error,
    since: Version(2026, 5, 0),
    what: "a model is named by the runtime that runs it",
    why: "A model is named by its provider; which runtime answers is set per model. The old names lead \
          nowhere.",
    fix: "Renames codex and codex-cli to openai, claude-cli to anthropic and google-gemini-cli to \
          google in model and fallbacks, copies their entries of models, and chooses the runtime there \
          unless one is chosen.",
    before: "{ agents: { defaults: { model: { primary: \"claude-cli/claude-opus-4-5\" } } } }",
    after: "{ agents: { defaults: { model: { primary: \"anthropic/claude-opus-4-5\" }, models: { \"anthropic/claude-opus-4-5\": { agentRuntime: { id: \"claude-cli\" } } } } } }",
    check: Check::Migrate(migrate),
};

/// Runtimes and the providers whose models they run.
const RUNTIMES: [(&str, &str); 4] =
    [("codex", "openai"), ("codex-cli", "openai"), ("claude-cli", "anthropic"), ("google-gemini-cli", "google")];

fn migrate(root: &mut Value, notes: &mut Notes) {
    agents(root, |path, agent| one(path, agent, notes));
}

/// The provider's name for a model that is named by its runtime, and the runtime.
fn canonical(model: &str) -> Option<(String, &'static str)> {
    let (runtime, name) = model.split_once('/')?;
    let (runtime, provider) = RUNTIMES.iter().find(|(known, _)| *known == runtime.trim())?;
    Some((format!("{provider}/{name}"), runtime))
}

fn one(path: &str, agent: &mut Object, notes: &mut Notes) {
    let primary = match agent.get("model") {
        Some(Value::String(text)) => Some(text.clone()),
        Some(Value::Object(map)) => map.get("primary").and_then(Value::as_str).map(str::to_owned),
        _ => None,
    };
    let Some((new, runtime)) = primary.as_deref().and_then(canonical) else { return };
    let mut chosen = vec![new.clone()];
    match agent.get_mut("model") {
        Some(Value::Object(map)) => {
            map.insert("primary".to_owned(), new.into());
            let fallbacks = map.get_mut("fallbacks").and_then(Value::as_array_mut);
            for fallback in fallbacks.into_iter().flatten() {
                if let Some((new, of)) = fallback.as_str().and_then(canonical)
                    && of == runtime
                {
                    chosen.push(new.clone());
                    *fallback = new.into();
                }
            }
        }
        Some(slot) => *slot = new.into(),
        None => {}
    }
    notes.change(format!(
        "Moved {path}.model legacy runtime primary refs to canonical provider refs and selected {runtime} runtime."
    ));
    copy_entries(path, agent, notes);
    choose(path, agent, &chosen, runtime, notes);
}

/// Entries of `models` under their old names stay; the new names get a copy.
fn copy_entries(path: &str, agent: &mut Object, notes: &mut Notes) {
    let Some(models) = agent.get_mut("models").and_then(Value::as_object_mut) else { return };
    let copies: Vec<(String, Value)> = models
        .iter()
        .filter_map(|(key, value)| Some((canonical(key)?.0, value.clone())))
        .filter(|(key, _)| !models.contains_key(key))
        .collect();
    if copies.is_empty() {
        return;
    }
    models.extend(copies);
    notes.change(format!("Moved {path}.models legacy runtime keys to canonical provider keys."));
}

fn choose(path: &str, agent: &mut Object, models: &[String], runtime: &str, notes: &mut Notes) {
    if matches!(runtime, "codex" | "codex-cli") {
        return;
    }
    let empty = || Value::Object(Object::new());
    let Some(entries) = agent.entry("models").or_insert_with(empty).as_object_mut() else { return };
    let mut changed = false;
    for model in models {
        let Some(entry) = entries.entry(model.clone()).or_insert_with(empty).as_object_mut() else { continue };
        let there = entry.get("agentRuntime").and_then(|r| r.get("id")).and_then(Value::as_str);
        if there.is_some_and(|id| id != "auto") {
            continue;
        }
        let Some(slot) = entry.entry("agentRuntime").or_insert_with(empty).as_object_mut() else { continue };
        slot.insert("id".to_owned(), runtime.into());
        changed = true;
    }
    if changed {
        notes.change(format!("Selected {runtime} runtime for {path}.models entries."));
    }
}
