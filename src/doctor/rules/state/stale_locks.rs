//! Locks of processes that are proven dead.

use crate::doctor::rule::{Check, Findings, Rule};
use crate::model::doctor::{FolderFix, Remedy, StateFacts, Version};
use crate::model::effect::{Effect, FileRef};
use crate::model::finding::Severity;
use crate::model::probe::LockState;
use crate::order::Order as _;

/// The rule.
pub const RULE: Rule = Rule {
    id: "stale-locks",
    severity: Severity::Warning,
    since: Version(2026, 5, 0),
    what: "transcripts are locked by processes that are dead",
    why: "The gateway waits for the lock of a transcript up to a minute, then says that the session is busy. A lock whose \
          process is gone makes the agent mute in that session until somebody removes the file.",
    fix: "Takes the lock files away whose owner is proven dead. Where that cannot be told (another host, another container, \
          a process that may not be looked at) the lock counts as held.",
    before: "",
    after: "",
    check: Check::State(check),
};

fn check(facts: &StateFacts, out: &mut Findings) {
    for (at, store) in facts.stores.iter().enumerate() {
        let Some(seen) = &store.facts else { continue };
        let folder = seen.seen.folder();
        let mut dead: Vec<_> = seen
            .probes
            .locks
            .iter()
            .filter_map(|(file, state)| match state {
                LockState::Dead { why, .. } => Some((&folder.entries[*file as usize], why)),
                _ => None,
            })
            .collect();
        if dead.is_empty() {
            continue;
        }
        dead.order_by(|a, b| a.0.name.cmp(&b.0.name));
        let count = crate::report::plural::count(dead.len() as u64, "lock");
        let mut found =
            RULE.found(&store.target.agent_id, format!("{count} of dead processes")).at(folder.path.clone());
        found.details = dead.iter().map(|(file, why)| format!("{}: {why}", file.name.display())).collect();
        let stow = |file: FileRef| Effect::Stow { file };
        let effects =
            dead.iter().map(|(file, _)| stow(FileRef { name: file.name.to_os_string(), fp: file.fp })).collect();
        let fixes = vec![FolderFix { folder: folder.path.clone(), effects, store: Some(at) }];
        out.push(found.remedy(Remedy::Effects { what: "takes them away".to_owned(), fixes, flag: None }));
    }
}
