//! A secret is written as secretref-env:NAME.

use serde_json::Value;
use serde_json::json;

use crate::doctor::rule::{Check, Notes, Rule};
use crate::model::doctor::Version;
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "secret-ref-markers",
    severity: Severity::Error,
    since: Version(2026, 5, 0),
    what: "a secret is written as secretref-env:NAME",
    why: "References to secrets are objects with a source; the gateway takes the old text for the \
          secret itself, or refuses it.",
    fix: "Replaces the text by a reference to the same variable.",
    before: "{ channels: { telegram: { botToken: \"secretref-env:BOT_TOKEN\" } } }",
    after: "{ channels: { telegram: { botToken: { source: \"env\", provider: \"default\", id: \"BOT_TOKEN\" } } } }",
    check: Check::Migrate(migrate),
};

const OLD: &str = "secretref-env:";

fn migrate(root: &mut Value, notes: &mut Notes) {
    walk("", root, notes);
}

fn walk(path: &str, value: &mut Value, notes: &mut Notes) {
    let below = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    match value {
        Value::Array(items) => {
            for (at, item) in items.iter_mut().enumerate() {
                walk(&below(&at.to_string()), item, notes);
            }
        }
        Value::Object(map) => {
            for (key, item) in map.iter_mut() {
                match item.as_str().and_then(variable).filter(|_| holds_secret(key)) {
                    Some(name) => {
                        notes.change(format!(
                            "Moved {} secretref-env:{name} marker \u{2192} structured env SecretRef.",
                            below(key)
                        ));
                        *item = json!({ "source": "env", "provider": "default", "id": name });
                    }
                    None => walk(&below(key), item, notes),
                }
            }
        }
        _ => {}
    }
}

/// Names of keys that take a reference.
fn holds_secret(key: &str) -> bool {
    let key = key.to_lowercase();
    ["token", "apikey", "password", "secret", "serviceaccount", "privatekey"].iter().any(|word| key.ends_with(word))
}

fn variable(text: &str) -> Option<String> {
    let name = text.trim().strip_prefix(OLD)?.trim();
    let first = name.chars().next().is_some_and(|c| c.is_ascii_uppercase());
    let rest = name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    (first && rest).then(|| name.to_owned())
}
