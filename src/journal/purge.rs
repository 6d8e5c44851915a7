//! Taking every trace of a session out of what earlier runs kept.
//!
//! Recorded rows, rows that a recovery would insert, links to transcripts, and index snapshots: each is written anew without
//! the session, or dropped where it cannot be read. The rest of a run stays undoable. Done under the run lock, when no run
//! is open; interrupted, it is simply done again: what tells the id behind a key, the recorded rows, goes last.

use std::ffi::OsStr;
use std::io;
use std::path::Path;

use super::layout::{OwnDir, RUNS, is_run_id};
use super::write::{BEFORE, DONE, FILES, OPEN, PLAN, ROWS, json_lines, write_whole};
use super::{read, rows_text, snapshot};
use crate::fsx::fault::Faults;
use crate::fsx::mutate::Dir;
use crate::model::fingerprint::Fingerprint;
use crate::model::folder::Class;
use crate::model::run::{RowChange, RunLine, RunOp, RunRecord, RunRow};
use crate::model::session::Session;
use crate::scan::names::classify;
use crate::store::write::{render_into, with_duplicates};
use crate::transcript::names;
use crate::units::json_text::unescape;

/// Other copies of an index that an interrupted run can leave in its folder.
const INDEX_COPIES: [&str; 3] = [BEFORE, "index.temp", "index.displaced"];

/// What the session is known by.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Traces {
    /// Session ids.
    pub ids: Vec<String>,
    /// Session keys, decoded.
    pub keys: Vec<String>,
}

/// What was taken out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Purged {
    /// Recorded rows.
    pub rows: u64,
    /// Links to files, copies of an index, and files of ours that no run could take away.
    pub links: u64,
    /// Index snapshots that were written anew without the session.
    pub snapshots_rewritten: u64,
    /// Index snapshots that could not be read and went whole.
    pub snapshots_dropped: u64,
}

impl Traces {
    fn row(&self, key: &[u8], session: Option<&str>) -> bool {
        session.is_some_and(|id| self.ids.iter().any(|i| i == id)) || {
            let key = unescape(key);
            self.keys.contains(&key)
        }
    }

    fn run_row(&self, row: &RunRow) -> bool {
        self.row(&row.key.0, Session::of(row).id.as_deref())
    }

    fn name(&self, name: &OsStr) -> bool {
        let len = usize::from(classify(name, None).stem_len);
        let stem = &name.as_encoded_bytes()[..len];
        let stem = memchr::memmem::find(stem, b".jsonl").map_or(stem, |at| &stem[..at]);
        names::ids(stem).any(|id| self.ids.iter().any(|i| i.as_bytes() == id))
    }

    /// Whether an effect was on a file of the session.
    fn line(&self, line: &RunLine) -> bool {
        let names = [Some(&line.from), line.to.as_ref(), line.replaces.as_ref()].into_iter().flatten();
        names.map(|raw| raw.to_path()).any(|path| path.file_name().is_some_and(|name| self.name(name)))
    }

    fn text(&self, bytes: &[u8]) -> bool {
        let holds = |text: &String| memchr::memmem::find(bytes, text.as_bytes()).is_some();
        self.ids.iter().any(holds) || self.keys.iter().any(holds)
    }
}

/// Takes every trace out of the `.clawkeep` of `own_dir`.
///
/// # Errors
/// I/O errors, and a run that was never closed. What was taken out until then is gone.
pub fn purge(own_dir: &Path, faults: &Faults, traces: &Traces) -> io::Result<Purged> {
    let mut out = Purged::default();
    let Some(own) = OwnDir::open(own_dir, faults)? else { return Ok(out) };
    let mut runs = Vec::new();
    if let Some(all) = own.sub(RUNS)? {
        for name in all.names()? {
            let Some(id) = name.to_str().filter(|n| is_run_id(n.as_bytes())) else { continue };
            let Ok(dir) = all.sub(id) else { continue };
            if dir.stat(OPEN).is_ok() && dir.stat(DONE).is_err() {
                return Err(io::Error::new(io::ErrorKind::ResourceBusy, format!("run {id} was never closed")));
            }
            let record = read::load(&dir, id);
            runs.push((dir, record));
        }
    }
    leftovers(&Dir::open(own_dir, faults)?, traces, &mut out)?;
    for (dir, record) in &runs {
        links(dir, &record.lines, traces, &mut out)?;
    }
    for one in snapshot::list(own_dir)? {
        snapshots(own_dir, &own, &one, traces, &mut out)?;
    }
    for (dir, record) in &runs {
        rows(dir, record, own.file_mode(), traces, &mut out)?;
    }
    Ok(out)
}

