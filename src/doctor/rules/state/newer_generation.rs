//! What a newer gateway left beside the files of this one.

use crate::doctor::rule::{Check, Findings, Rule};
use crate::model::doctor::{Remedy, StateFacts, Version};
use crate::model::finding::Severity;
use crate::model::stores::Generation;

/// The rule.
pub const RULE: Rule = Rule {
    id: "newer-generation",
    severity: Severity::Warning,
    since: Version(2026, 5, 0),
    what: "a newer gateway has taken over sessions or jobs, or tried to",
    why: "Gateways from 2026.8 on keep sessions and cron jobs in SQLite. JSON files beside such a database are leftovers: \
          editing them changes nothing, and an older gateway that reads them shows an old history.",
    fix: "Nothing: this program does not write the files of a newer generation.",
    before: "",
    after: "",
    check: Check::State(check),
};

fn check(facts: &StateFacts, out: &mut Findings) {
    let mut places: Vec<String> = facts.seen.newer.iter().map(|p| p.display().to_string()).collect();
    for store in &facts.stores {
        if let Generation::Sqlite { database } = &store.target.generation {
            let shown = database.display().to_string();
            if !places.contains(&shown) {
                places.push(shown);
            }
        }
    }
    if places.is_empty() {
        return;
    }
    let mut found = RULE.found("state folder", "files of a newer gateway").at(facts.roots.state_dir.clone());
    found.details = places;
    let how =
        "use the tools of that gateway for sessions and jobs; go back to an older one only with a backup of the state";
    out.push(found.remedy(Remedy::Manual(how.to_owned())));
}
