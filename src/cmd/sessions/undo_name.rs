//! Which run is meant by a name, or by none.
//!
//! A command that made several runs is listed under the name of its first. So that name means each of them: also where the
//! record of the first is gone, or lies in a store that was not chosen, or another of them took the session that is asked for.

use super::undo::{self, UndoTarget, Undone};
use super::undo_group::{Member, asked_for, find, is_fix, members};
use super::undo_place::{self, Place};
use std::path::Path;

use crate::apply::whose_index;
use crate::cli::select::SelectArgs;
use crate::cli::undo::UndoArgs;
use crate::cmd::start::Start;
use crate::context::Context;
use crate::error::{Error, Result};
use crate::journal::read;
use crate::model::run::{Raw, RunRecord};
use crate::plan::undo::UndoPlan;
use crate::plan::undo_part::{self, Part};
use crate::report::command::quote;
use crate::report::escape;
use crate::report::plural::count;

/// Whoever names stores means the runs in those.
pub(super) fn is_narrowed(select: &SelectArgs) -> bool {
    select.store.is_some() || !select.agents.is_empty()
}

/// Whether only a part of a run is asked for.
pub(super) fn wants_part(a: &UndoArgs) -> bool {
    !a.keys.is_empty() || !a.files.is_empty()
}

/// The arguments with the run by its own name, where they do not say it: `None` if they do, or if it is the last of the one
/// store that was chosen.
///
/// # Errors
/// A record that cannot be read; with all agents, no run at all.
pub(super) fn named(ctx: &Context, start: &Start, a: &UndoArgs) -> Result<Option<UndoArgs>> {
    let places = undo_place::all(ctx, start);
    if let Some(id) = &a.run {
        return member_of(start, a, id, &places);
    }
    if !(a.select.all_agents || wants_part(a)) {
        return Ok(None);
    }
    let Some(last) = asked_for(start, a, &places)? else {
        let none = || {
            Error::failed("no agent has a run to undo")
                .hint("clawkeep sessions runs --all-agents --include-unconfigured")
        };
        return if a.select.all_agents { Err(none()) } else { Ok(None) };
    };
    let holder = match wants_part(a) && !is_fix(&last) {
        true => members(&places, last.group().0)?.into_iter().find(|member| has_part(&member.run, a)),
        false => None,
    };
    let run = holder.map_or(last.id, |member| member.run.id);
    let select = if a.select.all_agents { SelectArgs::default() } else { a.select.clone() };
    Ok(Some(UndoArgs { run: Some(run), select, ..a.clone() }))
}

/// The run of the group of this name that is meant; `None` if it is the one that has the name itself, or if there is none.
fn member_of(start: &Start, a: &UndoArgs, id: &str, places: &[Place]) -> Result<Option<UndoArgs>> {
    let chosen: Vec<Place> = match is_narrowed(&a.select) {
        true => start.selection.targets.iter().filter_map(|target| Place::of(target).ok()).collect(),
        false => places.to_vec(),
    };
    let itself = find(&chosen, id)?;
    // A fix is never taken back in part, whichever run is named.
    if itself.as_ref().is_some_and(|run| is_fix(run) || has_part(run, a)) {
        return Ok(None);
    }
    let all = members(&chosen, id)?;
    let has_all = |member: &&Member| member.stands() && has_part(&member.run, a);
    let meant = all.iter().find(has_all).or_else(|| all.first().filter(|_| itself.is_none()));
    Ok(meant.map(|member| UndoArgs { run: Some(member.run.id.clone()), ..a.clone() }))
}

/// Whether a run took all that is asked for.
fn has_part(run: &RunRecord, a: &UndoArgs) -> bool {
    let part = Part { keys: a.keys.clone(), files: a.files.clone() };
    undo_part::narrow(run.clone(), &part).is_ok()
}

/// An undo that had nothing to do, and no interrupted run to finish, is none.
///
/// # Errors
/// It is none.
pub(super) fn refuse_idle(done: &Undone, a: &UndoArgs, target: &UndoTarget<'_>) -> Result<()> {
    let finished = done.applied.as_ref().is_some_and(|applied| !applied.recovered.is_empty());
    if finished || !has_nothing_left(&done.plan) {
        return Ok(());
    }
    if done.plan.partly {
        return Err(part_is_back(&done.plan.run_id, a, target)?);
    }
    Err(nothing_left(&done.plan.run_id, target.own_dir, target.select))
}

