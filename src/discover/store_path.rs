//! The path of an agent's index (spec 1.4).

use std::path::{Path, PathBuf};

use super::home;
use crate::model::stores::Roots;

/// Name of the index in the default layout.
pub const INDEX_NAME: &str = "sessions.json";
/// Placeholder for the agent id in `session.store` and `--store`.
pub const PLACEHOLDER: &str = "{agentId}";

/// `<state>/agents/<id>/sessions/sessions.json`.
pub fn default_path(roots: &Roots, agent_id: &str) -> PathBuf {
    agents_dir(roots).join(agent_id).join("sessions").join(INDEX_NAME)
}

/// `<state>/agents`.
pub fn agents_dir(roots: &Roots) -> PathBuf {
    roots.state_dir.join("agents")
}

/// A `session.store` template or `--store` value for one agent: every `{agentId}` replaced, a leading `~` is the
/// effective home, then absolute. Nothing is trimmed, no other variable is known.
pub fn expand(template: &str, agent_id: &str, roots: &Roots, cwd: &Path) -> PathBuf {
    let text = template.replace(PLACEHOLDER, agent_id);
    home::user_path(text.as_ref(), &roots.home, cwd)
}

/// Folder of the agent if the store lies in its `sessions` folder (`<agent>/sessions/<file>`).
pub fn agent_dir(store: &Path) -> Option<&Path> {
    let sessions = store.parent()?;
    (sessions.file_name()? == "sessions").then(|| sessions.parent()).flatten()
}

/// Folder that holds the agents, if the store has the shape `<agents>/<id>/sessions/sessions.json` and that folder is
/// called `agents`: what the gateway itself would search.
pub fn agents_root(store: &Path) -> Option<&Path> {
    let root = agent_dir(store)?.parent()?;
    (store.file_name()? == INDEX_NAME && root.file_name()? == "agents").then_some(root)
}
