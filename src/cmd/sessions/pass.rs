//! One pass over one store: read, ask, decide, and, if it is to be done, lock, gate, recover, apply.
//!
//! # Locking
//!
//! A planned-only pass takes no lock and creates nothing. An enforced one takes our lock on the artefact folder first,
//! then asks who may write, finishes or rolls back an interrupted run, and only then reads: the plan is made from what
//! is there under the lock. The owner is asked again right before the index is swapped and before files are renamed.
//!
//! A files-only pass is not gated: it touches no row, and what it takes is asked for again, batch by batch, on the way
//! (SAFETY 5). It also works where there is no lock service, as long as no interrupted run has to be finished first.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::Path;

use super::recheck;
use crate::apply;
use crate::apply::delegate::{Asked, Ended};
use crate::apply::input::{ApplyInput, Label, Recheck, ToPack};
use crate::archive::pack::{Archive, Job};
use crate::context::{Context, Level};
use crate::error::{Error, Kind, Result};
use crate::lock::container::HostView;
use crate::lock::run::RunLock;
use crate::lock::{owner, peer};
use crate::model::decision::Subject;
use crate::model::effect::Effect;
use crate::model::facts::Facts;
use crate::model::outcome::{Applied, Recovered};
use crate::model::owner::{Greeting, OwnerVerdict, Writer};
use crate::model::plan::{Plan, PlannedEffect};
use crate::model::policy::Policy;
use crate::model::probe::Probes;
use crate::model::stores::{Generation, Target, TargetOrigin};
use crate::plan::needs;
use crate::report::progress::{Meter, Progress};
use crate::scan::facts::{self, Reading};
use crate::scan::probe;

use crate::cmd::start::Start;

/// How often a pass is planned anew because the gateway rewrote the index meanwhile.
const TRIES: u32 = 3;

/// How a plan is made from facts; cleanup, `disk free` and `cron prune` differ only here.
pub type Planner<'a> = &'a dyn Fn(&Facts, &Probes, &Policy, crate::model::Ms) -> Plan;

/// One store and everything a pass over it needs.
pub struct Pass<'a> {
    /// Clock, environment, output.
    pub ctx: &'a Context,
    /// Roots, configuration, and what the command looks at.
    pub start: &'a Start,
    /// The store.
    pub target: &'a Target,
    /// The policy in force.
    pub policy: &'a Policy,
    /// Override tokens that were given.
    pub overrides: &'a [String],
    /// Makes the plan.
    pub planner: Planner<'a>,
    /// Name of the command for journal and audit log.
    pub command: &'a str,
    /// A budget or `disk free` is in force: on a full disk, victims may be unlinked to make room for the journal.
    pub reclaim_by_unlink: bool,
    /// What the gateway that answers said when it was asked.
    pub greeting: RefCell<Option<Greeting>>,
}

/// What was known and decided.
pub struct Planned {
    /// Facts at the time of planning.
    pub facts: Box<Facts>,
    /// What was looked into.
    pub probes: Probes,
    /// The plan.
    pub plan: Plan,
}

/// Outcome of a pass.
pub struct Done {
    /// The plan that was executed, or only made.
    pub planned: Planned,
    /// What happened; `None` if nothing was to be done.
    pub applied: Option<Applied>,
}

