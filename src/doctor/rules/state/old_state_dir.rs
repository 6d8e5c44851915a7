//! `~/.clawdbot`, the state folder of the first gateways.

use crate::doctor::rule::{Check, Findings, Rule};
use crate::doctor::rules::support::folders;
use crate::model::doctor::{Remedy, StateFacts, Version};
use crate::model::effect::{DirLink, Effect, MoveDir};
use crate::model::finding::Severity;
use crate::model::state_seen::{DirSeen, OldStateDir};

/// The rule.
pub const RULE: Rule = Rule {
    id: "old-state-dir",
    severity: Severity::Warning,
    since: Version(2026, 5, 0),
    what: "the state lies in the folder of the first gateways",
    why: "The gateway uses ~/.openclaw and falls back to ~/.clawdbot only as long as the other is not there: the first \
          program that makes ~/.openclaw hides every session.",
    fix: "Renames the folder and leaves a link under the old name. If both are there, nothing is done: which of two \
          histories is the right one is for a person to say.",
    before: "~/.clawdbot/agents/main/sessions/sessions.json",
    after: "~/.openclaw/agents/main/sessions/sessions.json  ~/.clawdbot -> ~/.openclaw",
    check: Check::State(check),
};

fn check(facts: &StateFacts, out: &mut Findings) {
    let new = facts.roots.home.join(".openclaw");
    match &facts.seen.old_state_dir {
        OldStateDir::None => {}
        OldStateDir::InUse(dir) => {
            let found = RULE.found(".clawdbot", "the state is still in the old folder").at(dir.path.clone());
            out.push(found.remedy(rename(dir, &new)));
        }
        OldStateDir::Beside(dir) => {
            let how = format!("look at both; then merge {} into {} or remove it", dir.path.display(), new.display());
            let found = RULE.found(".clawdbot", "an old state folder beside the one in use").at(dir.path.clone());
            out.push(found.remedy(Remedy::Manual(how)));
        }
        OldStateDir::Link { path, to } => {
            let found = RULE.found(".clawdbot", format!("it leads to {}", to.display())).at(path.clone());
            out.push(found.remedy(Remedy::Manual("let it lead to the state folder in use, or remove it".to_owned())));
        }
        OldStateDir::NotAFolder(path) => {
            let found = RULE.found(".clawdbot", "it is no folder").at(path.clone());
            out.push(found.remedy(Remedy::Manual("nothing reads it; remove it if it is not needed".to_owned())));
        }
    }
}

fn rename(dir: &DirSeen, new: &std::path::Path) -> Remedy {
    let Some(home) = dir.path.parent() else { return Remedy::None };
    let to = home.join(new.file_name().unwrap_or_default());
    let moved = MoveDir { from: dir.path.clone(), fp: dir.fp, to, link: DirLink::Leave };
    let fixes = vec![folders::fix(home, vec![Effect::MoveDir(moved)])];
    Remedy::Effects { what: "renames it and leaves a link".to_owned(), fixes, flag: None }
}
