//! `sessions undo` of a command that made several runs: one a folder, and one thing to whoever ran it.
//!
//! Half of it undone would be worse than all or nothing: an index without the files its rows lead to, files in a folder
//! that no gateway reads. So the runs go back together, the newest first, because an older one may be the ground that a
//! newer one stands on. What is in the way of any of them is found out before the first file moves.
//!
//! # Failure story
//! An undo that is interrupted leaves runs that stand and runs that were undone. The same command again finishes the
//! interrupted one, and undoes what still stands.

use std::path::Path;

use super::undo::{self, UndoTarget, Undone};
use super::undo_name::{has_nothing_left, is_narrowed, nothing_left, wants_part};
use super::undo_place::{self, Place};
use super::undo_texts;
use crate::apply::recover;
use crate::cli::GlobalFlags;
use crate::cli::select::SelectArgs;
use crate::cli::undo::UndoArgs;
use crate::cmd::start::{self, Start};
use crate::context::{Context, Level};
use crate::error::{Error, Kind, Result};
use crate::exit;
use crate::fsx::writable;
use crate::journal::read;
use crate::lock::run::RunLock;
use crate::model::effect::Effect;
use crate::model::outcome::{Applied, Recovered};
use crate::model::run::{RunGroup, RunRecord, RunState};
use crate::order::Order as _;
use crate::plan::undo::{Left, UndoFacts, UndoPlan, plan, pruned_again};
use crate::plan::undo_group::Foreseen;
use crate::plan::undo_stuck;
use crate::report::escape;
use crate::report::plural::count;
use crate::report::undo::UndoReport;

/// Token that lets an undo leave something behind.
const PARTIAL: &str = "partial-undo";
/// The command whose runs go back whole even if it is one.
const DOCTOR: &str = "doctor";
/// Things in the way that a refusal lists.
const LISTED: usize = 5;

/// A run, and the place that records it.
pub(super) struct Member {
    place: Place,
    pub(super) run: RunRecord,
}

impl Member {
    pub(super) fn stands(&self) -> bool {
        self.run.undoable()
    }
}

/// Id of the group that the run to be undone belongs to; `None` if it is alone, or only a part of it is asked for.
///
/// # Errors
/// A record that cannot be read.
pub(super) fn of(ctx: &Context, start: &Start, a: &UndoArgs) -> Result<Option<String>> {
    let places = undo_place::all(ctx, start);
    let Some(run) = asked_for(start, a, &places)? else { return Ok(None) };
    let group = run.group().0.to_owned();
    // A fix is one thing to whoever ran it, in one folder or in several.
    if is_fix(&run) {
        return if wants_part(a) { Err(whole_or_not(&group)) } else { Ok(Some(group)) };
    }
    if wants_part(a) || is_narrowed(&a.select) {
        return Ok(None);
    }
    let all = members(&places, &group)?;
    let lost = lost(&all);
    if lost > 0 {
        let gone = format!("{lost} of the {} runs of {group} are not recorded any more", lost + all.len() as u64);
        ctx.log(Level::Warning, &format!("{gone}: what they took is not put back"));
    }
    Ok((all.len() > 1).then_some(group))
}

/// Whether it is a run of the doctor.
pub(super) fn is_fix(run: &RunRecord) -> bool {
    run.meta.as_ref().is_some_and(|meta| meta.command == DOCTOR)
}

fn whole_or_not(group: &str) -> Error {
    Error::failed(format!("{group} is a fix of the doctor, which goes back whole or not at all; nothing was changed"))
        .hint(format!("clawkeep sessions undo {group}"))
}

/// The run that is meant: by its name, or the last one. An undo that was interrupted stands for what it undoes.
pub(super) fn asked_for(start: &Start, a: &UndoArgs, places: &[Place]) -> Result<Option<RunRecord>> {
    if let Some(id) = &a.run {
        return find(places, id);
    }
    let stores = match start.selection.targets.as_slice() {
        targets if targets.len() == 1 || a.select.all_agents => targets,
        _ => return Ok(None),
    };
    let stores = stores.iter().filter_map(|target| Place::of(target).ok()).map(|place| place.folder);
    let state = undo_place::state(start).into_iter().map(|place| place.folder);
    let with_state = a.select.all_agents || a.select == SelectArgs::default();
    let folders = stores.chain(state.filter(|_| with_state));
    let mut last: Option<RunRecord> = None;
    for folder in folders {
        let here = undo_place::last_run(&folder)?;
        if let Some(here) = here.filter(|here| last.as_ref().is_none_or(|last| is_later(here, last))) {
            last = Some(here);
        }
    }
    match last
        .as_ref()
        .filter(|run| run.state == RunState::Unfinished)
        .and_then(|run| run.meta.as_ref()?.undoes.clone())
    {
        Some(undone) => find(places, &undone),
        None => Ok(last),
    }
}

