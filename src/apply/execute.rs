//! Carries out one plan in phase order.
//!
//! Law: at every instant the rows on disk are a subset of the files on disk. Nothing is changed before the record of the
//! run is durable, except what policy already made final (phase 0), because a full disk must still be cleanable.
//!
//! # Failure story
//! Before the swap every failure takes back what the run did and ends as an error. After it the run always goes on to its
//! close: what could not be done is an outcome. A crash at any point is finished by [`super::recover`].

use std::io;
use std::path::Path;

use sha2::{Digest as _, Sha256};

use super::create::Created;
use super::input::ApplyInput;
use super::phase0::{self, Early};
use super::space::{Victims, no_room};
use super::state::Exec;
use super::swap::{self, BuildError, NewIndex, Swapped, conflict_error};
use super::{close, remove};
use crate::error::{Error, Kind, Result};
use crate::fsx::mutate::is_full;
use crate::journal::layout::{OWN, OwnDir};
use crate::journal::write::Journal;
use crate::journal::{read, record};
use crate::model::effect::{Effect, SwapIndex};
use crate::model::index::IndexFacts;
use crate::model::outcome::{Applied, Outcome};
use crate::model::run::{FORMAT, Raw, RowChange, RunBase, RunGroup, RunMeta, RunRow};
use crate::report::{command, escape};
use crate::store::write::{is_regular, render_into};

/// Room asked for beside the plan and the new index: the small files of a run folder.
const SMALL_FILES: u64 = 32 * 1024;

/// The swap of a plan with the index it was made from.
type Swap<'a> = Option<Planned<'a>>;

/// A new index as planned.
#[derive(Clone, Copy)]
struct Planned<'a> {
    /// Position of the effect.
    ix: usize,
    swap: &'a SwapIndex,
    index: &'a IndexFacts,
    /// A text of its own instead of the old rows.
    text: Option<&'a [u8]>,
}

/// Carries out the plan.
///
/// # Errors
/// Everything that stops a run before its swap: no lock, an unfinished or newer run, no room, a live owner, another
/// writer ([`swap::conflict`] tells). Nothing but phase 0 was done then.
pub fn execute(input: &ApplyInput<'_>) -> Result<Applied> {
    guard(input)?;
    let mut run = Exec::open(input)?;
    let swap = the_swap(&run)?;
    if let Some(Planned { swap, index, .. }) = swap {
        if let Some(error) = super::whose_index::refusal(&input.plan.folder, input.own_dir, index) {
            return Err(error);
        }
        let (dir, name) = swap::index_folder(input, swap)?;
        if !swap::still_planned(&dir, &name, swap).map_err(|e| Error::io("look at", &swap.path, e))? {
            return Err(conflict_error(&swap.path));
        }
    }
    if input.plan.effects.is_empty() {
        close::keep_snapshot(&mut run);
        return Ok(close::applied(run, None, false));
    }
    let mut early = Early::open(&run);
    phase0::run(&mut run, &mut early);
    let result = journalled(&mut run, &mut early, swap);
    early.tell(&run);
    if run.outcomes.iter().flatten().any(|o| o.freed().is_some()) {
        input.ctx.deeds.add(run.run_id.as_deref());
    }
    match result {
        Ok(Finish { run_id, swapped }) => Ok(close::applied(run, run_id, swapped)),
        Err(e) => {
            phase0::audit_early(&mut run);
            Err(with_reclaimed(e, &run))
        }
    }
}

pub(super) fn guard(input: &ApplyInput<'_>) -> Result<()> {
    match input.lock {
        Some(lock) if !lock.covers(input.own_dir) => {
            return Err(Error::failed(format!("the run lock is not the one of {}", input.own_dir.display())));
        }
        None if !input.recheck.files_only => {
            return Err(Error::failed(format!("{} is not locked", input.own_dir.display())));
        }
        _ => {}
    }
    read::refuse_newer(input.own_dir)?;
    match read::unfinished(input.own_dir)?.first() {
        None => Ok(()),
        Some(id) => Err(Error::failed(format!("run {id} in {} was interrupted", input.own_dir.display()))
            .hint("run the same command again: it finishes that run first")),
    }
}

fn the_swap<'a>(run: &Exec<'a>) -> Result<Swap<'a>> {
    let mut found = None;
    for (ix, planned) in run.input.plan.effects.iter().enumerate() {
        if let Some(swap) = planned.effect.swap() {
            let text = match &planned.effect {
                Effect::ReplaceIndex(replace) => Some(&*replace.text),
                _ => None,
            };
            let index = run.input.index.filter(|_| found.is_none() && !run.input.recheck.files_only);
            let index = index.filter(|i| i.path == swap.path && i.fp.same_file(&swap.fp));
            let Some(index) = index else {
                return Err(Error::failed(format!("{}: this run may not change rows", swap.path.display())));
            };
            found = Some(Planned { ix, swap, index, text });
        }
    }
    Ok(found)
}

