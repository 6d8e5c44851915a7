//! Agent is called agents.defaults now.

use serde_json::Value;
use serde_json::json;

use crate::doctor::rule::{Check, Notes, Rule};
use crate::doctor::value::{Object, drop_empty, ensure, get, merge_missing, object, take};
use crate::model::doctor::Version;
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "agent-root",
    severity: Severity::Error,
    since: Version(2026, 5, 0),
    what: "agent is called agents.defaults now",
    why: "What one agent had in the first versions are the defaults of all agents, and its tools are \
          tools of the gateway. The gateway refuses the old section; its own doctor drops it with \
          everything in it.",
    fix: "Moves every value to its new place: models to agents.defaults.model, models and imageModel, \
          tools to tools, the rest to agents.defaults; values that are there win. A key that has no \
          place stays in agent.",
    before: "{ agent: { model: \"anthropic/claude-opus-4-5\", workspace: \"~/clawd\" } }",
    after: "{ agents: { defaults: { model: \"anthropic/claude-opus-4-5\", workspace: \"~/clawd\" } } }",
    check: Check::Migrate(migrate),
};

/// Keys that keep their name under `agents.defaults`.
const DEFAULTS: &[&str] = &[
    "workspace",
    "repoRoot",
    "skipBootstrap",
    "bootstrapMaxChars",
    "userTimezone",
    "timeFormat",
    "contextTokens",
    "contextPruning",
    "compaction",
    "memorySearch",
    "thinkingDefault",
    "verboseDefault",
    "reasoningDefault",
    "elevatedDefault",
    "blockStreamingDefault",
    "blockStreamingBreak",
    "blockStreamingChunk",
    "blockStreamingCoalesce",
    "humanDelay",
    "timeoutSeconds",
    "mediaMaxMb",
    "typingIntervalSeconds",
    "typingMode",
    "heartbeat",
    "maxConcurrent",
    "subagents",
    "sandbox",
    "models",
    "model",
    "imageModel",
    "cliBackends",
    "params",
    "envelopeTimezone",
    "envelopeTimestamp",
    "envelopeElapsed",
];
/// Old and new place of tools.
const TOOLS: &[(&[&str], &[&str])] = &[
    (&["agent", "tools"], &["tools"]),
    (&["agent", "elevated"], &["tools", "elevated"]),
    (&["agent", "bash"], &["tools", "exec"]),
    (&["agent", "exec"], &["tools", "exec"]),
    (&["agent", "sandbox", "tools"], &["tools", "sandbox", "tools"]),
    (&["agent", "subagents", "tools"], &["tools", "subagents", "tools"]),
];

fn migrate(root: &mut Value, notes: &mut Notes) {
    if object(root, &["agent"]).is_none() {
        return;
    }
    for (old, new) in TOOLS {
        move_to(root, old, new, notes);
    }
    models(root, notes);
    let there = object(root, &["agent"]).map(|agent| agent.keys().cloned().collect::<Vec<_>>()).unwrap_or_default();
    for key in there {
        if DEFAULTS.contains(&key.as_str()) {
            move_to(root, &["agent", &key], &["agents", "defaults", &key], notes);
        } else if key != "$include" {
            notes.leave(format!("agent.{key} has no place in this version; it stays"));
        }
    }
    drop_empty(root, &["agent"]);
}

/// Moves a value, or what an object of the same name lacks.
fn move_to(root: &mut Value, old: &[&str], new: &[&str], notes: &mut Notes) {
    let Some(value) = get(root, old).cloned() else { return };
    let (from, to) = (old.join("."), new.join("."));
    let Some((last, above)) = new.split_last() else { return };
    let Some(parent) = ensure(root, above) else {
        notes.leave(format!("{from} cannot be moved: something that is no object is in the way of {to}"));
        return;
    };
    match (parent.get_mut(*last), value) {
        (None, value) => {
            parent.insert((*last).to_owned(), value);
            notes.change(format!("Moved {from} \u{2192} {to}."));
        }
        (Some(Value::Object(there)), Value::Object(more)) => {
            merge_missing(there, more);
            notes.change(format!("Merged {from} \u{2192} {to} (values that are there win)."));
        }
        (Some(_), _) => notes.change(format!("Removed {from} ({to} already set).")),
    }
    take(root, old);
}

fn models(root: &mut Value, notes: &mut Notes) {
    for (key, slot) in [("modelFallbacks", "model"), ("imageModelFallbacks", "imageModel")] {
        let Some(list) = get(root, &["agent", key]).cloned() else { continue };
        // The model moves first, so that it and its fallbacks come together.
        move_to(root, &["agent", slot], &["agents", "defaults", slot], notes);
        let Some(defaults) = ensure(root, &["agents", "defaults"]) else { continue };
        let model = defaults.entry(slot).or_insert_with(|| Value::Object(Object::new()));
        if let Value::String(primary) = model {
            *model = json!({ "primary": primary });
        }
        let Some(model) = model.as_object_mut() else { continue };
        if !model.contains_key("fallbacks") {
            model.insert("fallbacks".to_owned(), list);
        }
        take(root, &["agent", key]);
        notes.change(format!("Moved agent.{key} \u{2192} agents.defaults.{slot}.fallbacks."));
    }
    let allowed = get(root, &["agent", "allowedModels"]).and_then(Value::as_array).cloned();
    if let Some(list) = allowed {
        let refs = list.iter().filter_map(Value::as_str);
        enter(root, refs.map(|name| (name.to_owned(), None)).collect());
        take(root, &["agent", "allowedModels"]);
        notes.change("Moved agent.allowedModels \u{2192} agents.defaults.models.");
    }
    let aliases = object(root, &["agent", "modelAliases"]).cloned();
    if let Some(aliases) = aliases {
        let named = aliases.iter().filter_map(|(alias, model)| Some((model.as_str()?.to_owned(), Some(alias.clone()))));
        enter(root, named.collect());
        take(root, &["agent", "modelAliases"]);
        notes.change("Moved agent.modelAliases \u{2192} agents.defaults.models.");
    }
}

/// Makes entries of the catalogue of models, with an alias if one is given.
fn enter(root: &mut Value, models: Vec<(String, Option<String>)>) {
    let Some(catalogue) = ensure(root, &["agents", "defaults", "models"]) else { return };
    for (model, alias) in models {
        let entry = catalogue.entry(model).or_insert_with(|| Value::Object(Object::new()));
        if let (Some(entry), Some(alias)) = (entry.as_object_mut(), alias) {
            entry.entry("alias").or_insert_with(|| alias.into());
        }
    }
}
