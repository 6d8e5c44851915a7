//! Everything a repair is planned from: the index in whatever state, other places its rows can come from, transcripts
//! without a row, paths of rows, locks. Writes nothing.
//!
//! An index that is not there, although its transcripts are, is damage like any other. Nothing of its text is left then, so
//! also what was kept of a text that was damaged earlier, and the whole rows of copies that are damaged themselves, count.
//!
//! Sources are the whole rows of a damaged text, complete copies and temp files beside it, our own snapshots, and a file
//! that was named. Of transcripts only those that no row of any source leads to are opened, and of those the first 64 KiB.

use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::error::{Error, Kind, Result};
use crate::fsx::read::{lstat, read_head, read_shared};
use crate::journal::write::BEFORE;
use crate::journal::{read, record, snapshot};
use crate::model::Ms;
use crate::model::fingerprint::Fingerprint;
use crate::model::folder::{Artefact, Class, FolderFacts};
use crate::model::index::{Damage, DamageKind, IndexFacts};
use crate::model::probe::{HeaderState, LockState, UserTurns};
use crate::model::repair::{Forced, PathState, Removed, RepairFacts, Source, SourceKind, Unowned};
use crate::model::run::{RowChange, RunMeta, RunOp, RunRecord, RunRow, RunState};
use crate::model::stores::{MemberState, Selection, StoreMember, Target};
use crate::store;
use crate::store::identity::identity_of;
use crate::store::parse::parse;
use crate::store::refs::{FolderIndex, row_files};
use crate::store::salvage::salvage;
use crate::transcript::header::{header, user_turns};
use crate::transcript::names;

use super::facts::{artefact_folder, refuse_dangling};
use super::folder;

/// Most bytes read of a transcript or trajectory.
const BOUND: usize = 64 * 1024;

/// Reads the facts of a repair. `None` for an agent without an index and without a folder. `adopts`: transcripts are named that
/// shall get a row. `lock` judges a lock file.
///
/// # Errors
/// An index that cannot be read at all; a file of `--from` that cannot.
pub fn read(
    target: &Target,
    selection: &Selection,
    from: Option<&Forced>,
    adopts: bool,
    now: Ms,
    lock: &dyn Fn(&Path, &FolderFacts) -> LockState,
) -> Result<Option<RepairFacts>> {
    let Some(dir) = artefact_folder(target) else { return refuse_dangling(target).map(|()| None) };
    let Some((path, bytes, fp)) = index_bytes(target)? else { return Ok(None) };
    let folder = folder::scan(&dir, target.store_path.file_name())?;
    let (live, damage) = match parse(path.clone(), fp, bytes.clone()) {
        Ok(index) => (Some(index), None),
        Err(damage) if fp == Fingerprint::NONE => (None, Some(Damage { kind: DamageKind::Missing, ..damage })),
        Err(damage) => (None, Some(damage)),
    };
    let mut facts = RepairFacts {
        path,
        fp,
        bytes,
        live,
        damage,
        sources: Vec::new(),
        copies: super::copies::beside(&folder),
        cut: Vec::new(),
        lost_bytes: 0,
        members: Vec::new(),
        unowned: Vec::new(),
        paths: BTreeMap::new(),
        locks: Vec::new(),
        removed: Vec::new(),
        recorded: false,
        shrunk_from: None,
        agent_id: target.agent_id.clone(),
        folder,
        now,
    };
    sources(&mut facts, from)?;
    facts.members = members(&facts, target, selection);
    facts.unowned = unowned(&facts, adopts || from == Some(&Forced::Headers));
    facts.paths = paths(&facts);
    let locks = (0..).zip(&facts.folder.entries).filter(|(_, entry)| entry.class == Class::Lock && entry.is_file());
    facts.locks = locks.map(|(ix, entry)| (ix, lock(&dir.join(&*entry.name), &facts.folder))).collect();
    if let Some(record) = record::last_rows(&dir, &facts.path) {
        facts.recorded = true;
        let shrunk = match &facts.live {
            Some(live) => live.live_rows() as u64 * 2 < record.rows,
            None => facts.is_missing(),
        };
        facts.shrunk_from = shrunk.then_some(record.rows);
    }
    Ok(Some(facts))
}

/// Real path, text and state of an index that may be damaged.
type RawIndex = (PathBuf, Arc<Vec<u8>>, Fingerprint);

