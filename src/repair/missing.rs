//! `--drop-missing`: rows whose transcript is nowhere (reports A5).
//!
//! Never a young row (its file comes with the first answer), never one that runs, never one whose path is on an absent
//! volume or in another home, and never one that names no session.

use crate::model::folder::Class;
use crate::model::index::{IndexFacts, Row, Via};
use crate::model::repair::{PathState, RepairFacts};
use crate::model::{DAY, Ms};
use crate::store::refs::{FolderIndex, row_files};

/// A row younger than this may wait for its first answer.
const GRACE: Ms = 10 * 60 * 1000;

/// Rows without a transcript that nothing speaks for, as positions.
pub fn missing(facts: &RepairFacts, index: &IndexFacts, lookup: &FolderIndex<'_>) -> Vec<u32> {
    (0..)
        .zip(&index.rows)
        .filter(|(_, row)| !row.shadowed && is_missing(facts, index, row, lookup))
        .map(|(ix, _)| ix)
        .collect()
}

/// Whether no row that names a session has a transcript, here or where its path leads, however young it is.
pub fn none_is_here(facts: &RepairFacts, index: &IndexFacts, lookup: &FolderIndex<'_>) -> bool {
    let mut sessions = index.rows.iter().filter(|row| !row.shadowed && row.session_id.is_some());
    sessions.all(|row| !has_file(index, row, lookup) && !is_elsewhere(facts, index, row))
}

/// The path of the row leads to a file, or to where one may be at other times.
fn is_elsewhere(facts: &RepairFacts, index: &IndexFacts, row: &Row) -> bool {
    let path = row.session_file.map(|text| text.get(&index.bytes).trim().to_owned());
    let state = path.and_then(|path| facts.paths.get(&path));
    matches!(state, Some(PathState::There | PathState::Elsewhere))
}

fn is_missing(facts: &RepairFacts, index: &IndexFacts, row: &Row, lookup: &FolderIndex<'_>) -> bool {
    if row.odd.is_some() || row.session_id.is_none() || has_file(index, row, lookup) || is_elsewhere(facts, index, row)
    {
        return false;
    }
    let times = [row.updated_at, row.last_interaction_at, row.session_started_at];
    let Some(last) = times.iter().filter_map(|t| t.ms()).max() else { return false };
    let running = row.status.is_some_and(|s| s.get(&index.bytes) == "running") && facts.now - last < DAY;
    facts.now - last >= GRACE && !running
}

/// Whether the row leads to a transcript of the folder by its path or its id.
pub fn has_file(index: &IndexFacts, row: &Row, lookup: &FolderIndex<'_>) -> bool {
    let mut files = Vec::new();
    row_files(lookup, index, row, &mut files);
    files.iter().any(|(file, via)| {
        let file = &lookup.folder().entries[*file as usize];
        matches!(via, Via::SessionFile | Via::SessionId) && file.is_file() && file.class == Class::Transcript
    })
}
