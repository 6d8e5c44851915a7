//! What earlier runs remember of the index: how many rows it had, and the exact rows that left it; and of the folder: the
//! files that they were to take with those rows and could not.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::Path;

use super::{read, snapshot};
use crate::model::facts::IndexRecord;
use crate::model::index::IndexFacts;
use crate::model::run::{Raw, RowChange, RunLine, RunOp, RunRecord, RunResult, RunRow, RunState};

/// Rows of the index when a run last closed or a snapshot was last taken (SAFETY 3). Records of a doubted index do not
/// count, unless a person overrode the doubt: otherwise the second run after a loss would find nothing wrong. `store` is
/// the real path of the index: a folder can hold several.
pub fn last_rows(own_dir: &Path, store: &Path) -> Option<IndexRecord> {
    last_rows_of(&read::list(own_dir).unwrap_or_default(), own_dir, store)
}

/// [`last_rows`] and [`left_behind`], from one reading of the records.
pub fn earlier(own_dir: &Path, store: &Path) -> (Option<IndexRecord>, BTreeSet<OsString>) {
    let runs = read::list(own_dir).unwrap_or_default();
    (last_rows_of(&runs, own_dir, store), left_behind(&runs))
}

/// Names of files whose rows a run took that can still be undone, and which it could not take: they lay where they were
/// when it ended. Nothing leads to them any more, and yet they are half of what an undo brings back.
fn left_behind(runs: &[RunRecord]) -> BTreeSet<OsString> {
    let stands = |run: &&RunRecord| {
        let closed = matches!(run.state, RunState::Done | RunState::Abandoned);
        closed && (run.undone_by.is_none() || run.undone_in_part) && !run.rows.is_empty()
    };
    let names = |run: &RunRecord| {
        let failed =
            |seq| !run.outcome(seq).is_some_and(|o| matches!(o.result, RunResult::Done | RunResult::UnlinkedForSpace));
        // No row led to what went as an orphan.
        let of_row = |line: &&RunLine| line.reason.as_ref().is_some_and(|reason| !reason.starts_with("orphan-"));
        let lines = run.lines.iter().filter(|line| matches!(line.op, RunOp::Move | RunOp::Stow) && failed(line.seq));
        let lines = lines.filter(of_row);
        lines.map(|line| line.from.to_os()).collect::<Vec<_>>()
    };
    runs.iter().filter(stands).flat_map(names).collect()
}

fn last_rows_of(runs: &[RunRecord], own_dir: &Path, store: &Path) -> Option<IndexRecord> {
    let wanted = Raw::from(store);
    let of_run = |r: &RunRecord| {
        let meta = r.meta.as_ref().filter(|_| matches!(r.state, RunState::Done | RunState::Abandoned))?;
        let trusted = !meta.suspect || meta.overrides.iter().any(|o| o == "suspect-index");
        (trusted && meta.store.as_ref() == Some(&wanted))
            .then_some(IndexRecord { rows: meta.rows_after, at: meta.started_at })
    };
    let snapshots = snapshot::list(own_dir).unwrap_or_default();
    let tag = snapshot::tag(store);
    let good =
        snapshots.iter().filter(|s| !s.suspect && s.store == tag).map(|s| IndexRecord { rows: s.rows, at: s.at });
    // Of one run, what it left counts, not what it found: the last of equals wins.
    good.chain(runs.iter().filter_map(of_run)).max_by_key(|r| r.at)
}

/// Rows that leave and come, as the run folder keeps them.
pub fn rows(
    index: &IndexFacts,
    drop: &[u32],
    insert: &[RunRow],
    reason: impl Fn(u32) -> Option<&'static str>,
) -> Vec<RunRow> {
    let key = |ix: usize| index.rows.get(ix).map(|r| Raw(r.key.span.of(&index.bytes).to_vec()));
    let dropped = drop.iter().filter_map(|ix| {
        let at = *ix as usize;
        let row = index.rows.get(at)?;
        Some(RunRow {
            change: RowChange::Dropped,
            key: key(at)?,
            value: Raw(row.value.of(&index.bytes).to_vec()),
            after: at.checked_sub(1).and_then(key),
            reason: reason(*ix).or(row.shadowed.then_some(RunRow::SHADOWED)).map(str::to_owned),
        })
    });
    dropped.chain(insert.iter().cloned()).collect()
}

/// For each decision on a row: its reason, by row.
pub fn row_reasons(plan: &crate::model::plan::Plan) -> BTreeMap<u32, &'static str> {
    use crate::model::decision::Subject;
    let of = |d: &crate::model::decision::Decision| match d.subject {
        Subject::Row(ix) if d.verdict.acts() => Some((ix, d.reason.id())),
        _ => None,
    };
    plan.decisions.iter().filter_map(of).collect()
}
