//! A main session in which only the heartbeat spoke.

use crate::doctor::rule::{Check, Findings, Rule};
use crate::doctor::rules::state::session_keys;
use crate::doctor::rules::support::rows::{self, Changes};
use crate::model::check::Seen;
use crate::model::doctor::{FolderFix, Remedy, StateFacts, Version};
use crate::model::effect::Effect;
use crate::model::finding::Severity;
use crate::units::time;

/// The rule.
pub const RULE: Rule = Rule {
    id: "heartbeat-main",
    severity: Severity::Warning,
    since: Version(2026, 5, 0),
    what: "the main session belongs to the heartbeat",
    why: "Gateways of earlier versions let the heartbeat write into the main session before anybody had said a word there. \
          The first message of the user then lands in the middle of polls, with their routing.",
    fix: "Gives the row another key, so that the next message begins a session of its own. The transcript stays, and the \
          row leads to it.",
    before: "{ \"agent:main:main\": { \"sessionId\": \"a\" } }",
    after: "{ \"agent:main:heartbeat-recovered-2026-05-01t00-00-00.000z\": { \"sessionId\": \"a\" } }",
    check: Check::State(check),
};

fn check(facts: &StateFacts, out: &mut Findings) {
    for (at, row) in &facts.seen.heartbeat_mains {
        let store = &facts.stores[*at];
        let Some(Seen::Whole(whole)) = store.facts.as_ref().map(|f| &f.seen) else { continue };
        let index = &whole.index;
        let main = session_keys::keys(facts, store).main();
        let stamp = time::iso(facts.now).replace(':', "-").to_lowercase();
        let base = format!("agent:{}:heartbeat-recovered-{stamp}", store.target.agent_id);
        let taken = |key: &str| index.rows.iter().any(|r| index.key(r) == key);
        let key = std::iter::once(base.clone()).chain((2..=100).map(|n| format!("{base}-{n}"))).find(|key| !taken(key));
        let Some(key) = key else { continue };
        let mut changes = Changes::of(index);
        changes.set(*row, key.clone(), rows::value(index, &index.rows[*row as usize]).to_vec());
        let effects = vec![Effect::SwapIndex(changes.into_swap())];
        let fixes = vec![FolderFix { folder: whole.folder.path.clone(), effects, store: Some(*at) }];
        let found = RULE.found(&main, "only the heartbeat spoke in it").at(store.target.store_path.clone());
        let what = format!("calls the row {key}");
        out.push(found.remedy(Remedy::Effects { what, fixes, flag: None }));
    }
}
