//! Writing a run folder.
//!
//! [`Journal::begin`] makes the folder and reserves its space, [`Journal::commit_intent`] makes it durable; only then may
//! anything be changed. [`Journal::close`] makes the outcome durable and renames the marker. Until the intent is
//! committed, [`Journal::discard`] takes everything away again.

use std::ffi::{OsStr, OsString};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::layout::{OwnDir, RUNS, run_id};
use super::rows_text;
use crate::fsx::mutate::{Dir, NewFile};
use crate::model::Ms;
use crate::model::run::{RunLine, RunMeta, RunOutcome, RunRow};

/// Marker of an open run.
pub const OPEN: &str = "open";
/// Marker of a closed run.
pub const DONE: &str = "done";
/// Marker of a run that was closed without a change.
pub const ROLLED_BACK: &str = "rolled-back";
/// Marker of a run that was closed with effects given up.
pub const ABANDONED: &str = "abandoned";
/// Hard links of the files a run took.
pub const FILES: &str = "files";
/// The record's parts.
pub const META: &str = "meta.json";
/// Intended effects.
pub const PLAN: &str = "plan.jsonl";
/// Rows that left or came.
pub const ROWS: &str = "rows.jsonl";
/// [`ROWS`] while it is being written: only a whole, durable text ever has the real name.
const ROWS_TEMP: &str = "rows.jsonl.tmp";
/// [`META`] while it is being written.
const META_TEMP: &str = "meta.json.tmp";
/// Old index.
pub const BEFORE: &str = "index.before";
/// What happened.
pub const OUTCOME: &str = "outcome.jsonl";
/// Room kept for one outcome line.
const OUTCOME_LINE: u64 = 128;

/// A run folder that is being written.
#[derive(Debug)]
pub struct Journal {
    id: String,
    own: OwnDir,
    runs: Dir,
    dir: Dir,
    files: Dir,
    /// Until it is durable.
    plan: Option<NewFile>,
    outcome: NewFile,
    outcome_lost: bool,
    /// The old index stays whole when the run is closed.
    keeps_before: bool,
}

impl Journal {
    /// Creates the folder for a run that started at `now` and writes its plan. `taken` says which ids this process used in
    /// other folders: one name must not mean two runs.
    ///
    /// # Errors
    /// I/O errors; what was created is taken away again.
    pub fn begin(own: OwnDir, now: Ms, lines: &[RunLine], taken: &dyn Fn(&str) -> bool) -> io::Result<Self> {
        let runs = own.sub_or_create(RUNS)?;
        let (id, dir) = new_folder(&runs, now, own.dir_mode(), taken)?;
        let made = (|| {
            let mode = own.file_mode();
            dir.create(OPEN, mode)?;
            dir.mkdir(FILES, own.dir_mode())?;
            let plan = write_content(&dir, PLAN, mode, &json_lines(lines)?)?;
            let outcome = dir.create(OUTCOME, mode)?;
            outcome.allocate_beyond_end(OUTCOME_LINE * lines.len() as u64)?;
            Ok((dir.sub(FILES)?, plan, outcome))
        })();
        match made {
            Ok((files, plan, outcome)) => Ok(Self {
                id,
                own,
                runs,
                dir,
                files,
                plan: Some(plan),
                outcome,
                outcome_lost: false,
                keeps_before: false,
            }),
            Err(e) => {
                let _ = remove_folder(&runs, &id);
                Err(e)
            }
        }
    }

