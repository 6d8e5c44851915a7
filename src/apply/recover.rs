//! Finishing, or taking back, what an interrupted run left (SAFETY 2, "Recovery").
//!
//! Whether the index was swapped is told by its inode, not by anything that was written down. Not swapped: the run is
//! rolled back. Swapped: every remaining rename is decided again, against the store set and the files of today. Recovery
//! removes no file; what it cannot finish by a rename is given up with a word why, and the next cleanup sees it as what it
//! is. A rename that was made as a link and an unlink is finished as one: the old name goes while the same inode has its
//! new name durably. Everything is decided from the disk alone, so that an interrupted recovery is simply done again.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;

use super::input::Recheck;
use super::recover_index::{Index, index_state};
use super::recover_rewrite::{put_away_lock, rewrite};
use super::remove::rename_free;
use super::{keep_before, put_away, second_name};
use crate::context::{Context, Level};
use crate::error::{Error, Kind as ErrorKind, Result};
use crate::fsx::mutate::{Dir, is_full};
use crate::journal::layout::{OwnDir, RUNS};
use crate::journal::write::{ABANDONED, Journal, ROLLED_BACK};
use crate::journal::{audit, read};
use crate::lock::run::RunLock;
use crate::model::Ms;
use crate::model::effect::Phase;
use crate::model::fingerprint::{Fingerprint, Kind};
use crate::model::outcome::{LeftBehind, Recovered};
use crate::model::run::{Raw, RunLine, RunMeta, RunOp, RunOutcome, RunRecord, RunResult, RunRow};

/// Names of files left in place that the sentence about a recovery lists.
const LISTED: usize = 20;
/// Why nothing is done where there is nothing.
const GONE: &str = "the folder is gone";
/// How long a gateway may take for what it was asked: as long as its answer is waited for.
const CALL_LIMIT: Ms = 10 * crate::model::MINUTE;

/// A run that was never closed, for reports that change nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingRun {
    /// Run id.
    pub id: String,
    /// What it was; empty if that was never written.
    pub command: String,
    /// When it started.
    pub started_at: Option<Ms>,
    /// Effects it was going to carry out.
    pub effects: u32,
    /// Files it was going to take.
    pub files: Vec<OsString>,
}

/// Runs that the next mutating run will recover. Read-only.
///
/// # Errors
/// If `.clawkeep` is there but cannot be read.
pub fn pending(own_dir: &Path) -> Result<Vec<PendingRun>> {
    let ids = read::unfinished(own_dir)?;
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let records = read::list(own_dir)?.into_iter().filter(|r| ids.contains(&r.id));
    let one = |r: RunRecord| PendingRun {
        command: r.meta.as_ref().map(|m| m.command.clone()).unwrap_or_default(),
        started_at: r.meta.as_ref().map(|m| m.started_at),
        effects: r.meta.as_ref().map_or(0, |m| m.effects),
        files: r.lines.iter().filter(|l| l.phase == Phase::Remove).map(|l| l.from.to_os()).collect(),
        id: r.id,
    };
    Ok(records.map(one).collect())
}

/// Recovers every unfinished run of `own_dir`, oldest first. For mutating runs only, before they read the index.
///
/// # Errors
/// A run of a newer format; a run that could not be closed (it stays, and nothing else may run).
pub fn run(ctx: &Context, own_dir: &Path, lock: &RunLock, recheck: &Recheck<'_>) -> Result<Vec<Recovered>> {
    if !lock.covers(own_dir) {
        return Err(Error::failed(format!("the run lock is not the one of {}", own_dir.display())));
    }
    read::refuse_newer(own_dir)?;
    let mut out = Vec::new();
    for id in read::unfinished(own_dir)? {
        let failed = |e| Error::io("recover", &crate::journal::write::run_path(own_dir, &id), e);
        let own = OwnDir::open(own_dir, &ctx.faults).and_then(|o| o.ok_or_else(|| io::ErrorKind::NotFound.into()));
        let own = own.map_err(failed)?;
        let record = own.dir().sub(RUNS).and_then(|r| r.sub(&id)).map(|dir| read::load(&dir, &id)).map_err(failed)?;
        still_at_work(ctx, &record, recheck)?;
        let mut journal = Journal::reopen(own, &id).map_err(failed)?;
        if record.meta.as_ref().is_some_and(|meta| meta.new_text.is_some()) {
            journal.keep_before();
        }
        out.push(one(ctx, &record, journal, recheck).map_err(failed)?);
    }
    Ok(out)
}

