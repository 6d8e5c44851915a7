//! The typed view of the gateway's configuration and of our own `clawkeep.json5`.
//!
//! Only what this program acts on is here. Every value is [`Sourced`]; a value that is there but invalid is a
//! [`Problem`] and its field holds what a *reading* command uses instead ([`Limit::Off`] or the default). Mutating
//! commands refuse to run while `problems` is not empty (DESIGN 1.2).

use std::path::PathBuf;

use super::Ms;
use super::policy::Mode;
use super::sourced::{Limit, Sourced};

/// A value of a known key that is not allowed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Dotted key.
    pub key: String,
    /// The value as written (JSON text, cut to 80 characters).
    pub value: String,
    /// What is allowed.
    pub allowed: String,
    /// File that holds it.
    pub path: PathBuf,
}

/// One agent of `agents.list`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentEntry {
    /// Normalised id.
    pub id: String,
    /// The id as written.
    pub raw: String,
    /// `default` is truthy.
    pub default: bool,
    /// `model` of the agent (string, or `primary` of an object), for the list's model column.
    pub model: Option<String>,
}

/// `session.*`.
#[derive(Debug, Clone)]
pub struct SessionSettings {
    /// `session.store`: template of the index path.
    pub store: Option<Sourced<String>>,
    /// `session.dmScope`: absent or `main` means direct messages share the main session.
    pub dm_scope: Option<Sourced<String>>,
    /// `session.mainKey`, trimmed and lower-cased; `main` by default.
    pub main_key: Sourced<String>,
    /// `session.writeLock.acquireTimeoutMs`, default 60 000.
    pub lock_timeout_ms: Sourced<Ms>,
    /// `session.maintenance.mode`; our default is warn.
    pub mode: Sourced<Mode>,
    /// `session.maintenance.pruneAfter` (or `pruneDays`), default 30 d.
    pub prune_after: Sourced<Limit<Ms>>,
    /// `session.maintenance.maxEntries`, default 500.
    pub max_entries: Sourced<Limit<u64>>,
    /// `session.maintenance.resetArchiveRetention`, default the value of `prune_after`.
    pub reset_retention: Sourced<Limit<Ms>>,
    /// `session.maintenance.maxDiskBytes`, default off.
    pub max_disk: Sourced<Limit<u64>>,
    /// `session.maintenance.highWaterBytes`, default 80 % of `max_disk` (0 counts as unset), clamped to it.
    pub high_water: Sourced<Limit<u64>>,
}

/// `cron.*`.
#[derive(Debug, Clone)]
pub struct CronSettings {
    /// `cron.store`, `~` expanded; default `<state>/cron/jobs.json`.
    pub store: Sourced<PathBuf>,
    /// `cron.sessionRetention`, default 24 h (bare numbers are hours).
    pub session_retention: Sourced<Limit<Ms>>,
    /// `cron.runLog.maxBytes`, default 2 000 000.
    pub run_log_max_bytes: Sourced<Limit<u64>>,
    /// `cron.runLog.keepLines`, default 2000.
    pub run_log_keep_lines: Sourced<Limit<u64>>,
}

/// `gateway.*` as far as finding the gateway goes.
#[derive(Debug, Clone)]
pub struct GatewaySettings {
    /// `gateway.mode`: `local`, `remote` or absent.
    pub mode: Option<Sourced<String>>,
    /// `gateway.port`, if a positive number.
    pub port: Option<Sourced<u16>>,
    /// `gateway.tls.enabled`.
    pub tls: bool,
    /// `gateway.remote.url`.
    pub remote_url: Option<Sourced<String>>,
}

/// Our own `<state>/clawkeep.json5`.
#[derive(Debug, Clone, Default)]
pub struct OwnSettings {
    /// `keep`: globs over session keys that no policy may take.
    pub keep: Vec<Sourced<String>>,
    /// `deletedRetention`: age at which `.deleted` archives are unlinked.
    pub deleted_retention: Option<Sourced<Limit<Ms>>>,
    /// `grace`: nothing younger is a victim.
    pub grace: Option<Sourced<Ms>>,
    /// `keepFree`: free space that `disk free` aims at without flags (`SIZE` or `P%`).
    pub keep_free: Option<Sourced<String>>,
    /// `archiveTo`: where verified compressed copies go before an unlink.
    pub archive_to: Option<Sourced<PathBuf>>,
    /// `maxRemove`: a pass that would take more stops.
    pub max_remove: Option<Sourced<super::policy::MaxRemove>>,
    /// `gatewayTokenFile`: as `--gateway-token-file`, for the gateway that the configuration names.
    pub gateway_token_file: Option<Sourced<PathBuf>>,
    /// `gatewayStateDir`: as `--gateway-state-dir`.
    pub gateway_state_dir: Option<Sourced<PathBuf>>,
}

/// Everything the program takes from configuration.
#[derive(Debug, Clone)]
pub struct Settings {
    /// `session.*`.
    pub session: SessionSettings,
    /// `cron.*`.
    pub cron: CronSettings,
    /// `agents.list[]`, normalised and de-duplicated, never empty (`main` if nothing is configured).
    pub agents: Vec<AgentEntry>,
    /// Id of the default agent.
    pub default_agent: String,
    /// `agents.defaults.contextTokens`.
    pub context_tokens: Option<Sourced<u64>>,
    /// `agents.defaults.model` (string or `primary`).
    pub default_model: Option<String>,
    /// `gateway.*`.
    pub gateway: GatewaySettings,
    /// `clawkeep.json5`.
    pub own: OwnSettings,
    /// Whether a configuration file was found.
    pub config_found: bool,
    /// Values of known keys that are invalid; mutating commands stop on any.
    pub problems: Vec<Problem>,
    /// Unknown keys that look misplaced, unset variables and other advice; never stops anything.
    pub warnings: Vec<String>,
}
