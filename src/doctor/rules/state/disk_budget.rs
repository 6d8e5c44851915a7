//! A disk budget that is not set, or that no cleanup can reach.

use crate::doctor::rule::{Check, Findings, Rule};
use crate::model::check::Seen;
use crate::model::doctor::{Remedy, StateFacts, Version};
use crate::model::finding::Severity;
use crate::model::folder::Class;
use crate::model::sourced::Limit;
use crate::plan::decide;
use crate::report::command::select_words;
use crate::units::bytes;

/// The rule.
pub const RULE: Rule = Rule {
    id: "disk-budget",
    severity: Severity::Warning,
    since: Version(2026, 5, 0),
    what: "the sessions folder has no budget, or one that cannot be reached",
    why: "Without session.maintenance.maxDiskBytes nothing bounds the folder. With one that protected conversations alone \
          exceed, each pass of the gateway removes whatever it may remove and is still over the limit.",
    fix: "Nothing: raise the budget, or remove sessions by hand (`clawkeep sessions rm`); `clawkeep disk` shows what takes \
          the room.",
    before: "",
    after: "",
    check: Check::State(check),
};

/// Below this nobody needs a budget.
const SMALL: u64 = 1 << 30;

fn check(facts: &StateFacts, out: &mut Findings) {
    for store in &facts.stores {
        let Some(seen) = &store.facts else { continue };
        let Seen::Whole(whole) = &seen.seen else { continue };
        let files = whole.folder.entries.iter().filter(|e| e.is_file() && e.class != Class::Own);
        let total: u64 = files.map(|e| e.fp.size).sum();
        match store.policy.max_disk.value {
            Limit::Off if total >= SMALL => {
                let message = format!("{} and no budget", bytes::human(total));
                let mut found = RULE.found(&store.target.agent_id, message).at(whole.folder.path.clone());
                found.severity = Severity::Info;
                let how = "set session.maintenance.maxDiskBytes if the folder is to stay below a size".to_owned();
                out.push(found.remedy(Remedy::Manual(how)));
            }
            Limit::Off => {}
            Limit::At(max) if total <= max => {}
            Limit::At(max) => {
                let plan = decide::decide(whole, &seen.probes, &store.policy, facts.now);
                let short = plan.budget.map_or(0, |ledger| ledger.shortfall());
                let message = match short {
                    0 => format!("{} of {}: the next pass makes room", bytes::human(total), bytes::human(max)),
                    short => {
                        format!("a pass ends {} above the mark: what is left may not be taken", bytes::human(short))
                    }
                };
                let mut found = RULE.found(&store.target.agent_id, message).at(whole.folder.path.clone());
                if short == 0 {
                    found.severity = Severity::Info;
                }
                let command = format!("clawkeep sessions cleanup{} --dry-run", select_words(&store.target));
                out.push(found.remedy(Remedy::Command(command)));
            }
        }
    }
}
