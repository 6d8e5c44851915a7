//! `sessions repair`: mends a store through the one executor.
//!
//! The same gate, lock, recovery and executor as cleanup; only the index may be damaged here, so the facts are others.

use std::ffi::OsStr;
use std::path::Path;

use super::pass::Pass;
use super::undo::gateway_limits;
use crate::apply::{self, ApplyInput, Label, Recheck, recover};
use crate::cli::GlobalFlags;
use crate::cli::repair::RepairArgs;
use crate::cmd::start;
use crate::context::{Context, Level};
use crate::error::{Error, Kind, Result};
use crate::exit;
use crate::fsx::read::lstat;
use crate::lock::container::HostView;
use crate::lock::peer;
use crate::lock::run::RunLock;
use crate::model::folder::{Artefact, Class, FolderFacts};
use crate::model::index::IndexState;
use crate::model::outcome::{Applied, Outcome, Recovered};
use crate::model::owner::Writer;
use crate::model::plan::{Plan, PlannedEffect};
use crate::model::probe::{LockState, Probes};
use crate::model::repair::{RepairFacts, RepairPlan, RepairWishes};
use crate::model::stores::StoreMember;
use crate::plan::decide;
use crate::plan::ownership::Ownership;
use crate::plan::policy::{self, PolicyFlags};
use crate::plan::undo::would_prune;
use crate::repair::plan::{as_planned, plan};
use crate::repair::strip::NEEDED;
use crate::report::command::quote;
use crate::report::repair::{RepairReport, StoreRepair};
use crate::scan::{facts, obstacles, rescue};
use crate::store;
use crate::store::refs::{self, FolderIndex};

/// Attempts while another program keeps writing the index.
const TRIES: u32 = 3;

/// Runs the command.
///
/// # Errors
/// With one store, whatever stopped it. With several, a failed one is reported in its place and the others still run.
pub fn run(ctx: &mut Context, g: &GlobalFlags, a: &RepairArgs) -> Result<u8> {
    if let Some(field) = a.strip_field.iter().find(|f| NEEDED.contains(&f.as_str())) {
        return Err(Error::usage(format!("--strip-field: no row can do without {field}")));
    }
    let start = start::reading(ctx, g, &a.select)?;
    start::refuse_absent_state(g, &a.select, &start)?;
    let wishes = a.wishes(&ctx.cwd);
    let world = ctx.clone();
    let settings = super::undo::without_problems(&start.loaded.settings);
    let several = start.selection.targets.len() > 1;
    let mut stores = Vec::new();
    for target in &start.selection.targets {
        let policy = policy::resolve(&settings, &PolicyFlags::default(), &target.agent_id)?;
        let pass = Pass {
            ctx: &world,
            start: &start,
            target,
            policy: &policy,
            overrides: &a.overrides,
            planner: &decide::decide,
            command: "sessions repair",
            reclaim_by_unlink: false,
            greeting: std::cell::RefCell::default(),
        };
        match (Work { pass: &pass, args: a, wishes: &wishes }).run() {
            Err(error) if !several => return Err(error),
            Err(error) => stores.push(StoreRepair::failed(target, error)),
            Ok(store) => stores.push(store),
        }
        if ctx.cancel.get().is_some() {
            break;
        }
    }
    let code = stores.iter().map(code).fold(exit::DONE, exit::graver);
    RepairReport { stores, dry_run: a.dry_run }.print(ctx)?;
    Ok(ctx.cancel.get().unwrap_or(code))
}

/// One store.
struct Work<'a> {
    pass: &'a Pass<'a>,
    args: &'a RepairArgs,
    wishes: &'a RepairWishes,
}