/// Tells the caller (and the user) what phase 0 already did.
fn with_reclaimed(mut error: Error, run: &Exec<'_>) -> Error {
    let mut reclaimed = Vec::new();
    for (ix, outcome) in run.outcomes.iter().enumerate() {
        let freed = outcome.as_ref().and_then(Outcome::freed);
        if let (Some(freed), Some(file)) = (freed, super::state::file_of(&run.effect(ix).effect)) {
            reclaimed.push((file.name.clone(), freed));
        }
    }
    if reclaimed.is_empty() {
        return error;
    }
    let bytes: u64 = reclaimed.iter().map(|(_, freed)| freed).sum();
    match error.source.as_mut().and_then(|s| s.downcast_mut::<swap::Conflict>()) {
        Some(conflict) => conflict.reclaimed = reclaimed,
        None => error.message.push_str(&format!(
            " ({} files with {} were removed before)",
            reclaimed.len(),
            crate::units::bytes::human(bytes)
        )),
    }
    error
}

struct Finish {
    run_id: Option<(String, std::path::PathBuf)>,
    swapped: bool,
}

/// Everything that happens under a run folder.
fn journalled(run: &mut Exec<'_>, early: &mut Early, swap: Swap<'_>) -> Result<Finish> {
    let only_reclaim = run.outcomes.iter().all(Option::is_some);
    let Prepared { mut journal, mut new, rows } = match prepare(run, early, swap) {
        Ok(prepared) => prepared,
        // What had to be done is done; only its record has no room.
        Err(e) if only_reclaim => {
            run.warnings.push(format!("no run folder was made: {e}"));
            phase0::audit_early(run);
            return Ok(Finish { run_id: None, swapped: false });
        }
        Err(e) => return Err(e),
    };
    run.run_id = Some(journal.id().to_owned());
    // What went before there was a record; recovery must not take it for a rename that is still to be done.
    for ix in 0..run.outcomes.len() {
        if run.outcomes[ix].is_some() {
            journal.note(&run.record(ix));
            run.noted.insert(ix);
        }
    }
    if !run.cancelled() {
        run.folder.faults().pause("before-create");
        let mut created = match Created::run(run, &journal) {
            Ok(created) => created,
            Err(e) => {
                take_back(new.as_ref(), journal);
                return Err(e);
            }
        };
        // A damaged index was given a second name just now.
        if let Some(Err(e)) = new.as_mut().map(NewIndex::old_was_linked) {
            created.roll_back(run);
            take_back(new.as_ref(), journal);
            return Err(Error::io("look at the index of", run.folder.path(), e));
        }
        let swapped = match (swap, &new) {
            (Some(planned), Some(new)) => match replace_index(run, planned, new) {
                Ok(durable) => Some(durable),
                Err(Unswapped::Leave(e)) => return Err(e),
                Err(Unswapped::TakeBack(e)) => {
                    created.roll_back(run);
                    take_back(Some(new), journal);
                    return Err(e);
                }
            },
            _ => None,
        };
        if swapped != Some(false) {
            run.folder.faults().pause("before-renames");
            remove::run(run, &mut journal);
            created.drop_idle_copies(run);
            created.drop_spares(run);
        }
        run.folder.faults().pause("after");
        let id = (journal.id().to_owned(), journal.path());
        if swapped == Some(false) || swapped.is_some() && close::has_open_files(run) {
            close::leave_open(run, journal);
        } else {
            close::close(run, journal, &rows);
        }
        return Ok(Finish { run_id: Some(id), swapped: swapped.is_some() });
    }
    // Interrupted before anything but phase 0.
    take_back(new.as_ref(), journal);
    phase0::audit_early(run);
    Ok(Finish { run_id: None, swapped: false })
}

/// Nothing was changed: the record first loses its intent, then goes, then the new index.
fn take_back(new: Option<&NewIndex>, journal: Journal) {
    let _ = journal.dir().unlink(crate::journal::write::META);
    if let Some(new) = new.filter(|n| n.temp_is_ours()) {
        let _ = new.remove_temp();
    } else if let Some(new) = new {
        // Another writer's text that was displaced and could not be put back stays with the record for a day.
        if new.dir().rename(new.temp(), journal.dir(), "index.displaced").is_ok() {
            let _ = journal.close(Some(&[]), Some(crate::journal::write::ROLLED_BACK));
            return;
        }
    }
    journal.discard();
}

