//! Agents that exist only as a folder on disk.

use std::io;
use std::path::{Path, PathBuf};

use super::agent_id;
use super::store_path::INDEX_NAME;

use crate::order::Order as _;

/// A folder below an agents root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentFolder {
    /// Normalised id of its name.
    pub id: String,
    /// `<folder>/sessions/sessions.json`; may not exist.
    pub store_path: PathBuf,
    /// A real directory (not a link) with a `sessions` folder, and not another spelling of `main`: what may become a
    /// target. Everything else only counts for ownership.
    pub targetable: bool,
}

/// Every folder below `root`, sorted by name. Files and folders without any index or `sessions` folder are left out.
///
/// # Errors
/// The root exists but cannot be listed.
pub fn folders(root: &Path) -> io::Result<Vec<AgentFolder>> {
    let entries = match std::fs::read_dir(root) {
        Ok(entries) => entries,
        Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => return Ok(Vec::new()),
        Err(e) => return Err(e),
    };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry?;
        let kind = entry.file_type()?;
        if !kind.is_dir() && !kind.is_symlink() {
            continue;
        }
        let sessions = entry.path().join("sessions");
        let store_path = sessions.join(INDEX_NAME);
        if is_absent(&sessions) {
            continue;
        }
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let id = agent_id::normalize(&name);
        let other_main = id == agent_id::MAIN && !name.eq_ignore_ascii_case(agent_id::MAIN);
        let targetable = kind.is_dir() && sessions.is_dir() && !other_main;
        found.push(AgentFolder { id, store_path, targetable });
    }
    found.order_by(|a, b| a.store_path.cmp(&b.store_path));
    Ok(found)
}

/// Proven not to be there. A path that cannot be looked at is not absent.
pub(super) fn is_absent(path: &Path) -> bool {
    match path.symlink_metadata() {
        Ok(_) => false,
        Err(e) => matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory),
    }
}
