//! Where the state lives and which stores a run looks at.

use std::path::PathBuf;

use super::sourced::Origin;

/// Resolved roots of one installation (spec/cleanup.md 1.1).
#[derive(Debug, Clone)]
pub struct Roots {
    /// Effective home: `OPENCLAW_HOME`, `HOME`, ... made absolute.
    pub home: PathBuf,
    /// State directory.
    pub state_dir: PathBuf,
    /// How the state directory was found.
    pub state_origin: Origin,
    /// The legacy folder `~/.clawdbot` is in use.
    pub legacy: bool,
    /// Configuration file; may not exist.
    pub config_path: PathBuf,
    /// How the configuration file was found.
    pub config_origin: Origin,
    /// Active profile, lower-cased; `None` for the default one.
    pub profile: Option<String>,
    /// Other state folders that exist beside the one in use (reports H6).
    pub other_state_dirs: Vec<PathBuf>,
}

/// An agent, by its normalised id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agent {
    /// Normalised id (lower case; spec 1.3).
    pub id: String,
    /// Listed in the configuration (or the implicit `main`); otherwise only a folder on disk.
    pub configured: bool,
}

/// How a store came to be a target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TargetOrigin {
    /// `--store`.
    StoreFlag,
    /// The default layout `<state>/agents/<id>/sessions/sessions.json`.
    DefaultLayout,
    /// The `session.store` template.
    Template(Origin),
    /// A folder on disk that no configuration names (`--include-unconfigured`).
    Unconfigured,
}

/// Which generation of the gateway owns the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Generation {
    /// `sessions.json` is the truth.
    Json,
    /// `agent/openclaw-agent.sqlite` exists: the JSON store is a leftover.
    Sqlite {
        /// The database.
        database: PathBuf,
    },
}

/// One store to work on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// Agent label: normalised id.
    pub agent_id: String,
    /// Absolute path of the index as resolved from flags and configuration, symlinks not followed.
    pub store_path: PathBuf,
    /// Why this is a target.
    pub origin: TargetOrigin,
    /// Generation of the agent.
    pub generation: Generation,
}

/// What a command looks at, and what it does not.
#[derive(Debug, Clone)]
pub struct Selection {
    /// Stores in configuration order, de-duplicated by path.
    pub targets: Vec<Target>,
    /// Agents that exist (configured or on disk) and are not among the targets.
    pub not_looked_at: Vec<Agent>,
    /// Every index path that can refer to files of the targets (SAFETY 1), targets included, without the `*.json`
    /// siblings that only a directory pass can find.
    pub set_paths: Vec<PathBuf>,
    /// Things the user should know about the selection (two agent ids that fold to one, several defaults).
    pub warnings: Vec<String>,
}

/// A reference from another store to a file of the folder at hand.
#[derive(Debug, Clone)]
pub struct MemberRef {
    /// Entry in [`super::folder::FolderFacts::entries`].
    pub file: u32,
    /// Key of the referring row.
    pub key: Box<str>,
    /// Which field leads there.
    pub via: super::index::Via,
}

/// One other store of the set, as far as the folder at hand is concerned.
#[derive(Debug, Clone)]
pub struct StoreMember {
    /// Path of its index.
    pub path: PathBuf,
    /// What reading it gave.
    pub state: MemberState,
}

/// Outcome of reading a member of the store set.
#[derive(Debug, Clone)]
pub enum MemberState {
    /// Read whole; these files of the folder are referred to.
    Read {
        /// Rows seen.
        rows: usize,
        /// References into the folder at hand.
        refs: Vec<MemberRef>,
    },
    /// No such file: refers to nothing.
    Absent,
    /// Could not be read or is damaged: ownership is incomplete.
    Failed(String),
}
