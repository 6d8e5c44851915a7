//! What is looked at on the disk for the plan of an undo: texts that a record keeps, and files whose names cannot change.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use crate::fsx::read::read_regular;
use crate::fsx::writable;
use crate::journal::write::BEFORE;
use crate::model::index::IndexFacts;
use crate::model::run::{RunOp, RunRecord};
use crate::plan::undo::{Left, UndoPlan};
use crate::plan::undo_stuck;

/// Files that the plan would bring back to `folder` and whose names cannot change.
pub(super) fn stuck(plan: &UndoPlan, folder: &Path) -> Vec<(OsString, Left)> {
    let left = |(name, at): (OsString, PathBuf)| {
        let why = writable::immutable(&at)?;
        Some((name.clone(), undo_stuck::left(&name, &at, &why)))
    };
    undo_stuck::coming(plan, folder).into_iter().filter_map(left).collect()
}

/// The index as it was before the run, if the record kept it whole and `index` is what the run had written.
pub(super) fn before(run: &RunRecord, index: &IndexFacts) -> Option<Vec<u8>> {
    let wanted = run.meta.as_ref()?.new_text.as_ref()?;
    let hash: String = Sha256::digest(&*index.bytes).iter().map(|b| format!("{b:02x}")).collect();
    if hash != *wanted {
        return None;
    }
    Some(read_regular(&run.dir.join(BEFORE)).ok()?.0)
}

/// A damaged index that was repaired: its text stayed in the folder.
pub(super) fn contents(run: &RunRecord, folder: &Path) -> BTreeMap<u32, Vec<u8>> {
    let swaps = run.lines.iter().filter(|l| l.op == RunOp::Swap);
    let kept = swaps.filter_map(|line| Some((line.seq, folder.join(line.to.as_ref()?.to_os()))));
    kept.filter_map(|(seq, path)| Some((seq, read_regular(&path).ok()?.0))).collect()
}
