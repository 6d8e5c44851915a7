//! Cron reports for people.

use std::fmt::Write as _;

use super::json::standing_word;
use crate::model::cron::{CronFacts, CronPrune, Ending, JobStanding, PrunedStore, RunLogLimits};
use crate::model::stores::Agent;
use crate::report::disk::human::Look;
use crate::report::plural::{count, grouped};
use crate::report::style::Role;
use crate::report::table::{Column, Table};
use crate::report::{command, escape, not_looked_at, policy, span};
use crate::units::{bytes, time};

/// `cron status`.
pub fn status(cron: &CronFacts, others: &[Agent], look: &Look) -> String {
    let mut out = format!(
        "Job store: {} ({})\n",
        look.style.paint(Role::Name, &escape::path(&cron.jobs_path)),
        policy::origin_short(&cron.jobs_origin)
    );
    if let Some(problem) = &cron.jobs_problem {
        let text = escape::line(problem);
        let _ = writeln!(out, "{} {text}: no job counts as deleted", look.style.paint(Role::Warn, "Note:"));
    }
    let retention = cron.retention.value.at().map_or("off".to_owned(), span::short);
    let _ = writeln!(out, "Run sessions are kept: {retention} ({})", policy::origin_short(&cron.retention.origin));
    let _ = writeln!(out, "Run logs: {}", limits(&cron.limits));
    out.push('\n');
    out.push_str(&jobs(cron, look));
    for (agent, path, error) in &cron.stores {
        if let Some(error) = error {
            let _ = writeln!(
                out,
                "{} agent {}, {}: {}",
                look.style.paint(Role::Bad, "Failed:"),
                escape::line(agent),
                escape::path(path),
                escape::line(error)
            );
        }
    }
    let expired: u64 = cron.jobs.iter().map(|j| j.runs.expired).sum();
    let over = cron.jobs.iter().filter(|j| j.log.as_ref().is_some_and(|l| l.over(&cron.limits))).count() as u64;
    if expired > 0 || over > 0 {
        let _ = writeln!(
            out,
            "\n{} past retention, {} over a limit. To see what would be done: {}",
            count(expired, "run session"),
            count(over, "run log"),
            look.given.complete("clawkeep cron prune --dry-run")
        );
    }
    if let Some(line) = not_looked_at::line(others) {
        let _ = writeln!(out, "\n{line}");
    }
    out
}

fn limits(limits: &RunLogLimits) -> String {
    let size =
        limits.max_bytes.value.at().map_or("no size limit".to_owned(), |n| format!("at most {}", bytes::human(n)));
    let lines =
        limits.keep_lines.value.at().map_or("no line limit".to_owned(), |n| format!("at most {}", count(n, "line")));
    format!("{size}, {lines}")
}

fn jobs(cron: &CronFacts, look: &Look) -> String {
    if cron.jobs.is_empty() {
        return "No jobs, no run sessions, no run logs.\n".to_owned();
    }
    let mut table = Table::new(&[
        ("Job", Column::Key),
        ("State", Column::Text),
        ("Base", Column::Text),
        ("Runs", Column::Number),
        ("Expired", Column::Number),
        ("Oldest", Column::Text),
        ("Log", Column::Number),
        ("Lines", Column::Number),
        ("", Column::Text),
    ]);
    for job in cron.jobs.iter().take(look.lines(cron.jobs.len())) {
        let log = job.log.as_ref();
        let remark = match log {
            Some(log) if log.error.is_some() => "unreadable",
            Some(log) if log.over(&cron.limits) => "over its limit",
            Some(_) if job.standing == JobStanding::Gone => "of a deleted job",
            _ => "",
        };
        table.row(
            None,
            vec![
                escape::line(&job.id).into_owned(),
                standing_word(job.standing).to_owned(),
                if job.base_keys.is_empty() { "" } else { "yes" }.to_owned(),
                grouped(job.runs.count),
                grouped(job.runs.expired),
                job.runs.oldest.map_or(String::new(), |at| time::ago(cron.now, at)),
                log.map_or(String::new(), |l| bytes::human(l.fp.size)),
                log.and_then(|l| l.lines).map_or(String::new(), grouped),
                remark.to_owned(),
            ],
        );
    }
    table.render(look.style, look.width, 0) + &look.more(cron.jobs.len())
}

/// `cron prune`.
pub fn prune(prune: &CronPrune, others: &[Agent], look: &Look) -> String {
    let retention = prune.retention.value.at().map_or("off".to_owned(), span::short);
    let mut out = format!("Mode: {} ({})\n", prune.mode.value.as_str(), policy::origin_short(&prune.mode.origin));
    let _ = writeln!(
        out,
        "Limits: run sessions {retention} ({}), run logs {}",
        policy::origin_short(&prune.retention.origin),
        limits(&prune.limits)
    );
    for store in &prune.stores {
        out.push_str(&pruned_store(store, prune.planned_only, look));
    }
    out.push_str(&logs(prune, look));
    if let Some(line) = not_looked_at::line(others) {
        let _ = writeln!(out, "\n{line}");
    }
    if prune.planned_only {
        let how = if !prune.wants_anything() {
            ""
        } else if prune.dry_run {
            " To do it: clawkeep cron prune --enforce"
        } else {
            " The mode is warn; to do it: clawkeep cron prune --enforce"
        };
        let line = format!("Nothing was written.{}", look.given.complete(how));
        let _ = writeln!(out, "\n{}", look.style.paint(Role::Strong, &line));
    }
    out
}

