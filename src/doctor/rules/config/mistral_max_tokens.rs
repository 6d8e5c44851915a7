//! A model of Mistral may answer with as many tokens as its window has.

use serde_json::Value;

use crate::doctor::rule::{Check, Notes, Rule};
use crate::model::doctor::Version;
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "mistral-max-tokens",
    severity: Severity::Warning,
    since: Version(2026, 5, 0),
    what: "a model of Mistral may answer with as many tokens as its window has",
    why: "Mistral refuses a request whose answer could fill the whole context window.",
    fix: "Lowers maxTokens to 8192, or to the window if that is smaller.",
    before: "{ models: { providers: { mistral: { baseUrl: \"https://api.mistral.ai/v1\", models: [{ id: \"m\", name: \"M\", contextWindow: 32000, maxTokens: 32000 }] } } } }",
    after: "{ models: { providers: { mistral: { baseUrl: \"https://api.mistral.ai/v1\", models: [{ id: \"m\", name: \"M\", contextWindow: 32000, maxTokens: 8192 }] } } } }",
    check: Check::Migrate(migrate),
};

/// What every model of theirs takes.
const SAFE: u64 = 8192;

fn migrate(root: &mut Value, notes: &mut Notes) {
    let models = root.pointer_mut("/models/providers/mistral/models").and_then(Value::as_array_mut);
    for (at, model) in models.into_iter().flatten().enumerate() {
        let number = |key: &str| model.get(key).and_then(Value::as_u64);
        let (Some(max), Some(window)) = (number("maxTokens"), number("contextWindow")) else { continue };
        let safe = SAFE.min(window);
        if max < window || safe >= max {
            continue;
        }
        model["maxTokens"] = safe.into();
        notes.change(format!(
            "Normalized models.providers.mistral.models[{at}].maxTokens ({max} \u{2192} {safe}) to avoid Mistral context-window rejects."
        ));
    }
}
