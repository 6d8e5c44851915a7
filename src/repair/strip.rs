//! `--strip-field`: a field that the gateway makes anew goes from every row (a `systemPromptReport` of 56 KB a row makes
//! every write of the index slow).

use crate::model::finding::RepairId;
use crate::model::index::IndexFacts;
use crate::model::repair::Repair;
use crate::store::splice::without_member;
use crate::units::bytes;

use super::rows::RowEdits;

/// Fields that a row cannot do without.
pub const NEEDED: &[&str] = &[
    "sessionId",
    "sessionFile",
    "transcriptPath",
    "updatedAt",
    "sessionStartedAt",
    "lastInteractionAt",
    "usageFamilySessionIds",
    "compactionCheckpoints",
    "chatType",
    "origin",
    "status",
];

/// Takes the member out of every row that has it.
pub fn strip(index: &IndexFacts, field: &str, edits: &mut RowEdits, repairs: &mut Vec<Repair>) {
    let (mut rows, mut saved) = (0u64, 0u64);
    for ix in (0..).take(index.rows.len()) {
        let old = edits.value(index, ix);
        if let Some(new) = without_member(old, field).filter(|_| !edits.is_dropped(ix)) {
            saved += (old.len() - new.len()) as u64;
            rows += 1;
            edits.set(ix, new);
        }
    }
    if rows > 0 {
        repairs.push(Repair {
            kind: RepairId::StripField,
            subject: field.to_owned(),
            detail: format!("taken out of {} ({})", crate::report::plural::count(rows, "row"), bytes::human(saved)),
            effect: None,
        });
    }
}