    /// Opens an interrupted run to close it.
    ///
    /// # Errors
    /// I/O errors.
    pub fn reopen(own: OwnDir, id: &str) -> io::Result<Self> {
        let runs = own.dir().sub(RUNS)?;
        let dir = runs.sub(id)?;
        let or_make = |e: io::Error| if e.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(e) };
        if let Err(e) = dir.stat(FILES) {
            or_make(e)?;
            dir.mkdir(FILES, own.dir_mode())?;
        }
        let outcome = match dir.open_write(OUTCOME, true) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => dir.create(OUTCOME, own.file_mode())?,
            other => other?,
        };
        let mut outcome = outcome;
        // A torn last line must not swallow the next one.
        if dir.read(OUTCOME)?.last().is_some_and(|b| *b != b'\n') {
            outcome.write_all(b"\n")?;
        }
        let files = dir.sub(FILES)?;
        Ok(Self {
            id: id.to_owned(),
            files,
            own,
            runs,
            dir,
            plan: None,
            outcome,
            outcome_lost: false,
            keeps_before: false,
        })
    }

    /// Run id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Path of the run folder.
    pub fn path(&self) -> PathBuf {
        self.dir.path().to_owned()
    }

    /// The run folder.
    pub fn dir(&self) -> &Dir {
        &self.dir
    }

    /// `files/`.
    pub fn files(&self) -> &Dir {
        &self.files
    }

    /// The `.clawkeep` folder around it.
    pub fn own(&self) -> &OwnDir {
        &self.own
    }

    /// Keeps the old index as a hard link. `false` if links cannot be made there.
    ///
    /// # Errors
    /// I/O errors that do not mean "no links here".
    pub fn keep_index(&self, folder: &Dir, name: &OsStr) -> io::Result<bool> {
        match folder.link(name, &self.dir, BEFORE) {
            Ok(()) => Ok(true),
            Err(e) if crate::fsx::mutate::cannot_link(&e) => Ok(false),
            Err(e) => Err(e),
        }
    }

    /// Keeps the old index also when the run is closed: its rows alone do not make it again to the byte.
    pub fn keep_before(&mut self) {
        self.keeps_before = true;
    }

    /// Writes `rows.jsonl`: under another name first, durable and read back before it gets its own. A crash on the way
    /// leaves the name free (or with its old text), never with half of the rows.
    ///
    /// # Errors
    /// I/O errors; a text that does not read back as it was written is one.
    pub fn write_rows(&self, rows: &[RunRow]) -> io::Result<()> {
        self.write_rows_text(&rows_text::text(rows)?)
    }

    fn write_rows_text(&self, text: &[u8]) -> io::Result<()> {
        if self.dir.stat(ROWS_TEMP).is_ok() {
            self.dir.unlink(ROWS_TEMP)?;
        }
        let written = write_whole(&self.dir, ROWS_TEMP, self.own.file_mode(), text).and_then(|()| {
            if self.holds(ROWS_TEMP, text)? {
                self.dir.replace(ROWS_TEMP, ROWS)
            } else {
                Err(io::Error::other(format!("{ROWS_TEMP} does not read back as it was written")))
            }
        });
        if written.is_err() {
            let _ = self.dir.unlink(ROWS_TEMP);
        }
        written?;
        self.dir.sync()
    }

    /// Makes sure that `rows.jsonl` has exactly these rows, durably.
    fn keep_rows(&self, rows: &[RunRow]) -> io::Result<()> {
        let text = rows_text::text(rows)?;
        if self.holds(ROWS, &text).unwrap_or(false) {
            // Whoever wrote it may have been interrupted before it was durable.
            self.dir.open_write(ROWS, true)?.sync()?;
            return self.dir.sync();
        }
        self.write_rows_text(&text)
    }

    /// Whether the file `name` has exactly this content.
    fn holds(&self, name: &str, text: &[u8]) -> io::Result<bool> {
        let mut file = BufReader::with_capacity(1 << 16, self.dir.open_file(name)?);
        let mut rest = text;
        loop {
            let read = file.fill_buf()?;
            let Some(after) = rest.strip_prefix(read) else { return Ok(false) };
            if read.is_empty() {
                return Ok(rest.is_empty());
            }
            let length = read.len();
            rest = after;
            file.consume(length);
        }
    }

    /// Makes the links in `files/` durable that were made before the intent is committed; the plan with them, so that a
    /// journaling file system commits both at once.
    ///
    /// # Errors
    /// I/O errors.
    pub fn sync_links(&mut self) -> io::Result<()> {
        if let Some(plan) = self.plan.take() {
            plan.sync()?;
        }
        self.files.sync()
    }

    /// Writes `meta.json` and makes the intent durable: the first of three sync points.
    ///
    /// # Errors
    /// I/O errors.
    pub fn commit_intent(&self, meta: &RunMeta) -> io::Result<()> {
        if let Some(plan) = &self.plan {
            plan.sync()?;
        }
        let mut text = serde_json::to_vec_pretty(meta).map_err(io::Error::other)?;
        text.push(b'\n');
        write_whole(&self.dir, META, self.own.file_mode(), &text)?;
        self.dir.sync()?;
        self.runs.sync()?;
        self.own.dir().sync()
    }

    /// Keeps the old index as a copy, where links cannot be made.
    ///
    /// # Errors
    /// I/O errors.
    pub fn copy_index(&self, bytes: &[u8]) -> io::Result<()> {
        write_whole(&self.dir, BEFORE, self.own.file_mode(), bytes)
    }

    /// Replaces `meta.json`, durably with [`Journal::close`]: what the run came to is known only now.
    ///
    /// # Errors
    /// I/O errors.
    pub fn restate(&self, meta: &RunMeta) -> io::Result<()> {
        let mut text = serde_json::to_vec_pretty(meta).map_err(io::Error::other)?;
        text.push(b'\n');
        if self.dir.stat(META_TEMP).is_ok() {
            self.dir.unlink(META_TEMP)?;
        }
        write_whole(&self.dir, META_TEMP, self.own.file_mode(), &text)?;
        self.dir.replace(META_TEMP, META)
    }

    /// Notes an outcome. It is not durable before [`Journal::close`]; a failure to note it is remembered, not fatal:
    /// what happened on disk can be told from the disk.
    pub fn note(&mut self, outcome: &RunOutcome) {
        self.note_all(std::slice::from_ref(outcome));
    }

    /// Notes outcomes that are known at once, in one write.
    pub fn note_all(&mut self, outcomes: &[RunOutcome]) {
        let lines = json_lines(outcomes);
        self.outcome_lost |= lines.and_then(|l| self.outcome.write_all(&l)).is_err();
    }

    /// Whether an outcome could not be noted.
    pub fn outcomes_lost(&self) -> bool {
        self.outcome_lost
    }

    /// Makes the outcomes so far durable, for a run that stays open.
    ///
    /// # Errors
    /// I/O errors.
    pub fn sync_outcomes(&self) -> io::Result<()> {
        self.outcome.sync()
    }

    /// Closes the run: rows and outcome durable, marker renamed, then the old index let go. `rows` are all rows that the
    /// run changed; `None` if they cannot be told, and then the old index stays for good. Returns remarks.
    ///
    /// # Errors
    /// I/O errors; the run then stays open and is closed by the next one.
    pub fn close(self, rows: Option<&[RunRow]>, how: Option<&str>) -> io::Result<Vec<String>> {
        let mut remarks = Vec::new();
        let mut rows_kept = rows.is_some_and(<[RunRow]>::is_empty);
        if let Some(rows) = rows.filter(|_| !rows_kept) {
            match self.keep_rows(rows) {
                Ok(()) => rows_kept = true,
                // The link of the old index holds the same rows; it only costs more.
                Err(e) => remarks.push(format!("the old index is kept whole for undo: {e}")),
            }
        }
        if self.outcome_lost {
            remarks.push(format!("some outcomes could not be written to {}", self.dir.path().display()));
        }
        self.outcome.sync()?;
        if let Some(how) = how {
            // An empty file: what it says is its name. Durable before the run is over: without it, a run that was taken back
            // is one that was carried out.
            self.dir.create(how, self.own.file_mode()).map(drop).or_else(exists_is_fine)?;
            self.dir.sync()?;
        }
        match self.dir.rename(OPEN, &self.dir, DONE) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                self.dir.create(DONE, self.own.file_mode()).map(drop).or_else(exists_is_fine)?;
            }
            other => other?,
        }
        self.files.sync()?;
        self.dir.sync()?;
        let keeps = self.keeps_before && how != Some(ROLLED_BACK);
        if rows_kept && !keeps && self.dir.stat(BEFORE).is_ok() {
            self.dir.unlink(BEFORE)?;
        }
        Ok(remarks)
    }

    /// Takes the folder away: nothing was changed.
    pub fn discard(self) {
        let _ = remove_folder(&self.runs, &self.id);
    }
}

