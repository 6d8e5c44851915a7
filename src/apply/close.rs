//! The end of a run: record closed, audit log, snapshot, space set aside for the next one.
//!
//! Nothing here can fail the run: what was done is done. What could not be recorded is a warning.

use std::path::PathBuf;

use super::state::Exec;
use crate::journal::audit::{self, Item};
use crate::journal::layout::OwnDir;
use crate::journal::write::Journal;
use crate::journal::{reserve, snapshot};
use crate::model::outcome::{Applied, Outcome};
use crate::model::run::{RowChange, RunRow};

/// Closes the run folder and writes everything that outlives it.
pub(super) fn close(run: &mut Exec<'_>, mut journal: Journal, rows: &[RunRow]) {
    for ix in 0..run.outcomes.len() {
        run.outcomes[ix].get_or_insert(Outcome::NotReached);
        if !run.noted.contains(&ix) {
            journal.note(&run.record(ix));
        }
    }
    let id = journal.id().to_owned();
    // Rows count as changed only if the swap was done.
    let swapped = (0..run.outcomes.len()).any(|ix| {
        matches!(run.effect(ix).effect, crate::model::effect::Effect::SwapIndex(_))
            && matches!(run.outcomes[ix], Some(Outcome::Done { .. }))
    });
    let rows = if swapped { rows } else { &[] };
    match journal.close(Some(rows), None) {
        Ok(remarks) => run.warnings.extend(remarks),
        Err(e) => run.warnings.push(format!("run {id} could not be closed; the next run will: {e}")),
    }
    write_audit(run, &id, rows);
    keep_snapshot(run);
}

/// The index was replaced, but not durably, so no file may move: the run stays open, and the next one finishes it. What
/// was done outlives the run all the same.
pub(super) fn leave_open(run: &mut Exec<'_>, journal: &Journal, rows: &[RunRow]) {
    write_audit(run, journal.id(), rows);
    keep_snapshot(run);
}

fn write_audit(run: &mut Exec<'_>, id: &str, rows: &[RunRow]) {
    let mut items: Vec<Item> = rows.iter().map(|row| row_item(run, id, row)).collect();
    items.extend((0..run.outcomes.len()).filter_map(|ix| run.audit_item(ix, id)));
    let own = match OwnDir::open(run.input.own_dir, &run.input.ctx.faults) {
        Ok(Some(own)) => own,
        _ => return,
    };
    if let Err(e) = audit::append(&own, &items) {
        run.warnings.push(format!("the audit log could not be written: {e}"));
    }
    // Worth trying every time, and worth no word if there is no room now.
    let _ = reserve::ensure(&own);
}

fn row_item(run: &Exec<'_>, id: &str, row: &RunRow) -> Item {
    Item {
        time: crate::units::time::iso(run.input.ctx.now()),
        run: id.to_owned(),
        op: match row.change {
            RowChange::Dropped => "dropRow",
            RowChange::Inserted => "insertRow",
        },
        key: Some(crate::units::json_text::unescape(&row.key.0)),
        id: session_id(&row.value.0),
        path: None,
        bytes: row.value.0.len() as u64,
        reason: row.reason.clone(),
        archive: None,
        outcome: "done".to_owned(),
    }
}

fn session_id(value: &[u8]) -> Option<String> {
    #[derive(serde::Deserialize)]
    struct Row {
        #[serde(rename = "sessionId")]
        session_id: Option<String>,
    }
    serde_json::from_slice::<Row>(value).ok()?.session_id
}

/// Keeps a snapshot of the index the plan was made from.
pub(super) fn keep_snapshot(run: &mut Exec<'_>) {
    let input = run.input;
    let Some(index) = input.index else { return };
    let doubted = input.suspect && !input.overrides.iter().any(|o| o == "suspect-index");
    let keep = snapshot::Keep {
        store: &index.path,
        bytes: &index.bytes,
        rows: index.live_rows() as u64,
        now: input.ctx.run_time(),
        suspect: doubted,
    };
    let kept = snapshot::keep(input.own_dir, &input.ctx.faults, &keep);
    if let Err(e) = kept {
        run.warnings.push(format!("no snapshot of the index was kept: {e}"));
    }
}

/// Says what could only be unlinked because the disk was full.
fn space_warning(run: &Exec<'_>) -> Option<String> {
    let freed = |o: &Option<Outcome>| match o {
        Some(Outcome::UnlinkedForSpace { freed }) => Some(*freed),
        _ => None,
    };
    let all: Vec<u64> = run.outcomes.iter().filter_map(freed).collect();
    let (what, were) = if all.len() == 1 { ("file", "was") } else { ("files", "were") };
    (!all.is_empty()).then(|| {
        format!(
            "the disk was too full for the record of the run: {} {what} with {} that no session uses {were} deleted \
             instead of archived and cannot come back",
            all.len(),
            crate::units::bytes::human(all.iter().sum())
        )
    })
}

/// The result for the caller.
pub(super) fn applied(mut run: Exec<'_>, id: Option<(String, PathBuf)>, swapped: bool) -> Applied {
    run.warnings.extend(space_warning(&run));
    let cancelled = run.cancelled();
    let (run_id, run_dir) = id.map_or((String::new(), None), |(id, dir)| (id, Some(dir)));
    Applied {
        run_id,
        run_dir,
        outcomes: run.outcomes.into_iter().map(|o| o.unwrap_or(Outcome::NotReached)).collect(),
        swapped,
        recovered: run.input.recovered.to_vec(),
        cancelled,
        warnings: run.warnings,
    }
}