impl Pass<'_> {
    /// Makes the plan and changes nothing. `None` if the agent has no store yet.
    ///
    /// # Errors
    /// See [`facts::read`].
    pub fn plan(&self) -> Result<Option<Planned>> {
        let folder = facts::artefact_folder(self.target);
        let pending = folder.map_or_else(|| Ok(Vec::new()), |folder| apply::recover::pending(&folder))?;
        self.plan_beside(&pending.into_iter().flat_map(|run| run.files).collect())
    }

    /// [`Pass::plan`] with the names of files that an interrupted run was going to take: they are no orphans.
    fn plan_beside(&self, unfinished: &BTreeSet<OsString>) -> Result<Option<Planned>> {
        let _busy = Progress::spinner(self.ctx, &format!("reading the sessions of agent {}", self.target.agent_id));
        let reading = facts::read(self.target, &self.start.selection, &self.start.roots, &self.start.loaded.settings)?;
        let Reading::Whole(facts) = reading else { return Ok(None) };
        let now = self.ctx.run_time();
        let needs = needs::needs(&facts, self.policy, now);
        let view = HostView::gather(&self.ctx.env).on_volume(facts.folder.volume.network);
        let mut probes = probe::run(&facts.folder, &needs, &|path| peer::state(path, &view, now));
        let held = unfinished.iter().filter_map(|name| facts.folder.find(name));
        probes.unfinished = held.map(crate::plan::draft::index32).collect();
        let plan = (self.planner)(&facts, &probes, self.policy, now);
        Ok(Some(Planned { facts, probes, plan }))
    }

    /// Plans and executes. `None` if the agent has no store yet.
    ///
    /// # Errors
    /// Busy lock or live owner ([`Kind::Busy`]), an index that keeps changing, and whatever stops the executor before it
    /// changed anything.
    pub fn enforce(&self) -> Result<Option<Done>> {
        self.refuse_newer_generation()?;
        // An index that is absent or damaged ends the pass before anything is created in the folder.
        if !facts::index_is_there(self.target)? {
            return Ok(None);
        }
        let Some(folder) = facts::artefact_folder(self.target) else { return Ok(None) };
        // Asked before the lock, which leaves a trace, and again below.
        self.gate(&folder, None)?;
        let lock = match RunLock::acquire(self.ctx, &folder, self.command) {
            Ok(lock) => Some(lock),
            Err(error) if self.policy.files_only && crate::lock::run::is_no_service(&error) => {
                self.ctx.log(Level::Warning, &format!("{}; going on without a lock", error.message));
                None
            }
            Err(error) => return Err(error),
        };
        let mut recovered = Vec::new();
        for _ in 0..TRIES {
            let beside = self.policy.files_only;
            let Some(planned) = self.recover_and_plan(lock.as_ref(), beside, &mut recovered)? else { return Ok(None) };
            match self.execute(lock.as_ref(), &planned, &recovered) {
                Err(error) if apply::conflict(&error).is_some() => {
                    self.ctx.log(Level::Info, "the index changed while it was being replaced; planning again");
                }
                Err(error) => return Err(error),
                Ok(applied) => return Ok(Some(Done { planned, applied: Some(applied) })),
            }
        }
        let path = self.target.store_path.display();
        Err(Error::new(
            Kind::Busy,
            format!("{path} changed {TRIES} times while it was being replaced; nothing was changed"),
        )
        .hint("somebody writes to it: stop that program, or try again later"))
    }

    /// The agent has moved to the newer generation: its JSON store is a leftover.
    ///
    /// # Errors
    /// Unless the override was given.
    pub fn refuse_newer_generation(&self) -> Result<()> {
        let Generation::Sqlite { database } = &self.target.generation else { return Ok(()) };
        if self.overridden("legacy-store") {
            return Ok(());
        }
        Err(Error::failed(format!(
            "{} is a leftover of an older generation: the sessions of agent {} live in {}; nothing was changed",
            self.target.store_path.display(),
            self.target.agent_id,
            database.display()
        ))
        .hint("use the cleanup of the gateway itself for its database")
        .token("legacy-store"))
    }

    /// Refuses unless nobody else may write, or nothing but files is touched (SAFETY 5).
    ///
    /// # Errors
    /// [`Kind::Busy`], with the evidence.
    pub fn gate(&self, folder: &Path, newest_write: Option<crate::model::Ms>) -> Result<()> {
        if self.policy.files_only {
            return self.refuse_leftovers();
        }
        let verdict = self.owner(folder, newest_write);
        if verdict.allows(self.overrides) { Ok(()) } else { Err(owner::refusal(&verdict)) }
    }

    /// In remote mode the files on this host are leftovers, and meant only if they are named.
    fn refuse_leftovers(&self) -> Result<()> {
        if self.target.origin == TargetOrigin::StoreFlag {
            return Ok(());
        }
        let store = crate::report::command::quote(&self.target.store_path.to_string_lossy()).into_owned();
        refuse_remote(&self.start.loaded.settings)
            .map_err(|e| e.hint(format!("clawkeep {} --store {store}", self.command)))
    }

    /// Who may write in `folder`, with the evidence.
    pub fn owner(&self, folder: &Path, newest_write: Option<crate::model::Ms>) -> OwnerVerdict {
        let by_flag = self.target.origin == TargetOrigin::StoreFlag;
        let network = crate::scan::volume::facts(folder).network;
        let mut evidence = owner::collect(
            self.ctx,
            &self.start.roots,
            &self.start.loaded.settings,
            folder,
            newest_write,
            network,
            by_flag,
        );
        evidence.greeting = self.greeting.borrow().clone();
        owner::verdict(evidence, by_flag)
    }

    /// Has another program do it: plans under our lock, has the plan vetted, keeps whatever could go, asks, and settles.
    /// Touches neither row nor name. `None` if the agent has no store yet.
    ///
    /// # Errors
    /// Busy lock, whatever `vet` says, and what stops [`apply::delegate::delegate`].
    pub fn through(
        &self,
        vet: &dyn Fn(&Planned) -> Result<()>,
        ask: &mut dyn FnMut() -> Asked,
    ) -> Result<Option<(Planned, Ended)>> {
        if !facts::index_is_there(self.target)? {
            return Ok(None);
        }
        let Some(folder) = facts::artefact_folder(self.target) else { return Ok(None) };
        // The first lock in a folder leaves a trace: what is to be refused is refused before.
        if crate::fsx::read::lstat(&folder.join(crate::journal::layout::OWN)).is_err()
            && let Some(planned) = self.plan()?
        {
            vet(&planned)?;
        }
        let lock = RunLock::acquire(self.ctx, &folder, self.command)?;
        let mut recovered = Vec::new();
        for _ in 0..TRIES {
            let Some(planned) = self.recover_and_plan(Some(&lock), true, &mut recovered)? else { return Ok(None) };
            vet(&planned)?;
            match self.ask_for(&lock, &planned, &recovered, ask) {
                Err(error) if apply::conflict(&error).is_some() => {}
                Err(error) => return Err(error),
                Ok(ended) => return Ok(Some((planned, ended))),
            }
        }
        let path = self.target.store_path.display();
        Err(Error::new(Kind::Busy, format!("{path} is written to without a pause; the gateway was not asked"))
            .hint("--wait 60s"))
    }

    fn ask_for(
        &self,
        lock: &RunLock,
        planned: &Planned,
        recovered: &[Recovered],
        ask: &mut dyn FnMut() -> Asked,
    ) -> Result<Ended> {
        let plan = crate::plan::delegated::guards(&planned.facts, &planned.plan);
        let view = Again { pass: self, planned };
        let echo = serde_json::to_value(self.policy).unwrap_or_default();
        view.with_recheck(true, |recheck| {
            let input = ApplyInput {
                ctx: self.ctx,
                plan: &plan,
                index: Some(&planned.facts.index),
                own_dir: lock.folder(),
                lock: Some(lock),
                command: self.command,
                argv: &self.ctx.argv,
                overrides: self.overrides,
                policy_echo: &echo,
                undoes: None,
                partly: false,
                leaves: false,
                group: None,
                label: &|effect| view.guard_label(effect),
                reclaim_by_unlink: false,
                suspect: planned.plan.suspicion.is_some(),
                recheck,
                pack: None,
                progress: None,
                recovered,
            };
            apply::delegate::delegate(&input, &planned.facts.index, ask)
        })
    }

    fn overridden(&self, token: &str) -> bool {
        self.overrides.iter().any(|t| t == token)
    }

    /// Answers the questions that are asked again while a plan is carried out.
    pub fn with_recheck<T>(&self, planned: &Planned, f: impl FnOnce(Recheck<'_>) -> T) -> T {
        Again { pass: self, planned }.with_recheck(self.policy.files_only, f)
    }

    /// Finishes or rolls back an interrupted run, then reads and decides.
    /// `beside`: a gateway may be writing meanwhile.
    fn recover_and_plan(
        &self,
        lock: Option<&RunLock>,
        beside: bool,
        recovered: &mut Vec<Recovered>,
    ) -> Result<Option<Planned>> {
        let Some(planned) = self.plan_beside(&left_behind(recovered))? else { return Ok(None) };
        // Without a lock the executor refuses beside an open run.
        let Some(lock) = lock else { return Ok(Some(planned)) };
        if apply::recover::pending(lock.folder())?.is_empty() {
            return Ok(Some(planned));
        }
        let view = Again { pass: self, planned: &planned };
        let found =
            view.with_recheck(beside, |recheck| apply::recover::run(self.ctx, lock.folder(), lock, &recheck))?;
        recovered.extend(found);
        // The folder is another one now.
        self.plan_beside(&left_behind(recovered))
    }

    fn execute(&self, lock: Option<&RunLock>, planned: &Planned, recovered: &[Recovered]) -> Result<Applied> {
        let newest = newest_write(&planned.facts);
        let own_dir = lock.map_or(planned.facts.folder.path.as_path(), RunLock::folder);
        self.gate(own_dir, newest)?;
        let view = Again { pass: self, planned };
        let echo = serde_json::to_value(self.policy).unwrap_or_default();
        let argv = self.ctx.argv.clone();
        let archive = RefCell::new(self.archive()?);
        let pack = |files: &[ToPack<'_>], run: &str| match archive.borrow_mut().as_mut() {
            Some(archive) => {
                let jobs: Vec<Job> = files.iter().map(|file| self.job(file, run)).collect();
                archive.pack_all(&jobs, self.ctx.now()).into_iter().map(|r| r.map(|packed| packed.path)).collect()
            }
            None => files.iter().map(|_| Err(Error::failed("no archive folder was opened"))).collect(),
        };
        let meter = Meter::new(self.ctx, &self.target.agent_id);
        let progress = |what, done, total| meter.tell(what, done, total);
        view.with_recheck(self.policy.files_only, |recheck| {
            apply::execute(&ApplyInput {
                ctx: self.ctx,
                plan: &planned.plan,
                index: Some(&planned.facts.index),
                own_dir,
                lock,
                command: self.command,
                argv: &argv,
                overrides: self.overrides,
                policy_echo: &echo,
                undoes: None,
                partly: false,
                leaves: false,
                group: None,
                label: &|effect| view.label(effect),
                reclaim_by_unlink: self.reclaim_by_unlink,
                suspect: planned.plan.suspicion.is_some(),
                recheck,
                pack: Some(&pack),
                progress: Some(&progress),
                recovered,
            })
        })
    }

    fn job(&self, ToPack { folder, file, .. }: &ToPack<'_>, run: &str) -> Job {
        Job {
            source: folder.join(&file.name),
            label: self.target.agent_id.clone(),
            name: file.name.clone(),
            expect: file.fp,
            run_id: run.to_owned(),
        }
    }

    /// Opens the archive folder, if one is configured and needed. A folder without its marker stops the run before
    /// anything changes (an unmounted disk looks like an empty folder).
    fn archive(&self) -> Result<Option<Archive>> {
        self.policy.archive_to.as_ref().map(|dir| crate::archive::open(&dir.value)).transpose()
    }
}

