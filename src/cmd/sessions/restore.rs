//! `sessions restore`: brings one session back from wherever something of it is left.

use std::path::{Path, PathBuf};

use super::key_agent;
use super::pass::{Pass, Planned};
use super::undo::{gateway_limits, refuse_short_life, warn_pruned_again, without_problems};
use crate::apply::{self, ApplyInput, Label, Recheck, recover};
use crate::cli::GlobalFlags;
use crate::cli::restore::RestoreArgs;
use crate::cli::values;
use crate::cmd::start::{self, Start};
use crate::context::{Context, Level};
use crate::discover::agent_id;
use crate::error::{Error, Kind, Result};
use crate::exit;
use crate::lock::run::RunLock;
use crate::model::Ms;
use crate::model::candidate::{CopySource, Found};
use crate::model::fingerprint::Fingerprint;
use crate::model::folder::FolderFacts;
use crate::model::index::{IndexFacts, IndexState};
use crate::model::outcome::{Applied, Recovered};
use crate::model::policy::Policy;
use crate::plan::decide;
use crate::plan::ownership::Ownership;
use crate::plan::policy::{self, PolicyFlags};
use crate::plan::restore::{Refusal, RestoreFacts, RestorePlan, plan};
use crate::plan::undo::pruned_by_gateway;
use crate::report::command::{operand, quote};
use crate::report::restore::{RestoreReport, human_text, json, list_json, list_text, listed, refusal};
use crate::report::{escape, json as output};
use crate::scan::candidates::{self, Places};
use crate::scan::{facts, folder};
use crate::store;

/// Name in journal, audit log and lock.
const COMMAND: &str = "sessions restore";
/// Attempts while another program keeps writing the index.
const TRIES: u32 = 3;