/// Of the runs of one command the last is later, whatever the clock said.
fn is_later(run: &RunRecord, than: &RunRecord) -> bool {
    let at = |run: &RunRecord| (run.meta.as_ref().map_or(run.closed_at, |meta| meta.started_at), run.group().1);
    at(run) > at(than)
}

pub(super) fn find(places: &[Place], id: &str) -> Result<Option<RunRecord>> {
    for place in places {
        if let Some(run) = read::list(&place.folder)?.into_iter().find(|run| run.id == id) {
            return Ok(Some(run));
        }
    }
    Ok(None)
}

/// The runs of a group, newest first.
pub(super) fn members(places: &[Place], group: &str) -> Result<Vec<Member>> {
    let mut out = Vec::new();
    for place in places {
        let runs = read::list(&place.folder)?.into_iter().filter(|run| run.group().0 == group);
        out.extend(runs.map(|run| Member { place: place.clone(), run }));
    }
    out.order_by_key(|member| std::cmp::Reverse(member.run.group().1));
    Ok(out)
}

/// Undoes the whole group and reports.
///
/// # Errors
/// Something in the way of any of its runs, a record that is gone, rows that would not last, a live owner, a busy lock.
pub(super) fn run(ctx: &mut Context, g: &GlobalFlags, a: &UndoArgs, group: &str) -> Result<u8> {
    let start = fresh(ctx, g, a)?;
    let places = undo_place::all(ctx, &start);
    let folders: Vec<Place> = members(&places, group)?.into_iter().map(|member| member.place).collect();
    let recovered = finish_interrupted(ctx, &start, a, &folders)?;
    let all = members(&places, group)?;
    let standing: Vec<&Member> = all.iter().filter(|member| member.stands()).collect();
    let anew = done_anew(&places, &standing, &recovered)?;
    if standing.is_empty() {
        return nothing_stands(ctx, a, group, &all, recovered);
    }
    let (foreseen, again) = foresee(&standing, &start, ctx)?;
    if recovered.is_empty() && has_nothing_left(&foreseen) {
        let own_dir = standing.last().map_or(Path::new(""), |member| member.place.folder.as_path());
        return Err(nothing_left(group, own_dir, ""));
    }
    let ids: Vec<String> = standing.iter().map(|member| member.run.id.clone()).collect();
    undo::warn_pruned_again(ctx, again);
    let astray = standing.iter().filter(|member| member.run.astray.is_some()).map(|member| member.run.id.clone());
    let mut whole = Whole { group, ids: &ids, astray: astray.collect(), again, stopped: None, recovered, anew };
    if a.dry_run {
        whole.report(ctx, &foreseen, None)?;
        return Ok(undo::dry(&foreseen));
    }
    let parts = all.iter().all(|member| !is_fix(&member.run)) || a.overrides.iter().any(|token| token == PARTIAL);
    if !parts {
        refuse_halves(group, &all, &foreseen)?;
    }
    if again > 0 && !a.yes {
        return Err(undo::refuse_short_life(again, &format!("clawkeep sessions undo {group} --yes")));
    }
    let made = undo_group_of(&places, &all)?;
    let code = each(ctx, g, a, &mut whole, (made, parts))?;
    Ok(code)
}

/// Everything again: a run that moved the state folder moves its records with it. What there is to warn of was said.
fn fresh(ctx: &Context, g: &GlobalFlags, a: &UndoArgs) -> Result<Start> {
    let mut silent = ctx.clone();
    silent.output.quiet = silent.output.quiet.max(2);
    start::reading(&mut silent, g, &undo::selection(a))
}

