//! `disk free` as JSON.

use serde_json::{Value, json};

use super::json::{not_looked_at, volume};
use crate::model::freeing::{FreeGoal, FreeReport, FreedItem, FreedStore};
use crate::report::json::SCHEMA_VERSION;

/// The whole report. Fields that do not apply are left out.
pub fn value(report: &FreeReport) -> Value {
    let mut value = json!({
        "schemaVersion": SCHEMA_VERSION,
        "dryRun": report.dry_run,
        "declined": report.declined,
        "goal": goal(report),
        "reached": report.reached(),
        "bytesFreedNow": if report.dry_run { 0 } else { report.gained() },
        "plannedBytes": report.stores.iter().flat_map(|s| &s.items).map(|i| i.bytes).sum::<u64>(),
        "shortfallBytes": report.missing,
        "bytesFreedLater": report.stores.iter().map(|s| s.later).sum::<u64>(),
        "heldArchives": {"files": report.held_archives().0, "bytes": report.held_archives().1},
        "volumeBefore": volume(&report.before),
        "stores": report.stores.iter().map(store).collect::<Vec<_>>(),
        "notLookedAt": not_looked_at(&report.not_looked_at),
    });
    if let Some(after) = &report.after {
        value["volumeAfter"] = volume(after);
    }
    value
}

fn goal(report: &FreeReport) -> Value {
    let mut value = match report.goal {
        FreeGoal::Need(bytes) => json!({"kind": "need", "bytes": bytes}),
        FreeGoal::KeepFree(bytes) => json!({"kind": "keep-free", "bytes": bytes}),
        FreeGoal::KeepFreePercent(percent) => json!({"kind": "keep-free", "percent": percent}),
        FreeGoal::ToBudget => json!({"kind": "to-budget"}),
    };
    value["origin"] = json!(report.goal_origin);
    if let Some(wanted) = report.wanted {
        value["wantedBytes"] = json!(wanted);
    }
    value
}

fn store(store: &FreedStore) -> Value {
    let in_the_way = store
        .in_the_way
        .iter()
        .map(|k| json!({"reason": k.reason, "explain": k.explain, "files": k.files, "bytes": k.bytes}));
    let mut value = json!({
        "agentId": store.agent_id,
        "storePath": store.store_path.to_string_lossy(),
        "items": store.items.iter().map(item).collect::<Vec<_>>(),
        "inTheWay": in_the_way.collect::<Vec<_>>(),
        "bytesFreedLater": store.later,
        "heldArchives": {"files": store.held_archives.0, "bytes": store.held_archives.1},
        "warnings": store.warnings,
    });
    for (key, text) in [("runId", &store.run_id), ("skipped", &store.skipped), ("error", &store.error)] {
        if let Some(text) = text {
            value[key] = json!(text);
        }
    }
    if !store.hints.is_empty() {
        value["hints"] = json!(store.hints);
    }
    value
}

fn item(item: &FreedItem) -> Value {
    let mut value = json!({
        "kind": item.kind,
        "name": item.name.to_string_lossy(),
        "bytes": item.bytes,
        "outcome": item.outcome,
    });
    if let Some(why) = &item.why {
        value["why"] = json!(why);
    }
    value
}
