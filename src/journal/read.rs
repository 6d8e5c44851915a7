//! Reading run folders. Changes nothing.

use std::io;
use std::path::Path;

use serde::de::DeserializeOwned;

use super::layout::{OwnDir, RUNS, is_run_id};
use super::write::{ABANDONED, BEFORE, DONE, FILES, META, OUTCOME, PLAN, ROLLED_BACK, ROWS};
use crate::error::{Error, Kind, Result};
use crate::fsx::fault::Faults;
use crate::fsx::mutate::Dir;
use crate::model::fingerprint::Fingerprint;
use crate::model::run::{FORMAT, RunLine, RunMeta, RunOp, RunOutcome, RunRecord, RunResult, RunState};
use crate::order::Order as _;

/// Every run of a folder, oldest first. None if there is no `.clawkeep`.
///
/// # Errors
/// If `.clawkeep` is there but cannot be read. A single run that cannot be read is listed as such.
pub fn list(own_dir: &Path) -> Result<Vec<RunRecord>> {
    let mut runs = each(own_dir, load)?;
    // Ids tell seconds apart; what happened within one is told by the record.
    let started = |r: &RunRecord| r.meta.as_ref().map_or(r.closed_at, |m| m.started_at);
    runs.order_by(|a, b| (started(a), &a.id).cmp(&(started(b), &b.id)));
    let undone: Vec<(String, String)> = runs
        .iter()
        .filter(|r| matches!(r.state, RunState::Done | RunState::Abandoned))
        .filter(|r| r.meta.as_ref().is_some_and(|m| !m.partly) && !owes_something(r))
        .filter_map(|r| Some((r.meta.as_ref()?.undoes.clone()?, r.id.clone())))
        .collect();
    let leaves = |r: &RunRecord| r.meta.as_ref().is_some_and(|m| m.leaves);
    let leaving: Vec<String> = runs.iter().filter(|r| leaves(r)).map(|r| r.id.clone()).collect();
    for run in &mut runs {
        run.undone_by = standing_undo(&undone, &run.id, 0).map(str::to_owned);
        run.undone_in_part = run.undone_by.as_ref().is_some_and(|by| leaving.contains(by));
    }
    Ok(runs)
}

/// An undo that was to bring back the content of a file and did not, or that was interrupted before it had done all it
/// could: the run it was about stands, and can be undone again. What is back by then is seen to be.
fn owes_something(run: &RunRecord) -> bool {
    let result = |line: &RunLine| run.outcome(line.seq).map_or(RunResult::NotReached, |o| o.result);
    run.lines.iter().any(|line| match line.op {
        RunOp::Rewrite => result(line) != RunResult::Done,
        RunOp::Backup | RunOp::Guard | RunOp::Unlink | RunOp::Pack | RunOp::Swap => false,
        _ => run.state == RunState::Abandoned && result(line) == RunResult::NotReached,
    })
}

/// The undo of a run that was not undone itself: an undo of an undo makes the first run stand again. `undone` has pairs of
/// a run and its undo, oldest first.
fn standing_undo<'a>(undone: &'a [(String, String)], id: &str, depth: usize) -> Option<&'a str> {
    // Records made by hand could name each other in a circle.
    let stands = |by: &str| depth >= undone.len() || standing_undo(undone, by, depth + 1).is_none();
    undone.iter().rev().find(|(of, by)| of == id && stands(by)).map(|(_, by)| by.as_str())
}

/// One run by its id.
///
/// # Errors
/// There is no such run.
pub fn one(own_dir: &Path, id: &str) -> Result<RunRecord> {
    let missing = || Error::failed(format!("no run {id} in {}", own_dir.display())).hint("clawkeep sessions runs");
    list(own_dir)?.into_iter().find(|r| r.id == id).ok_or_else(missing)
}

/// Ids of runs that were never closed, oldest first.
///
/// # Errors
/// If `.clawkeep` is there but cannot be read.
pub fn unfinished(own_dir: &Path) -> Result<Vec<String>> {
    let ids = each(own_dir, |dir, id| (dir.stat(DONE).is_err() && !is_bare(dir)).then(|| id.to_owned()))?;
    Ok(ids.into_iter().flatten().collect())
}

/// A folder with nothing in it: a run that was killed before it wrote a word, or a removal that was killed before its
/// last step. Either way there is nothing to finish.
pub(super) fn is_bare(dir: &Dir) -> bool {
    dir.names().is_ok_and(|names| names.is_empty())
}