fn exists_is_fine(e: io::Error) -> io::Result<()> {
    if e.kind() == io::ErrorKind::AlreadyExists { Ok(()) } else { Err(e) }
}

/// One JSON text per line.
///
/// # Errors
/// Never in practice; the types have no maps with odd keys.
pub fn json_lines<T: Serialize>(items: &[T]) -> io::Result<Vec<u8>> {
    let mut out = Vec::new();
    for item in items {
        serde_json::to_writer(&mut out, item).map_err(io::Error::other)?;
        out.push(b'\n');
    }
    Ok(out)
}

/// Creates a file with this content, its space reserved in full first, and makes it durable.
pub(super) fn write_whole(dir: &Dir, name: &str, mode: u32, content: &[u8]) -> io::Result<()> {
    write_content(dir, name, mode, content)?.sync()
}

fn write_content(dir: &Dir, name: &str, mode: u32, content: &[u8]) -> io::Result<NewFile> {
    let mut file = dir.create(name, mode)?;
    file.allocate(content.len() as u64)?;
    let mut out = BufWriter::with_capacity(1 << 16, &mut file);
    out.write_all(content)?;
    out.flush()?;
    drop(out);
    Ok(file)
}

/// The id that is tried first, second, ... for a run that began at `now`.
fn candidate(now: Ms, tries: u32) -> String {
    let seed = std::process::id().wrapping_mul(0x9e37) ^ u32::try_from(now & 0xffff).unwrap_or(0);
    run_id(now, seed.wrapping_add(tries))
}