/// The index, links followed. One that is missing beside transcripts or archives has no byte and the state of no file.
fn index_bytes(target: &Target) -> Result<Option<RawIndex>> {
    let path = &target.store_path;
    let real = match path.canonicalize() {
        Ok(real) => real,
        Err(e) if e.kind() == ErrorKind::NotFound && lstat(path).is_err() => return absent(target),
        Err(e) => return Err(Error::io("read", path, e)),
    };
    let (bytes, fp) = read_shared(&real, u64::from(u32::MAX)).map_err(|e| Error::io("read", &real, e))?;
    Ok(Some((real, bytes, fp)))
}

fn absent(target: &Target) -> Result<Option<RawIndex>> {
    let store = &target.store_path;
    let history = |c: Class| matches!(c, Class::Transcript | Class::Archive(_) | Class::Checkpoint);
    let transcripts = |dir: &PathBuf| match folder::scan(dir, store.file_name()) {
        Ok(folder) => folder.entries.iter().any(|f| f.is_file() && history(f.class)),
        Err(_) => false,
    };
    match (artefact_folder(target).filter(transcripts), store.file_name(), &target.origin) {
        (Some(dir), Some(name), _) => Ok(Some((dir.join(name), Arc::default(), Fingerprint::NONE))),
        (_, _, crate::model::stores::TargetOrigin::StoreFlag) => {
            Err(Error::new(Kind::Absent, format!("{} does not exist", store.display())))
        }
        _ => Ok(None),
    }
}