/// A gateway that was asked to clean up may not be done yet: what it takes must still find its link.
fn still_at_work(ctx: &Context, record: &RunRecord, recheck: &Recheck<'_>) -> Result<()> {
    let Some(meta) = record.meta.as_ref().filter(|m| m.delegated) else { return Ok(()) };
    let since = ctx.run_time() - meta.started_at;
    // A gateway that is gone is at nothing.
    if !(0..CALL_LIMIT).contains(&since) || (recheck.owner_now)().token().is_none() {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::Busy,
        format!(
            "a gateway was asked to clean up {} ago and may still be at it: run {} stays open until it is sure to be over",
            crate::units::duration::human(since),
            record.id
        ),
    )
    .hint("stop the gateway, or run the same command again ten minutes after it was asked"))
}

fn one(ctx: &Context, record: &RunRecord, journal: Journal, recheck: &Recheck<'_>) -> io::Result<Recovered> {
    let intent = record.meta.as_ref().filter(|m| record.lines.len() == m.effects as usize);
    let swap = record.lines.iter().find(|l| l.op == RunOp::Swap);
    let Some(meta) = intent else {
        if let Some(swap) = swap.filter(|_| record.astray.is_none()) {
            stash_temp(ctx, swap, &temp_name(record), &journal);
        }
        return roll_back(ctx, record, journal, "it had not changed anything");
    };
    if let Some(why) = &record.astray {
        return abandon(record, journal, why);
    }
    match Dir::open(&meta.folder.to_path(), &ctx.faults) {
        // The folder is gone, and everything the run was about with it.
        Err(e) if e.kind() == io::ErrorKind::NotFound => return abandon(record, journal, GONE),
        other => drop(other?),
    }
    if meta.delegated {
        return super::delegate::settle_interrupted(ctx, record, meta, journal);
    }
    let Some(swap) = swap else { return complete(ctx, record, meta, journal, recheck) };
    let (dir, name) = match index_of(ctx, swap) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return abandon(record, journal, GONE),
        other => other?,
    };
    let temp = meta.temp.as_ref().map_or_else(|| temp_name(record), |t| t.to_os());
    match index_state(&dir, &name, &temp, (record, meta), &journal)? {
        Index::Old => {
            put_away::restored(ctx, record, meta, &journal);
            stash_temp(ctx, swap, &temp, &journal);
            roll_back(ctx, record, journal, "the index had not been changed")
        }
        // Nobody may write an index beside a gateway, not even to put its own text back.
        Index::Displaced if recheck.files_only && (recheck.owner_now)().token().is_some() => {
            Err(io::Error::other("the text of another program has to come back into the index; stop the gateway first"))
        }
        Index::Displaced => {
            if !dir.exchange(&temp, &name)? {
                dir.replace(&temp, &name)?;
            }
            dir.sync()?;
            put_away::restored(ctx, record, meta, &journal);
            stash_temp(ctx, swap, &temp, &journal);
            roll_back(ctx, record, journal, "another program had written the index; its text is back")
        }
        Index::Swapped => {
            // Rows must be gone for good before files move.
            dir.sync()?;
            stash_temp(ctx, swap, &temp, &journal);
            complete(ctx, record, meta, journal, recheck)
        }
    }
}

fn index_of(ctx: &Context, swap: &RunLine) -> io::Result<(Dir, OsString)> {
    let path = swap.from.to_path();
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    Ok((Dir::open(parent, &ctx.faults)?, name.to_owned()))
}

fn temp_name(record: &RunRecord) -> OsString {
    format!(".clawkeep-{}.tmp", record.id).into()
}

pub(super) fn is_inode(now: Option<&Fingerprint>, fp: Option<&Fingerprint>) -> bool {
    match (now, fp) {
        // Systems without inode numbers go by size and time.
        (Some(now), Some(fp)) if fp.ino == 0 => fp.same_file(now),
        (Some(now), Some(fp)) => (now.dev, now.ino) == (fp.dev, fp.ino),
        _ => false,
    }
}

/// Moves our temp file out of the live folder into the run folder, where it expires with it.
fn stash_temp(ctx: &Context, swap: &RunLine, temp: &OsStr, journal: &Journal) {
    if let Ok((dir, _)) = index_of(ctx, swap) {
        let _ = dir.rename(temp, journal.dir(), "index.temp");
    }
}

