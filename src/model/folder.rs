//! What one pass over an artefact folder saw.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use super::Ms;
use super::fingerprint::Fingerprint;

/// Why an archive was made; the word between the stem and the stamp.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ArchiveReason {
    /// `.deleted.<stamp>`: a removed session.
    Deleted,
    /// `.reset.<stamp>`: the transcript before a reset.
    Reset,
    /// `.bak.<stamp>`: made by old versions; never aged.
    Bak,
}

/// File-name class (spec/cleanup.md 4.3 and SAFETY 1). The name alone decides; content is a matter of probes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// The index of a store (`sessions.json`, or the file that `--store` names).
    Index,
    /// Primary transcript: any `.jsonl` that is none of the classes below.
    Transcript,
    /// `<stem>.checkpoint.<uuid>.jsonl`.
    Checkpoint,
    /// `<stem>.trajectory.jsonl`.
    Trajectory,
    /// `<stem>.trajectory-path.json`.
    TrajectoryPointer,
    /// `<file>.<reason>.<stamp>` with a valid stamp; a deleted or reset transcript also with `.zst` behind it.
    Archive(ArchiveReason),
    /// `sessions.json.bak.<digits>`, `openclaw.json.bak*` in the folder: index backups; never aged.
    IndexBackup,
    /// `<file>.bak-<pid>-<ms>`: copies left by the gateway's transcript repair.
    RepairBackup,
    /// `*.pre-doctor-branch-repair-<ts>.bak` and the like: doctor backups; never aged.
    DoctorBackup,
    /// Temp file of an interrupted atomic write, theirs or ours.
    Temp,
    /// `<transcript>.lock`.
    Lock,
    /// `sessions.json.damaged.<ts>`: kept by our repair.
    Damaged,
    /// `*.jsonl.migrated` and other leftovers of a migration to the newer generation.
    Migrated,
    /// `.clawkeep`: our own folder.
    Own,
    /// Anything else. Not ours to touch.
    Foreign,
}

/// One entry of an artefact folder.
#[derive(Debug, Clone)]
pub struct Artefact {
    /// Name inside the folder. May be non-UTF-8.
    pub name: Box<OsStr>,
    /// Class by name. Entries that are not regular files keep the class of their name; look at `fp.kind` too.
    pub class: Class,
    /// Length in bytes of the stem within `name`: the part that names the session file without `.jsonl` and without
    /// any suffix of the class (`<id>`, `<id>-topic-5`, `<ts>_<id>`). For classes without a stem, the whole name.
    pub stem_len: u16,
    /// Time in the name, for archives and repair backups.
    pub stamp: Option<Ms>,
    /// State on disk, links not followed.
    pub fp: Fingerprint,
}

impl Artefact {
    /// The stem as bytes (`OsStr::as_encoded_bytes`).
    pub fn stem(&self) -> &[u8] {
        &self.name.as_encoded_bytes()[..usize::from(self.stem_len)]
    }

    /// Whether the name says that the file is compressed. Neither the gateway nor a cleanup makes one in this folder: somebody
    /// compressed it to keep it.
    pub fn is_packed(&self) -> bool {
        self.name.as_encoded_bytes().ends_with(b".zst")
    }

    /// Whether this is a regular file.
    pub fn is_file(&self) -> bool {
        self.fp.kind == super::fingerprint::Kind::File
    }
}

/// What the volume of a folder can do and has left.
#[derive(Debug, Clone, Copy, Default)]
pub struct VolumeFacts {
    /// Bytes available to this user; `None` if unknown.
    pub free_bytes: Option<u64>,
    /// Size of the volume in bytes; `None` if unknown.
    pub total_bytes: Option<u64>,
    /// Free inodes; `None` if unknown or unlimited.
    pub free_inodes: Option<u64>,
    /// A network or shared file system (NFS, SMB, 9p, virtiofs, FUSE).
    pub network: bool,
}

/// Everything one directory pass learned.
#[derive(Debug, Clone, Default)]
pub struct FolderFacts {
    /// Canonical path of the folder.
    pub path: PathBuf,
    /// Entries, sorted by name bytes: the order of the directory never reaches a plan.
    pub entries: Vec<Artefact>,
    /// Entries that vanished or could not be read during the pass, with the error text.
    pub unreadable: Vec<(OsString, String)>,
    /// Facts of the volume.
    pub volume: VolumeFacts,
    /// File-system clock minus our clock, when it could be told apart (ms). 0 otherwise.
    pub clock_skew_ms: Ms,
}

impl FolderFacts {
    /// Of `copies` (entries and rows that were read in them) the newest backup of the index `store` with more than `rows`.
    pub fn fuller_copy(&self, copies: &[(u32, u64)], store: &std::path::Path, rows: u64) -> Option<std::path::PathBuf> {
        let name = format!("{}.", store.file_name()?.to_string_lossy());
        let is_copy = |f: &&Artefact| f.class == Class::IndexBackup && f.name.to_string_lossy().starts_with(&name);
        let full = copies.iter().filter(|(_, held)| *held > rows);
        let copies = full.filter_map(|(ix, _)| self.entries.get(*ix as usize)).filter(is_copy);
        copies.max_by_key(|f| f.fp.mtime_ns).map(|f| self.path.join(&*f.name))
    }

    /// Index of the entry called `name`, by binary search.
    pub fn find(&self, name: &OsStr) -> Option<usize> {
        let want = name.as_encoded_bytes();
        self.entries.binary_search_by(|a| a.name.as_encoded_bytes().cmp(want)).ok()
    }
}
