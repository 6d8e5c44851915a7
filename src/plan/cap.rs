//! `maxEntries`: the newest rows stay (spec/cleanup.md 4.2 step 6).
//!
//! Rows that nothing may take count toward the limit but are never taken for it; what then remains above is reported as
//! the shortfall, never made up for by taking them (SAFETY 4, reports F3).

use std::cmp::Reverse;

use crate::model::Ms;
use crate::model::decision::Reason;
use crate::model::sourced::Limit;

use super::draft::Draft;
use super::traits::Age;

/// Drops the oldest rows beyond the limit. Returns how many rows remain above it.
pub fn apply(draft: &mut Draft<'_>) -> u64 {
    let Limit::At(max) = draft.policy.max_entries.value else { return 0 };
    let standing: Vec<u32> = draft.standing_rows().collect();
    let max = usize::try_from(max).unwrap_or(usize::MAX);
    let (mut candidates, shielded): (Vec<u32>, Vec<u32>) =
        standing.iter().partition(|row| draft.traits[**row as usize].shield().is_none());
    let allowed = max.saturating_sub(shielded.len());
    // Stable: ties keep the earlier row; rows without a time go first.
    candidates.sort_by_key(|row| Reverse(newest_first(draft.traits[*row as usize].age)));
    for row in candidates.into_iter().skip(allowed) {
        draft.drop_row(row, Reason::OverCap);
    }
    let left = draft.standing_rows().count();
    left.saturating_sub(max) as u64
}

fn newest_first(age: Age) -> Ms {
    match age {
        Age::At(at) => at,
        Age::Unknown | Age::Suspect => Ms::MIN,
    }
}