/// Runs the command.
///
/// # Errors
/// Nothing is left of the session, something that lives is in the way, a live owner, a busy lock, a row that would not
/// last, and everything that stops a run.
pub fn run(ctx: &mut Context, g: &GlobalFlags, a: &RestoreArgs) -> Result<u8> {
    check_key(a)?;
    let what = std::iter::once(a.what.as_str());
    let start = key_agent::with_stores_of(ctx, g, &a.select, start::reading, what)?;
    start::refuse_absent_state(g, &a.select, &start)?;
    let moment = |text: &String| {
        values::moment(text, ctx.run_time()).map_err(|why| Error::usage(format!("--at {}: {why}", escape::line(text))))
    };
    let at = a.at.as_ref().map(moment).transpose()?;
    let settings = without_problems(&start.loaded.settings);
    let targets = &start.selection.targets;
    let policies: Vec<Policy> = targets
        .iter()
        .map(|t| policy::resolve(&settings, &PolicyFlags::default(), &t.agent_id))
        .collect::<Result<_>>()?;
    let world = ctx.clone();
    let ctx = &world;
    let passes = targets.iter().zip(&policies).map(|(target, policy)| Pass {
        ctx,
        start: &start,
        target,
        policy,
        overrides: &a.overrides,
        planner: &decide::decide,
        command: COMMAND,
        reclaim_by_unlink: false,
        greeting: std::cell::RefCell::default(),
    });
    let archives = archives(&start, a);
    let mut stores: Vec<(Work<'_>, Seen)> = Vec::new();
    let mut blind = Vec::new();
    let home = key_agent::of_key(&a.what).map(agent_id::normalize).filter(|_| targets.len() > 1);
    for pass in passes {
        let of_another = home.as_ref().is_some_and(|home| *home != pass.target.agent_id);
        let work = Work { ctx, args: a, start: &start, pass, archives: &archives, at };
        match work.look() {
            Ok(Some(seen)) => stores.push((work, seen)),
            Ok(None) => {}
            Err(error) if a.list => blind.push(work.look_without_index(error)?),
            // The key says whose it is: what is wrong with the store of another agent is no reason to leave it lost.
            Err(error) if of_another && error.kind == Kind::Failed => ctx.log(Level::Warning, &error.message),
            Err(error) => return Err(error),
        }
    }
    let found = stores.iter().map(|(_, seen)| &seen.found).chain(blind.iter().map(|blind| &blind.found));
    for warning in found.flat_map(|found| &found.warnings) {
        ctx.log(Level::Warning, warning);
    }
    if a.list {
        return list(ctx, a, &stores, &blind);
    }
    let (work, seen) = the_one(stores, a)?;
    work.restore(seen)
}

/// A key that no gateway could use.
fn check_key(a: &RestoreArgs) -> Result<()> {
    let Some(key) = &a.as_key else { return Ok(()) };
    if key.trim().is_empty() {
        return Err(Error::usage("--as needs a key"));
    }
    if key.chars().any(char::is_control) {
        return Err(Error::usage(format!("--as {}: a key has no control characters", escape::line(key))));
    }
    Ok(())
}

/// Archive folders: the configured one, and those named.
fn archives(start: &Start, a: &RestoreArgs) -> Vec<PathBuf> {
    let configured = start.loaded.settings.own.archive_to.as_ref().map(|dir| dir.value.clone());
    let mut all: Vec<PathBuf> = Vec::new();
    for dir in configured.into_iter().chain(a.archive_to.iter().cloned()) {
        let real = dir.canonicalize().unwrap_or(dir);
        if !all.contains(&real) {
            all.push(real);
        }
    }
    all
}

fn list(ctx: &Context, a: &RestoreArgs, stores: &[(Work<'_>, Seen)], blind: &[Blind]) -> Result<u8> {
    let mut copies = Vec::new();
    let mut warnings = Vec::new();
    for seen in blind {
        // Nothing comes back before the index is repaired, so none is marked as the one that would.
        copies.extend(listed(&seen.facts(a), None));
        warnings.extend(seen.found.warnings.iter().cloned());
    }
    for (work, seen) in stores {
        let facts = work.facts(seen);
        copies.extend(listed(&facts, plan(&facts).ok().map(|p| p.copy)));
        warnings.extend(seen.found.warnings.iter().cloned());
    }
    if copies.is_empty() && !blind.is_empty() {
        return Err(refused(&Refusal::NothingLeft, a).hint(crate::hints::DAMAGED_INDEX));
    }
    if copies.is_empty() {
        let why = stores.iter().find_map(|(work, seen)| plan(&work.facts(seen)).err());
        match why.unwrap_or(Refusal::NothingLeft) {
            // Nothing is lost, so that is an answer.
            Refusal::Live(key) => {
                let word = format!(
                    "{} is live, and no other copy of it is left; a conversation that a reset put away has a file \
                     ID.jsonl.reset.TIME, and comes back by that ID",
                    escape::line(&key)
                );
                ctx.log(Level::Warning, &word);
                warnings.push(word);
            }
            why => return Err(refused(&why, a)),
        }
    }
    if ctx.output.json {
        output::print(ctx, &list_json(&a.what, &copies, &warnings))?;
    } else if ctx.output.quiet == 0 {
        ctx.write_stdout(list_text(&a.what, &copies, ctx.run_time()).as_bytes())?;
    }
    Ok(exit::DONE)
}

/// The store that has something left of the session.
fn the_one<'a>(stores: Vec<(Work<'a>, Seen)>, a: &RestoreArgs) -> Result<(Work<'a>, Seen)> {
    if stores.len() == 1 {
        return stores.into_iter().next().ok_or_else(|| refused(&Refusal::NothingLeft, a));
    }
    let why = stores.iter().find_map(|(w, s)| plan(&w.facts(s)).err().filter(|r| *r != Refusal::NothingLeft));
    let mut left: Vec<_> = stores.into_iter().filter(|(_, seen)| !seen.found.copies.is_empty()).collect();
    match (left.pop(), left.is_empty()) {
        (Some(only), true) => Ok(only),
        (None, _) => Err(refused(&why.unwrap_or(Refusal::NothingLeft), a)),
        (Some(last), false) => {
            let mut error = Error::failed(format!("several stores have something left of {}", escape::line(&a.what)));
            for (work, _) in left.iter().chain([&last]) {
                let store = work.pass.target.store_path.display();
                error = error.hint(format!("clawkeep sessions restore --store '{store}' '{}'", escape::line(&a.what)));
            }
            Err(error)
        }
    }
}

fn refused(why: &Refusal, a: &RestoreArgs) -> Error {
    let (what, word) = (escape::line(&a.what), quote(&a.what));
    let error = Error::failed(format!("{what} was not restored: {}", refusal(why)));
    match why {
        Refusal::KeyTaken(_) | Refusal::NoKey(_) => {
            error.hint(format!("clawkeep sessions restore '{what}' --as KEY")).hint(show(&what))
        }
        Refusal::Live(key) => error.hint(format!("clawkeep sessions show {}", operand(key))).hint(show(&what)),
        Refusal::NameTaken(_) | Refusal::NoneBefore(_) => error.hint(show(&what)),
        Refusal::NothingLeft | Refusal::NoTranscript => {
            let everywhere =
                format!("clawkeep sessions restore {word} --all-agents --include-unconfigured  (looks in every store)");
            // Whoever did look there is not sent there again.
            let looked = a.select.all_agents && a.select.include_unconfigured;
            let error = if looked { error } else { error.hint(everywhere) };
            error.hint(format!("clawkeep sessions restore {word} --archive-to DIR  (looks in an archive folder too)"))
        }
    }
}

/// A transcript without a row here may have one in a store that cannot be read. It gets no other name and no other content
/// by a restore, so that is worth a word and no refusal.
fn unread_store((path, why): &(PathBuf, String)) -> String {
    format!("{} cannot be read ({why}); a row of it may lead to this transcript as well", path.display())
}

fn show(what: &str) -> String {
    format!("clawkeep sessions restore '{what}' --list")
}

/// What was seen of one store.
struct Seen {
    planned: Planned,
    found: Found,
}

/// What was seen of a store whose index cannot be used: which transcripts have a row is not known then.
struct Blind {
    folder: FolderFacts,
    index: IndexFacts,
    found: Found,
}

impl Blind {
    fn facts<'s>(&'s self, a: &'s RestoreArgs) -> RestoreFacts<'s> {
        RestoreFacts {
            index: &self.index,
            folder: &self.folder,
            found: &self.found,
            what: &a.what,
            as_key: a.as_key.as_deref(),
            at: None,
        }
    }
}

/// One store.
struct Work<'a> {
    ctx: &'a Context,
    args: &'a RestoreArgs,
    start: &'a Start,
    pass: Pass<'a>,
    archives: &'a [PathBuf],
    at: Option<Ms>,
}

