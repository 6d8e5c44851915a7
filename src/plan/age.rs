//! `pruneAfter`: rows not updated for longer than the limit (strictly longer; spec/cleanup.md 4.2 step 5).

use crate::model::Ms;
use crate::model::decision::Reason;
use crate::model::sourced::Limit;

use super::draft::Draft;
use super::traits::{Age, RowTraits};

/// Drops stale rows and notes for the others when their time comes.
pub fn apply(draft: &mut Draft<'_>) {
    let Limit::At(limit) = draft.policy.prune_after.value else { return };
    let rows: Vec<u32> = draft.standing_rows().collect();
    for row in rows {
        let traits = draft.traits[row as usize];
        let Age::At(updated) = traits.age else { continue };
        if is_past(updated, limit, draft.now) {
            draft.take_row(row, traits.shield(), Reason::Stale);
        } else if traits.held.is_none_or(is_passing) && unheld(traits).shield().is_none() {
            note(draft, row, updated, limit);
        }
    }
}

/// Whether `at` lies more than `limit` before `now`.
pub fn is_past(at: Ms, limit: Ms, now: Ms) -> bool {
    at < now.saturating_sub(limit)
}

/// The row as it is once nothing holds it for the moment: a main session stays one.
fn unheld(traits: RowTraits) -> RowTraits {
    RowTraits { held: None, ..traits }
}

/// Shields that time removes by itself.
fn is_passing(reason: Reason) -> bool {
    matches!(reason, Reason::Young | Reason::Running | Reason::LiveLock | Reason::UnknownLock)
}

fn note(draft: &mut Draft<'_>, row: u32, updated: Ms, limit: Ms) {
    let goes_at = updated.saturating_add(limit);
    let decision = &mut draft.rows[row as usize];
    decision.goes_at = Some(decision.goes_at.map_or(goes_at, |earlier| earlier.min(goes_at)));
}
