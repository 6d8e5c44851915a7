//! Runs effects on one folder through the one executor: lock, recovery, execution.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::apply::{self, ApplyInput, Label, Recheck, recover};
use crate::cmd::sessions::recheck;
use crate::context::Context;
use crate::error::{Error, Kind, Result};
use crate::lock::owner;
use crate::lock::run::RunLock;
use crate::model::effect::Effect;
use crate::model::facts::Facts;
use crate::model::index::IndexFacts;
use crate::model::outcome::{Applied, Outcome, Skip};
use crate::model::owner::OwnerVerdict;
use crate::model::plan::{Plan, PlannedEffect};
use crate::model::probe::Probes;
use crate::model::run::RunGroup;
use crate::model::settings::Settings;
use crate::model::stores::Roots;
use crate::report::command::quote;
use crate::report::escape;
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
    /// The store whose folder it is, if it is one: who owns its files is asked again.
    pub(super) store: Option<(&'a Facts, &'a Probes)>,
    /// Override tokens.
    pub(super) overrides: &'a [String],
    /// Its place among the runs of this command.
    pub(super) group: Option<RunGroup>,
    /// Who may write now.
    pub(super) owner: &'a dyn Fn() -> OwnerVerdict,
}

/// Carries it out.
///
/// # Errors
/// A busy lock, an interrupted run that cannot be recovered, and everything that stops a run before it changes anything.
pub(super) fn run(ctx: &Context, job: Job<'_>) -> Result<Applied> {
    let own_dir = job.own_dir.canonicalize().map_err(|e| Error::io("open", &job.own_dir, e))?;
    let lock = RunLock::acquire(ctx, &own_dir, COMMAND)?;
    let recheck = Recheck {
        owned_now: &|names| match job.store {
            Some((facts, probes)) => recheck::owned_now(facts, probes, false, names),
            // No file that a row could lead to.
            None => Ok(vec![false; names.len()]),
        },
        locked_now: &|name| job.store.is_some_and(|(facts, _)| recheck::locked_now(ctx, &facts.folder, name)),
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
        leaves: false,
        group: job.group.as_ref(),
        label: &|_| Label::default(),
        reclaim_by_unlink: false,
        suspect: false,
        recheck,
        pack: None,
        progress: None,
        recovered: &recovered,
    })
}

/// Finishes or takes back interrupted runs recorded in `own_dir`. `true` if there was one: what was read before is old then.
///
/// # Errors
/// A busy lock, or a run that cannot be recovered.
pub(super) fn recover_pending(
    ctx: &Context,
    own_dir: &Path,
    store: Option<(&Facts, &Probes)>,
    owner: &dyn Fn() -> OwnerVerdict,
) -> Result<bool> {
    if recover::pending(own_dir)?.is_empty() {
        return Ok(false);
    }
    let lock = RunLock::acquire(ctx, own_dir, COMMAND)?;
    let recheck = Recheck {
        owned_now: &|names| match store {
            Some((facts, probes)) => recheck::owned_now(facts, probes, false, names),
            None => Ok(vec![false; names.len()]),
        },
        locked_now: &|name| store.is_some_and(|(facts, _)| recheck::locked_now(ctx, &facts.folder, name)),
        owner_now: owner,
        files_only: false,
    };
    recover::run(ctx, lock.folder(), &lock, &recheck)?;
    Ok(true)
}

/// Who may write to the state folder now.
pub(super) fn owner(ctx: &Context, roots: &Roots, settings: &Settings) -> OwnerVerdict {
    let state = &roots.state_dir;
    let network = volume::facts(state).network;
    owner::verdict(owner::collect(ctx, roots, settings, state, None, network, false), false)
}

/// Who may write to the state folder and to these folders of sessions: the gravest verdict. A lock in one of them says that
/// somebody is at work there, whatever the others look like.
pub(super) fn owner_of(ctx: &Context, roots: &Roots, settings: &Settings, folders: &[PathBuf]) -> OwnerVerdict {
    let whole = owner(ctx, roots, settings);
    if whole.token().is_some() {
        return whole;
    }
    let of = |folder: &PathBuf| {
        let network = volume::facts(folder).network;
        owner::verdict(owner::collect(ctx, roots, settings, folder, None, network, false), false)
    };
    folders.iter().filter(|f| f.is_dir()).map(of).find(|v| v.token().is_some()).unwrap_or(whole)
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

/// Why a fix was not begun: which folder, what was the matter, and what helps.
pub(super) fn not_begun(folder: &Path, error: &Error) -> String {
    let shown = escape::path(folder);
    let message =
        if error.message.contains(&*shown) { error.message.clone() } else { format!("{shown}: {}", error.message) };
    let source = error.source.as_ref().and_then(|e| e.downcast_ref::<std::io::Error>()).map(std::io::Error::kind);
    let next = match (error.kind, source) {
        (Kind::Busy, _) => "clawkeep doctor --fix --wait 60s".to_owned(),
        (_, Some(ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem)) => {
            format!("ls -ld {}  (run this as the user it belongs to, or let that user write there)", quote(&shown))
        }
        (_, Some(ErrorKind::StorageFull | ErrorKind::QuotaExceeded)) => {
            "clawkeep disk free --need 64mb --dry-run".to_owned()
        }
        _ => match error.hints.first() {
            Some(hint) => hint.clone(),
            None => return message,
        },
    };
    format!("{message}; next: {next}")
}
