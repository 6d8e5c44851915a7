//! `sessions undo`: puts a whole run back.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

use super::undo_group;
use super::undo_name;
use super::undo_place::{self, Place};
use super::undo_texts;
use crate::apply::{self, ApplyInput, Label, Recheck, recover};
use crate::cli::GlobalFlags;
use crate::cli::select::SelectArgs;
use crate::cli::undo::UndoArgs;
use crate::cmd::start;
use crate::context::{Context, Level};
use crate::error::{Error, Kind, Result};
use crate::exit;
use crate::journal::read;
use crate::lock::run::RunLock;
use crate::model::folder::FolderFacts;
use crate::model::index::{IndexFacts, IndexState};
use crate::model::outcome::{Applied, Recovered};
use crate::model::policy::Mode;
use crate::model::run::{RunGroup, RunRecord, RunState};
use crate::model::settings::Settings;
use crate::model::sourced::Origin;
use crate::model::stores::{Agent, Target, TargetOrigin};
use crate::plan::undo::{GatewayLimits, UndoFacts, UndoPlan, plan, pruned_again};
use crate::plan::undo_part::{self, Part};
use crate::plan::undo_stuck;
use crate::report::command::{quote, select_words};
use crate::report::undo::{UndoReport, human_text, json};
use crate::scan::facts;

/// Attempts while another program keeps writing the index.
const TRIES: u32 = 3;

/// Undoes a run, and with it the others of the command that made it.
///
/// # Errors
/// See [`undo`]; and a live owner, beside whom no row may change.
pub fn run(ctx: &mut Context, g: &GlobalFlags, a: &UndoArgs) -> Result<u8> {
    let start = start::reading(ctx, g, &selection(a))?;
    start::refuse_absent_state(g, &a.select, &start)?;
    let named = undo_name::named(ctx, &start, a)?;
    let a = named.as_ref().unwrap_or(a);
    if let Some(group) = undo_group::of(ctx, &start, a)? {
        return undo_group::run(ctx, g, a, &group);
    }
    let start = if named.is_some() { start::reading(ctx, g, &selection(a))? } else { start };
    let place = match undo_place::state_of(&start, a)? {
        Some(place) => place,
        None => place_of(holder_of(&start.selection.targets, a.run.as_deref())?, a.run.is_none())?,
    };
    undo_place::with(ctx, &start, a, &place, |ctx, target| undo(a, ctx, target))
}

/// The place of a store. Where there is no store, nothing was done to it either; only one that was named is missed.
fn place_of(target: &Target, last: bool) -> Result<Place> {
    let none = |_: Error| {
        let kind = if matches!(target.origin, TargetOrigin::StoreFlag) { Kind::Absent } else { Kind::Failed };
        Error::new(kind, format!("{} has no run to undo: it does not exist", target.store_path.display()))
            .hint("clawkeep sessions runs --all-agents --include-unconfigured")
    };
    if last { Place::of(target).map_err(none) } else { Place::of(target) }
}

/// Limits that count as off because they are invalid must not keep anybody from putting things back.
pub(super) fn without_problems(settings: &Settings) -> Settings {
    Settings { problems: Vec::new(), ..settings.clone() }
}

/// Which stores to look at: a run that is named without a store is looked for in those of all agents.
pub(super) fn selection(a: &UndoArgs) -> SelectArgs {
    if a.run.is_some() && a.select == SelectArgs::default() {
        return SelectArgs { all_agents: true, include_unconfigured: true, ..SelectArgs::default() };
    }
    a.select.clone()
}

