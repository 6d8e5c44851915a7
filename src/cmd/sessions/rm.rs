//! `sessions rm`: removes sessions that a person names.
//!
//! Every store is looked at without a lock first, so that each name has its answer and a purge can be asked about; then
//! each store in which something was found is planned again under its lock and carried out. A purge takes what earlier
//! runs kept after the run itself is closed, because the run records the row that it removes; interrupted in between, the
//! same command finishes it.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::key_agent;
use super::pass::{Done, Pass, Planned};
use super::unread;
use crate::cli::GlobalFlags;
use crate::cli::rm::RmArgs;
use crate::cmd::start::{self, Start};
use crate::context::{Context, Level};
use crate::error::{Error, Result};
use crate::exit;
use crate::fsx::read::{lstat, read_regular};
use crate::hints::Given;
use crate::journal::purge::{self, Traces};
use crate::journal::read;
use crate::lock::run::RunLock;
use crate::model::candidate::CopySource;
use crate::model::decision::{Decision, Subject, Verdict};
use crate::model::folder::Class;
use crate::model::outcome::{Applied, Outcome, Skip};
use crate::model::plan::Plan;
use crate::model::policy::Policy;
use crate::model::session::Session;
use crate::plan::policy::{self, PolicyFlags};
use crate::plan::rm::{self, Fate, Item, Recorded, RmPlan, Wanted};
use crate::report::command::quote;
use crate::report::rm::{RmFile, RmReport, RmResult, RmStore, final_text, human_text};
use crate::report::{escape, json};
use crate::scan::candidates::{self, Places};
use crate::units::json_text::unescape;

/// Name in journal, audit log and lock.
const COMMAND: &str = "sessions rm";

/// Runs the command.
///
/// # Errors
/// No consent to a purge; with one store, whatever stopped it.
pub fn run(ctx: &mut Context, g: &GlobalFlags, a: &RmArgs) -> Result<u8> {
    let can_ask = ctx.stdin_tty && ctx.stderr_tty;
    if a.purge && !a.dry_run && !a.yes && !can_ask {
        return Err(Error::failed("a purge cannot be taken back, and nobody can be asked here; nothing was changed")
            .hint(format!("clawkeep sessions rm --purge --dry-run {}", names(a)))
            .hint(format!("clawkeep sessions rm --purge --yes {}", names(a))));
    }
    let keys = a.names.iter().map(String::as_str);
    let start = key_agent::with_stores_of(ctx, g, &a.select, start::deciding, keys)?;
    start::refuse_absent_state(g, &a.select, &start)?;
    // Naming a session is a decision: it need not be ten minutes old.
    let flags = PolicyFlags { grace: Some(0), active_keys: a.active_keys.clone(), ..PolicyFlags::default() };
    let targets = &start.selection.targets;
    let resolve = |agent: &str| {
        let mut policy = policy::resolve(&start.loaded.settings, &flags, agent)?;
        policy.archive_to = None;
        Ok(policy)
    };
    let policies: Vec<Policy> = targets.iter().map(|t| resolve(&t.agent_id)).collect::<Result<_>>()?;
    let several = targets.len() > 1;
    let mut works = Vec::new();
    for (ix, policy) in policies.iter().enumerate() {
        let mut work = Work::new(ctx, &start, ix, policy, a);
        match work.look() {
            Err(error) if !several => return Err(unread::in_store(error, &targets[ix].store_path)),
            Err(error) => work.error = Some(unread::in_store(error, &targets[ix].store_path)),
            Ok(()) => {}
        }
        works.push(work);
    }
    let found = works.iter().any(Work::has_something);
    let mut unread = unread(&start, a, &works);
    let nothing = |w: &Work<'_>| w.error.is_none() && w.items.iter().all(|i| i.fate == Fate::NotFound);
    if works.iter().all(nothing) && !unread.is_empty() {
        return Err(unread.swap_remove(0).1);
    }
    let consent = !a.dry_run && found && confirmed(ctx, a, &works)?;
    if consent {
        for work in works.iter_mut().filter(|w| w.has_something()) {
            if ctx.cancel.get().is_some() {
                break;
            }
            match work.carry_out() {
                Err(error) if !several => return Err(error),
                Err(error) => work.error = Some(error),
                Ok(()) => {}
            }
        }
    }
    let dry_run = a.dry_run || (found && !consent);
    let report = RmReport {
        schema_version: json::SCHEMA_VERSION,
        dry_run,
        purge: a.purge,
        results: results(&ctx.given, a, &works, &unread, dry_run),
        stores: works.iter().filter(|w| w.has_something()).map(|w| w.out.clone()).collect(),
    };
    print(ctx, &report)?;
    Ok(ctx.cancel.get().unwrap_or_else(|| code(&report, &works)))
}

