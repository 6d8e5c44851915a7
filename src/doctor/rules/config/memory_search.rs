//! MemorySearch belongs under agents.defaults.

use serde_json::Value;

use crate::doctor::rule::{Check, Notes, Rule};
use crate::doctor::value::{can_ensure, ensure, get, merge_missing, object, take};
use crate::model::doctor::Version;
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "memory-search-root",
    severity: Severity::Error,
    since: Version(2026, 5, 0),
    what: "memorySearch belongs under agents.defaults",
    why: "Settings of memory search are defaults of agents now. The gateway refuses a configuration \
          with this key and does not start.",
    fix: "Moves the section; where agents.defaults.memorySearch has a value of its own, that one wins \
          leaf by leaf.",
    before: "{ memorySearch: { enabled: true, query: { maxResults: 5, minScore: 0.2 } }, agents: { defaults: { memorySearch: { query: { maxResults: 9 } } } } }",
    after: "{ agents: { defaults: { memorySearch: { query: { maxResults: 9, minScore: 0.2 }, enabled: true } } } }",
    check: Check::Migrate(migrate),
};

/// Where it belongs.
const TARGET: [&str; 3] = ["agents", "defaults", "memorySearch"];

fn migrate(root: &mut Value, notes: &mut Notes) {
    if object(root, &["memorySearch"]).is_none() {
        if get(root, &["memorySearch"]).is_some() {
            notes.leave("memorySearch is no object: nothing can be moved");
        }
        return;
    }
    if !can_ensure(root, &TARGET) {
        notes.leave("agents.defaults.memorySearch is in the way: it is no object");
        return;
    }
    let there = object(root, &TARGET).is_some();
    let Some(Value::Object(old)) = take(root, &["memorySearch"]) else { return };
    if let Some(target) = ensure(root, &TARGET) {
        merge_missing(target, old);
    }
    notes.change(match there {
        false => "Moved memorySearch \u{2192} agents.defaults.memorySearch.",
        true => "Merged memorySearch \u{2192} agents.defaults.memorySearch (filled missing fields from legacy; kept explicit agents.defaults values).",
    });
}