fn sources(facts: &mut RepairFacts, from: Option<&Forced>) -> Result<()> {
    if let Some(Forced::File(path)) = from {
        let (bytes, fp) = read_shared(path, u64::from(u32::MAX)).map_err(|e| Error::io("read", path, e))?;
        let source = text_source(&facts.path, path.display().to_string(), fp.mtime_ms(), SourceKind::Copy, bytes);
        facts.sources.push(source);
    }
    if facts.is_missing() {
        copies(facts);
    } else if facts.damage.is_some() {
        let found = salvage(&facts.bytes);
        facts.cut = found.cut.iter().map(|key| key.get(&facts.bytes).into_owned()).collect();
        facts.lost_bytes = found.lost_bytes;
        let name = name_of(&facts.path);
        let text = found.render(&facts.bytes).into();
        if let Ok(index) = parse(facts.path.clone(), facts.fp, text) {
            // What was cut off leaves no trace.
            let open_end = facts
                .damage
                .as_ref()
                .is_none_or(|d| matches!(d.kind, DamageKind::Truncated | DamageKind::Empty | DamageKind::NulBytes));
            let complete = !open_end && found.cut.is_empty() && found.lost_bytes == 0 && !index.rows.is_empty();
            let at = facts.fp.mtime_ms();
            facts.sources.push(Source { kind: SourceKind::Salvage, name, at, index, complete });
        }
        copies(facts);
    }
    snapshots(facts);
    records(facts);
    Ok(())
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// A text as a source: whole, or what can be saved of it.
fn text_source(store: &Path, name: String, at: Ms, kind: SourceKind, bytes: Arc<Vec<u8>>) -> Source {
    let fp = Fingerprint { size: bytes.len() as u64, ..Fingerprint::NONE };
    match parse(store.to_owned(), fp, bytes.clone()) {
        Ok(index) => Source { kind, name, at, index, complete: true },
        Err(_) => {
            let text = salvage(&bytes).render(&bytes);
            let index = parse(store.to_owned(), fp, text.into())
                .unwrap_or_else(|_| IndexFacts::without_rows(store.to_owned(), fp));
            Source { kind, name, at, index, complete: false }
        }
    }
}

/// Complete copies and temp files beside the index. If it is missing, damaged ones as well, for their whole rows.
///
/// A copy is all there was only if it is no older than the index; of a missing one nobody knows how old it was.
fn copies(facts: &mut RepairFacts) {
    let store = name_of(&facts.path);
    let missing = facts.is_missing();
    let about_index = |entry: &&Artefact| {
        let name = entry.name.to_string_lossy();
        let ours = name.starts_with(&format!("{store}.")) || name.starts_with(".fs-safe-replace.");
        let kept = missing && entry.class == Class::Damaged;
        entry.is_file() && ours && (kept || matches!(entry.class, Class::IndexBackup | Class::Temp))
    };
    let mut found = Vec::new();
    for entry in facts.folder.entries.iter().filter(about_index) {
        let path = facts.folder.path.join(&*entry.name);
        let Ok((bytes, fp)) = read_shared(&path, u64::from(u32::MAX)) else { continue };
        let (name, at) = (entry.name.to_string_lossy().into_owned(), fp.mtime_ms());
        let mut source = text_source(&facts.path, name, at, SourceKind::Copy, bytes);
        let usable = source.complete || missing;
        source.complete &= !missing && at >= facts.fp.mtime_ms();
        if usable && !source.index.rows.is_empty() {
            found.push(source);
        }
    }
    facts.sources.extend(found);
}

/// Snapshots of this index that can be read. Doubted ones are left out.
fn snapshots(facts: &mut RepairFacts) {
    let tag = snapshot::tag(&facts.path);
    let Ok(all) = snapshot::list(&facts.folder.path) else { return };
    for one in all.iter().filter(|s| s.store == tag && !s.suspect) {
        let Ok(bytes) = snapshot::read(&facts.folder.path, one) else { continue };
        let fp = Fingerprint { size: bytes.len() as u64, ..Fingerprint::NONE };
        if let Ok(index) = parse(facts.path.clone(), fp, bytes.into()) {
            let name = format!("snapshot of {}", crate::units::time::iso(one.at));
            // The last state that is known is not all there was: rows may be newer.
            facts.sources.push(Source { kind: SourceKind::Snapshot, name, at: one.at, index, complete: false });
        }
    }
}

/// What the records of runs know: the index as an interrupted run had read it, and rows that runs took.
fn records(facts: &mut RepairFacts) {
    let runs = read::list(&facts.folder.path).unwrap_or_default();
    for run in runs.iter().filter(|run| run.state != RunState::RolledBack && run.undone_by.is_none()) {
        let Some(meta) = run.meta.as_ref().filter(|m| m.store.as_ref().is_some_and(|s| s.to_path() == facts.path))
        else {
            continue;
        };
        let came: BTreeSet<&[u8]> = of_change(run, RowChange::Inserted).map(|row| &*row.key.0).collect();
        let gone = of_change(run, RowChange::Dropped).filter(|row| !came.contains(&*row.key.0));
        let gone = gone.filter(|row| row.reason.as_deref() != Some(RunRow::SHADOWED));
        facts.removed.extend(gone.map(|row| Removed {
            key: identity_of(&row.key.0).into_owned(),
            session: session_id(&row.value.0),
            at: meta.started_at,
        }));
        facts.sources.extend(index_before(&facts.path, run, meta));
    }
}

fn of_change(run: &RunRecord, change: RowChange) -> impl Iterator<Item = &RunRow> {
    run.rows.iter().filter(move |row| row.change == change)
}

fn session_id(value: &[u8]) -> Option<String> {
    #[derive(serde::Deserialize)]
    struct Row {
        #[serde(rename = "sessionId")]
        session_id: Option<String>,
    }
    serde_json::from_slice::<Row>(value).ok()?.session_id.map(|id| id.trim().to_owned())
}

/// The index as a run had read it, where its record still has that: until an interrupted run is closed, no snapshot does.
fn index_before(store: &Path, run: &RunRecord, meta: &RunMeta) -> Option<Source> {
    let is_damaged = run.lines.iter().any(|line| line.op == RunOp::Swap && line.to.is_some());
    if is_damaged || meta.suspect {
        return None;
    }
    let (bytes, _) = read_shared(&run.dir.join(BEFORE), u64::from(u32::MAX)).ok()?;
    let fp = Fingerprint { size: bytes.len() as u64, ..Fingerprint::NONE };
    let index = parse(store.to_owned(), fp, bytes).ok().filter(|index| !index.rows.is_empty())?;
    let name = format!("as run {} had read it", run.id);
    Some(Source { kind: SourceKind::Snapshot, name, at: meta.started_at, index, complete: false })
}

fn members(facts: &RepairFacts, target: &Target, selection: &Selection) -> Vec<StoreMember> {
    let lookup = FolderIndex::new(&facts.folder);
    let siblings = store::siblings(&facts.folder, target.store_path.file_name().unwrap_or_default());
    let mut seen = BTreeSet::from([facts.path.clone()]);
    let mut out = Vec::new();
    for path in selection.set_paths.iter().cloned().chain(siblings) {
        let real = path.canonicalize().unwrap_or_else(|_| path.clone());
        if seen.insert(real) {
            out.push(StoreMember { state: store::member::read(&path, &lookup), path });
        }
    }
    out
}

/// Transcripts with a header that no row of the index, of a source or of another store leads to. `named`: rows are to be made
/// for them beside a whole index; then a source that knew them once is no reason against it.
fn unowned(facts: &RepairFacts, named: bool) -> Vec<Unowned> {
    let lookup = FolderIndex::new(&facts.folder);
    let mut owned = vec![false; facts.folder.entries.len()];
    let mut files = Vec::new();
    // A snapshot of long ago may name a session that has no row for good reason, but then it has no transcript either.
    let sources = if named && facts.live.is_some() { &[] } else { facts.sources.as_slice() };
    for index in facts.live.iter().chain(sources.iter().map(|s| &s.index)) {
        for row in &index.rows {
            row_files(&lookup, index, row, &mut files);
            files.iter().for_each(|(file, _)| owned[*file as usize] = true);
        }
    }
    for member in &facts.members {
        if let MemberState::Read { refs, .. } = &member.state {
            refs.iter().for_each(|r| owned[r.file as usize] = true);
        }
    }
    let free = (0..).zip(&facts.folder.entries).filter(|(ix, entry)| {
        let ix: u32 = *ix;
        entry.is_file() && entry.class == Class::Transcript && !owned[ix as usize]
    });
    free.filter_map(|(ix, entry)| look_into(facts, ix, entry)).collect()
}

fn look_into(facts: &RepairFacts, file: u32, entry: &Artefact) -> Option<Unowned> {
    let head = read_head(&facts.folder.path.join(&*entry.name), BOUND).ok()?;
    let HeaderState::Valid { id, at, .. } = header(&head.bytes, head.whole) else { return None };
    if !names::is_session_id(id.as_bytes()) {
        return None;
    }
    let history = user_turns(&head.bytes, head.whole) != UserTurns::None;
    Some(Unowned { file, started_at: at, key: trajectory_key(facts, entry, &id), id, history })
}

/// `sessionKey` of the trajectory beside a transcript, if it is about the same session.
fn trajectory_key(facts: &RepairFacts, entry: &Artefact, id: &str) -> Option<String> {
    #[derive(serde::Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Event {
        session_id: Option<String>,
        session_key: Option<String>,
    }
    let stem = entry.name.to_str()?.strip_suffix(".jsonl")?;
    let head = read_head(&facts.folder.path.join(format!("{stem}.trajectory.jsonl")), BOUND).ok()?;
    let lines = head.bytes.split(|b| *b == b'\n');
    lines.filter_map(|line| serde_json::from_slice::<Event>(line).ok()).find_map(|event| {
        let same = event.session_id.as_deref() == Some(id);
        event.session_key.filter(|key| same && !key.is_empty())
    })
}

/// What lies at the absolute paths outside the folder that rows name.
fn paths(facts: &RepairFacts) -> BTreeMap<String, PathState> {
    let mut found = BTreeMap::new();
    for index in facts.live.iter().chain(facts.sources.iter().map(|s| &s.index)) {
        for row in &index.rows {
            let Some(text) = row.session_file.map(|t| t.get(&index.bytes).trim().to_owned()) else { continue };
            let foreign = text.contains('\\') && !text.contains('/');
            if (Path::new(&text).is_absolute() || foreign) && !found.contains_key(&text) {
                let state = look_at(Path::new(&text));
                found.insert(text, state);
            }
        }
    }
    found
}

/// A folder that is not empty. An empty one may be where a volume is mounted at other times.
fn holds_files(dir: &Path) -> bool {
    std::fs::read_dir(dir).is_ok_and(|mut entries| entries.next().is_some())
}

fn look_at(path: &Path) -> PathState {
    match std::fs::metadata(path) {
        Ok(meta) if meta.is_file() => PathState::There,
        Ok(_) => PathState::Elsewhere,
        Err(e) if e.kind() == ErrorKind::NotFound && path.parent().is_some_and(holds_files) => PathState::Gone,
        Err(_) => PathState::Elsewhere,
    }
}
