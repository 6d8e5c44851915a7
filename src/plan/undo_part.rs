//! The part of a run that belongs to one session, or to one file.
//!
//! A run record narrowed to that part is planned like a whole one (see [`super::undo`]). The swap of the index is always
//! kept in it: which rows come back is told by the rows, not by the swap.

use std::collections::BTreeSet;
use std::ffi::OsStr;

use super::undo::UndoPlan;
use crate::model::run::{Raw, RunLine, RunOp, RunRecord};
use crate::model::session::Session;
use crate::scan::names::classify;
use crate::transcript::names;
use crate::units::json_text::unescape;

/// What to put back; nothing said: everything.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Part {
    /// Session keys or ids.
    pub keys: Vec<String>,
    /// Files, by the name they had or were given.
    pub files: Vec<String>,
}

/// Reduces the record to the part.
///
/// # Errors
/// The run's id and the first name that nothing of the run has.
pub fn narrow(mut run: RunRecord, part: &Part) -> Result<RunRecord, (String, String)> {
    if part.keys.is_empty() && part.files.is_empty() {
        return Ok(run);
    }
    let mut rows = BTreeSet::new();
    let mut seqs = BTreeSet::new();
    for key in &part.keys {
        let found = of_session(&run, key, &mut rows, &mut seqs);
        if !found {
            return Err((run.id, key.clone()));
        }
    }
    for file in &part.files {
        let before = seqs.len();
        seqs.extend(run.lines.iter().filter(|l| is_called(&run, l, file)).map(|l| l.seq));
        if seqs.len() == before && !run.lines.iter().any(|l| is_called(&run, l, file)) {
            return Err((run.id, file.clone()));
        }
    }
    let mut at = 0..;
    run.rows.retain(|_| at.next().is_some_and(|ix| rows.contains(&ix)));
    // What was asked for was found.
    run.rows_missing = 0;
    run.lines.retain(|l| l.op == RunOp::Swap || seqs.contains(&l.seq));
    Ok(run)
}

/// Whether undoing `part` leaves something of the whole run to undo.
pub fn leaves_something(whole: &UndoPlan, part: &UndoPlan) -> bool {
    let size = |p: &UndoPlan| (p.effects.len(), p.rows_back.len(), p.rows_out.len());
    size(whole) != size(part)
}

/// Rows and effects of the session with this key or id.
pub(super) fn of_session(run: &RunRecord, what: &str, rows: &mut BTreeSet<usize>, seqs: &mut BTreeSet<u32>) -> bool {
    let mut has_row = false;
    let mut ids: BTreeSet<Vec<u8>> = BTreeSet::new();
    let mut files: BTreeSet<Vec<u8>> = BTreeSet::new();
    for (ix, row) in run.rows.iter().enumerate() {
        let session = Session::of(row);
        if unescape(&row.key.0) == what || session.id.as_deref() == Some(what) {
            rows.insert(ix);
            // Rows of a key that was named before do not make this one known.
            has_row = true;
            ids.extend(session.id.map(String::into_bytes));
            files.extend(session.file.map(String::into_bytes));
        }
    }
    let in_rows =
        run.rows.iter().any(|row| unescape(&row.key.0) == what || Session::of(row).id.as_deref() == Some(what));
    let known = !ids.is_empty() || !files.is_empty();
    if !known {
        ids.insert(what.as_bytes().to_vec());
    }
    let mut found = known || in_rows;
    for line in run.lines.iter().filter(|l| l.op != RunOp::Swap) {
        let name = live_name(line);
        let stem = classify(&name, None);
        let stem = &name.as_encoded_bytes()[..usize::from(stem.stem_len)];
        let of_id = names::ids(stem).any(|id| ids.contains(id));
        let named = files.contains(name.as_encoded_bytes()) || line.key.as_deref() == Some(what);
        if of_id || named {
            seqs.insert(line.seq);
            found = true;
        }
    }
    found || has_row
}

/// The name a file has in the live folder, before a removal or after a restore.
fn live_name(line: &RunLine) -> std::ffi::OsString {
    match (line.op, &line.to) {
        (RunOp::Restore | RunOp::Unpack | RunOp::Create, Some(to)) => to.to_os(),
        _ => line.from.to_os(),
    }
}