/// Closes what was interrupted where the runs are recorded: what an undo brings back is known only then.
fn finish_interrupted(ctx: &mut Context, start: &Start, a: &UndoArgs, places: &[Place]) -> Result<Vec<Recovered>> {
    let mut out = Vec::new();
    for place in places {
        let pending = recover::pending(&place.folder)?;
        let Some(last) = pending.last() else { continue };
        if a.dry_run {
            return Err(undo::not_to_be_told(last, "", place.indexed()));
        }
        let named = UndoArgs { run: Some(last.id.clone()), ..a.clone() };
        out.extend(undo_place::with(ctx, start, &named, place, |ctx, target| {
            let lock = RunLock::acquire(ctx, target.own_dir, "sessions undo")?;
            recover::run(ctx, target.own_dir, &lock, &target.recheck)
        })?);
    }
    Ok(out)
}

/// Recovered undos of runs that stand: what they did not get to is done now.
fn done_anew(places: &[Place], standing: &[&Member], recovered: &[Recovered]) -> Result<Vec<String>> {
    let mut anew = Vec::new();
    for one in recovered {
        let undoes = find(places, &one.run_id)?.and_then(|run| run.meta?.undoes);
        if undoes.is_some_and(|of| standing.iter().any(|member| member.run.id == of)) {
            anew.push(one.run_id.clone());
        }
    }
    Ok(anew)
}

fn nothing_stands(ctx: &Context, a: &UndoArgs, group: &str, all: &[Member], recovered: Vec<Recovered>) -> Result<u8> {
    if !recovered.is_empty() && !a.dry_run {
        let code = undo::after(&recovered);
        let whole = Whole { group, ids: &[], astray: Vec::new(), again: 0, stopped: None, recovered, anew: Vec::new() };
        whole.report(ctx, &UndoPlan { run_id: group.to_owned(), ..UndoPlan::default() }, Some(Applied::default()))?;
        return Ok(code);
    }
    let by = all.iter().find_map(|member| member.run.undone_by.clone());
    Err(match by {
        Some(by) => Error::failed(format!("the runs of {group} were undone already"))
            .hint(format!("clawkeep sessions undo {by}")),
        None => Error::failed(format!("the runs of {group} have nothing to undo")),
    })
}

/// What undoing all of them comes to, each planned on what the ones before it leave; and the rows that the gateway would
/// remove again.
fn foresee(standing: &[&Member], start: &Start, ctx: &Context) -> Result<(UndoPlan, u64)> {
    let mut foreseen = Foreseen::default();
    let mut sum = UndoPlan::default();
    let mut again = 0;
    for Member { place, run } in standing {
        let Some(meta) = &run.meta else { continue };
        if let Some(why) = &run.astray {
            sum.conflicts.push(Left { subject: run.id.clone(), why: why.clone(), bytes: 0, copy: None });
            continue;
        }
        let path = meta.folder.to_path();
        let path = path.canonicalize().unwrap_or(path);
        let store = meta.store.as_ref().map(crate::model::run::Raw::to_path);
        let name = store.as_deref().and_then(Path::file_name);
        let index = match &store {
            Some(store) if !run.rows.is_empty() => {
                let store = store.canonicalize().unwrap_or_else(|_| store.clone());
                foreseen.index(&store, || undo::whole_index(&store)).map_err(|error| place.error(error))?
            }
            _ => None,
        };
        let others = read::list(&place.folder)?;
        let contents = undo_texts::contents(run, &path);
        let folder = match foreseen.folder(&path, |now| crate::scan::folder::scan(now, name)) {
            Err(error) if error.kind == Kind::Absent => {
                sum.conflicts.push(gone(&path));
                continue;
            }
            folder => folder?,
        };
        let before = index.as_ref().and_then(|index| undo_texts::before(run, index));
        let facts = UndoFacts {
            run,
            index: index.as_ref(),
            folder,
            contents: &contents,
            before: before.as_deref(),
            others: &others,
        };
        let mut one = plan(&facts);
        let stuck = undo_texts::stuck(&one, &path);
        if !stuck.is_empty() {
            let names: Vec<_> = stuck.iter().map(|(name, _)| name.clone()).collect();
            let rest = undo_stuck::without(run.clone(), &names);
            one = plan(&UndoFacts { run: &rest, before: None, ..facts });
            one.conflicts.extend(stuck.into_iter().map(|(_, left)| left));
        }
        again += pruned_again(&facts, &one, undo::gateway_limits(&start.loaded.settings), ctx.run_time());
        sum.conflicts.extend(unwritable(&path, &one));
        foreseen.undone(&path, &one, &|file| crate::fsx::read::lstat(file).ok());
        add(&mut sum, one);
    }
    Ok((sum, again))
}

