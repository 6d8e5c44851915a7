//! `transcript repair`: mends one transcript through the one executor.
//!
//! Gate, our lock, recovery, plan, execute, report, as `sessions repair` does it. What will be written is read through and
//! judged before anything is. The gateway's own lock on the transcript is taken by the executor, around the exchange.

use std::ffi::OsStr;
use std::io;
use std::path::Path;

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
use crate::model::finding::Severity;
use crate::model::folder::{Artefact, Class, FolderFacts};
use crate::model::index::IndexState;
use crate::model::mend::{HeaderSeen, Survey};
use crate::model::outcome::{Applied, Outcome, Recovered, Skip};
use crate::model::owner::{OwnerVerdict, Writer};
use crate::model::plan::{Plan, PlannedEffect};
use crate::model::probe::HeaderState;
use crate::model::stores::TargetOrigin;
use crate::model::transcript_repair::{HeaderSources, TranscriptFacts, TranscriptPlan};
use crate::repair::transcript::plan;
use crate::report::progress::Progress;
use crate::report::transcript_repair::TranscriptRepair;
use crate::scan::{folder, header_sources, same_bytes};
use crate::store;
use crate::transcript::mend::edited::Edited;
use crate::transcript::mend::settle::After;
use crate::transcript::mend::{header, settle, survey, upgrade};
use crate::transcript::scan;
use crate::transcript::source::Source;
use crate::units::bytes;

/// Attempts while another program keeps writing to the transcript.
const TRIES: u32 = 3;
/// Pause between two looks at a lock that is held.
const RETRY: std::time::Duration = std::time::Duration::from_millis(100);
/// The newest format that is written.
const NEWEST: u64 = 3;
/// The name of the command in journals.
pub(super) const COMMAND: &str = "transcript repair";

/// Runs the command.
///
/// # Errors
/// No such transcript, or none that can be written; a lock that is held; a live owner; whatever stops the executor.
pub fn run(ctx: &mut Context, g: &GlobalFlags, a: &RepairOneArgs) -> Result<u8> {
    let chosen = target::one(ctx, g, &a.one)?;
    may_be_mended(&chosen)?;
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

/// Whether a repair would change anything: what a check advises has to be of use. It reads as `--dry-run` does.
pub(super) fn would_mend(ctx: &Context, start: &Start, chosen: &Chosen, place: &Place) -> bool {
    let args = RepairOneArgs { dry_run: true, ..RepairOneArgs::default() };
    let work = Work { ctx, start, args: &args, chosen, place };
    may_be_mended(chosen).is_ok() && work.decide().is_ok_and(|decided| !decided.plan.effects.is_empty())
}

/// Only a transcript is mended: whatever else is JSON Lines would get a header that it must not have.
fn may_be_mended(chosen: &Chosen) -> Result<()> {
    let shown = chosen.path.display();
    if chosen.path.extension().is_some_and(|ext| ext == "zst") {
        return Err(Error::failed(format!("{shown} is a compressed copy; it is never changed")).hint(format!(
            "clawkeep transcript check {}",
            crate::report::command::quote(&chosen.path.to_string_lossy())
        )));
    }
    match chosen.class {
        Class::Transcript | Class::Checkpoint | Class::Archive(_) | Class::Foreign => Ok(()),
        Class::RepairBackup | Class::DoctorBackup => {
            Err(Error::failed(format!("{shown} is a copy that an earlier repair left; it is never changed")))
        }
        _ => Err(chosen.no_transcript()),
    }
}

struct Work<'a> {
    ctx: &'a Context,
    start: &'a Start,
    args: &'a RepairOneArgs,
    chosen: &'a Chosen,
    place: &'a Place,
}

/// What is going to be done, and from what.
struct Decided {
    facts: TranscriptFacts,
    /// Where a new header has its members from, in words.
    from: Vec<String>,
    plan: TranscriptPlan,
}

