//! Gateway.bind names an address instead of a mode.

use serde_json::Value;

use crate::doctor::rule::{Check, Notes, Rule};
use crate::doctor::value::object_mut;
use crate::model::doctor::Version;
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "gateway-bind-host",
    severity: Severity::Error,
    since: Version(2026, 5, 0),
    what: "gateway.bind names an address instead of a mode",
    why: "The gateway takes modes (loopback, lan, tailnet, auto, custom); it refuses an address and \
          does not start.",
    fix: "Replaces addresses that mean everywhere by lan, and those that mean this host by loopback.",
    before: "{ gateway: { mode: \"local\", bind: \"0.0.0.0\" } }",
    after: "{ gateway: { mode: \"local\", bind: \"lan\" } }",
    check: Check::Migrate(migrate),
};

fn migrate(root: &mut Value, notes: &mut Notes) {
    let Some(gateway) = object_mut(root, &["gateway"]) else { return };
    let Some(raw) = gateway.get("bind").and_then(Value::as_str).map(str::to_owned) else { return };
    let mode = match raw.trim().to_lowercase().as_str() {
        "0.0.0.0" | "::" | "[::]" | "*" => "lan",
        "127.0.0.1" | "localhost" | "::1" | "[::1]" => "loopback",
        _ => return,
    };
    gateway.insert("bind".to_owned(), mode.into());
    let shown = raw.replace('\r', "\\r").replace('\n', "\\n").replace('\t', "\\t");
    notes.change(format!("Normalized gateway.bind \"{shown}\" \u{2192} \"{mode}\"."));
}
