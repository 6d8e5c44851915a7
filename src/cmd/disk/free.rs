//! `disk free`: make room, taking only what policy allows.
//!
//! First every store is planned without a lock, so that the goal can be spread over all of them oldest first; then each
//! store is planned again under its lock for its share and carried out. What is taken needs no byte, so this works on a
//! full disk. Our own run folders go after the files: they are let go even if a file turned out to be held.

use std::cell::RefCell;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::items::{budget_items, item, name_of, outcome_text};
use crate::cli::GlobalFlags;
use crate::cli::disk::DiskFreeArgs;
use crate::cli::select::SelectArgs;
use crate::cli::values::{self, KeepFree};
use crate::cmd::sessions::pass::{Pass, Planned};
use crate::cmd::start::{self, Start};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::exit;
use crate::fsx::read::lstat;
use crate::journal::forget;
use crate::lock::run::RunLock;
use crate::model::freeing::{self, FreeGoal, FreeReport, FreedItem, FreedStore};
use crate::model::kept::Kept;
use crate::model::plan::Plan;
use crate::model::policy::Policy;
use crate::model::settings::Settings;
use crate::model::stores::{Generation, Target};
use crate::model::usage::VolumeUsage;
use crate::plan::decide;
use crate::plan::free::{self, Archives, Freeing, Goal, Offers, Take};
use crate::plan::policy::{self, PolicyFlags};
use crate::report::disk::{free as human, free_json, human::Look};
use crate::report::escape;
use crate::report::style::Style;
use crate::scan::{facts, kept, volume};
use crate::units::bytes;

/// Name in journal, audit log and lock.
const COMMAND: &str = "disk free";

/// Runs the command.
///
/// # Errors
/// No goal, a goal that needs a figure the volume does not give, an invalid configuration; with one store, whatever
/// stopped it.
pub fn run(ctx: &mut Context, g: &GlobalFlags, a: &DiskFreeArgs) -> Result<u8> {
    let start = start::deciding(ctx, g, &selection(&a.select))?;
    if a.select.store.is_none() {
        start::refuse_absent(g, &start.roots)?;
    }
    let (goal, goal_origin) = goal(a, &start.loaded.settings)?;
    let mut stores = Vec::new();
    for target in &start.selection.targets {
        stores.push(Work::new(ctx, &start, target, a, &goal)?);
    }
    let several = stores.len() > 1;
    for work in &mut stores {
        if let Err(error) = work.look() {
            if !several {
                return Err(error);
            }
            work.failed(error);
        }
    }
    drop_shared_folders(&mut stores);
    let before = volume_of(&stores, &start);
    drop_other_volumes(&mut stores, &before.path);
    let wanted = wanted(&goal, &before)?;
    let missing = spread(&mut stores, wanted);
    let mut report = FreeReport {
        dry_run: a.dry_run,
        declined: false,
        goal,
        goal_origin,
        wanted,
        missing,
        stores: Vec::new(),
        not_looked_at: start.selection.not_looked_at.clone(),
        before: before.clone(),
        after: None,
    };
    if !a.dry_run && confirmed(ctx, a, &stores)? {
        for work in &mut stores {
            if ctx.cancel.get().is_some() {
                break;
            }
            if let Err(error) = work.carry_out() {
                if !several {
                    return Err(error);
                }
                work.failed(error);
            }
        }
        report.after = Some(VolumeUsage { facts: volume::facts(&before.path), path: before.path });
    } else {
        (report.declined, report.dry_run) = (!a.dry_run, true);
    }
    report.stores = stores.into_iter().map(|work| work.out).collect();
    if let (false, Some(wanted)) = (report.dry_run, wanted) {
        report.missing = wanted.saturating_sub(report.gained());
    }
    print(ctx, &report)?;
    Ok(ctx.cancel.get().unwrap_or_else(|| code(&report)))
}

