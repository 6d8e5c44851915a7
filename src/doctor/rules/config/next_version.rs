//! What the generation of 2026.9 makes of a configuration of 2026.5.

use serde_json::Value;

use crate::doctor::rule::{Check, Findings, Rule};
use crate::model::doctor::{ConfigFacts, Remedy, Version};
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "config-for-2026-9",
    severity: Severity::Info,
    since: Version(2026, 7, 0),
    what: "a setting means something else from 2026.7 to 2026.9 on",
    why: "Sessions move to SQLite, and with them limits get other defaults and meanings. One key that was tolerated until \
          then breaks every command.",
    fix: "rotateBytes is removed by its own rule; everything else is a choice: set the value that is wanted.",
    before: "",
    after: "",
    check: Check::Inspect(inspect),
};

/// Keys, whether the remark is about one that is set, and the remark.
const REMARKS: &[(&str, bool, &str)] = &[
    ("/session/maintenance/maxEntries", false, "not set: the limit becomes 5000 unarchived rows instead of 500 rows"),
    (
        "/session/maintenance/maxDiskBytes",
        false,
        "not set: a budget of 10gb comes into force, counted in physical bytes",
    ),
    (
        "/session/maintenance/resetArchiveRetention",
        false,
        "not set: archives of resets are kept for ever instead of pruneAfter",
    ),
    ("/session/writeLock", true, "is not used any more: SQLite locks for itself"),
    ("/cron/runLog", true, "is not used any more: runs are kept in the state database"),
    ("/cron/store", true, "is imported once and then left: jobs live in the state database"),
    ("/session/reset", false, "not set: sessions are no longer reset each day; compaction bounds the context"),
];

/// Keys that the gateway of 2026.9 refuses and that its own doctor moves; what is not among them is taken as it is.
const MOVED: &[&str] = &[
    "/agents/defaults/compaction/reserveTokensFloor",
    "/agents/defaults/compaction/truncateAfterCompaction",
    "/agents/defaults/imageGenerationModel",
    "/agents/defaults/memorySearch",
    "/audio/transcription",
    "/channels/defaults/heartbeat",
    "/cron/runLog",
    "/cron/webhook",
    "/messages/tts",
    "/plugins/bundledDiscovery",
    "/session/idleMinutes",
    "/session/maintenance/pruneDays",
    "/session/resetByType/dm",
    "/tools/media/audio/models",
];

fn inspect(facts: &ConfigFacts, out: &mut Findings) {
    let at = |pointer: &str| facts.root.pointer(pointer).filter(|value| !value.is_null());
    let dotted = |pointer: &str| pointer.trim_start_matches('/').replace('/', ".");
    // The rule that removes it tells of it, if it is asked.
    let stays = |pointer: &str| facts.migrated.pointer(pointer).is_some_and(|value| !value.is_null());
    if stays("/session/maintenance/rotateBytes") {
        let mut found = RULE
            .found("session.maintenance.rotateBytes", "is refused from then on: every command stops")
            .remedy(Remedy::Command("clawkeep doctor --fix --only session-rotate-bytes".to_owned()));
        found.severity = Severity::Error;
        out.push(found);
    }
    let moved: Vec<String> = MOVED.iter().filter(|pointer| stays(pointer)).map(|pointer| dotted(pointer)).collect();
    if let Some(first) = moved.first() {
        let message = "the gateway of 2026.9 does not start with these keys until its own doctor has moved them";
        let how = "run `openclaw doctor --fix` right after the update, before the gateway is started".to_owned();
        let mut found = RULE.found(first, message).remedy(Remedy::Manual(how));
        found.details = moved;
        out.push(found);
    }
    for (pointer, set, remark) in REMARKS {
        if at(pointer).map(Value::is_null).is_some() == *set {
            let manual = Remedy::Manual("set the value that is wanted before the update".to_owned());
            out.push(RULE.found(dotted(pointer), *remark).remedy(manual));
        }
    }
}