fn roll_back(ctx: &Context, record: &RunRecord, mut journal: Journal, why: &str) -> io::Result<Recovered> {
    // What was reclaimed before the run had a record stays gone, and its outcome stands.
    for line in record.lines.iter().filter(|l| record.outcome(l.seq).is_none()) {
        journal.note(&outcome(line, RunResult::NotReached, None));
    }
    let kept = record.meta.as_ref().is_none_or(|meta| keep_before::keep(ctx, record, meta, &journal));
    close(journal, kept.then_some(&[]), Some(ROLLED_BACK))?;
    Ok(Recovered {
        run_id: record.id.clone(),
        result: "rolled-back",
        detail: format!("the run was interrupted and taken back: {why}"),
        left: Vec::new(),
    })
}

fn abandon(record: &RunRecord, mut journal: Journal, why: &str) -> io::Result<Recovered> {
    for line in &record.lines {
        journal.note(&outcome(line, RunResult::NotReached, Some(why)));
    }
    close(journal, whole_rows(record), Some(ABANDONED))?;
    Ok(Recovered {
        run_id: record.id.clone(),
        result: "abandoned",
        detail: format!("the run was interrupted and is not finished here: {why}"),
        left: Vec::new(),
    })
}

fn close(journal: Journal, rows: Option<&[RunRow]>, how: Option<&str>) -> io::Result<()> {
    journal.close(rows, how).map(drop)
}

/// The rows that the run changed, if the record has all of them. If not, what is left of it must stay as it is.
fn whole_rows(record: &RunRecord) -> Option<&[RunRow]> {
    (record.rows_missing == 0).then_some(&record.rows)
}

pub(super) fn outcome(line: &RunLine, result: RunResult, why: Option<&str>) -> RunOutcome {
    RunOutcome { seq: line.seq, result, to: None, freed: 0, why: why.map(str::to_owned) }
}

/// The index was swapped: what can still be finished by a rename is.
fn complete(
    ctx: &Context,
    record: &RunRecord,
    meta: &RunMeta,
    mut journal: Journal,
    recheck: &Recheck<'_>,
) -> io::Result<Recovered> {
    let folder = Dir::open(&meta.folder.to_path(), &ctx.faults)?;
    if let Some(rewrites) = only_prepared(&folder, record) {
        for line in rewrites {
            put_away_lock(&folder, &journal, line, recheck);
            rewrite(&folder, &journal, record, line)?;
        }
        put_away::restored(ctx, record, meta, &journal);
        journal.files().sync()?;
        folder.sync()?;
        return roll_back(ctx, record, journal, "no file had been changed");
    }
    let open: Vec<&RunLine> = record.lines.iter().filter(|l| !settled(&folder, record, l)).collect();
    let names: Vec<OsString> = open.iter().map(|l| l.from.to_os()).collect();
    let refs: Vec<&OsStr> = names.iter().map(OsString::as_os_str).collect();
    // If it cannot be told who owns them, they are owned.
    let owned = (recheck.owned_now)(&refs).ok().filter(|o| o.len() == refs.len());
    // Links made before the interruption may not be durable yet; what follows relies on them.
    journal.files().sync()?;
    let (mut finished, mut given_up, mut left) = (0, 0, Vec::new());
    let mut results = BTreeMap::new();
    for (ix, line) in open.iter().enumerate() {
        let is_owned = owned.as_ref().is_none_or(|o| o[ix]);
        let result = finish(&folder, &journal, (record, line), is_owned, recheck)?;
        match result.result {
            RunResult::Done => finished += 1,
            RunResult::NotReached => given_up += 1,
            _ => {}
        }
        if result.result != RunResult::Done && folder.stat(&names[ix]).is_ok() {
            left.push(LeftBehind { name: names[ix].clone(), why: result.why.clone().unwrap_or_default() });
        }
        // A file that came back has its archive name still.
        if let (RunResult::Done, Some(why), Some(archive)) = (result.result, &result.why, &line.replaces) {
            left.push(LeftBehind { name: archive.to_os(), why: why.clone() });
        }
        journal.note(&result);
        results.insert(line.seq, result);
    }
    // Where they arrived before where they left: a file system that makes a rename durable in two steps must never lose
    // both names.
    journal.files().sync()?;
    folder.sync()?;
    if let Err(e) = audit::append(journal.own(), &super::close::items_of_record(ctx.now(), record, meta, &results)) {
        ctx.log(Level::Warning, &format!("the audit log could not be written: {e}"));
    }
    let kept = keep_before::keep(ctx, record, meta, &journal);
    close(journal, whole_rows(record).filter(|_| kept), (given_up > 0).then_some(ABANDONED))?;
    Ok(Recovered {
        run_id: record.id.clone(),
        result: if given_up > 0 { "abandoned" } else { "completed" },
        detail: format!(
            "the run was interrupted; {finished} of {} open effects are done, {given_up} given up{}{}",
            open.len(),
            lost_rows(record),
            names_of(&left)
        ),
        left,
    })
}

