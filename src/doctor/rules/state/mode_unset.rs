//! No maintenance mode is configured.

use crate::doctor::rule::{Check, Findings, Rule};
use crate::model::DAY;
use crate::model::check::Seen;
use crate::model::doctor::{Remedy, StateFacts, Version};
use crate::model::finding::Severity;
use crate::model::sourced::{Limit, Origin};

/// The rule.
pub const RULE: Rule = Rule {
    id: "mode-unset",
    severity: Severity::Warning,
    since: Version(2026, 5, 0),
    what: "no maintenance mode is set, and the gateway then enforces",
    why: "Documentation says that the mode is warn unless set; the gateway enforces: it removes rows older than pruneAfter \
          (30 days) and above maxEntries (500) whenever it writes its index, and deletes the transcripts of removed rows \
          later. This program changes nothing without --enforce.",
    fix: "Nothing: whether history is removed is for you to say. Set session.maintenance.mode to \"warn\" or \"enforce\".",
    before: "",
    after: "",
    check: Check::State(check),
};

fn check(facts: &StateFacts, out: &mut Findings) {
    let session = &facts.settings.session;
    if session.mode.origin != Origin::Default || !facts.settings.config_found {
        return;
    }
    let age = match session.prune_after.value {
        Limit::At(age) => Some(age),
        Limit::Off => None,
    };
    let (mut old, mut over) = (0_u64, 0_u64);
    for store in &facts.stores {
        let Some(Seen::Whole(whole)) = store.facts.as_ref().map(|f| &f.seen) else { continue };
        let rows = whole.index.rows.iter().filter(|r| !r.shadowed);
        let is_old = |r: &&crate::model::index::Row| {
            age.is_some_and(|age| r.updated_at.ms().is_some_and(|at| facts.now - at > age))
        };
        let here = rows.clone().filter(is_old).count() as u64;
        let left = rows.count() as u64 - here;
        old += here;
        if let Limit::At(most) = session.max_entries.value {
            over += left.saturating_sub(most);
        }
    }
    let mut found =
        RULE.found("session.maintenance.mode", "it is not set: the gateway removes what is past its limits");
    if old + over == 0 {
        found.severity = Severity::Info;
    } else {
        let days = age.map_or(0, |age| age / DAY);
        found.details.push(format!("{old} rows are older than {days} days, {over} more are above maxEntries"));
    }
    let how = "set session.maintenance.mode: \"warn\" keeps everything, \"enforce\" says that removal is wanted";
    out.push(found.remedy(Remedy::Manual(how.to_owned())));
}