/// Names that no store that was looked at knows, and the index in which they may be and that cannot be read.
fn unread(start: &Start, a: &RmArgs, works: &[Work<'_>]) -> Vec<(String, Error)> {
    let known = |name: &str| works.iter().flat_map(|w| &w.items).any(|i| i.asked == name && i.fate != Fate::NotFound);
    let names = a.names.iter().filter(|name| !known(name));
    names.filter_map(|name| Some((name.clone(), unread::may_hold(start, name)?))).collect()
}

/// The names again, for a shell.
fn names(a: &RmArgs) -> String {
    let words = a.names.iter().map(|name| quote(name)).collect::<Vec<_>>().join(" ");
    if a.names.iter().any(|name| name.starts_with('-')) { format!("-- {words}") } else { words }
}

fn print(ctx: &Context, report: &RmReport) -> Result<()> {
    for warning in report.stores.iter().flat_map(|s| &s.warnings) {
        ctx.log(Level::Warning, warning);
    }
    if ctx.output.json {
        json::print(ctx, report)
    } else if ctx.output.quiet > 0 {
        Ok(())
    } else {
        ctx.write_stdout(human_text(report, &ctx.given).as_bytes())
    }
}

fn confirmed(ctx: &Context, a: &RmArgs, works: &[Work<'_>]) -> Result<bool> {
    if !a.purge || a.yes {
        return Ok(true);
    }
    let stores: Vec<RmStore> = works.iter().map(|w| w.out.clone()).collect();
    ctx.ask(&format!("{}Go on? [y/N] ", final_text(&stores)))
}

/// One answer for each name and row, names in their order.
fn results(given: &Given, a: &RmArgs, works: &[Work<'_>], unread: &[(String, Error)], dry_run: bool) -> Vec<RmResult> {
    let mut out = Vec::new();
    let mut seen = BTreeSet::new();
    for name in a.names.iter().filter(|n| seen.insert(*n)) {
        let before = out.len();
        for work in works {
            let items = work.items.iter().filter(|i| i.asked == *name && i.fate != Fate::NotFound);
            out.extend(items.map(|item| work.result(item, dry_run, a.purge)));
        }
        if out.len() == before {
            let (asked, key, store_path) = (name.clone(), None, None);
            let elsewhere = || unread.iter().find(|(of, _)| of == name).map(|(_, error)| error);
            out.push(match works.iter().find_map(|w| w.error.as_ref()).or_else(elsewhere) {
                Some(error) => {
                    RmResult { asked, key, store_path, result: "failed", why: Some(why_and_way(given, error)) }
                }
                None => RmResult { asked, key, store_path, result: "not-found", why: None },
            });
        }
    }
    out
}

/// What stopped it, and what can be done about it.
fn why_and_way(given: &Given, error: &Error) -> String {
    match error.hints.as_slice() {
        [] => error.to_string(),
        ways => format!("{error}; try: {}", given.complete(&ways.join("; "))),
    }
}

/// Exit code (DESIGN 3): one name that was not found or is held does not hide that others are done.
fn code(report: &RmReport, works: &[Work<'_>]) -> u8 {
    let good = |r: &&RmResult| matches!(r.result, "planned" | "removed" | "purged");
    let held = report.results.iter().any(|r| r.result == "held");
    let done = report.results.iter().filter(good).count();
    let files = report.stores.iter().flat_map(|s| &s.files);
    let all_files = files.into_iter().all(|f| matches!(f.outcome.as_str(), "done" | "planned" | "gone"));
    let complete = works.iter().all(|w| !w.partial);
    if done == report.results.len() && all_files && complete {
        exit::DONE
    } else if done > 0 || held {
        exit::PARTIAL
    } else {
        exit::FAILED
    }
}

/// One store.
struct Work<'a> {
    ctx: &'a Context,
    start: &'a Start,
    target: usize,
    policy: &'a Policy,
    args: &'a RmArgs,
    items: Vec<Item>,
    /// The rows left.
    done: bool,
    /// A purge that could not unlink every file.
    kept_records: bool,
    /// Something that was wanted was not done.
    partial: bool,
    error: Option<Error>,
    out: RmStore,
}

impl<'a> Work<'a> {
    fn new(ctx: &'a Context, start: &'a Start, target: usize, policy: &'a Policy, args: &'a RmArgs) -> Self {
        let of = &start.selection.targets[target];
        let out = RmStore { agent_id: of.agent_id.clone(), path: escape::path(&of.store_path), ..RmStore::default() };
        Self {
            ctx,
            start,
            target,
            policy,
            args,
            items: Vec::new(),
            done: false,
            kept_records: false,
            partial: false,
            error: None,
            out,
        }
    }

    fn has_something(&self) -> bool {
        self.items.iter().any(|i| matches!(i.fate, Fate::Goes | Fate::TracesGo))
    }

    fn pass<'p>(&'p self, planner: super::pass::Planner<'p>) -> Pass<'p> {
        Pass {
            ctx: self.ctx,
            start: self.start,
            target: &self.start.selection.targets[self.target],
            policy: self.policy,
            overrides: &self.args.overrides,
            planner,
            command: COMMAND,
            reclaim_by_unlink: false,
            greeting: std::cell::RefCell::default(),
        }
    }

    /// Plans without a lock.
    fn look(&mut self) -> Result<()> {
        let chosen: RefCell<Option<RmPlan>> = RefCell::new(None);
        let planner = |facts: &_, probes: &_, policy: &Policy, now| self.plan(&chosen, facts, probes, policy, now);
        let Some(planned) = self.pass(&planner).plan()? else { return Ok(()) };
        let Some(rm) = chosen.take() else { return Ok(()) };
        self.items = rm.items;
        self.note(&planned, None);
        if self.args.purge {
            self.out.remains = self.remains(&planned);
        }
        Ok(())
    }

    fn plan(
        &self,
        chosen: &RefCell<Option<RmPlan>>,
        facts: &crate::model::facts::Facts,
        probes: &crate::model::probe::Probes,
        policy: &Policy,
        now: crate::model::Ms,
    ) -> Plan {
        let recorded = self.args.purge.then(|| self.recorded(facts));
        let wanted = Wanted { names: &self.args.names, purge: recorded.as_ref() };
        let rm = rm::plan(facts, probes, policy, now, wanted);
        let plan = rm.plan.clone();
        chosen.replace(Some(rm));
        plan
    }

    /// What archives, earlier runs and snapshots know of each name.
    fn recorded(&self, facts: &crate::model::facts::Facts) -> Recorded {
        let places = Places {
            folder: &facts.folder,
            owned: &|_| false,
            store: &facts.index.path,
            archives: &[],
            agent: &self.out.agent_id,
        };
        let mut out = Recorded::new();
        for name in self.args.names.iter().filter(|n| !rm::is_pattern(n)) {
            let Ok(found) = candidates::find(&places, name) else { continue };
            if !found.rows.is_empty() || !found.copies.is_empty() {
                out.insert(name.clone(), found.ids.into_iter().collect());
            }
        }
        // What a purge that was killed left behind: its own run, still open, or rows that an undo brought back once.
        let runs = read::list(&facts.folder.path).unwrap_or_default();
        for row in runs.iter().flat_map(|run| &run.rows) {
            let (key, id) = (unescape(&row.key.0), Session::of(row).id);
            if let Some(name) = self.args.names.iter().find(|name| **name == key || Some(*name) == id.as_ref()) {
                out.entry(name.clone()).or_default().extend(id);
            }
        }
        out
    }

    fn carry_out(&mut self) -> Result<()> {
        let chosen: RefCell<Option<RmPlan>> = RefCell::new(None);
        let planner = |facts: &_, probes: &_, policy: &Policy, now| self.plan(&chosen, facts, probes, policy, now);
        let done = self.pass(&planner).enforce()?;
        let (Some(Done { planned, applied }), Some(rm)) = (done, chosen.take()) else { return Ok(()) };
        self.items = rm.items;
        self.note(&planned, applied.as_ref());
        let Some(applied) = applied else { return Ok(()) };
        self.partial |= !planned.plan.ownership_incomplete.is_empty();
        self.done = !applied.cancelled && (applied.swapped || planned.plan.rows_before == planned.plan.rows_after);
        // What is recorded leads the next purge to a file that could not go now.
        let gone = |f: &RmFile| f.action != "unlink" || matches!(f.outcome.as_str(), "done" | "gone");
        self.kept_records = self.args.purge && self.done && !self.out.files.iter().all(gone);
        if self.kept_records {
            let again =
                "not every file could go, so what is recorded of it was kept: the same command finishes the purge";
            self.out.warnings.push(again.to_owned());
        } else if self.args.purge && self.done {
            self.purge(&planned.facts.folder.path)?;
            self.out.remains = self.remains(&planned);
            // The record of this run has nothing left to put back.
            self.out.run_id = None;
        }
        Ok(())
    }

    /// Takes the sessions out of everything that earlier runs, and this one, kept.
    fn purge(&mut self, folder: &Path) -> Result<()> {
        let mut traces = Traces::default();
        for item in self.items.iter().filter(|i| matches!(i.fate, Fate::Goes | Fate::TracesGo)) {
            traces.ids.extend(item.ids.iter().cloned());
            traces.keys.push(item.key.clone().unwrap_or_else(|| item.asked.clone()));
        }
        let _lock = RunLock::acquire(self.ctx, folder, COMMAND)?;
        let purged = purge::purge(folder, &self.ctx.faults, &traces).map_err(|e| {
            Error::io("purge records in", folder, e).hint("run the same command again: it finishes the purge")
        })?;
        self.out.purged = Some(purged);
        Ok(())
    }

    /// Rows and files, as planned or as they became.
    fn note(&mut self, planned: &Planned, applied: Option<&Applied>) {
        self.out.rows = self.items.iter().filter(|i| i.fate == Fate::Goes).count() as u64;
        self.out.files = files(planned, applied);
        self.out.warnings.clone_from(&planned.plan.warnings);
        for (path, why) in &planned.plan.ownership_incomplete {
            self.out.warnings.push(format!("{} cannot be read, so no file was touched: {why}", path.display()));
        }
        if let Some(applied) = applied {
            self.out.warnings.extend(applied.warnings.iter().cloned());
            self.out.run_id = Some(applied.run_id.clone()).filter(|id| !id.is_empty());
        }
    }

    fn result(&self, item: &Item, dry_run: bool, purge: bool) -> RmResult {
        let (result, why) = match item.fate {
            Fate::Held(reason) => ("held", Some(reason.id().to_owned())),
            Fate::NotFound => ("not-found", None),
            _ if self.error.is_some() => ("failed", self.error.as_ref().map(|e| why_and_way(&self.ctx.given, e))),
            _ if dry_run => ("planned", None),
            _ if !self.done => ("failed", Some("the row is still there".to_owned())),
            _ if self.kept_records => ("failed", Some("a file of it could not go".to_owned())),
            _ if purge => ("purged", None),
            _ => ("removed", None),
        };
        let store_path = Some(self.out.path.clone());
        RmResult { asked: item.asked.clone(), key: item.key.clone(), store_path, result, why }
    }

    /// Places that a purge does not touch and that may hold something of the sessions: packed copies, backups of the index,
    /// transcripts outside the folder.
    fn remains(&self, planned: &Planned) -> Vec<String> {
        let ids: BTreeSet<&String> = self.items.iter().flat_map(|i| &i.ids).collect();
        let folder = &planned.facts.folder;
        let mut out: Vec<PathBuf> = Vec::new();
        let archive = self.start.loaded.settings.own.archive_to.iter().map(|dir| dir.value.clone());
        let archives: Vec<PathBuf> = archive.collect();
        for id in &ids {
            let places = Places {
                folder,
                owned: &|_| true,
                store: &planned.facts.index.path,
                archives: &archives,
                agent: &self.out.agent_id,
            };
            let found = candidates::find(&places, id).map(|f| f.copies).unwrap_or_default();
            out.extend(found.into_iter().filter(|c| c.source == CopySource::Packed).map(|c| c.path));
        }
        for entry in folder.entries.iter().filter(|e| {
            e.is_file() && matches!(e.class, Class::IndexBackup | Class::Damaged | Class::Temp | Class::Foreign)
        }) {
            let path = folder.path.join(&*entry.name);
            let holds = |bytes: &[u8]| ids.iter().any(|id| memchr::memmem::find(bytes, id.as_bytes()).is_some());
            if read_regular(&path).is_ok_and(|(bytes, _)| holds(&bytes)) {
                out.push(path);
            }
        }
        let index = &planned.facts.index;
        for decision in &planned.plan.decisions {
            let (Subject::Row(row), Verdict::Drop) = (decision.subject, decision.verdict) else { continue };
            let Some(file) = index.rows[row as usize].session_file else { continue };
            let path = PathBuf::from(file.get(&index.bytes).trim());
            let outside = path.is_absolute() && path.parent() != Some(folder.path.as_path());
            if outside && lstat(&path).is_ok() && path.canonicalize().is_ok_and(|p| !p.starts_with(&folder.path)) {
                out.push(path);
            }
        }
        out.sort();
        out.dedup();
        out.iter().map(|p| escape::path(p)).collect()
    }
}

fn files(planned: &Planned, applied: Option<&Applied>) -> Vec<RmFile> {
    let (plan, folder) = (&planned.plan, &planned.facts.folder);
    let of = |decision: &Decision| match (decision.subject, decision.verdict) {
        (Subject::File(file), Verdict::Archive) => Some((file, "archive")),
        (Subject::File(file), Verdict::Stow) => Some((file, "stow")),
        (Subject::File(file), Verdict::Unlink) => Some((file, "unlink")),
        _ => None,
    };
    let mut out = Vec::new();
    for (at, decision) in (0..).zip(&plan.decisions) {
        let Some((file, action)) = of(decision) else { continue };
        let effect = plan.effects.iter().position(|e| e.decision == Some(at));
        let outcome = match (applied, effect.and_then(|ix| applied?.outcomes.get(ix))) {
            (None, _) => "planned".to_owned(),
            (_, Some(outcome)) => outcome_word(outcome),
            (_, None) => "not-reached".to_owned(),
        };
        let name = escape::name(&folder.entries[file as usize].name);
        out.push(RmFile { name, action, bytes: decision.bytes, outcome });
    }
    out
}

fn outcome_word(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Done { .. } => "done",
        Outcome::UnlinkedForSpace { .. } => "unlinked-for-space",
        Outcome::Skipped(Skip::Changed) => "changed",
        Outcome::Skipped(Skip::Gone) => "gone",
        Outcome::Skipped(Skip::OwnedNow) => "owned-now",
        Outcome::Skipped(Skip::LockedNow) => "locked-now",
        Outcome::Skipped(Skip::OwnerNow) => "owner-now",
        Outcome::Failed(why) => return why.clone(),
        Outcome::NotReached => "not-reached",
    }
    .to_owned()
}
