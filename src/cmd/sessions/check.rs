//! `sessions check`: findings over index and files. Writes nothing, takes no lock.
//!
//! A store that cannot be checked does not stop the others. The exit code is the gravest: 4 for a finding that is an error,
//! 1 (or 3 beside others) where a check was not possible.

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::check::judge;
use crate::cli::GlobalFlags;
use crate::cli::check::CheckArgs;
use crate::cmd::start::{self, Start};
use crate::cmd::transcript::mend::{self, Around, Mending};
use crate::cmd::transcript::place::Place;
use crate::cmd::transcript::target::Chosen;
use crate::context::{Context, Level};
use crate::error::{Error, Kind, Result};
use crate::exit;
use crate::lock::owner;
use crate::model::check::{Broken, CheckFacts, CheckedStore, Seen};
use crate::model::finding::{Finding, RepairId, Severity};
use crate::model::owner::OwnerVerdict;
use crate::model::settings::Settings;
use crate::model::stores::{Target, TargetOrigin};
use crate::plan::policy::{self, PolicyFlags};
use crate::report::check::{Report, human, json};
use crate::report::progress::Progress;
use crate::report::style::Style;
use crate::scan::check::{self as scan, Where};
use crate::scan::transcripts::How;

/// Fields of the index that a report names.
const FIELDS: usize = 12;
/// Bytes for which the progress bar moves one step.
const STEP: u64 = 1 << 20;

/// Runs the command.
///
/// # Errors
/// A wrong selection; a store that `--store` names and that is not there; the only store cannot be checked.
pub fn run(ctx: &mut Context, g: &GlobalFlags, args: &CheckArgs) -> Result<u8> {
    let start = start::reading(ctx, g, &args.select)?;
    start::refuse_absent_state(g, &args.select, &start)?;
    // Invalid limits were reported as warnings; what a check needs of the policy does not depend on them.
    let settings = Settings { problems: Vec::new(), ..start.loaded.settings.clone() };
    let mut stores = Vec::new();
    let mut code = exit::DONE;
    for (position, target) in start.selection.targets.iter().enumerate() {
        match one(ctx, &start, &settings, args, target, position == 0) {
            Ok(store) => {
                if store.findings.iter().any(|f| f.severity == Severity::Error) {
                    code = exit::graver(code, exit::FINDINGS);
                }
                stores.push(store);
            }
            Err(error) if start.selection.targets.len() > 1 => {
                ctx.log(Level::Error, &error.message);
                code = exit::graver(code, exit::PARTIAL);
                stores.push(CheckedStore { error: Some(error.message), ..nothing(target) });
            }
            Err(error) => return Err(error),
        }
        ctx.unless_cancelled()?;
    }
    let report = Report {
        stores: &stores,
        full: args.full,
        state_dir: &start.roots.state_dir,
        not_looked_at: &start.selection.not_looked_at,
        given: &ctx.given,
        verbose: ctx.output.verbose > 0,
    };
    if ctx.output.json {
        crate::report::json::print(ctx, &json::value(&report))?;
    } else if ctx.output.quiet == 0 {
        ctx.write_stdout(human::text(&report, Style::stdout(ctx)).as_bytes())?;
    }
    Ok(code)
}

fn one(
    ctx: &Context,
    start: &Start,
    settings: &Settings,
    args: &CheckArgs,
    target: &Target,
    first: bool,
) -> Result<CheckedStore> {
    let at = Where { ctx, roots: &start.roots, settings, selection: &start.selection };
    let Some(mut facts) = read(ctx, &at, target, args.full)? else {
        return match target.origin {
            TargetOrigin::StoreFlag => Err(absent(target)),
            _ => Ok(CheckedStore { absent: true, ..nothing(target) }),
        };
    };
    if first {
        facts.other_state_dirs.clone_from(&start.roots.other_state_dirs);
    }
    let policy = policy::resolve(settings, &PolicyFlags::default(), &target.agent_id)?;
    let mut findings = judge::judge(&facts, &policy);
    let empty = matches!(facts.seen, Seen::Broken(Broken::Absent, _)) && findings.is_empty();
    if empty && target.origin == TargetOrigin::StoreFlag {
        return Err(absent(target));
    }
    findings.retain(|f| args.only.is_empty() || args.only.contains(&f.id));
    advise(ctx, start, &facts, &mut findings);
    let owner = owner(ctx, start, settings, target, &facts);
    Ok(CheckedStore { findings, owner: Some(owner), absent: empty, ..counts(target, &facts) })
}