enum Unswapped {
    /// The index is the old one (or another writer's): take everything back.
    TakeBack(Error),
    /// It cannot be told: the next run finds out.
    Leave(Error),
}

/// Swaps the index. `Ok(false)` if the swap happened but could not be made durable: no file may move then.
fn replace_index(run: &mut Exec<'_>, planned: Planned<'_>, new: &NewIndex) -> Result<bool, Unswapped> {
    let Planned { ix, swap, index, .. } = planned;
    run.folder.faults().pause("before-swap");
    if run.cancelled() {
        let error = Error::new(Kind::Interrupted, "interrupted before the index was changed; nothing was renamed");
        return Err(Unswapped::TakeBack(error));
    }
    if let Some((why, token)) = run.owner_stop() {
        let error = Error::new(Kind::Busy, format!("{} was left alone: {why}", swap.path.display()));
        return Err(Unswapped::TakeBack(error.hint("stop the gateway, or use --files-only").token(token)));
    }
    match new.swap(index) {
        Ok(Swapped::Done(remark)) => run.warnings.extend(remark),
        Ok(Swapped::Conflict) => return Err(Unswapped::TakeBack(conflict_error(&swap.path))),
        Err(e) => {
            let error = Error::io("replace", &swap.path, e);
            return Err(match new.is_ours() {
                Ok(false) => Unswapped::TakeBack(error),
                _ => Unswapped::Leave(error.hint("run the same command again: it finishes this run first")),
            });
        }
    }
    run.outcomes[ix] = Some(Outcome::Done { freed: 0 });
    let durable = new.dir().sync();
    // The old index: its bytes were compared, and its rows are kept in the run folder. Whether or not this name outlives
    // a power cut, the index is the old one or the new one.
    if let Err(e) = new.remove_temp() {
        let temp = new.dir().path().join(new.temp());
        run.warnings.push(format!("{} is still there; a cleanup takes it after a day: {e}", temp.display()));
    }
    if let Err(e) = durable {
        run.warnings.push(format!(
            "{} could not be made durable, so no file was moved; the next run goes on with it: {e}",
            swap.path.display()
        ));
        return Ok(false);
    }
    Ok(true)
}

struct Prepared {
    journal: Journal,
    new: Option<NewIndex>,
    rows: Vec<RunRow>,
}

/// Makes the record and the new index, durable both, making room if that is allowed.
fn prepare(run: &mut Exec<'_>, early: &mut Early, swap: Swap<'_>) -> Result<Prepared> {
    let mut victims = Victims::new();
    loop {
        let (e, path) = match attempt(run, swap) {
            Ok(prepared) => return Ok(prepared),
            Err(BuildError::Final(e)) => return Err(e),
            Err(BuildError::Io(e, path)) => (e, path),
        };
        if !is_full(&e) {
            return Err(cannot_prepare(run, &path, &e));
        }
        if !victims.take_one(run, early) {
            let index = swap.map_or(0, |p| swap::needed(p.swap, p.index, p.text));
            let plan = 256 * run.outcomes.len() as u64;
            return Err(no_room(run, index + plan + SMALL_FILES, &e));
        }
    }
}

/// The record of the run cannot be made, for another reason than room.
fn cannot_prepare(run: &Exec<'_>, path: &Path, source: &std::io::Error) -> Error {
    let untouched = run.outcomes.iter().flatten().all(|o| o.freed().is_none());
    let what = if untouched { "nothing was changed" } else { "nothing was renamed and no row was changed" };
    // What cannot be made beside the index is not allowed in its folder.
    let path = if path.is_dir() { path } else { path.parent().unwrap_or(path) };
    let error = Error::failed(format!("cannot prepare the run in {}: {source}; {what}", escape::path(path)));
    let own = path.join(OWN);
    let shell = |path: &Path| command::quote(&path.to_string_lossy()).into_owned();
    if own.symlink_metadata().is_ok_and(|found| !found.is_dir()) {
        return error.hint(format!("ls -ld {}  (it must be a folder: move what is there away)", shell(&own)));
    }
    if source.kind() == std::io::ErrorKind::PermissionDenied {
        return error.hint(format!("ls -ld {} {}  (run this as the user that owns them)", shell(path), shell(&own)));
    }
    error
}

fn attempt(run: &Exec<'_>, swap: Swap<'_>) -> Result<Prepared, BuildError> {
    let input = run.input;
    let at = |e: io::Error| BuildError::Io(e, input.own_dir.to_owned());
    let own = OwnDir::create(input.own_dir, &input.ctx.faults).map_err(at)?;
    let insert = swap.map(|p| inserted(p.swap)).unwrap_or_default();
    let mut journal =
        Journal::begin(own, input.ctx.run_time(), &run.lines(&insert), &|id| input.ctx.deeds.has(id)).map_err(at)?;
    let mut new = None;
    match intent(run, swap, &mut journal, &insert, &mut new) {
        Ok(rows) => Ok(Prepared { journal, new, rows }),
        Err(e) => {
            take_back(new.as_ref(), journal);
            Err(e)
        }
    }
}