/// Refuses to write beside records that only a newer program understands.
///
/// # Errors
/// [`Kind::TooNew`].
pub fn refuse_newer(own_dir: &Path) -> Result<()> {
    let newer = each(own_dir, |dir, id| match read_meta(dir) {
        Meta::TooNew(format) => Some((id.to_owned(), format)),
        _ => None,
    })?;
    match newer.into_iter().flatten().next_back() {
        None => Ok(()),
        Some((id, format)) => Err(Error::new(
            Kind::TooNew,
            format!("run {id} in {} has format {format}; this program writes up to {FORMAT}", own_dir.display()),
        )
        .hint("use the newer clawkeep that wrote it")),
    }
}

fn each<T>(own_dir: &Path, mut visit: impl FnMut(&Dir, &str) -> T) -> Result<Vec<T>> {
    let failed = |e: std::io::Error| {
        let own = own_dir.join(super::layout::OWN);
        let not_a_folder = e.kind() == std::io::ErrorKind::NotADirectory;
        let error = Error::io("read", &own, e);
        if not_a_folder {
            error.hint(format!("ls -ld {}  (it must be a folder: move what is there away)", own.display()))
        } else {
            error
        }
    };
    let runs = match OwnDir::open(own_dir, &Faults::none()).and_then(|own| own.map_or(Ok(None), |o| o.sub(RUNS))) {
        Ok(Some(runs)) => runs,
        Ok(None) => return Ok(Vec::new()),
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(failed(e)),
    };
    let mut out = Vec::new();
    for name in runs.names().map_err(failed)? {
        let Some(id) = name.to_str().filter(|n| is_run_id(n.as_bytes())) else { continue };
        match runs.sub(id) {
            Ok(dir) => out.push(visit(&dir, id)),
            // A record that nobody may look into could be of any kind; a thing that is no folder is none.
            Err(e) if e.kind() == io::ErrorKind::PermissionDenied => return Err(failed(e)),
            Err(_) => {}
        }
    }
    Ok(out)
}

enum Meta {
    Read(Box<RunMeta>),
    TooNew(u32),
    None,
    Bad(String),
}

fn read_meta(dir: &Dir) -> Meta {
    let bytes = match dir.read(META) {
        Ok(b) => b,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Meta::None,
        Err(e) => return Meta::Bad(e.to_string()),
    };
    #[derive(serde::Deserialize)]
    struct Version {
        format: u32,
    }
    match serde_json::from_slice::<Version>(&bytes) {
        Ok(v) if v.format > FORMAT => Meta::TooNew(v.format),
        _ => match serde_json::from_slice(&bytes) {
            Ok(meta) => Meta::Read(Box::new(meta)),
            Err(e) => Meta::Bad(e.to_string()),
        },
    }
}

/// Reads one run folder.
pub(crate) fn load(dir: &Dir, id: &str) -> RunRecord {
    let has = |name: &str| dir.stat(name).ok();
    let closed = has(DONE);
    let at = closed_at(dir, closed);
    let mut record = RunRecord {
        id: id.to_owned(),
        dir: dir.path().to_owned(),
        state: match closed {
            None if is_bare(dir) => RunState::RolledBack,
            None => RunState::Unfinished,
            Some(_) if has(ROLLED_BACK).is_some() => RunState::RolledBack,
            Some(_) if has(ABANDONED).is_some() => RunState::Abandoned,
            Some(_) => RunState::Done,
        },
        meta: None,
        lines: lines(dir, PLAN),
        rows: super::rows_text::parse(&dir.read(ROWS).unwrap_or_default()),
        rows_missing: 0,
        outcomes: last_of_each(lines(dir, OUTCOME)),
        kept: kept(dir),
        undone_by: None,
        undone_in_part: false,
        closed_at: at,
        copied: false,
        astray: None,
    };
    match read_meta(dir) {
        Meta::Read(meta) => record.meta = Some(*meta),
        Meta::TooNew(format) => record.state = RunState::TooNew(format),
        Meta::Bad(why) if matches!(record.state, RunState::Done | RunState::Abandoned) => {
            record.state = RunState::Unreadable(why)
        }
        Meta::None if record.state == RunState::Done => record.state = RunState::Unreadable("no meta.json".to_owned()),
        _ => {}
    }
    if record.state == RunState::Done
        && let Some(why) = cut(&record)
    {
        record.state = RunState::Unreadable(why);
    }
    // `<folder>/.clawkeep/runs/<id>`
    if let Some(here) = dir.path().ancestors().nth(3) {
        super::place::settle(&mut record, here);
    }
    complete_rows(dir, &mut record);
    record
}

