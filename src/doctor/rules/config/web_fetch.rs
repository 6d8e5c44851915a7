//! Settings of firecrawl belong to its plugin.

use serde_json::Value;

use crate::doctor::rule::{Check, Notes, Rule};
use crate::doctor::value::{can_ensure, ensure, merge_missing, object, take};
use crate::model::doctor::Version;
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "web-fetch-firecrawl",
    severity: Severity::Error,
    since: Version(2026, 5, 0),
    what: "settings of firecrawl belong to its plugin",
    why: "Providers of web fetching are plugins now. The gateway refuses a configuration with this key \
          and does not start.",
    fix: "Moves tools.web.fetch.firecrawl to plugins.entries.firecrawl.config.webFetch without its \
          enabled; values that are there win.",
    before: "{ tools: { web: { fetch: { firecrawl: { apiKey: \"K\", enabled: true }, maxChars: 1000 } } } }",
    after: "{ tools: { web: { fetch: { maxChars: 1000 } } }, plugins: { entries: { firecrawl: { enabled: true, config: { webFetch: { apiKey: \"K\" } } } } } }",
    check: Check::Migrate(migrate),
};

/// Where it stood.
const OLD: [&str; 4] = ["tools", "web", "fetch", "firecrawl"];
/// Where it belongs.
const NEW: [&str; 5] = ["plugins", "entries", "firecrawl", "config", "webFetch"];

fn migrate(root: &mut Value, notes: &mut Notes) {
    const FROM: &str = "tools.web.fetch.firecrawl";
    const TO: &str = "plugins.entries.firecrawl.config.webFetch";
    let Some(mut options) = object(root, &OLD).cloned() else { return };
    let enabled = options.shift_remove("enabled");
    if options.is_empty() {
        take(root, &OLD);
        notes.change(format!("Removed empty {FROM}."));
        return;
    }
    if !can_ensure(root, &NEW) {
        notes.leave(format!("{FROM} cannot be moved: plugins.entries.firecrawl is no object"));
        return;
    }
    let before = object(root, &NEW).cloned();
    if let Some(entry) = ensure(root, &NEW[..3]).filter(|entry| !entry.contains_key("enabled")) {
        // Somebody who switched it off did not want it back.
        entry.insert("enabled".to_owned(), enabled.filter(Value::is_boolean).unwrap_or(Value::Bool(true)));
    }
    let Some(target) = ensure(root, &NEW) else { return };
    merge_missing(target, options);
    let changed = before.as_ref() != Some(&*target);
    take(root, &OLD);
    notes.change(match (before, changed) {
        (None, _) => format!("Moved {FROM} \u{2192} {TO}."),
        (Some(_), true) => format!(
            "Merged {FROM} \u{2192} {TO} (filled missing fields from legacy; kept explicit plugin config values)."
        ),
        (Some(_), false) => format!("Removed {FROM} ({TO} already set)."),
    });
}
