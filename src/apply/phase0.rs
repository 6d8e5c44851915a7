//! Phase 0: what policy already made final goes first, without needing a byte of space.
//!
//! On a full disk no run folder can be made, but names can be removed. Each removal is recorded in the reserve that an
//! earlier run set aside; if there is none, stderr has one line for each kind (every item with `-v`).

use std::collections::BTreeMap;

use super::state::{Exec, Stop};
use crate::context::Level;
use crate::journal::layout::OwnDir;
use crate::journal::reserve::{self, Reserve};
use crate::journal::{audit, retention};
use crate::model::decision::Reason;
use crate::model::effect::{Effect, Phase};
use crate::model::outcome::Outcome;
use crate::report::plural::count;
use crate::units::bytes::human;

/// The record of what happens before there is a run folder.
pub(super) struct Early {
    reserve: Option<Reserve>,
    /// Files and bytes without a record, by kind.
    unrecorded: BTreeMap<&'static str, (u64, u64)>,
}

impl Early {
    pub(super) fn open(run: &Exec<'_>) -> Self {
        let faults = &run.input.ctx.faults;
        // On the first run there is none yet. If there is no room for one either, stderr has to do.
        let own = if run.open_effects(|e| e.phase() == Phase::Reclaim).is_empty() {
            OwnDir::open(run.input.own_dir, faults).ok().flatten()
        } else {
            OwnDir::create(run.input.own_dir, faults).ok().inspect(|own| {
                let _ = reserve::ensure(own);
            })
        };
        Self { reserve: own.as_ref().and_then(Reserve::open), unrecorded: BTreeMap::new() }
    }

    /// Records the outcome of one effect.
    pub(super) fn record(&mut self, run: &Exec<'_>, ix: usize) {
        let Some(item) = run.audit_item(ix, "") else { return };
        let Ok(line) = serde_json::to_vec(&item) else { return };
        let kept = self.reserve.as_mut().is_some_and(|r| r.record(&line));
        if !kept {
            let text = format!("removed before the run had a record: {}", String::from_utf8_lossy(&line));
            run.input.ctx.log(Level::Debug, &text);
            let freed = run.outcomes[ix].as_ref().and_then(Outcome::freed).unwrap_or(0);
            let sum = self.unrecorded.entry(kind(run, ix)).or_default();
            *sum = (sum.0 + 1, sum.1 + freed);
        }
    }

    /// Says once what could not be recorded.
    pub(super) fn tell(&mut self, run: &Exec<'_>) {
        for (kind, (files, bytes)) in std::mem::take(&mut self.unrecorded) {
            let what = format!("{} ({})", count(files, kind), human(bytes));
            run.input.ctx.log(Level::Info, &format!("{what} removed before the run had a record"));
        }
    }

    /// Makes the record durable; a disk that cannot do even that is reported by what follows.
    pub(super) fn sync(&self) {
        if let Some(reserve) = &self.reserve {
            let _ = reserve.sync();
        }
    }
}

/// What a removed file was.
fn kind(run: &Exec<'_>, ix: usize) -> &'static str {
    match run.decision(ix).map(|d| d.reason) {
        Some(Reason::DeletedExpired | Reason::ResetExpired) => "expired archive",
        Some(Reason::BudgetArchive) => "over-budget archive",
        Some(Reason::TempLeftover) => "leftover temp file",
        Some(Reason::OrphanJunk | Reason::OrphanEmpty | Reason::OrphanHistory | Reason::BudgetOrphan) => "unowned file",
        _ => "file",
    }
}

/// Runs phase 0. Single failures are outcomes, never an end.
pub(super) fn run(run: &mut Exec<'_>, early: &mut Early) {
    let ctx = run.input.ctx;
    // An undo or a restore must not expire the very run it is about to read from.
    let restoring = run.input.undoes.is_some() || !run.open_effects(|e| e.phase() == Phase::Create).is_empty();
    if !restoring && let Err(e) = retention::expire(run.input.own_dir, &ctx.faults, ctx.run_time()) {
        run.warnings.push(format!("old run folders were not looked at: {e}"));
    }
    let all = run.open_effects(|e| e.phase() == Phase::Reclaim);
    let mut done = 0;
    for part in all.chunks(run.batch(all.len())) {
        let mut batch = part.to_vec();
        run.drop_owned(&mut batch);
        for (at, ix) in batch.iter().enumerate() {
            if run.cancelled() {
                break;
            }
            run.progress("removing what has expired", done + at, all.len());
            run.pack_ahead(&batch[at..]);
            take(run, early, *ix);
        }
        done += part.len();
    }
    early.sync();
}

/// Removes the file of one effect and records it: an unlink or a pack, or, on a full disk only ([`super::space`]), the
/// unlink of an orphan that was going to be renamed.
pub(super) fn take(run: &mut Exec<'_>, early: &mut Early, ix: usize) {
    let result = match &run.effect(ix).effect {
        Effect::Unlink { file, .. } | Effect::Move { file, .. } => run.unlink(file),
        Effect::PackThenUnlink { file, .. } => run.pack(ix, file),
        _ => Err(Stop::Other("not a removal".to_owned())),
    };
    run.settle(ix, result);
    if let (Some(Outcome::Done { freed }), Effect::Move { .. }) = (&run.outcomes[ix], &run.effect(ix).effect) {
        run.outcomes[ix] = Some(Outcome::UnlinkedForSpace { freed: *freed });
    }
    if run.outcomes[ix].as_ref().is_some_and(|o| o.freed().is_some()) {
        early.record(run, ix);
    }
}

/// Writes the audit lines of everything that has an outcome so far, when the run ends without a run folder.
pub(super) fn audit_early(run: &mut Exec<'_>) {
    let items: Vec<_> = (0..run.outcomes.len()).filter_map(|ix| run.audit_item(ix, "")).collect();
    if items.is_empty() {
        return;
    }
    let own = OwnDir::open(run.input.own_dir, &run.input.ctx.faults).ok().flatten();
    if let Some(Err(e)) = own.map(|own| audit::append(&own, &items)) {
        run.warnings.push(format!("the audit log could not be written: {e}"));
    }
}
