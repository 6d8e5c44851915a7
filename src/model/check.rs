//! Everything that a check knows about one store before it judges.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::PathBuf;

use super::Ms;
use super::facts::Facts;
use super::finding::Finding;
use super::folder::FolderFacts;
use super::index::Damage;
use super::owner::OwnerVerdict;
use super::probe::Probes;
use super::run::RunState;
use super::stores::{Generation, Target};
use super::transcript::Reading;

/// An index that is not whole.
#[derive(Debug, Clone)]
pub enum Broken {
    /// No such file.
    Absent,
    /// It is there and is no usable index.
    Damaged {
        /// Where reading stopped.
        damage: Damage,
        /// Bytes of the file.
        size: u64,
        /// Rows that lie whole in it, before and after the damage.
        salvageable: u64,
    },
    /// It could not be read (error text).
    Unreadable(String),
}

/// The index and the folder.
#[derive(Debug)]
pub enum Seen {
    /// The index is whole: everything can be judged.
    Whole(Box<Facts>),
    /// It is not: the folder alone can.
    Broken(Broken, Box<FolderFacts>),
}

impl Seen {
    /// The folder.
    pub fn folder(&self) -> &FolderFacts {
        match self {
            Self::Whole(facts) => &facts.folder,
            Self::Broken(_, folder) => folder,
        }
    }
}

/// A run folder, as far as a check is concerned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunSeen {
    /// Run id.
    pub id: String,
    /// Its folder.
    pub dir: PathBuf,
    /// Its state.
    pub state: RunState,
    /// How many of its rows can be read, if not all.
    pub rows_lost: Option<String>,
}

/// A snapshot of the index that we keep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SnapshotSeen {
    /// Its file.
    pub path: PathBuf,
    /// When it was taken.
    pub at: Ms,
    /// Rows in it.
    pub rows: u64,
    /// Bytes on disk.
    pub bytes: u64,
    /// The index was doubted when it was taken.
    pub suspect: bool,
}

/// Who could get at the files of the folder, going by the rights of the folders above.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Exposure {
    /// Members of the group.
    pub group: bool,
    /// Everybody.
    pub world: bool,
    /// User id of the folder.
    pub owner: u32,
}

/// What lies at the absolute path of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathSeen {
    /// Its folder is the one at hand, under whatever name.
    Here,
    /// Another folder, and the file is there.
    There,
    /// No such file.
    Gone,
}

/// Facts of one store.
#[derive(Debug)]
pub struct CheckFacts {
    /// The store.
    pub target: Target,
    /// Index and folder.
    pub seen: Seen,
    /// What was looked into.
    pub probes: Probes,
    /// Absolute transcript paths of rows, by row.
    pub paths: HashMap<u32, PathSeen>,
    /// What the bytes of a whole index are spent on, the largest first.
    pub fields: Vec<FieldUse>,
    /// Copies and earlier texts of the index, by entry of the folder, with the rows that can be read in each.
    pub copies: Vec<(u32, u64)>,
    /// Transcripts as read; `Err` holds the error text.
    pub transcripts: Vec<(u32, Result<Reading, String>)>,
    /// Transcripts that a quick check left out.
    pub not_read: u64,
    /// Runs that are not closed in good order.
    pub runs: Vec<RunSeen>,
    /// The records of our runs cannot be read (error text).
    pub runs_unreadable: Option<String>,
    /// Snapshots of this index.
    pub snapshots: Vec<SnapshotSeen>,
    /// Rights of the folders above.
    pub exposure: Exposure,
    /// Other state folders beside the one in use.
    pub other_state_dirs: Vec<PathBuf>,
    /// Other indexes in the same folder.
    pub beside: Vec<OsString>,
    /// Time of the run.
    pub now: Ms,
}

impl CheckFacts {
    /// Path of a folder entry.
    pub fn path_of(&self, file: u32) -> PathBuf {
        let folder = self.seen.folder();
        folder.path.join(&*folder.entries[file as usize].name)
    }

    /// The database that has taken over, if one has.
    pub fn database(&self) -> Option<&PathBuf> {
        match &self.target.generation {
            Generation::Sqlite { database } => Some(database),
            Generation::Json => None,
        }
    }
}

/// How much one field takes of an index, all rows together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldUse {
    /// Name of the top-level field.
    pub name: String,
    /// Bytes of its values and names.
    pub bytes: u64,
    /// Rows that have it.
    pub rows: u64,
    /// Different values.
    pub distinct: u64,
}

/// A store that was checked.
#[derive(Debug)]
pub struct CheckedStore {
    /// Agent label.
    pub agent_id: String,
    /// Index path as selected.
    pub path: PathBuf,
    /// Artefact folder, if there is one.
    pub folder: Option<PathBuf>,
    /// Why it could not be checked.
    pub error: Option<String>,
    /// The agent has no store yet.
    pub absent: bool,
    /// Rows of a whole index.
    pub rows: Option<u64>,
    /// Bytes of the index.
    pub index_bytes: Option<u64>,
    /// Files in the folder.
    pub files: u64,
    /// Transcripts that were read, wholly or at both ends.
    pub transcripts_read: u64,
    /// Those of which every line was read.
    pub transcripts_whole: u64,
    /// Transcripts that were left out.
    pub not_read: u64,
    /// Fields of the index, the largest first.
    pub fields: Vec<FieldUse>,
    /// Who may write, and how we know.
    pub owner: Option<OwnerVerdict>,
    /// Findings, in the order of their ids.
    pub findings: Vec<Finding>,
}