/// The store whose folder holds the run; without a run, the only one chosen.
fn holder_of<'a>(targets: &'a [Target], run: Option<&str>) -> Result<&'a Target> {
    let holds = |target: &&Target| {
        let folder = facts::artefact_folder(target);
        run.is_some_and(|id| folder.is_some_and(|dir| read::one(&dir, id).is_ok()))
    };
    if let [only] = targets {
        return Ok(only);
    }
    let Some(id) = run else {
        return Err(Error::usage("say which run to undo, or choose one store with --agent or --store")
            .hint("clawkeep sessions runs --all-agents --include-unconfigured"));
    };
    let holders: Vec<&Target> = targets.iter().filter(holds).collect();
    // Agents that share a folder share its runs: any of them will do.
    let folder = holders.first().and_then(|t| facts::artefact_folder(t));
    match holders.as_slice() {
        [] => Err(Error::failed(format!("no agent has a run {}", crate::report::escape::line(id)))
            .hint("clawkeep sessions runs --all-agents --include-unconfigured")),
        [first, rest @ ..] if rest.iter().all(|t| facts::artefact_folder(t) == folder) => Ok(first),
        several => {
            let mut error = Error::usage(format!("several agents have a run {id}: choose one"));
            for target in several {
                let words = select_words(target);
                error = error.hint(format!("clawkeep sessions undo {}{words}", quote(id)));
            }
            Err(error)
        }
    }
}

/// What the gateway does to rows by itself: its mode is enforce unless the configuration says warn.
pub(super) fn gateway_limits(settings: &Settings) -> GatewayLimits {
    let session = &settings.session;
    let says_warn = session.mode.value == Mode::Warn && !matches!(session.mode.origin, Origin::Default);
    GatewayLimits {
        enforces: !says_warn,
        prune_after: session.prune_after.value.at(),
        max_entries: session.max_entries.value.at(),
    }
}

/// What undo works on.
#[derive(Clone, Copy)]
pub struct UndoTarget<'a> {
    /// Folder with the `.clawkeep` of the run.
    pub own_dir: &'a Path,
    /// Limits the gateway itself applies to its index.
    pub limits: GatewayLimits,
    /// Questions asked again on the way.
    pub recheck: Recheck<'a>,
    /// Arguments as given, for the record.
    pub argv: &'a [String],
    /// Override tokens that were given.
    pub overrides: &'a [String],
    /// Words that choose the store again, with a blank before them.
    pub select: &'a str,
    /// There is an index beside it.
    pub indexed: bool,
    /// Agents whose runs were not looked at.
    pub not_looked_at: &'a [Agent],
    /// Place of the undo among those of one command.
    pub group: Option<&'a RunGroup>,
}

/// What an undo came to.
pub(super) struct Undone {
    pub(super) plan: UndoPlan,
    /// `None` for a dry run.
    pub(super) applied: Option<Applied>,
    pub(super) again: u64,
    pub(super) code: u8,
}

/// Undoes one run and reports. Returns the exit code.
///
/// # Errors
/// No such run, nothing to undo, a busy lock, rows that would not last, and everything that stops a run.
pub fn undo(args: &UndoArgs, ctx: &Context, target: &UndoTarget<'_>) -> Result<u8> {
    let done = put_back(args, ctx, target)?;
    undo_name::refuse_idle(&done, args, target)?;
    report(ctx, target, &done.plan, done.applied.as_ref(), done.again)?;
    Ok(done.code)
}

/// [`undo`] without its report.
///
/// # Errors
/// As [`undo`].
pub(super) fn put_back(args: &UndoArgs, ctx: &Context, target: &UndoTarget<'_>) -> Result<Undone> {
    // The last run is the one that was interrupted, if there is one; what it comes to is told by its recovery.
    // That may be that it had not begun; an older run is not undone in its place.
    let pending = recover::pending(target.own_dir)?;
    let interrupted = match &args.run {
        Some(id) => pending.iter().find(|run| run.id == *id),
        None => pending.last(),
    };
    if let (Some(run), true) = (interrupted, args.dry_run) {
        return Err(not_to_be_told(run, target.select, target.indexed));
    }
    let by_name = args.run.is_some();
    let named = interrupted.map(|run| UndoArgs { run: Some(run.id.clone()), ..args.clone() });
    let args = named.as_ref().unwrap_or(args);
    if args.dry_run {
        let (seen, plan) = look(args, target)?;
        let again = pruned_again(&seen.facts(), &plan, target.limits, ctx.run_time());
        warn_pruned_again(ctx, again);
        let code = dry(&plan);
        return Ok(Undone { plan, applied: None, again, code });
    }
    // An unknown run is told before anything is locked.
    if interrupted.is_none() {
        part_of(args, choose(args, target.own_dir)?)?;
    }
    let lock = RunLock::acquire(ctx, target.own_dir, "sessions undo")?;
    let recovered = recover::run(ctx, target.own_dir, &lock, &target.recheck)?;
    let Some(args) = after_recovery(args, interrupted, by_name, target)? else {
        return Ok(only_recovered(interrupted, recovered));
    };
    let args = &args;
    let mut tries = 0;
    loop {
        tries += 1;
        let (seen, plan) = look(args, target)?;
        let again = pruned_again(&seen.facts(), &plan, target.limits, ctx.run_time());
        warn_pruned_again(ctx, again);
        if again > 0 && !args.yes {
            return Err(refuse_short_life(
                again,
                &format!("clawkeep sessions undo {}{}{} --yes", plan.run_id, part_words(args), target.select),
            ));
        }
        match execute(ctx, target, &lock, &seen, &plan, &recovered) {
            Err(e) if apply::conflict(&e).is_some() && tries < TRIES => {}
            Err(e) => return Err(e),
            Ok(applied) => {
                let code = code(ctx, &plan, &applied);
                return Ok(Undone { plan, applied: Some(applied), again, code });
            }
        }
    }
}

