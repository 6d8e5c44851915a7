//! The skill nano-banana-pro is a setting of image generation now.

use serde_json::Value;

use crate::doctor::rule::{Check, Notes, Rule};
use crate::doctor::value::{ensure, get, take};
use crate::model::doctor::Version;
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "skill-nano-banana",
    severity: Severity::Warning,
    since: Version(2026, 5, 0),
    what: "the skill nano-banana-pro is a setting of image generation now",
    why: "Images are made by agents.defaults.imageGenerationModel; the skill is not bundled any more.",
    fix: "Chooses the same model there, moves the key to models.providers.google, and removes the \
          skill; values that are there win.",
    before: "{ skills: { entries: { \"nano-banana-pro\": { apiKey: \"K\" } } } }",
    after: "{ skills: { entries: { } }, agents: { defaults: { imageGenerationModel: { primary: \"google/gemini-3-pro-image-preview\" } } }, models: { providers: { google: { apiKey: \"K\", baseUrl: \"https://generativelanguage.googleapis.com/v1beta\", models: [] } } } }",
    check: Check::Migrate(migrate),
};

const SKILL: &str = "nano-banana-pro";

fn migrate(root: &mut Value, notes: &mut Notes) {
    let allowed = root.pointer("/skills/allowBundled").and_then(Value::as_array);
    let allowed = allowed.is_some_and(|list| list.iter().any(|item| item.as_str() == Some(SKILL)));
    let entry = get(root, &["skills", "entries", SKILL]).cloned();
    if !allowed && entry.is_none() {
        return;
    }
    let model = ["agents", "defaults", "imageGenerationModel"];
    let is_text = get(root, &model).is_some_and(Value::is_string);
    if !is_text && let Some(target) = ensure(root, &model).filter(|target| !target.contains_key("primary")) {
        target.insert("primary".to_owned(), "google/gemini-3-pro-image-preview".into());
        notes.change("Moved the skill nano-banana-pro \u{2192} agents.defaults.imageGenerationModel.primary.");
    }
    let key =
        entry.as_ref().and_then(|e| e.get("apiKey").or_else(|| e.get("env").and_then(|env| env.get("GEMINI_API_KEY"))));
    if let Some(key) = key.cloned()
        && let Some(google) =
            ensure(root, &["models", "providers", "google"]).filter(|google| !google.contains_key("apiKey"))
    {
        google.insert("apiKey".to_owned(), key);
        // A provider without these is refused.
        google.entry("baseUrl").or_insert_with(|| "https://generativelanguage.googleapis.com/v1beta".into());
        google.entry("models").or_insert_with(|| Value::Array(Vec::new()));
        notes.change("Moved skills.entries.nano-banana-pro.apiKey \u{2192} models.providers.google.apiKey.");
    }
    if entry.is_some() {
        take(root, &["skills", "entries", SKILL]);
        notes.change("Removed skills.entries.nano-banana-pro.");
    }
    if let Some(list) = root.pointer_mut("/skills/allowBundled").and_then(Value::as_array_mut) {
        list.retain(|item| item.as_str() != Some(SKILL));
    }
}
