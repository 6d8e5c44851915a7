//! `transcript check`: every line of one transcript. Writes nothing, takes no lock.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::atomic::{AtomicU64, Ordering};

use super::mend::{self, Mending};
use super::place::Place;
use super::{repair, target};
use crate::apply::recover;
use crate::check::transcripts;
use crate::cli::GlobalFlags;
use crate::cli::transcript::CheckOneArgs;
use crate::context::Context;
use crate::error::{Error, Kind, Result};
use crate::exit;
use crate::fsx::read as fsx;
use crate::model::finding::{Finding, FindingId, Place as At, RepairId, Severity};
use crate::model::transcript::{Reading, Spot};
use crate::report::progress::Progress;
use crate::report::style::Style;
use crate::report::transcript_check::{self as report, CheckedTranscript};
use crate::transcript::mend::fields::Fields;
use crate::transcript::scan;
use crate::transcript::source::Source;
use crate::units::json_text::unescape;
use crate::units::time;

/// Places of one kind that are named one by one.
const PLACES: usize = 1000;
/// Places of one kind whose record is read once more, for the ids in it.
const LOOKED_AT: usize = 100;
/// Bytes for which the progress bar moves one step.
const STEP: u64 = 1 << 20;
/// Bytes of a record in which ids are looked for.
const LOOK: usize = 1 << 20;

/// Runs the command.
///
/// # Errors
/// The transcript is not there or cannot be read.
pub fn run(ctx: &mut Context, g: &GlobalFlags, a: &CheckOneArgs) -> Result<u8> {
    let chosen = target::one(ctx, g, &a.one)?;
    chosen.refuse_other()?;
    // Commands that are named take the path, which says which store it is.
    a.one.select.given(&mut ctx.given);
    let source = chosen.open(ctx)?;
    let place = Place::of(&chosen.path)?;
    let locked = place.lock(ctx).is_some_and(|(_, state)| state.holds());
    let failed = |e| Error::io("read", &chosen.path, e);
    let mut reading = read(ctx, &source).map_err(failed)?;
    if let Some(signal) = ctx.cancel.get() {
        return Err(interrupted(signal));
    }
    reading.moving = !source.packed && fsx::lstat(&chosen.path).is_ok_and(|now| now.size != source.fp.size);
    name_ids(&source, &mut reading).map_err(failed)?;
    let mut findings = pending(&place)?;
    let mut damage = transcripts::of_one(&reading, &chosen.path, locked);
    if damage.iter().any(|finding| finding.repair.is_some())
        && let Ok(start) = target::stores(ctx, g, &a.one.select)
    {
        let mending = Mending { ctx, start: &start, chosen: &chosen, place: &place, upgrade: false, around: None };
        mend::advise(&mending, &mut damage.iter_mut().collect::<Vec<_>>());
        if let Some(signal) = ctx.cancel.get() {
            return Err(interrupted(signal));
        }
    }
    findings.extend(damage);
    let code = if findings.iter().any(|f| f.severity == Severity::Error) { exit::FINDINGS } else { exit::DONE };
    let checked = CheckedTranscript {
        path: &chosen.path,
        key: chosen.found.as_ref().and_then(|f| f.key.as_deref()),
        reading: &reading,
        findings: &findings,
        locked,
        given: &ctx.given,
        verbose: ctx.output.verbose > 0,
    };
    if ctx.output.json {
        crate::report::json::print(ctx, &report::json(&checked))?;
    } else if ctx.output.quiet == 0 {
        ctx.write_stdout(report::human(&checked, Style::stdout(ctx)).as_bytes())?;
    }
    Ok(code)
}

fn interrupted(signal: u8) -> Error {
    Error::new(Kind::Interrupted, format!("interrupted (exit {signal}); nothing was found out"))
}

/// Runs that were going to change this transcript and were never closed.
fn pending(place: &Place) -> Result<Vec<Finding>> {
    let runs = recover::pending(&place.folder)?.into_iter().filter(|run| run.files.contains(&place.name));
    Ok(runs
        .map(|run| {
            let started = run.started_at.map(|at| format!(", of {}", time::iso(at))).unwrap_or_default();
            let command = if run.command.is_empty() { "a run" } else { run.command.as_str() };
            let evidence = format!("{command} (run {}{started}) was interrupted here, or is still going on", run.id);
            let mut finding = Finding::new(FindingId::PendingRun, At::file(place.path()), evidence);
            if run.command == repair::COMMAND {
                finding.repair = Some(RepairId::Transcript);
            }
            finding
        })
        .collect())
}

fn read(ctx: &Context, source: &Source) -> std::io::Result<Reading> {
    let bar = Progress::bar(ctx, "reading (MiB)", source.size / STEP);
    let read = AtomicU64::new(0);
    let went_on = |bytes: u64| {
        let before = read.fetch_add(bytes, Ordering::Relaxed);
        bar.advance((before + bytes) / STEP - before / STEP);
        ctx.cancel.get().is_none()
    };
    scan::closely(source, &went_on, PLACES)
}

/// Says which ids the findings about the tree are about: while reading, only their numbers were kept.
fn name_ids(source: &Source, reading: &mut Reading) -> std::io::Result<()> {
    let mut known: BTreeMap<u64, Fields> = BTreeMap::new();
    for spot in &mut reading.spots {
        let Some(word) = word_of(spot.id) else { continue };
        for place in spot.places.iter_mut().take(LOOKED_AT) {
            let fields = match known.entry(place.offset) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(unknown) => unknown.insert(Fields::of(&source.bytes(place.offset, LOOK)?)),
            };
            let text = |raw: &Option<Vec<u8>>| raw.as_ref().map(|raw| unescape(raw));
            let named = match spot.id {
                FindingId::DanglingParent => text(&fields.parent.clone().flatten()),
                FindingId::KeptEntryMissing => text(&fields.kept),
                _ => text(&fields.id),
            };
            if let Some(named) = named {
                let detail = place.detail.take().map(|d| format!(": {d}")).unwrap_or_default();
                place.detail = Some(format!("{word} {named}{detail}"));
            }
        }
        first_as_detail(spot);
    }
    Ok(())
}

fn word_of(id: FindingId) -> Option<&'static str> {
    match id {
        FindingId::DanglingParent => Some("parent"),
        FindingId::KeptEntryMissing => Some("entry"),
        FindingId::DuplicateEntry | FindingId::ParentCycle => Some("id"),
        _ => None,
    }
}

fn first_as_detail(spot: &mut Spot) {
    if let Some(detail) = spot.places.first().and_then(|place| place.detail.clone()) {
        spot.detail = Some(detail);
    }
}