/// What a dry run says about an interrupted run. `indexed`: there is an index that a cleanup could work on.
pub(super) fn not_to_be_told(run: &recover::PendingRun, select: &str, indexed: bool) -> Error {
    let id = &run.id;
    let error =
        Error::failed(format!("run {id} was interrupted; what undoing it brings back is known when it is finished"))
            .hint(format!("clawkeep sessions undo {id}{select}"));
    if run.command == "transcript repair" || !indexed {
        return error;
    }
    error.hint(format!("clawkeep sessions cleanup --enforce{select}"))
}

/// What is to be undone now that an interrupted run is closed; `None` if its recovery was all there is to do. A run that
/// was taken back has nothing to undo. An interrupted undo that was finished is what was asked for, and one that was taken
/// back, or left something undone, is done anew; without a name, an older run is never undone in its place.
fn after_recovery(
    args: &UndoArgs,
    interrupted: Option<&recover::PendingRun>,
    by_name: bool,
    target: &UndoTarget<'_>,
) -> Result<Option<UndoArgs>> {
    let Some(run) = interrupted else { return Ok(Some(args.clone())) };
    let record = read::one(target.own_dir, &run.id)?;
    let undoes = record.meta.as_ref().and_then(|meta| meta.undoes.clone());
    let stands = |of: &String| read::one(target.own_dir, of).is_ok_and(|run| run.undoable());
    Ok(match (record.state == RunState::RolledBack || undoes.as_ref().is_some_and(stands), undoes) {
        (true, Some(of)) if !by_name => Some(UndoArgs { run: Some(of), ..args.clone() }),
        (true, _) => None,
        (false, Some(_)) if !by_name => None,
        (false, _) => Some(args.clone()),
    })
}

/// A recovery after which nothing was left to undo.
fn only_recovered(interrupted: Option<&recover::PendingRun>, recovered: Vec<Recovered>) -> Undone {
    let plan = UndoPlan { run_id: interrupted.map(|run| run.id.clone()).unwrap_or_default(), ..UndoPlan::default() };
    let code = after(&recovered);
    Undone { plan, applied: Some(Applied { recovered, ..Applied::default() }), again: 0, code }
}

/// The exit code of a recovery.
pub(super) fn after(recovered: &[Recovered]) -> u8 {
    let whole = recovered.iter().all(|r| r.result != "abandoned" && r.left.is_empty());
    if whole { exit::DONE } else { exit::PARTIAL }
}

/// The exit code of a dry run: that of the run that it stands for.
pub(super) fn dry(plan: &UndoPlan) -> u8 {
    if plan.conflicts.is_empty() && plan.not_undoable.is_empty() { exit::DONE } else { exit::PARTIAL }
}

