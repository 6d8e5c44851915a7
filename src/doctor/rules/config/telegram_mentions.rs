//! Channels.telegram.groupMentionsOnly is a setting of groups now.

use serde_json::Value;

use crate::doctor::rule::{Check, Notes, Rule};
use crate::doctor::value::{ensure, get, take};
use crate::model::doctor::Version;
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "telegram-mentions",
    severity: Severity::Error,
    since: Version(2026, 5, 0),
    what: "channels.telegram.groupMentionsOnly is a setting of groups now",
    why: "Whether a mention is needed is set for each group, and for all of them under \"*\". The \
          gateway refuses a configuration with this key and does not start.",
    fix: "Moves it to groups.\"*\".requireMention; a value that is there wins.",
    before: "{ channels: { telegram: { groupMentionsOnly: true } } }",
    after: "{ channels: { telegram: { groups: { \"*\": { requireMention: true } } } } }",
    check: Check::Migrate(migrate),
};

fn migrate(root: &mut Value, notes: &mut Notes) {
    const OLD: &str = "channels.telegram.groupMentionsOnly";
    const ALL: &str = "channels.telegram.groups.\"*\"";
    let Some(value) = get(root, &["channels", "telegram", "groupMentionsOnly"]).cloned() else { return };
    let Some(all) = ensure(root, &["channels", "telegram", "groups", "*"]) else {
        notes.leave(format!("{OLD} cannot be moved: channels.telegram.groups is no object"));
        return;
    };
    if all.contains_key("requireMention") {
        notes.change(format!("Removed {OLD} ({ALL} already set)."));
    } else {
        all.insert("requireMention".to_owned(), value);
        notes.change(format!("Moved {OLD} \u{2192} {ALL}.requireMention."));
    }
    take(root, &["channels", "telegram", "groupMentionsOnly"]);
}
