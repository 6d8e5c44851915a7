//! The state of cron jobs: when each ran, and when it is due. Gateways of today keep it in a file of its own, so that a person
//! who edits the jobs does not write over it.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

/// Moves the state of the jobs out of the store and gives the file that keeps it; `old` is what that file says now. Jobs
/// with a state already in there keep it, and `lost` gets a line for what their own state says and that one does not. Of
/// jobs that share an id the first is meant; the others keep what they have.
pub fn split_state(root: &mut Value, old: Option<&Value>, lost: &mut Vec<String>) -> Value {
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
        let name = job.get("name").and_then(Value::as_str).unwrap_or(&id).to_owned();
        let identity = schedule_identity(job);
        let own = job.insert("state".to_owned(), json!({}));
        let updated = job.shift_remove("updatedAtMs");
        let entry = states.entry(id).or_insert_with(|| json!({}));
        let Value::Object(entry) = entry else { continue };
        let mut gone = Vec::new();
        let has_state = entry.get("state").and_then(Value::as_object).is_some_and(|s| !s.is_empty());
        if let Some(updated) = updated {
            match entry.get("updatedAtMs").map(|kept| *kept == updated) {
                None => drop(entry.insert("updatedAtMs".to_owned(), updated)),
                Some(false) => gone.push("updatedAtMs".to_owned()),
                Some(true) => {}
            }
        }
        entry.insert("scheduleIdentity".to_owned(), Value::String(identity));
        gone.extend(unkept(own.as_ref(), entry.get("state").filter(|_| has_state)));
        if !has_state {
            let state = own.filter(Value::is_object).unwrap_or_else(|| json!({}));
            entry.insert("state".to_owned(), state);
        }
        if !gone.is_empty() {
            let gone = gone.join(", ");
            lost.push(format!("job \"{name}\": not kept: {gone} (what jobs-state.json has of this job stays)"));
        }
    }
    if let Value::Object(out) = &mut out {
        out.insert("jobs".to_owned(), Value::Object(states));
    }
    out
}

/// What a state in the job says and `kept`, the one that stays, does not: names of its fields.
fn unkept(own: Option<&Value>, kept: Option<&Value>) -> Vec<String> {
    let own = match (own, kept) {
        (Some(Value::Object(own)), Some(_)) => own,
        (Some(Value::Object(_)) | None | Some(Value::Null), _) => return Vec::new(),
        // No state at all by its form: it has no place in the file.
        (Some(_), _) => return vec!["state".to_owned()],
    };
    let differs =
        |(field, value): &(&String, &Value)| !value.is_null() && kept.and_then(|kept| kept.get(field)) != Some(value);
    own.iter().filter(differs).map(|(field, _)| format!("state.{field}")).collect()
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