/// The id that the next run in `own_dir` gets, for records that are made before there is a run folder. Under our lock
/// nobody else takes it.
pub fn next_id(own_dir: &Path, now: Ms) -> String {
    let free = |id: &String| crate::fsx::read::lstat(&run_path(own_dir, id)).is_err();
    (0..0xffff).map(|tries| candidate(now, tries)).find(free).unwrap_or_else(|| candidate(now, 0))
}

fn new_folder(runs: &Dir, now: Ms, mode: u32, taken: &dyn Fn(&str) -> bool) -> io::Result<(String, Dir)> {
    let mut tries: u32 = 0;
    loop {
        let id = candidate(now, tries);
        if taken(&id) && tries < 0xffff {
            tries += 1;
            continue;
        }
        match runs.mkdir(&id, mode) {
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists && tries < 0xffff => tries += 1,
            Err(e) => return Err(e),
            Ok(()) => return Ok((id.clone(), runs.sub(&id)?)),
        }
    }
}

/// Removes a run folder, its marker last, so that an interrupted removal is still seen for what it is.
///
/// # Errors
/// The first thing in it that could not be removed.
pub(super) fn remove_folder(runs: &Dir, id: &str) -> Result<(), Stuck> {
    let stuck = |dir: &Dir, name: &OsStr| {
        let path = dir.path().join(name);
        move |e: io::Error| Stuck { path, why: e }
    };
    let dir = runs.sub(id).map_err(stuck(runs, id.as_ref()))?;
    let empty = |dir: &Dir, name: &OsString| dir.unlink(name).map_err(stuck(dir, name));
    if let Ok(files) = dir.sub(FILES) {
        files.names().unwrap_or_default().iter().try_for_each(|name| empty(&files, name))?;
        dir.rmdir(FILES).map_err(stuck(&dir, FILES.as_ref()))?;
    }
    let marker = |n: &&OsString| *n == OPEN || *n == DONE;
    let names = dir.names().unwrap_or_default();
    // What is left of a record keeps its marker: without one, nobody could tell a closed run from an open one.
    names.iter().filter(|n| !marker(n) && *n != FILES).try_for_each(|name| empty(&dir, name))?;
    names.iter().filter(marker).try_for_each(|name| empty(&dir, name))?;
    runs.rmdir(id).map_err(stuck(runs, id.as_ref()))
}

/// What of a run folder could not be removed.
#[derive(Debug)]
pub(super) struct Stuck {
    /// File or folder.
    pub(super) path: PathBuf,
    /// Why.
    pub(super) why: io::Error,
}

/// Path of a run folder.
pub fn run_path(own_dir: &Path, id: &str) -> PathBuf {
    own_dir.join(super::layout::OWN).join(RUNS).join(id)
}
