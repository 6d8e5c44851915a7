//! What cron jobs leave behind: sessions of their runs, and run logs.

use std::path::PathBuf;

use super::Ms;
use super::fingerprint::Fingerprint;
use super::sourced::{Limit, Origin, Sourced};

/// Bounds of a run log.
#[derive(Debug, Clone)]
pub struct RunLogLimits {
    /// `cron.runLog.maxBytes`.
    pub max_bytes: Sourced<Limit<u64>>,
    /// `cron.runLog.keepLines`.
    pub keep_lines: Sourced<Limit<u64>>,
}

/// One run log (`<folder of the cron store>/runs/<job>.jsonl`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunLog {
    /// Where it is.
    pub path: PathBuf,
    /// Job id: the name without `.jsonl`. Bytes that are not UTF-8 read as U+FFFD.
    pub job: String,
    /// State of the file.
    pub fp: Fingerprint,
    /// Lines that are not blank; `None` if the file could not be read.
    pub lines: Option<u64>,
    /// Why it could not be read.
    pub error: Option<String>,
}

impl RunLog {
    /// Larger than allowed.
    pub fn over_bytes(&self, limits: &RunLogLimits) -> bool {
        matches!(limits.max_bytes.value, Limit::At(max) if self.fp.size > max)
    }

    /// More lines than allowed.
    pub fn over_lines(&self, limits: &RunLogLimits) -> bool {
        matches!((limits.keep_lines.value, self.lines), (Limit::At(max), Some(lines)) if lines > max)
    }

    /// Beyond one of its bounds.
    pub fn over(&self, limits: &RunLogLimits) -> bool {
        self.over_bytes(limits) || self.over_lines(limits)
    }
}

/// Whether a job is in the job store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum JobStanding {
    /// It is.
    Known,
    /// The job store is whole and does not have it: it was deleted.
    Gone,
    /// The job store cannot be relied on.
    Unknown,
}

/// Sessions of the runs of one job.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RunRows {
    /// Rows.
    pub count: u64,
    /// Those past `cron.sessionRetention`.
    pub expired: u64,
    /// Oldest believable `updatedAt`.
    pub oldest: Option<Ms>,
}

/// Everything about one job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobStatus {
    /// Job id: as in the job store if it is known there, else as in the key or the log's name.
    pub id: String,
    /// Whether it exists.
    pub standing: JobStanding,
    /// Keys of its base rows (one for each agent that has one).
    pub base_keys: Vec<String>,
    /// Its run sessions.
    pub runs: RunRows,
    /// Its run log.
    pub log: Option<RunLog>,
}

/// What `cron status` reports.
#[derive(Debug, Clone)]
pub struct CronFacts {
    /// Job store.
    pub jobs_path: PathBuf,
    /// How it was found: the key that names it, or how the state folder was found.
    pub jobs_origin: Origin,
    /// Why the job store cannot be relied on, or that there is none.
    pub jobs_problem: Option<String>,
    /// Folder of the run logs.
    pub runs_dir: PathBuf,
    /// `cron.sessionRetention`.
    pub retention: Sourced<Limit<Ms>>,
    /// Bounds of run logs.
    pub limits: RunLogLimits,
    /// Jobs, by id.
    pub jobs: Vec<JobStatus>,
    /// Stores that were looked at, and why one could not be.
    pub stores: Vec<(String, PathBuf, Option<String>)>,
    /// Time of the run.
    pub now: Ms,
}

/// One run log that is cut, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogTrim {
    /// The log before.
    pub log: RunLog,
    /// Where the part that stays begins.
    pub from: u64,
    /// Lines that stay.
    pub keep_lines: u64,
}

impl LogTrim {
    /// Bytes that go.
    pub fn frees(&self) -> u64 {
        self.from
    }
}

/// How something that was wanted ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ending {
    /// `planned`, `done`, `skipped`, `failed` or `not-reached`.
    pub word: &'static str,
    /// Why it was skipped or failed.
    pub why: Option<String>,
}

/// One row that goes, or that is held back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrunedRow {
    /// Session key.
    pub key: String,
    /// Stable id of the reason.
    pub reason: &'static str,
    /// How it ended.
    pub ending: Ending,
}

/// What the retention of run sessions does to one store.
#[derive(Debug, Clone)]
pub struct PrunedStore {
    /// Agent.
    pub agent_id: String,
    /// Index path.
    pub store_path: PathBuf,
    /// Rows that go, in the order of the index.
    pub rows: Vec<PrunedRow>,
    /// Files of those rows.
    pub files: u64,
    /// Bytes of those files: renamed, or kept for undo.
    pub file_bytes: u64,
    /// Files of those rows that are still where they were; a remark says why.
    pub files_left: u64,
    /// Rows before.
    pub before: u64,
    /// Rows after.
    pub after: u64,
    /// Run to undo.
    pub run_id: Option<String>,
    /// Why nothing was done here, though that is no failure.
    pub skipped: Option<String>,
    /// Why it failed.
    pub error: Option<String>,
    /// What helps.
    pub hints: Vec<String>,
    /// Remarks.
    pub warnings: Vec<String>,
}

impl PrunedStore {
    /// An empty entry.
    pub fn new(agent_id: &str, store_path: PathBuf) -> Self {
        Self {
            agent_id: agent_id.to_owned(),
            store_path,
            rows: Vec::new(),
            files: 0,
            file_bytes: 0,
            files_left: 0,
            before: 0,
            after: 0,
            run_id: None,
            skipped: None,
            error: None,
            hints: Vec::new(),
            warnings: Vec::new(),
        }
    }
}

/// What trimming does to the run logs.
#[derive(Debug, Clone, Default)]
pub struct PrunedLogs {
    /// Logs that are cut, and how that ended.
    pub trims: Vec<(LogTrim, Ending)>,
    /// Logs of jobs that no longer exist: listed, trimmed like the others, not removed as a whole.
    pub of_gone_jobs: Vec<RunLog>,
    /// Logs that could not be read.
    pub unreadable: Vec<(PathBuf, String)>,
    /// Run to undo.
    pub run_id: Option<String>,
    /// Why trimming failed as a whole.
    pub error: Option<String>,
    /// What helps.
    pub hints: Vec<String>,
    /// Remarks.
    pub warnings: Vec<String>,
}

/// Everything `cron prune` reports.
#[derive(Debug, Clone)]
pub struct CronPrune {
    /// warn or enforce.
    pub mode: Sourced<super::policy::Mode>,
    /// Nothing was written: a dry run, or warn mode.
    pub planned_only: bool,
    /// `--dry-run`.
    pub dry_run: bool,
    /// `cron.sessionRetention`.
    pub retention: Sourced<Limit<Ms>>,
    /// Bounds of run logs.
    pub limits: RunLogLimits,
    /// Folder of the run logs.
    pub runs_dir: PathBuf,
    /// Stores.
    pub stores: Vec<PrunedStore>,
    /// Run logs.
    pub logs: PrunedLogs,
}

impl CronPrune {
    /// Whether there is anything to do, or was.
    pub fn wants_anything(&self) -> bool {
        !self.logs.trims.is_empty() || self.stores.iter().any(|s| !s.rows.is_empty())
    }
}
