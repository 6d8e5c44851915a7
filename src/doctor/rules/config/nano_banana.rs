//! The skill nano-banana-pro is a setting of image generation now.

use serde_json::Value;

use crate::doctor::rule::{Check, Notes, Rule};
use crate::doctor::value::{drop_empty, ensure, get, take};
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
          skill; values that are there win. A skill that is switched off, another key and other settings of it are left to you.",
    before: "{ skills: { entries: { \"nano-banana-pro\": { apiKey: \"K\" } } } }",
    after: "{ skills: { entries: { } }, agents: { defaults: { imageGenerationModel: { primary: \"google/gemini-3-pro-image-preview\" } } }, models: { providers: { google: { apiKey: \"K\", baseUrl: \"https://generativelanguage.googleapis.com/v1beta\", models: [] } } } }",
    check: Check::Migrate(migrate),
};

const SKILL: &str = "nano-banana-pro";

fn migrate(root: &mut Value, notes: &mut Notes) {
    let entry = get(root, &["skills", "entries", SKILL]).cloned();
    let off = entry.as_ref().is_some_and(|e| e == &Value::Bool(false) || e.get("enabled") == Some(&Value::Bool(false)));
    if off {
        // Whoever switched it off wants no images of it.
        let why = "is switched off: remove it, or choose agents.defaults.imageGenerationModel yourself";
        return notes.leave(format!("skills.entries.{SKILL} {why}"));
    }
    let is_it = |item: &Value| item.as_str().is_some_and(|name| name.trim() == SKILL);
    let allowed = root.pointer("/skills/allowBundled").and_then(Value::as_array);
    let allowed = allowed.is_some_and(|list| list.iter().any(is_it));
    if !allowed && entry.is_none() {
        return;
    }
    let model = ["agents", "defaults", "imageGenerationModel"];
    let is_text = get(root, &model).is_some_and(Value::is_string);
    if !is_text && let Some(target) = ensure(root, &model).filter(|target| !target.contains_key("primary")) {
        target.insert("primary".to_owned(), "google/gemini-3-pro-image-preview".into());
        notes.change("Moved the skill nano-banana-pro \u{2192} agents.defaults.imageGenerationModel.primary.");
    }
    if let Some(entry) = entry {
        let rest = without_key(root, entry, notes);
        if rest.is_null() || rest == Value::Bool(true) || rest.as_object().is_some_and(serde_json::Map::is_empty) {
            take(root, &["skills", "entries", SKILL]);
            notes.change("Removed skills.entries.nano-banana-pro.");
        } else {
            let fields: Vec<&str> = rest.as_object().into_iter().flat_map(|r| r.keys().map(String::as_str)).collect();
            let why = "has no place in the settings of image generation: see what of it is still wanted, and remove it";
            notes.leave(format!("skills.entries.{SKILL} {} {why}", fields.join(", ")));
            if let Some(entries) = ensure(root, &["skills", "entries"]) {
                entries.insert(SKILL.to_owned(), rest);
            }
        }
    }
    if let Some(list) = root.pointer_mut("/skills/allowBundled").and_then(Value::as_array_mut).filter(|_| allowed) {
        list.retain(|item| !is_it(item));
        notes.change("Removed nano-banana-pro from skills.allowBundled.");
    }
}

/// Moves the key of the skill to the provider, and gives what is left of the entry. What the provider has already wins;
/// another key than that stays where it is.
fn without_key(root: &mut Value, mut entry: Value, notes: &mut Notes) -> Value {
    let missed = |value: &Value| !value.is_null() && value.as_str().is_none_or(|text| !text.trim().is_empty());
    for way in [&["env", "GEMINI_API_KEY"][..], &["apiKey"]] {
        let Some(key) = get(&entry, way).cloned() else { continue };
        if missed(&key)
            && let Some(google) =
                ensure(root, &["models", "providers", "google"]).filter(|google| !google.contains_key("apiKey"))
        {
            google.insert("apiKey".to_owned(), key.clone());
            // A provider without these is refused.
            google.entry("baseUrl").or_insert_with(|| "https://generativelanguage.googleapis.com/v1beta".into());
            google.entry("models").or_insert_with(|| Value::Array(Vec::new()));
            let from = way.join(".");
            notes.change(format!("Moved skills.entries.{SKILL}.{from} \u{2192} models.providers.google.apiKey."));
        }
        if !missed(&key) || get(root, &["models", "providers", "google", "apiKey"]) == Some(&key) {
            take(&mut entry, way);
        }
    }
    drop_empty(&mut entry, &["env"]);
    drop_empty(&mut entry, &["config"]);
    if entry.get("enabled") == Some(&Value::Bool(true)) {
        take(&mut entry, &["enabled"]);
    }
    entry
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const ENTRY: &str = "/skills/entries/nano-banana-pro";

    fn run(entry: Value) -> (Value, Notes) {
        let mut root = json!({ "skills": { "entries": { SKILL: entry } } });
        let mut notes = Notes::default();
        migrate(&mut root, &mut notes);
        let once = root.clone();
        migrate(&mut root, &mut Notes::default());
        assert_eq!(root, once, "a second run");
        (root, notes)
    }

    #[test]
    fn a_skill_that_is_off_stays_off() {
        let entry = json!({ "env": { "GEMINI_API_KEY": "K" }, "enabled": false });
        let (root, notes) = run(entry.clone());
        assert_eq!(root, json!({ "skills": { "entries": { SKILL: entry } } }));
        assert!(notes.lines.is_empty() && notes.manual[0].contains("switched off"), "{notes:?}");
    }

    #[test]
    fn the_key_is_named_by_where_it_was_and_what_has_no_place_stays() {
        let entry = json!({
            "env": { "GEMINI_API_KEY": "K", "OTHER": "o" }, "config": { "resolution": "4K" }, "enabled": true
        });
        let (root, notes) = run(entry);
        assert_eq!(root.pointer("/models/providers/google/apiKey"), Some(&json!("K")));
        let left = json!({ "env": { "OTHER": "o" }, "config": { "resolution": "4K" } });
        assert_eq!(root.pointer(ENTRY), Some(&left));
        let said = notes.lines.join("\n");
        assert!(said.contains("nano-banana-pro.env.GEMINI_API_KEY") && !said.contains("pro.apiKey"), "{said}");
        assert!(notes.manual[0].contains("env, config"), "{notes:?}");
    }

    #[test]
    fn a_second_key_stays_where_it_is() {
        let (root, _) = run(json!({ "apiKey": "A", "env": { "GEMINI_API_KEY": "B" } }));
        assert_eq!(root.pointer("/models/providers/google/apiKey"), Some(&json!("B")));
        assert_eq!(root.pointer(ENTRY), Some(&json!({ "apiKey": "A" })));
        let (root, _) = run(json!({ "apiKey": "A", "env": { "GEMINI_API_KEY": "A" } }));
        assert_eq!(root.pointer(ENTRY), None);
    }
}
