//! `cron prune`: retention of run sessions, and trimming of run logs.
//!
//! Rows go as in a cleanup in which only `cron.sessionRetention` is in force. Run logs belong to the state folder, not to
//! a store: they are trimmed in a run of their own, whose folder lies in the state folder and keeps the logs as they
//! were.
//!
//! With `--files-only` no row is looked at, and of the logs only those that nobody has written to for half an hour are
//! trimmed: that can be done beside a gateway, which appends to the log of a job each time it runs.

use crate::apply;
use crate::apply::input::{ApplyInput, Label, Recheck};
use crate::cli::GlobalFlags;
use crate::cli::cron::CronPruneArgs;
use crate::cmd::sessions::pass::{Done, Pass};
use crate::cmd::start::{self, Start};
use crate::context::Context;
use crate::cron::{jobs, run_logs};
use crate::error::{Error, Result};
use crate::exit;
use crate::lock::owner;
use crate::lock::run::RunLock;
use crate::model::cron::{CronPrune, Ending, PrunedLogs, PrunedRow, PrunedStore};
use crate::model::decision::{Reason, Subject, Verdict};
use crate::model::facts::JobsFacts;
use crate::model::outcome::{Applied, Outcome, Skip};
use crate::model::owner::{OwnerVerdict, Writer};
use crate::model::plan::{Plan, PlannedEffect};
use crate::model::policy::{BUSY, Mode, Policy};
use crate::model::stores::{Generation, Selection, Target};
use crate::plan::cron_only;
use crate::plan::policy::{self, PolicyFlags};
use crate::report::cron::{human, json};
use crate::report::disk::human::Look;
use crate::scan::{obstacles, volume};

/// Name in journal, audit log and lock.
const COMMAND: &str = "cron prune";

/// Runs the command.
///
/// # Errors
/// An invalid configuration or selection. With one store, whatever stopped it; what stops one of several, or the
/// trimming, is reported in its place.
pub fn run(ctx: &mut Context, g: &GlobalFlags, a: &CronPruneArgs) -> Result<u8> {
    let start = start::deciding(ctx, g, &a.select)?;
    start::refuse_absent_state(g, &a.select, &start)?;
    let given = |token: &str| a.overrides.iter().any(|t| t == token);
    let flags = PolicyFlags {
        enforce: a.enforce,
        override_suspect: given("suspect-index"),
        override_large: given("large-removal"),
        ..PolicyFlags::default()
    };
    let policy_of = |agent: &str| {
        policy::resolve(&start.loaded.settings, &flags, agent).map(|base| cron_only::policy(&base, a.session_retention))
    };
    // What holds for every agent: mode, limits. An invalid configuration ends the run here.
    let common = policy_of("")?;
    let enforce = common.mode.value == Mode::Enforce && !a.dry_run;
    let cron = &start.loaded.settings.cron;
    let several = start.selection.targets.len() > 1;
    let mut stores = Vec::new();
    for target in &start.selection.targets {
        let policy = policy_of(&target.agent_id)?;
        let mut out = PrunedStore::new(&target.agent_id, target.store_path.clone());
        match one(ctx, &start, target, &policy, a, enforce, &mut out) {
            Err(error) if !several => return Err(error),
            Err(error) => (out.error, out.hints) = parts(ctx, error),
            Ok(()) => {}
        }
        stores.push(out);
        if ctx.cancel.get().is_some() {
            break;
        }
    }
    let logs = Logs { ctx, start: &start, a }.run(enforce);
    let report = CronPrune {
        mode: common.mode,
        planned_only: !enforce,
        dry_run: a.dry_run,
        retention: common.cron_retention,
        limits: super::status::limits(cron),
        runs_dir: run_logs::folder(&cron.store.value),
        stores,
        logs,
    };
    print(ctx, &report, &start.selection)?;
    Ok(ctx.cancel.get().unwrap_or_else(|| code(&report)))
}

fn print(ctx: &Context, report: &CronPrune, selection: &Selection) -> Result<()> {
    let others = &selection.not_looked_at;
    if ctx.output.json {
        return crate::report::json::print(ctx, &json::prune(report, others));
    }
    if ctx.output.quiet > 0 {
        return Ok(());
    }
    ctx.write_stdout(human::prune(report, others, &Look::of(ctx)).as_bytes())
}

/// Exit code (DESIGN 3).
fn code(report: &CronPrune) -> u8 {
    let bad = |e: &Ending| matches!(e.word, "failed" | "skipped" | "held");
    let stores =
        report.stores.iter().any(|s| s.error.is_some() || s.files_left > 0 || s.rows.iter().any(|r| bad(&r.ending)));
    let logs = &report.logs;
    let logs = logs.error.is_some() || !logs.unreadable.is_empty() || logs.trims.iter().any(|(_, e)| bad(e));
    if stores || logs { exit::PARTIAL } else { exit::DONE }
}

fn parts(ctx: &Context, error: Error) -> (Option<String>, Vec<String>) {
    let error = ctx.given.error(error);
    let mut hints = error.hints;
    hints.extend(error.token.map(|token| format!("--override {token}")));
    (Some(error.message), hints)
}

