//! Plugins.allow without plugins.bundledDiscovery changes what is found.

use serde_json::Value;

use crate::doctor::rule::{Check, Notes, Rule};
use crate::doctor::value::object_mut;
use crate::model::doctor::Version;
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "plugins-bundled-discovery",
    severity: Severity::Warning,
    since: Version(2026, 5, 0),
    what: "plugins.allow without plugins.bundledDiscovery changes what is found",
    why: "Bundled providers used to be found whatever plugins.allow says; a list of allowed plugins \
          now leaves them out, so models go missing.",
    fix: "Sets plugins.bundledDiscovery to compat, which keeps the old way.",
    before: "{ plugins: { allow: [\"telegram\"] } }",
    after: "{ plugins: { allow: [\"telegram\"], bundledDiscovery: \"compat\" } }",
    check: Check::Migrate(migrate),
};

fn migrate(root: &mut Value, notes: &mut Notes) {
    let Some(plugins) = object_mut(root, &["plugins"]) else { return };
    let restricted = plugins.get("allow").and_then(Value::as_array).is_some_and(|list| !list.is_empty());
    if restricted && !plugins.contains_key("bundledDiscovery") {
        plugins.insert("bundledDiscovery".to_owned(), "compat".into());
        notes.change(
            "Set plugins.bundledDiscovery=\"compat\" to preserve legacy bundled provider discovery for this restrictive plugins.allow config.",
        );
    }
}
