//! Files that belong to a transcript: checkpoints, trajectories, archives, backups, topic files, parents, forks, successors.
//!
//! Names say most of it. The index beside the file says which compaction a checkpoint belongs to; headers of fork-named
//! transcripts say what they came from. Everything here is bounded and silent: what cannot be read is not listed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::cmd::transcript::target::Chosen;
use crate::fsx::read::{lstat, read_head};
use crate::model::Ms;
use crate::model::conversation::{Head, Related};
use crate::model::folder::{ArchiveReason, Artefact, Class, FolderFacts};
use crate::model::index::{IndexFacts, IndexState};
use crate::model::probe::HeaderState;
use crate::report::escape;
use crate::scan::folder;
use crate::store;
use crate::transcript::header::header;
use crate::transcript::names;
use crate::transcript::node::Node;

/// Most headers that are looked at for forks.
const HEADERS: usize = 2000;
/// Bytes of a header that are read.
const HEADER: usize = 4096;

/// A checkpoint as a row tells of it.
#[derive(Debug, Clone, Default)]
struct Told {
    reason: Option<String>,
    at: Option<Ms>,
    entry_id: Option<String>,
}

/// Lists what belongs to a transcript.
pub fn of(chosen: &Chosen, head: &Head) -> Vec<Related> {
    let Some(dir) = chosen.path.parent() else { return Vec::new() };
    let mut out = Vec::new();
    if let Some(parent) = &head.parent_session {
        out.push(parent_of(dir, parent));
    }
    let Ok(folder) = folder::scan(dir, None) else { return out };
    let index = match store::read::read(&dir.join("sessions.json")) {
        IndexState::Whole(index) => Some(index),
        _ => None,
    };
    let told = index.as_ref().map(checkpoints).unwrap_or_default();
    let own_name = chosen.path.file_name().unwrap_or_default();
    for entry in folder.entries.iter().filter(|entry| entry.is_file() && *entry.name != *own_name) {
        if let Some(kind) = kind_by_name(chosen, entry) {
            let path = folder.path.join(&*entry.name);
            let told = told.get(&*entry.name.to_string_lossy()).cloned().unwrap_or_default();
            out.push(Related {
                kind,
                path: escape::path(&path),
                bytes: Some(entry.fp.size),
                at: entry.stamp.or(told.at),
                reason: told.reason,
                entry_id: told.entry_id,
            });
        }
    }
    out.extend(children(chosen, &folder, index.as_ref(), head.session_id.as_deref()));
    out
}

/// What a transcript came from, and what came of it: its parent, its forks and its successors.
pub fn lineage(path: &Path) -> Vec<Related> {
    let (Ok(chosen), Ok(head)) = (Chosen::at(path), read_head(path, HEADER)) else { return Vec::new() };
    let (id, parent) = match header(&head.bytes, head.whole) {
        HeaderState::Valid { id, parent, .. } => (Some(id), parent),
        _ => (None, None),
    };
    let Some(dir) = chosen.path.parent() else { return Vec::new() };
    let mut out: Vec<Related> = parent.iter().map(|parent| parent_of(dir, parent)).collect();
    let Ok(folder) = folder::scan(dir, None) else { return out };
    let index = match store::read::read(&dir.join("sessions.json")) {
        IndexState::Whole(index) => Some(index),
        _ => None,
    };
    out.extend(children(&chosen, &folder, index.as_ref(), id.as_deref()));
    out
}

fn parent_of(dir: &Path, parent: &str) -> Related {
    let written = PathBuf::from(parent);
    // A moved home: the same name beside this file.
    let beside = parent.rsplit(['/', '\\']).next().map(|name| dir.join(name));
    let found = [Some(written.clone()), beside].into_iter().flatten().find_map(|path| {
        lstat(&path).ok().filter(|fp| fp.kind == crate::model::fingerprint::Kind::File).map(|fp| (path, fp.size))
    });
    let (path, bytes) = found.map_or((written, None), |(path, size)| (path, Some(size)));
    Related { kind: "parent", path: escape::path(&path), bytes, at: None, reason: None, entry_id: None }
}