/// What the undo would change and nobody may change.
fn unwritable(folder: &Path, plan: &UndoPlan) -> Vec<Left> {
    if plan.effects.is_empty() {
        return Vec::new();
    }
    let left = |subject: &Path, why: String| Left { subject: subject.display().to_string(), why, bytes: 0, copy: None };
    // A folder that an undo before this one brings back is not there yet.
    let mut all: Vec<Left> =
        writable::refused(folder).filter(|_| folder.is_dir()).map(|why| left(folder, why)).into_iter().collect();
    for planned in &plan.effects {
        let path = match (&planned.effect, planned.effect.swap()) {
            (_, Some(swap)) => swap.path.clone(),
            (Effect::Restore { replaces: Some(name), .. }, _) => folder.join(name),
            (Effect::MoveDir(dir), _) => dir.from.clone(),
            (
                Effect::Splice { file, .. }
                | Effect::Rewrite { file, .. }
                | Effect::SetMode { file, .. }
                | Effect::Move { file, .. }
                | Effect::Stow { file }
                | Effect::RemoveDir { dir: file },
                _,
            ) => folder.join(&file.name),
            _ => continue,
        };
        all.extend(writable::immutable(&path).map(|why| left(&path, why)));
    }
    all
}

/// The folder of a run that is not there any more.
fn gone(path: &Path) -> Left {
    Left { subject: path.display().to_string(), why: "the folder is gone".to_owned(), bytes: 0, copy: None }
}

/// Adds the undo of one run to that of all. What one brings and the next takes on its way is neither back nor gone.
fn add(sum: &mut UndoPlan, one: UndoPlan) {
    sum.effects.extend(one.effects);
    sum.rows_back.extend(one.rows_back);
    sum.rows_out.extend(one.rows_out);
    sum.files_back.extend(one.files_back);
    sum.files_out.extend(one.files_out);
    sum.bytes_back += one.bytes_back;
    sum.conflicts.extend(one.conflicts);
    sum.not_undoable.extend(one.not_undoable);
    sum.expired.extend(one.expired);
    sum.damaged |= one.damaged;
}

/// How many runs of a group, newest first, have no record any more. Nobody knows of one that came after all of them.
fn lost(all: &[Member]) -> u64 {
    let last = all.first().map_or(0, |member| member.run.group().1);
    (u64::from(last) + 1).saturating_sub(all.len() as u64)
}

/// All or nothing, unless a person wants what there is.
fn refuse_halves(group: &str, all: &[Member], foreseen: &UndoPlan) -> Result<()> {
    let refuse = |what: String| {
        Err(Error::failed(format!("{what}; nothing was changed"))
            .hint(format!("clawkeep sessions undo {group} --dry-run -v"))
            .token(PARTIAL))
    };
    let lost = lost(all);
    if lost > 0 {
        let made = lost + all.len() as u64;
        return refuse(format!("{lost} of the {made} runs of {group} are not recorded any more"));
    }
    if let Some(torn) = all.iter().find(|member| member.run.is_riddle()) {
        return refuse(format!("run {}, one of {group}, cannot be read", torn.run.id));
    }
    let in_the_way: Vec<&Left> = foreseen.conflicts.iter().chain(&foreseen.not_undoable).collect();
    if in_the_way.is_empty() {
        return Ok(());
    }
    let shown = in_the_way.iter().take(LISTED).map(|left| format!("{}: {}", escape::line(&left.subject), left.why));
    let more = in_the_way.len().saturating_sub(LISTED);
    let more = if more > 0 { format!(", and {more} more") } else { String::new() };
    refuse(format!(
        "{} would be left behind by the undo of {group} ({}{more})",
        count(in_the_way.len() as u64, "item"),
        shown.collect::<Vec<_>>().join(", ")
    ))
}

/// Runs that an earlier undo of the same group has made: the ones to come belong to them.
fn undo_group_of(places: &[Place], all: &[Member]) -> Result<Vec<String>> {
    let Some(by) = all.iter().find_map(|member| member.run.undone_by.as_deref()) else { return Ok(Vec::new()) };
    let Some(first) = find(places, by)?.map(|run| run.group().0.to_owned()) else { return Ok(Vec::new()) };
    let mut made: Vec<String> = members(places, &first)?.into_iter().map(|member| member.run.id).collect();
    made.reverse();
    Ok(made)
}

