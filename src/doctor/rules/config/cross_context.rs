//! Tools.message.allowCrossContextSend has two parts now.

use serde_json::Value;

use crate::doctor::rule::{Check, Notes, Rule};
use crate::doctor::value::{Object, object_mut};
use crate::model::doctor::Version;
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "message-cross-context",
    severity: Severity::Error,
    since: Version(2026, 5, 0),
    what: "tools.message.allowCrossContextSend has two parts now",
    why: "Sending within one provider and across providers are allowed apart. The gateway refuses a \
          configuration with this key and does not start.",
    fix: "true allows both; false is what happens anyway, so the key goes.",
    before: "{ tools: { message: { allowCrossContextSend: true } } }",
    after: "{ tools: { message: { crossContext: { allowWithinProvider: true, allowAcrossProviders: true } } } }",
    check: Check::Migrate(migrate),
};

fn migrate(root: &mut Value, notes: &mut Notes) {
    const OLD: &str = "tools.message.allowCrossContextSend";
    let Some(message) = object_mut(root, &["tools", "message"]) else { return };
    let Some(allowed) = message.get("allowCrossContextSend").and_then(Value::as_bool) else { return };
    if !allowed {
        message.shift_remove("allowCrossContextSend");
        notes.change(format!("Removed {OLD}=false (default cross-context policy already matches canonical settings)."));
        return;
    }
    let target = message.entry("crossContext").or_insert_with(|| Value::Object(Object::new()));
    let Some(target) = target.as_object_mut() else {
        notes.leave("tools.message.crossContext is in the way: it is no object");
        return;
    };
    for key in ["allowWithinProvider", "allowAcrossProviders"] {
        target.insert(key.to_owned(), true.into());
    }
    message.shift_remove("allowCrossContextSend");
    notes.change(format!(
        "Moved {OLD} \u{2192} tools.message.crossContext.allowWithinProvider/allowAcrossProviders (true)."
    ));
}