impl Work<'_> {
    /// Reads the store and looks for what is left. `None` if the agent has no store yet.
    fn look(&self) -> Result<Option<Seen>> {
        let Some(planned) = self.pass.plan()? else { return Ok(None) };
        let ownership = Ownership::of(&planned.facts, &planned.probes);
        let owned = |file: u32| !ownership.links(file).is_empty();
        let places = Places {
            folder: &planned.facts.folder,
            owned: &owned,
            store: &planned.facts.index.path,
            archives: self.archives,
            agent: &self.pass.target.agent_id,
        };
        let mut found = candidates::find_of(&places, &self.args.what, &self.live_ids(&planned))?;
        if found.copies.iter().any(|copy| copy.source == CopySource::Orphan) {
            found.warnings.extend(planned.plan.ownership_incomplete.iter().map(unread_store));
        }
        Ok(Some(Seen { planned, found }))
    }

    /// Session id of the live row that was named by its key: earlier copies of it are looked for as well.
    fn live_ids(&self, planned: &Planned) -> Vec<String> {
        let index = &planned.facts.index;
        let named = index.rows.iter().filter(|row| !row.shadowed && index.key(row) == self.args.what.as_str());
        named.filter_map(|row| Some(row.session_id?.get(&index.bytes).trim().to_owned())).collect()
    }

    /// Looks for what is left where the index is damaged or missing, for a list. Gives the error back if that is not why
    /// the store could not be read.
    fn look_without_index(&self, error: Error) -> Result<Blind> {
        let store = &self.pass.target.store_path;
        let (Some(dir), false) =
            (facts::artefact_folder(self.pass.target), matches!(store::read::read(store), IndexState::Whole(_)))
        else {
            return Err(error);
        };
        let path = store.canonicalize().unwrap_or_else(|_| dir.join(store.file_name().unwrap_or_default()));
        let folder = folder::scan(&dir, store.file_name())?;
        let nobodys = |_| false;
        let places = Places {
            folder: &folder,
            owned: &nobodys,
            store: &path,
            archives: self.archives,
            agent: &self.pass.target.agent_id,
        };
        let mut found = candidates::find(&places, &self.args.what)?;
        found.warnings.insert(0, format!("{}; which transcripts have a row is not known", error.message));
        let index = IndexFacts::without_rows(path, Fingerprint::NONE);
        Ok(Blind { folder, index, found })
    }

    fn facts<'s>(&'s self, seen: &'s Seen) -> RestoreFacts<'s> {
        RestoreFacts {
            index: &seen.planned.facts.index,
            folder: &seen.planned.facts.folder,
            found: &seen.found,
            what: &self.args.what,
            as_key: self.args.as_key.as_deref(),
            at: self.at,
        }
    }

    /// Another agent's key in this store would be a row that no gateway finds. Where agents share a store it is at home.
    fn refuse_foreign_key(&self) -> Result<()> {
        let target = self.pass.target;
        let Some(agent) = self.args.as_key.as_deref().and_then(key_agent::of_key).map(agent_id::normalize) else {
            return Ok(());
        };
        let mut parts = target.store_path.iter().rev().skip(1);
        let is_own = (parts.next(), parts.next(), parts.next());
        let (Some(sessions), Some(owner), Some(agents)) = is_own else { return Ok(()) };
        if sessions != "sessions" || agents != "agents" || owner.to_str() == Some(&*agent) {
            return Ok(());
        }
        let key = quote(self.args.as_key.as_deref().unwrap_or_default()).into_owned();
        Err(Error::usage(format!("--as {key}: that is a key of another agent than {}", owner.display())).hint(format!(
            "clawkeep sessions restore --agent {} --as {key} {}",
            quote(&agent),
            operand(&self.args.what)
        )))
    }

    fn restore(&self, seen: Seen) -> Result<u8> {
        self.refuse_foreign_key()?;
        let first = self.plan(&seen);
        if self.args.dry_run {
            let first = first?;
            let again = self.pruned_again(&seen, &first);
            warn_pruned_again(self.ctx, again);
            self.report(&seen, &first, None, again)?;
            return Ok(exit::DONE);
        }
        let gone = || Error::new(Kind::Absent, format!("{} is gone", self.pass.target.store_path.display()));
        let folder = facts::artefact_folder(self.pass.target).ok_or_else(gone)?;
        // What cannot be done is told before anything is locked, unless an interrupted run left the folder half way:
        // what is in the way then may be its own doing.
        if recover::pending(&folder)?.is_empty() {
            first?;
        }
        self.pass.refuse_newer_generation()?;
        self.pass.gate(&folder, None)?;
        let lock = RunLock::acquire(self.ctx, &folder, COMMAND)?;
        let recovered =
            self.pass.with_recheck(&seen.planned, |recheck| recover::run(self.ctx, &folder, &lock, &recheck))?;
        let mut tries = 0;
        loop {
            tries += 1;
            let seen = self.look()?.ok_or_else(gone)?;
            let plan = self.plan(&seen).inspect_err(|_| self.tell(&recovered))?;
            let again = self.pruned_again(&seen, &plan);
            warn_pruned_again(self.ctx, again);
            if again > 0 && !self.args.yes {
                return Err(refuse_short_life(again, &self.again("--yes")));
            }
            let done = self
                .pass
                .with_recheck(&seen.planned, |recheck| self.execute(&folder, &lock, &seen, &plan, &recovered, recheck));
            match done {
                Err(e) if apply::conflict(&e).is_some() && tries < TRIES => {}
                Err(e) => return Err(e),
                Ok(applied) => {
                    self.report(&seen, &plan, Some(&applied), again)?;
                    return Ok(self.code(&applied));
                }
            }
        }
    }

    /// The same command with one flag more.
    fn again(&self, flag: &str) -> String {
        let a = self.args;
        let mut out = "clawkeep sessions restore".to_owned();
        let dirs: Vec<String> = a.archive_to.iter().map(|dir| dir.to_string_lossy().into_owned()).collect();
        let valued = [
            ("--as", a.as_key.as_slice()),
            ("--at", a.at.as_slice()),
            ("--archive-to", &dirs),
            ("--override", &a.overrides),
        ];
        for (name, value) in valued.iter().flat_map(|(name, values)| values.iter().map(move |value| (name, value))) {
            out.push_str(&format!(" {name} {}", quote(value)));
        }
        format!("{out} {flag} {}", operand(&a.what))
    }

    /// Says what became of interrupted runs where no report does: one of them may be why there is nothing left to do.
    fn tell(&self, recovered: &[Recovered]) {
        for run in recovered {
            self.ctx.log(Level::Warning, &format!("the interrupted run {} was dealt with: {}", run.run_id, run.detail));
        }
    }

    fn plan(&self, seen: &Seen) -> Result<RestorePlan> {
        plan(&self.facts(seen)).map_err(|why| refused(&why, self.args))
    }

    fn pruned_again(&self, seen: &Seen, plan: &RestorePlan) -> u64 {
        let limits = gateway_limits(&self.start.loaded.settings);
        pruned_by_gateway(&plan.effects, Some(&seen.planned.facts.index), limits, self.ctx.run_time())
    }

    fn execute(
        &self,
        folder: &Path,
        lock: &RunLock,
        seen: &Seen,
        plan: &RestorePlan,
        recovered: &[Recovered],
        recheck: Recheck<'_>,
    ) -> Result<Applied> {
        let label = Label { key: Some(plan.key.clone()), id: Some(plan.id.clone()) };
        apply::execute(&ApplyInput {
            ctx: self.ctx,
            plan: &plan.to_plan(&self.facts(seen), self.ctx.run_time()),
            index: Some(&seen.planned.facts.index),
            own_dir: folder,
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
            suspect: seen.planned.plan.suspicion.is_some(),
            recheck,
            pack: None,
            progress: None,
            recovered,
        })
    }

    fn report(&self, seen: &Seen, plan: &RestorePlan, applied: Option<&Applied>, again: u64) -> Result<()> {
        let report = RestoreReport {
            what: &self.args.what,
            store: &seen.planned.facts.index.path,
            plan,
            found: &seen.found,
            applied,
            pruned_again: again,
        };
        if self.ctx.output.json {
            return output::print(self.ctx, &json(&report));
        }
        for warning in applied.into_iter().flat_map(|a| &a.warnings) {
            self.ctx.log(Level::Warning, warning);
        }
        if self.ctx.output.quiet > 0 {
            return Ok(());
        }
        self.ctx.write_stdout(human_text(&report, &self.ctx.given).as_bytes())
    }

    fn code(&self, applied: &Applied) -> u8 {
        let all_done = applied.outcomes.iter().all(|o| o.freed().is_some());
        match self.ctx.cancel.get().filter(|_| applied.cancelled) {
            Some(code) => code,
            None if all_done => exit::DONE,
            None => exit::PARTIAL,
        }
    }
}
