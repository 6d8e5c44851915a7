//! The plan: every decision and every effect of one run on one folder. The dry run prints it, the real run executes it.

use std::path::PathBuf;

use super::Ms;
use super::decision::Decision;
use super::effect::Effect;

/// Unowned history files in the last [`RECENT`] from which an index without a record is doubted (SAFETY 3).
pub const MANY: usize = 20;
/// How far back such files are looked for.
pub const RECENT: super::Ms = 7 * super::DAY;
/// How many times more unowned history than rows makes an index doubtful that no earlier run vouches for.
pub const MOSTLY: u64 = 4;

/// An effect with the decision that asks for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedEffect {
    /// Position in [`Plan::decisions`]; `None` for the index swap, which serves many.
    pub decision: Option<u32>,
    /// The change.
    pub effect: Effect,
}

/// Arithmetic of the disk budget, in bytes of regular files directly in the folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BudgetLedger {
    /// Bytes at the start.
    pub before: u64,
    /// `maxDiskBytes`.
    pub max: u64,
    /// High-water mark.
    pub high_water: u64,
    /// Bytes that end under a live name after the pass: `before` less what is unlinked or stowed, less `pending`.
    pub after: u64,
    /// Bytes renamed to archives by this pass; they go when their retention ends or a later pass needs them.
    pub pending: u64,
    /// Files the budget itself took.
    pub removed_files: u64,
    /// Rows the budget itself took.
    pub removed_rows: u64,
    /// Bytes of files the budget itself took.
    pub freed: u64,
    /// Files that are not ours: counted, never taken, and no session has to leave because of them.
    pub foreign: ForeignFiles,
}

/// Files in the folder that are neither this program's nor the gateway's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ForeignFiles {
    /// How many.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// The largest: entry of the folder.
    pub largest: Option<u32>,
}

impl BudgetLedger {
    /// Over the limit at the start.
    pub fn over_before(&self) -> bool {
        self.before > self.max
    }

    /// Bytes on disk after the pass, renamed ones included.
    pub fn on_disk_after(&self) -> u64 {
        self.after + self.pending
    }

    /// Bytes still above the high-water mark once the pending ones are gone.
    pub fn shortfall(&self) -> u64 {
        if self.over_before() { self.after.saturating_sub(self.high_water) } else { 0 }
    }
}

/// Why an index is doubted (SAFETY 3).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Suspicion {
    /// Fewer than half the rows of the last recorded run or snapshot.
    Shrunk {
        /// Rows then.
        recorded: u64,
        /// Rows now.
        now: u64,
        /// When that was recorded.
        at: Ms,
    },
    /// Many young unowned transcripts with history, and more of them than rows.
    YoungHistory {
        /// Such files.
        files: u64,
        /// Rows now.
        rows: u64,
    },
    /// Nearly everything in the folder is history that no row leads to, and no earlier run vouches for the index.
    MostlyUnowned {
        /// Unowned transcripts with history.
        files: u64,
        /// Rows now.
        rows: u64,
    },
    /// `--fix-missing` would take every row that names a session: the transcripts may lie on a volume that is not there.
    NoTranscripts {
        /// Rows it would take.
        rows: u64,
    },
    /// More than half of the rows are no ordinary session entries.
    OddRows {
        /// Such rows.
        odd: u64,
        /// Rows now.
        rows: u64,
    },
}

/// The plan for one folder.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Canonical artefact folder.
    pub folder: PathBuf,
    /// Time the plan was made for.
    pub now: Ms,
    /// One decision for every row and every entry of the folder, rows first, each in its own order.
    pub decisions: Vec<Decision>,
    /// Changes, in decision order; the executor sorts by phase.
    pub effects: Vec<PlannedEffect>,
    /// Rows before.
    pub rows_before: u64,
    /// Rows after.
    pub rows_after: u64,
    /// Budget arithmetic, if a budget is in force.
    pub budget: Option<BudgetLedger>,
    /// Rows above `maxEntries` that no policy may take.
    pub cap_shortfall: u64,
    /// The index is doubted.
    pub suspicion: Option<Suspicion>,
    /// Stores of the set that could not be read: no orphan was touched.
    pub ownership_incomplete: Vec<(PathBuf, String)>,
    /// `--max-remove` stopped the pass: it would have taken this many.
    pub max_remove_hit: Option<u64>,
    /// Remarks for people (odd rows, stuck runs, other hard links).
    pub warnings: Vec<String>,
}

impl Plan {
    /// Whether executing the plan would change anything.
    pub fn would_mutate(&self) -> bool {
        !self.effects.is_empty()
    }
}
