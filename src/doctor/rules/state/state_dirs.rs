//! Several state folders on one host.

use crate::doctor::rule::{Check, Findings, Rule};
use crate::model::doctor::{Remedy, StateFacts, Version};
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "state-dirs",
    severity: Severity::Warning,
    since: Version(2026, 5, 0),
    what: "there are several state folders",
    why: "A gateway that is started with another home, profile or variable writes a history of its own. Whoever cleans or \
          repairs the wrong one wonders why nothing changes.",
    fix: "Nothing: see which one the gateway uses (`clawkeep gateway status`), and name it with --state-dir.",
    before: "",
    after: "",
    check: Check::State(check),
};

fn check(facts: &StateFacts, out: &mut Findings) {
    if facts.roots.other_state_dirs.is_empty() {
        return;
    }
    let mut found =
        RULE.found("state folder", "others are there beside the one in use").at(facts.roots.state_dir.clone());
    found.details = facts.roots.other_state_dirs.iter().map(|p| p.display().to_string()).collect();
    out.push(found.remedy(Remedy::Manual("make sure that the gateway uses this one".to_owned())));
}
