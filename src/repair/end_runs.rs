//! `--end-runs`: rows that go on saying that they are running, long after whatever ran is gone (reports F5).
//!
//! Only when asked: a row that was not touched for a day is not believed by any rule, but who knows what writes to it is
//! the user. Never one whose transcript was written since, or is locked by somebody who may live.

use crate::model::finding::RepairId;
use crate::model::folder::Class;
use crate::model::index::{IndexFacts, Row};
use crate::model::policy::RUNNING_BELIEVED;
use crate::model::repair::{Repair, RepairFacts};
use crate::store::refs::{FolderIndex, row_files};
use crate::store::splice::with_string;

use super::rows::RowEdits;

/// The gateway's word for a run that did not come to its end.
const ENDED: &str = "failed";

/// Sets the status of every such row.
pub fn end_runs(
    facts: &RepairFacts,
    index: &IndexFacts,
    lookup: &FolderIndex<'_>,
    edits: &mut RowEdits,
    repairs: &mut Vec<Repair>,
) {
    for (ix, row) in (0..).zip(&index.rows) {
        let stands = !row.shadowed && !edits.is_dropped(ix);
        if !stands || !is_stuck(facts, index, row, lookup) {
            continue;
        }
        let Some(value) = with_string(edits.value(index, ix), "status", ENDED) else { continue };
        edits.set(ix, value);
        repairs.push(Repair {
            kind: RepairId::EndRuns,
            subject: index.key(row).into_owned(),
            detail: format!("it said running for more than a day; its status is {ENDED} now"),
            effect: None,
        });
    }
}

fn is_stuck(facts: &RepairFacts, index: &IndexFacts, row: &Row, lookup: &FolderIndex<'_>) -> bool {
    if row.odd.is_some() || row.status.is_none_or(|status| status.get(&index.bytes) != "running") {
        return false;
    }
    let mut files = Vec::new();
    row_files(lookup, index, row, &mut files);
    let folder = lookup.folder();
    let entries = || files.iter().map(|(file, _)| &folder.entries[*file as usize]);
    let locked = facts.locks.iter().filter(|(_, state)| state.holds()).any(|(lock, _)| {
        let lock = folder.entries[*lock as usize].name.as_encoded_bytes();
        let of = |name: &[u8]| lock.strip_suffix(b".lock") == Some(name);
        let by_id = row.session_id.is_some_and(|id| of(format!("{}.jsonl", id.get(&index.bytes)).as_bytes()));
        by_id || entries().any(|file| of(file.name.as_encoded_bytes()))
    });
    let times = [row.updated_at, row.last_interaction_at, row.session_started_at];
    let written = entries().filter(|f| f.class == Class::Transcript && f.is_file()).map(|f| f.fp.mtime_ms());
    let newest = times.into_iter().filter_map(crate::model::index::TimeField::ms).chain(written).max();
    !locked && newest.is_none_or(|at| facts.now - at >= RUNNING_BELIEVED)
}
