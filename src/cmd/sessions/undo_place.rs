//! The places where runs are recorded, and what undoing a run in one of them takes.
//!
//! A store keeps the runs over its sessions in its own folder. The state folder keeps those that no index is concerned in:
//! run logs of cron, fixes of the doctor. There the owner of the sessions is asked unless the run changed nothing but the
//! configuration, which he does not write.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::pass::Pass;
use super::recheck;
use super::undo::{self, UndoTarget};
use super::undo_rows;
use crate::apply::Recheck;
use crate::cli::select::SelectArgs;
use crate::cli::undo::UndoArgs;
use crate::cmd::start::Start;
use crate::context::Context;
use crate::discover::select;
use crate::error::{Error, Kind, Result};
use crate::fsx::read::lstat;
use crate::hints::Given;
use crate::journal::read;
use crate::lock::owner;
use crate::model::owner::{OwnerVerdict, Writer};
use crate::model::run::{RunOp, RunRecord};
use crate::model::stores::Target;
use crate::plan::decide;
use crate::plan::policy::{self, PolicyFlags};
use crate::plan::undo::GatewayLimits;
use crate::report::command::select_words;
use crate::scan::{facts, volume};

/// A folder with records of runs.
#[derive(Debug, Clone)]
pub(super) struct Place {
    /// The folder, canonical.
    pub(super) folder: PathBuf,
    /// The store whose folder it is.
    store: Option<Target>,
}

impl Place {
    /// That of a store.
    ///
    /// # Errors
    /// Its folder does not exist.
    pub(super) fn of(target: &Target) -> Result<Self> {
        let absent = || Error::new(Kind::Absent, format!("{} does not exist", target.store_path.display()));
        Ok(Self { folder: facts::artefact_folder(target).ok_or_else(absent)?, store: Some(target.clone()) })
    }

    /// Whether it has an index that a cleanup could work on.
    pub(super) fn indexed(&self) -> bool {
        self.store.as_ref().is_some_and(|store| lstat(&store.store_path).is_ok())
    }

    /// Words that choose it again.
    pub(super) fn select(&self) -> String {
        self.store.as_ref().map(select_words).unwrap_or_default()
    }

    /// A failure here: the commands that it names are about this place.
    pub(super) fn error(&self, error: Error) -> Error {
        Given::store(&self.select()).error(error)
    }
}

/// The state folder, and that of the configuration where it is another.
pub(super) fn state(start: &Start) -> Vec<Place> {
    let config = start.roots.config_path.canonicalize().ok();
    let folders = [Some(start.roots.state_dir.clone()), config.and_then(|c| c.parent().map(Path::to_owned))];
    let folders = folders.into_iter().flatten().filter_map(|folder| folder.canonicalize().ok());
    let mut out: Vec<Place> = Vec::new();
    add(&mut out, folders.map(|folder| Place { folder, store: None }));
    out
}

/// Every place of the installation, those that were chosen first.
pub(super) fn all(ctx: &Context, start: &Start) -> Vec<Place> {
    let mut out = Vec::new();
    add(&mut out, start.selection.targets.iter().filter_map(|target| Place::of(target).ok()));
    let everything = SelectArgs { all_agents: true, include_unconfigured: true, ..SelectArgs::default() };
    if let Ok(more) = select::select(ctx, &start.roots, &start.loaded.settings, &everything.flags()) {
        add(&mut out, more.targets.iter().filter_map(|target| Place::of(target).ok()));
    }
    add(&mut out, state(start).into_iter());
    out
}

fn add(places: &mut Vec<Place>, more: impl Iterator<Item = Place>) {
    for place in more {
        if !places.iter().any(|known| known.folder == place.folder) {
            places.push(place);
        }
    }
}

/// The place outside the stores that has the run; without a name and a choice of stores, one whose last run is newer than
/// that of the store.
pub(super) fn state_of(start: &Start, a: &UndoArgs) -> Result<Option<Place>> {
    let places = state(start);
    if let Some(id) = &a.run {
        return Ok(places.into_iter().find(|place| read::one(&place.folder, id).is_ok()));
    }
    let [only] = start.selection.targets.as_slice() else { return Ok(None) };
    if a.select != SelectArgs::default() {
        return Ok(None);
    }
    let mut last = Place::of(only).ok().map_or(Ok(None), |place| last_of(&place.folder))?;
    let mut found = None;
    for place in places {
        let here = last_of(&place.folder)?;
        if here.is_some() && here > last {
            (last, found) = (here, Some(place));
        }
    }
    Ok(found)
}

/// Start of the last run in a folder that an undo without a name is about.
fn last_of(folder: &Path) -> Result<Option<crate::model::Ms>> {
    Ok(last_run(folder)?.map(|run| run.meta.as_ref().map_or(run.closed_at, |meta| meta.started_at)))
}

/// The last run in a folder that an undo without a name is about: one that was interrupted, else one that can be undone.
pub(super) fn last_run(folder: &Path) -> Result<Option<RunRecord>> {
    use crate::model::run::RunState;
    let mut runs = read::list(folder)?;
    let open = runs.iter().rposition(|run| run.state == RunState::Unfinished);
    let is_undo = |run: &RunRecord| run.meta.as_ref().is_some_and(|meta| meta.undoes.is_some());
    let at = open.or_else(|| runs.iter().rposition(|run| run.undoable() && !is_undo(run) || run.is_riddle()));
    Ok(at.map(|at| runs.swap_remove(at)))
}