/// The undo of a group, as it is reported.
struct Whole<'a> {
    group: &'a str,
    ids: &'a [String],
    /// Of these, the ones that are not to be touched from here.
    astray: Vec<String>,
    again: u64,
    /// Why it went no further.
    stopped: Option<String>,
    recovered: Vec<Recovered>,
    /// Of these, the undos that were given up and whose runs go back now.
    anew: Vec<String>,
}

impl Whole<'_> {
    fn report(&self, ctx: &Context, plan: &UndoPlan, applied: Option<Applied>) -> Result<()> {
        let plan = UndoPlan { run_id: self.group.to_owned(), ..plan.clone() };
        let applied = applied.map(|mut applied| {
            applied.recovered.splice(0..0, self.recovered.iter().cloned());
            applied
        });
        let report = UndoReport {
            plan: &plan,
            applied: applied.as_ref(),
            pruned_again: self.again,
            verbose: ctx.output.verbose > 0,
            given: &ctx.given,
            select: "",
            not_looked_at: &[],
            runs: self.ids,
            stopped: self.stopped.as_deref(),
        };
        undo::print(ctx, &report)
    }
}

/// Undoes one after the other. The first that cannot be undone whole ends it, unless that was asked for.
fn each(
    ctx: &mut Context,
    g: &GlobalFlags,
    a: &UndoArgs,
    whole: &mut Whole<'_>,
    (mut made, parts): (Vec<String>, bool),
) -> Result<u8> {
    let before = made.len();
    let (mut sum, mut applied) = (UndoPlan::default(), Applied::default());
    let ended: Vec<Recovered> = whole.recovered.iter().filter(|r| !whole.anew.contains(&r.run_id)).cloned().collect();
    let mut worst = undo::after(&ended);
    for (nr, id) in whole.ids.iter().enumerate() {
        let one = UndoArgs { run: Some(id.clone()), yes: true, ..a.clone() };
        match step(ctx, g, &one, RunGroup::after(&made)) {
            // What there is goes back; this was said before.
            Err(error) if parts && (error.kind == Kind::Absent || whole.astray.contains(id)) => {
                sum.conflicts.push(Left { subject: id.clone(), why: error.message, bytes: 0, copy: None });
                worst = exit::graver(worst, exit::PARTIAL);
            }
            Err(error) if nr == 0 => return Err(error),
            Err(error) => {
                worst = exit::graver(worst, exit::PARTIAL);
                whole.stopped = Some(error.message);
                break;
            }
            Ok(Undone { plan, applied: done, code, .. }) => {
                add(&mut sum, plan);
                let Applied { outcomes, warnings, recovered, cancelled, run_id, .. } = done.unwrap_or_default();
                applied.outcomes.extend(outcomes);
                applied.warnings.extend(warnings);
                applied.recovered.extend(recovered);
                applied.cancelled |= cancelled;
                made.extend(Some(run_id).filter(|id| !id.is_empty()));
                worst = exit::graver(worst, code);
                if code != exit::DONE && !parts {
                    whole.stopped = Some(format!("run {id} could not be undone whole"));
                }
            }
        }
        if nr + 1 < whole.ids.len() && (whole.stopped.is_some() || ctx.cancel.get().is_some()) {
            whole.stopped.get_or_insert_with(|| "interrupted".to_owned());
            worst = exit::graver(worst, exit::PARTIAL);
            break;
        }
        whole.stopped = None;
    }
    // The undos of one command, of this one and of those before it that it goes on with, are called by the first.
    applied.run_id = made.first().filter(|_| made.len() > before).cloned().unwrap_or_default();
    let interrupted = ctx.cancel.get().filter(|_| applied.cancelled || whole.stopped.is_some());
    whole.report(ctx, &sum, Some(applied))?;
    Ok(interrupted.unwrap_or(worst))
}

fn step(ctx: &mut Context, g: &GlobalFlags, a: &UndoArgs, group: Option<RunGroup>) -> Result<Undone> {
    let start = fresh(ctx, g, a)?;
    let id = a.run.as_deref().unwrap_or_default();
    let places = undo_place::all(ctx, &start);
    let mut holder = None;
    for place in places {
        if read::list(&place.folder)?.iter().any(|run| run.id == id) {
            holder = Some(place);
            break;
        }
    }
    let Some(place) = holder else { return Err(Error::failed(format!("run {id} is not recorded any more"))) };
    undo_place::with(ctx, &start, a, &place, |ctx, target| {
        undo::put_back(a, ctx, &UndoTarget { group: group.as_ref(), ..*target })
    })
}
