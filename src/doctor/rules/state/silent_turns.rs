//! Turns that were to be silent and were not.

use crate::doctor::rule::{Check, Findings, Rule};
use crate::model::doctor::{Remedy, StateFacts, Version};
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "silent-turns",
    severity: Severity::Info,
    since: Version(2026, 5, 0),
    what: "answers hold the silent token and other text",
    why: "An answer that is NO_REPLY alone is not delivered. One that begins or ends with it and says more reaches the user, \
          token and all: a background turn leaks into the chat. Only --full looks for it.",
    fix: "Nothing: let the prompt of the background turn ask for the token alone, or use a model that keeps to it.",
    before: "",
    after: "",
    check: Check::State(check),
};

fn check(facts: &StateFacts, out: &mut Findings) {
    for (at, leaks) in &facts.seen.silent_leaks {
        let count: u64 = leaks.iter().map(|(_, lines)| lines.len() as u64).sum();
        let turns = crate::report::plural::count(count, "answer");
        let files = crate::report::plural::count(leaks.len() as u64, "transcript");
        let mut found = RULE.found(&facts.stores[*at].target.agent_id, format!("{turns} in {files}"));
        found.details = leaks
            .iter()
            .map(|(name, lines)| {
                let lines: Vec<String> = lines.iter().take(5).map(u64::to_string).collect();
                format!("{}: line {}", name.display(), lines.join(", "))
            })
            .collect();
        out.push(found.remedy(Remedy::Manual("ask for the token alone in the prompt of that turn".to_owned())));
    }
}