/// Asks who may write, and does `f` with what undoing a run in that place takes.
///
/// # Errors
/// A live owner, a store that cannot be read, and those of `f`.
pub(super) fn with<T>(
    ctx: &mut Context,
    start: &Start,
    a: &UndoArgs,
    place: &Place,
    f: impl FnOnce(&mut Context, &UndoTarget<'_>) -> Result<T>,
) -> Result<T> {
    match &place.store {
        // It need not be the store that a bare command is about.
        Some(target) => with_store(ctx, start, a, (target, place), f).map_err(|error| place.error(error)),
        None => with_state(ctx, start, a, &place.folder, f),
    }
}

fn with_store<T>(
    ctx: &mut Context,
    start: &Start,
    a: &UndoArgs,
    (target, place): (&Target, &Place),
    f: impl FnOnce(&mut Context, &UndoTarget<'_>) -> Result<T>,
) -> Result<T> {
    let folder = &place.folder;
    let world = ctx.clone();
    // Where no row comes back, a gateway may go on working.
    let flags = PolicyFlags { files_only: undo_rows::touches_no_row(a, folder), ..PolicyFlags::default() };
    let policy = policy::resolve(&undo::without_problems(&start.loaded.settings), &flags, &target.agent_id)?;
    let pass = Pass {
        ctx: &world,
        start,
        target,
        policy: &policy,
        overrides: &a.overrides,
        planner: &decide::decide,
        command: "sessions undo",
        reclaim_by_unlink: false,
        greeting: std::cell::RefCell::default(),
    };
    if !a.dry_run {
        pass.refuse_newer_generation()?;
        pass.gate(folder, None)?;
    }
    if undo_rows::needs_no_index(a, folder)
        && target.store_path.symlink_metadata().is_err_and(|e| e.kind() == ErrorKind::NotFound)
    {
        return without_index(&pass, a, folder, &place.select(), f);
    }
    let Some(planned) = pass.plan()? else {
        // That there is nothing to undo is an answer, and no index is needed for it.
        undo::choose(a, folder)?;
        return Err(Error::new(Kind::Absent, format!("{} does not exist", target.store_path.display())));
    };
    let argv = ctx.argv.clone();
    pass.with_recheck(&planned, |recheck| {
        let others = start.selection.not_looked_at.as_slice();
        f(
            ctx,
            &UndoTarget {
                own_dir: folder,
                limits: undo::gateway_limits(&start.loaded.settings),
                recheck,
                argv: &argv,
                overrides: &a.overrides,
                select: &place.select(),
                indexed: true,
                not_looked_at: if a.run.is_none() { others } else { &[] },
                group: None,
            },
        )
    })
}

/// A folder that has no index, as one that transcripts were copied to: a run that touched no row needs none. Nothing in it
/// has an owner then; who may write is asked as ever.
fn without_index<T>(
    pass: &Pass<'_>,
    a: &UndoArgs,
    folder: &Path,
    select: &str,
    f: impl FnOnce(&mut Context, &UndoTarget<'_>) -> Result<T>,
) -> Result<T> {
    let facts = crate::scan::folder::scan(folder, None)?;
    let mut ctx = pass.ctx.clone();
    let argv = ctx.argv.clone();
    let owner_now = || {
        let mut verdict = pass.owner(folder, None);
        // A refusal that was passed by its token stays passed.
        if verdict.allows(pass.overrides) {
            verdict.writer = Writer::Foreign;
        }
        verdict
    };
    let target = UndoTarget {
        own_dir: folder,
        limits: undo::gateway_limits(&pass.start.loaded.settings),
        recheck: Recheck {
            owned_now: &|names| Ok(vec![false; names.len()]),
            locked_now: &|name| recheck::locked_now(pass.ctx, &facts, name),
            owner_now: &owner_now,
            files_only: true,
        },
        argv: &argv,
        overrides: &a.overrides,
        select,
        indexed: false,
        not_looked_at: &[],
        group: None,
    };
    f(&mut ctx, &target)
}

fn with_state<T>(
    ctx: &mut Context,
    start: &Start,
    a: &UndoArgs,
    folder: &Path,
    f: impl FnOnce(&mut Context, &UndoTarget<'_>) -> Result<T>,
) -> Result<T> {
    let world = ctx.clone();
    let only_config = undo::choose(a, folder).is_ok_and(|run| only_config(start, &run));
    let owner_now = || owner(&world, start, &a.overrides, only_config);
    if !a.dry_run {
        let verdict = owner_now();
        if matches!(verdict.writer, Writer::Owns | Writer::Unknown) {
            return Err(owner::refusal(&verdict));
        }
    }
    let argv = ctx.argv.clone();
    let target = UndoTarget {
        own_dir: folder,
        limits: GatewayLimits::default(),
        recheck: Recheck {
            owned_now: &|names| Ok(vec![false; names.len()]),
            locked_now: &|_| false,
            owner_now: &owner_now,
            files_only: false,
        },
        argv: &argv,
        overrides: &a.overrides,
        select: "",
        indexed: false,
        not_looked_at: &[],
        group: None,
    };
    f(ctx, &target)
}

fn only_config(start: &Start, run: &RunRecord) -> bool {
    let Some(meta) = &run.meta else { return false };
    let folder = meta.folder.to_path();
    let files: Vec<PathBuf> = start.loaded.files().iter().filter_map(|file| file.canonicalize().ok()).collect();
    run.lines.iter().all(|line| {
        matches!(line.op, RunOp::Rewrite | RunOp::Backup) && files.contains(&folder.join(line.from.to_os()))
    })
}

fn owner(ctx: &Context, start: &Start, overrides: &[String], only_config: bool) -> OwnerVerdict {
    let state = &start.roots.state_dir;
    let network = volume::facts(state).network;
    let evidence = owner::collect(ctx, &start.roots, &start.loaded.settings, state, None, network, false);
    let mut verdict = owner::verdict(evidence, false);
    if only_config || verdict.allows(overrides) {
        verdict.writer = Writer::Foreign;
    }
    verdict
}
