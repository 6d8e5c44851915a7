//! A channel with named accounts has values of a single account beside them.

use serde_json::Value;

use crate::doctor::rule::{Check, Notes, Rule};
use crate::doctor::value::{Object, channels, object_mut};
use crate::model::doctor::Version;
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "channels-default-account",
    severity: Severity::Warning,
    since: Version(2026, 5, 0),
    what: "a channel with named accounts has values of a single account beside them",
    why: "Once accounts have names, what stands beside them belongs to nobody in particular; the \
          gateway takes it for accounts.default.",
    fix: "Moves these values into accounts.default.",
    before: "{ channels: { signal: { account: \"+1555\", accounts: { work: { account: \"+1666\" } } } } }",
    after: "{ channels: { signal: { accounts: { work: { account: \"+1666\" }, default: { account: \"+1555\" } } } } }",
    check: Check::Migrate(migrate),
};

/// Values of an account.
const KEYS: &[&str] = &[
    "name",
    "token",
    "tokenFile",
    "botToken",
    "appToken",
    "account",
    "signalNumber",
    "authDir",
    "cliPath",
    "dbPath",
    "httpUrl",
    "httpHost",
    "httpPort",
    "webhookPath",
    "webhookUrl",
    "webhookSecret",
    "service",
    "region",
    "homeserver",
    "userId",
    "accessToken",
    "password",
    "deviceName",
    "url",
    "code",
    "dmPolicy",
    "allowFrom",
    "groupPolicy",
    "groupAllowFrom",
    "defaultTo",
];
/// What moves where several accounts of Telegram share the rest.
const TELEGRAM: &[&str] = &["botToken", "tokenFile"];

fn migrate(root: &mut Value, notes: &mut Notes) {
    for name in channels(root) {
        let Some(channel) = object_mut(root, &["channels", &name]) else { continue };
        let Some(accounts) = channel.get("accounts").and_then(Value::as_object) else { continue };
        let named = accounts.keys().filter(|key| *key != "$include").count();
        if named == 0
            || accounts.keys().any(|key| key.eq_ignore_ascii_case("default"))
            || accounts.contains_key("$include")
        {
            continue;
        }
        let keys = if name == "telegram" { TELEGRAM } else { KEYS };
        let moving: Vec<&str> = keys.iter().copied().filter(|key| channel.contains_key(*key)).collect();
        if moving.is_empty() {
            continue;
        }
        let account: Object =
            moving.into_iter().filter_map(|key| Some((key.to_owned(), channel.shift_remove(key)?))).collect();
        if let Some(accounts) = channel.get_mut("accounts").and_then(Value::as_object_mut) {
            accounts.insert("default".to_owned(), Value::Object(account));
        }
        notes.change(format!(
            "Moved channels.{name} single-account top-level values into channels.{name}.accounts.default."
        ));
    }
}
