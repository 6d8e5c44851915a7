//! A change that another program makes for us, kept such that it can be undone like one of our own.
//!
//! The gateway is asked to clean up; what it will take cannot be known before. So every file it could take gets a hard link
//! in a run folder, and the index one too (and a snapshot, because a writer may write in place); both are durable before
//! the question is asked. Afterwards the disk is looked at: a file that is still there needs no link, a file that is gone
//! keeps it, and the rows that are missing from the index are the rows that left. Nothing in the folder is changed by us.
//!
//! # Failure story
//! A question that was not sent leaves no trace. After it was sent, whatever happens to us, the run stays open until it is
//! known to be over: the next run that may write settles it from the disk alone ([`settle_interrupted`]), which can be
//! done any number of times. Until then no link goes, so a gateway that is still at work takes nothing for good.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::io;

use super::close;
use super::execute::{guard, meta_of};
use super::input::ApplyInput;
use super::state::Exec;
use super::swap::{conflict_error, still_there};
use crate::error::{Error, Result};
use crate::fsx::mutate::{Dir, cannot_link};
use crate::journal::layout::OwnDir;
use crate::journal::write::{BEFORE, Journal};
use crate::journal::{audit, record, reserve};
use crate::model::effect::Effect;
use crate::model::index::{IndexFacts, IndexState};
use crate::model::outcome::{Applied, Outcome, Recovered, Skip};
use crate::model::run::{Raw, RunLine, RunMeta, RunOp, RunOutcome, RunRecord, RunResult, RunRow};
use crate::report::escape;
use crate::store;

/// How the question ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// It was not sent: nothing happened.
    NotSent,
    /// It was answered, with a result or an error: nothing is going on any more.
    Answered,
    /// It was sent, and whether it was carried out is not known.
    Unknown,
}

/// What the other program took.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Gone {
    /// Positions of rows in the index that the run began with.
    pub rows: Vec<u32>,
    /// Effects whose file left its name, with the name that the same file has now, if it has one.
    pub files: Vec<(usize, Option<OsString>)>,
    /// Rows of the index now.
    pub rows_now: u64,
}

/// How a delegated run ended.
#[derive(Debug)]
pub enum Ended {
    /// Nothing was sent, and no trace is left.
    NotSent,
    /// Settled. The run is empty if nothing had gone.
    Settled(Box<Applied>, Gone),
    /// The run of this id stays open.
    Open(String),
}

/// Keeps every file of the plan (all of it [`Effect::Guard`]), asks, and settles.
///
/// # Errors
/// Everything that stops the run before the question: no lock, an unfinished run, an index that was written since
/// ([`super::conflict`] tells), no room, a file system without hard links.
pub fn delegate(input: &ApplyInput<'_>, index: &IndexFacts, ask: &mut dyn FnMut() -> Asked) -> Result<Ended> {
    guard(input)?;
    let mut run = Exec::open(input)?;
    let (dir, name) = index_name(input, index)?;
    if !still_there(&dir, &name, &index.fp).map_err(|e| Error::io("look at", &index.path, e))? {
        return Err(conflict_error(&index.path));
    }
    let own = OwnDir::create(input.own_dir, &input.ctx.faults).map_err(|e| Error::io("prepare", input.own_dir, e))?;
    let lines = run.lines(&[]);
    let mut journal = Journal::begin(own, input.ctx.run_time(), &lines, &|id| input.ctx.deeds.has(id))
        .map_err(|e| Error::io("prepare the run in", input.own_dir, e))?;
    let mut meta = meta_of(&run, &journal);
    meta.delegated = true;
    meta.index = Some(index.fp);
    if let Err(error) = keep(&mut run, &mut journal, &meta, (&dir, &name), index) {
        journal.discard();
        return Err(error);
    }
    close::keep_snapshot(&mut run);
    run.folder.faults().pause("before-call");
    match ask() {
        Asked::NotSent => {
            journal.discard();
            Ok(Ended::NotSent)
        }
        Asked::Unknown => Ok(Ended::Open(journal.id().to_owned())),
        Asked::Answered => Ok(settle(run, journal, &lines, meta, index)),
    }
}

fn index_name(input: &ApplyInput<'_>, index: &IndexFacts) -> Result<(Dir, OsString)> {
    let (Some(parent), Some(name)) = (index.path.parent(), index.path.file_name()) else {
        return Err(Error::failed(format!("{} is not the path of a file", index.path.display())));
    };
    let dir = Dir::open(parent, &input.ctx.faults).map_err(|e| Error::io("open", parent, e))?;
    Ok((dir, name.to_owned()))
}