/// The disk is one: unless stores are chosen, those of all configured agents can make room.
fn selection(given: &SelectArgs) -> SelectArgs {
    if *given == SelectArgs::default() {
        return SelectArgs { all_agents: true, ..SelectArgs::default() };
    }
    given.clone()
}

/// The goal: a flag, or `keepFree` of our own settings.
fn goal(a: &DiskFreeArgs, settings: &Settings) -> Result<(FreeGoal, String)> {
    let of_keep_free = |k: KeepFree| match k {
        KeepFree::Bytes(bytes) => FreeGoal::KeepFree(bytes),
        KeepFree::Percent(percent) => FreeGoal::KeepFreePercent(percent),
    };
    if let Some(bytes) = a.need {
        return Ok((FreeGoal::Need(bytes), "--need".to_owned()));
    }
    if let Some(keep) = a.keep_free {
        return Ok((of_keep_free(keep), "--keep-free".to_owned()));
    }
    if a.to_budget {
        return Ok((FreeGoal::ToBudget, "--to-budget".to_owned()));
    }
    let Some(own) = &settings.own.keep_free else {
        return Err(Error::usage("nothing says how much room is wanted: no --need, --keep-free or --to-budget, and no keepFree in clawkeep.json5")
            .hint("clawkeep disk free --need 500mb --dry-run")
            .hint("clawkeep disk free --keep-free 10% --dry-run")
            .hint("clawkeep disk free --to-budget --dry-run"));
    };
    let keep =
        values::keep_free(&own.value).map_err(|why| Error::failed(format!("keepFree in {}: {why}", own.origin)))?;
    Ok((of_keep_free(keep), own.origin.to_string()))
}

/// Bytes to free; `None` where each store has its own goal.
fn wanted(goal: &FreeGoal, before: &VolumeUsage) -> Result<Option<u64>> {
    let goal = match *goal {
        FreeGoal::Need(bytes) => Goal::Need(bytes),
        FreeGoal::KeepFree(bytes) => Goal::KeepFree(bytes),
        FreeGoal::KeepFreePercent(percent) => Goal::KeepFreePercent(percent),
        FreeGoal::ToBudget => return Ok(None),
    };
    let bytes = goal.bytes(before.facts.free_bytes, before.facts.total_bytes);
    let unknown = || {
        Error::failed(format!("the volume of {} does not say how much is free", before.path.display()))
            .hint("clawkeep disk free --need SIZE")
    };
    bytes.map(Some).ok_or_else(unknown)
}

