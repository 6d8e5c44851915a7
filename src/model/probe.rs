//! Bounded reads of candidate files: what to ask, and what was answered.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use super::Ms;

/// What the plan has to know before it can decide. Entries are indexes into the folder's listing.
#[derive(Debug, Clone, Default)]
pub struct ProbeNeeds {
    /// Transcripts that nothing owns and that a policy would take: header, and whether a user ever wrote.
    pub orphans: Vec<u32>,
    /// Owned transcripts whose header may name a predecessor. Only read if a candidate of `orphans` turns out to hold
    /// history.
    pub parents: Vec<u32>,
    /// Trajectory pointers of owned transcripts.
    pub pointers: Vec<u32>,
    /// Lock files.
    pub locks: Vec<u32>,
    /// Transcript paths of rows that lie outside the folder, or in a folder below it (`(row, path)`).
    pub outside: Vec<(u32, PathBuf)>,
}

impl ProbeNeeds {
    /// Nothing to ask.
    pub fn is_empty(&self) -> bool {
        self.orphans.is_empty()
            && self.parents.is_empty()
            && self.pointers.is_empty()
            && self.locks.is_empty()
            && self.outside.is_empty()
    }
}

/// First line of a transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HeaderState {
    /// A session header with a string id.
    Valid {
        /// `id`.
        id: String,
        /// `parentSession`, as written.
        parent: Option<String>,
        /// `timestamp` in epoch ms, if it parses.
        at: Option<Ms>,
    },
    /// The file has no bytes.
    Empty,
    /// The first record is something else, or not JSON.
    NotAHeader,
    /// Could not be read (error text).
    Unreadable(String),
}

/// Whether a transcript holds a message of a user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UserTurns {
    /// At least one was seen.
    Seen,
    /// The whole file was read and there is none.
    None,
    /// None in the part that was read; the rest is unknown and counts as history.
    Unknown,
}

/// Result of looking into an orphan candidate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrphanProbe {
    /// First record.
    pub header: HeaderState,
    /// User messages.
    pub turns: UserTurns,
}

/// Whether a transcript lock is held (SAFETY 5).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LockState {
    /// Held: leave the transcript alone.
    Live {
        /// Process id, if the lock names one.
        pid: Option<u32>,
    },
    /// Proven dead; may be removed after a compare.
    Dead {
        /// Process id, if the lock names one.
        pid: Option<u32>,
        /// The proof, for the report.
        why: String,
    },
    /// Cannot be told: counts as live.
    Unknown {
        /// Why not.
        why: String,
    },
}

impl LockState {
    /// Whether the transcript must be left alone.
    pub fn holds(&self) -> bool {
        !matches!(self, Self::Dead { .. })
    }
}

/// A lock as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LockShown {
    /// Whether it is held.
    pub state: LockState,
    /// When it was taken, by what it says or by the last modification of the lock file, whichever is earlier; epoch ms.
    pub since: Ms,
}

impl LockShown {
    /// One word for a program: `held`, `stale` (its owner is proven dead), `unknown` (counts as held).
    pub fn word(&self) -> &'static str {
        match self.state {
            LockState::Live { .. } => "held",
            LockState::Dead { .. } => "stale",
            LockState::Unknown { .. } => "unknown",
        }
    }

    /// Process that took it, if the lock names one.
    pub fn pid(&self) -> Option<u32> {
        match self.state {
            LockState::Live { pid } | LockState::Dead { pid, .. } => pid,
            LockState::Unknown { .. } => None,
        }
    }

    /// Age in ms, never negative.
    pub fn age(&self, now: Ms) -> Ms {
        (now - self.since).max(0)
    }

    /// Who holds it and for how long, or why nobody does.
    pub fn text(&self, now: Ms) -> String {
        let age = crate::units::duration::human(self.age(now));
        match &self.state {
            LockState::Live { pid: Some(pid) } => format!("held by process {pid}, {age} old"),
            LockState::Live { pid: None } => format!("held by a process that it does not name, {age} old"),
            // Where the age is the reason, it is said once.
            LockState::Dead { why, .. } if why.ends_with(" old") => format!("stale: {why}"),
            LockState::Dead { why, .. } => format!("stale, {age} old: {why}"),
            LockState::Unknown { why } => format!("counts as held, {age} old: {why}"),
        }
    }
}

/// What lies at a path outside the folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutsideState {
    /// A regular file that begins with a session header, or a file in another agent's sessions folder.
    Transcript,
    /// A regular file in a folder below the sessions folder.
    Below,
    /// Something else is there.
    Other,
    /// Its folder exists and holds other files, the file does not exist.
    Missing,
    /// Its folder does not exist, is empty, or could not be read: another home or an absent volume.
    Elsewhere,
}

/// Answers to [`ProbeNeeds`].
#[derive(Debug, Clone, Default)]
pub struct Probes {
    /// Orphan candidates.
    pub orphans: HashMap<u32, OrphanProbe>,
    /// `parentSession` of owned transcripts (only those that name one).
    pub parents: HashMap<u32, String>,
    /// `runtimeFile` of valid trajectory pointers.
    pub pointers: HashMap<u32, String>,
    /// Locks.
    pub locks: HashMap<u32, LockState>,
    /// Rows with a path outside.
    pub outside: HashMap<u32, OutsideState>,
    /// Files that a run which was interrupted was going to take.
    pub unfinished: HashSet<u32>,
}
