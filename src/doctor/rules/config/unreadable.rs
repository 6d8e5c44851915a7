//! A configuration that cannot be read or parsed.

use crate::doctor::rule::{Check, Findings, Rule};
use crate::model::doctor::{ConfigFacts, Remedy, Version};
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "config-unreadable",
    severity: Severity::Error,
    since: Version(2026, 5, 0),
    what: "the configuration cannot be read",
    why: "A gateway that cannot read its configuration does not start, or goes on with defaults that nobody chose. The \
          message shows file, line, column and the line; two objects in one file end at the second.",
    fix: "Nothing: a file that cannot be read is never replaced, by an older copy neither. Mend it by hand; `<config>.bak` \
          has the text before the last edit.",
    before: "",
    after: "",
    check: Check::Inspect(inspect),
};

fn inspect(facts: &ConfigFacts, out: &mut Findings) {
    if let Some(error) = &facts.error {
        let manual = Remedy::Manual("mend the file at the place that is shown; nothing replaces it".to_owned());
        out.push(RULE.found("", error.clone()).at(facts.path.clone()).remedy(manual));
    }
}
