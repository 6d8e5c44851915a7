//! Heartbeat belongs under agents.defaults and channels.defaults.

use serde_json::Value;

use crate::doctor::rule::{Check, Notes, Rule};
use crate::doctor::value::{Object, can_ensure, ensure, merge_missing, object, take};
use crate::model::doctor::Version;
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "heartbeat-root",
    severity: Severity::Error,
    since: Version(2026, 5, 0),
    what: "heartbeat belongs under agents.defaults and channels.defaults",
    why: "What is shown of a heartbeat is a matter of channels, the rest one of agents. The gateway \
          refuses a configuration with this key and does not start.",
    fix: "Moves showOk, showAlerts and useIndicator to channels.defaults.heartbeat and everything else \
          to agents.defaults.heartbeat; values that are there win.",
    before: "{ heartbeat: { every: \"30m\", showOk: true } }",
    after: "{ agents: { defaults: { heartbeat: { every: \"30m\" } } }, channels: { defaults: { heartbeat: { showOk: true } } } }",
    check: Check::Migrate(migrate),
};

/// What belongs to channels.
const SHOWN: [&str; 3] = ["showOk", "showAlerts", "useIndicator"];
/// Where the two halves belong.
const TARGETS: [[&str; 3]; 2] = [["agents", "defaults", "heartbeat"], ["channels", "defaults", "heartbeat"]];

fn migrate(root: &mut Value, notes: &mut Notes) {
    let Some(old) = object(root, &["heartbeat"]).cloned() else { return };
    let (shown, agent): (Object, Object) = old.into_iter().partition(|(key, _)| SHOWN.contains(&key.as_str()));
    let halves = [(agent, "heartbeat", "agents"), (shown, "heartbeat visibility", "channels")];
    if (0..2).any(|at| !halves[at].0.is_empty() && !can_ensure(root, &TARGETS[at])) {
        notes.leave(
            "something that is no object is in the way of agents.defaults.heartbeat or channels.defaults.heartbeat",
        );
        return;
    }
    take(root, &["heartbeat"]);
    if halves.iter().all(|(half, ..)| half.is_empty()) {
        notes.change("Removed empty top-level heartbeat.");
        return;
    }
    for (at, (half, what, owner)) in halves.into_iter().enumerate() {
        if half.is_empty() {
            continue;
        }
        let there = object(root, &TARGETS[at]).is_some();
        if let Some(target) = ensure(root, &TARGETS[at]) {
            merge_missing(target, half);
        }
        notes.change(match there {
            false => format!("Moved {what} \u{2192} {owner}.defaults.heartbeat."),
            true => format!(
                "Merged {what} \u{2192} {owner}.defaults.heartbeat (filled missing fields from legacy; kept explicit {owner}.defaults values)."
            ),
        });
    }
}
