//! Rules about groups belong to channels and messages.

use serde_json::Value;

use crate::doctor::rule::{Check, Notes, Rule};
use crate::doctor::value::{drop_empty, ensure, get, object, object_mut, take};
use crate::model::doctor::Version;
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "routing-groups",
    severity: Severity::Error,
    since: Version(2026, 5, 0),
    what: "rules about groups belong to channels and messages",
    why: "Who may write and whether a mention is needed is set per channel now, history and patterns \
          under messages.groupChat. The gateway refuses a configuration with this key and does not \
          start.",
    fix: "Moves routing.allowFrom to channels.whatsapp, requireMention to groups.\"*\" of the configured \
          channels, historyLimit and mentionPatterns to messages.groupChat; values that are there win.",
    before: "{ routing: { groupChat: { requireMention: false, historyLimit: 12 } }, channels: { telegram: {} } }",
    after: "{ channels: { telegram: { groups: { \"*\": { requireMention: false } } } }, messages: { groupChat: { historyLimit: 12 } } }",
    check: Check::Migrate(migrate),
};

/// Channels that know the rule about mentions.
const WITH_GROUPS: [&str; 3] = ["whatsapp", "telegram", "imessage"];

fn migrate(root: &mut Value, notes: &mut Notes) {
    allow_from(root, notes);
    mentions(root, notes);
    group_chat(root, notes);
    telegram(root, notes);
    drop_empty(root, &["routing", "groupChat"]);
    drop_empty(root, &["routing"]);
}

fn allow_from(root: &mut Value, notes: &mut Notes) {
    const OLD: &str = "routing.allowFrom";
    let Some(list) = get(root, &["routing", "allowFrom"]).cloned() else { return };
    let Some(whatsapp) = object_mut(root, &["channels", "whatsapp"]) else {
        take(root, &["routing", "allowFrom"]);
        notes.change(format!("Removed {OLD} (channels.whatsapp not configured)."));
        return;
    };
    if whatsapp.contains_key("allowFrom") {
        notes.change(format!("Removed {OLD} (channels.whatsapp.allowFrom already set)."));
    } else {
        whatsapp.insert("allowFrom".to_owned(), list);
        notes.change(format!("Moved {OLD} \u{2192} channels.whatsapp.allowFrom."));
    }
    take(root, &["routing", "allowFrom"]);
}

fn mentions(root: &mut Value, notes: &mut Notes) {
    const OLD: &str = "routing.groupChat.requireMention";
    let Some(value) = take(root, &["routing", "groupChat", "requireMention"]) else { return };
    let there: Vec<&str> = WITH_GROUPS.into_iter().filter(|name| object(root, &["channels", name]).is_some()).collect();
    if there.is_empty() {
        notes.change(format!("Removed {OLD} (no configured WhatsApp, Telegram, or iMessage channel found)."));
    }
    for channel in there {
        require_mention(root, channel, OLD, value.clone(), notes);
    }
}

fn telegram(root: &mut Value, notes: &mut Notes) {
    const OLD: &str = "channels.telegram.requireMention";
    let Some(value) = take(root, &["channels", "telegram", "requireMention"]) else { return };
    require_mention(root, "telegram", OLD, value, notes);
}

fn require_mention(root: &mut Value, channel: &str, old: &str, value: Value, notes: &mut Notes) {
    let new = format!("channels.{channel}.groups.\"*\"");
    let Some(all) = ensure(root, &["channels", channel, "groups", "*"]) else {
        notes.change(format!(
            "Removed {old} (channels.{channel}.groups has an incompatible shape; fix remaining issues manually)."
        ));
        return;
    };
    if all.contains_key("requireMention") {
        notes.change(format!("Removed {old} ({new} already set)."));
        return;
    }
    all.insert("requireMention".to_owned(), value);
    notes.change(format!("Moved {old} \u{2192} {new}.requireMention."));
}

fn group_chat(root: &mut Value, notes: &mut Notes) {
    for field in ["historyLimit", "mentionPatterns"] {
        let Some(value) = get(root, &["routing", "groupChat", field]).cloned() else { continue };
        let (old, new) = (format!("routing.groupChat.{field}"), format!("messages.groupChat.{field}"));
        let Some(target) = ensure(root, &["messages", "groupChat"]) else {
            notes.leave(format!("{old} cannot be moved: messages.groupChat is no object"));
            continue;
        };
        if target.contains_key(field) {
            notes.change(format!("Removed {old} ({new} already set)."));
        } else {
            target.insert(field.to_owned(), value);
            notes.change(format!("Moved {old} \u{2192} {new}."));
        }
        take(root, &["routing", "groupChat", field]);
    }
}