/// Links of everything, durable.
fn keep(
    run: &mut Exec<'_>,
    journal: &mut Journal,
    meta: &RunMeta,
    (dir, name): (&Dir, &OsStr),
    index: &IndexFacts,
) -> Result<()> {
    let failed = |e: io::Error| {
        let path = escape::path(run.input.own_dir);
        let error = Error::failed(format!("cannot keep what the gateway may take in {path}: {e}; it was not asked"));
        if cannot_link(&e) {
            error.hint("hard links cannot be made here: stop the gateway, and run the same command again")
        } else {
            error
        }
    };
    for ix in 0..run.outcomes.len() {
        let Effect::Guard { file } = &run.effect(ix).effect else {
            return Err(Error::failed("only files can be kept for another program"));
        };
        match run.folder.link(&file.name, journal.files(), kept_name(ix)) {
            Ok(()) => {}
            // It went by itself.
            Err(e) if e.kind() == io::ErrorKind::NotFound && run.folder.stat(&file.name).is_err() => {
                run.outcomes[ix] = Some(Outcome::Skipped(Skip::Gone));
            }
            Err(e) => return Err(failed(e)),
        }
    }
    journal.sync_links().map_err(failed)?;
    if !journal.keep_index(dir, name).map_err(failed)? {
        journal.copy_index(&index.bytes).map_err(failed)?;
    }
    journal.commit_intent(meta).map_err(failed)
}

fn kept_name(ix: usize) -> String {
    format!("{ix:06}")
}

/// Looks at what is gone, records it and closes the run; without a trace if nothing is.
fn settle(mut run: Exec<'_>, mut journal: Journal, lines: &[RunLine], mut meta: RunMeta, old: &IndexFacts) -> Ended {
    let id = journal.id().to_owned();
    let IndexState::Whole(now) = store::read::read(&old.path) else {
        run.input.ctx.log(
            crate::context::Level::Warning,
            &format!("{} cannot be read now; run {id} is settled by the next one", old.path.display()),
        );
        return Ended::Open(id);
    };
    let found = look(&run.folder, &journal, lines);
    let mut gone = Gone { rows: rows_gone(old, &now), files: Vec::new(), rows_now: now.live_rows() as u64 };
    for (ix, outcome) in found.iter().enumerate() {
        run.noted.insert(ix);
        run.outcomes[ix] = Some(match outcome.result {
            RunResult::Done => {
                gone.files.push((ix, outcome.to.as_ref().map(Raw::to_os)));
                run.actual[ix] = outcome.to.as_ref().map(Raw::to_os);
                Outcome::Done { freed: 0 }
            }
            _ => Outcome::Skipped(Skip::Changed),
        });
    }
    if gone.rows.is_empty() && gone.files.is_empty() {
        journal.discard();
        return Ended::Settled(Box::new(close::applied(run, None, false)), gone);
    }
    journal.note_all(&found);
    let reasons = record::row_reasons(run.input.plan);
    let rows = record::rows(old, &gone.rows, &[], |ix| reasons.get(&ix).copied());
    meta.rows_after = gone.rows_now;
    let items = items(&run, &id, &rows);
    let path = journal.path();
    if let Err(e) = audit::append(journal.own(), &items) {
        run.warnings.push(format!("the audit log could not be written: {e}"));
    }
    let _ = reserve::ensure(journal.own());
    // Closed without them, undo would not know of every file. The disk still does.
    let whole = if journal.outcomes_lost() { Err(io::Error::other("outcomes were lost")) } else { Ok(()) };
    let whole = whole.and_then(|()| keep_rows(&journal, &rows)).and_then(|()| journal.restate(&meta));
    match whole.and_then(|()| journal.close(Some(&rows), None)) {
        Ok(remarks) => run.warnings.extend(remarks),
        Err(e) => run.warnings.push(format!("run {id} could not be closed; the next run will: {e}")),
    }
    run.input.ctx.deeds.add(Some(&id));
    Ended::Settled(Box::new(close::applied(run, Some((id, path)), false)), gone)
}

/// No line of the plan says which rows left: they are written down, or the run stays open.
fn keep_rows(journal: &Journal, rows: &[RunRow]) -> io::Result<()> {
    if rows.is_empty() { Ok(()) } else { journal.write_rows(rows) }
}

fn items(run: &Exec<'_>, id: &str, rows: &[RunRow]) -> Vec<audit::Item> {
    let now = run.input.ctx.now();
    let gone = |ix: &usize| matches!(run.outcomes[*ix], Some(Outcome::Done { .. }));
    let files = (0..run.outcomes.len()).filter(gone).filter_map(|ix| run.audit_item(ix, id));
    rows.iter().map(|row| close::row_item(now, id, row)).chain(files).collect()
}

/// What became of each kept file. A link whose file is still there under its name is let go.
fn look(folder: &Dir, journal: &Journal, lines: &[RunLine]) -> Vec<RunOutcome> {
    let names = folder.names().unwrap_or_default();
    lines.iter().filter(|l| l.op == RunOp::Guard).map(|line| look_at(folder, journal, line, &names)).collect()
}

