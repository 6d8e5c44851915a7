//! Settings of the old browser relay are in use.

use serde_json::Value;

use crate::doctor::rule::{Check, Notes, Rule};
use crate::doctor::value::object_mut;
use crate::model::doctor::Version;
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "browser-legacy",
    severity: Severity::Error,
    since: Version(2026, 5, 0),
    what: "settings of the old browser relay are in use",
    why: "The browser is attached to as an existing session now, and private networks have a name that \
          says what it means. The gateway refuses a configuration with this key and does not start.",
    fix: "Removes relayBindHost, turns the driver extension into existing-session, and renames \
          allowPrivateNetwork; true on either side stays true.",
    before: "{ browser: { relayBindHost: \"0.0.0.0\", profiles: { work: { driver: \"extension\", color: \"#FF4500\" } } } }",
    after: "{ browser: { profiles: { work: { driver: \"existing-session\", color: \"#FF4500\" } } } }",
    check: Check::Migrate(migrate),
};

fn migrate(root: &mut Value, notes: &mut Notes) {
    let Some(browser) = object_mut(root, &["browser"]) else { return };
    if browser.shift_remove("relayBindHost").is_some() {
        notes.change(
            "Removed browser.relayBindHost (legacy Chrome extension relay setting; host-local Chrome now uses Chrome MCP existing-session attach).",
        );
    }
    let profiles = browser.get_mut("profiles").and_then(Value::as_object_mut);
    for (name, profile) in profiles.into_iter().flatten() {
        if profile.get("driver").and_then(Value::as_str).map(str::trim) == Some("extension") {
            profile["driver"] = "existing-session".into();
            notes.change(format!(
                "Moved browser.profiles.{name}.driver \"extension\" \u{2192} \"existing-session\" (Chrome MCP attach)."
            ));
        }
    }
    let Some(policy) = browser.get_mut("ssrfPolicy").and_then(Value::as_object_mut) else { return };
    if policy.get("allowPrivateNetwork").is_some_and(|old| !old.is_boolean() && !old.is_null()) {
        notes.leave("browser.ssrfPolicy.allowPrivateNetwork is neither true nor false");
        return;
    }
    let Some(old) = policy.shift_remove("allowPrivateNetwork") else { return };
    const NEW: &str = "dangerouslyAllowPrivateNetwork";
    let flags = [old.as_bool(), policy.get(NEW).and_then(Value::as_bool)];
    let value = flags.contains(&Some(true));
    if flags.iter().any(Option::is_some) {
        policy.insert(NEW.to_owned(), value.into());
    }
    notes.change(format!("Moved browser.ssrfPolicy.allowPrivateNetwork \u{2192} browser.ssrfPolicy.{NEW} ({value})."));
}