/// `plan.jsonl` with its paths as they were written, to write it anew.
pub(super) fn plan_as_written(dir: &Dir) -> Vec<RunLine> {
    lines(dir, PLAN)
}

/// `meta.json` with its paths as they were written, to write it anew.
pub(crate) fn meta_as_written(dir: &Dir) -> Option<RunMeta> {
    match read_meta(dir) {
        Meta::Read(meta) => Some(*meta),
        _ => None,
    }
}

/// Why the record of a run that came to its end is not whole. Rows would come back without their files.
fn cut(record: &RunRecord) -> Option<String> {
    let effects = record.meta.as_ref()?.effects as usize;
    let (lines, outcomes) = (record.lines.len(), record.outcomes.len());
    if lines < effects {
        return Some(format!("{PLAN} has {lines} of {effects} effects"));
    }
    (outcomes < lines).then(|| format!("{OUTCOME} has {outcomes} of {lines} outcomes"))
}

/// When the marker got its name. In a copy that would be when it was copied: then the last change of the folder tells,
/// which copies keep.
fn closed_at(dir: &Dir, closed: Option<Fingerprint>) -> crate::model::Ms {
    let (own, marker) = (dir.stat_self().ok(), closed.map(|fp| fp.ctime_ns));
    let at = match (marker, own) {
        (Some(marker), Some(own)) => marker.min(own.mtime_ns),
        (marker, own) => marker.or(own.map(|fp| fp.ctime_ns)).unwrap_or(0),
    };
    at.div_euclid(1_000_000)
}

/// Where `rows.jsonl` has fewer rows than the plan says (it is not there yet, the disk was too full for it, or it is
/// damaged), the link of the old index has them. What neither has is missing, and said to be.
fn complete_rows(dir: &Dir, record: &mut RunRecord) {
    let planned = |l: &RunLine| (l.drop.len() + l.insert.len()) as u64;
    let planned: u64 =
        record.lines.iter().filter(|l| l.op == RunOp::Swap).map(|l| planned(l) - l.purged.min(planned(l))).sum();
    if (record.rows.len() as u64) < planned
        && record.meta.is_some()
        && let Some(rows) = rows_of_old_index(dir, record).filter(|rows| rows.len() > record.rows.len())
    {
        record.rows = rows;
    }
    if record.state != RunState::RolledBack {
        record.rows_missing = planned.saturating_sub(record.rows.len() as u64);
    }
}

/// The rows of the plan, from the link of the old index, if that still is the index that the plan was made from.
fn rows_of_old_index(dir: &Dir, record: &RunRecord) -> Option<Vec<crate::model::run::RunRow>> {
    let swap = record.lines.iter().find(|l| l.op == RunOp::Swap)?;
    // What a repair puts in the place of a damaged text needs nothing of that.
    if swap.drop.is_empty() {
        return Some(swap.insert.clone());
    }
    let is_it = |fp: &Fingerprint| {
        let same = |planned: Fingerprint| record.is_untouched(&planned, fp) || record.copied && planned.size == fp.size;
        swap.fp.is_some_and(same)
    };
    let fp = dir.stat(BEFORE).ok().filter(is_it)?;
    let bytes = dir.read(BEFORE).ok()?;
    let index = crate::store::parse::parse(dir.path().join(BEFORE), fp, bytes.into()).ok()?;
    Some(super::record::rows(&index, &swap.drop, &swap.insert, |_| None))
}

/// Items of a JSON-lines file that parse. A torn last line is what a power cut leaves; a plan that lacks lines is told
/// by the number in `meta.json`.
fn lines<T: DeserializeOwned>(dir: &Dir, name: &str) -> Vec<T> {
    let bytes = dir.read(name).unwrap_or_default();
    let lines = bytes.split(|b| *b == b'\n').filter(|l| !l.is_empty());
    lines.filter_map(|line| serde_json::from_slice(line).ok()).collect()
}

/// The last word on each effect counts: a recovery adds to what the run had noted.
fn last_of_each(mut outcomes: Vec<RunOutcome>) -> Vec<RunOutcome> {
    outcomes.reverse();
    outcomes.order_by_key(|outcome| outcome.seq);
    outcomes.dedup_by_key(|outcome| outcome.seq);
    outcomes
}

