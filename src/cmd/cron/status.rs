//! `cron status`: jobs, the sessions of their runs, their run logs. Reads only.

use crate::cli::GlobalFlags;
use crate::cli::cron::CronStatusArgs;
use crate::cmd::start;
use crate::context::Context;
use crate::cron::{jobs, run_logs, status};
use crate::error::{Error, Kind, Result};
use crate::exit;
use crate::model::cron::{CronFacts, RunLogLimits};
use crate::model::facts::JobsFacts;
use crate::model::index::{IndexFacts, IndexState};
use crate::model::settings::CronSettings;
use crate::model::sourced::Origin;
use crate::model::stores::{Target, TargetOrigin};
use crate::report::cron::{human, json};
use crate::report::disk::human::Look;
use crate::store;

/// Runs the command.
///
/// # Errors
/// A named store that is not there, a configuration or a folder of run logs that cannot be read. A store that cannot
/// be used is reported in its place, and the exit code says that the report is partial.
pub fn run(ctx: &mut Context, g: &GlobalFlags, a: &CronStatusArgs) -> Result<u8> {
    let start = start::reading(ctx, g, &a.select)?;
    start::refuse_absent_state(g, &a.select, &start)?;
    let cron = &start.loaded.settings.cron;
    let known = jobs::read(&cron.store.value);
    let runs_dir = run_logs::folder(&cron.store.value);
    let logs = run_logs::list(&runs_dir)?;
    let (mut indexes, mut stores) = (Vec::new(), Vec::new());
    for target in &start.selection.targets {
        let (index, error) = index_of(target)?;
        indexes.extend(index);
        stores.push((target.agent_id.clone(), target.store_path.clone(), error));
    }
    let indexes: Vec<&IndexFacts> = indexes.iter().collect();
    let facts = CronFacts {
        jobs_path: cron.store.value.clone(),
        jobs_origin: match &cron.store.origin {
            Origin::Default => start.roots.state_origin.clone(),
            named => named.clone(),
        },
        jobs_problem: problem(&known),
        runs_dir,
        retention: cron.session_retention.clone(),
        limits: limits(cron),
        jobs: status::collect(&known, &indexes, logs, cron.session_retention.value, ctx.run_time()),
        stores,
        now: ctx.run_time(),
    };
    let others = &start.selection.not_looked_at;
    if ctx.output.json {
        crate::report::json::print(ctx, &json::status(&facts, others))?;
    } else if ctx.output.quiet == 0 {
        ctx.write_stdout(human::status(&facts, others, &Look::of(ctx)).as_bytes())?;
    }
    let failed = facts.stores.iter().any(|(_, _, error)| error.is_some())
        || facts.jobs.iter().any(|job| job.log.as_ref().is_some_and(|log| log.error.is_some()));
    Ok(if failed { exit::PARTIAL } else { exit::DONE })
}

/// Bounds of run logs.
pub fn limits(cron: &CronSettings) -> RunLogLimits {
    RunLogLimits { max_bytes: cron.run_log_max_bytes.clone(), keep_lines: cron.run_log_keep_lines.clone() }
}

/// Why the job store proves nothing.
fn problem(jobs: &JobsFacts) -> Option<String> {
    match jobs {
        JobsFacts::Usable { .. } => None,
        JobsFacts::Doubtful(why) => Some(why.clone()),
        JobsFacts::NotApplicable => Some("no cron store".to_owned()),
    }
}

fn index_of(target: &Target) -> Result<(Option<IndexFacts>, Option<String>)> {
    Ok(match store::read::read(&target.store_path) {
        IndexState::Whole(index) => (Some(index), None),
        IndexState::Absent if target.origin == TargetOrigin::StoreFlag => {
            return Err(Error::new(Kind::Absent, format!("{} does not exist", target.store_path.display())));
        }
        IndexState::Absent => (None, None),
        IndexState::Damaged(damage) => {
            (None, Some(format!("damaged: {} (byte {})", damage.kind.describe(), damage.offset)))
        }
        IndexState::Unreadable(why) => (None, Some(format!("cannot be read: {why}"))),
    })
}