/// Whether all that a run took is where it was, so that an undo of it does nothing.
pub(super) fn has_nothing_left(plan: &UndoPlan) -> bool {
    plan.effects.is_empty() && plan.conflicts.is_empty() && plan.not_undoable.is_empty() && plan.expired.is_empty()
}

/// A part that is back already, of a run of which other things are not.
fn part_is_back(run: &str, a: &UndoArgs, target: &UndoTarget<'_>) -> Result<Error> {
    let whole = UndoArgs { run: Some(run.to_owned()), keys: Vec::new(), files: Vec::new(), ..a.clone() };
    let (_, rest) = undo::look(&whole, target)?;
    let named: Vec<String> = a.keys.iter().chain(&a.files).map(|name| escape::line(name).into()).collect();
    let out = [(rest.rows_back.len(), "row"), (rest.files_back.len(), "file")];
    let out: Vec<String> = out.iter().filter(|(n, _)| *n > 0).map(|(n, what)| count(*n as u64, what)).collect();
    let left = if out.is_empty() { "other things".to_owned() } else { out.join(" and ") };
    let named = named.join(", ");
    let error = Error::failed(format!("{named} is as it was before run {run} already; nothing was changed"));
    Ok(error.hint(format!("clawkeep sessions undo {run}{}  ({left} of the run would come back)", target.select)))
}

/// Says so, and which run comes before it: without a name, an undo would come to this one again and again.
pub(super) fn nothing_left(run: &str, own_dir: &Path, select: &str) -> Error {
    let error = Error::failed(format!("everything that run {run} changed is as it was before; nothing was changed"));
    match before(run, own_dir) {
        Some(older) => error.hint(format!("clawkeep sessions undo {older}{select}  (the run before it)")),
        None => error.hint("clawkeep sessions runs --all-agents --include-unconfigured"),
    }
}

/// A record that cannot be read: its sessions come back one by one, and older runs by their names.
pub(super) fn unreadable(run: &RunRecord, why: &str, own_dir: &Path) -> Error {
    let error = Error::failed(format!("run {} cannot be read: {why}; nothing was changed", run.id))
        .hint(format!("{}  (each session by itself)", crate::hints::ONE_SESSION));
    match before(&run.id, own_dir) {
        Some(older) => error.hint(format!("clawkeep sessions undo {older}  (the run before it)")),
        None => error,
    }
}

/// The last run before this one, and before those of its command, that can be undone.
fn before(run: &str, own_dir: &Path) -> Option<String> {
    let runs = read::list(own_dir).unwrap_or_default();
    let group = runs.iter().find(|other| other.id == run).map_or(run, |run| run.group().0);
    let is_undo = |run: &RunRecord| run.meta.as_ref().is_some_and(|meta| meta.undoes.is_some());
    let older = runs.iter().take_while(|other| other.group().0 != group);
    older.filter(|run| run.undoable() && !is_undo(run)).last().map(|run| run.id.clone())
}

/// A run that was made in another folder, of which this is a copy, and that changed what is no part of the copy: the index
/// behind a link gets a copy of its own here, or the run is undone there.
pub(super) fn astray(run: &RunRecord, why: &str, own_dir: &Path) -> Error {
    let mut error = Error::failed(format!("run {} cannot be undone here: {why}; nothing was changed", run.id));
    let Some(meta) = &run.meta else { return error };
    let store = meta.store.as_ref().map(Raw::to_path);
    if let Some(way) = store.as_deref().and_then(|store| whose_index::own_index(own_dir, store)) {
        error = error.hint(way);
    }
    let Some(was) = meta.base.as_ref().map(|base| base.folder.to_path()) else {
        return error.hint("clawkeep sessions runs --all-agents --include-unconfigured");
    };
    let word = |path: &Path| quote(&path.to_string_lossy()).into_owned();
    let index = was.join("sessions.json");
    error.hint(match store {
        Some(_) => format!("clawkeep sessions undo {} --store {}  (where it was made)", run.id, word(&index)),
        None => format!("clawkeep --state-dir {} sessions undo {}  (where it was made)", word(&was), run.id),
    })
}
