//! `sessions cleanup`: the retention and budget pass.

use crate::apply;
use crate::cli::GlobalFlags;
use crate::cli::cleanup::CleanupArgs;
use crate::cmd::start;
use crate::context::Context;
use crate::error::Result;
use crate::exit;
use crate::gateway::endpoint;
use crate::model::decision::{Reason, Verdict};
use crate::model::outcome::{Applied, Outcome, Skip};
use crate::model::plan::Plan;
use crate::model::policy::{Mode, Policy};
use crate::model::sourced::Limit;
use crate::model::stores::{Generation, Target, TargetOrigin};
use crate::plan::decide;
use crate::plan::policy::{self, PolicyFlags};
use crate::report::cleanup::{CleanupReport, StoreReport};
use crate::report::command;
use crate::scan::{facts, obstacles};

use super::delegate::{ByTheGateway, Door, Way};
use super::pass::{Done, Pass, Planned};

/// Runs the command.
///
/// # Errors
/// With one store, whatever stopped it. With several, a failed one is reported in its place and the others still run.
pub fn run(ctx: &mut Context, g: &GlobalFlags, a: &CleanupArgs) -> Result<u8> {
    let start = start::deciding_anywhere(ctx, g, &a.select)?;
    if !endpoint::is_remote(&start.loaded.settings) {
        start::refuse_absent_state(g, &a.select, &start)?;
    }
    let flags = policy_flags(a);
    let policies: Vec<Policy> = start
        .selection
        .targets
        .iter()
        .map(|target| policy::resolve(&start.loaded.settings, &flags, &target.agent_id))
        .collect::<Result<_>>()?;
    let passes: Vec<Pass<'_>> = start
        .selection
        .targets
        .iter()
        .zip(&policies)
        .map(|(target, policy)| Pass {
            ctx,
            start: &start,
            target,
            policy,
            overrides: &a.overrides,
            planner: &decide::decide,
            command: "sessions cleanup",
            reclaim_by_unlink: policy.max_disk.value != Limit::Off,
            greeting: std::cell::RefCell::default(),
        })
        .collect();
    let door = Door::new(ctx, &start, a);
    // A remote gateway is asked once, for its own agents.
    let one_call =
        endpoint::is_remote(&start.loaded.settings) && a.select.store.is_none() && a.select.agents.is_empty();
    let passes = &passes[..if one_call { passes.len().min(1) } else { passes.len() }];
    let several = passes.len() > 1;
    let mut results = Vec::with_capacity(passes.len());
    for pass in passes {
        match one(pass, &door, a.dry_run, a.select.all_agents) {
            Err(error) if !several => return Err(error),
            result => results.push(result.map_err(|error| ctx.given.error(error))),
        }
        if ctx.cancel.get().is_some() {
            break;
        }
    }
    if a.dry_run || passes.iter().all(|pass| pass.policy.mode.value != Mode::Enforce) {
        ctx.unless_cancelled()?;
    }
    let stores: Vec<StoreReport<'_>> =
        passes.iter().zip(&results).map(|(pass, result)| report(pass, result, a.dry_run)).collect();
    let code = overall(&stores, a.exit_code);
    let report =
        CleanupReport { stores, not_looked_at: &start.selection.not_looked_at, all_agents: a.select.all_agents };
    report.print(ctx)?;
    Ok(ctx.cancel.get().unwrap_or(code))
}

