//! The control page has no allowed origins on a bind that others reach.

use serde_json::Value;

use crate::doctor::rule::{Check, Notes, Rule};
use crate::doctor::value::{Object, ensure, object, text};
use crate::model::doctor::Version;
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "control-ui-origins",
    severity: Severity::Warning,
    since: Version(2026, 5, 0),
    what: "the control page has no allowed origins on a bind that others reach",
    why: "Since 2026.2.26 a gateway that listens beyond the loopback serves its control page only to \
          listed origins.",
    fix: "Lists the two local origins (and the custom host). Only beside another migration: alone, the \
          configuration is valid as it is.",
    before: "{ gateway: { bind: \"lan\", port: 19000 } }",
    after: "{ gateway: { bind: \"lan\", port: 19000, controlUi: { allowedOrigins: [\"http://localhost:19000\", \"http://127.0.0.1:19000\"] } } }",
    check: Check::Beside(&[], migrate),
};

fn migrate(root: &mut Value, notes: &mut Notes) {
    let Some(gateway) = object(root, &["gateway"]) else { return };
    let bind = gateway.get("bind").and_then(Value::as_str).unwrap_or_default().to_owned();
    if !matches!(bind.as_str(), "lan" | "tailnet" | "custom" | "auto") {
        return;
    }
    let ui = gateway.get("controlUi").and_then(Value::as_object);
    let listed = |ui: &Object| {
        let origins = ui.get("allowedOrigins").and_then(Value::as_array);
        origins.is_some_and(|all| all.iter().any(|o| o.as_str().is_some_and(|o| !o.trim().is_empty())))
    };
    let by_host = |ui: &Object| ui.get("dangerouslyAllowHostHeaderOriginFallback") == Some(&Value::Bool(true));
    if ui.is_some_and(|ui| listed(ui) || by_host(ui)) {
        return;
    }
    let port = gateway.get("port").and_then(Value::as_u64).filter(|port| *port > 0).unwrap_or(18789);
    let mut origins = vec![format!("http://localhost:{port}"), format!("http://127.0.0.1:{port}")];
    if let Some(host) = text(gateway, "customBindHost").filter(|_| bind == "custom") {
        origins.push(format!("http://{host}:{port}"));
    }
    let shown = Value::from(origins.clone()).to_string();
    let Some(ui) = ensure(root, &["gateway", "controlUi"]) else { return };
    ui.insert("allowedOrigins".to_owned(), origins.into());
    notes.change(format!(
        "Seeded gateway.controlUi.allowedOrigins {shown} for bind={bind}. Required since v2026.2.26. Add other machine origins to gateway.controlUi.allowedOrigins if needed."
    ));
}
