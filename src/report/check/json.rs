//! The check as JSON (docs/schema/sessions-check.json).

use serde_json::{Map, Value, json};

use super::input::{Report, command, connect_word, lock_word, writer_word};
use crate::model::check::CheckedStore;
use crate::model::finding::{Finding, Severity};
use crate::model::owner::{Connect, OwnerVerdict};
use crate::report::json::SCHEMA_VERSION;

/// The whole report as one value.
pub fn value(report: &Report<'_>) -> Value {
    let others: Vec<Value> =
        report.not_looked_at.iter().map(|a| json!({"agentId": a.id, "configured": a.configured})).collect();
    let findings: Vec<Value> =
        report.stores.iter().flat_map(|store| store.findings.iter().map(|f| finding(report, store, f))).collect();
    json!({
        "schemaVersion": SCHEMA_VERSION,
        "stateDir": report.state_dir.to_string_lossy(),
        "full": report.full,
        "clean": findings.is_empty() && report.stores.iter().all(|s| s.error.is_none()),
        "counts": {
            "error": report.count(Severity::Error),
            "warning": report.count(Severity::Warning),
            "info": report.count(Severity::Info),
        },
        "stores": report.stores.iter().map(store).collect::<Vec<_>>(),
        "notLookedAt": others,
        "findings": findings,
    })
}

fn store(store: &CheckedStore) -> Value {
    let state = match (&store.error, store.absent, store.rows) {
        (Some(_), ..) => "failed",
        (None, true, _) => "absent",
        (None, false, Some(_)) => "ok",
        (None, false, None) => "broken",
    };
    let mut out = Map::new();
    out.insert("agentId".into(), json!(store.agent_id));
    out.insert("path".into(), json!(store.path.to_string_lossy()));
    out.insert("state".into(), json!(state));
    optional(&mut out, "error", store.error.as_ref().map(|e| json!(e)));
    optional(&mut out, "folder", store.folder.as_ref().map(|f| json!(f.to_string_lossy())));
    optional(&mut out, "rows", store.rows.map(Value::from));
    optional(&mut out, "indexBytes", store.index_bytes.map(Value::from));
    out.insert("files".into(), json!(store.files));
    out.insert(
        "transcripts".into(),
        json!({"read": store.transcripts_read, "readWhole": store.transcripts_whole, "leftOut": store.not_read}),
    );
    let fields: Vec<Value> = store
        .fields
        .iter()
        .map(|f| json!({"name": f.name, "bytes": f.bytes, "rows": f.rows, "distinct": f.distinct}))
        .collect();
    out.insert("indexFields".into(), json!(fields));
    optional(&mut out, "owner", store.owner.as_ref().map(owner));
    Value::Object(out)
}

fn owner(verdict: &OwnerVerdict) -> Value {
    let e = &verdict.evidence;
    let locks: Vec<Value> = e
        .locks
        .iter()
        .map(|l| {
            json!({"path": l.path.to_string_lossy(), "generation": l.generation, "pid": l.pid,
                   "state": lock_word(&l.state), "foreign": l.foreign})
        })
        .collect();
    let mut out = json!({
        "writer": writer_word(verdict.writer),
        "why": verdict.why,
        "endpoint": e.endpoint,
        "endpointOrigin": e.endpoint_origin,
        "connect": connect_word(&e.connect),
        "locks": locks,
        "container": e.container,
        "networkFs": e.network_fs,
        "newestWriteAgeMs": e.newest_write_age,
        "remoteMode": e.remote_mode,
    });
    if let Connect::Unreachable(why) | Connect::NotTried(why) = &e.connect {
        out["connectDetail"] = json!(why);
    }
    out
}

fn finding(report: &Report<'_>, store: &CheckedStore, finding: &Finding) -> Value {
    let mut out = Map::new();
    out.insert("id".into(), json!(finding.id.id()));
    out.insert("severity".into(), json!(finding.severity.as_str()));
    out.insert("group".into(), json!(finding.id.group().as_str()));
    out.insert("agentId".into(), json!(store.agent_id));
    out.insert("storePath".into(), json!(store.path.to_string_lossy()));
    out.insert("path".into(), json!(finding.place.path.to_string_lossy()));
    optional(&mut out, "line", finding.place.line.map(Value::from));
    optional(&mut out, "offset", finding.place.offset.map(Value::from));
    optional(&mut out, "key", finding.place.key.as_ref().map(|k| json!(k)));
    out.insert("evidence".into(), json!(finding.evidence));
    out.insert("count".into(), json!(finding.count));
    out.insert("bytes".into(), json!(finding.bytes));
    optional(&mut out, "operand", finding.operand.as_ref().map(|o| json!(o)));
    out.insert("repair".into(), json!(finding.repair.map(|r| r.id())));
    optional(&mut out, "command", command(report.given, store, finding).map(Value::from));
    Value::Object(out)
}

fn optional(out: &mut Map<String, Value>, name: &str, value: Option<Value>) {
    if let Some(value) = value {
        out.insert(name.to_owned(), value);
    }
}
