//! `--max-remove`: a pass that would take more than this many sessions takes nothing.

use crate::model::decision::{Finality, Reason, Verdict};
use crate::model::folder::Class;
use crate::model::policy::MaxRemove;

use super::draft::Draft;

/// Stops the pass if it would take too much. Returns how many sessions it would have taken.
pub fn apply(draft: &mut Draft<'_>) -> Option<u64> {
    let limit = draft.policy.max_remove.as_ref()?.value;
    let rows =
        draft.facts.index.rows.iter().zip(&draft.rows).filter(|(row, d)| !row.shadowed && d.verdict.acts()).count();
    let orphans = draft.files_where(|c| c == Class::Transcript);
    let orphans = orphans
        .into_iter()
        .filter(|f| draft.file_acts(*f))
        .filter(|f| draft.files[*f as usize].reason != Reason::SessionRemoved);
    let taken = rows as u64 + orphans.count() as u64;
    let sessions = draft.facts.index.live_rows() as u64
        + draft.files_where(|c| c == Class::Transcript).iter().filter(|f| draft.ownership.links(**f).is_empty()).count()
            as u64;
    let allowed = match limit {
        MaxRemove::Count(count) => count,
        MaxRemove::Percent(percent) => sessions * percent / 100,
    };
    if taken <= allowed {
        return None;
    }
    for decision in draft.rows.iter_mut().chain(&mut draft.files).filter(|d| d.verdict.acts()) {
        decision.verdict = Verdict::Hold;
        decision.reason = Reason::MaxRemove;
        decision.finality = Finality::None;
    }
    Some(taken)
}