fn one(
    ctx: &Context,
    start: &Start,
    target: &Target,
    policy: &Policy,
    a: &CronPruneArgs,
    enforce: bool,
    out: &mut PrunedStore,
) -> Result<()> {
    if let Generation::Sqlite { database } = &target.generation
        && !a.overrides.iter().any(|t| t == "legacy-store")
    {
        out.skipped = Some(format!("a leftover: its sessions live in {}", database.display()));
        return Ok(());
    }
    if a.files_only {
        out.skipped = Some("no row is touched (--files-only)".to_owned());
        return Ok(());
    }
    let pass = Pass {
        ctx,
        start,
        target,
        policy,
        overrides: &a.overrides,
        planner: &cron_only::plan,
        command: COMMAND,
        reclaim_by_unlink: false,
        greeting: std::cell::RefCell::default(),
    };
    let done = if enforce { pass.enforce()? } else { pass.plan()?.map(|planned| Done { planned, applied: None }) };
    match done {
        None => out.skipped = Some("the agent has no store yet".to_owned()),
        Some(done) => fill(out, &done),
    }
    Ok(())
}

fn fill(out: &mut PrunedStore, done: &Done) {
    let (facts, plan) = (&done.planned.facts, &done.planned.plan);
    let word = match &done.applied {
        None => "planned",
        Some(applied) if applied.swapped => "done",
        Some(_) => "not-reached",
    };
    for (at, decision) in (0..).zip(&plan.decisions) {
        match (decision.subject, decision.verdict) {
            (Subject::Row(ix), Verdict::Drop) => {
                let key = facts.index.key(&facts.index.rows[ix as usize]).into_owned();
                out.rows.push(PrunedRow { key, reason: decision.reason.id(), ending: Ending { word, why: None } });
            }
            (Subject::Row(ix), Verdict::Hold) => {
                let key = facts.index.key(&facts.index.rows[ix as usize]).into_owned();
                let why = Some(decision.reason.explain().to_owned());
                out.rows.push(PrunedRow { key, reason: decision.reason.id(), ending: Ending { word: "held", why } });
            }
            (Subject::File(file), verdict) if verdict.acts() => match not_done(done, at) {
                None => {
                    out.files += 1;
                    out.file_bytes += decision.bytes;
                }
                Some(why) => {
                    out.files_left += 1;
                    let name = facts.folder.entries[file as usize].name.to_string_lossy();
                    out.warnings.push(format!("{name} was left: {why}"));
                }
            },
            _ => {}
        }
    }
    out.before = plan.rows_before;
    let untouched = done.applied.as_ref().is_some_and(|a| !a.swapped);
    out.after = if untouched { plan.rows_before } else { plan.rows_after };
    out.warnings.extend(plan.warnings.iter().cloned());
    if let Some(reason) = plan.suspicion.as_ref().map(|_| Reason::SuspectIndex) {
        out.warnings.push(format!("{}: files stay", reason.explain()));
    }
    if done.applied.is_none() {
        let found = obstacles::of(&plan.folder, plan.effects.iter().map(|planned| &planned.effect), &[]);
        out.warnings.extend(found.into_iter().map(|o| format!("the run would fail: {}", o.why)));
    }
    if let Some(applied) = &done.applied {
        out.warnings.extend(applied.warnings.iter().cloned());
        out.run_id = Some(applied.run_id.clone()).filter(|id| !id.is_empty());
    }
}

/// Why the file of this decision was not taken, if it was to be.
fn not_done(done: &Done, decision: u32) -> Option<String> {
    let applied = done.applied.as_ref()?;
    let effect = done.planned.plan.effects.iter().position(|e| e.decision == Some(decision))?;
    match applied.outcomes.get(effect)? {
        Outcome::Done { .. } | Outcome::UnlinkedForSpace { .. } | Outcome::Skipped(Skip::Gone) => None,
        Outcome::Skipped(skip) => Some(skip.explain().to_owned()),
        Outcome::Failed(why) => Some(why.clone()),
        Outcome::NotReached => Some("it was not reached".to_owned()),
    }
}

/// Trimming of run logs.
struct Logs<'a> {
    ctx: &'a Context,
    start: &'a Start,
    a: &'a CronPruneArgs,
}

