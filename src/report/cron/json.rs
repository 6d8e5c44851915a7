//! Cron reports as JSON. Fields that do not apply are left out; a limit that is off is `null`.

use serde_json::{Value, json};

use crate::model::cron::RunLogLimits;
use crate::model::cron::{
    CronFacts, CronPrune, Ending, JobStanding, JobStatus, LogTrim, PrunedLogs, PrunedStore, RunLog,
};
use crate::model::stores::Agent;
use crate::report::json::SCHEMA_VERSION;
use crate::report::policy::origin_full;

/// `cron status`.
pub fn status(cron: &CronFacts, not_looked_at: &[Agent]) -> Value {
    let stores = cron.stores.iter().map(|(agent, path, error)| {
        let mut value = json!({"agentId": agent, "storePath": path.to_string_lossy()});
        put(&mut value, "error", error.as_ref());
        value
    });
    let mut value = json!({
        "schemaVersion": SCHEMA_VERSION,
        "jobsPath": cron.jobs_path.to_string_lossy(),
        "jobsOrigin": origin_full(&cron.jobs_origin),
        "runsDir": cron.runs_dir.to_string_lossy(),
        "sessionRetention": {"value": cron.retention.value.at(), "origin": origin_full(&cron.retention.origin)},
        "runLog": limits(&cron.limits),
        "jobs": cron.jobs.iter().map(|j| job(j, &cron.limits)).collect::<Vec<_>>(),
        "stores": stores.collect::<Vec<_>>(),
        "notLookedAt": agents(not_looked_at),
    });
    put(&mut value, "jobsProblem", cron.jobs_problem.as_ref());
    value
}

fn agents(agents: &[Agent]) -> Value {
    agents.iter().map(|a| json!({"agentId": a.id, "configured": a.configured})).collect()
}

fn limits(limits: &RunLogLimits) -> Value {
    json!({
        "maxBytes": {"value": limits.max_bytes.value.at(), "origin": origin_full(&limits.max_bytes.origin)},
        "keepLines": {"value": limits.keep_lines.value.at(), "origin": origin_full(&limits.keep_lines.origin)},
    })
}

fn job(job: &JobStatus, limits: &RunLogLimits) -> Value {
    let mut runs = json!({"count": job.runs.count, "expired": job.runs.expired});
    put(&mut runs, "oldest", job.runs.oldest);
    let mut value = json!({
        "id": job.id,
        "standing": job.standing,
        "baseKeys": job.base_keys,
        "runs": runs,
    });
    if let Some(of) = &job.log {
        let mut one = log(of);
        one["overBytes"] = json!(of.over_bytes(limits));
        one["overLines"] = json!(of.over_lines(limits));
        value["log"] = one;
    }
    value
}

fn log(log: &RunLog) -> Value {
    let mut value = json!({"path": log.path.to_string_lossy(), "bytes": log.fp.size, "modified": log.fp.mtime_ms()});
    put(&mut value, "lines", log.lines);
    put(&mut value, "error", log.error.as_ref());
    value
}

fn put(value: &mut Value, key: &str, field: Option<impl serde::Serialize>) {
    if let Some(field) = field {
        value[key] = json!(field);
    }
}

/// `cron prune`.
pub fn prune(prune: &CronPrune, not_looked_at: &[Agent]) -> Value {
    let done = prune.stores.iter().flat_map(|s| &s.rows).filter(|r| matches!(r.ending.word, "planned" | "done"));
    json!({
        "schemaVersion": SCHEMA_VERSION,
        "mode": prune.mode.value.as_str(),
        "modeSource": origin_full(&prune.mode.origin),
        "dryRun": prune.dry_run,
        "applied": !prune.planned_only,
        "sessionRetention": {"value": prune.retention.value.at(), "origin": origin_full(&prune.retention.origin)},
        "cronPruned": done.count(),
        "stores": prune.stores.iter().map(store).collect::<Vec<_>>(),
        "runLogs": logs(prune),
        "notLookedAt": agents(not_looked_at),
    })
}

fn store(store: &PrunedStore) -> Value {
    let rows = store.rows.iter().map(|row| {
        let mut value = json!({"key": row.key, "reason": row.reason});
        end(&mut value, &row.ending);
        value
    });
    let mut value = json!({
        "agentId": store.agent_id,
        "storePath": store.store_path.to_string_lossy(),
        "beforeCount": store.before,
        "afterCount": store.after,
        "rows": rows.collect::<Vec<_>>(),
        "files": store.files,
        "fileBytes": store.file_bytes,
        "warnings": store.warnings,
    });
    put(&mut value, "runId", store.run_id.as_ref());
    put(&mut value, "skipped", store.skipped.as_ref());
    put(&mut value, "error", store.error.as_ref());
    put(&mut value, "hints", Some(&store.hints).filter(|h| !h.is_empty()));
    value
}

fn end(value: &mut Value, ending: &Ending) {
    value["outcome"] = json!(ending.word);
    put(value, "why", ending.why.as_ref());
}

fn logs(prune: &CronPrune) -> Value {
    let PrunedLogs { trims, of_gone_jobs, unreadable, run_id, error, hints, warnings } = &prune.logs;
    let mut value = json!({
        "dir": prune.runs_dir.to_string_lossy(),
        "limits": limits(&prune.limits),
        "trimmed": trims.iter().map(|(t, e)| trimmed(t, e)).collect::<Vec<_>>(),
        "ofDeletedJobs": of_gone_jobs.iter().map(log).collect::<Vec<_>>(),
        "unreadable": unreadable.iter().map(|(path, why)| json!({"path": path.to_string_lossy(), "error": why})).collect::<Vec<_>>(),
        "warnings": warnings,
    });
    put(&mut value, "runId", run_id.as_ref());
    put(&mut value, "error", error.as_ref());
    put(&mut value, "hints", Some(hints).filter(|h| !h.is_empty()));
    value
}

fn trimmed(trim: &LogTrim, ending: &Ending) -> Value {
    let mut value = json!({
        "job": trim.log.job,
        "path": trim.log.path.to_string_lossy(),
        "bytesBefore": trim.log.fp.size,
        "bytesAfter": trim.log.fp.size - trim.from,
        "linesAfter": trim.keep_lines,
    });
    put(&mut value, "linesBefore", trim.log.lines);
    end(&mut value, ending);
    value
}

/// Word of a standing, for people.
pub fn standing_word(standing: JobStanding) -> &'static str {
    match standing {
        JobStanding::Known => "known",
        JobStanding::Gone => "deleted",
        JobStanding::Unknown => "unknown",
    }
}
