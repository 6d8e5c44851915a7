//! What fills the disk: files by owner and class, what policy would give back, and how much room there is.

use super::sourced::Origin;
use std::collections::BTreeMap;
use std::path::PathBuf;

use super::Ms;
use super::decision::Reason;
use super::fingerprint::Fingerprint;
use super::folder::VolumeFacts;

/// What a file is, as `disk` reports it. The order is that of the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum UsageClass {
    /// Index of a store.
    Index,
    /// Transcript that a row leads to, or an earlier transcript of such a session.
    Live,
    /// Transcript that cannot be told live from orphan, because the index or another store of the set is unusable.
    Transcript,
    /// Unowned transcript that holds, or may hold, what a user wrote.
    OrphanHistory,
    /// Unowned transcript proven to hold no message of a user.
    OrphanJunk,
    /// `.reset.<stamp>` archive.
    Reset,
    /// `.deleted.<stamp>` archive.
    Deleted,
    /// Checkpoint copy.
    Checkpoint,
    /// Trajectory or its pointer.
    Trajectory,
    /// `.bak` archives, index, repair and doctor backups.
    Backup,
    /// Leftover of an interrupted write.
    Temp,
    /// Lock file.
    Lock,
    /// Run log of a cron job.
    RunLog,
    /// Our own run folders and index snapshots (`.clawkeep`).
    Undo,
    /// Everything else in the state folder.
    Other,
}

impl UsageClass {
    /// Every class, in report order.
    pub const ALL: [Self; 15] = [
        Self::Index,
        Self::Live,
        Self::Transcript,
        Self::OrphanHistory,
        Self::OrphanJunk,
        Self::Reset,
        Self::Deleted,
        Self::Checkpoint,
        Self::Trajectory,
        Self::Backup,
        Self::Temp,
        Self::Lock,
        Self::RunLog,
        Self::Undo,
        Self::Other,
    ];

    /// Stable id, as used in JSON.
    pub fn id(self) -> &'static str {
        match self {
            Self::Index => "index",
            Self::Live => "live",
            Self::Transcript => "transcript",
            Self::OrphanHistory => "orphan-history",
            Self::OrphanJunk => "orphan-junk",
            Self::Reset => "reset",
            Self::Deleted => "deleted",
            Self::Checkpoint => "checkpoint",
            Self::Trajectory => "trajectory",
            Self::Backup => "backup",
            Self::Temp => "temp",
            Self::Lock => "lock",
            Self::RunLog => "run-log",
            Self::Undo => "undo",
            Self::Other => "other",
        }
    }

    /// What it is, for people.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Index => "session index",
            Self::Live => "transcripts of sessions",
            Self::Transcript => "transcripts, owner unknown",
            Self::OrphanHistory => "orphans with history",
            Self::OrphanJunk => "orphans without a user message",
            Self::Reset => "archives of resets",
            Self::Deleted => "archives of removed sessions",
            Self::Checkpoint => "checkpoints",
            Self::Trajectory => "trajectories",
            Self::Backup => "backups",
            Self::Temp => "leftover temp files",
            Self::Lock => "lock files",
            Self::RunLog => "run logs of cron jobs",
            Self::Undo => "undo (.clawkeep)",
            Self::Other => "other files",
        }
    }
}

/// Whose files they are.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UsageOwner {
    /// An agent, by its id: its sessions folder and whatever else lies in `agents/<id>`.
    Agent(String),
    /// A folder or file at the top of the state folder.
    Top(String),
}

/// Count, size and age of a group of files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Regular files. A file with several names counts once.
    pub files: u64,
    /// Length in bytes.
    pub bytes: u64,
    /// Bytes of allocated blocks.
    pub allocated: u64,
    /// Oldest modification time.
    pub oldest: Option<Ms>,
}

impl Tally {
    /// Adds one file.
    pub fn add(&mut self, fp: &Fingerprint) {
        self.files += 1;
        self.bytes += fp.size;
        self.allocated += fp.allocated();
        self.age(fp.mtime_ms());
    }

    /// Adds another tally.
    pub fn merge(&mut self, other: &Self) {
        self.files += other.files;
        self.bytes += other.bytes;
        self.allocated += other.allocated;
        if let Some(at) = other.oldest {
            self.age(at);
        }
    }

    fn age(&mut self, at: Ms) {
        self.oldest = Some(self.oldest.map_or(at, |old| old.min(at)));
    }
}

/// One of the largest files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LargeFile {
    /// Where it is.
    pub path: PathBuf,
    /// Whose.
    pub owner: UsageOwner,
    /// What.
    pub class: UsageClass,
    /// Length in bytes.
    pub bytes: u64,
    /// Modification time.
    pub modified: Ms,
}