/// In remote mode what is on this host are leftovers: not meant unless they are named.
///
/// # Errors
/// [`Kind::Busy`] in remote mode.
pub fn refuse_remote(settings: &crate::model::settings::Settings) -> Result<()> {
    if crate::gateway::endpoint::is_remote(settings) {
        let why = "gateway.mode is remote: the sessions live on the remote host, and what is here are leftovers";
        return Err(Error::new(Kind::Busy, why));
    }
    Ok(())
}

/// What recovery could not take. Its rows are gone, but it is no orphan for the pass that just found it.
fn left_behind(recovered: &[Recovered]) -> BTreeSet<OsString> {
    recovered.iter().flat_map(|r| &r.left).map(|file| file.name.clone()).collect()
}

/// Age of the newest write in the folder, our own files not counted.
fn newest_write(facts: &Facts) -> Option<crate::model::Ms> {
    facts.folder.entries.iter().filter(|f| f.is_file()).map(|f| f.fp.mtime_ms()).max()
}

/// Questions asked again while a plan is carried out, answered from the disk as it is then.
struct Again<'a> {
    pass: &'a Pass<'a>,
    planned: &'a Planned,
}

impl Again<'_> {
    fn with_recheck<T>(&self, files_only: bool, f: impl FnOnce(Recheck<'_>) -> T) -> T {
        let owned_now = |names: &[&OsStr]| self.owned_now(names);
        let locked_now = |name: &OsStr| self.locked_now(name);
        let owner_now = || self.owner_now();
        f(Recheck { owned_now: &owned_now, locked_now: &locked_now, owner_now: &owner_now, files_only })
    }

    /// Reads the whole store set afresh.
    fn owned_now(&self, names: &[&OsStr]) -> Result<Vec<bool>> {
        let was_incomplete = !self.planned.plan.ownership_incomplete.is_empty();
        recheck::owned_now(&self.planned.facts, &self.planned.probes, was_incomplete, names)
    }

    fn locked_now(&self, name: &OsStr) -> bool {
        recheck::locked_now(self.pass.ctx, &self.planned.facts.folder, name)
    }

    /// Who may write now. A refusal that was passed by its token stays passed.
    fn owner_now(&self) -> OwnerVerdict {
        let folder = &self.planned.facts.folder.path;
        let mut verdict = self.pass.owner(folder, None);
        if verdict.allows(self.pass.overrides) {
            verdict.writer = Writer::Foreign;
        }
        verdict
    }

    /// Session behind an effect: the row that leads to the file.
    fn label(&self, effect: &PlannedEffect) -> Label {
        let facts = &self.planned.facts;
        let subject = effect.decision.map(|d| self.planned.plan.decisions[d as usize].subject);
        let Some(Subject::File(file)) = subject else { return Label::default() };
        let stem = String::from_utf8_lossy(facts.folder.entries[file as usize].stem()).into_owned();
        Label { key: None, id: Some(stem) }
    }

    /// The same for a file that is only kept, whatever was decided about it.
    fn guard_label(&self, effect: &PlannedEffect) -> Label {
        let Effect::Guard { file } = &effect.effect else { return Label::default() };
        let folder = &self.planned.facts.folder;
        let stem = folder.find(&file.name).map(|ix| String::from_utf8_lossy(folder.entries[ix].stem()).into_owned());
        Label { key: None, id: stem }
    }
}
