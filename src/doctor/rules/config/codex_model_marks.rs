//! Models of Codex that `/models add` of an earlier gateway wrote, without the mark that says so.

use serde_json::{Value, json};

use crate::doctor::rule::{Check, Notes, Rule};
use crate::model::doctor::Version;
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "codex-model-marks",
    severity: Severity::Info,
    since: Version(2026, 5, 0),
    what: "a model of openai-codex was written by /models add and does not say so",
    why: "An earlier /models add wrote the figures of that day into the file: window, tokens, price. Marked as such they give \
          way to the figures that the gateway gets from Codex itself; without the mark the old ones stay in force.",
    fix: "Adds metadataSource: \"models-add\" to a model whose every figure is one that /models add wrote. A model with any other \
          figure is somebody's own, and stays.",
    before: "{ models: { providers: { \"openai-codex\": { baseUrl: \"https://chatgpt.com/backend-api\", models: [{ id: \"gpt-5.5\", name: \"gpt-5.5\", api: \"openai-codex-responses\", reasoning: true, input: [\"text\", \"image\"], cost: { input: 5, output: 30, cacheRead: 0.5, cacheWrite: 0 }, contextWindow: 400000, contextTokens: 272000, maxTokens: 128000 }] } } } }",
    after: "{ models: { providers: { \"openai-codex\": { baseUrl: \"https://chatgpt.com/backend-api\", models: [{ id: \"gpt-5.5\", name: \"gpt-5.5\", api: \"openai-codex-responses\", reasoning: true, input: [\"text\", \"image\"], cost: { input: 5, output: 30, cacheRead: 0.5, cacheWrite: 0 }, contextWindow: 400000, contextTokens: 272000, maxTokens: 128000, metadataSource: \"models-add\" }] } } } }",
    check: Check::Migrate(migrate),
};

/// The models that it knew.
const MODELS: [&str; 2] = ["gpt-5.5", "gpt-5.5-pro"];
/// The numbers that it wrote, by their place in the model.
const NUMBERS: [(&str, f64); 7] = [
    ("/cost/input", 5.0),
    ("/cost/output", 30.0),
    ("/cost/cacheRead", 0.5),
    ("/cost/cacheWrite", 0.0),
    ("/contextWindow", 400_000.0),
    ("/contextTokens", 272_000.0),
    ("/maxTokens", 128_000.0),
];

fn migrate(root: &mut Value, notes: &mut Notes) {
    let Some(providers) = root.pointer_mut("/models/providers").and_then(Value::as_object_mut) else { return };
    for (name, provider) in providers.iter_mut().filter(|(name, _)| name.trim().eq_ignore_ascii_case("openai-codex")) {
        let models = provider.get_mut("models").and_then(Value::as_array_mut);
        for model in models.into_iter().flatten().filter(|model| was_added(model)) {
            let Some(object) = model.as_object_mut() else { continue };
            object.insert("metadataSource".to_owned(), "models-add".into());
            let id = object["id"].as_str().unwrap_or_default().trim();
            notes.change(format!(
                "Marked models.providers.{name}.models.{id} as /models add metadata so official OpenAI Codex metadata can \
                 override it."
            ));
        }
    }
}

fn was_added(model: &Value) -> bool {
    let id = model.get("id").and_then(Value::as_str).map(|id| id.trim().to_lowercase());
    model.get("metadataSource").is_none()
        && id.is_some_and(|id| MODELS.contains(&id.as_str()))
        && model.get("api") == Some(&json!("openai-codex-responses"))
        && model.get("reasoning") == Some(&json!(true))
        && model.get("input") == Some(&json!(["text", "image"]))
        && NUMBERS.iter().all(|(at, number)| model.pointer(at).and_then(Value::as_f64) == Some(*number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_with_one_figure_of_its_own_stays() {
        let root = json5::from_str::<Value>(RULE.before).unwrap();
        let at = "/models/providers/openai-codex/models/0";
        for (field, other) in [
            ("maxTokens", json!(64_000)),
            ("input", json!(["text"])),
            ("id", json!("gpt-5.4")),
            ("api", json!("openai-responses")),
            ("reasoning", json!(false)),
            ("metadataSource", json!("models-add")),
        ] {
            let mut own = root.clone();
            own.pointer_mut(at).unwrap()[field] = other;
            let before = own.clone();
            migrate(&mut own, &mut Notes::default());
            assert_eq!(own, before, "{field}");
        }
        let mut added = root;
        migrate(&mut added, &mut Notes::default());
        assert_eq!(added.pointer(at).unwrap()["metadataSource"], "models-add");
    }
}
