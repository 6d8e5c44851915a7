//! The key of x_search belongs to the plugin xai.

use serde_json::Value;

use crate::doctor::rule::{Check, Notes, Rule};
use crate::doctor::value::{Object, can_ensure, ensure, object, take};
use crate::model::doctor::Version;
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "x-search-key",
    severity: Severity::Error,
    since: Version(2026, 5, 0),
    what: "the key of x_search belongs to the plugin xai",
    why: "Keys of search providers are settings of their plugins. The gateway refuses a configuration \
          with this key and does not start.",
    fix: "Moves the key to plugins.entries.xai.config.webSearch; a key that is there wins.",
    before: "{ tools: { web: { x_search: { apiKey: \"K\" } } } }",
    after: "{ tools: { web: { } }, plugins: { entries: { xai: { enabled: true, config: { webSearch: { apiKey: \"K\" } } } } } }",
    check: Check::Migrate(migrate),
};

/// Where it stood.
const OLD: [&str; 3] = ["tools", "web", "x_search"];
/// Where it belongs.
const NEW: [&str; 5] = ["plugins", "entries", "xai", "config", "webSearch"];

fn migrate(root: &mut Value, notes: &mut Notes) {
    const SHOWN: &str = "plugins.entries.xai.config.webSearch.apiKey";
    let Some(key) = object(root, &OLD).and_then(|old| old.get("apiKey")).cloned() else { return };
    if !can_ensure(root, &NEW) {
        notes.leave("tools.web.x_search.apiKey cannot be moved: plugins.entries.xai is no object");
        return;
    }
    let there = object(root, &NEW).is_some();
    if let Some(entry) = ensure(root, &NEW[..3]).filter(|entry| !entry.contains_key("enabled")) {
        entry.insert("enabled".to_owned(), true.into());
    }
    if let Some(target) = ensure(root, &NEW) {
        if target.contains_key("apiKey") {
            notes.change(format!("Removed tools.web.x_search.apiKey ({SHOWN} already set)."));
        } else {
            target.insert("apiKey".to_owned(), key);
            notes.change(match there {
                true => format!("Merged tools.web.x_search.apiKey \u{2192} {SHOWN} (filled missing plugin auth)."),
                false => format!("Moved tools.web.x_search.apiKey \u{2192} {SHOWN}."),
            });
        }
    }
    take(root, &[OLD.as_slice(), &["apiKey"]].concat());
    if object(root, &OLD).is_some_and(Object::is_empty) {
        take(root, &OLD);
        notes.change("Removed empty tools.web.x_search.");
    }
}
