//! Files of a run that nobody can give their names back, and what of the run can go back without them.
//!
//! A row never comes back without its file: the whole session stays, so that the same undo brings it back in one piece once
//! the file can be renamed.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::undo::{Left, UndoPlan};
use super::undo_part::of_session;
use crate::model::effect::Effect;
use crate::model::run::{RunLine, RunOp, RunRecord};
use crate::units::json_text::unescape;

/// The files that an undo would bring back in `folder`: the name, and where the bytes are now.
pub fn coming(plan: &UndoPlan, folder: &Path) -> Vec<(OsString, PathBuf)> {
    let one = |effect: &Effect| match effect {
        Effect::Restore { from, to, replaces } => {
            let at = replaces.as_ref().map_or_else(|| from.clone(), |archive| folder.join(archive));
            Some((to.clone(), at))
        }
        _ => None,
    };
    plan.effects.iter().filter_map(|planned| one(&planned.effect)).collect()
}

/// A file that stays where it is.
pub fn left(name: &OsString, at: &Path, why: &str) -> Left {
    let bytes = 0;
    let why = format!("{why}; it stays, with its session (chattr -i, then undo the run again)");
    Left { subject: name.to_string_lossy().into_owned(), why, bytes, copy: Some(at.display().to_string()) }
}

/// The record without these files and the sessions that they belong to.
pub fn without(mut run: RunRecord, stuck: &[OsString]) -> RunRecord {
    let takes = |op| matches!(op, RunOp::Move | RunOp::Stow | RunOp::Guard);
    let is_stuck = |line: &RunLine| takes(line.op) && stuck.contains(&line.from.to_os());
    let mut out: BTreeSet<u32> = run.lines.iter().filter(|line| is_stuck(line)).map(|line| line.seq).collect();
    let alone = out.clone();
    let mut rows_out = BTreeSet::new();
    for row in &run.rows {
        let (mut rows, mut seqs) = (BTreeSet::new(), BTreeSet::new());
        of_session(&run, &unescape(&row.key.0), &mut rows, &mut seqs);
        if !seqs.is_disjoint(&alone) {
            rows_out.extend(rows);
            out.extend(seqs);
        }
    }
    let mut at = 0..;
    run.rows.retain(|_| at.next().is_some_and(|ix| !rows_out.contains(&ix)));
    run.lines.retain(|line| !(takes(line.op) && out.contains(&line.seq)));
    run
}
