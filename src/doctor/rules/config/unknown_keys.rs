//! Keys that the gateway does not know.

use serde_json::Value;

use crate::doctor::rule::{Check, Findings, Notes, Rule};
use crate::doctor::schema::{self, Schema};
use crate::model::doctor::{ConfigFacts, Remedy, Version};
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "config-unknown-keys",
    severity: Severity::Warning,
    since: Version(2026, 5, 0),
    what: "the configuration has keys that gateway 2026.5.12 does not know",
    why: "That version refuses a configuration with such a key and does not start; its own doctor removes them without a \
          trace. They may be settings of a plugin, another tool or a newer version, or a slip of the pen.",
    fix: "Nothing without --drop-unknown, which removes them unless a newer version is meant; keys under channels and plugin settings are never counted.",
    before: "",
    after: "",
    check: Check::Inspect(inspect),
};

fn inspect(facts: &ConfigFacts, out: &mut Findings) {
    let unknown = Schema::get().unknown(&facts.migrated);
    if unknown.is_empty() {
        return;
    }
    let newer = facts.target > schema::VERSION;
    let manual = match newer {
        true => format!("correct or remove those that gateway {} does not know either", facts.target),
        false => "correct or remove them; clawkeep doctor --fix --drop-unknown removes them all".to_owned(),
    };
    let mut found = RULE.found("", RULE.what).at(facts.path.clone()).remedy(Remedy::Manual(manual));
    found.details = unknown;
    if newer {
        // A version that we do not know whole may know them.
        found.severity = Severity::Info;
    }
    out.push(found);
}

/// What `--drop-unknown` does.
pub fn drop_them(root: &mut Value, notes: &mut Notes) {
    let unknown = Schema::get().unknown(root);
    Schema::get().strip(root);
    unknown.into_iter().for_each(|key| notes.change(format!("Removed unknown key {key}.")));
}
