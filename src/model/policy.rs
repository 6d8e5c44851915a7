//! The policy in force for one run: every limit with its key and origin.

use super::Ms;
use super::sourced::{Limit, Sourced};

/// Whether a cleanup writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Mode {
    /// Plan and report only. Our default; the gateway's own default is enforce.
    Warn,
    /// Do what the plan says.
    Enforce,
}

impl Mode {
    /// The word used in configuration and reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Warn => "warn",
            Self::Enforce => "enforce",
        }
    }
}

/// A ceiling on how much one pass may remove.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub enum MaxRemove {
    /// At most this many sessions (rows plus orphan transcripts).
    Count(u64),
    /// At most this share of them, in percent (1 to 100).
    Percent(u64),
}

/// Policy of one cleanup run.
#[derive(Debug, Clone, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Policy {
    /// warn or enforce.
    pub mode: Sourced<Mode>,
    /// Age at which rows and unowned files go.
    pub prune_after: Sourced<Limit<Ms>>,
    /// Highest number of rows.
    pub max_entries: Sourced<Limit<u64>>,
    /// Disk budget of the folder in bytes.
    pub max_disk: Sourced<Limit<u64>>,
    /// Where a pass over budget stops, in bytes.
    pub high_water: Sourced<Limit<u64>>,
    /// Age below which nothing that the age limit takes is unlinked for good: that limit, but no shorter than configured.
    pub final_after: Sourced<Limit<Ms>>,
    /// Age at which `.deleted` archives are unlinked.
    pub deleted_retention: Sourced<Limit<Ms>>,
    /// Age at which `.reset` archives are unlinked.
    pub reset_retention: Sourced<Limit<Ms>>,
    /// Age at which rows of isolated cron runs go.
    pub cron_retention: Sourced<Limit<Ms>>,
    /// Nothing younger than this is a victim.
    pub grace: Sourced<Ms>,
    /// `--fix-missing`.
    pub fix_missing: bool,
    /// `--fix-dm-scope`, and the configured scope allows it.
    pub fix_dm_scope: bool,
    /// `--files-only`: no row may change.
    pub files_only: bool,
    /// `--active-key`, lower-cased.
    pub active_keys: Vec<String>,
    /// `--keep` and `keep[]`.
    pub keep: Vec<Sourced<String>>,
    /// `session.mainKey`, lower-cased.
    pub main_key: String,
    /// `--max-remove`.
    pub max_remove: Option<Sourced<MaxRemove>>,
    /// `--archive-to`: pack before unlinking.
    pub archive_to: Option<Sourced<std::path::PathBuf>>,
    /// `--override suspect-index` was given.
    pub override_suspect: bool,
    /// Agent of the target, for rules that only apply to its own keys.
    pub agent_id: String,
}

impl Policy {
    /// The grace window of files. A run that leaves rows alone may work beside a gateway, which is believed to be done
    /// with a file only after [`BUSY`].
    pub fn file_grace(&self) -> Ms {
        if self.files_only { self.grace.value.max(BUSY) } else { self.grace.value }
    }
}

/// Grace window used when nothing else is said: ten minutes (SAFETY 4).
pub const DEFAULT_GRACE: Ms = 10 * super::MINUTE;
/// What a run that may have a gateway beside it takes for busy, however short the grace window was set (SAFETY 5).
pub const BUSY: Ms = 30 * super::MINUTE;
/// Age at which a leftover temp file goes: a day (DESIGN 3).
pub const TEMP_AGE: Ms = super::DAY;
/// How long a row that says `running` is believed (SAFETY 4).
pub const RUNNING_BELIEVED: Ms = super::DAY;