fn pruned_store(store: &PrunedStore, planned: bool, look: &Look) -> String {
    let path = escape::path(&store.store_path);
    let mut out = format!("\nSession store: {}\n", look.style.paint(Role::Name, &path));
    out.push_str(&failure(store.error.as_deref(), &store.hints, look));
    if let Some(skipped) = &store.skipped {
        let _ = writeln!(out, "Skipped: {}", escape::line(skipped));
    }
    if store.error.is_none() && store.skipped.is_none() {
        let verb = if planned { "would go" } else { "went" };
        let gone = store.rows.iter().filter(|r| matches!(r.ending.word, "planned" | "done")).count() as u64;
        let _ = writeln!(
            out,
            "{} {verb} with {} ({}); {} before, {} after",
            count(gone, "row"),
            count(store.files, "file"),
            bytes::human(store.file_bytes),
            grouped(store.before),
            grouped(store.after)
        );
    }
    for row in store.rows.iter().take(look.lines(store.rows.len())) {
        let _ = writeln!(out, "  {}  {}{}", escape::line(&row.key), row.reason, ending(&row.ending));
    }
    out.push_str(&look.more(store.rows.len()));
    for warning in &store.warnings {
        let _ = writeln!(out, "{} {}", look.style.paint(Role::Warn, "Note:"), escape::line(warning));
    }
    if let Some(run) = &store.run_id {
        let store = command::quote(&store.store_path.to_string_lossy()).into_owned();
        let words = format!("clawkeep sessions undo {} --store {store}", command::quote(run));
        let _ = writeln!(out, "Undo: {}", look.given.complete(&words));
    }
    out
}

fn failure(error: Option<&str>, hints: &[String], look: &Look) -> String {
    let mut out = String::new();
    if let Some(error) = error {
        let _ = writeln!(out, "{} {}", look.style.paint(Role::Bad, "Failed:"), escape::line(error));
    }
    for hint in hints {
        let _ = writeln!(out, "  try: {}", escape::line(hint));
    }
    out
}

fn ending(ending: &Ending) -> String {
    match (&ending.why, ending.word) {
        (Some(why), word) => format!("  {word}: {}", escape::line(why)),
        (None, "planned" | "done") => String::new(),
        (None, word) => format!("  {word}"),
    }
}

fn logs(prune: &CronPrune, look: &Look) -> String {
    let logs = &prune.logs;
    let mut out = format!("\nRun logs: {}\n", look.style.paint(Role::Name, &escape::path(&prune.runs_dir)));
    out.push_str(&failure(logs.error.as_deref(), &logs.hints, look));
    if logs.trims.is_empty() {
        out.push_str("None is over its limit.\n");
    }
    for (trim, end) in logs.trims.iter().take(look.lines(logs.trims.len())) {
        let before = trim.log.lines.map_or(String::new(), |n| format!(", {}", count(n, "line")));
        let _ = writeln!(
            out,
            "  {}: {}{before} -> {}, {}{}",
            escape::line(&trim.log.job),
            bytes::human(trim.log.fp.size),
            bytes::human(trim.log.fp.size - trim.from),
            count(trim.keep_lines, "line"),
            ending(end)
        );
    }
    out.push_str(&look.more(logs.trims.len()));
    for (path, why) in &logs.unreadable {
        let bad = look.style.paint(Role::Bad, "Failed:");
        let _ = writeln!(out, "{bad} {}: {}", escape::path(path), escape::line(why));
    }
    if !logs.of_gone_jobs.is_empty() {
        let size: u64 = logs.of_gone_jobs.iter().map(|l| l.fp.size).sum();
        let names: Vec<_> = logs.of_gone_jobs.iter().map(|l| escape::line(&l.job).into_owned()).collect();
        let shown = names[..look.lines(names.len())].join(", ");
        let n = count(names.len() as u64, "log");
        let _ = writeln!(
            out,
            "{n} of deleted jobs ({}), trimmed like the others and not removed as a whole: {shown}",
            bytes::human(size)
        );
    }
    for warning in &logs.warnings {
        let _ = writeln!(out, "{} {}", look.style.paint(Role::Warn, "Note:"), escape::line(warning));
    }
    if let Some(run) = &logs.run_id {
        let _ = writeln!(out, "The logs before are kept in run {}", escape::line(run));
    }
    out
}