impl Work<'_> {
    fn run(&self) -> Result<StoreRepair> {
        let target = self.pass.target;
        let Some(folder) = facts::artefact_folder(target) else { return absent(self) };
        if self.args.dry_run {
            let Some(facts) = self.read()? else { return absent(self) };
            if facts.is_missing() {
                self.pass.refuse_newer_generation()?;
            }
            let plan = plan(&facts, self.wishes);
            // What the repair itself would refuse even to a person who is not there to be asked is no preview.
            if let Some(rows) = plan.none_left.filter(|_| !self.args.yes) {
                return Err(self.none_left(&facts, rows, "--dry-run --yes"));
            }
            return Ok(self.report(&facts, plan, None));
        }
        self.pass.refuse_newer_generation()?;
        // Nothing to do leaves no trace, not even a lock.
        let Some(facts) = self.read()? else { return absent(self) };
        let first = plan(&facts, self.wishes);
        if first.effects.is_empty() && recover::pending(&folder)?.is_empty() {
            return Ok(self.report(&facts, first, None));
        }
        self.pass.gate(&folder, None)?;
        let again = self.pruned_again(&first);
        if !self.consents(&facts, &first, again)? {
            return Err(Error::new(Kind::Interrupted, "not confirmed; nothing was changed"));
        }
        let lock = RunLock::acquire(self.pass.ctx, &folder, self.pass.command)?;
        self.locked(&lock, first.lost.len())
    }

    fn read(&self) -> Result<Option<RepairFacts>> {
        let now = self.pass.ctx.run_time();
        let lock = |path: &Path, folder: &FolderFacts| self.lock_state(path, folder);
        rescue::read(
            self.pass.target,
            &self.pass.start.selection,
            self.wishes.from.as_ref(),
            !self.wishes.adopt.is_empty(),
            now,
            &lock,
        )
    }

    fn lock_state(&self, path: &Path, folder: &FolderFacts) -> LockState {
        let view = HostView::gather(&self.pass.ctx.env).on_volume(folder.volume.network);
        peer::state(path, &view, self.pass.ctx.now())
    }

    /// Asks where rows would be lost or would not last, and on a terminal always.
    fn consents(&self, facts: &RepairFacts, plan: &RepairPlan, again: u64) -> Result<bool> {
        let ctx = self.pass.ctx;
        if again > 0 {
            ctx.log(
                Level::Warning,
                &format!(
                    "the gateway's own maintenance would remove {again} of these rows again; to keep them set \
                     session.maintenance.mode to \"warn\", or raise pruneAfter and maxEntries, in its configuration first"
                ),
            );
        }
        if self.args.yes {
            return Ok(true);
        }
        if ctx.stdin_tty && ctx.stderr_tty {
            let lost = plan.lost.len() as u64;
            let cost =
                if lost > 0 { format!(", {} lost", crate::report::plural::count(lost, "row")) } else { String::new() };
            let repairs = crate::report::plural::count(plan.repairs.len() as u64, "repair");
            return ctx.ask(&format!("Do {repairs} on {}{cost}? [y/N] ", facts.path.display()));
        }
        if !plan.lost.is_empty() {
            return Err(Error::failed(format!(
                "{} of {} are only there in part and would be lost; nothing was changed",
                crate::report::plural::count(plan.lost.len() as u64, "row"),
                facts.path.display()
            ))
            .hint(self.again("--dry-run"))
            .hint(self.again("--yes")));
        }
        if let Some(rows) = plan.none_left {
            return Err(self.none_left(facts, rows, "--yes"));
        }
        if again > 0 {
            return Err(Error::failed(format!(
                "{again} rows would be removed again by the gateway; nothing was changed"
            ))
            .hint("set session.maintenance.mode to \"warn\" in the gateway's configuration")
            .hint(self.again("--yes")));
        }
        Ok(true)
    }

    /// The refusal to drop every row because no transcript is there; `flags` go on all the same.
    fn none_left(&self, facts: &RepairFacts, rows: u64, flags: &str) -> Error {
        Error::failed(format!(
            "no session of {} has its transcript, and {rows} would go (is a volume not mounted?); nothing was changed",
            facts.path.display()
        ))
        .hint("bring the files back: mount the volume, or move the folder back to where it was")
        .hint(self.again(flags))
    }

    /// The same command with one flag more.
    fn again(&self, flag: &str) -> String {
        let a = self.args;
        let from = a.from.as_ref().map(|from| from.to_string_lossy().into_owned());
        let mut out = "clawkeep sessions repair".to_owned();
        let valued = [
            ("--only", a.only.as_slice()),
            ("--from", from.as_slice()),
            ("--adopt", &a.adopt),
            ("--strip-field", &a.strip_field),
            ("--override", &a.overrides),
        ];
        for (name, value) in valued.iter().flat_map(|(name, values)| values.iter().map(move |value| (name, value))) {
            out.push_str(&format!(" {name} {}", quote(value)));
        }
        for (name, given) in [("--drop-missing", a.drop_missing), ("--end-runs", a.end_runs), ("--modes", a.modes)] {
            if given {
                out.push_str(&format!(" {name}"));
            }
        }
        format!("{out} {flag}")
    }

    /// Rows the gateway would take again: those that come back past its age limit, and what is above its row limit then.
    fn pruned_again(&self, plan: &RepairPlan) -> u64 {
        let limits = gateway_limits(&self.pass.start.loaded.settings);
        would_prune(&plan.back, &plan.here, limits, self.pass.ctx.run_time())
    }

    fn locked(&self, lock: &RunLock, lost_before: usize) -> Result<StoreRepair> {
        let mut recovered = Vec::new();
        let mut rescued = None;
        for _ in 0..TRIES {
            let Some(mut facts) = self.read()? else { return absent(self) };
            if !recover::pending(lock.folder())?.is_empty() {
                let found = self.with_recheck(&facts, |r| recover::run(self.pass.ctx, lock.folder(), lock, &r))?;
                recovered.extend(found);
                let Some(again) = self.read()? else { return absent(self) };
                facts = again;
            }
            let plan = plan(&facts, self.wishes);
            if plan.lost.len() > lost_before && !self.args.yes {
                return Err(Error::new(Kind::Busy, format!("{} changed meanwhile", facts.path.display()))
                    .hint("clawkeep sessions repair --dry-run"));
            }
            // Where a record tells of more rows, the report does.
            let nothing_said = facts.damage.is_none() && facts.shrunk_from.is_none() && plan.effects.is_empty();
            if let Some(rows) = rescued.filter(|rows| nothing_said && plan.rows_before < *rows) {
                return Err(written_anew(&facts, plan.rows_before, rows));
            }
            rescued = facts.damage.is_some().then_some(plan.rows_after);
            if plan.effects.is_empty() {
                let applied = Applied { recovered, ..Applied::default() };
                return Ok(self.report(&facts, plan, Some(applied)));
            }
            match self.execute(lock, &facts, &plan, &recovered) {
                Err(error) if apply::conflict(&error).is_some() => {}
                // Somebody made the index that was missing: what is there now is read and planned for.
                Err(_) if facts.is_missing() && lstat(&facts.path).is_ok() => {}
                Err(error) => return Err(error),
                Ok(applied) => return Ok(self.report(&facts, plan, Some(applied))),
            }
        }
        let path = self.pass.target.store_path.display();
        Err(Error::new(Kind::Busy, format!("{path} changed {TRIES} times while it was repaired; nothing was changed"))
            .hint("somebody writes to it: stop that program, or try again later"))
    }

    fn execute(
        &self,
        lock: &RunLock,
        facts: &RepairFacts,
        repair: &RepairPlan,
        recovered: &[Recovered],
    ) -> Result<Applied> {
        let newest = facts.folder.entries.iter().filter(|f| f.is_file()).map(|f| f.fp.mtime_ms()).max();
        self.pass.gate(lock.folder(), newest)?;
        let index = as_planned(facts);
        let planned = executable(facts, repair);
        self.with_recheck(facts, |recheck| {
            apply::execute(&ApplyInput {
                ctx: self.pass.ctx,
                plan: &planned,
                index: Some(&index),
                own_dir: lock.folder(),
                lock: Some(lock),
                command: self.pass.command,
                argv: &self.pass.ctx.argv,
                overrides: self.pass.overrides,
                policy_echo: &serde_json::Value::Null,
                undoes: None,
                partly: false,
                leaves: false,
                group: None,
                label: &|_| Label::default(),
                reclaim_by_unlink: false,
                suspect: facts.shrunk_from.is_some(),
                recheck,
                pack: None,
                recovered,
                progress: None,
            })
        })
    }

    fn with_recheck<T>(&self, facts: &RepairFacts, f: impl FnOnce(Recheck<'_>) -> T) -> T {
        let owned_now = |names: &[&OsStr]| owned_now(facts, names);
        let locked_now = |name: &OsStr| {
            let mut path = facts.folder.path.join(name);
            // A lock is looked at again itself, any other file by the lock beside it.
            if path.extension() != Some(OsStr::new("lock")) {
                path.as_mut_os_string().push(".lock");
            }
            lstat(&path).is_ok() && self.lock_state(&path, &facts.folder).holds()
        };
        let owner_now = || {
            let mut verdict = self.pass.owner(&facts.folder.path, None);
            let passed = |token: &str| self.pass.overrides.iter().any(|t| t == token);
            let token = if verdict.writer == Writer::Owns { "live-gateway" } else { "owner-unknown" };
            if matches!(verdict.writer, Writer::Owns | Writer::Unknown) && passed(token) {
                verdict.writer = Writer::Foreign;
            }
            verdict
        };
        f(Recheck { owned_now: &owned_now, locked_now: &locked_now, owner_now: &owner_now, files_only: false })
    }

    fn report(&self, facts: &RepairFacts, plan: RepairPlan, applied: Option<Applied>) -> StoreRepair {
        let folder = &facts.folder.path;
        let obstacles =
            if self.args.dry_run { obstacles::of(folder, &plan.effects, self.pass.overrides) } else { Vec::new() };
        StoreRepair {
            obstacles: obstacles.into_iter().map(|o| format!("the repair would fail: {}", o.why)).collect(),
            agent_id: self.pass.target.agent_id.clone(),
            path: facts.path.clone(),
            damage: facts.damage.clone(),
            pruned_again: self.pruned_again(&plan),
            plan,
            applied,
            error: None,
        }
    }
}

