//! One field takes most of an index.

use crate::doctor::rule::{Check, Findings, Rule};
use crate::model::doctor::{Remedy, StateFacts, Version};
use crate::model::finding::{FindingId, Severity};
use crate::report::command::{quote, select_words};

/// The rule.
pub const RULE: Rule = Rule {
    id: "index-bloat",
    severity: Severity::Warning,
    since: Version(2026, 5, 0),
    what: "one field takes a large part of an index",
    why: "The gateway writes the whole index at each turn. A prompt report or a snapshot of skills that every row repeats \
          makes each of these writes slow, and the list too.",
    fix: "Nothing by itself: `clawkeep sessions repair --strip-field FIELD` takes a field out that the gateway makes anew.",
    before: "",
    after: "",
    check: Check::State(check),
};

fn check(facts: &StateFacts, out: &mut Findings) {
    for store in &facts.stores {
        for finding in store.findings.iter().filter(|f| f.id == FindingId::IndexBloat) {
            let found =
                RULE.found(&store.target.agent_id, finding.evidence.clone()).at(store.target.store_path.clone());
            out.push(match (&finding.repair, &finding.operand) {
                (Some(_), Some(field)) => found.remedy(Remedy::Command(format!(
                    "clawkeep sessions repair{} --strip-field {}",
                    select_words(&store.target),
                    quote(field)
                ))),
                _ => found.remedy(Remedy::Manual("the gateway does not make this field anew; it stays".to_owned())),
            });
        }
    }
}
