//! How fast the state grows, by the times of its files.

use crate::doctor::rule::{Check, Findings, Rule};
use crate::model::DAY;
use crate::model::doctor::{Remedy, StateFacts, Version};
use crate::model::finding::Severity;
use crate::model::folder::Class;
use crate::model::sourced::Limit;
use crate::report::command::select_words;
use crate::units::bytes;

/// The rule.
pub const RULE: Rule = Rule {
    id: "growth",
    severity: Severity::Warning,
    since: Version(2026, 5, 0),
    what: "the sessions folder is about to fill its budget or the disk",
    why: "A full disk stops the gateway in the middle of a write. The rate is that of the files written in the last 30 days \
          (or since the first of them), so it tells new sessions and not how old ones grow.",
    fix: "Nothing: `clawkeep sessions cleanup --dry-run` and `clawkeep disk` show what could go.",
    before: "",
    after: "",
    check: Check::State(check),
};

/// A rate over less than this says nothing.
const SHORTEST: i64 = 2 * DAY;
/// What is looked back on.
const WINDOW: i64 = 30 * DAY;
/// Days ahead that are a warning.
const SOON: u64 = 30;

fn check(facts: &StateFacts, out: &mut Findings) {
    for store in &facts.stores {
        let Some(seen) = &store.facts else { continue };
        let folder = seen.seen.folder();
        let files = || folder.entries.iter().filter(|e| e.is_file() && e.class != Class::Own);
        let age = |e: &&crate::model::folder::Artefact| facts.now - e.fp.mtime_ms();
        let recent: Vec<_> = files().filter(|e| (0..WINDOW).contains(&age(e))).collect();
        let span = recent.iter().map(age).max().unwrap_or(0);
        let span = if files().any(|e| age(&e) >= WINDOW) { WINDOW } else { span };
        let written: u64 = recent.iter().map(|e| e.fp.size).sum();
        if span < SHORTEST || written == 0 {
            continue;
        }
        let days = u64::try_from(span / DAY).unwrap_or(1).max(1);
        let a_day = (written / days).max(1);
        let total: u64 = files().map(|e| e.fp.size).sum();
        let mut ends = Vec::new();
        if let Limit::At(max) = store.policy.max_disk.value {
            ends.push((max.saturating_sub(total) / a_day, "the budget is full"));
        }
        if let Some(free) = folder.volume.free_bytes {
            ends.push((free / a_day, "the disk is full"));
        }
        let Some((in_days, what)) = ends.into_iter().min().filter(|(days, _)| *days <= SOON) else { continue };
        let message = format!("{} a day over {days} days: {what} in {in_days} days", bytes::human(a_day));
        let found = RULE.found(&store.target.agent_id, message).at(folder.path.clone());
        let command = format!("clawkeep sessions cleanup{} --dry-run", select_words(&store.target));
        out.push(found.remedy(Remedy::Command(command)));
    }
}