/// Another program began a new index while a damaged or missing one was being repaired: it stands, but to say that nothing
/// is left to repair would be wrong.
fn written_anew(facts: &RepairFacts, rows: u64, rescued: u64) -> Error {
    let stamp = |f: &&Artefact| f.class == Class::Damaged;
    let kept = facts.folder.entries.iter().filter(stamp).max_by_key(|f| f.stamp);
    let from = match kept {
        Some(kept) => quote(&facts.folder.path.join(&*kept.name).to_string_lossy()).into_owned(),
        None => "headers".to_owned(),
    };
    let (now, then) = (crate::report::plural::count(rows, "row"), crate::report::plural::count(rescued, "row"));
    Error::new(
        Kind::Busy,
        format!(
            "another program wrote a new {} with {now} while {then} were being brought back; it stays",
            facts.path.display()
        ),
    )
    .hint("stop that program first")
    .hint(format!("clawkeep sessions repair --from {from} --dry-run"))
    .hint("clawkeep sessions repair --from snapshots --dry-run")
}

fn absent(work: &Work<'_>) -> Result<StoreRepair> {
    let target = work.pass.target;
    facts::refuse_dangling(target)?;
    match target.origin {
        crate::model::stores::TargetOrigin::StoreFlag => {
            Err(Error::new(Kind::Absent, format!("{} does not exist", target.store_path.display())))
        }
        _ => Ok(StoreRepair::nothing(target)),
    }
}