fn intent(
    run: &Exec<'_>,
    swap: Swap<'_>,
    journal: &mut Journal,
    insert: &[RunRow],
    built: &mut Option<NewIndex>,
) -> Result<Vec<RunRow>, BuildError> {
    let input = run.input;
    let at = |e: io::Error| BuildError::Io(e, input.own_dir.to_owned());
    let mut rows = Vec::new();
    let mut meta = meta_of(run, journal);
    if let Some(Planned { swap, index, text, .. }) = swap {
        let new = built.insert(NewIndex::build(input, swap, index, text, journal)?);
        let reasons = record::row_reasons(input.plan);
        rows = record::rows(index, &swap.drop, insert, |ix| reasons.get(&ix).copied());
        let (dir, name) = swap::index_folder(input, swap).map_err(BuildError::Final)?;
        let linked = journal.keep_index(&dir, &name).map_err(at)?;
        if !linked {
            journal.write_rows(&rows).map_err(at)?;
        }
        if keeps_text(run, swap) && !is_regular(index, input.plan.rows_after) {
            if !linked {
                journal.copy_index(&index.bytes).map_err(at)?;
            }
            journal.keep_before();
            meta.new_text = Some(digest(swap, index, text).map_err(at)?);
        }
        new.old_was_linked().map_err(at)?;
        meta.store = Some(Raw::from(swap.path.as_path()));
        meta.index = Some(swap.fp);
        meta.new_index = Some(new.fp);
        meta.temp = Some(Raw::of(new.temp()));
    }
    journal.commit_intent(&meta).map_err(at)?;
    Ok(rows)
}

/// The text of a damaged index that is replaced stays beside the new one anyway.
fn keeps_text(run: &Exec<'_>, swap: &SwapIndex) -> bool {
    let mut effects = run.input.plan.effects.iter().filter(|e| e.effect.swap() == Some(swap));
    !effects.any(|e| matches!(&e.effect, Effect::ReplaceIndex(replace) if replace.kept_as.is_some()))
}

/// SHA-256 of the text that the new index has.
fn digest(swap: &SwapIndex, index: &IndexFacts, text: Option<&[u8]>) -> io::Result<String> {
    struct Hash(Sha256);
    impl io::Write for Hash {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.update(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut hash = Hash(Sha256::new());
    match text {
        Some(text) => hash.0.update(text),
        None => drop(render_into(index, &swap.drop, &swap.insert, &mut hash)?),
    }
    Ok(hash.0.finalize().iter().map(|b| format!("{b:02x}")).collect())
}

fn inserted(swap: &SwapIndex) -> Vec<RunRow> {
    let row = |r: &crate::model::effect::RowInsert| RunRow {
        change: RowChange::Inserted,
        key: Raw(r.key.clone()),
        value: Raw(r.value.clone()),
        after: r.after.clone().map(Raw),
        reason: None,
    };
    swap.insert.iter().map(row).collect()
}

/// The folder that keeps the record.
fn base_of(journal: &Journal) -> Option<RunBase> {
    let folder = journal.own().dir().path().parent()?;
    let fp = crate::fsx::read::lstat(folder).ok()?;
    Some(RunBase { folder: Raw::from(folder), dev: fp.dev, ino: fp.ino })
}

pub(super) fn meta_of(run: &Exec<'_>, journal: &Journal) -> RunMeta {
    let input = run.input;
    RunMeta {
        format: FORMAT,
        run_id: journal.id().to_owned(),
        command: input.command.to_owned(),
        argv: input.argv.to_vec(),
        pid: std::process::id(),
        started_at: input.ctx.run_time(),
        folder: Raw::from(input.plan.folder.as_path()),
        base: base_of(journal),
        store: input.index.map(|i| Raw::from(i.path.as_path())),
        index: None,
        new_index: None,
        new_text: None,
        temp: None,
        policy: input.policy_echo.clone(),
        overrides: input.overrides.to_vec(),
        rows_before: input.plan.rows_before,
        rows_after: input.plan.rows_after,
        suspect: input.suspect,
        effects: u32::try_from(run.outcomes.len()).unwrap_or(u32::MAX),
        undoes: input.undoes.map(str::to_owned),
        partly: input.partly,
        leaves: input.leaves,
        delegated: false,
        group: input.group.cloned().or_else(|| RunGroup::after(&input.ctx.deeds.runs())),
    }
}
