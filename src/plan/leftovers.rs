//! Leftovers of interrupted work: temp files of atomic writes, and copies made by the gateway's transcript repair.
//!
//! A temp file may be the only whole copy of a damaged index, so it is collected only beside an index that is whole
//! and not doubted (reports E5). Repair copies come in thousands for one file (reports C17): the newest stays.

use std::collections::HashMap;

use crate::model::Ms;
use crate::model::decision::{Reason, Verdict};
use crate::model::folder::Class;
use crate::model::policy::TEMP_AGE;
use crate::model::sourced::Limit;

use super::draft::Draft;

/// Unlinks old temp files and superseded repair copies.
pub fn apply(draft: &mut Draft<'_>) {
    temps(draft);
    repair_backups(draft);
}

fn temps(draft: &mut Draft<'_>) {
    for file in draft.files_where(|c| c == Class::Temp) {
        if draft.is_owned(file) {
            draft.keep_file(file, Reason::Owned, None);
        } else if let Some(frozen) = draft.files_frozen {
            draft.keep_file(file, frozen, None);
        } else if draft.file_age(file) > TEMP_AGE {
            draft.take_file(file, Verdict::Unlink, Reason::TempLeftover);
        } else {
            let goes_at = draft.file(file).fp.mtime_ms() + TEMP_AGE;
            draft.keep_file(file, Reason::Young, Some(goes_at));
        }
    }
}

fn repair_backups(draft: &mut Draft<'_>) {
    let files = draft.files_where(|c| c == Class::RepairBackup);
    let mut newest: HashMap<Vec<u8>, (Ms, u32)> = HashMap::new();
    for file in &files {
        let entry = draft.file(*file);
        let made = (entry.stamp.unwrap_or(Ms::MIN), *file);
        let best = newest.entry(entry.stem().to_vec()).or_insert(made);
        *best = (*best).max(made);
    }
    // What goes here is gone: not before the configured time.
    let age = match draft.policy.prune_after.value {
        Limit::Off => Limit::Off,
        Limit::At(_) => draft.policy.final_after.value,
    };
    for file in files {
        let entry = draft.file(file);
        let is_newest = newest.get(entry.stem()).is_some_and(|(_, best)| *best == file);
        match (age, entry.stamp) {
            _ if draft.is_owned(file) => draft.keep_file(file, Reason::Owned, None),
            _ if is_newest => draft.keep_file(file, Reason::NewestBackup, None),
            (Limit::At(limit), Some(made)) if draft.now - made > limit && !draft.is_young(file) => {
                match draft.files_frozen {
                    Some(frozen) => draft.keep_file(file, frozen, None),
                    None => draft.take_file(file, Verdict::Unlink, Reason::RepairBackupExpired),
                }
            }
            (Limit::At(limit), Some(made)) => {
                draft.keep_file(file, Reason::WithinRetention, Some(made.saturating_add(limit)));
            }
            _ => draft.keep_file(file, Reason::AgeOff, None),
        }
    }
}
