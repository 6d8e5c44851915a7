//! Prompts that stand twice in a transcript.

use crate::doctor::rule::{Check, Findings, Rule};
use crate::model::doctor::{Remedy, StateFacts, Version};
use crate::model::finding::Severity;
use crate::report::plural::count;

/// The rule.
pub const RULE: Rule = Rule {
    id: "prompt-branches",
    severity: Severity::Info,
    since: Version(2026, 5, 0),
    what: "prompts stand twice in a transcript, once with what the gateway adds for the model",
    why: "Gateways of earlier versions wrote a prompt with its internal context, and then once more without it on a new branch. \
          No turn reads the first copy, but whatever reads the file line by line shows it. Only --full looks for it.",
    fix: "Nothing: the copy does no harm, and to take it out is to rewrite the whole transcript and to drop every other branch \
          of it. `clawkeep transcript tree` shows the branches.",
    before: "",
    after: "",
    check: Check::State(check),
};

fn check(facts: &StateFacts, out: &mut Findings) {
    for (at, files) in &facts.seen.doubled_prompts {
        let prompts = count(files.iter().map(|(_, lines)| lines.len() as u64).sum(), "prompt");
        let message = format!("{prompts} in {}", count(files.len() as u64, "transcript"));
        let mut found = RULE.found(&facts.stores[*at].target.agent_id, message);
        found.details = files
            .iter()
            .map(|(name, lines)| {
                let lines: Vec<String> = lines.iter().take(5).map(u64::to_string).collect();
                format!("{}: line {}", name.display(), lines.join(", "))
            })
            .collect();
        out.push(found.remedy(Remedy::Manual("nothing has to be done".to_owned())));
    }
}