/// Files that our own runs could not take away, the old index foremost. No run is open, and this one has the lock: nobody
/// needs them.
fn leftovers(folder: &Dir, traces: &Traces, out: &mut Purged) -> io::Result<()> {
    for name in folder.names()? {
        let ours = name.as_encoded_bytes().starts_with(b".clawkeep-") && classify(&name, None).class == Class::Temp;
        if ours && folder.read(&name).is_ok_and(|bytes| traces.text(&bytes)) {
            folder.unlink(&name)?;
            out.links += 1;
        }
    }
    Ok(())
}

fn rows(dir: &Dir, record: &RunRecord, mode: u32, traces: &Traces, out: &mut Purged) -> io::Result<()> {
    let kept: Vec<RunRow> = record.rows.iter().filter(|r| !traces.run_row(r)).cloned().collect();
    let gone = record.rows.len() - kept.len();
    let left = record.rows.iter().filter(|r| r.change == RowChange::Dropped && traces.run_row(r)).count() as u64;
    // First the plan: a record with more rows than it says is whole, one with fewer is damaged.
    let written = read::plan_as_written(dir);
    let mut lines = written.clone();
    for line in &mut lines {
        line.insert.retain(|r| !traces.run_row(r));
        if line.op == RunOp::Swap {
            line.purged += left;
        } else if traces.line(line) {
            line.purged = 1;
        }
    }
    if lines != written {
        rewrite(dir, PLAN, mode, &json_lines(&lines)?)?;
    }
    let copies: Vec<&str> =
        INDEX_COPIES.into_iter().filter(|n| dir.read(n).is_ok_and(|bytes| traces.text(&bytes))).collect();
    // Rows that only the old index holds are written down before it goes.
    if gone > 0 || copies.contains(&BEFORE) {
        rewrite(dir, ROWS, mode, &rows_text::text(&kept)?)?;
        out.rows += gone as u64;
    }
    for name in copies {
        dir.unlink(name)?;
        out.links += 1;
    }
    dir.sync()
}

fn links(dir: &Dir, lines: &[RunLine], traces: &Traces, out: &mut Purged) -> io::Result<()> {
    let Ok(files) = dir.sub(FILES) else { return Ok(()) };
    for line in lines.iter().filter(|l| l.op != RunOp::Swap) {
        if !traces.line(line) {
            continue;
        }
        for name in [line.kept_name(), RunLine::unpacked_name(line.seq)] {
            match files.unlink(&name) {
                Ok(()) => out.links += 1,
                Err(e) if e.kind() == io::ErrorKind::NotFound => {}
                Err(e) => return Err(e),
            }
        }
    }
    files.sync()
}

/// Replaces one of our own files, whole or not at all.
fn rewrite(dir: &Dir, name: &str, mode: u32, content: &[u8]) -> io::Result<()> {
    let temp = format!("{name}.tmp");
    if dir.stat(&temp).is_ok() {
        dir.unlink(&temp)?;
    }
    write_whole(dir, &temp, mode, content)?;
    dir.replace(&temp, name)
}

fn snapshots(
    own_dir: &Path,
    own: &OwnDir,
    one: &snapshot::Snapshot,
    traces: &Traces,
    out: &mut Purged,
) -> io::Result<()> {
    let parsed = snapshot::read(own_dir, one)
        .ok()
        .and_then(|bytes| crate::store::parse::parse(own_dir.join(&one.name), Fingerprint::NONE, bytes.into()).ok());
    let Some(index) = parsed else {
        // Nobody can tell what is in it.
        out.snapshots_dropped += 1;
        return snapshot::remove(own, one);
    };
    let hit = |row: &crate::model::index::Row| {
        let id = row.session_id.map(|t| t.get(&index.bytes));
        traces.row(row.key.span.of(&index.bytes), id.as_deref())
    };
    let drop: Vec<u32> = (0..).zip(&index.rows).filter(|(_, row)| hit(row)).map(|(ix, _)| ix).collect();
    if drop.is_empty() {
        return Ok(());
    }
    let drop = with_duplicates(&index, &drop);
    let mut text = Vec::with_capacity(index.bytes.len());
    render_into(&index, &drop, &[], &mut text)?;
    let live = (0..).zip(&index.rows).filter(|(ix, row)| !row.shadowed && !drop.contains(ix)).count();
    out.snapshots_rewritten += 1;
    snapshot::rewrite(own, one, &text, live as u64)
}
