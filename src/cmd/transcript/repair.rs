//! `transcript repair`: mends one transcript through the one executor.
//!
//! Gate, our lock, recovery, plan, execute, report, as `sessions repair` does it. What will be written is read through and
//! judged before anything is. The gateway's own lock on the transcript is taken by the executor, around the exchange.

use std::ffi::OsStr;
use std::path::Path;

use super::mend::{self, Decided, Mending};
use super::place::Place;
use super::target::{self, Chosen};
use crate::apply::{self, ApplyInput, Label, Recheck, recover};
use crate::cli::GlobalFlags;
use crate::cli::transcript::RepairOneArgs;
use crate::cmd::start::Start;
use crate::context::Context;
use crate::error::{Error, Kind, Result};
use crate::exit;
use crate::fsx::read::lstat;
use crate::lock::owner;
use crate::lock::run::RunLock;
use crate::model::outcome::{Applied, Outcome, Recovered, Skip};
use crate::model::owner::{OwnerVerdict, Writer};
use crate::model::plan::{Plan, PlannedEffect};
use crate::model::stores::TargetOrigin;
use crate::model::transcript_repair::{TranscriptFacts, TranscriptPlan};
use crate::report::transcript_repair::TranscriptRepair;
use crate::scan::obstacles;
use crate::units::bytes;

/// Attempts while another program keeps writing to the transcript.
const TRIES: u32 = 3;
/// Pause between two looks at a lock that is held.
const RETRY: std::time::Duration = std::time::Duration::from_millis(100);
/// The name of the command in journals.
pub(super) const COMMAND: &str = "transcript repair";

/// Runs the command.
///
/// # Errors
/// No such transcript, or none that can be written; a lock that is held; a live owner; whatever stops the executor.
pub fn run(ctx: &mut Context, g: &GlobalFlags, a: &RepairOneArgs) -> Result<u8> {
    let chosen = target::one(ctx, g, &a.one)?;
    mend::may_be_mended(&chosen)?;
    let start = target::stores(ctx, g, &a.one.select)?;
    // Commands that are named take the path, which says which store it is.
    a.one.select.given(&mut ctx.given);
    let place = Place::of(&chosen.path)?;
    place.is_of_its_state(&chosen)?;
    let world = ctx.clone();
    let work = Work { ctx: &world, start: &start, args: a, chosen: &chosen, place: &place };
    let report = work.run()?;
    report.print(ctx)?;
    Ok(ctx.cancel.get().unwrap_or_else(|| code(&report)))
}

#[derive(Clone, Copy)]
struct Work<'a> {
    ctx: &'a Context,
    start: &'a Start,
    args: &'a RepairOneArgs,
    chosen: &'a Chosen,
    place: &'a Place,
}