impl Logs<'_> {
    fn run(&self, enforce: bool) -> PrunedLogs {
        let mut out = PrunedLogs::default();
        let result = if enforce { self.enforce(&mut out) } else { self.plan(&mut out).map(|_| ()) };
        if let Err(error) = result {
            (out.error, out.hints) = parts(self.ctx, error);
        }
        out
    }

    /// Lists what is to be trimmed. Writes nothing.
    fn plan(&self, out: &mut PrunedLogs) -> Result<Vec<PlannedEffect>> {
        let cron = &self.start.loaded.settings.cron;
        let mut logs = run_logs::list(&run_logs::folder(&cron.store.value))?;
        let limits = super::status::limits(cron);
        if self.a.files_only {
            let busy = run_logs::leave_busy(&mut logs, &limits, self.ctx.run_time() - BUSY);
            if busy > 0 {
                let what = crate::report::plural::count(busy, "run log");
                out.warnings.push(format!("{what} beyond a bound left alone: written to within half an hour"));
            }
        }
        let plan = run_logs::plan(&logs, &limits);
        let planned = |trim| (trim, Ending { word: "planned", why: None });
        out.trims = plan.trims.into_iter().map(planned).collect();
        out.unreadable = plan.failed;
        if let JobsFacts::Usable { ids, .. } = jobs::read(&cron.store.value) {
            let known = |job: &str| ids.contains(job) || ids.contains(&job.to_lowercase());
            out.of_gone_jobs = logs.into_iter().filter(|log| !known(&log.job)).collect();
        }
        Ok(plan.effects)
    }

    fn enforce(&self, out: &mut PrunedLogs) -> Result<()> {
        let state = self.start.roots.state_dir.clone();
        // Nothing to do: nothing is created, not even for the lock.
        if self.plan(out)?.is_empty() && (!state.exists() || apply::recover::pending(&state)?.is_empty()) {
            return Ok(());
        }
        let lock = RunLock::acquire(self.ctx, &state, COMMAND)?;
        if self.a.files_only {
            super::super::sessions::pass::refuse_remote(&self.start.loaded.settings)?;
        } else {
            let verdict = self.owner();
            if matches!(verdict.writer, Writer::Owns | Writer::Unknown) {
                return Err(owner::refusal(&verdict));
            }
        }
        let owner_now = || self.owner();
        let recheck = Recheck {
            // No row leads to a run log, and no transcript lock covers one.
            owned_now: &|names| Ok(vec![false; names.len()]),
            locked_now: &|_| false,
            owner_now: &owner_now,
            files_only: self.a.files_only,
        };
        let recovered = if apply::recover::pending(lock.folder())?.is_empty() {
            Vec::new()
        } else {
            apply::recover::run(self.ctx, lock.folder(), &lock, &recheck)?
        };
        *out = PrunedLogs::default();
        let effects = self.plan(out)?;
        if effects.is_empty() {
            return Ok(());
        }
        let folder = run_logs::folder(&self.start.loaded.settings.cron.store.value);
        let folder = folder.canonicalize().map_err(|e| Error::io("open", &folder, e))?;
        let plan = plan_of(folder, effects, self.ctx.run_time());
        let applied = apply::execute(&ApplyInput {
            ctx: self.ctx,
            plan: &plan,
            index: None,
            own_dir: lock.folder(),
            lock: Some(&lock),
            command: COMMAND,
            argv: &self.ctx.argv,
            overrides: &self.a.overrides,
            policy_echo: &serde_json::Value::Null,
            undoes: None,
            partly: false,
            leaves: false,
            group: None,
            label: &|_| Label::default(),
            reclaim_by_unlink: false,
            suspect: false,
            recheck,
            pack: None,
            progress: None,
            recovered: &recovered,
        })?;
        settle(out, applied);
        Ok(())
    }

    /// Who may write; a refusal that was passed by its token stays passed.
    fn owner(&self) -> OwnerVerdict {
        let state = &self.start.roots.state_dir;
        let network = volume::facts(state).network;
        let evidence =
            owner::collect(self.ctx, &self.start.roots, &self.start.loaded.settings, state, None, network, false);
        let mut verdict = owner::verdict(evidence, false);
        if verdict.allows(&self.a.overrides) {
            verdict.writer = Writer::Foreign;
        }
        verdict
    }
}

fn plan_of(folder: std::path::PathBuf, effects: Vec<PlannedEffect>, now: crate::model::Ms) -> Plan {
    Plan {
        folder,
        now,
        decisions: Vec::new(),
        effects,
        rows_before: 0,
        rows_after: 0,
        budget: None,
        cap_shortfall: 0,
        suspicion: None,
        ownership_incomplete: Vec::new(),
        max_remove_hit: None,
        warnings: Vec::new(),
    }
}

fn settle(out: &mut PrunedLogs, applied: Applied) {
    for ((_, ending), outcome) in out.trims.iter_mut().zip(applied.outcomes) {
        *ending = match outcome {
            Outcome::Done { .. } | Outcome::UnlinkedForSpace { .. } => Ending { word: "done", why: None },
            Outcome::Skipped(Skip::Changed) => {
                Ending { word: "skipped", why: Some("it was written to meanwhile".to_owned()) }
            }
            Outcome::Skipped(Skip::Gone) => Ending { word: "skipped", why: Some("it is gone".to_owned()) },
            Outcome::Skipped(_) => Ending { word: "skipped", why: Some("somebody else may write now".to_owned()) },
            Outcome::Failed(why) => Ending { word: "failed", why: Some(why) },
            Outcome::NotReached => Ending { word: "not-reached", why: None },
        };
    }
    out.warnings.extend(applied.warnings);
    out.run_id = Some(applied.run_id).filter(|id| !id.is_empty());
}