fn kind_by_name(chosen: &Chosen, entry: &Artefact) -> Option<&'static str> {
    let stem = chosen.stem.as_bytes();
    if entry.class == Class::DoctorBackup {
        return entry.name.as_encoded_bytes().starts_with(&[stem, b".jsonl."].concat()).then_some("doctorBackup");
    }
    if entry.class == Class::Transcript {
        let topic = |longer: &[u8], shorter: &[u8]| {
            longer.strip_prefix(shorter).is_some_and(|rest| rest.starts_with(names::TOPIC))
        };
        if topic(entry.stem(), stem) {
            return Some("topic");
        }
        // Beside an archive or a checkpoint: the live transcript.
        let live = entry.stem() == stem && chosen.class != Class::Transcript;
        return (live || topic(stem, entry.stem())).then_some("transcript");
    }
    if entry.stem() != stem {
        return None;
    }
    Some(match entry.class {
        Class::Checkpoint => "checkpoint",
        Class::Trajectory => "trajectory",
        Class::TrajectoryPointer => "trajectoryPointer",
        Class::Archive(ArchiveReason::Deleted) => "deletedArchive",
        Class::Archive(ArchiveReason::Reset) => "resetArchive",
        Class::Archive(ArchiveReason::Bak) => "bakArchive",
        Class::RepairBackup => "repairBackup",
        Class::Lock => "lock",
        _ => return None,
    })
}

/// What rows tell of checkpoints, by file name.
fn checkpoints(index: &IndexFacts) -> BTreeMap<String, Told> {
    let mut out = BTreeMap::new();
    for row in index.rows.iter().filter(|row| !row.shadowed) {
        let Some(list) = Node::new(row.value.of(&index.bytes), &[]).and_then(|row| row.get("compactionCheckpoints"))
        else {
            continue;
        };
        for checkpoint in list.items() {
            let Some(before) = checkpoint.get("preCompaction") else { continue };
            let Some(file) = before.text_of("sessionFile") else { continue };
            let name = file.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
            let text = |node: &Node<'_>, name: &str| node.text_of(name).map(|text| text.into_owned());
            let after = checkpoint.get("postCompaction");
            let told = Told {
                reason: text(&checkpoint, "reason"),
                at: checkpoint.get("createdAt").and_then(|n| n.number()).map(|n| n as Ms),
                entry_id: after.and_then(|after| text(&after, "entryId").or_else(|| text(&after, "leafId"))),
            };
            out.insert(name, told);
        }
    }
    out
}

/// Transcripts whose header names this one as what they came from.
fn children(chosen: &Chosen, folder: &FolderFacts, index: Option<&IndexFacts>, own_id: Option<&str>) -> Vec<Related> {
    let own_name = chosen.path.file_name().unwrap_or_default().to_string_lossy();
    let forks = folder.entries.iter().filter(|e| e.class == Class::Transcript && e.is_file());
    let forks = forks.filter(|e| *e.name.to_string_lossy() != *own_name && names::fork_ids(e.stem()).next().is_some());
    let mut out = Vec::new();
    for entry in forks.take(HEADERS) {
        let path = folder.path.join(&*entry.name);
        let Ok(bytes) = read_head(&path, HEADER) else { continue };
        let HeaderState::Valid { id, parent: Some(parent), at } = header(&bytes.bytes, bytes.whole) else { continue };
        if parent.rsplit(['/', '\\']).next() != Some(&*own_name) {
            continue;
        }
        let kind = if index.is_some_and(|index| succeeds(index, &id, own_id)) { "successor" } else { "fork" };
        let bytes = Some(entry.fp.size);
        out.push(Related { kind, path: escape::path(&path), bytes, at, reason: None, entry_id: None });
    }
    out
}

/// Whether the row of session `id` counts `own` to its family: the gateway went on in another file.
fn succeeds(index: &IndexFacts, id: &str, own: Option<&str>) -> bool {
    let row = index.rows.iter().find(|row| !row.shadowed && row.session_id.is_some_and(|s| s.get(&index.bytes) == id));
    let Some((row, own)) = row.zip(own) else { return false };
    let family = Node::new(row.value.of(&index.bytes), &[]).and_then(|row| row.get("usageFamilySessionIds"));
    family.is_some_and(|family| family.items().iter().any(|item| item.text().as_deref() == Some(own)))
}
