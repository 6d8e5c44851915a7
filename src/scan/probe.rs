//! Bounded looks into candidate files.
//!
//! A plan first says what it has to know, then this answers: only candidates are opened, and of each at most the first
//! 64 KiB are read. A file that cannot be opened or read proves nothing, and its answer says so.
//!
//! # Performance
//!
//! A user's message nearly always stands in the first few KiB, so reading begins small and goes on only while nothing
//! was found. Many candidates are shared out among threads.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

use crate::fsx::read::{Folder, lstat, open_regular};
use crate::model::folder::{Artefact, FolderFacts};
use crate::model::probe::{HeaderState, LockState, OrphanProbe, OutsideState, ProbeNeeds, Probes, UserTurns};
use crate::scan::threads::in_threads;
use crate::transcript::header::{header, user_turns};
use crate::transcript::names;

/// Most bytes read of one file.
const BOUND: usize = 64 * 1024;
/// Bytes read at first.
const FIRST: usize = 8 * 1024;
/// Bytes read at first where only the header counts.
const HEADER: usize = 1024;
/// From this many candidates on, threads help.
const MANY: usize = 256;

/// Answers `needs`. `lock` judges a lock file by its path.
pub fn run(folder: &FolderFacts, needs: &ProbeNeeds, lock: &(dyn Fn(&Path) -> LockState + Sync)) -> Probes {
    let lock_of = |ix: u32| lock(&folder.path.join(&*entry(folder, ix).name));
    let mut folders = HashMap::new();
    let mut probes = Probes {
        outside: needs.outside.iter().map(|(row, path)| (*row, outside(path, &folder.path, &mut folders))).collect(),
        locks: needs.locks.iter().map(|ix| (*ix, lock_of(*ix))).collect(),
        ..Probes::default()
    };
    if needs.orphans.is_empty() && needs.pointers.is_empty() {
        return probes;
    }
    let files = Folder::open(&folder.path);
    let open = |ix: u32| match &files {
        Ok(files) => {
            let listed = entry(folder, ix);
            files.open_listed(&listed.name).map(|file| Source { file, size: listed.fp.size })
        }
        Err(e) => Err(io::Error::new(e.kind(), e.to_string())),
    };
    probes.orphans = share_out(&needs.orphans, |ix, buffer| Some(orphan(open(ix), buffer)));
    // A predecessor only matters if there is history that could be one.
    if probes.orphans.values().any(|probe| probe.turns != UserTurns::None) {
        probes.parents = share_out(&needs.parents, |ix, buffer| parent(open(ix), buffer));
    }
    probes.pointers = share_out(&needs.pointers, |ix, buffer| pointer(open(ix), entry(folder, ix), buffer));
    probes
}

fn entry(folder: &FolderFacts, ix: u32) -> &Artefact {
    &folder.entries[ix as usize]
}

/// Asks `probe` about every candidate, with one buffer a thread.
fn share_out<T: Send>(candidates: &[u32], probe: impl Fn(u32, &mut Vec<u8>) -> Option<T> + Sync) -> HashMap<u32, T> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut answers = Vec::new();
        let mut buffer = Vec::new();
        while let Some(ix) = candidates.get(next.fetch_add(1, Ordering::Relaxed)) {
            answers.extend(probe(*ix, &mut buffer).map(|answer| (*ix, answer)));
        }
        answers
    };
    if candidates.len() < MANY {
        return work().into_iter().collect();
    }
    in_threads(candidates.len(), &work).into_iter().collect()
}

/// A file of the folder, and the length that the listing saw. A file that was exchanged or grew meanwhile reads as it was
/// listed; the executor compares it with the listing before it touches it.
struct Source {
    file: File,
    size: u64,
}

fn orphan(file: io::Result<Source>, buffer: &mut Vec<u8>) -> OrphanProbe {
    file.and_then(|file| orphan_file(file, buffer))
        .unwrap_or_else(|e| OrphanProbe { header: HeaderState::Unreadable(e.to_string()), turns: UserTurns::Unknown })
}

fn orphan_file(mut file: Source, buffer: &mut Vec<u8>) -> io::Result<OrphanProbe> {
    buffer.clear();
    let (bytes, whole) = fill(&mut file, buffer, FIRST)?;
    let turns = user_turns(bytes, whole);
    if whole || (turns == UserTurns::Seen && has_line(bytes)) {
        return Ok(OrphanProbe { header: header(bytes, whole), turns });
    }
    let (bytes, whole) = fill(&mut file, buffer, BOUND)?;
    Ok(OrphanProbe { header: header(bytes, whole), turns: user_turns(bytes, whole) })
}

/// `parentSession` of a transcript, if it has a header that names one. What cannot be read names none.
fn parent(file: io::Result<Source>, buffer: &mut Vec<u8>) -> Option<String> {
    let mut file = file.ok()?;
    buffer.clear();
    let (mut bytes, mut whole) = fill(&mut file, buffer, HEADER).ok()?;
    if !whole && !has_line(bytes) {
        (bytes, whole) = fill(&mut file, buffer, BOUND).ok()?;
    }
    match header(bytes, whole) {
        HeaderState::Valid { parent, .. } => parent.filter(|path| !path.trim().is_empty()),
        _ => None,
    }
}

