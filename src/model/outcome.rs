//! What really happened.

use std::ffi::OsString;
use std::path::PathBuf;

/// Result of one effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Done. `freed` bytes are gone for good (0 while any link keeps them).
    Done {
        /// Bytes freed now.
        freed: u64,
    },
    /// A planned rename of an unowned file became an unlink: the disk was too full for the record of the run (SAFETY 2,
    /// "Full disk"). It cannot come back.
    UnlinkedForSpace {
        /// Bytes freed now.
        freed: u64,
    },
    /// Not done, and rightly so.
    Skipped(Skip),
    /// Not done because of an error (text names the file).
    Failed(String),
    /// Never reached (cancelled, or an earlier phase failed).
    NotReached,
}

impl Outcome {
    /// Bytes freed, if the file was taken (or the index swapped), whichever way.
    pub fn freed(&self) -> Option<u64> {
        match self {
            Self::Done { freed } | Self::UnlinkedForSpace { freed } => Some(*freed),
            Self::Skipped(_) | Self::Failed(_) | Self::NotReached => None,
        }
    }
}

/// Why an effect was not carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Skip {
    /// The file is not what it was when the plan was made.
    Changed,
    /// It is gone already.
    Gone,
    /// A row leads to it now.
    OwnedNow,
    /// A live process locked it in the meantime.
    LockedNow,
    /// A gateway came up in the meantime.
    OwnerNow,
}

impl Skip {
    /// For people.
    pub fn explain(self) -> &'static str {
        match self {
            Self::Changed => "it changed since the plan was made",
            Self::Gone => "it is gone already",
            Self::OwnedNow => "a row leads to it now",
            Self::LockedNow => "a live process locked it meanwhile",
            Self::OwnerNow => "a gateway came up meanwhile",
        }
    }
}

/// What an earlier, interrupted run left behind and what was done about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recovered {
    /// The run.
    pub run_id: String,
    /// `rolled-back`, `completed` or `abandoned`.
    pub result: &'static str,
    /// One sentence.
    pub detail: String,
    /// Files that were left under their names although the run was going to take them.
    pub left: Vec<LeftBehind>,
}

/// A file that recovery did not take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftBehind {
    /// Its name.
    pub name: OsString,
    /// Why.
    pub why: String,
}

/// Result of executing one plan.
#[derive(Debug, Clone, Default)]
pub struct Applied {
    /// Id of the run; empty if nothing had to be journalled.
    pub run_id: String,
    /// Run folder.
    pub run_dir: Option<PathBuf>,
    /// One outcome per planned effect, in plan order.
    pub outcomes: Vec<Outcome>,
    /// The index was replaced.
    pub swapped: bool,
    /// Earlier runs that were recovered first.
    pub recovered: Vec<Recovered>,
    /// The user interrupted the run.
    pub cancelled: bool,
    /// Remarks (no EXCHANGE on this file system, snapshot not kept, ...).
    pub warnings: Vec<String>,
}
