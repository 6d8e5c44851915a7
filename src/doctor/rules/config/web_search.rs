//! Providers of web search are plugins now.

use serde_json::Value;

use crate::doctor::rule::{Check, Notes, Rule};
use crate::doctor::value::{Object, can_ensure, ensure, merge_missing, object, take};
use crate::model::doctor::Version;
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "web-search-providers",
    severity: Severity::Error,
    since: Version(2026, 5, 0),
    what: "providers of web search are plugins now",
    why: "Keys and options of a search provider belong to the plugin that brings it. The gateway \
          refuses a configuration with this key and does not start.",
    fix: "Moves tools.web.search.apiKey and each provider to \
          plugins.entries.<plugin>.config.webSearch; values that are there win. A section that no \
          known provider has stays.",
    before: "{ tools: { web: { search: { provider: \"brave\", apiKey: \"K\", maxResults: 4 } } } }",
    after: "{ tools: { web: { search: { provider: \"brave\", maxResults: 4 } } }, plugins: { entries: { brave: { enabled: true, config: { webSearch: { apiKey: \"K\" } } } } } }",
    check: Check::Migrate(migrate),
};

/// Providers and the plugins that bring them.
const PROVIDERS: &[(&str, &str)] = &[
    ("brave", "brave"),
    ("duckduckgo", "duckduckgo"),
    ("exa", "exa"),
    ("firecrawl", "firecrawl"),
    ("gemini", "google"),
    ("grok", "xai"),
    ("kimi", "moonshot"),
    ("minimax", "minimax"),
    ("ollama", "ollama"),
    ("perplexity", "perplexity"),
    ("searxng", "searxng"),
];
/// Where they stood.
const SEARCH: [&str; 3] = ["tools", "web", "search"];

fn migrate(root: &mut Value, notes: &mut Notes) {
    let Some(search) = object(root, &SEARCH) else { return };
    let mut brave = search.get("brave").and_then(Value::as_object).cloned().unwrap_or_default();
    let had_brave = search.get("brave").is_some_and(Value::is_object);
    let key = search.get("apiKey").cloned();
    if let (Some(one), Some(other)) = (&key, brave.get("apiKey"))
        && one != other
    {
        notes
            .leave("tools.web.search.apiKey and tools.web.search.brave.apiKey differ: remove one, then run this again");
        return;
    }
    if let Some(key) = &key {
        brave.insert("apiKey".to_owned(), key.clone());
    }
    if key.is_some() || had_brave {
        let old = if key.is_some() && !had_brave { "apiKey" } else { "brave" };
        let suffix = if old == "apiKey" { ".apiKey" } else { "" };
        if give(root, "brave", brave, &format!("tools.web.search.{old}"), suffix, notes) {
            take(root, &[SEARCH.as_slice(), &["apiKey"]].concat());
            if had_brave {
                take(root, &[SEARCH.as_slice(), &["brave"]].concat());
            }
        }
    }
    for (provider, plugin) in PROVIDERS.iter().filter(|(provider, _)| *provider != "brave") {
        let way = [SEARCH.as_slice(), &[provider]].concat();
        let Some(options) = object(root, &way).cloned() else { continue };
        if give(root, plugin, options, &format!("tools.web.search.{provider}"), "", notes) {
            take(root, &way);
        }
    }
}

/// Whether there was a place for it.
fn give(root: &mut Value, plugin: &str, options: Object, old: &str, suffix: &str, notes: &mut Notes) -> bool {
    let entry = ["plugins", "entries", plugin];
    let target = [entry.as_slice(), &["config", "webSearch"]].concat();
    if !can_ensure(root, &target) {
        notes.leave(format!("{old} cannot be moved: plugins.entries.{plugin} is no object"));
        return false;
    }
    let before = object(root, &target).cloned();
    if let Some(entry) = ensure(root, &entry).filter(|entry| !entry.contains_key("enabled")) {
        entry.insert("enabled".to_owned(), true.into());
    }
    let new = format!("plugins.entries.{plugin}.config.webSearch{suffix}");
    let Some(there) = ensure(root, &target) else { return false };
    merge_missing(there, options);
    let changed = before.as_ref() != Some(&*there);
    notes.change(match (before, changed) {
        (None, _) => format!("Moved {old} \u{2192} {new}."),
        (Some(_), true) => format!(
            "Merged {old} \u{2192} {new} (filled missing fields from legacy; kept explicit plugin config values)."
        ),
        (Some(_), false) => format!("Removed {old} ({new} already set)."),
    });
    true
}