impl Work<'_> {
    fn run(&self) -> Result<TranscriptRepair> {
        let decided = self.decide()?;
        // The dry run refuses what the run would.
        self.may_be_written(&decided)?;
        if self.args.dry_run {
            return Ok(self.report(decided, None));
        }
        // Nothing to do leaves no trace, not even a lock.
        if decided.plan.effects.is_empty() && recover::pending(&self.place.folder)?.is_empty() {
            return Ok(self.report(decided, None));
        }
        self.gate(Some(&decided.facts))?;
        self.wait_for_lock()?;
        if !self.consents(&decided)? {
            return Err(Error::new(Kind::Interrupted, "not confirmed; nothing was changed"));
        }
        // Without room not even the lock is made; what an interrupted run left may be what takes it.
        if recover::pending(&self.place.folder)?.is_empty() {
            self.has_room(&decided)?;
        }
        let lock = RunLock::acquire(self.ctx, &self.place.folder, COMMAND)?;
        self.locked(&lock)
    }

    fn locked(&self, lock: &RunLock) -> Result<TranscriptRepair> {
        let recovered = self.recover(lock)?;
        for _ in 0..TRIES {
            self.wait_for_lock()?;
            let decided = self.decide()?;
            if decided.plan.effects.is_empty() {
                return Ok(self.report(decided, Some(Applied { recovered, ..Applied::default() })));
            }
            self.gate(Some(&decided.facts))?;
            match self.execute(lock, &decided, &recovered) {
                Err(error) if self.changed(&decided.facts) => {
                    self.ctx.log(crate::context::Level::Info, &format!("it was written to meanwhile: {error}"));
                }
                Err(error) => return Err(error),
                Ok(applied) if was_changed(&applied) => {}
                Ok(applied) => return Ok(self.report(decided, Some(applied))),
            }
        }
        let shown = self.chosen.path.display();
        Err(Error::new(
            Kind::Busy,
            format!("{shown} was written to {TRIES} times while it was mended; it is as it was"),
        )
        .hint("stop the program that writes to it, or try again later"))
    }

    fn changed(&self, facts: &TranscriptFacts) -> bool {
        lstat(&self.chosen.path).is_ok_and(|now| !facts.fp.same_file(&now))
    }

    /// Finishes what an interrupted repair left. What another command left is for that command.
    fn recover(&self, lock: &RunLock) -> Result<Vec<Recovered>> {
        let pending = recover::pending(lock.folder())?;
        // One without a command had not begun: it is taken back, whatever it was going to be.
        if let Some(run) = pending.iter().find(|run| !matches!(&*run.command, "" | COMMAND)) {
            return Err(Error::failed(format!("{} was interrupted here (run {})", run.command, run.id))
                .hint("clawkeep sessions repair"));
        }
        self.with_recheck(|recheck| recover::run(self.ctx, lock.folder(), lock, &recheck))
    }

    fn decide(&self) -> Result<Decided> {
        let Self { ctx, start, chosen, place, args } = *self;
        Mending { ctx, start, chosen, place, upgrade: args.upgrade, around: None }.decide()
    }

    /// Refuses beside a gateway that may write here (SAFETY 5). A file outside of every sessions folder is nobody's.
    fn gate(&self, facts: Option<&TranscriptFacts>) -> Result<()> {
        if !self.place.is_sessions_folder(self.start) {
            return Ok(());
        }
        let verdict = self.owner(facts.map(|f| f.fp.mtime_ms()));
        if verdict.allows(&self.args.overrides) { Ok(()) } else { Err(owner::refusal(&verdict)) }
    }

    fn owner(&self, newest: Option<crate::model::Ms>) -> OwnerVerdict {
        let by_flag = self.place.store(self.start).is_none_or(|t| t.origin == TargetOrigin::StoreFlag);
        let network = crate::scan::volume::facts(&self.place.folder).network;
        let settings = &self.start.loaded.settings;
        let evidence =
            owner::collect(self.ctx, &self.start.roots, settings, &self.place.folder, newest, network, by_flag);
        owner::verdict(evidence, by_flag)
    }

    /// Waits for a writer that holds the transcript, as long as `--wait` allows.
    fn wait_for_lock(&self) -> Result<()> {
        let deadline = self.ctx.wait.map(|w| self.ctx.now() + w);
        loop {
            match self.place.lock(self.ctx) {
                Some((name, state)) if state.holds() => {
                    if let Some(signal) = self.ctx.cancel.get() {
                        return Err(Error::new(Kind::Interrupted, format!("interrupted (exit {signal})")));
                    }
                    if deadline.is_none_or(|at| self.ctx.now() >= at) {
                        let path = self.place.folder.join(name);
                        return Err(Error::new(Kind::Busy, format!("{} is held by a writer", path.display()))
                            .hint("--wait 60s"));
                    }
                    std::thread::sleep(RETRY);
                }
                _ => return Ok(()),
            }
        }
    }

    fn consents(&self, decided: &Decided) -> Result<bool> {
        let ctx = self.ctx;
        if self.args.yes || !ctx.stdin_tty || !ctx.stderr_tty || decided.plan.effects.is_empty() {
            return Ok(true);
        }
        let places: u64 = decided.facts.survey.counts.values().sum();
        let places = crate::report::plural::count(places, "place");
        ctx.ask(&format!("Mend {places} in {}? [y/N] ", crate::report::escape::path(&self.chosen.path)))
    }

    fn execute(&self, lock: &RunLock, decided: &Decided, recovered: &[Recovered]) -> Result<Applied> {
        self.has_room(decided)?;
        let planned = executable(&decided.facts, &decided.plan);
        let found = self.chosen.found.as_ref();
        let label = Label { key: found.and_then(|f| f.key.clone()), id: found.and_then(|f| f.session_id.clone()) };
        self.with_recheck(|recheck| {
            apply::execute(&ApplyInput {
                ctx: self.ctx,
                plan: &planned,
                index: None,
                own_dir: lock.folder(),
                lock: Some(lock),
                command: COMMAND,
                argv: &self.ctx.argv,
                overrides: &self.args.overrides,
                policy_echo: &serde_json::Value::Null,
                undoes: None,
                partly: false,
                leaves: false,
                group: None,
                label: &|_| label.clone(),
                reclaim_by_unlink: false,
                suspect: false,
                recheck,
                pack: None,
                recovered,
                progress: None,
            })
        })
    }

    /// Refuses what the permissions do not allow, before anything is made.
    fn may_be_written(&self, decided: &Decided) -> Result<()> {
        let (folder, effects) = (&self.place.folder, &decided.plan.effects);
        let found = obstacles::of(folder, effects, &self.args.overrides);
        let Some(first) = found.into_iter().next() else { return Ok(()) };
        let (folder, file) = (folder.to_string_lossy(), self.chosen.path.to_string_lossy());
        let (folder, file) = (crate::report::command::quote(&folder), crate::report::command::quote(&file));
        let error = Error::failed(format!("{}; nothing was changed", first.why))
            .hint(format!("ls -ld {folder} {file}  (run this as the user that owns them)"));
        Err(if first.owner { error.token("owner-change") } else { error })
    }

    /// Refuses before anything is made if there is no room for it: both contents exist at once for a moment.
    fn has_room(&self, decided: &Decided) -> Result<()> {
        // Our record of the run, and what file systems round up to.
        const RECORD: u64 = 128 * 1024;
        let plan = &decided.plan;
        let torn: u64 = decided.facts.survey.torn.iter().map(|piece| piece.len + 1).sum();
        let needed = plan.size_after + torn + RECORD;
        match crate::scan::volume::facts(&self.place.folder).free_bytes {
            Some(free) if free < needed => {
                let shown = self.chosen.path.display();
                let (human, free) = (bytes::human(needed), bytes::human(free));
                let error = Error::failed(format!(
                    "no room to mend {shown}: {human} needed beside it, {free} free; nothing was changed"
                ));
                Err(error.hint(if self.is_on_volume_of_state() {
                    format!("clawkeep disk free --need {needed}")
                } else {
                    format!("free {human} on this volume, then run the same command again")
                }))
            }
            _ => Ok(()),
        }
    }

    /// What `disk free` takes makes room for the transcript only there.
    fn is_on_volume_of_state(&self) -> bool {
        let volume = |path: &Path| path.canonicalize().and_then(|real| lstat(&real)).ok().map(|found| found.dev);
        let state = volume(&self.start.roots.state_dir);
        state.is_some() && state == volume(&self.place.folder)
    }

    fn with_recheck<T>(&self, f: impl FnOnce(Recheck<'_>) -> T) -> T {
        // A lock is nobody's transcript, and nothing else is taken away here.
        let owned_now = |names: &[&OsStr]| Ok(vec![false; names.len()]);
        let locked_now = |_: &OsStr| self.place.lock(self.ctx).is_some_and(|(_, state)| state.holds());
        let owner_now = || {
            let mut verdict = self.owner(None);
            let nobody = !self.place.is_sessions_folder(self.start);
            let passed = verdict.token().is_some_and(|token| self.args.overrides.iter().any(|t| t == token));
            if nobody || passed {
                verdict.writer = Writer::Foreign;
            }
            verdict
        };
        f(Recheck { owned_now: &owned_now, locked_now: &locked_now, owner_now: &owner_now, files_only: false })
    }

    fn report(&self, decided: Decided, applied: Option<Applied>) -> TranscriptRepair {
        let Decided { facts, header_from, plan, left: _ } = decided;
        let beside = || {
            let index = self.place.folder.join("sessions.json");
            format!(" --store {}", crate::report::command::quote(&index.to_string_lossy()))
        };
        let select = self.place.store(self.start).map_or_else(beside, crate::report::command::select_words);
        TranscriptRepair {
            path: self.chosen.path.clone(),
            facts,
            header_from,
            plan,
            applied,
            dry_run: self.args.dry_run,
            select,
            given: self.ctx.given.clone(),
        }
    }
}

/// The plan for the executor.
fn executable(facts: &TranscriptFacts, plan: &TranscriptPlan) -> Plan {
    let effect = |e: &crate::model::effect::Effect| PlannedEffect { decision: None, effect: e.clone() };
    Plan {
        folder: facts.folder.clone(),
        now: facts.now,
        decisions: Vec::new(),
        effects: plan.effects.iter().map(effect).collect(),
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

/// The content was not replaced because somebody wrote to the file, or began to.
fn was_changed(applied: &Applied) -> bool {
    matches!(applied.outcomes.last(), Some(Outcome::Skipped(Skip::Changed | Skip::LockedNow)))
}

/// Exit code (DESIGN 3).
fn code(report: &TranscriptRepair) -> u8 {
    let done = |o: &Outcome| matches!(o, Outcome::Done { .. });
    if report.applied.as_ref().is_some_and(|a| !a.outcomes.iter().all(done)) {
        return exit::PARTIAL;
    }
    if report.needs_a_person() { exit::FINDINGS } else { exit::DONE }
}
