//! Which cron jobs exist, as far as `jobs.json` proves it.
//!
//! Only a store that is whole, not empty and not superseded proves that a job is gone (SAFETY 4): everything else is
//! doubt, and doubt keeps the rows of every job.
//!
//! When a job ran stands in the job, or, with gateways that keep it apart, in `jobs-state.json` beside the store. If that
//! file cannot be understood, no job is proven to have run, and its rows stay.

use std::collections::HashSet;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::fsx::read::{lstat, read_regular};
use crate::model::facts::JobsFacts;

/// Deepest nesting that is given to the JSON5 parser, which recurses.
const MAX_DEPTH: usize = 128;

/// Reads the cron job store at `path` (`<state>/cron/jobs.json`, or what `cron.store` names). A link is followed.
pub fn read(path: &Path) -> JobsFacts {
    match usable(path) {
        Ok((ids, done)) => JobsFacts::Usable { ids, done },
        Err(why) => JobsFacts::Doubtful(why),
    }
}

fn usable(path: &Path) -> Result<(HashSet<String>, HashSet<String>), String> {
    if let Some(newer) = superseded_by(path) {
        return Err(format!("a newer cron store exists: {}", newer.display()));
    }
    let failed = |e: std::io::Error| match e.kind() {
        ErrorKind::NotFound => "no cron store".to_owned(),
        _ => format!("{}: {e}", path.display()),
    };
    let real = path.canonicalize().map_err(failed)?;
    let (bytes, _) = read_regular(&real).map_err(failed)?;
    let text = std::str::from_utf8(&bytes).map_err(|_| format!("{}: not UTF-8", path.display()))?;
    let root = parse(text.strip_prefix('\u{feff}').unwrap_or(text)).map_err(|e| format!("{}: {e}", path.display()))?;
    ids(&root, &states(path)).map_err(|why| format!("{}: {why}", path.display()))
}

/// Where the state of the jobs in the store at `path` is kept: beside the name by which the gateway knows the store.
pub fn state_path(path: &Path) -> PathBuf {
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let stem = name.strip_suffix(".json").unwrap_or(&name);
    path.with_file_name(format!("{stem}-state.json"))
}

/// What the file beside the store says about the jobs.
enum States {
    /// There is none.
    Absent,
    /// By the id of the job.
    Apart(Map<String, Value>),
    /// It is there, and nobody knows what it says.
    Unknown,
}

fn states(store: &Path) -> States {
    let path = state_path(store);
    match lstat(&path) {
        Err(e) if e.kind() == ErrorKind::NotFound => States::Absent,
        Err(_) => States::Unknown,
        Ok(_) => read_states(&path).map_or(States::Unknown, States::Apart),
    }
}

/// `{ version: 1, jobs: { <id>: { state: { .. } } } }`.
fn read_states(path: &Path) -> Option<Map<String, Value>> {
    let (bytes, _) = read_regular(&path.canonicalize().ok()?).ok()?;
    let text = std::str::from_utf8(&bytes).ok()?;
    let mut root = parse(text.strip_prefix('\u{feff}').unwrap_or(text)).ok()?;
    if root.get("version").and_then(Value::as_u64) != Some(1) {
        return None;
    }
    match root.get_mut("jobs")?.take() {
        Value::Object(jobs) => Some(jobs),
        _ => None,
    }
}

/// Whether the entry is about the schedule that the job has now: one that was set anew since is going to run.
fn belongs(entry: &Value, job: &Value) -> bool {
    let Some(identity) = entry.get("scheduleIdentity") else { return true };
    let parsed = identity.as_str().and_then(|text| serde_json::from_str::<Value>(text).ok());
    let schedule = parsed.as_ref().and_then(|value| value.get("schedule")).and_then(Value::as_object);
    schedule.is_some_and(|then| {
        then.iter().all(|(field, value)| job.get("schedule").and_then(|now| now.get(field)) == Some(value))
    })
}

impl States {
    /// The state of a job: an entry apart stands before what the job itself says. `None` if it is not known.
    fn of<'v>(&'v self, id: &str, job: &'v Value) -> Option<&'v Value> {
        let apart = match self {
            Self::Absent => None,
            Self::Apart(jobs) => jobs.get(id),
            Self::Unknown => return None,
        };
        let Some(entry) = apart else { return job.get("state") };
        if !belongs(entry, job) {
            return None;
        }
        match entry.as_object()?.get("state") {
            None => job.get("state"),
            Some(Value::Object(state)) if state.is_empty() => job.get("state"),
            Some(state) => Some(state).filter(|state| state.is_object()),
        }
    }
}

