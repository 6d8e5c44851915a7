//! Compaction settings that compact too early, or not when they seem to.

use serde_json::Value;

use crate::doctor::rule::{Check, Findings, Rule};
use crate::model::doctor::{Remedy, StateFacts, Version};
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "early-compaction",
    severity: Severity::Warning,
    since: Version(2026, 5, 0),
    what: "compaction settings do not fit the context window",
    why: "The gateway compacts when the context is larger than the window less reserveTokens (at least \
          reserveTokensFloor, 20000 unless set). A reserve near the window compacts at every turn; kept tokens above what is \
          left make a compaction that frees nothing; maxActiveTranscriptBytes does nothing without \
          truncateAfterCompaction.",
    fix: "Nothing: which window the model has is for you to say. Lower the reserve or the kept tokens.",
    before: "",
    after: "",
    check: Check::State(check),
};

/// The floor of the gateway.
const FLOOR: u64 = 20_000;

fn check(facts: &StateFacts, out: &mut Findings) {
    let Some(compaction) = facts.seen.config.pointer("/agents/defaults/compaction") else { return };
    let number = |key: &str| compaction.get(key).and_then(Value::as_u64);
    let mut say = |key: &str, message: String| {
        let found = RULE.found(format!("agents.defaults.compaction.{key}"), message);
        out.push(found.remedy(Remedy::Manual("see docs/DOCTOR.md, early-compaction".to_owned())));
    };
    let on = |value: Option<&Value>| {
        value.is_some_and(|v| !matches!(v, Value::Null | Value::Bool(false)) && v != 0 && v != "0")
    };
    if on(compaction.get("maxActiveTranscriptBytes"))
        && compaction.get("truncateAfterCompaction").and_then(Value::as_bool) != Some(true)
    {
        say("maxActiveTranscriptBytes", "it has no effect while truncateAfterCompaction is not true".to_owned());
    }
    let Some(window) = facts.settings.context_tokens.as_ref().map(|w| w.value) else { return };
    let floor = number("reserveTokensFloor").unwrap_or(FLOOR);
    let reserve = number("reserveTokens").unwrap_or(0).max(floor);
    if reserve.saturating_mul(2) >= window {
        let left = window.saturating_sub(reserve);
        say(
            "reserveTokens",
            format!("{reserve} of a window of {window} tokens are kept free: compaction begins at {left}"),
        );
    }
    if let Some(keep) = number("keepRecentTokens").filter(|keep| *keep >= window.saturating_sub(reserve)) {
        say(
            "keepRecentTokens",
            format!(
                "{keep} tokens stay, and compaction begins at {}: it frees nothing",
                window.saturating_sub(reserve)
            ),
        );
    }
    let soft = compaction.pointer("/memoryFlush/softThresholdTokens").and_then(Value::as_u64);
    if let Some(soft) = soft
        .filter(|soft| soft.saturating_add(reserve).saturating_mul(2) >= window && reserve.saturating_mul(2) < window)
    {
        say(
            "memoryFlush.softThresholdTokens",
            format!("memory is written {soft} tokens before compaction: from less than half of the window on"),
        );
    }
}
