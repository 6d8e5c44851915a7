//! `--fix-missing`: rows whose transcript exists nowhere.
//!
//! Missing means that no file is there. A file that cannot be read, is empty or damaged is not missing; a path that
//! leads to another home or to a volume that is not mounted proves nothing (SAFETY 4). Neither does a folder without a
//! single transcript: where every row would go, none does, unless told ([`takes_all`]).

use crate::model::decision::Reason;
use crate::model::folder::Class;
use crate::model::index::{Odd, Via};
use crate::model::probe::OutsideState;

use super::draft::Draft;

/// A single session without a transcript is an accident; every one of several is a sign.
const SEVERAL: u64 = 2;

/// Drops rows without a transcript.
pub fn apply(draft: &mut Draft<'_>) {
    if !draft.policy.fix_missing {
        return;
    }
    let all = takes_all(draft).is_some() && !draft.policy.override_suspect;
    let rows: Vec<u32> = draft.standing_rows().collect();
    for row in rows {
        if !is_missing(draft, row) {
            continue;
        }
        let shield = draft.traits[row as usize].shield_from_missing();
        if shield.is_none() && is_elsewhere(draft, row) {
            draft.rows[row as usize].reason = Reason::PathElsewhere;
        } else if shield.is_none() && all {
            draft.rows[row as usize].reason = Reason::SuspectIndex;
        } else {
            draft.take_row(row, shield, Reason::MissingTranscript);
        }
    }
}

/// How many rows would go, if that is every row that names a session and there are at least [`SEVERAL`].
pub fn takes_all(draft: &Draft<'_>) -> Option<u64> {
    if !draft.policy.fix_missing || draft.policy.files_only {
        return None;
    }
    let mut taken = 0;
    for row in draft.standing_rows().filter(|row| names_session(draft, *row)) {
        if !is_missing(draft, row) || is_elsewhere(draft, row) {
            return None;
        }
        taken += u64::from(draft.traits[row as usize].shield_from_missing().is_none());
    }
    (taken >= SEVERAL).then_some(taken)
}

/// The path of the row leads to another home, to an absent volume, or to a transcript.
pub fn is_elsewhere(draft: &Draft<'_>, row: u32) -> bool {
    matches!(draft.probes.outside.get(&row), Some(OutsideState::Elsewhere | OutsideState::Transcript))
}

/// Rows without a usable session id have no transcript to miss.
pub fn names_session(draft: &Draft<'_>, row: u32) -> bool {
    let entry = &draft.facts.index.rows[row as usize];
    entry.odd != Some(Odd::BadSessionId) && entry.session_id.is_some_and(|id| !id.span.is_empty())
}

/// Whether nothing in the folder, or below it, is a transcript of this row.
pub fn is_missing(draft: &Draft<'_>, row: u32) -> bool {
    if !names_session(draft, row) || draft.probes.outside.get(&row) == Some(&OutsideState::Below) {
        return false;
    }
    let present = draft.ownership.files_of(row).any(|link| {
        matches!(link.via, Via::SessionFile | Via::SessionId)
            && !matches!(draft.file(link.file).class, Class::Trajectory | Class::TrajectoryPointer | Class::Lock)
    });
    !present
}