/// What came of one store.
enum StoreResult {
    /// Planned, and executed if it was to be.
    Done(Box<Done>),
    /// The gateway did it.
    ByTheGateway(Box<ByTheGateway>),
    /// Not looked into: reason and a sentence.
    Skipped(&'static str, String),
}

fn one(pass: &Pass<'_>, door: &Door<'_>, dry_run: bool, all_agents: bool) -> Result<StoreResult> {
    let enforce = pass.policy.mode.value == Mode::Enforce && !dry_run;
    if !enforce {
        refuse_leftovers(pass)?;
    }
    if enforce && let Way::Gateways(proof) = door.way(pass)? {
        return Ok(match door.delegate(pass, proof)? {
            Some(by) => StoreResult::ByTheGateway(Box::new(by)),
            None => StoreResult::Skipped("absent", absent(pass.target)),
        });
    }
    if let (Generation::Sqlite { database }, true) = (&pass.target.generation, all_agents) {
        return Ok(StoreResult::Skipped("generation", leftover(pass.target, database)));
    }
    let done = if enforce { pass.enforce()? } else { pass.plan()?.map(|planned| Done { planned, applied: None }) };
    Ok(done
        .map_or_else(|| StoreResult::Skipped("absent", absent(pass.target)), |done| StoreResult::Done(Box::new(done))))
}

/// In remote mode the sessions are elsewhere, and the gateway there has no dry run: a plan of the leftovers here would be
/// taken for one.
fn refuse_leftovers(pass: &Pass<'_>) -> Result<()> {
    if pass.target.origin == TargetOrigin::StoreFlag || pass.policy.files_only {
        return Ok(());
    }
    super::pass::refuse_remote(&pass.start.loaded.settings).map_err(|error| {
        let store = command::quote(&pass.target.store_path.to_string_lossy()).into_owned();
        error
            .hint("clawkeep sessions cleanup --enforce  (asks the remote gateway, which has no dry run)")
            .hint(format!("clawkeep sessions cleanup --store {store}  (the leftovers on this host)"))
    })
}

fn leftover(target: &Target, database: &std::path::Path) -> String {
    format!(
        "{} is a leftover: the sessions of agent {} live in {}",
        target.store_path.display(),
        target.agent_id,
        database.display()
    )
}

fn absent(target: &Target) -> String {
    format!("agent {} has no store yet ({})", target.agent_id, target.store_path.display())
}

fn report<'a>(pass: &Pass<'a>, result: &'a Result<StoreResult>, dry_run: bool) -> StoreReport<'a> {
    let mut report = StoreReport {
        dry_run,
        planned_only: dry_run || pass.policy.mode.value == Mode::Warn,
        overrides: pass.overrides,
        given: &pass.ctx.given,
        ..StoreReport::new(pass.target, &pass.start.roots.state_origin, pass.policy)
    };
    match result {
        Err(error) => report.error = Some(error),
        Ok(StoreResult::Skipped(reason, text)) => report.skipped = Some((reason, text.clone())),
        Ok(StoreResult::ByTheGateway(by)) => {
            report.gateway = Some(&by.gateway);
            if let Some(Done { planned, applied }) = &by.done {
                report.facts = Some(&planned.facts);
                report.plan = Some(&planned.plan);
                report.applied = applied.as_ref();
            }
        }
        Ok(StoreResult::Done(done)) => {
            let Done { planned: Planned { facts, plan, .. }, applied } = &**done;
            report.facts = Some(facts);
            report.plan = Some(plan);
            report.applied = applied.as_ref();
            if let Generation::Sqlite { database } = &pass.target.generation {
                report.warnings.push(leftover(pass.target, database));
            }
            if report.planned_only {
                let effects = plan.effects.iter().map(|planned| &planned.effect);
                let found = obstacles::of(&plan.folder, effects, pass.overrides);
                report.warnings.extend(found.into_iter().map(|o| format!("the run would fail: {}", o.why)));
                report.pending_run = pending(pass.target);
            }
        }
    }
    report
}

/// Id of an interrupted run, if there is one.
fn pending(target: &Target) -> Option<String> {
    let folder = facts::artefact_folder(target)?;
    apply::recover::pending(&folder).ok()?.into_iter().next().map(|run| run.id)
}

/// Exit code of the run: where some stores failed and others did not, it is partial.
fn overall(stores: &[StoreReport<'_>], strict: bool) -> u8 {
    let failed = stores.iter().filter(|s| s.error.is_some()).count();
    let some = failed > 0 && failed < stores.len();
    let codes = stores.iter().map(|s| if some && s.error.is_some() { exit::PARTIAL } else { code(s, strict) });
    codes.fold(exit::DONE, exit::graver)
}

/// Exit code of one store (DESIGN 3).
fn code(store: &StoreReport<'_>, strict: bool) -> u8 {
    if let Some(error) = store.error {
        return exit::code(error.kind);
    }
    let mut code = exit::DONE;
    if store.gateway.is_some_and(|gateway| gateway.partial().is_some()) {
        code = exit::PARTIAL;
    }
    let Some(plan) = store.plan else { return code };
    if plan.suspicion.is_some() && !store.policy.override_suspect || plan.max_remove_hit.is_some() {
        code = exit::graver(code, exit::FINDINGS);
    }
    if !plan.ownership_incomplete.is_empty() || store.applied.is_some_and(|applied| is_partial(plan, applied)) {
        code = exit::graver(code, exit::PARTIAL);
    }
    let unmet = plan.cap_shortfall > 0 || plan.budget.is_some_and(|b| b.over_before() && b.on_disk_after() > b.max);
    if strict && (unmet || (store.planned_only && plan.would_mutate())) {
        code = exit::graver(code, exit::FINDINGS);
    }
    code
}

/// Something that was wanted was not done: it failed, changed meanwhile, or a live lock held it.
fn is_partial(plan: &Plan, applied: &Applied) -> bool {
    let fine = |o: &Outcome| matches!(o, Outcome::Skipped(Skip::Gone) | Outcome::NotReached);
    let undone = |o: &Outcome| o.freed().is_none() && !fine(o);
    let locked = |r: Reason| matches!(r, Reason::LiveLock | Reason::UnknownLock);
    applied.outcomes.iter().any(undone) || plan.decisions.iter().any(|d| d.verdict == Verdict::Hold && locked(d.reason))
}

fn policy_flags(a: &CleanupArgs) -> PolicyFlags {
    let overridden = |token: &str| a.overrides.iter().any(|t| t == token);
    PolicyFlags {
        enforce: a.enforce,
        fix_missing: a.fix_missing,
        fix_dm_scope: a.fix_dm_scope,
        files_only: a.files_only,
        active_keys: a.active_keys.clone(),
        keep: a.keep.clone(),
        prune_after: a.prune_after,
        max_entries: a.max_entries,
        max_disk: a.max_disk,
        high_water: a.high_water,
        deleted_retention: a.deleted_retention,
        reset_retention: a.reset_retention,
        grace: a.grace,
        max_remove: a.max_remove.and_then(Limit::at),
        archive_to: a.archive_to.clone(),
        override_suspect: overridden("suspect-index"),
        override_large: overridden("large-removal"),
    }
}