/// Whether the first line that is not blank is complete.
fn has_line(buffer: &[u8]) -> bool {
    memchr::memchr(b'\n', buffer.trim_ascii_start()).is_some()
}

/// `runtimeFile` of a pointer that is valid (spec/cleanup.md 4.8) and speaks of the session it is named after. A custom
/// name says nothing about a session.
fn pointer(file: io::Result<Source>, artefact: &Artefact, buffer: &mut Vec<u8>) -> Option<String> {
    buffer.clear();
    let (bytes, true) = fill(&mut file.ok()?, buffer, BOUND).ok()? else { return None };
    let root: Value = serde_json::from_slice(bytes).ok()?;
    let text = |field| root.get(field).and_then(Value::as_str);
    let session = text("sessionId").filter(|id| !id.is_empty())?;
    let ours = names::generated_id(artefact.stem()).is_none()
        || names::ids(artefact.stem()).any(|id| id == session.as_bytes());
    let valid = text("traceSchema") == Some("openclaw-trajectory-pointer")
        && root.get("schemaVersion").and_then(Value::as_f64) == Some(1.0);
    text("runtimeFile").filter(|path| valid && ours && !path.trim().is_empty()).map(str::to_owned)
}

/// Reads on until `max` bytes of the file are there; true if that is the whole file. The buffer may hold a byte more, so
/// that reading can go on with a larger `max`. The length in the listing saves asking for the end of the file.
fn fill<'b>(source: &mut Source, buffer: &'b mut Vec<u8>, max: usize) -> io::Result<(&'b [u8], bool)> {
    let listed = usize::try_from(source.size).unwrap_or(usize::MAX);
    let wanted = listed.min(max + 1);
    let mut at = buffer.len();
    buffer.resize(wanted.max(at), 0);
    while at < wanted {
        match source.file.read(&mut buffer[at..]) {
            Ok(0) => break,
            Ok(n) => at += n,
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    buffer.truncate(at);
    // Nothing at all was read: then it matters whether this is a file without a byte or no file.
    if at == 0 && !source.file.metadata()?.is_file() {
        return Err(io::Error::new(ErrorKind::InvalidInput, "not a regular file"));
    }
    Ok((&buffer[..at.min(max)], at <= max))
}

/// What lies at a path outside the folder. Links are followed: it is only looked at. `folders` remembers what a missing file
/// of each folder is, since a moved home has thousands of them in one.
fn outside<'p>(path: &'p Path, folder: &Path, folders: &mut HashMap<Option<&'p Path>, OutsideState>) -> OutsideState {
    if lstat(path).is_err_and(|e| e.kind() == ErrorKind::NotFound) {
        let parent = path.parent();
        return *folders.entry(parent).or_insert_with(|| missing_in(parent));
    }
    match path.canonicalize() {
        // A folder below the sessions folder: the gateway takes any file there.
        Ok(real) if (real.starts_with(folder) || path.starts_with(folder)) && real.is_file() => {
            if real.parent() == Some(folder) { OutsideState::Transcript } else { OutsideState::Below }
        }
        Ok(real) => outside_file(path, &real),
        // A link that leads nowhere.
        Err(e) if e.kind() == ErrorKind::NotFound => OutsideState::Other,
        Err(_) => OutsideState::Elsewhere,
    }
}

/// A file that is not there: gone, unless its folder is not there either or is empty, as one is where a volume is mounted at
/// other times.
fn missing_in(parent: Option<&Path>) -> OutsideState {
    let is_folder = parent.is_some_and(|parent| std::fs::metadata(parent).is_ok_and(|meta| meta.is_dir()));
    if is_folder && !is_empty_dir(parent) { OutsideState::Missing } else { OutsideState::Elsewhere }
}

fn is_empty_dir(dir: Option<&Path>) -> bool {
    dir.and_then(|dir| std::fs::read_dir(dir).ok()).is_none_or(|mut entries| entries.next().is_none())
}

fn outside_file(path: &Path, real: &Path) -> OutsideState {
    let mut file = match open_regular(real) {
        Ok((file, fp)) => Source { file, size: fp.size },
        Err(e) if e.kind() == ErrorKind::InvalidInput => return OutsideState::Other,
        Err(_) => return OutsideState::Elsewhere,
    };
    if is_in_sessions_folder(path) || is_in_sessions_folder(real) {
        return OutsideState::Transcript;
    }
    let mut buffer = Vec::new();
    match fill(&mut file, &mut buffer, BOUND) {
        Ok((bytes, whole)) if matches!(header(bytes, whole), HeaderState::Valid { .. }) => OutsideState::Transcript,
        Ok(_) => OutsideState::Other,
        Err(_) => OutsideState::Elsewhere,
    }
}

/// `.../agents/<id>/sessions/<file>`.
fn is_in_sessions_folder(path: &Path) -> bool {
    let mut up = path.ancestors().skip(1).map(Path::file_name);
    let (sessions, _agent, agents) = (up.next(), up.next(), up.next());
    sessions.flatten() == Some(OsStr::new("sessions")) && agents.flatten() == Some(OsStr::new("agents"))
}

#[cfg(test)]
#[path = "probe_tests.rs"]
mod tests;
