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

/// A value that is one variable and nothing else, and the variable is not set here.
fn is_unset(facts: &ConfigFacts, value: &str) -> bool {
    let value = value.trim_matches('"');
    let name = value.strip_prefix("${").and_then(|rest| rest.strip_suffix('}'));
    name.is_some_and(|name| !name.contains(['$', '{', '}']) && facts.unset.iter().any(|text| text.contains(name)))
}

fn push(facts: &ConfigFacts, out: &mut Findings, key: &str, value: &str, allowed: &str) {
    let shown: String = value.chars().take(80).collect();
    let (key, what) = if key.is_empty() { ("<root>", "the whole file") } else { (key, key) };
    let mut found = RULE.found(key, format!("is {shown}; allowed: {allowed}")).at(facts.path.clone());
    let mut manual = format!("set {what} to {allowed}");
    if is_unset(facts, &shown) {
        // What the gateway's service sets for it is not known here.
        found.severity = Severity::Info;
        manual = format!("check that the gateway's service sets the variable, to {allowed}");
    }
    out.push(found.remedy(Remedy::Manual(manual)));
}
