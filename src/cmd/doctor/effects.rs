//! Runs effects on one folder through the one executor: lock, recovery, execution.

use std::path::PathBuf;

use crate::apply::{self, ApplyInput, Label, Recheck, recover};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::lock::owner;
use crate::lock::run::RunLock;
use crate::model::effect::Effect;
use crate::model::index::IndexFacts;
use crate::model::outcome::{Applied, Outcome, Skip};
use crate::model::owner::OwnerVerdict;
use crate::model::plan::{Plan, PlannedEffect};
use crate::model::settings::Settings;
use crate::model::stores::Roots;
use crate::scan::volume;

/// Name in journal, audit log and lock.
pub(super) const COMMAND: &str = "doctor";

/// What to do in one folder.
pub(super) struct Job<'a> {
    /// The folder.
    pub(super) folder: PathBuf,
    /// Folder whose `.clawkeep` keeps the record.
    pub(super) own_dir: PathBuf,
    /// The changes.
    pub(super) effects: Vec<Effect>,
    /// The index that they change, as it was planned from.
    pub(super) index: Option<&'a IndexFacts>,
    /// Override tokens.
    pub(super) overrides: &'a [String],
    /// Who may write now.
    pub(super) owner: &'a dyn Fn() -> OwnerVerdict,
}

/// Carries it out.
///
/// # Errors
/// A busy lock, an interrupted run that cannot be recovered, and everything that stops a run before it changes anything.
pub(super) fn run(ctx: &Context, job: Job<'_>) -> Result<Applied> {
    let lock = RunLock::acquire(ctx, &job.own_dir, COMMAND)?;
    let recheck = Recheck {
        // Rules take no file that a row could come to own.
        owned_now: &|names| Ok(vec![false; names.len()]),
        locked_now: &|_| false,
        owner_now: job.owner,
        files_only: false,
    };
    let recovered = match recover::pending(lock.folder())?.is_empty() {
        true => Vec::new(),
        false => recover::run(ctx, lock.folder(), &lock, &recheck)?,
    };
    let folder = job.folder.canonicalize().map_err(|e| Error::io("open", &job.folder, e))?;
    let rows = job.index.map_or(0, |index| index.rows.len() as u64);
    let plan = Plan {
        folder,
        now: ctx.run_time(),
        decisions: Vec::new(),
        effects: job.effects.into_iter().map(|effect| PlannedEffect { decision: None, effect }).collect(),
        rows_before: rows,
        rows_after: rows,
        budget: None,
        cap_shortfall: 0,
        suspicion: None,
        ownership_incomplete: Vec::new(),
        max_remove_hit: None,
        warnings: Vec::new(),
    };
    apply::execute(&ApplyInput {
        ctx,
        plan: &plan,
        index: job.index,
        own_dir: lock.folder(),
        lock: Some(&lock),
        command: COMMAND,
        argv: &ctx.argv,
        overrides: job.overrides,
        policy_echo: &serde_json::Value::Null,
        undoes: None,
        partly: false,
        label: &|_| Label::default(),
        reclaim_by_unlink: false,
        suspect: false,
        recheck,
        pack: None,
        progress: None,
        recovered: &recovered,
    })
}

/// Who may write to the state folder now.
pub(super) fn owner(ctx: &Context, roots: &Roots, settings: &Settings) -> OwnerVerdict {
    let state = &roots.state_dir;
    let network = volume::facts(state).network;
    owner::verdict(owner::collect(ctx, roots, settings, state, None, network, false), false)
}

/// Why an effect was not carried out; `None` if it was.
pub(super) fn not_done(outcome: &Outcome) -> Option<String> {
    match outcome {
        Outcome::Done { .. } | Outcome::UnlinkedForSpace { .. } => None,
        Outcome::Skipped(Skip::Changed) => Some("it was written to meanwhile; it stays as it is".to_owned()),
        Outcome::Skipped(Skip::Gone) => Some("it is gone".to_owned()),
        Outcome::Skipped(_) => Some("somebody else may write now".to_owned()),
        Outcome::Failed(why) => Some(why.clone()),
        Outcome::NotReached => Some("it was not reached".to_owned()),
    }
}
