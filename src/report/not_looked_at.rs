//! Agents that exist and that a command did not look at: said in every report, so that silence never means "none".

use super::escape;
use super::plural::count;
use crate::model::stores::Agent;

/// Names that are said; of more agents only the number is.
const NAMED: usize = 5;

/// `2 other agents not looked at (ops, work): --all-agents`; `None` if there are none.
pub fn line(agents: &[Agent]) -> Option<String> {
    let flags =
        if agents.iter().any(|a| !a.configured) { "--all-agents --include-unconfigured" } else { "--all-agents" };
    let names: Vec<_> = agents.iter().take(NAMED).map(|a| escape::line(&a.id)).collect();
    let more = if agents.len() > NAMED { ", ..." } else { "" };
    let others = count(agents.len() as u64, "other agent");
    (!agents.is_empty()).then(|| format!("{others} not looked at ({}{more}): {flags}", names.join(", ")))
}
