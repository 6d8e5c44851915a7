//! CanvasHost belongs to the plugin canvas.

use serde_json::Value;

use crate::doctor::rule::{Check, Notes, Rule};
use crate::doctor::value::{ensure, merge_missing, object, take};
use crate::model::doctor::Version;
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "canvas-host",
    severity: Severity::Error,
    since: Version(2026, 5, 0),
    what: "canvasHost belongs to the plugin canvas",
    why: "The canvas is a plugin now. The gateway refuses a configuration with this key and does not \
          start.",
    fix: "Moves the section to plugins.entries.canvas.config.host; values that are there win.",
    before: "{ canvasHost: { port: 18793 } }",
    after: "{ plugins: { entries: { canvas: { config: { host: { port: 18793 } } } } } }",
    check: Check::Migrate(migrate),
};

fn migrate(root: &mut Value, notes: &mut Notes) {
    const NEW: [&str; 5] = ["plugins", "entries", "canvas", "config", "host"];
    let Some(old) = object(root, &["canvasHost"]).cloned() else { return };
    let Some(target) = ensure(root, &NEW) else {
        notes.leave("canvasHost cannot be moved: plugins.entries.canvas is no object");
        return;
    };
    merge_missing(target, old);
    take(root, &["canvasHost"]);
    notes.change("migrated canvasHost to plugins.entries.canvas.config.host");
}
