//! What `sessions check` finds, counted by finding.
//!
//! The doctor has no second look at index and transcripts: it names what the check found and the command that shows and
//! mends it.

use std::collections::BTreeMap;

use crate::doctor::rule::{Check, Findings, Rule};
use crate::model::doctor::{Remedy, StateFacts, StoreState, Version};
use crate::model::finding::{FindingId, Severity};
use crate::report::command::select_words;

/// The rule.
pub const RULE: Rule = Rule {
    id: "sessions-check",
    severity: Severity::Error,
    since: Version(2026, 5, 0),
    what: "a session store has findings",
    why: "Damage of an index or a transcript hides or loses history; docs/FINDINGS.md explains each finding.",
    fix: "Nothing by itself: `clawkeep sessions repair` mends what can be mended, after showing it with --dry-run.",
    before: "",
    after: "",
    check: Check::State(check),
};

fn check(facts: &StateFacts, out: &mut Findings) {
    for store in &facts.stores {
        if let Some(error) = &store.error {
            out.push(RULE.found(&store.target.agent_id, format!("the store cannot be looked at: {error}")));
        }
        let left_out = store.facts.as_ref().map_or(0, |facts| facts.not_read);
        if left_out > 0 {
            let files = crate::report::plural::count(left_out, "older transcript");
            let mut found = RULE.found(&store.target.agent_id, format!("{files} were not looked into"));
            found.severity = Severity::Info;
            out.push(found.remedy(Remedy::Command("clawkeep doctor --full".to_owned())));
        }
        for (id, count) in counted(store) {
            let message = format!("{} ({count}): {}", id.id(), id.explain());
            let mut found = RULE.found(&store.target.agent_id, message).at(store.target.store_path.clone());
            found.severity = id.severity();
            found.remedy = match id.repair() {
                Some(_) => Remedy::Command(format!("clawkeep sessions check{}", select_words(&store.target))),
                None => Remedy::Manual("see docs/FINDINGS.md".to_owned()),
            };
            out.push(found);
        }
    }
}

/// Findings that a rule of their own reports.
const ELSEWHERE: &[FindingId] = &[
    FindingId::StaleLock,
    FindingId::OrphanHistory,
    FindingId::OrphanJunk,
    FindingId::IndexBloat,
    FindingId::TimeInSeconds,
    FindingId::TimeInFuture,
    FindingId::TimeNotMs,
    FindingId::OtherStateDir,
    FindingId::NewerGeneration,
];

fn counted(store: &StoreState) -> BTreeMap<FindingId, u64> {
    let mut counts = BTreeMap::new();
    for finding in store.findings.iter().filter(|f| f.severity != Severity::Info && !ELSEWHERE.contains(&f.id)) {
        *counts.entry(finding.id).or_insert(0) += 1;
    }
    counts
}
