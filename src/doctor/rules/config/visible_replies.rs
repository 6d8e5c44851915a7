//! No policy says which replies a group sees.

use serde_json::Value;

use crate::doctor::rule::{Check, Notes, Rule};
use crate::doctor::value::{channels, ensure, get};
use crate::model::doctor::Version;
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "messages-visible-replies",
    severity: Severity::Info,
    since: Version(2026, 5, 0),
    what: "no policy says which replies a group sees",
    why: "Since 2026.5 replies in groups go through the message tool unless a policy says otherwise; a \
          configuration from before says nothing.",
    fix: "Sets messages.groupChat.visibleReplies to message_tool. Only beside a migration of channels: \
          alone, nothing is added to a configuration.",
    before: "{ channels: { telegram: { botToken: \"T\" } }, messages: { } }",
    after: "{ channels: { telegram: { botToken: \"T\" } }, messages: { groupChat: { visibleReplies: \"message_tool\" } } }",
    check: Check::Beside(&["routing-groups", "channel-streaming", "telegram-mentions", "channel-dm-policy"], migrate),
};

fn migrate(root: &mut Value, notes: &mut Notes) {
    let set = [&["messages", "visibleReplies"][..], &["messages", "groupChat", "visibleReplies"]];
    if channels(root).is_empty() || set.iter().any(|way| get(root, way).is_some()) {
        return;
    }
    let Some(chat) = ensure(root, &["messages", "groupChat"]) else { return };
    chat.insert("visibleReplies".to_owned(), "message_tool".into());
    notes.change(
        "Set messages.groupChat.visibleReplies to \"message_tool\" so group/channel replies use the message tool by default.",
    );
}
