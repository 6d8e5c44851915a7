//! ReadMemoryCore of the memory wiki is called readMemoryArtifacts now.

use serde_json::Value;

use crate::doctor::rule::{Check, Notes, Rule};
use crate::doctor::value::object_mut;
use crate::model::doctor::Version;
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "memory-wiki-bridge",
    severity: Severity::Error,
    since: Version(2026, 5, 0),
    what: "readMemoryCore of the memory wiki is called readMemoryArtifacts now",
    why: "The bridge reads artefacts of whatever memory plugin there is. The gateway refuses a \
          configuration with this key and does not start.",
    fix: "Renames the key; a value under the new name wins.",
    before: "{ plugins: { entries: { \"memory-wiki\": { config: { bridge: { readMemoryCore: true } } } } } }",
    after: "{ plugins: { entries: { \"memory-wiki\": { config: { bridge: { readMemoryArtifacts: true } } } } } }",
    check: Check::Migrate(migrate),
};

fn migrate(root: &mut Value, notes: &mut Notes) {
    const PATH: &str = "plugins.entries.memory-wiki.config.bridge";
    let Some(bridge) = object_mut(root, &["plugins", "entries", "memory-wiki", "config", "bridge"]) else { return };
    let Some(old) = bridge.shift_remove("readMemoryCore") else { return };
    if bridge.contains_key("readMemoryArtifacts") {
        notes.change(format!("Removed {PATH}.readMemoryCore ({PATH}.readMemoryArtifacts already set)."));
    } else {
        bridge.insert("readMemoryArtifacts".to_owned(), old);
        notes.change(format!("Moved {PATH}.readMemoryCore \u{2192} {PATH}.readMemoryArtifacts."));
    }
}
