//! Agents that exist and that a command did not look at: said in every report, so that silence never means "none".

use super::plural::count;
use crate::model::stores::Agent;

/// `11 other agents not looked at: --all-agents`; `None` if there are none.
pub fn line(agents: &[Agent]) -> Option<String> {
    let flags =
        if agents.iter().any(|a| !a.configured) { "--all-agents --include-unconfigured" } else { "--all-agents" };
    (!agents.is_empty()).then(|| format!("{} not looked at: {flags}", count(agents.len() as u64, "other agent")))
}