impl Work<'_> {
    fn run(&self) -> Result<TranscriptRepair> {
        let decided = self.decide()?;
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

    /// Reads everything and decides.
    fn decide(&self) -> Result<Decided> {
        let source = self.chosen.open(self.ctx)?;
        let failed = |e: io::Error| Error::io("read", &self.chosen.path, e);
        let folder = folder::scan(&self.place.folder, None)?;
        let begins = begins_with_a_header(&source).map_err(failed)?;
        let mut around = if begins { None } else { self.around(&folder) };
        let ids = around.as_ref().map(|around| around.ids.clone()).unwrap_or_default();
        let mut survey = self.survey(&source, &ids).map_err(failed)?;
        // What was not read to its end says nothing about the file.
        if let Some(signal) = self.ctx.cancel.get() {
            return Err(Error::new(Kind::Interrupted, format!("interrupted (exit {signal}); nothing was changed")));
        }
        if survey.header_version() > NEWEST {
            return Err(Error::new(
                Kind::TooNew,
                format!("{} has format version {}", self.chosen.path.display(), survey.header_version()),
            )
            .hint(format!(
                "clawkeep transcript check {}",
                crate::report::command::quote(&self.chosen.path.to_string_lossy())
            )));
        }
        let (mut no_header, mut from) = (None, Vec::new());
        let mut head = |found: &mut Survey| {
            if matches!(found.header, HeaderSeen::Good { .. }) {
                return true;
            }
            // The surroundings say the same each time.
            if around.is_none() {
                around = self.around(&folder);
            }
            match self.header(found, around.as_ref()) {
                Ok(told) => from.extend(told),
                Err(why) => no_header = Some(why),
            }
            no_header.is_none()
        };
        settle::settle(&mut survey, &source, &mut head, &|| self.ctx.cancel.get().is_none()).map_err(failed)?;
        if let Some(signal) = self.ctx.cancel.get() {
            return Err(Error::new(Kind::Interrupted, format!("interrupted (exit {signal}); nothing was changed")));
        }
        if self.args.upgrade && survey.header_version() < NEWEST && no_header.is_none() {
            let after = After::new(&source, &survey.edits);
            let mut next = Survey { edits: Vec::new(), ..survey.clone() };
            next.mended.clear();
            next.counts.clear();
            next.torn.clear();
            let left = std::mem::take(&mut next.left);
            upgrade::upgrade(&mut next, &after).map_err(failed)?;
            survey = settle::absorb(&survey, next, &after).map_err(failed)?;
            survey.left.splice(0..0, left);
        }
        let errors_after = errors_after(&source, &survey).map_err(failed)?;
        let backup = if survey.is_clean() { None } else { self.same_backup(&source, &folder) };
        let facts = TranscriptFacts {
            folder: self.place.folder.clone(),
            name: self.place.name.clone(),
            fp: source.fp,
            survey,
            no_header,
            errors_after,
            backup,
            taken: folder.entries.iter().map(|e| e.name.to_os_string()).collect(),
            pid: std::process::id(),
            now: self.ctx.run_time(),
        };
        let plan = plan(&facts);
        Ok(Decided { facts, from, plan })
    }

    fn survey(&self, source: &Source, ids: &[String]) -> io::Result<Survey> {
        const STEP: u64 = 1 << 20;
        let bar = Progress::bar(self.ctx, "reading (MiB)", source.size / STEP);
        let read = std::cell::Cell::new(0);
        let went_on = |bytes: u64| {
            let before = read.replace(read.get() + bytes);
            bar.advance((before + bytes) / STEP - before / STEP);
            self.ctx.cancel.get().is_none()
        };
        survey::survey_of(ids, source, &went_on)
    }

    /// What the surroundings say about the session; `None` if the file is no longer there.
    fn around(&self, folder: &FolderFacts) -> Option<HeaderSources> {
        let file = self.artefact(folder)?;
        let index = self.place.store(self.start).and_then(|t| match store::read::read(&t.store_path) {
            IndexState::Whole(index) => Some(index),
            _ => None,
        });
        Some(header_sources::gather(folder, file, index.as_ref()))
    }

    /// Makes a header, if there is none, and says where its members come from.
    fn header(&self, survey: &mut Survey, around: Option<&HeaderSources>) -> std::result::Result<Vec<String>, String> {
        if survey.lines == 0 {
            return Err("it has no byte: there is nothing to mend".to_owned());
        }
        let around = around.ok_or("it is no longer there")?;
        let proven = survey.entries > 0 || survey.remains.id.is_some() || around.proven;
        if !proven || self.chosen.class == Class::Foreign {
            return Err("nothing in it proves that it is a transcript".to_owned());
        }
        header::mend(survey, &around.fields).map(|members| header::told(&members, &around.origins))
    }

    fn artefact<'f>(&self, folder: &'f FolderFacts) -> Option<&'f Artefact> {
        folder.find(&self.place.name).map(|ix| &folder.entries[ix])
    }

    /// A copy of the very same bytes that is there already.
    fn same_backup(&self, source: &Source, folder: &FolderFacts) -> Option<std::ffi::OsString> {
        let file = self.artefact(folder)?;
        let copies = folder.entries.iter().filter(|e| {
            e.class == Class::RepairBackup && e.is_file() && e.stem() == file.stem() && e.fp.size == source.size
        });
        copies
            .into_iter()
            .find(|e| {
                (e.fp.dev, e.fp.ino) == (file.fp.dev, file.fp.ino) && e.fp.ino != 0
                    || same_bytes::same(&folder.path.join(&*e.name), &self.chosen.path).unwrap_or(false)
            })
            .map(|e| e.name.to_os_string())
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
        let Decided { facts, from, plan } = decided;
        let beside = || {
            let index = self.place.folder.join("sessions.json");
            format!(" --store {}", crate::report::command::quote(&index.to_string_lossy()))
        };
        let select = self.place.store(self.start).map_or_else(beside, crate::report::command::select_words);
        TranscriptRepair {
            path: self.chosen.path.clone(),
            facts,
            header_from: from,
            plan,
            applied,
            dry_run: self.args.dry_run,
            select,
            given: self.ctx.given.clone(),
        }
    }
}

/// Whether the first record is a header, as far as the beginning of the file says it.
fn begins_with_a_header(source: &Source) -> io::Result<bool> {
    let mut head = vec![0; 64 * 1024];
    let got = source.read_at(&mut head, 0)?;
    let state = crate::transcript::header::header(&head[..got], got as u64 >= source.size);
    Ok(matches!(state, HeaderState::Valid { .. }))
}

/// Ids of findings that would be errors in the edited file. There should be none that the repair can do something about.
fn errors_after(source: &Source, survey: &Survey) -> io::Result<Vec<&'static str>> {
    let after = After::new(source, &survey.edits);
    let reading = scan::whole(&mut Edited::new(source, &survey.edits), &after, u64::MAX, &|_| true)?;
    let errors = reading.spots.iter().filter(|spot| spot.id.severity() == Severity::Error);
    Ok(errors.map(|spot| spot.id.id()).collect())
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