/// Everything as it is now, and the plan for the whole run or the part that was asked for.
pub(super) fn look(args: &UndoArgs, target: &UndoTarget<'_>) -> Result<(Seen, UndoPlan)> {
    let whole = choose(args, target.own_dir)?;
    let part = part_of(args, whole.clone())?;
    let others = read::list(target.own_dir)?;
    let mut seen = Seen::look(&part, others, part == whole)?;
    let mut out = plan(&seen.facts());
    let stuck = undo_texts::stuck(&out, &seen.folder.path);
    if !stuck.is_empty() {
        let names: Vec<OsString> = stuck.iter().map(|(name, _)| name.clone()).collect();
        seen = Seen::look(&undo_stuck::without(part, &names), seen.others, false)?;
        out = plan(&seen.facts());
        out.conflicts.extend(stuck.into_iter().map(|(_, left)| left));
    }
    if seen.run != whole {
        let all = Seen::look(&whole, seen.others.clone(), true)?;
        out.partly = undo_part::leaves_something(&plan(&all.facts()), &out);
    }
    Ok((seen, out))
}

/// Words that ask for the same part again.
fn part_words(args: &UndoArgs) -> String {
    let keys = args.keys.iter().map(|key| format!(" --key {}", quote(key)));
    keys.chain(args.files.iter().map(|file| format!(" --file {}", quote(file)))).collect()
}

/// The part of the run that `--key` and `--file` ask for.
fn part_of(args: &UndoArgs, run: RunRecord) -> Result<RunRecord> {
    let wanted = Part { keys: args.keys.clone(), files: args.files.clone() };
    let lost = run.rows_lost();
    undo_part::narrow(run, &wanted).map_err(|(run, unknown)| {
        let shown = crate::report::escape::line(&unknown);
        match lost {
            Some(lost) => Error::failed(format!("run {run}: {lost}, and none of them is called {shown}"))
                .hint(format!("clawkeep sessions restore {} --list", quote(&unknown))),
            None => Error::failed(format!("run {run} took nothing that is called {shown}"))
                .hint(format!("clawkeep sessions undo {run} --dry-run -v")),
        }
    })
}

pub(super) fn choose(args: &UndoArgs, own_dir: &Path) -> Result<RunRecord> {
    let run = match &args.run {
        Some(id) => read::one(own_dir, id)?,
        // An undo is undone only by name: `undo` twice goes back two runs.
        None => {
            let mut runs = read::list(own_dir)?;
            let is_first = |r: &RunRecord| r.undoable() && r.meta.as_ref().is_some_and(|m| m.undoes.is_none());
            // One that cannot be read is the last all the same: an older one is not undone in its place.
            let last = runs.iter().rposition(|r| is_first(r) || r.is_riddle());
            match last {
                Some(ix) => runs.swap_remove(ix),
                None => {
                    return Err(Error::failed(format!("{} has no run to undo", own_dir.display()))
                        .hint("clawkeep sessions runs --all-agents --include-unconfigured"));
                }
            }
        }
    };
    match (&run.state, &run.undone_by) {
        (RunState::TooNew(v), _) => {
            Err(Error::new(Kind::TooNew, format!("run {} has format {v}, which this program cannot undo", run.id)))
        }
        (RunState::Unreadable(why), _) => Err(undo_name::unreadable(&run, why, own_dir)),
        (RunState::RolledBack, _) => Err(Error::failed(format!("run {} changed nothing", run.id))),
        (_, Some(by)) => Err(Error::failed(format!("run {} was undone by {by} already", run.id))
            .hint(format!("clawkeep sessions undo {by}"))),
        _ => match &run.astray {
            Some(why) => Err(undo_name::astray(&run, why, own_dir)),
            None => Ok(run),
        },
    }
}

/// Everything undo is planned from.
pub(super) struct Seen {
    run: RunRecord,
    index: Option<IndexFacts>,
    folder: FolderFacts,
    contents: BTreeMap<u32, Vec<u8>>,
    before: Option<Vec<u8>>,
    others: Vec<RunRecord>,
}