/// A repair of a transcript is named only where it would change something. A file of which only the ends were read is not
/// read through for that: it is as quick a look as it was asked to be.
fn advise(ctx: &Context, start: &Start, facts: &CheckFacts, findings: &mut [Finding]) {
    let index = match &facts.seen {
        Seen::Whole(whole) => Some(&whole.index),
        Seen::Broken(..) => None,
    };
    let around = Around { folder: facts.seen.folder(), index };
    let whole = facts.transcripts.iter().filter(|(_, reading)| reading.as_ref().is_ok_and(|reading| reading.whole));
    let whole: HashSet<PathBuf> = whole.map(|(file, _)| facts.path_of(*file)).collect();
    let mut files: BTreeMap<PathBuf, Vec<&mut Finding>> = BTreeMap::new();
    let transcript = |f: &&mut Finding| matches!(f.repair, Some(RepairId::Transcript | RepairId::UpgradeTranscript));
    for finding in findings.iter_mut().filter(transcript).filter(|f| whole.contains(&f.place.path)) {
        files.entry(finding.place.path.clone()).or_default().push(finding);
    }
    for (path, mut findings) in files {
        let Ok(chosen) = Chosen::at(&path) else { continue };
        let Ok(place) = Place::of(&chosen.path) else { continue };
        if ctx.cancel.get().is_some() {
            return;
        }
        let (chosen, place, around) = (&chosen, &place, Some(around));
        mend::advise(&Mending { ctx, start, chosen, place, upgrade: false, around }, &mut findings);
    }
}

/// Reads with a progress bar: in MiB where every line is read, else in files.
fn read(ctx: &Context, at: &Where<'_>, target: &Target, full: bool) -> Result<Option<CheckFacts>> {
    let bar = OnceLock::new();
    let begin = |bytes: u64, files: u64| {
        let (what, total) = if full { ("reading (MiB)", bytes / STEP) } else { ("checking", files) };
        let _ = bar.set(Progress::bar(ctx, what, total));
    };
    let read = AtomicU64::new(0);
    let went_on = |bytes: u64| {
        let before = read.fetch_add(bytes, Ordering::Relaxed);
        let steps = if full { (before + bytes) / STEP - before / STEP } else { u64::from(bytes == 0) };
        if let Some(bar) = bar.get().filter(|_| steps > 0) {
            bar.advance(steps);
        }
        ctx.cancel.get().is_none()
    };
    scan::read(at, target, &How { full, most: scan::QUICK, begin: &begin, went_on: &went_on })
}

fn absent(target: &Target) -> Error {
    Error::new(Kind::Absent, format!("{} does not exist", target.store_path.display()))
        .hint("clawkeep sessions check --all-agents")
}

fn nothing(target: &Target) -> CheckedStore {
    CheckedStore {
        agent_id: target.agent_id.clone(),
        path: target.store_path.clone(),
        folder: None,
        error: None,
        absent: false,
        rows: None,
        index_bytes: None,
        files: 0,
        transcripts_read: 0,
        transcripts_whole: 0,
        not_read: 0,
        fields: Vec::new(),
        owner: None,
        findings: Vec::new(),
    }
}

fn counts(target: &Target, facts: &CheckFacts) -> CheckedStore {
    let folder = facts.seen.folder();
    let read = || facts.transcripts.iter().filter_map(|(_, reading)| reading.as_ref().ok());
    let mut store = CheckedStore {
        folder: Some(folder.path.clone()),
        files: folder.entries.iter().filter(|f| f.is_file()).count() as u64,
        transcripts_read: read().count() as u64,
        transcripts_whole: read().filter(|reading| reading.whole).count() as u64,
        not_read: facts.not_read,
        ..nothing(target)
    };
    match &facts.seen {
        Seen::Whole(whole) => {
            store.rows = Some(whole.index.live_rows() as u64);
            store.index_bytes = Some(whole.index.bytes.len() as u64);
            store.fields = facts.fields.iter().take(FIELDS).cloned().collect();
        }
        Seen::Broken(Broken::Damaged { size, .. }, _) => store.index_bytes = Some(*size),
        Seen::Broken(..) => {}
    }
    store
}

/// Who may write: shown, and no finding.
fn owner(ctx: &Context, start: &Start, settings: &Settings, target: &Target, facts: &CheckFacts) -> OwnerVerdict {
    let folder = facts.seen.folder();
    let newest = folder.entries.iter().filter(|f| f.is_file()).map(|f| f.fp.mtime_ms()).max();
    let by_flag = target.origin == TargetOrigin::StoreFlag;
    let evidence = owner::collect(ctx, &start.roots, settings, &folder.path, newest, folder.volume.network, by_flag);
    owner::verdict(evidence, by_flag)
}