fn is_called(run: &RunRecord, line: &RunLine, what: &str) -> bool {
    if line.op == RunOp::Swap {
        return false;
    }
    let wanted = std::path::Path::new(what).file_name().unwrap_or(OsStr::new(what));
    let outcome = run.outcome(line.seq).and_then(|o| o.to.as_ref());
    let names = [Some(&line.from), line.to.as_ref(), outcome, line.replaces.as_ref()];
    names.into_iter().flatten().any(|raw: &Raw| raw.to_path().file_name() == Some(wanted))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::effect::Phase;
    use crate::model::run::{RowChange, RunRow, RunState};

    fn line(seq: u32, op: RunOp, from: &str, to: Option<&str>) -> RunLine {
        RunLine {
            seq,
            phase: Phase::Remove,
            op,
            from: Raw(from.into()),
            to: to.map(|t| Raw(t.into())),
            replaces: None,
            fp: None,
            drop: vec![],
            insert: vec![],
            purged: 0,
            reason: None,
            key: None,
            id: None,
        }
    }

    fn row(key: &str, value: &str) -> RunRow {
        RunRow { change: RowChange::Dropped, key: Raw(key.into()), value: Raw(value.into()), after: None, reason: None }
    }

    fn run() -> RunRecord {
        RunRecord {
            id: "R".into(),
            dir: "/r".into(),
            state: RunState::Done,
            meta: None,
            lines: vec![
                line(0, RunOp::Swap, "/s/sessions.json", None),
                line(1, RunOp::Move, "a.jsonl", Some("a.jsonl.deleted.2026-05-01T08-00-00.000Z")),
                line(2, RunOp::Stow, "a.trajectory.jsonl", None),
                line(3, RunOp::Move, "own-name.jsonl", Some("own-name.jsonl.deleted.2026-05-01T08-00-00.000Z")),
                line(4, RunOp::Move, "b-topic-5.jsonl", None),
                line(5, RunOp::Restore, "/k/000001", Some("c.jsonl")),
            ],
            rows: vec![
                row("agent:m:a", r#"{"sessionId":"a"}"#),
                row(r"agent:m:\u00fc", r#"{"sessionId":"x","sessionFile":"/old/home/own-name.jsonl"}"#),
                row("agent:m:b", r#"{"sessionId":"b"}"#),
            ],
            outcomes: vec![],
            kept: vec![],
            rows_missing: 0,
            undone_by: None,
            undone_in_part: false,
            closed_at: 0,
            copied: false,
            astray: None,
        }
    }

    fn seqs(part: Part) -> Result<(Vec<u32>, usize), String> {
        let narrowed = narrow(run(), &part).map_err(|(_, what)| what)?;
        Ok((narrowed.lines.iter().map(|l| l.seq).collect(), narrowed.rows.len()))
    }

    fn keys(keys: &[&str]) -> Part {
        Part { keys: keys.iter().map(|k| (*k).to_owned()).collect(), files: vec![] }
    }

    fn files(files: &[&str]) -> Part {
        Part { keys: vec![], files: files.iter().map(|k| (*k).to_owned()).collect() }
    }

    #[test]
    fn a_session_takes_its_files_with_it() {
        assert_eq!(seqs(keys(&["agent:m:a"])), Ok((vec![0, 1, 2], 1)));
        assert_eq!(seqs(keys(&["agent:m:\u{fc}"])), Ok((vec![0, 3], 1)));
        assert_eq!(seqs(keys(&["b"])), Ok((vec![0, 4], 1)));
        assert_eq!(seqs(keys(&["c"])), Ok((vec![0, 5], 0)));
        assert_eq!(seqs(keys(&["agent:m:a", "agent:m:none"])), Err("agent:m:none".into()));
        assert_eq!(seqs(Part::default()), Ok((vec![0, 1, 2, 3, 4, 5], 3)));
    }

    #[test]
    fn a_file_is_known_by_either_name_and_comes_alone() {
        assert_eq!(seqs(files(&["a.jsonl"])), Ok((vec![0, 1], 0)));
        assert_eq!(seqs(files(&["/x/a.jsonl.deleted.2026-05-01T08-00-00.000Z"])), Ok((vec![0, 1], 0)));
        assert_eq!(seqs(files(&["c.jsonl"])), Ok((vec![0, 5], 0)));
        assert_eq!(seqs(files(&["sessions.json"])), Err("sessions.json".into()));
    }
}
