//! What fills the disk, as JSON.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::model::stores::Agent;
use crate::model::usage::VolumeUsage;
use crate::model::usage::{
    DiskFacts, Headroom, LargeFile, Reclaim, ReclaimWhen, StoreUsage, Tally, UsageClass, UsageOwner,
};
use crate::report::json::SCHEMA_VERSION;

/// The whole report. Fields that do not apply are left out.
pub fn value(disk: &DiskFacts, others: &[Agent]) -> Value {
    let groups: Vec<Value> = disk.usage.groups.iter().map(|(owner, classes)| group(owner, classes)).collect();
    let unreadable =
        disk.usage.unreadable.iter().map(|(path, why)| json!({"path": path.to_string_lossy(), "error": why}));
    json!({
        "schemaVersion": SCHEMA_VERSION,
        "stateDir": disk.state_dir.to_string_lossy(),
        "stateDirOrigin": crate::report::policy::origin_full(&disk.state_origin),
        "wholeState": disk.whole_state,
        "total": tally(&disk.usage.total()),
        "classes": classes(&disk.usage.by_class()),
        "groups": groups,
        "reclaimable": {
            "now": disk.reclaimable(ReclaimWhen::Now),
            "afterRetention": disk.reclaimable(ReclaimWhen::AfterRetention),
            "whenOld": disk.reclaimable(ReclaimWhen::WhenOld),
        },
        "stores": disk.stores.iter().map(store).collect::<Vec<_>>(),
        "volumes": disk.volumes.iter().map(volume).collect::<Vec<_>>(),
        "largest": disk.usage.largest.iter().map(large).collect::<Vec<_>>(),
        "notRegular": disk.usage.not_regular,
        "unreadable": unreadable.collect::<Vec<_>>(),
        "notLookedAt": not_looked_at(others),
    })
}

/// Agents that were not looked at.
pub fn not_looked_at(agents: &[Agent]) -> Value {
    agents.iter().map(|a| json!({"agentId": a.id, "configured": a.configured})).collect()
}

fn owner(owner: &UsageOwner) -> Value {
    match owner {
        UsageOwner::Agent(id) => json!({"agentId": id}),
        UsageOwner::Top(name) => json!({"folder": name}),
    }
}

fn group(of: &UsageOwner, by_class: &BTreeMap<UsageClass, Tally>) -> Value {
    let mut value = owner(of);
    value["total"] = tally(&crate::model::usage::sum(by_class.values()));
    value["classes"] = classes(by_class);
    value
}

fn classes(by_class: &BTreeMap<UsageClass, Tally>) -> Value {
    let one = |(class, sum): (&UsageClass, &Tally)| {
        let mut value = tally(sum);
        value["class"] = json!(class.id());
        value
    };
    Value::Array(by_class.iter().map(one).collect())
}

fn tally(tally: &Tally) -> Value {
    let mut value = json!({"files": tally.files, "bytes": tally.bytes, "allocatedBytes": tally.allocated});
    if let Some(at) = tally.oldest {
        value["oldest"] = json!(at);
    }
    value
}

fn store(store: &StoreUsage) -> Value {
    let mut value = json!({
        "agentId": store.agent_id,
        "storePath": store.store_path.to_string_lossy(),
        "absent": store.absent,
        "reclaimable": store.reclaim.iter().map(reclaim).collect::<Vec<_>>(),
        "notProbed": store.not_probed,
        "warnings": store.warnings,
    });
    let optional = [
        ("folder", store.folder.as_ref().map(|f| json!(f.to_string_lossy()))),
        ("rows", store.rows.map(|n| json!(n))),
        ("budget", store.headroom.as_ref().map(budget)),
        ("sharesFolderWith", store.shares_folder_with.as_ref().map(|a| json!(a))),
        ("error", store.error.as_ref().map(|e| json!(e))),
    ];
    for (key, field) in optional {
        if let Some(field) = field {
            value[key] = field;
        }
    }
    value
}

fn budget(headroom: &Headroom) -> Value {
    let mut value = json!({"usedBytes": headroom.used});
    if let Some((max, mark)) = headroom.limits {
        value["maxBytes"] = json!(max);
        value["highWaterBytes"] = json!(mark);
        value["leftBytes"] = json!(max.saturating_sub(headroom.used));
        value["over"] = json!(headroom.used > max);
    }
    value
}

fn reclaim(line: &Reclaim) -> Value {
    let mut value = json!({
        "when": line.when,
        "what": line.class.map_or("row", UsageClass::id),
        "reason": line.reason.id(),
        "rule": line.rule,
        "count": line.count,
        "bytes": line.bytes,
    });
    if let Some(at) = line.first_at {
        value["firstAt"] = json!(at);
    }
    value
}

/// A volume, with what is known about it.
pub fn volume(volume: &VolumeUsage) -> Value {
    let facts = &volume.facts;
    let mut value = json!({"path": volume.path.to_string_lossy(), "network": facts.network});
    for (key, figure) in
        [("freeBytes", facts.free_bytes), ("totalBytes", facts.total_bytes), ("freeInodes", facts.free_inodes)]
    {
        if let Some(figure) = figure {
            value[key] = json!(figure);
        }
    }
    value
}

fn large(file: &LargeFile) -> Value {
    let mut value = owner(&file.owner);
    value["path"] = json!(file.path.to_string_lossy());
    value["class"] = json!(file.class.id());
    value["bytes"] = json!(file.bytes);
    value["modified"] = json!(file.modified);
    value
}
