//! What a repair is planned from, and what it decided.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use super::Ms;
use super::effect::Effect;
use super::finding::RepairId;
use super::fingerprint::Fingerprint;
use super::folder::FolderFacts;
use super::index::{Damage, DamageKind, IndexFacts};
use super::probe::LockState;
use super::stores::StoreMember;

/// Where rows of a lost index can come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SourceKind {
    /// Whole rows of the damaged text.
    Salvage,
    /// A complete copy or temp file beside it.
    Copy,
    /// A compressed snapshot of ours.
    Snapshot,
    /// Headers of transcripts.
    Headers,
}

impl SourceKind {
    /// The word in reports.
    pub fn id(self) -> &'static str {
        match self {
            Self::Salvage => "salvage",
            Self::Copy => "copy",
            Self::Snapshot => "snapshot",
            Self::Headers => "headers",
        }
    }
}

/// Rows that could be used.
#[derive(Debug, Clone)]
pub struct Source {
    /// What it is.
    pub kind: SourceKind,
    /// Name of the file or snapshot.
    pub name: String,
    /// When it was written.
    pub at: Ms,
    /// Its rows.
    pub index: IndexFacts,
    /// It is a whole text, not what is left of one.
    pub complete: bool,
}

/// Which source was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Forced {
    /// `--from salvage`.
    Salvage,
    /// `--from snapshots`.
    Snapshots,
    /// `--from headers`.
    Headers,
    /// `--from FILE`: the first source of the facts.
    File(PathBuf),
}

/// A transcript that no row of any source leads to, by its header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unowned {
    /// Entry of the folder.
    pub file: u32,
    /// Session id of the header.
    pub id: String,
    /// Time of the header.
    pub started_at: Option<Ms>,
    /// Session key that the trajectory beside it names.
    pub key: Option<String>,
    /// A user wrote, or that cannot be ruled out.
    pub history: bool,
}

/// What lies where a row's absolute path points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathState {
    /// A file.
    There,
    /// Nothing, in a folder that holds other files.
    Gone,
    /// Its folder does not exist, is empty or cannot be read: another home or an absent volume.
    Elsewhere,
}

/// A row that an earlier run took, and that was not put back by undoing it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Removed {
    /// Its key, as the store compares keys.
    pub key: Vec<u8>,
    /// Its session.
    pub session: Option<String>,
    /// When the run started.
    pub at: Ms,
}

/// Everything a repair of one store is planned from.
#[derive(Debug, Clone)]
pub struct RepairFacts {
    /// The index (real path).
    pub path: PathBuf,
    /// Its state.
    pub fp: Fingerprint,
    /// Its bytes.
    pub bytes: Arc<Vec<u8>>,
    /// Its rows, if it is whole.
    pub live: Option<IndexFacts>,
    /// What is wrong with it, if it is not.
    pub damage: Option<Damage>,
    /// Other places rows can come from.
    pub sources: Vec<Source>,
    /// Copies beside the index, by entry of the folder, with the rows that can be read in each.
    pub copies: Vec<(u32, u64)>,
    /// Keys of rows that are only there in part, decoded.
    pub cut: Vec<String>,
    /// Bytes of the damaged text that belong to no whole row.
    pub lost_bytes: u64,
    /// The folder.
    pub folder: FolderFacts,
    /// Other stores of the set.
    pub members: Vec<StoreMember>,
    /// Transcripts without a row.
    pub unowned: Vec<Unowned>,
    /// Absolute paths of rows, and what lies there.
    pub paths: BTreeMap<String, PathState>,
    /// Lock files.
    pub locks: Vec<(u32, LockState)>,
    /// An earlier run or a snapshot says how many rows there were.
    pub recorded: bool,
    /// Rows that earlier runs took.
    pub removed: Vec<Removed>,
    /// Rows that an earlier run recorded, if now there are fewer than half. Of a missing index all that were recorded.
    pub shrunk_from: Option<u64>,
    /// Agent of the store.
    pub agent_id: String,
    /// The time.
    pub now: Ms,
}

impl RepairFacts {
    /// The index is not there at all.
    pub fn is_missing(&self) -> bool {
        self.damage.as_ref().is_some_and(|damage| damage.kind == DamageKind::Missing)
    }
}

/// What was asked for.
#[derive(Debug, Clone, Default)]
pub struct RepairWishes {
    /// `--from`.
    pub from: Option<Forced>,
    /// `--adopt`.
    pub adopt: Vec<String>,
    /// `--drop-missing`.
    pub drop_missing: bool,
    /// `--end-runs`.
    pub end_runs: bool,
    /// `--strip-field`.
    pub strip: Vec<String>,
    /// `--modes`.
    pub modes: bool,
    /// `--only`; empty: everything that applies.
    pub only: Vec<RepairId>,
}

impl RepairWishes {
    /// Whether this kind of repair may be done.
    pub fn wants(&self, kind: RepairId) -> bool {
        self.only.is_empty() || self.only.contains(&kind)
    }
}

/// One thing that is mended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repair {
    /// Kind.
    pub kind: RepairId,
    /// Row key or file name.
    pub subject: String,
    /// What happens, as one sentence.
    pub detail: String,
    /// Position of its effect in [`RepairPlan::effects`]; `None` for rows, which share the new index.
    pub effect: Option<u32>,
}

/// How a source compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compared {
    /// Kind.
    pub kind: SourceKind,
    /// Name.
    pub name: String,
    /// When it was written.
    pub at: Ms,
    /// Rows.
    pub rows: u64,
    /// Rows whose transcript exists.
    pub with_transcript: u64,
    /// Newest `updatedAt`.
    pub newest: Option<Ms>,
    /// The new index is made of it.
    pub chosen: bool,
    /// Rows taken from it because the chosen one lacks them or has an older state of them.
    pub merged: u64,
}

/// Something that needs a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Undecided {
    /// Row key, file name or path.
    pub subject: String,
    /// Why nothing was done.
    pub why: String,
    /// A command that goes on from here.
    pub hint: Option<String>,
}

/// The plan of a repair.
#[derive(Debug, Clone, Default)]
pub struct RepairPlan {
    /// What is mended.
    pub repairs: Vec<Repair>,
    /// Sources that were compared, if the index is replaced or rows come back.
    pub compared: Vec<Compared>,
    /// Keys of rows that are lost: visible in part and whole in no source.
    pub lost: Vec<String>,
    /// Name under which a damaged index stays.
    pub kept_as: Option<OsString>,
    /// What needs a person.
    pub undecided: Vec<Undecided>,
    /// Changes.
    pub effects: Vec<Effect>,
    /// Rows the gateway sees before; 0 for a damaged index.
    pub rows_before: u64,
    /// Rows after.
    pub rows_after: u64,
    /// `updatedAt` of rows that come back.
    pub back: Vec<Option<Ms>>,
    /// Every row that names a session would go for want of its transcript: how many, if several.
    pub none_left: Option<u64>,
    /// `updatedAt` of rows that were there and stay.
    pub here: Vec<Option<Ms>>,
}

impl RepairPlan {
    /// Position of the effect that makes the new index: an exchange, or a new file where there was none.
    pub fn index_effect(&self) -> Option<usize> {
        self.effects.iter().position(|e| e.swap().is_some() || matches!(e, Effect::Create { .. }))
    }
}
