//! The end of a run: record closed, audit log, snapshot, space set aside for the next one.
//!
//! Nothing here can fail the run: what was done is done. What could not be recorded is a warning.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::state::{Exec, op_word};
use crate::journal::audit::{self, Item};
use crate::journal::layout::OwnDir;
use crate::journal::write::Journal;
use crate::journal::{reserve, snapshot};
use crate::model::Ms;
use crate::model::effect::Phase;
use crate::model::outcome::{Applied, Outcome, Skip};
use crate::model::run::{Raw, RowChange, RunLine, RunMeta, RunOp, RunOutcome, RunRecord, RunResult, RunRow};

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
    let swapped = (0..run.outcomes.len())
        .any(|ix| run.effect(ix).effect.swap().is_some() && matches!(run.outcomes[ix], Some(Outcome::Done { .. })));
    let rows = if swapped { rows } else { &[] };
    // Closing lets go of the old index: whatever happens in between, a whole text of it is somewhere.
    keep_snapshot(run);
    let nothing = run.outcomes.iter().flatten().all(|outcome| outcome.freed().is_none());
    match journal.close(Some(rows), nothing.then_some(crate::journal::write::ROLLED_BACK)) {
        Ok(remarks) => run.warnings.extend(remarks),
        Err(e) => run.warnings.push(format!("run {id} could not be closed; the next run will: {e}")),
    }
    write_audit(run, &id, rows);
}

/// Whether files of rows that left were not reached, because of a signal or a gateway that came up. Closed like this, the
/// next pass would take them for orphans and remove for good what undo has to bring back.
pub(super) fn has_open_files(run: &Exec<'_>) -> bool {
    (0..run.outcomes.len())
        .any(|ix| run.effect(ix).effect.phase() == Phase::Remove && is_open(run.outcomes[ix].as_ref()))
}

fn is_open(outcome: Option<&Outcome>) -> bool {
    matches!(outcome, None | Some(Outcome::NotReached | Outcome::Skipped(Skip::OwnerNow)))
}

/// The index was replaced, but files of rows that left are still there: the run stays open, and the next one finishes it
/// and writes the audit log.
pub(super) fn leave_open(run: &mut Exec<'_>, mut journal: Journal) {
    for ix in 0..run.outcomes.len() {
        if !run.noted.contains(&ix) && !is_open(run.outcomes[ix].as_ref()) {
            journal.note(&run.record(ix));
        }
    }
    let id = journal.id().to_owned();
    let left = (0..run.outcomes.len()).filter(|ix| is_open(run.outcomes[*ix].as_ref())).count();
    if let Err(e) = journal.sync_outcomes() {
        run.warnings.push(format!("outcomes could not be made durable in {}: {e}", journal.path().display()));
    }
    run.warnings.push(format!(
        "run {id} is not finished ({left} steps left): clawkeep sessions cleanup --enforce finishes it, \
         clawkeep sessions undo {id} takes it back"
    ));
    keep_snapshot(run);
}

fn write_audit(run: &mut Exec<'_>, id: &str, rows: &[RunRow]) {
    let mut items: Vec<Item> = rows.iter().map(|row| row_item(run.input.ctx.now(), id, row)).collect();
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

/// Audit line of a row.
pub(super) fn row_item(now: Ms, id: &str, row: &RunRow) -> Item {
    Item {
        time: crate::units::time::iso(now),
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

/// Audit lines of a run that was interrupted before it wrote its own: everything that it and its recovery did, and what
/// was given up. `results` are the outcomes of the recovery, by effect.
pub(super) fn items_of_record(
    now: Ms,
    record: &RunRecord,
    meta: &RunMeta,
    results: &BTreeMap<u32, RunOutcome>,
) -> Vec<Item> {
    let file = |line: &RunLine| {
        let outcome = results.get(&line.seq).or_else(|| record.outcome(line.seq))?;
        let brought_back = matches!(line.op, RunOp::Restore | RunOp::Unpack | RunOp::Create);
        let (name, archive) = match (brought_back, &line.to) {
            (true, Some(to)) => (to, &line.replaces),
            (_, to) => (&line.from, to),
        };
        Some(Item {
            time: crate::units::time::iso(now),
            run: record.id.clone(),
            op: op_word(line.op),
            key: line.key.clone(),
            id: line.id.clone(),
            path: Some(Raw::from(meta.folder.to_path().join(name.to_os()).as_path())),
            bytes: line.fp.map_or(0, |fp| fp.size),
            reason: line.reason.clone(),
            archive: outcome.to.clone().or_else(|| archive.clone()),
            outcome: match outcome.result {
                RunResult::Done => "done".to_owned(),
                RunResult::UnlinkedForSpace => "unlinked-for-space".to_owned(),
                _ => outcome.why.clone().unwrap_or_else(|| "not reached".to_owned()),
            },
        })
    };
    let rows = record.rows.iter().map(|row| row_item(now, &record.id, row));
    rows.chain(record.lines.iter().filter(|l| l.op != RunOp::Swap).filter_map(file)).collect()
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
    // A damaged text is no snapshot, and one that undo puts back is neither. Without a byte there was no index.
    if index.bytes.is_empty()
        || input.plan.effects.iter().any(|e| matches!(e.effect, crate::model::effect::Effect::ReplaceIndex(_)))
    {
        return;
    }
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
