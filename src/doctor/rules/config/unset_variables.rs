//! References to variables that are not set.

use crate::doctor::rule::{Check, Findings, Rule};
use crate::model::doctor::{ConfigFacts, Remedy, Version};
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "config-unset-variables",
    severity: Severity::Info,
    since: Version(2026, 5, 0),
    what: "the configuration names a variable that is not set here",
    why: "The gateway often gets it from its service file, which this shell does not read. If it does not, what needs the \
          value does not work.",
    fix: "Nothing: the reference stays as it is written.",
    before: "",
    after: "",
    check: Check::Inspect(inspect),
};

fn inspect(facts: &ConfigFacts, out: &mut Findings) {
    for text in &facts.unset {
        let manual = Remedy::Manual("check that the gateway's service sets it".to_owned());
        out.push(RULE.found("", text.clone()).remedy(manual));
    }
}
