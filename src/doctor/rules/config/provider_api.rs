//! The API openai of a model provider is called openai-completions.

use serde_json::Value;

use crate::doctor::rule::{Check, Notes, Rule};
use crate::doctor::value::object_mut;
use crate::model::doctor::Version;
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "provider-api-openai",
    severity: Severity::Error,
    since: Version(2026, 5, 0),
    what: "the API openai of a model provider is called openai-completions",
    why: "The old name is not one of those that the gateway knows; it skips such a provider.",
    fix: "Replaces the name, for the provider and for each of its models.",
    before: "{ models: { providers: { local: { api: \"openai\", baseUrl: \"http://127.0.0.1:9/v1\", models: [] } } } }",
    after: "{ models: { providers: { local: { api: \"openai-completions\", baseUrl: \"http://127.0.0.1:9/v1\", models: [] } } } }",
    check: Check::Migrate(migrate),
};

fn migrate(root: &mut Value, notes: &mut Notes) {
    let Some(providers) = object_mut(root, &["models", "providers"]) else { return };
    for (name, provider) in providers {
        let path = format!("models.providers.{name}");
        rename(&format!("{path}.api"), provider, notes);
        let models = provider.get_mut("models").and_then(Value::as_array_mut);
        for (at, model) in models.into_iter().flatten().enumerate() {
            rename(&format!("{path}.models[{at}].api"), model, notes);
        }
    }
}

fn rename(path: &str, holder: &mut Value, notes: &mut Notes) {
    if holder.get("api").and_then(Value::as_str) == Some("openai") {
        holder["api"] = "openai-completions".into();
        notes.change(format!("Moved {path} \"openai\" \u{2192} \"openai-completions\"."));
    }
}
