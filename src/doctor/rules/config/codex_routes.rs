//! A model is named openai-codex/....

use serde_json::Value;

use crate::doctor::rule::{Check, Notes, Rule};
use crate::doctor::value::{Object, agents};
use crate::model::doctor::Version;
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "codex-model-routes",
    severity: Severity::Error,
    since: Version(2026, 5, 0),
    what: "a model is chosen from the provider openai-codex",
    why: "Models of Codex are models of openai that the runtime codex answers; the old provider is \
          gone.",
    fix: "Renames openai-codex/<model> to openai/<model> wherever a model is chosen, and chooses the \
          runtime codex for it where none is chosen.",
    before: "{ agents: { defaults: { model: { primary: \"anthropic/claude-opus-4-5\", fallbacks: [\"openai-codex/gpt-5.5\"] } } } }",
    after: "{ agents: { defaults: { model: { primary: \"anthropic/claude-opus-4-5\", fallbacks: [\"openai/gpt-5.5\"] }, models: { \"openai/gpt-5.5\": { agentRuntime: { id: \"codex\" } } } } } }",
    check: Check::Migrate(migrate),
};

const OLD: &str = "openai-codex/";

fn migrate(root: &mut Value, notes: &mut Notes) {
    let mut lines = Vec::new();
    agents(root, |path, agent| one(path, agent, &mut lines));
    for way in [&["channels", "modelByChannel"][..], &["hooks"], &["tools", "subagents"], &["messages", "tts"]] {
        let path = way.join(".");
        if let Some(part) = way.iter().try_fold(&mut *root, |value, name| value.get_mut(*name)) {
            named(&path, part, &mut lines, &mut Vec::new());
        }
    }
    if !lines.is_empty() {
        notes.change("Repaired Codex model routes:");
        lines.into_iter().for_each(|line| notes.change(line));
    }
}

/// Slots of an agent that choose a model.
fn one(path: &str, agent: &mut Object, lines: &mut Vec<String>) {
    let mut chosen = Vec::new();
    for (key, value) in agent.iter_mut() {
        if matches!(
            key.as_str(),
            "model"
                | "imageModel"
                | "imageGenerationModel"
                | "pdfModel"
                | "heartbeat"
                | "subagents"
                | "compaction"
                | "tts"
        ) {
            named(&format!("{path}.{key}"), value, lines, &mut chosen);
        }
    }
    let empty = || Value::Object(Object::new());
    let renamed = agent.get("models").and_then(Value::as_object).map(|models| {
        let keys = models.keys().filter(|key| key.starts_with(OLD)).cloned();
        keys.collect::<Vec<_>>()
    });
    for key in renamed.unwrap_or_default() {
        let new = key.replacen(OLD, "openai/", 1);
        let Some(models) = agent.get_mut("models").and_then(Value::as_object_mut) else { continue };
        if let Some(value) = models.shift_remove(&key) {
            models.entry(new.clone()).or_insert(value);
            lines.push(format!("- {path}.models.{key}: {key} -> {new}."));
            chosen.push(new);
        }
    }
    for model in chosen {
        let Some(models) = agent.entry("models").or_insert_with(empty).as_object_mut() else { continue };
        let Some(entry) = models.entry(model.clone()).or_insert_with(empty).as_object_mut() else { continue };
        if !entry.contains_key("agentRuntime") {
            entry.insert("agentRuntime".to_owned(), serde_json::json!({ "id": "codex" }));
            lines.push(format!(
                "Set {path}.models.{model}.agentRuntime.id to \"codex\" so repaired OpenAI refs keep Codex auth routing."
            ));
        }
    }
}

/// Renames in a slot: a name, a list of names, or the members that hold one.
fn named(path: &str, value: &mut Value, lines: &mut Vec<String>, chosen: &mut Vec<String>) {
    match value {
        Value::String(text) => {
            if let Some(name) = text.strip_prefix(OLD) {
                let new = format!("openai/{name}");
                lines.push(format!("- {path}: {text} -> {new}."));
                chosen.push(new.clone());
                *text = new;
            }
        }
        Value::Array(items) => {
            for (at, item) in items.iter_mut().enumerate() {
                named(&format!("{path}.{at}"), item, lines, chosen);
            }
        }
        Value::Object(map) => {
            for (key, item) in map.iter_mut() {
                // What a person wrote for a model to read names no model.
                if !matches!(key.as_str(), "prompt" | "systemPrompt" | "customInstructions" | "$include") {
                    named(&format!("{path}.{key}"), item, lines, chosen);
                }
            }
        }
        _ => {}
    }
}