/// The repair as a plan for the executor.
fn executable(facts: &RepairFacts, repair: &RepairPlan) -> Plan {
    let effect = |e: &crate::model::effect::Effect| PlannedEffect { decision: None, effect: e.clone() };
    Plan {
        folder: facts.folder.path.clone(),
        now: facts.now,
        decisions: Vec::new(),
        effects: repair.effects.iter().map(effect).collect(),
        rows_before: repair.rows_before,
        rows_after: repair.rows_after,
        budget: None,
        cap_shortfall: 0,
        suspicion: None,
        ownership_incomplete: Vec::new(),
        max_remove_hit: None,
        warnings: Vec::new(),
    }
}

/// Reads the whole store set afresh.
fn owned_now(facts: &RepairFacts, names: &[&OsStr]) -> Result<Vec<bool>> {
    let IndexState::Whole(index) = store::read::read(&facts.path) else {
        return Err(Error::failed(format!("{} cannot be read", facts.path.display())));
    };
    let lookup = FolderIndex::new(&facts.folder);
    let reread = |m: &StoreMember| StoreMember { path: m.path.clone(), state: store::member::read(&m.path, &lookup) };
    let members: Vec<StoreMember> = facts.members.iter().map(reread).collect();
    let ownership = Ownership::of_set(
        &refs::all_row_files(&lookup, &index),
        index.rows.len(),
        &members,
        &facts.folder,
        &Probes::default(),
    );
    let owned = |name: &&OsStr| {
        let file = facts.folder.find(name).and_then(|ix| u32::try_from(ix).ok());
        file.is_some_and(|file| !ownership.links(file).is_empty())
    };
    Ok(names.iter().map(owned).collect())
}

/// Exit code of one store (DESIGN 3).
fn code(store: &StoreRepair) -> u8 {
    if let Some(error) = &store.error {
        return exit::code(error.kind);
    }
    let done = |o: &Outcome| matches!(o, Outcome::Done { .. });
    if store.applied.as_ref().is_some_and(|a| !a.outcomes.iter().all(done)) {
        return exit::PARTIAL;
    }
    if store.plan.undecided.is_empty() { exit::DONE } else { exit::FINDINGS }
}