/// What a migration to the newer generation leaves: the renamed store, or its database.
fn superseded_by(path: &Path) -> Option<PathBuf> {
    let mut migrated = OsString::from(path.as_os_str());
    migrated.push(".migrated");
    let database = path.parent().and_then(Path::parent).map(|state| state.join("state").join("openclaw.sqlite"));
    // Whatever lies there, and whatever keeps us from looking, is doubt.
    let there = |path: &PathBuf| !matches!(lstat(path), Err(e) if matches!(e.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory));
    [Some(PathBuf::from(migrated)), database].into_iter().flatten().find(there)
}

fn parse(text: &str) -> Result<Value, String> {
    match serde_json::from_str(text) {
        Ok(value) => Ok(value),
        Err(_) if nested_deeper_than(text, MAX_DEPTH) => Err("nested too deeply".to_owned()),
        Err(_) => json5::from_str(text).map_err(|e| e.to_string()),
    }
}

/// Whether there are more than `max` open brackets anywhere. Brackets in strings and comments count when they open and
/// not when they close, so text can only look deeper than it is.
fn nested_deeper_than(text: &str, max: usize) -> bool {
    let mut depth = 0_usize;
    let mut quote = None;
    let mut escaped = false;
    for byte in text.bytes() {
        match (quote, byte) {
            _ if escaped => escaped = false,
            (Some(_), b'\\') => escaped = true,
            (Some(open), close) if open == close => quote = None,
            (None, b'"' | b'\'') => quote = Some(byte),
            (_, b'{' | b'[') => depth += 1,
            (None, b'}' | b']') => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > max {
            return true;
        }
    }
    false
}

/// Ids of all jobs, and those of the jobs that are done.
fn ids(root: &Value, states: &States) -> Result<(HashSet<String>, HashSet<String>), &'static str> {
    let jobs = root.as_object().ok_or("the root is not an object")?.get("jobs").ok_or("has no `jobs`")?;
    let jobs = jobs.as_array().ok_or("`jobs` is not a list")?;
    if jobs.is_empty() {
        return Err("`jobs` is empty");
    }
    let (mut ids, mut done) = (HashSet::new(), HashSet::new());
    for job in jobs {
        let id = job_id(job).ok_or("a job has no id")?;
        if states.of(&id, job).is_some_and(|state| is_done(job, state)) {
            done.insert(id.to_lowercase());
        }
        ids.insert(id.to_lowercase());
        ids.insert(id);
    }
    Ok((ids, done))
}

/// Whether a job asked to be deleted after its run, has run, and neither runs nor is going to run again.
fn is_done(job: &Value, state: &Value) -> bool {
    let state = |field| state.get(field).filter(|value| !value.is_null());
    let idle = job.get("enabled") == Some(&Value::Bool(false)) || state("nextRunAtMs").is_none();
    job.get("deleteAfterRun") == Some(&Value::Bool(true))
        && state("lastRunAtMs").is_some_and(Value::is_number)
        && state("runningAtMs").is_none()
        && idle
}