/// Gives every store its share. Returns what is missing.
fn spread(stores: &mut [Work<'_>], wanted: Option<u64>) -> u64 {
    let Some(wanted) = wanted else { return stores.iter().map(|w| w.short_of_budget).sum() };
    let nothing = Offers::default();
    let share = free::share(&stores.iter().map(|w| w.offers.as_ref().unwrap_or(&nothing)).collect::<Vec<_>>(), wanted);
    for (work, quota) in stores.iter_mut().zip(share.quotas) {
        work.quota = quota;
        work.propose();
    }
    share.missing
}

/// Two stores in one folder offer the same files: only the first does.
fn drop_shared_folders(stores: &mut [Work<'_>]) {
    let mut seen: Vec<(PathBuf, String)> = Vec::new();
    for work in stores {
        let Some(folder) = work.folder.clone() else { continue };
        match seen.iter().find(|(known, _)| *known == folder) {
            Some((_, agent)) if !work.to_budget => {
                work.offer_nothing(format!("its folder is that of agent {agent}"));
            }
            _ => seen.push((folder, work.target.agent_id.clone())),
        }
    }
}

/// A goal is about one volume: stores on another cannot help.
fn drop_other_volumes(stores: &mut [Work<'_>], first: &Path) {
    let volume = |path: &Path| lstat(path).ok().map(|fp| fp.dev);
    for work in stores.iter_mut().filter(|w| !w.to_budget) {
        if work.folder.as_deref().is_some_and(|folder| volume(folder) != volume(first)) {
            work.offer_nothing(format!("its folder is on another volume than {}", escape::path(first)));
        }
    }
}

/// The volume of the first folder, else of the state folder.
fn volume_of(stores: &[Work<'_>], start: &Start) -> VolumeUsage {
    let path = stores.iter().find_map(|w| w.folder.clone()).unwrap_or_else(|| start.roots.state_dir.clone());
    VolumeUsage { facts: volume::facts(&path), path }
}

/// On a terminal the user sees what would go and is asked; elsewhere the verb is the consent.
fn confirmed(ctx: &Context, a: &DiskFreeArgs, stores: &[Work<'_>]) -> Result<bool> {
    let items: usize = stores.iter().map(|w| w.out.items.len()).sum();
    if a.yes || items == 0 || !(ctx.stdin_tty && ctx.stderr_tty) {
        return Ok(true);
    }
    let look = Look { style: Style::stderr(ctx), ..Look::of(ctx) };
    let stores = stores.iter().map(|w| &w.out);
    ctx.write_stderr(human::proposal(stores.clone(), &look).as_bytes());
    let planned: u64 = stores.map(|out| out.bytes("planned")).sum();
    let question = format!(
        "Remove {} for good ({})? [y/N] ",
        crate::report::plural::count(items as u64, "item"),
        bytes::human(planned)
    );
    ctx.ask(&question)
}

/// Exit code (DESIGN 3).
fn code(report: &FreeReport) -> u8 {
    let mut code = exit::DONE;
    if !report.reached() {
        code = exit::graver(code, exit::FINDINGS);
    }
    for store in &report.stores {
        let undone = store.items.iter().any(|i| matches!(i.outcome, "failed" | "skipped"));
        if store.error.is_some() || undone {
            code = exit::graver(code, exit::PARTIAL);
        }
    }
    code
}

fn print(ctx: &Context, report: &FreeReport) -> Result<()> {
    if ctx.output.json {
        return crate::report::json::print(ctx, &free_json::value(report));
    }
    if ctx.output.quiet > 0 {
        return Ok(());
    }
    ctx.write_stdout(human::text(report, &Look::of(ctx)).as_bytes())
}

/// One store.
struct Work<'a> {
    ctx: &'a Context,
    start: &'a Start,
    target: &'a Target,
    policy: Policy,
    overrides: &'a [String],
    to_budget: bool,
    archives: Archives,
    folder: Option<PathBuf>,
    kept: Kept,
    planned: Option<Planned>,
    offers: Option<Offers>,
    quota: u64,
    short_of_budget: u64,
    /// Why rows are spared.
    beside: Option<String>,
    out: FreedStore,
}

impl<'a> Work<'a> {
    fn new(
        ctx: &'a Context,
        start: &'a Start,
        target: &'a Target,
        a: &'a DiskFreeArgs,
        goal: &FreeGoal,
    ) -> Result<Self> {
        let given = |token: &str| a.overrides.iter().any(|t| t == token);
        let flags = PolicyFlags {
            override_suspect: given("suspect-index"),
            override_large: given("large-removal"),
            ..PolicyFlags::default()
        };
        let base = policy::resolve(&start.loaded.settings, &flags, &target.agent_id)?;
        let to_budget = *goal == FreeGoal::ToBudget;
        let policy = if to_budget {
            free::budget_policy(&base).ok_or_else(|| {
                Error::usage("--to-budget needs a budget, and session.maintenance.maxDiskBytes is not set")
                    .hint("clawkeep disk free --need SIZE")
                    .hint("clawkeep sessions cleanup --max-disk SIZE --dry-run")
            })?
        } else {
            free::policy(&base)
        };
        Ok(Self {
            ctx,
            start,
            target,
            policy,
            overrides: &a.overrides,
            to_budget,
            archives: if a.take_archives { Archives::Take } else { Archives::Keep },
            folder: facts::artefact_folder(target),
            kept: Kept::default(),
            planned: None,
            offers: None,
            quota: 0,
            short_of_budget: 0,
            beside: None,
            out: FreedStore::new(&target.agent_id, target.store_path.clone()),
        })
    }

    fn failed(&mut self, error: Error) {
        let error = self.ctx.given.error(error);
        self.out.error = Some(error.message);
        self.out.hints = error.hints;
        if let Some(token) = error.token {
            self.out.hints.push(format!("--override {token}"));
        }
    }

    /// Takes the store out, for a reason that is no failure.
    fn offer_nothing(&mut self, why: String) {
        self.offers = None;
        self.out.in_the_way.clear();
        self.out.later = 0;
        self.out.held_archives = (0, 0);
        self.out.skipped = Some(why);
    }

    fn pass<'b>(&'b self, planner: crate::cmd::sessions::pass::Planner<'b>) -> Pass<'b> {
        Pass {
            ctx: self.ctx,
            start: self.start,
            target: self.target,
            policy: &self.policy,
            overrides: self.overrides,
            planner,
            command: COMMAND,
            reclaim_by_unlink: true,
            greeting: std::cell::RefCell::default(),
        }
    }

    /// Plans without a lock: what there is to take.
    fn look(&mut self) -> Result<()> {
        if let Generation::Sqlite { database } = &self.target.generation
            && !self.overrides.iter().any(|t| t == "legacy-store")
        {
            self.out.skipped = Some(format!("a leftover: its sessions live in {}", database.display()));
            return Ok(());
        }
        self.spare_rows();
        let planned = self.pass(&decide::decide).plan()?;
        let Some(planned) = planned else {
            self.out.skipped = Some("the agent has no store yet".to_owned());
            return Ok(());
        };
        self.kept = kept::read(&planned.facts.folder.path)?;
        if self.to_budget {
            let ledger = planned.plan.budget;
            self.short_of_budget = ledger.map_or(0, |b| b.after.saturating_sub(b.high_water));
            self.out.later = ledger.map_or(0, |b| b.pending);
            self.out.items = budget_items(&planned, None);
        } else {
            let offers = free::offers(&planned.facts, &planned.plan, &self.kept, &self.policy, self.archives);
            self.note(&offers);
            self.offers = Some(offers);
        }
        self.out.warnings.clone_from(&planned.plan.warnings);
        self.out.warnings.extend(self.beside.clone());
        self.planned = Some(planned);
        Ok(())
    }

    /// Beside a gateway no row goes, whatever the budget says.
    fn spare_rows(&mut self) {
        let Some(folder) = self.folder.clone().filter(|_| self.to_budget) else { return };
        let verdict = self.pass(&decide::decide).owner(&folder, None);
        if !verdict.allows(self.overrides) {
            self.policy.files_only = true;
            self.beside = Some(format!("only files go, and no row: {}", verdict.why));
        }
    }

    fn note(&mut self, offers: &Offers) {
        self.out.later = offers.later;
        self.out.held_archives = (offers.held_archives, offers.held_bytes);
        let kept = offers.in_the_way.iter().map(|w| freeing::Kept {
            reason: w.reason.id(),
            explain: w.reason.explain(),
            files: w.files,
            bytes: w.bytes,
        });
        self.out.in_the_way = kept.collect();
    }

    /// Lists what the share takes, as planned.
    fn propose(&mut self) {
        let (Some(planned), Some(offers)) = (&self.planned, &self.offers) else { return };
        let mut freed = 0;
        for offer in &offers.offers {
            if freed >= self.quota {
                break;
            }
            freed += offer.bytes;
            let name = name_of(&offer.take, planned);
            self.out.items.push(item(offer.tier.id(), name, offer.bytes, "planned", None));
        }
    }

    fn carry_out(&mut self) -> Result<()> {
        if self.out.items.is_empty() || self.out.error.is_some() {
            return Ok(());
        }
        if self.to_budget { self.evict() } else { self.free() }
    }

    /// The budget: as a cleanup would.
    fn evict(&mut self) -> Result<()> {
        let done = self.pass(&decide::decide).enforce()?;
        let Some(done) = done else { return Ok(()) };
        self.out.items = budget_items(&done.planned, done.applied.as_ref());
        if let Some(applied) = done.applied {
            self.out.warnings.extend(applied.warnings);
            self.out.run_id = Some(applied.run_id).filter(|id| !id.is_empty());
        }
        Ok(())
    }

    fn free(&mut self) -> Result<()> {
        let files = |items: &[FreedItem]| items.iter().any(|i| !matches!(i.kind, "undo" | "snapshot"));
        if files(&self.out.items) { self.free_files() } else { self.free_own() }
    }

    /// Only data of our own goes: nothing of the gateway's is touched, so nobody is asked and no record is made (it
    /// would take back part of the room).
    fn free_own(&mut self) -> Result<()> {
        let Some(planned) = &self.planned else { return Ok(()) };
        let (facts, now) = (&planned.facts, self.ctx.run_time());
        let freeing = free::plan(facts, &planned.probes, &self.policy, &self.kept, self.archives, self.quota, now);
        self.out.items = forgotten(self.ctx, &freeing, &facts.folder.path)?;
        Ok(())
    }

    fn free_files(&mut self) -> Result<()> {
        let chosen: RefCell<Option<Freeing>> = RefCell::new(None);
        let planner = |facts: &_, probes: &_, policy: &Policy, now| -> Plan {
            let freeing = free::plan(facts, probes, policy, &self.kept, self.archives, self.quota, now);
            let plan = freeing.plan.clone();
            chosen.replace(Some(freeing));
            plan
        };
        let done = self.pass(&planner).enforce()?;
        let (Some(done), Some(freeing)) = (done, chosen.take()) else { return Ok(()) };
        let mut items = forgotten(self.ctx, &freeing, &done.planned.facts.folder.path)?;
        let outcomes = done.applied.as_ref().map(|a| a.outcomes.as_slice()).unwrap_or_default();
        let files = freeing.taken.iter().filter(|o| matches!(o.take, Take::File(_)));
        for (offer, ix) in files.zip(0..) {
            let (outcome, why) = outcome_text(outcomes.get(ix));
            items.push(item(offer.tier.id(), name_of(&offer.take, &done.planned), offer.bytes, outcome, why));
        }
        self.out.items = items;
        self.note(&freeing.offers);
        if let Some(applied) = done.applied {
            self.out.warnings.extend(applied.warnings);
        }
        Ok(())
    }
}

/// Lets go of run folders and snapshots, under our lock.
fn forgotten(ctx: &Context, freeing: &Freeing, folder: &Path) -> Result<Vec<FreedItem>> {
    if freeing.runs.is_empty() && freeing.snapshots.is_empty() {
        return Ok(Vec::new());
    }
    let _lock = RunLock::acquire(ctx, folder, COMMAND)?;
    let failed = |e| Error::io("open", &folder.join(crate::journal::layout::OWN), e);
    let mut outcomes = forget::runs(folder, &ctx.faults, &freeing.runs).map_err(failed)?;
    outcomes.extend(forget::snapshots(folder, &ctx.faults, &freeing.snapshots).map_err(failed)?);
    let own = freeing.taken.iter().filter_map(|o| match &o.take {
        Take::Run(id) => Some((o, OsString::from(id))),
        Take::Snapshot(name) => Some((o, name.clone())),
        Take::File(_) => None,
    });
    let of = |((offer, name), outcome): ((&free::Offer, OsString), Result<(), String>)| match outcome {
        Ok(()) => item(offer.tier.id(), name, offer.bytes, "done", None),
        Err(why) => item(offer.tier.id(), name, offer.bytes, "failed", Some(why)),
    };
    Ok(own.zip(outcomes).map(of).collect())
}
