//! A small but valid index beside a lot of history is doubted (SAFETY 3): a gateway that started after a power cut
//! writes exactly that.

use crate::model::DAY;
use crate::model::facts::Facts;
use crate::model::folder::Class;
use crate::model::plan::Suspicion;
use crate::model::sourced::Limit;

use super::draft::Draft;
use super::orphans::{self, OrphanKind};

/// Unowned history files in the last [`RECENT`] from which an index without a record is doubted.
pub const MANY: usize = 20;
/// How far back such files are looked for.
pub const RECENT: crate::model::Ms = 7 * DAY;

/// The suspicion, if there is one.
pub fn check(draft: &Draft<'_>) -> Option<Suspicion> {
    let rows = draft.facts.index.live_rows() as u64;
    if let Some(record) = draft.facts.record {
        return (rows * 2 < record.rows).then_some(Suspicion::Shrunk {
            recorded: record.rows,
            now: rows,
            at: record.at,
        });
    }
    let recent = recent_unowned(draft);
    let history = recent.into_iter().filter(|f| orphans::kind(draft, *f) == Some(OrphanKind::History)).count();
    (history >= MANY && history as u64 > rows).then_some(Suspicion::YoungHistory { files: history as u64, rows })
}

fn recent_unowned(draft: &Draft<'_>) -> Vec<u32> {
    let mut files = draft.files_where(|c| c == Class::Transcript);
    files.retain(|f| draft.file_age(*f) < RECENT && draft.ownership.links(*f).is_empty());
    files
}

/// Whether so many young unowned transcripts lie here that they have to be looked into.
pub fn wants_a_look(facts: &Facts, recent_unowned: usize) -> bool {
    facts.record.is_none() && recent_unowned >= MANY && recent_unowned > facts.index.live_rows()
}

/// Whether an age limit is in force at all; without one, files are only taken by the budget.
pub fn age_limit(policy: &crate::model::policy::Policy) -> Option<crate::model::Ms> {
    match policy.prune_after.value {
        Limit::At(limit) => Some(limit),
        Limit::Off => None,
    }
}
