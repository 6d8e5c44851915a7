//! A small but valid index beside a lot of history is doubted (SAFETY 3): a gateway that started after a power cut
//! writes exactly that. So is an index without a record of ours whose folder is nearly all unowned history, whatever its
//! age, and one whose rows are mostly no session entries: each is what a lost index looks like. One of whose rows none has
//! a transcript is what lost transcripts look like.

use crate::model::facts::Facts;
use crate::model::folder::Class;
use crate::model::plan::Suspicion;
pub use crate::model::plan::{MANY, MOSTLY, RECENT};
use crate::model::sourced::Limit;

use super::draft::Draft;
use super::missing;
use super::orphans::{self, OrphanKind};

/// Odd rows below this number are single accidents.
const FEW_ODD: u64 = 5;
/// The suspicion, if there is one.
pub fn check(draft: &Draft<'_>) -> Option<Suspicion> {
    let rows = draft.facts.index.live_rows() as u64;
    if let Some(rows) = missing::takes_all(draft) {
        return Some(Suspicion::NoTranscripts { rows });
    }
    let odd = draft.facts.index.rows.iter().filter(|row| row.odd.is_some() && !row.shadowed).count() as u64;
    if odd >= FEW_ODD && odd * 2 > rows {
        return Some(Suspicion::OddRows { odd, rows });
    }
    if let Some(record) = draft.facts.record {
        return (rows * 2 < record.rows).then_some(Suspicion::Shrunk {
            recorded: record.rows,
            now: rows,
            at: record.at,
        });
    }
    let history = unowned_history(draft);
    let recent = history.iter().filter(|f| draft.file_age(**f) < RECENT).count() as u64;
    let files = history.len() as u64;
    if recent >= MANY as u64 && recent > rows {
        Some(Suspicion::YoungHistory { files: recent, rows })
    } else if files >= MANY as u64 && files > rows.saturating_mul(MOSTLY) {
        Some(Suspicion::MostlyUnowned { files, rows })
    } else {
        None
    }
}

/// Transcripts that hold, or may hold, what a user wrote, and that nothing leads to. Only those that were looked into: the
/// ones that a policy would take, and recent ones where there are many.
fn unowned_history(draft: &Draft<'_>) -> Vec<u32> {
    let mut files = draft.files_where(|c| c == Class::Transcript);
    files.retain(|f| draft.ownership.links(*f).is_empty() && orphans::kind(draft, *f) == Some(OrphanKind::History));
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