/// The files whose content a run was to replace, if that and copies beside them are all it is about and every one of them
/// is still the old file. The copies mean nothing then, and the next run makes its own.
fn only_prepared<'r>(folder: &Dir, record: &'r RunRecord) -> Option<Vec<&'r RunLine>> {
    let rewrites: Vec<&RunLine> = record.lines.iter().filter(|line| line.op == RunOp::Rewrite).collect();
    let known = |line: &RunLine| matches!(line.op, RunOp::Rewrite | RunOp::Restore | RunOp::Create);
    let is_old = |line: &&RunLine| {
        let now = folder.stat(line.from.to_os()).ok();
        now.is_some_and(|now| line.fp.is_some_and(|fp| fp.same_file(&now)))
    };
    let untouched = !rewrites.is_empty() && record.lines.iter().all(known) && rewrites.iter().all(is_old);
    untouched.then_some(rewrites)
}

fn lost_rows(record: &RunRecord) -> String {
    match record.rows_missing {
        0 => String::new(),
        missing => format!("; {missing} rows are missing from its record"),
    }
}

/// What was left where it was, by name. The audit log has all of it.
fn names_of(left: &[LeftBehind]) -> String {
    if left.is_empty() {
        return String::new();
    }
    let shown = left.iter().take(LISTED).map(|l| format!("{} ({})", l.name.to_string_lossy(), l.why));
    let more = match left.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!(", {more} more in the audit log"),
    };
    format!("; left in place: {}{more}", shown.collect::<Vec<_>>().join(", "))
}

/// Whether nothing is left to decide about an effect. That it was done is believed only if the disk agrees: a power cut
/// may keep the line that says so, and lose the change of names that it is about.
fn settled(folder: &Dir, record: &RunRecord, line: &RunLine) -> bool {
    match record.outcome(line.seq).map(|o| o.result) {
        None | Some(RunResult::NotReached) => false,
        // What was unlinked to make room cannot come back, whatever the disk says now.
        Some(RunResult::Skipped | RunResult::Failed | RunResult::UnlinkedForSpace) => true,
        Some(RunResult::Done) if line.op == RunOp::Restore => false,
        Some(RunResult::Done) => {
            let now = folder.stat(line.from.to_os()).ok();
            !now.is_some_and(|now| line.fp.is_some_and(|fp| record.is_untouched(&fp, &now)))
        }
    }
}

