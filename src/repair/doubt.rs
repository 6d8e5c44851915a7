//! A whole index that is far too small for its folder (SAFETY 3): why it is doubted, and where its rows can come from.
//!
//! Nothing is brought back unasked: the rows may have left for good reason. But whoever repairs learns of it, and of the
//! source that exists.

use crate::model::index::IndexFacts;
use crate::model::plan::{MANY, MOSTLY, RECENT};
use crate::model::repair::{Forced, RepairFacts, Undecided};
use crate::report::command::quote;
use crate::report::plural::count;
use crate::store::refs::FolderIndex;

use super::choose;

/// The doubt, with the command that brings rows back.
pub fn doubt(facts: &RepairFacts, live: &IndexFacts, lookup: &FolderIndex<'_>) -> Option<Undecided> {
    let rows = live.live_rows() as u64;
    let why = match facts.shrunk_from {
        Some(recorded) => format!("it has {}, and {recorded} when it was last recorded", count(rows, "row")),
        None => {
            let history = facts.unowned.iter().filter(|u| u.history);
            let age = |file: u32| facts.now - facts.folder.entries[file as usize].fp.mtime_ms();
            let recent = history.clone().filter(|u| age(u.file) < RECENT).count() as u64;
            let all = history.count() as u64;
            let many = |n: u64, rows: u64| n >= MANY as u64 && n > rows;
            if facts.recorded || !(many(recent, rows) || many(all, rows.saturating_mul(MOSTLY))) {
                return None;
            }
            format!(
                "it has {}, and {} with history belong to none of them",
                count(rows, "row"),
                count(all, "transcript")
            )
        }
    };
    Some(Undecided { subject: facts.path.display().to_string(), why, hint: best(facts, live, lookup) })
}

/// The command that takes rows from the best source there is.
pub fn best(facts: &RepairFacts, live: &IndexFacts, lookup: &FolderIndex<'_>) -> Option<String> {
    let mut compared = choose::compare(&facts.sources, lookup);
    let snapshots = choose::lacking(live, &facts.sources, &Forced::Snapshots, lookup, &mut compared);
    let from = if !snapshots.is_empty() {
        "snapshots".to_owned()
    } else if let Some(copy) = facts.folder.fuller_copy(&facts.copies, &facts.path, live.live_rows() as u64) {
        quote(&copy.to_string_lossy()).into_owned()
    } else if facts.unowned.iter().any(|u| u.history) {
        "headers".to_owned()
    } else {
        return None;
    };
    Some(format!("clawkeep sessions repair --from {from} --dry-run"))
}
