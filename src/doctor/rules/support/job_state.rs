//! The state of cron jobs: when each ran, and when it is due. Gateways of today keep it in a file of its own, so that a person
//! who edits the jobs does not write over it.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

/// Moves the state of the jobs out of the store and gives the file that keeps it; `old` is what that file says now. Jobs
/// with a state already in there keep it. Of jobs that share an id the first is meant; the others keep what they have.
pub fn split_state(root: &mut Value, old: Option<&Value>) -> Value {
    let mut out = old.filter(|v| v.is_object()).cloned().unwrap_or_else(|| json!({ "version": 1 }));
    let known = old.and_then(|v| v.get("jobs")).and_then(Value::as_object).cloned().unwrap_or_default();
    let mut states = known;
    let mut seen = BTreeSet::new();
    for job in root.get_mut("jobs").and_then(Value::as_array_mut).into_iter().flatten() {
        let Value::Object(job) = job else { continue };
        let Some(id) = job.get("id").and_then(Value::as_str).map(str::to_owned) else { continue };
        if !seen.insert(id.clone()) {
            continue;
        }
        // An entry of another form keeps nothing: what the job says stays in it.
        if states.get(&id).is_some_and(|entry| !entry.is_object()) {
            continue;
        }
        let identity = schedule_identity(job);
        let state = job.insert("state".to_owned(), json!({})).filter(Value::is_object).unwrap_or_else(|| json!({}));
        let updated = job.shift_remove("updatedAtMs");
        let entry = states.entry(id).or_insert_with(|| json!({}));
        let Value::Object(entry) = entry else { continue };
        let has_state = entry.get("state").and_then(Value::as_object).is_some_and(|s| !s.is_empty());
        if let Some(updated) = updated.filter(|_| !entry.contains_key("updatedAtMs")) {
            entry.insert("updatedAtMs".to_owned(), updated);
        }
        entry.insert("scheduleIdentity".to_owned(), Value::String(identity));
        if !has_state {
            entry.insert("state".to_owned(), state);
        }
    }
    if let Value::Object(out) = &mut out {
        out.insert("jobs".to_owned(), Value::Object(states));
    }
    out
}

/// By what the gateway sees whether a state belongs to the schedule.
fn schedule_identity(job: &Map<String, Value>) -> String {
    let enabled = job.get("enabled").filter(|value| value.is_boolean()).cloned().unwrap_or(Value::Bool(true));
    let mut schedule = Map::new();
    if let Some(Value::Object(given)) = job.get("schedule") {
        for field in ["kind", "at", "everyMs", "anchorMs", "expr", "tz", "staggerMs"] {
            if let Some(value) = given.get(field) {
                schedule.insert(field.to_owned(), value.clone());
            }
        }
    }
    json!({ "version": 1, "enabled": enabled, "schedule": schedule }).to_string()
}
