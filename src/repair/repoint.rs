//! Paths of a former home (reports E1, H3): the row names `/old/home/.../x.jsonl`, and `x.jsonl` lies in this folder.
//!
//! Only the bytes of the path change. A row whose file still is where the path says stays, wherever that is.

use crate::model::finding::RepairId;
use crate::model::folder::Class;
use crate::model::index::{IndexFacts, Row};
use crate::model::repair::{PathState, Repair, RepairFacts};
use crate::store::refs::FolderIndex;
use crate::store::splice::with_string;

use super::rows::RowEdits;

/// Rewrites every path that leads nowhere to the file of the same name here.
pub fn repoint(
    facts: &RepairFacts,
    index: &IndexFacts,
    lookup: &FolderIndex<'_>,
    edits: &mut RowEdits,
    repairs: &mut Vec<Repair>,
) {
    for (ix, row) in (0..).zip(&index.rows) {
        let Some((old, name)) = moved(facts, index, row) else { continue };
        let here = lookup.named(name.as_bytes()).map(|file| &facts.folder.entries[file as usize]);
        if !here.is_some_and(|file| file.is_file() && file.class == Class::Transcript) {
            continue;
        }
        let path = facts.folder.path.join(&name);
        let Some(text) = path.to_str().filter(|text| *text != old) else { continue };
        let field = ["sessionFile", "transcriptPath"].into_iter();
        let value = field.filter_map(|field| with_string(edits.value(index, ix), field, text)).next();
        if let Some(value) = value {
            edits.set(ix, value);
            repairs.push(Repair {
                kind: RepairId::RepointPaths,
                subject: index.key(row).into_owned(),
                detail: format!("{old} is {text} now"),
                effect: None,
            });
        }
    }
}

/// The path of a row that leads nowhere, and its last component.
fn moved(facts: &RepairFacts, index: &IndexFacts, row: &Row) -> Option<(String, String)> {
    let path = row.session_file?.get(&index.bytes).trim().to_owned();
    if matches!(facts.paths.get(&path)?, PathState::There) {
        return None;
    }
    let name = path.rsplit(['/', '\\']).next().filter(|n| n.ends_with(".jsonl"))?.to_owned();
    Some((path, name))
}
