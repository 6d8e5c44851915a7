//! Protected rows alone fill `maxEntries`.

use crate::doctor::rule::{Check, Findings, Rule};
use crate::model::check::Seen;
use crate::model::doctor::{Remedy, StateFacts, Version};
use crate::model::finding::Severity;
use crate::model::sourced::Limit;
use crate::plan::draft::Draft;

/// The rule.
pub const RULE: Rule = Rule {
    id: "protected-at-cap",
    severity: Severity::Warning,
    since: Version(2026, 5, 0),
    what: "rows that no cap may take fill the limit of rows",
    why: "Group, channel and thread conversations count toward maxEntries and are never removed for it. When they alone \
          reach the limit, the gateway removes everything else at each pass, the main session included.",
    fix: "Nothing: raise session.maintenance.maxEntries above their number.",
    before: "",
    after: "",
    check: Check::State(check),
};

fn check(facts: &StateFacts, out: &mut Findings) {
    for store in &facts.stores {
        let Some(seen) = &store.facts else { continue };
        let (Seen::Whole(whole), Limit::At(most)) = (&seen.seen, store.policy.max_entries.value) else { continue };
        if (whole.index.live_rows() as u64) < most {
            continue;
        }
        let draft = Draft::new(whole, &seen.probes, &store.policy, facts.now);
        let held = draft.traits.iter().zip(&whole.index.rows).filter(|(t, row)| !row.shadowed && t.shield().is_some());
        let held = held.count() as u64;
        if held >= most {
            let message = format!("{held} rows that the cap never takes, and maxEntries is {most}");
            let found = RULE.found(&store.target.agent_id, message).at(store.target.store_path.clone());
            let how = format!("raise session.maintenance.maxEntries above {held}");
            out.push(found.remedy(Remedy::Manual(how)));
        }
    }
}
