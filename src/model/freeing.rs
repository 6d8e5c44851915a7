//! What `disk free` was asked for, what it took and what is missing.

use std::ffi::OsString;
use std::path::PathBuf;

use super::stores::Agent;
use super::usage::VolumeUsage;

/// How much room was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FreeGoal {
    /// `--need`: free this many bytes.
    Need(u64),
    /// `--keep-free SIZE`: go on until this many bytes of the volume are free.
    KeepFree(u64),
    /// `--keep-free P%`: go on until this share of the volume is free.
    KeepFreePercent(u64),
    /// `--to-budget`: go on until every folder is at the high-water mark of its budget.
    ToBudget,
}

/// One thing that was taken, or is to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FreedItem {
    /// Kind, as a stable id (`undo`, `expired-archive`, ...; with a budget the reason).
    pub kind: &'static str,
    /// File name, run id or snapshot name; with a budget also a session key.
    pub name: OsString,
    /// Bytes the volume gains.
    pub bytes: u64,
    /// `planned`, `done`, `skipped`, `failed` or `not-reached`.
    pub outcome: &'static str,
    /// Why it was skipped or failed.
    pub why: Option<String>,
}

/// Files that stay, by reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// Stable id of the reason.
    pub reason: &'static str,
    /// The sentence that explains it.
    pub explain: &'static str,
    /// Files.
    pub files: u64,
    /// Allocated bytes.
    pub bytes: u64,
}

/// One store in the report.
#[derive(Debug, Clone)]
pub struct FreedStore {
    /// Agent.
    pub agent_id: String,
    /// Index path.
    pub store_path: PathBuf,
    /// What was taken, or is to be, in order.
    pub items: Vec<FreedItem>,
    /// What stays, most bytes first.
    pub in_the_way: Vec<Kept>,
    /// Bytes that come back when archives made by a cleanup expire.
    pub later: u64,
    /// Archives that stay because their retention still runs, and their bytes.
    pub held_archives: (u64, u64),
    /// Run to undo, if rows changed.
    pub run_id: Option<String>,
    /// Why nothing was done here, though that is no failure.
    pub skipped: Option<String>,
    /// Why it failed.
    pub error: Option<String>,
    /// Command or token that helps with the failure.
    pub hints: Vec<String>,
    /// Remarks.
    pub warnings: Vec<String>,
}

impl FreedStore {
    /// An empty entry.
    pub fn new(agent_id: &str, store_path: PathBuf) -> Self {
        Self {
            agent_id: agent_id.to_owned(),
            store_path,
            items: Vec::new(),
            in_the_way: Vec::new(),
            later: 0,
            held_archives: (0, 0),
            run_id: None,
            skipped: None,
            error: None,
            hints: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// Bytes of the items with this outcome.
    pub fn bytes(&self, outcome: &str) -> u64 {
        self.items.iter().filter(|i| i.outcome == outcome).map(|i| i.bytes).sum()
    }
}

/// Everything `disk free` reports.
#[derive(Debug, Clone)]
pub struct FreeReport {
    /// Nothing was written.
    pub dry_run: bool,
    /// The user was asked, and did not say yes.
    pub declined: bool,
    /// The goal.
    pub goal: FreeGoal,
    /// Where the goal comes from (`--need`, a path, ...).
    pub goal_origin: String,
    /// Bytes to free to reach it; `None` with a budget, which has one for each store.
    pub wanted: Option<u64>,
    /// Bytes that are missing to the goal after all.
    pub missing: u64,
    /// Stores.
    pub stores: Vec<FreedStore>,
    /// Agents that exist and were not looked at.
    pub not_looked_at: Vec<Agent>,
    /// The volume before.
    pub before: VolumeUsage,
    /// The volume after; `None` if nothing was written.
    pub after: Option<VolumeUsage>,
}

impl FreeReport {
    /// Bytes of all items with this outcome.
    pub fn bytes(&self, outcome: &str) -> u64 {
        self.stores.iter().map(|s| s.bytes(outcome)).sum()
    }

    /// Bytes that were freed, or would be.
    pub fn gained(&self) -> u64 {
        self.bytes(if self.dry_run { "planned" } else { "done" })
    }

    /// Ids of runs whose undo copies went, or would go.
    pub fn runs_let_go(&self) -> impl Iterator<Item = &OsString> {
        let outcome = if self.dry_run { "planned" } else { "done" };
        let items = self.stores.iter().flat_map(|s| &s.items);
        items.filter(move |i| i.kind == "undo" && i.outcome == outcome).map(|i| &i.name)
    }

    /// Archives, and their bytes, that stay because their retention still runs.
    pub fn held_archives(&self) -> (u64, u64) {
        self.stores.iter().fold((0, 0), |sum, s| (sum.0 + s.held_archives.0, sum.1 + s.held_archives.1))
    }

    /// Whether the goal is met, or would be.
    pub fn reached(&self) -> bool {
        self.missing == 0
    }
}
