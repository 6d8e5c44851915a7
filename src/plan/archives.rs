//! Retention of archives: `.deleted` and `.reset` by the time in their name; `.bak`, index backups and what somebody compressed
//! never by age.

use crate::model::Ms;
use crate::model::decision::{Reason, Verdict};
use crate::model::folder::{ArchiveReason, Class};
use crate::model::sourced::Limit;

use super::draft::Draft;

/// Unlinks expired archives.
pub fn apply(draft: &mut Draft<'_>) {
    for file in draft
        .files_where(|c| matches!(c, Class::Archive(_) | Class::IndexBackup | Class::DoctorBackup | Class::Damaged))
    {
        decide(draft, file);
    }
}

fn decide(draft: &mut Draft<'_>, file: u32) {
    if draft.is_owned(file) {
        draft.keep_file(file, Reason::Owned, None);
        return;
    }
    // Somebody compressed it to keep it, and no gateway would take it: only a purge does.
    if draft.file(file).is_packed() {
        draft.keep_file(file, Reason::NotOurs, None);
        return;
    }
    let (retention, reason) = match draft.file(file).class {
        Class::Archive(ArchiveReason::Deleted) => (draft.policy.deleted_retention.value, Reason::DeletedExpired),
        Class::Archive(ArchiveReason::Reset) => (draft.policy.reset_retention.value, Reason::ResetExpired),
        _ => {
            draft.keep_file(file, Reason::BackupKept, None);
            return;
        }
    };
    let (Limit::At(limit), Some(stamp)) = (retention, draft.file(file).stamp) else {
        draft.keep_file(file, Reason::RetentionOff, None);
        return;
    };
    if draft.now - stamp <= limit || is_young(draft, file) {
        draft.keep_file(file, Reason::WithinRetention, Some(stamp.saturating_add(limit)));
    } else if let Some(frozen) = draft.files_frozen {
        draft.keep_file(file, frozen, None);
    } else {
        draft.take_file(file, Verdict::Unlink, reason);
    }
}

/// An archive whose stamp lies within the grace window, or in the future.
pub fn is_young(draft: &Draft<'_>, file: u32) -> bool {
    draft.file(file).stamp.is_some_and(|stamp: Ms| draft.now - stamp < draft.policy.file_grace())
}
