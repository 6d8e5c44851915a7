//! The configuration under the name of the first gateways.

use crate::doctor::rule::{Check, Findings, Rule};
use crate::doctor::rules::support::folders;
use crate::model::doctor::{Remedy, StateFacts, Version};
use crate::model::effect::Effect;
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "old-config-name",
    severity: Severity::Warning,
    since: Version(2026, 5, 0),
    what: "the configuration is called clawdbot.json",
    why: "The gateway reads openclaw.json and looks for the old name only if that is not there: the first program that \
          writes openclaw.json hides every setting.",
    fix: "Copies the file to the new name; the old one stays beside it, and is not read any more.",
    before: "clawdbot.json",
    after: "openclaw.json",
    check: Check::State(check),
};

fn check(facts: &StateFacts, out: &mut Findings) {
    let Some(old) = &facts.seen.old_config else { return };
    // When the whole folder moves, the copy comes to be in it all the same: a link has the name that is used here.
    // A copy: a second name of one file would keep every later edit from being made.
    let remedy = match &old.content {
        Ok(content) => {
            let mode = old.fp.mode & 0o777;
            let effect = Effect::Create { to: "openclaw.json".into(), content: content.clone(), mode };
            let fixes = vec![folders::fix(&facts.roots.state_dir, vec![effect])];
            Remedy::Effects { what: "gives it the new name".to_owned(), fixes, flag: None }
        }
        Err(why) => Remedy::Manual(format!("it cannot be read: {why}")),
    };
    let found = RULE.found("clawdbot.json", "the gateway reads it only as long as there is no openclaw.json");
    out.push(found.at(old.path.clone()).remedy(remedy));
}