/// Decides one open effect again. An error only if the folder itself cannot be worked with.
fn finish(
    folder: &Dir,
    journal: &Journal,
    (record, line): (&RunRecord, &RunLine),
    owned: bool,
    recheck: &Recheck<'_>,
) -> io::Result<RunOutcome> {
    let give_up = |why: &str| Ok(outcome(line, RunResult::NotReached, Some(why)));
    let skip = |why: &str| Ok(outcome(line, RunResult::Skipped, Some(why)));
    let name = line.from.to_os();
    match line.op {
        RunOp::Swap => return Ok(outcome(line, RunResult::Done, None)),
        RunOp::Restore | RunOp::Unpack | RunOp::Create => return Ok(restored(folder, line)),
        RunOp::MakeDir if folder.stat(&name).is_ok() => return Ok(outcome(line, RunResult::Done, None)),
        RunOp::MakeDir => return give_up("not made"),
        RunOp::RemoveDir if folder.stat(&name).is_err() => return Ok(outcome(line, RunResult::Done, None)),
        RunOp::RemoveDir => return give_up("recovery never removes"),
        RunOp::MoveDir | RunOp::MoveDirLinked if super::move_dir::is_done(folder, line) => {
            return Ok(outcome(line, RunResult::Done, None));
        }
        RunOp::MoveDir | RunOp::MoveDirLinked => return give_up("the folder is left where it is"),
        RunOp::Unlink | RunOp::Pack if folder.stat(&name).is_err() => return skip("gone"),
        RunOp::Rewrite => {
            put_away_lock(folder, journal, line, recheck);
            return rewrite(folder, journal, record, line);
        }
        RunOp::Unlink | RunOp::Pack => return give_up("recovery never removes"),
        RunOp::Backup => return give_up("backups are left as they are"),
        RunOp::Mode => return give_up("the permissions are left as they are"),
        RunOp::Guard => return skip("not-taken"),
        RunOp::Move | RunOp::Stow => {}
    }
    let now = match folder.stat(&name) {
        Ok(now) => now,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(taken(folder, journal, record, line)),
        Err(e) => return Err(e),
    };
    if now.kind != Kind::File || !line.fp.is_some_and(|fp| record.is_untouched(&fp, &now)) {
        return skip("changed");
    }
    if owned {
        return skip("owned-now");
    }
    if (recheck.locked_now)(&name) {
        return skip("locked-now");
    }
    let kept = line.kept_name();
    let renamed = match (line.op, &line.to) {
        (RunOp::Move, Some(to)) => {
            let linked = journal.files().stat(&kept).is_ok();
            if !linked {
                // The archive name alone keeps the bytes if this cannot be done.
                let _ = folder.link(&name, journal.files(), &kept);
            }
            rename_free(folder, &name, &to.to_os()).map(Some)
        }
        _ if is_inode(journal.files().stat(&kept).ok().as_ref(), Some(&now)) => folder.unlink(&name).map(|()| None),
        _ if journal.files().stat(&kept).is_ok() => return give_up("recovery never removes"),
        _ => folder.rename(&name, journal.files(), &kept).map(|()| None),
    };
    match renamed {
        Ok(to) => Ok(RunOutcome {
            to: to.filter(|t| line.to.as_ref().is_none_or(|p| p.to_os() != *t)).map(|t| Raw::of(&t)),
            ..outcome(line, RunResult::Done, None)
        }),
        Err(e) if is_full(&e) => give_up("no room"),
        Err(e) if e.kind() == io::ErrorKind::NotFound => skip("gone"),
        Err(e) => give_up(&e.to_string()),
    }
}

/// A file that is no longer under its name: the run took it before it was interrupted, if our link still says so.
fn taken(folder: &Dir, journal: &Journal, record: &RunRecord, line: &RunLine) -> RunOutcome {
    let kept = journal.files().stat(line.kept_name()).ok();
    let mut result = outcome(line, RunResult::Done, None);
    match (line.op, &line.to) {
        (RunOp::Move, Some(to)) => {
            let planned = folder.stat(to.to_os()).ok();
            let original = line.fp.as_ref();
            let is_it = |now: &Fingerprint| original.is_some_and(|fp| record.is_untouched(fp, now));
            if !planned.as_ref().is_some_and(is_it) && kept.is_none() {
                return outcome(line, RunResult::Skipped, Some("gone"));
            }
            // A stamp that grew was noted, or is found by the inode.
            if !record.is_inode(planned.as_ref(), original) {
                result.to = find_inode(folder, original).map(|n| Raw::of(&n));
            }
        }
        _ if kept.is_none() => return outcome(line, RunResult::Skipped, Some("gone")),
        _ => {}
    }
    result
}

fn find_inode(folder: &Dir, fp: Option<&Fingerprint>) -> Option<OsString> {
    let names = folder.names().ok()?;
    names.into_iter().find(|n| is_inode(folder.stat(n).ok().as_ref(), fp))
}

/// A file that a run was bringing back: it is there (that came before the swap, durably). The archive name it had, which
/// leads to the same file or the same bytes, was going to go.
fn restored(folder: &Dir, line: &RunLine) -> RunOutcome {
    let Some(back) = line.to.as_ref().map(Raw::to_os).filter(|to| folder.stat(to).is_ok()) else {
        return outcome(line, RunResult::NotReached, Some("not restored"));
    };
    if let Some(archive) = line.replaces.as_ref().map(Raw::to_os)
        && second_name::is_one(folder, &back, &archive)
        && let Err(e) = folder.unlink(&archive)
    {
        // A second name costs nothing and goes as an archive does.
        return outcome(line, RunResult::Done, Some(&format!("a second name of a file that came back: {e}")));
    }
    outcome(line, RunResult::Done, None)
}