/// Files by owner and class.
#[derive(Debug, Clone, Default)]
pub struct Usage {
    /// Tallies.
    pub groups: BTreeMap<UsageOwner, BTreeMap<UsageClass, Tally>>,
    /// The largest files, largest first.
    pub largest: Vec<LargeFile>,
    /// What could not be looked at, with the error text.
    pub unreadable: Vec<(PathBuf, String)>,
    /// Symbolic links, FIFOs, sockets and devices: neither followed nor counted.
    pub not_regular: u64,
}

impl Usage {
    /// Sum over all owners, by class.
    pub fn by_class(&self) -> BTreeMap<UsageClass, Tally> {
        let mut sum: BTreeMap<UsageClass, Tally> = BTreeMap::new();
        for classes in self.groups.values() {
            for (class, tally) in classes {
                sum.entry(*class).or_default().merge(tally);
            }
        }
        sum
    }

    /// Sum over everything.
    pub fn total(&self) -> Tally {
        sum(self.by_class().values())
    }
}

/// Sum of tallies.
pub fn sum<'a>(tallies: impl Iterator<Item = &'a Tally>) -> Tally {
    tallies.fold(Tally::default(), |mut all, one| {
        all.merge(one);
        all
    })
}

/// When bytes come back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReclaimWhen {
    /// The next enforcing cleanup unlinks it.
    Now,
    /// The next enforcing cleanup renames it or takes it to its run folder; the bytes go when that copy expires.
    AfterRetention,
    /// A rule takes it once it is old enough.
    WhenOld,
}

/// What one rule gives back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reclaim {
    /// When.
    pub when: ReclaimWhen,
    /// Class of the files; `None` for rows.
    pub class: Option<UsageClass>,
    /// Why it goes, or why it still stays.
    pub reason: Reason,
    /// Configuration key or flag behind it; empty where no setting is involved.
    pub rule: &'static str,
    /// Rows or files.
    pub count: u64,
    /// Bytes of the files, or of the rows in the index.
    pub bytes: u64,
    /// For [`ReclaimWhen::WhenOld`]: when the first of them goes.
    pub first_at: Option<Ms>,
}

/// Where a folder stands within its budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Headroom {
    /// Bytes the budget counts: regular files directly in the folder.
    pub used: u64,
    /// Budget and high-water mark, if one is set.
    pub limits: Option<(u64, u64)>,
}

/// One store in the report.
#[derive(Debug, Clone)]
pub struct StoreUsage {
    /// Agent.
    pub agent_id: String,
    /// Index path.
    pub store_path: PathBuf,
    /// Canonical artefact folder, if there is one.
    pub folder: Option<PathBuf>,
    /// Rows of the index; `None` if it cannot be used.
    pub rows: Option<u64>,
    /// Budget; `None` if there is no folder.
    pub headroom: Option<Headroom>,
    /// What would come back.
    pub reclaim: Vec<Reclaim>,
    /// Unowned transcripts that were not looked into because there are too many; they count as history.
    pub not_probed: u64,
    /// Another store of the report lies in the same folder; its files are counted there.
    pub shares_folder_with: Option<String>,
    /// The agent has no sessions folder yet.
    pub absent: bool,
    /// Why nothing can be said about its rows.
    pub error: Option<String>,
    /// Remarks.
    pub warnings: Vec<String>,
}

impl StoreUsage {
    /// An empty entry.
    pub fn new(agent_id: &str, store_path: PathBuf) -> Self {
        Self {
            agent_id: agent_id.to_owned(),
            store_path,
            folder: None,
            rows: None,
            headroom: None,
            reclaim: Vec::new(),
            not_probed: 0,
            shares_folder_with: None,
            absent: false,
            error: None,
            warnings: Vec::new(),
        }
    }
}

/// A volume and the folder through which it was seen.
#[derive(Debug, Clone)]
pub struct VolumeUsage {
    /// A folder on it.
    pub path: PathBuf,
    /// What it has left.
    pub facts: VolumeFacts,
}

/// Everything `disk` reports.
#[derive(Debug, Clone)]
pub struct DiskFacts {
    /// State folder.
    pub state_dir: PathBuf,
    /// How it was found.
    pub state_origin: Origin,
    /// The whole state folder was walked, not only the folders of named stores.
    pub whole_state: bool,
    /// Time of the run.
    pub now: Ms,
    /// Files.
    pub usage: Usage,
    /// Stores.
    pub stores: Vec<StoreUsage>,
    /// Volumes.
    pub volumes: Vec<VolumeUsage>,
}

impl DiskFacts {
    /// Stores about whose rows nothing can be said.
    pub fn failed(&self) -> usize {
        self.stores.iter().filter(|s| s.error.is_some()).count()
    }

    /// Bytes that come back at one point, over all stores.
    pub fn reclaimable(&self, when: ReclaimWhen) -> u64 {
        let all = self.stores.iter().flat_map(|s| &s.reclaim);
        all.filter(|r| r.when == when && r.class.is_some()).map(|r| r.bytes).sum()
    }
}
