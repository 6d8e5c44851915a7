//! `cron.sessionRetention`: rows of isolated runs, and base rows of jobs that are proven gone.
//!
//! A base row holds the settings of its job; it goes only if the job store was read, is not empty, yields an id for
//! every job, and this one is not among them (SAFETY 4). A job that asked to be deleted after its run, and has run, leaves
//! nothing worth a day: its rows go as soon as they are older than the grace window (reports G5).

use crate::model::decision::Reason;
use crate::model::facts::JobsFacts;
use crate::model::sourced::Limit;

use super::age::is_past;
use super::draft::Draft;
use super::keys::{self, CronKey};
use super::traits::Age;

/// Drops expired run rows and base rows of absent jobs.
pub fn apply(draft: &mut Draft<'_>) {
    let Limit::At(retention) = draft.policy.cron_retention.value else { return };
    let rows: Vec<u32> = draft.standing_rows().collect();
    for row in rows {
        let key = draft.facts.index.key(&draft.facts.index.rows[row as usize]).into_owned();
        let Some(cron) = keys::cron(&key) else { continue };
        let traits = draft.traits[row as usize];
        let Age::At(updated) = traits.age else { continue };
        let (limit, reason) = match &cron {
            CronKey::Run(job) | CronKey::Base(job) if is_done(&draft.facts.jobs, job) => {
                (draft.policy.grace.value, Reason::CronJobDone)
            }
            CronKey::Run(_) => (retention, Reason::CronRun),
            CronKey::Base(job) if is_gone(&draft.facts.jobs, job) => {
                (retention.max(draft.policy.grace.value), Reason::CronJobGone)
            }
            CronKey::Base(_) => continue,
        };
        if is_past(updated, limit, draft.now) {
            draft.take_row(row, traits.shield_from_cron(), reason);
        } else {
            draft.rows[row as usize].goes_at = Some(updated.saturating_add(limit));
        }
    }
}

fn is_done(jobs: &JobsFacts, job: &str) -> bool {
    matches!(jobs, JobsFacts::Usable { done, .. } if done.contains(job))
}

fn is_gone(jobs: &JobsFacts, job: &str) -> bool {
    match jobs {
        JobsFacts::Usable { ids, .. } => {
            !ids.iter().any(|id| id.trim().eq_ignore_ascii_case(job) || id.to_lowercase() == job)
        }
        JobsFacts::NotApplicable | JobsFacts::Doubtful(_) => false,
    }
}
