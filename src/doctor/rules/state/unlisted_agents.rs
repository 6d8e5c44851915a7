//! Agent folders that the configuration does not list.

use crate::doctor::rule::{Check, Findings, Rule};
use crate::model::DAY;
use crate::model::doctor::{Remedy, StateFacts, Version};
use crate::model::finding::Severity;
use crate::units::time;

/// The rule.
pub const RULE: Rule = Rule {
    id: "unlisted-agents",
    severity: Severity::Warning,
    since: Version(2026, 5, 0),
    what: "agents on disk are not in agents.list",
    why: "Routing and models of such an agent are ignored, and no cleanup of all agents reaches its sessions. It may still \
          be in use: installs that got a named default agent go on writing to agents/main.",
    fix: "Nothing: list the agent again, or remove its folder when nothing in it is needed. \
          --include-unconfigured makes commands look at it.",
    before: "",
    after: "",
    check: Check::State(check),
};

fn check(facts: &StateFacts, out: &mut Findings) {
    for (agent, newest) in &facts.seen.unlisted_agents {
        let in_use = newest.is_some_and(|at| facts.now - at < 7 * DAY);
        let message = match newest {
            Some(at) => format!("its sessions were last written {}", time::ago(facts.now, *at)),
            None => "it has no sessions".to_owned(),
        };
        let mut found = RULE.found(agent, message).at(facts.roots.state_dir.join("agents").join(agent));
        let how = if in_use {
            "it is in use: list it in agents.list"
        } else {
            found.severity = Severity::Info;
            "list it in agents.list if it is still an agent"
        };
        out.push(found.remedy(Remedy::Manual(how.to_owned())));
    }
}
