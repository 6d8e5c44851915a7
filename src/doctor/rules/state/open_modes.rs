//! State folder and configuration that others can get at.

use crate::doctor::rule::{Check, Findings, Rule};
use crate::doctor::rules::support::folders;
use crate::model::doctor::{Remedy, StateFacts, Version};
use crate::model::effect::{Effect, FileRef};
use crate::model::finding::Severity;
use crate::model::fingerprint::Kind;

/// The rule.
pub const RULE: Rule = Rule {
    id: "open-modes",
    severity: Severity::Warning,
    since: Version(2026, 5, 0),
    what: "others than the owner can get at state or configuration",
    why: "The configuration holds tokens, and the state whole conversations. On a host with other users or services, group \
          and world bits are read by them. A gateway that is run by another user of the group needs them, so they are \
          never changed unasked.",
    fix: "Nothing unless --modes is given; then group and world rights go.",
    before: "",
    after: "",
    check: Check::State(check),
};

fn check(facts: &StateFacts, out: &mut Findings) {
    for (path, fp) in &facts.seen.open_modes {
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { continue };
        let what = if fp.kind == Kind::Dir { "the state folder" } else { "the configuration" };
        let who = match (fp.mode & 0o007 != 0, fp.mode & 0o070 != 0) {
            (true, _) => "everybody",
            (false, _) => "the group",
        };
        let message = format!("{what} has mode {:03o}: {who} can get at it", fp.mode & 0o777);
        let mut found = RULE.found(name.to_string_lossy(), message).at(path.clone());
        // Shared with a group on purpose: that is what the setgid bit is for.
        let shared = fp.mode & 0o2000 != 0 && fp.mode & 0o007 == 0;
        if shared {
            found.severity = Severity::Info;
        }
        let file = FileRef { name: name.to_owned(), fp: *fp };
        let effects = vec![Effect::SetMode { file, mode: fp.mode & 0o7700 }];
        let remedy = Remedy::Effects {
            what: "takes the rights of others".to_owned(),
            fixes: vec![folders::fix(folder, effects)],
            flag: Some("--modes"),
        };
        out.push(found.remedy(remedy));
    }
}
