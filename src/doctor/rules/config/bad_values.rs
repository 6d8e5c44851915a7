//! Known keys with values that are not allowed.

use crate::doctor::rule::{Check, Findings, Rule};
use crate::doctor::schema::{self, Schema};
use crate::model::doctor::{ConfigFacts, Remedy, Version};
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "config-bad-values",
    severity: Severity::Error,
    since: Version(2026, 5, 0),
    what: "a key has a value that is not allowed",
    why: "The gateway refuses the whole configuration for it. Only the user knows what was meant.",
    fix: "Nothing: the value is left as it is, and does not keep other fixes from being made.",
    before: "",
    after: "",
    check: Check::Inspect(inspect),
};

fn inspect(facts: &ConfigFacts, out: &mut Findings) {
    let bad = Schema::get().bad(&facts.migrated);
    for one in &bad {
        let value = if schema::hidden(&one.key) { "a value (not shown: it is secret)" } else { &one.value };
        push(facts, out, &one.key, value, &one.allowed);
    }
    for problem in &facts.problems {
        // That nothing could be read is a finding of its own.
        if problem.key != "<root>" && !bad.iter().any(|one| one.key == problem.key) {
            push(facts, out, &problem.key, &problem.value, &problem.allowed);
        }
    }
}

fn push(facts: &ConfigFacts, out: &mut Findings, key: &str, value: &str, allowed: &str) {
    let shown: String = value.chars().take(80).collect();
    let manual = Remedy::Manual(format!("set {key} to {allowed}"));
    out.push(RULE.found(key, format!("is {shown}; allowed: {allowed}")).at(facts.path.clone()).remedy(manual));
}