impl Seen {
    fn look(run: &RunRecord, others: Vec<RunRecord>, whole: bool) -> Result<Self> {
        let Some(meta) = &run.meta else {
            return Err(Error::failed(format!("run {} has no record of what it did", run.id)));
        };
        let store = meta.store.as_ref().map(crate::model::run::Raw::to_path);
        let folder = crate::scan::folder::scan(&meta.folder.to_path(), store.as_deref().and_then(Path::file_name))?;
        let index = match (&store, run.rows.is_empty()) {
            (Some(store), false) => Some(whole_index(store)?),
            _ => None,
        };
        let contents = undo_texts::contents(run, &folder.path);
        let before = index.as_ref().filter(|_| whole).and_then(|index| undo_texts::before(run, index));
        Ok(Self { run: run.clone(), index, folder, contents, before, others })
    }

    fn facts(&self) -> UndoFacts<'_> {
        let Self { run, index, folder, contents, before, others } = self;
        UndoFacts { run, index: index.as_ref(), folder, contents, before: before.as_deref(), others }
    }
}

pub(super) fn whole_index(store: &Path) -> Result<IndexFacts> {
    let shown = store.display();
    match crate::store::read::read(store) {
        IndexState::Whole(index) => Ok(index),
        IndexState::Absent => Err(Error::new(Kind::Absent, format!("{shown} does not exist"))),
        IndexState::Damaged(damage) => Err(facts::damaged(store, &damage)),
        IndexState::Unreadable(why) => Err(Error::failed(format!("cannot read {shown}: {why}"))),
    }
}

fn execute(
    ctx: &Context,
    target: &UndoTarget<'_>,
    lock: &RunLock,
    seen: &Seen,
    plan: &UndoPlan,
    recovered: &[Recovered],
) -> Result<Applied> {
    let facts = seen.facts();
    apply::execute(&ApplyInput {
        ctx,
        plan: &plan.to_plan(&facts, ctx.run_time()),
        index: seen.index.as_ref(),
        own_dir: target.own_dir,
        lock: Some(lock),
        command: "sessions undo",
        argv: target.argv,
        overrides: target.overrides,
        policy_echo: &serde_json::Value::Null,
        undoes: Some(&plan.run_id),
        partly: plan.partly,
        leaves: !plan.conflicts.is_empty() || !plan.not_undoable.is_empty(),
        group: target.group,
        label: &|_| Label::default(),
        reclaim_by_unlink: false,
        suspect: false,
        recheck: target.recheck,
        pack: None,
        progress: None,
        recovered,
    })
}

pub(super) fn warn_pruned_again(ctx: &Context, again: u64) {
    if again > 0 {
        ctx.log(
            Level::Warning,
            &format!(
                "the gateway's own maintenance would remove {again} of these rows again; to keep them set \
                 session.maintenance.mode to \"warn\", or raise pruneAfter and maxEntries, in its configuration first"
            ),
        );
    }
}

pub(super) fn refuse_short_life(again: u64, anyway: &str) -> Error {
    Error::failed(format!("{again} rows would be removed again by the gateway; nothing was changed"))
        .hint("set session.maintenance.mode to \"warn\" in the gateway's configuration")
        .hint(anyway)
}

fn report(
    ctx: &Context,
    target: &UndoTarget<'_>,
    plan: &UndoPlan,
    applied: Option<&Applied>,
    again: u64,
) -> Result<()> {
    let report = UndoReport {
        plan,
        applied,
        pruned_again: again,
        verbose: ctx.output.verbose > 0,
        given: &ctx.given,
        select: target.select,
        not_looked_at: target.not_looked_at,
        runs: &[],
        stopped: None,
    };
    print(ctx, &report)
}

/// Prints a report in the form that was asked for.
///
/// # Errors
/// stdout cannot be written.
pub(super) fn print(ctx: &Context, report: &UndoReport<'_>) -> Result<()> {
    let text = if ctx.output.json {
        json(report).map_err(|e| Error::failed(format!("cannot format the report: {e}")))?
    } else if ctx.output.quiet > 0 {
        return Ok(());
    } else {
        human_text(report)
    };
    ctx.write_stdout(text.as_bytes())
}

pub(super) fn code(ctx: &Context, plan: &UndoPlan, applied: &Applied) -> u8 {
    if let Some(code) = ctx.cancel.get().filter(|_| applied.cancelled) {
        return code;
    }
    let all_done = applied.outcomes.iter().all(|o| o.freed().is_some());
    if all_done { dry(plan) } else { exit::PARTIAL }
}