fn job_id(job: &Value) -> Option<String> {
    ["id", "jobId"].iter().find_map(|field| match job.get(field)? {
        Value::String(text) => Some(text.trim().to_owned()).filter(|id| !id.is_empty()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> JobsFacts {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("cron").join("jobs.json");
        std::fs::create_dir(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        read(&path)
    }

    fn doubt(text: &str) -> String {
        match of(text) {
            JobsFacts::Doubtful(why) => why,
            other => panic!("{other:?} from {text}"),
        }
    }

    #[test]
    fn ids_of_a_whole_store() {
        let JobsFacts::Usable { ids, .. } =
            of(r#"{"version":1,"jobs":[{"id":" Job1 "},{"jobId":"b"},{"id":7},{"id":"","jobId":"c"}]}"#)
        else {
            panic!("doubtful")
        };
        assert_eq!(ids, ["Job1", "job1", "b", "7", "c"].map(str::to_owned).into());
        let JobsFacts::Usable { ids, .. } = of("\u{feff}// mine\n{jobs: [{id: 'a',},],}") else {
            panic!("JSON5 is doubtful")
        };
        assert_eq!(ids, ["a".to_owned()].into());
    }

    #[test]
    fn a_job_is_done_if_it_asked_to_be_deleted_and_has_run() {
        let JobsFacts::Usable { done, .. } = of(r#"{"jobs":[
            {"id":"Once","enabled":false,"deleteAfterRun":true,"state":{"lastRunAtMs":1}},
            {"id":"ran","deleteAfterRun":true,"state":{"lastRunAtMs":1,"nextRunAtMs":null}},
            {"id":"again","enabled":true,"deleteAfterRun":true,"state":{"lastRunAtMs":1,"nextRunAtMs":2}},
            {"id":"runs","enabled":false,"deleteAfterRun":true,"state":{"lastRunAtMs":1,"runningAtMs":2}},
            {"id":"waits","deleteAfterRun":true,"state":{"nextRunAtMs":2}},
            {"id":"stays","enabled":false,"deleteAfterRun":false,"state":{"lastRunAtMs":1}},
            {"id":"bare","enabled":false,"state":{"lastRunAtMs":1}}]}"#)
        else {
            panic!("doubtful")
        };
        assert_eq!(done, ["once", "ran"].map(str::to_owned).into());
    }

    /// Jobs that are done by a store with empty states, and `apart` beside it.
    fn done_by(apart: &str) -> Vec<String> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("jobs.json");
        let jobs = r#"{"version":1,"jobs":[
            {"id":"Once","enabled":false,"deleteAfterRun":true,"state":{}},
            {"id":"inline","deleteAfterRun":true,"state":{"lastRunAtMs":1}},
            {"id":"stays","enabled":false,"state":{}}]}"#;
        std::fs::write(&path, jobs).unwrap();
        std::fs::write(dir.path().join("jobs-state.json"), apart).unwrap();
        let JobsFacts::Usable { ids, done } = read(&path) else { panic!("doubtful") };
        assert!(ids.contains("once"));
        let mut done: Vec<String> = done.into_iter().collect();
        done.sort();
        done
    }

    #[test]
    fn a_state_that_is_kept_apart_counts_and_a_damaged_one_proves_nothing() {
        let ran = r#"{"version":1,"jobs":{"Once":{"state":{"lastRunAtMs":1}},"stays":{"state":{"lastRunAtMs":1}}}}"#;
        assert_eq!(done_by(ran), ["inline", "once"]);
        let runs = r#"{"version":1,"jobs":{"Once":{"state":{"lastRunAtMs":1,"runningAtMs":2}},
            "inline":{"state":{"lastRunAtMs":1,"nextRunAtMs":2}}}}"#;
        assert!(done_by(runs).is_empty());
        let emptied = r#"{"version":1,"jobs":{"Once":{"updatedAtMs":1},"inline":{"state":{}}}}"#;
        assert_eq!(done_by(emptied), ["inline"]);
        let anew = r#"{"version":1,"jobs":{"Once":{"state":{"lastRunAtMs":1},
            "scheduleIdentity":"{\"version\":1,\"schedule\":{\"kind\":\"at\"}}"}}}"#;
        assert_eq!(done_by(anew), ["inline"]);
        let same = anew.replace("{\\\"kind\\\":\\\"at\\\"}", "{}");
        assert_eq!(done_by(&same), ["inline", "once"], "{same}");
        for odd in [r#"{"Once":5,"inline":[]}"#, r#"{"Once":{"state":7},"inline":{"state":"x"}}"#] {
            assert!(done_by(&format!("{{\"version\":1,\"jobs\":{odd}}}")).is_empty(), "{odd}");
        }
        for damaged in [
            "",
            "{",
            "[]",
            "{}",
            r#"{"version":1}"#,
            r#"{"version":1,"jobs":[]}"#,
            &ran.replace("1,\"jobs", "2,\"jobs"),
        ] {
            assert!(done_by(damaged).is_empty(), "{damaged}");
        }
    }

    #[test]
    fn anything_less_is_doubt() {
        for text in [
            "",
            "{",
            "[]",
            "null",
            "{}",
            r#"{"jobs":{}}"#,
            r#"{"jobs":[]}"#,
            r#"{"jobs":[{"id":"a"},{}]}"#,
            r#"{"jobs":[{"id":"a"},null]}"#,
            r#"{"jobs":[{"id":" "}]}"#,
            r#"{"jobs":[{"id":"a"}]} x"#,
            "\0\0\0",
        ] {
            doubt(text);
        }
        assert!(doubt(&"[".repeat(100_000)).contains("nested"));
        assert!(doubt(&format!("{{a:'{}', jobs:{}", "]".repeat(500), "[".repeat(500))).contains("nested"));
    }

    #[test]
    fn a_missing_or_superseded_store_is_doubt() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("cron").join("jobs.json");
        assert_eq!(read(&path), JobsFacts::Doubtful("no cron store".into()));
        std::fs::create_dir(path.parent().unwrap()).unwrap();
        std::fs::write(&path, r#"{"jobs":[{"id":"a"}]}"#).unwrap();
        assert!(matches!(read(&path), JobsFacts::Usable { .. }));
        let migrated = dir.path().join("cron").join("jobs.json.migrated");
        std::fs::write(&migrated, "").unwrap();
        assert!(matches!(read(&path), JobsFacts::Doubtful(why) if why.contains("migrated")));
        std::fs::remove_file(&migrated).unwrap();
        std::fs::create_dir(dir.path().join("state")).unwrap();
        std::fs::write(dir.path().join("state").join("openclaw.sqlite"), "").unwrap();
        assert!(matches!(read(&path), JobsFacts::Doubtful(why) if why.contains("sqlite")));
    }
}
