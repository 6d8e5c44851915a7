//! Brings together what a job leaves behind: base rows, run sessions, run log.
//!
//! Jobs are matched without regard to case, as the gateway lower-cases keys but not the names of logs. A job that only
//! shows in rows or logs is *gone* if the job store is whole, else its standing is *unknown*.

use std::collections::BTreeMap;

use crate::model::Ms;
use crate::model::cron::{JobStanding, JobStatus, RunLog, RunRows};
use crate::model::facts::JobsFacts;
use crate::model::index::{IndexFacts, TimeField};
use crate::model::sourced::Limit;
use crate::order::Order as _;
use crate::plan::keys;

/// What a cron key stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobKey {
    /// Job id in lower case.
    pub job: String,
    /// One isolated run of it, not its base row.
    pub run: bool,
}

/// Reads `agent:<id>:cron:<job>` and `agent:<id>:cron:<job>:run:<run>...`; `None` for every other key.
pub fn job_key(key: &str) -> Option<JobKey> {
    let parsed = keys::parse(key)?;
    let parts: Vec<&str> = parsed.rest.split(':').collect();
    match parts[..] {
        ["cron", job] => Some(JobKey { job: job.to_owned(), run: false }),
        ["cron", job, "run", _, ..] => Some(JobKey { job: job.to_owned(), run: true }),
        _ => None,
    }
}

/// Status of every job that the job store, a row or a log names, by id.
pub fn collect(
    jobs: &JobsFacts,
    indexes: &[&IndexFacts],
    logs: Vec<RunLog>,
    retention: Limit<Ms>,
    now: Ms,
) -> Vec<JobStatus> {
    let mut all = Collected { by_id: BTreeMap::new(), missing: standing_of_others(jobs) };
    if let JobsFacts::Usable { ids, .. } = jobs {
        // Ids come both as written and in lower case: the one as written is shown.
        let mut ids: Vec<&String> = ids.iter().collect();
        ids.order_by_key(|id| (id.to_lowercase(), *id == &id.to_lowercase(), id.as_str()));
        for id in ids {
            all.job(id).standing = JobStanding::Known;
        }
    }
    for index in indexes {
        for row in index.rows.iter().filter(|row| !row.shadowed) {
            let key = index.key(row);
            if let Some(job) = job_key(&key) {
                all.row(&job, &key, row.updated_at, retention, now);
            }
        }
    }
    for log in logs {
        let job = log.job.clone();
        all.job(&job).log = Some(log);
    }
    all.by_id.into_values().collect()
}

fn standing_of_others(jobs: &JobsFacts) -> JobStanding {
    match jobs {
        JobsFacts::Usable { .. } => JobStanding::Gone,
        JobsFacts::NotApplicable | JobsFacts::Doubtful(_) => JobStanding::Unknown,
    }
}

struct Collected {
    by_id: BTreeMap<String, JobStatus>,
    missing: JobStanding,
}

impl Collected {
    fn job(&mut self, id: &str) -> &mut JobStatus {
        let standing = self.missing;
        self.by_id.entry(id.trim().to_lowercase()).or_insert_with(|| JobStatus {
            id: id.trim().to_owned(),
            standing,
            base_keys: Vec::new(),
            runs: RunRows::default(),
            log: None,
        })
    }

    fn row(&mut self, job: &JobKey, key: &str, updated: TimeField, retention: Limit<Ms>, now: Ms) {
        let status = self.job(&job.job);
        if !job.run {
            status.base_keys.push(key.to_owned());
            return;
        }
        status.runs.count += 1;
        if let Some(at) = updated.ms() {
            status.runs.oldest = Some(status.runs.oldest.map_or(at, |old| old.min(at)));
            status.runs.expired += u64::from(retention.at().is_some_and(|limit| now - at > limit));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::model::HOUR;

    fn index(text: &str) -> IndexFacts {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("sessions.json");
        std::fs::write(&path, text).unwrap();
        match crate::store::read::read(&path) {
            crate::model::index::IndexState::Whole(index) => index,
            other => panic!("{other:?}"),
        }
    }

    fn log(job: &str) -> RunLog {
        let fp = crate::fsx::read::lstat(std::path::Path::new("/")).unwrap();
        RunLog { path: format!("/s/cron/runs/{job}.jsonl").into(), job: job.into(), fp, lines: Some(1), error: None }
    }

    #[test]
    fn rows_and_logs_meet_in_their_job_whatever_its_letters() {
        let now = 1_777_622_400_000;
        let index = index(&format!(
            r#"{{"agent:main:cron:live":{{"sessionId":"a","updatedAt":{0}}},
            "agent:main:cron:live:run:r1":{{"sessionId":"b","updatedAt":{1}}},
            "agent:main:cron:live:run:r2:thread:x":{{"sessionId":"c","updatedAt":{0}}},
            "agent:main:cron:gone:run:r1":{{"sessionId":"d"}},
            "agent:main:main":{{"sessionId":"e"}}}}"#,
            now - HOUR,
            now - 25 * HOUR
        ));
        let ids = HashSet::from(["Live".to_owned(), "live".to_owned()]);
        let jobs = JobsFacts::Usable { ids, done: HashSet::new() };
        let all = collect(&jobs, &[&index], vec![log("Live"), log("old")], Limit::At(24 * HOUR), now);
        let seen: Vec<_> = all.iter().map(|j| (j.id.as_str(), j.standing, j.runs.count, j.runs.expired)).collect();
        assert_eq!(
            seen,
            [("gone", JobStanding::Gone, 1, 0), ("Live", JobStanding::Known, 2, 1), ("old", JobStanding::Gone, 0, 0)]
        );
        assert_eq!(all[1].base_keys, ["agent:main:cron:live"]);
        assert!(all[1].log.is_some() && all[2].log.is_some());
        assert_eq!(all[1].runs.oldest, Some(now - 25 * HOUR));
    }

    #[test]
    fn nothing_is_called_gone_without_a_whole_job_store() {
        let jobs = JobsFacts::Doubtful("empty".into());
        let all = collect(&jobs, &[], vec![log("x")], Limit::Off, 0);
        assert_eq!(all[0].standing, JobStanding::Unknown);
    }
}