fn look_at(folder: &Dir, journal: &Journal, line: &RunLine, names: &[OsString]) -> RunOutcome {
    let outcome = |result, why: Option<&str>| RunOutcome {
        seq: line.seq,
        result,
        to: None,
        freed: 0,
        why: why.map(str::to_owned),
    };
    let (name, kept) = (line.from.to_os(), line.kept_name());
    let Ok(link) = journal.files().stat(&kept) else {
        return outcome(RunResult::Skipped, Some("gone"));
    };
    match folder.stat(&name) {
        Ok(now) => {
            let why = if (now.dev, now.ino) == (link.dev, link.ino) { "not-taken" } else { "changed" };
            // A link too many costs nothing but room; it goes with the run.
            let _ = journal.files().unlink(&kept);
            outcome(RunResult::Skipped, Some(why))
        }
        Err(e) if e.kind() == io::ErrorKind::NotFound => {
            let mut done = outcome(RunResult::Done, None);
            // One name more than ours: an archive of the same file.
            if link.nlink > 1 {
                done.to = archive_of(folder, &name, &link, names).map(|n| Raw::of(&n));
            }
            done
        }
        Err(e) => outcome(RunResult::Failed, Some(&e.to_string())),
    }
}

/// The name that begins with the old one and leads to the same file.
fn archive_of(
    folder: &Dir,
    name: &OsStr,
    link: &crate::model::fingerprint::Fingerprint,
    names: &[OsString],
) -> Option<OsString> {
    let head = name.as_encoded_bytes();
    let mut candidates = names.iter().filter(|n| n.as_encoded_bytes().starts_with(head) && n.len() > head.len());
    candidates
        .find(|n| folder.stat(n).is_ok_and(|fp| (fp.dev, fp.ino) == (link.dev, link.ino) && link.ino != 0))
        .cloned()
}

/// Rows of the old index whose key the new one does not have.
fn rows_gone(old: &IndexFacts, now: &IndexFacts) -> Vec<u32> {
    let here: HashSet<Vec<u8>> =
        now.rows.iter().map(|row| store::identity::identity(row.key, &now.bytes).into_owned()).collect();
    let gone = |row: &crate::model::index::Row| !here.contains(&*store::identity::identity(row.key, &old.bytes));
    (0..).zip(&old.rows).filter(|(_, row)| gone(row)).map(|(ix, _)| ix).collect()
}

/// Settles a run whose question was sent, or may have been, before we were interrupted.
///
/// # Errors
/// The index of now or of then cannot be read; I/O errors. The run stays open.
pub(super) fn settle_interrupted(
    ctx: &crate::context::Context,
    record: &RunRecord,
    meta: &RunMeta,
    mut journal: Journal,
) -> io::Result<Recovered> {
    let folder = Dir::open(&meta.folder.to_path(), &ctx.faults)?;
    let unreadable = |what: &str| io::Error::other(format!("{what} cannot be read"));
    let store_path = meta.store.as_ref().map(Raw::to_path).ok_or_else(|| unreadable("its record"))?;
    let before = journal.dir().read(BEFORE).and_then(|bytes| {
        let fp = journal.dir().stat(BEFORE)?;
        store::parse::parse(journal.dir().path().join(BEFORE), fp, bytes.into())
            .map_err(|_| unreadable("the old index"))
    });
    let IndexState::Whole(now) = store::read::read(&store_path) else { return Err(unreadable("the index")) };
    // Closed as far as its rows: then they are written down.
    let (rows, rows_now) = match (&before, record.rows.is_empty()) {
        (Ok(old), true) => (record::rows(old, &rows_gone(old, &now), &[], |_| None), now.live_rows() as u64),
        (Err(_), true) => return Err(unreadable("the old index")),
        (_, false) => (record.rows.clone(), now.live_rows() as u64),
    };
    let found = look(&folder, &journal, &record.lines);
    let files = found.iter().filter(|o| o.result == RunResult::Done).count();
    // A second settling must not forget what the first one knew.
    let known = |o: &RunOutcome| record.outcome(o.seq).is_some_and(|o| o.result == RunResult::Skipped);
    let news: Vec<RunOutcome> = found.iter().filter(|o| !known(o)).cloned().collect();
    journal.note_all(&news);
    let results = found.into_iter().map(|o| (o.seq, o)).collect();
    let mut items = close::items_of_record(ctx.now(), record, meta, &results);
    items.retain(|item| item.outcome == "done");
    if record.rows.is_empty() {
        items.extend(rows.iter().map(|row| close::row_item(ctx.now(), &record.id, row)));
    }
    if let Err(e) = audit::append(journal.own(), &items) {
        ctx.log(crate::context::Level::Warning, &format!("the audit log could not be written: {e}"));
    }
    if journal.outcomes_lost() {
        return Err(io::Error::other("outcomes could not be written"));
    }
    keep_rows(&journal, &rows)?;
    let written = crate::journal::read::meta_as_written(journal.dir()).unwrap_or_else(|| meta.clone());
    journal.restate(&RunMeta { rows_after: rows_now, ..written })?;
    let empty = rows.is_empty() && files == 0;
    let how = empty.then_some(crate::journal::write::ROLLED_BACK);
    let kept = super::keep_before::keep(ctx, record, meta, &journal);
    journal.close(Some(rows.as_slice()).filter(|_| kept), how)?;
    Ok(Recovered {
        run_id: record.id.clone(),
        result: if empty { "rolled-back" } else { "completed" },
        detail: format!(
            "a gateway was asked to clean up and its answer was not seen; since then {} rows and {files} files are gone",
            rows.len()
        ),
        left: Vec::new(),
    })
}
