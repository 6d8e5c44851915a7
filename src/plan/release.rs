//! Files of rows that leave the index: each goes only when its last owner goes.

use crate::model::decision::{Reason, Verdict};
use crate::model::folder::Class;
use crate::model::index::Via;

use super::draft::Draft;

/// Bytes that leave the live names by releasing one row.
#[derive(Debug, Clone, Copy, Default)]
pub struct Released {
    /// Renamed to archives: still in the folder.
    pub renamed: u64,
    /// Taken out of the folder; our link in the run folder keeps them.
    pub stowed: u64,
    /// Files of both kinds.
    pub files: u64,
}

/// Releases the files of all rows dropped so far.
pub fn apply(draft: &mut Draft<'_>) {
    let dropped: Vec<u32> = (0..super::draft::index32(draft.rows.len()))
        .filter(|row| draft.rows[*row as usize].verdict == Verdict::Drop)
        .collect();
    for row in dropped {
        row_files(draft, row);
    }
}

/// Releases the files of one dropped row.
pub fn row_files(draft: &mut Draft<'_>, row: u32) -> Released {
    let mut released = Released::default();
    // With a store of the set unread, its rows may lead to these files: they stay and are found again later.
    if draft.ownership.incomplete {
        return released;
    }
    // Like the gateway, a row without transcript or of a former scope leaves its sidecars to the age rule.
    let with_sidecars = !matches!(draft.rows[row as usize].reason, Reason::MissingTranscript | Reason::DmScope);
    let links: Vec<_> = draft.ownership.files_of(row).collect();
    for link in links {
        let file = draft.file(link.file);
        if !file.is_file() || draft.file_acts(link.file) || draft.is_owned(link.file) {
            continue;
        }
        match (file.class, link.via) {
            (Class::Transcript, Via::SessionFile | Via::SessionId) => {
                draft.take_file(link.file, Verdict::Archive, Reason::SessionRemoved);
                released.renamed += file.fp.size;
                released.files += 1;
            }
            // Only what carries the name of the session; a pointer never makes another file removable.
            (Class::Trajectory | Class::TrajectoryPointer, Via::Sidecar) if with_sidecars => {
                draft.take_file(link.file, Verdict::Stow, Reason::SidecarRemoved);
                released.stowed += file.fp.size;
                released.files += 1;
            }
            _ => {}
        }
    }
    released
}
