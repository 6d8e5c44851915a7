//! `--fix-missing`: rows whose transcript exists nowhere.
//!
//! Missing means that no file is there. A file that cannot be read, is empty or damaged is not missing; a path that
//! leads to another home or to a volume that is not mounted proves nothing (SAFETY 4).

use crate::model::decision::Reason;
use crate::model::folder::Class;
use crate::model::index::{Odd, Via};
use crate::model::probe::OutsideState;

use super::draft::Draft;

/// Drops rows without a transcript.
pub fn apply(draft: &mut Draft<'_>) {
    if !draft.policy.fix_missing {
        return;
    }
    let rows: Vec<u32> = draft.standing_rows().collect();
    for row in rows {
        if !is_missing(draft, row) {
            continue;
        }
        let shield = draft.traits[row as usize].shield_from_missing();
        match draft.probes.outside.get(&row) {
            Some(OutsideState::Elsewhere | OutsideState::Transcript) if shield.is_none() => {
                draft.rows[row as usize].reason = Reason::PathElsewhere;
            }
            _ => {
                draft.take_row(row, shield, Reason::MissingTranscript);
            }
        }
    }
}

/// Whether nothing in the folder is a transcript of this row. Rows without a session id have no transcript to miss.
pub fn is_missing(draft: &Draft<'_>, row: u32) -> bool {
    let entry = &draft.facts.index.rows[row as usize];
    let Some(id) = entry.session_id else { return false };
    if entry.odd == Some(Odd::BadSessionId) || id.span.is_empty() {
        return false;
    }
    let present = draft.ownership.files_of(row).any(|link| {
        matches!(link.via, Via::SessionFile | Via::SessionId)
            && !matches!(draft.file(link.file).class, Class::Trajectory | Class::TrajectoryPointer | Class::Lock)
    });
    !present
}
