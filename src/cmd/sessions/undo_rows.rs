//! Whether what is to be undone is about rows: without any, a gateway may go on working, and no index is needed.

use std::path::Path;

use super::undo::choose;
use crate::apply::recover;
use crate::cli::undo::UndoArgs;
use crate::journal::read;
use crate::model::run::{RunOp, RunRecord};

/// Whether the run to be undone is closed and changed no row.
pub(super) fn touches_no_row(a: &UndoArgs, folder: &Path) -> bool {
    let closed = recover::pending(folder).is_ok_and(|open| open.is_empty());
    closed && choose(a, folder).is_ok_and(|run| has_no_row(&run))
}

/// Whether neither the run to be undone nor one that was interrupted, and is recovered before that, is about a row.
pub(super) fn needs_no_index(a: &UndoArgs, folder: &Path) -> bool {
    let Ok(open) = read::unfinished(folder) else { return false };
    let run_of = |id: &String| read::one(folder, id);
    // Without a name the one that was interrupted is meant.
    let known = (a.run.is_none() && !open.is_empty()) || choose(a, folder).is_ok_and(|run| has_no_row(&run));
    known && open.iter().all(|id| run_of(id).is_ok_and(|run| has_no_row(&run)))
}

fn has_no_row(run: &RunRecord) -> bool {
    let delegated = run.meta.as_ref().is_some_and(|meta| meta.delegated);
    let swaps = run.lines.iter().any(|line| line.op == RunOp::Swap);
    run.rows.is_empty() && run.rows_missing == 0 && !swaps && !delegated
}
