//! What lies in and beside the state folder, apart from sessions: places of older gateways, the cron store, registries,
//! memory of the workspace.

use std::ffi::OsString;
use std::path::PathBuf;

use super::fingerprint::Fingerprint;
use super::folder::FolderFacts;
use super::index::IndexState;

/// A file with its content.
#[derive(Debug, Clone)]
pub struct FileSeen {
    /// Real path.
    pub path: PathBuf,
    /// Its state when it was read.
    pub fp: Fingerprint,
    /// Its bytes, or why they could not be read.
    pub content: Result<Vec<u8>, String>,
}

impl FileSeen {
    /// Its text without a byte order mark, if it is UTF-8.
    pub fn text(&self) -> Option<&str> {
        let text = std::str::from_utf8(self.content.as_deref().ok()?).ok()?;
        Some(text.strip_prefix('\u{feff}').unwrap_or(text))
    }
}

/// A folder with the entries directly in it.
#[derive(Debug, Clone)]
pub struct DirSeen {
    /// Real path.
    pub path: PathBuf,
    /// Its state.
    pub fp: Fingerprint,
    /// Names, sorted, with the state of each.
    pub entries: Vec<(OsString, Fingerprint)>,
}

impl DirSeen {
    /// Whether something of that name is in it.
    pub fn has(&self, name: &std::ffi::OsStr) -> bool {
        self.entries.iter().any(|(n, _)| n == name)
    }
}

/// Sessions where gateways before agents kept them (`<state>/sessions`).
#[derive(Debug, Clone)]
pub struct LegacySessions {
    /// The folder.
    pub folder: FolderFacts,
    /// Its own state.
    pub fp: Fingerprint,
    /// The index in it.
    pub index: IndexState,
}

/// The state folder of the first gateways (`~/.clawdbot`).
#[derive(Debug, Clone, Default)]
pub enum OldStateDir {
    /// There is none, or a state folder was named.
    #[default]
    None,
    /// It is the state folder in use: there is no other.
    InUse(DirSeen),
    /// The newer one is there too, and this one holds something of its own.
    Beside(DirSeen),
    /// A link that leads elsewhere than to the state folder.
    Link {
        /// The link.
        path: PathBuf,
        /// Where it leads.
        to: PathBuf,
    },
    /// Something else of that name.
    NotAFolder(PathBuf),
}

/// A registry of sandbox containers in one file, as older gateways wrote it.
#[derive(Debug, Clone)]
pub struct RegistrySeen {
    /// `containers` or `browsers`: also the name of the folder of the newer form.
    pub kind: &'static str,
    /// The file.
    pub file: FileSeen,
    /// Names in the folder of the newer form; `None` if there is no such folder.
    pub shards: Option<Vec<OsString>>,
}

/// `MEMORY.md` and `memory.md` of the default workspace, both there and not the same file.
#[derive(Debug, Clone)]
pub struct MemorySplit {
    /// The workspace.
    pub workspace: PathBuf,
    /// `MEMORY.md`.
    pub canonical: FileSeen,
    /// `memory.md`.
    pub legacy: FileSeen,
    /// `.openclaw-repair` exists.
    pub repair_dir: bool,
    /// `.openclaw-repair/root-memory` exists.
    pub archive_dir: bool,
}

/// A file, and line numbers in it.
pub type FileLines = (OsString, Vec<u64>);

/// Everything of that.
#[derive(Debug, Clone, Default)]
pub struct StateSeen {
    /// Sessions of the time before agents.
    pub legacy_sessions: Option<LegacySessions>,
    /// `<state>/sessions`, if it is a link: what it leads to may be another installation's.
    pub sessions_link: Option<PathBuf>,
    /// What earlier migrations left: `<state>/sessions.legacy-<time>` and `agent.legacy-<time>` of the agents.
    pub left_behind: Vec<PathBuf>,
    /// `<state>/agent`.
    pub legacy_agent: Option<DirSeen>,
    /// `<state>/agents/<default>/agent`.
    pub agent_dir: Option<DirSeen>,
    /// Folders on the way to the default agent that are not there, the outer ones first.
    pub absent_dirs: Vec<PathBuf>,
    /// `~/.clawdbot`.
    pub old_state_dir: OldStateDir,
    /// The configuration in use, if it has the name of the first gateways and the state folder has none of today's.
    pub old_config: Option<FileSeen>,
    /// Main sessions in which only the heartbeat spoke: position of the store, row.
    pub heartbeat_mains: Vec<(usize, u32)>,
    /// Answers with the silent token and other text, by store: file and lines. Only when everything is read.
    pub silent_leaks: Vec<(usize, Vec<FileLines>)>,
    /// Prompts that stand twice, by store: file and lines of the copies. Only when everything is read.
    pub doubled_prompts: Vec<(usize, Vec<FileLines>)>,
    /// Files of the sessions folders that have a second name in a record of ours: position of the store, file, run.
    pub own_links: Vec<(usize, OsString, String)>,
    /// The cron store.
    pub cron: Option<FileSeen>,
    /// `jobs-state.json` beside it.
    pub cron_state: Option<FileSeen>,
    /// Where that file is looked for: the folder (canonical) of the cron store as it is named, and the name.
    pub cron_state_place: Option<(PathBuf, OsString)>,
    /// Sandbox registries in their old form.
    pub registries: Vec<RegistrySeen>,
    /// Two memory files.
    pub memory: Option<MemorySplit>,
    /// `MEMORY.md` and `memory.md` of the default workspace that are links, and where each leads.
    pub memory_links: Vec<(PathBuf, PathBuf)>,
    /// State folder and configuration that others than their owner can get at, with their permission bits.
    pub open_modes: Vec<(PathBuf, Fingerprint)>,
    /// What a newer gateway, or its migration, left beside the files of this one.
    pub newer: Vec<PathBuf>,
    /// Agent folders that the configuration does not list, and the newest write in their sessions folder (epoch ms).
    pub unlisted_agents: Vec<(String, Option<super::Ms>)>,
    /// The whole configuration, `${VAR}` as written.
    pub config: serde_json::Value,
}
