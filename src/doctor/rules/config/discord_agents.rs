//! AgentId of a Discord channel is a binding now.

use serde_json::Value;
use serde_json::json;

use crate::doctor::rule::{Check, Notes, Rule};
use crate::doctor::value::{Object, channel_parts, text};
use crate::model::doctor::Version;
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "discord-channel-agent",
    severity: Severity::Error,
    since: Version(2026, 5, 0),
    what: "agentId of a Discord channel is a binding now",
    why: "Which agent answers where is said in bindings, for every kind of channel. The gateway \
          refuses a configuration with this key and does not start.",
    fix: "Adds a binding for the guild and channel, unless there is one, and removes agentId.",
    before: "{ channels: { discord: { guilds: { G1: { channels: { C1: { agentId: \"ops\" } } } } } } }",
    after: "{ channels: { discord: { guilds: { G1: { channels: { C1: { } } } } } }, bindings: [{ agentId: \"ops\", match: { channel: \"discord\", guildId: \"G1\", peer: { kind: \"channel\", id: \"C1\" } } }] }",
    check: Check::Migrate(migrate),
};

fn migrate(root: &mut Value, notes: &mut Notes) {
    if root.get("bindings").is_some_and(|bindings| !bindings.is_array()) {
        return;
    }
    let mut new = Vec::new();
    channel_parts(root, "discord", |path, part| {
        let account = path.strip_prefix("channels.discord.accounts.").map(str::to_owned);
        let guilds = part.get_mut("guilds").and_then(Value::as_object_mut);
        for (guild, settings) in guilds.into_iter().flatten() {
            let channels = settings.get_mut("channels").and_then(Value::as_object_mut);
            for (channel, settings) in channels.into_iter().flatten() {
                let Some(settings) = settings.as_object_mut() else { continue };
                if let Some(agent) = text(settings, "agentId").map(str::to_owned) {
                    settings.shift_remove("agentId");
                    notes.change(format!(
                        "Moved {path}.guilds.{guild}.channels.{channel}.agentId \u{2192} bindings[] ({agent})."
                    ));
                    new.push(binding(&agent, account.as_deref(), guild, channel));
                }
            }
        }
    });
    let Some(root) = root.as_object_mut().filter(|_| !new.is_empty()) else { return };
    let list = root.entry("bindings").or_insert_with(|| Value::Array(Vec::new()));
    if let Some(list) = list.as_array_mut() {
        for binding in new {
            if !list.contains(&binding) {
                list.push(binding);
            }
        }
    }
}

fn binding(agent: &str, account: Option<&str>, guild: &str, channel: &str) -> Value {
    let mut of = Object::new();
    of.insert("channel".to_owned(), "discord".into());
    if let Some(account) = account {
        of.insert("accountId".to_owned(), account.into());
    }
    of.insert("guildId".to_owned(), guild.into());
    of.insert("peer".to_owned(), json!({ "kind": "channel", "id": channel }));
    json!({ "agentId": agent, "match": of })
}
