//! Everything one run knows about one store before it decides.

use std::collections::{BTreeSet, HashSet};
use std::ffi::OsString;

use super::Ms;
use super::folder::FolderFacts;
use super::index::{IndexFacts, Via};
use super::stores::StoreMember;

/// What the cron job store says about which jobs exist.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum JobsFacts {
    /// The store at hand does not belong to a state folder with a cron store, or there is none.
    #[default]
    NotApplicable,
    /// Parsed to an object with a non-empty `jobs` array whose items all yield an id.
    Usable {
        /// Job ids, trimmed, compared exactly and lower-cased.
        ids: HashSet<String>,
        /// Of those, in lower case, the jobs with `deleteAfterRun` that have run and will not run again.
        done: HashSet<String>,
    },
    /// There, but nothing may be concluded from it (text says why).
    Doubtful(String),
}

/// Rows of the index when an earlier run recorded it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexRecord {
    /// Rows then.
    pub rows: u64,
    /// When.
    pub at: Ms,
}

/// A row of the target index leads to a file of the folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct RowFile {
    /// Entry of the folder.
    pub file: u32,
    /// Row of the index.
    pub row: u32,
    /// Which field leads there.
    pub via: Via,
}

/// Facts of one store and its folder. The index is whole: anything else stops a run before facts are made.
#[derive(Debug, Clone)]
pub struct Facts {
    /// The index.
    pub index: IndexFacts,
    /// The folder.
    pub folder: FolderFacts,
    /// Every file of the folder that a row leads to, in no order.
    pub row_files: Vec<RowFile>,
    /// Other stores of the set.
    pub members: Vec<StoreMember>,
    /// Cron jobs.
    pub jobs: JobsFacts,
    /// Last recorded run or snapshot.
    pub record: Option<IndexRecord>,
    /// Names of files that earlier runs were to take with their rows and could not.
    pub left_behind: BTreeSet<OsString>,
    /// The folder has the shape `agents/<id>/sessions`.
    pub agent_shape: bool,
}
