//! Whether a file was used since a run wrote it.
//!
//! A later run that wrote it too, and was undone, is no use: what its undo put back is what this run had left. That is
//! believed only if nobody wrote between the two runs, and nobody after the undo.

use super::undo::UndoFacts;
use crate::model::Ms;
use crate::model::folder::Artefact;
use crate::model::run::{Raw, RunLine, RunOp, RunRecord, RunResult};

/// Whether somebody wrote the file after the run was closed.
pub(super) fn was_written(facts: &UndoFacts<'_>, now: &Artefact) -> bool {
    let mut quiet_until = facts.run.closed_at;
    while now.fp.mtime_ms() > quiet_until {
        let next = facts.others.iter().filter_map(|undo| put_back(facts, now, undo, quiet_until)).max();
        match next.filter(|until| *until > quiet_until) {
            Some(until) => quiet_until = until,
            None => return true,
        }
    }
    false
}

/// Whether an earlier undo of this run, which was interrupted later, had put back the file already and nobody wrote it since.
pub(super) fn is_back(facts: &UndoFacts<'_>, now: &Artefact) -> bool {
    facts.others.iter().any(|undo| {
        let of_this = undo.meta.as_ref().is_some_and(|meta| meta.undoes.as_deref() == Some(&facts.run.id));
        of_this
            && undo.undone_by.is_none()
            && now.fp.mtime_ms() <= undo.closed_at
            && line_of(facts, undo, now).is_some_and(|line| line.op == RunOp::Rewrite)
    })
}

/// When `undo` had put back the file as it was at `quiet_until`; `None` if it did not.
fn put_back(facts: &UndoFacts<'_>, file: &Artefact, undo: &RunRecord, quiet_until: Ms) -> Option<Ms> {
    let undone = undo.meta.as_ref()?.undoes.as_deref()?;
    let undone = facts.others.iter().find(|run| run.id == undone && run.id != facts.run.id)?;
    let before = line_of(facts, undone, file)?.fp?;
    line_of(facts, undo, file)?;
    (before.mtime_ms() <= quiet_until).then_some(undo.closed_at)
}

/// The effect by which a run wrote the file.
fn line_of<'r>(facts: &UndoFacts<'_>, run: &'r RunRecord, file: &Artefact) -> Option<&'r RunLine> {
    let folder = run.meta.as_ref()?.folder.to_path();
    let is_it = |line: &&RunLine| match line.op {
        RunOp::Swap => line.from == Raw::from(facts.folder.path.join(&*file.name).as_path()),
        RunOp::Rewrite => folder == facts.folder.path && line.from == Raw::of(&file.name),
        _ => false,
    };
    // The outcome of a swap is the index itself.
    let done =
        |line: &&RunLine| line.op == RunOp::Swap || run.outcome(line.seq).is_some_and(|o| o.result == RunResult::Done);
    run.lines.iter().filter(is_it).find(done)
}