fn kept(dir: &Dir) -> Vec<(std::ffi::OsString, crate::model::fingerprint::Fingerprint)> {
    let Ok(files) = dir.sub(FILES) else { return Vec::new() };
    let names = files.names().unwrap_or_default();
    names.into_iter().filter_map(|n| files.stat(&n).ok().map(|fp| (n, fp))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(root: &Path, id: &str, meta: &str, files: &[&str]) {
        let dir = super::super::write::run_path(root, id);
        std::fs::create_dir_all(&dir).unwrap();
        std::fs::write(dir.join(META), meta).unwrap();
        for f in files {
            std::fs::write(dir.join(f), "").unwrap();
        }
    }

    const OLD: &str = "20260501T080000Z-0001";
    const NEW: &str = "20260502T080000Z-0002";

    fn meta(id: &str, undoes: Option<&str>) -> String {
        let undoes = undoes.map_or("null".to_owned(), |u| format!("\"{u}\""));
        format!(
            r#"{{"format":1,"runId":"{id}","command":"x","pid":1,"startedAt":1,"folder":"/f","effects":0,"undoes":{undoes}}}"#
        )
    }

    #[test]
    fn a_newer_format_stops_writers_and_is_listed() {
        let temp = tempfile::tempdir().unwrap();
        run(temp.path(), OLD, &meta(OLD, None), &[DONE]);
        refuse_newer(temp.path()).unwrap();
        run(temp.path(), NEW, r#"{"format":2,"surprise":[]}"#, &[DONE]);
        assert_eq!(refuse_newer(temp.path()).unwrap_err().kind, Kind::TooNew);
        let states: Vec<_> = list(temp.path()).unwrap().into_iter().map(|r| r.state).collect();
        assert_eq!(states, [RunState::Done, RunState::TooNew(2)]);
    }

    #[test]
    fn an_undone_undo_leaves_the_first_run_standing() {
        let temp = tempfile::tempdir().unwrap();
        run(temp.path(), OLD, &meta(OLD, None), &[DONE]);
        run(temp.path(), NEW, &meta(NEW, Some(OLD)), &[DONE]);
        assert_eq!(list(temp.path()).unwrap()[0].undone_by.as_deref(), Some(NEW));
        let third = "20260503T080000Z-0003";
        run(temp.path(), third, &meta(third, Some(NEW)), &[DONE]);
        let runs = list(temp.path()).unwrap();
        assert_eq!((runs[0].undone_by.as_deref(), runs[1].undone_by.as_deref()), (None, Some(third)));
    }

    #[test]
    fn a_run_that_was_undone_in_part_stands() {
        let temp = tempfile::tempdir().unwrap();
        run(temp.path(), OLD, &meta(OLD, None), &[DONE]);
        let partly = meta(NEW, Some(OLD)).replace("\"effects\":0", "\"effects\":0,\"partly\":true");
        run(temp.path(), NEW, &partly, &[DONE]);
        assert_eq!(list(temp.path()).unwrap()[0].undone_by, None);
    }

    #[test]
    fn the_last_word_on_an_effect_counts() {
        let temp = tempfile::tempdir().unwrap();
        run(temp.path(), OLD, &meta(OLD, None), &[DONE]);
        let dir = super::super::write::run_path(temp.path(), OLD);
        let line = |seq: u32, result: &str| format!("{{\"seq\":{seq},\"result\":\"{result}\"}}\n");
        let text = [line(7, "done"), line(2, "failed"), line(0, "done"), line(2, "done"), line(7, "skipped")].concat();
        std::fs::write(dir.join(OUTCOME), text).unwrap();
        let record = one(temp.path(), OLD).unwrap();
        let result = |seq| record.outcome(seq).map(|o| o.result);
        assert_eq!((result(0), result(1)), (Some(RunResult::Done), None));
        assert_eq!((result(2), result(7)), (Some(RunResult::Done), Some(RunResult::Skipped)));
    }

    #[test]
    fn runs_without_marker_are_unfinished_and_strangers_are_ignored() {
        let temp = tempfile::tempdir().unwrap();
        assert!(list(temp.path()).unwrap().is_empty());
        run(temp.path(), OLD, &meta(OLD, None), &["open"]);
        run(temp.path(), "notes", "{}", &[]);
        let third = "20260503T080000Z-0003";
        std::fs::create_dir(super::super::write::run_path(temp.path(), third)).unwrap();
        assert_eq!(unfinished(temp.path()).unwrap(), [OLD], "an empty folder has nothing to finish");
        assert_eq!(one(temp.path(), third).unwrap().state, RunState::RolledBack);
        std::fs::remove_dir(super::super::write::run_path(temp.path(), third)).unwrap();
        assert_eq!(list(temp.path()).unwrap().len(), 1);
        assert_eq!(one(temp.path(), NEW).unwrap_err().kind, Kind::Failed);
    }
}
