//! Who may write to the state.

use crate::doctor::rule::{Check, Findings, Rule};
use crate::model::doctor::{Remedy, StateFacts, Version};
use crate::model::finding::Severity;
use crate::model::owner::Writer;

/// The rule.
pub const RULE: Rule = Rule {
    id: "owner",
    severity: Severity::Info,
    since: Version(2026, 5, 0),
    what: "a gateway owns the state, or whether one does cannot be told",
    why: "A running gateway keeps its index in memory and writes it whole: a change beside it is lost, or takes rows with \
          it. So fixes of the state wait until it is stopped; those of the configuration do not.",
    fix: "Nothing: stop the gateway and run the doctor again.",
    before: "",
    after: "",
    check: Check::State(check),
};

fn check(facts: &StateFacts, out: &mut Findings) {
    let what = match facts.owner.writer {
        Writer::Offline | Writer::Foreign => return,
        Writer::Owns => "a gateway owns this state",
        Writer::Unknown => "whether a gateway owns this state cannot be told",
    };
    let found = RULE.found("gateway", format!("{what}: {}", facts.owner.why));
    out.push(found.remedy(Remedy::Command("clawkeep gateway status".to_owned())));
}
