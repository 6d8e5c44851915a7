//! What about a store needs a person: shown in the report, and all that is left of it with `-q`.

use std::fmt::Write as _;

use super::input::StoreReport;
use super::vocabulary::{HeldBy, Tally};
use crate::context::{Context, Level};
use crate::model::plan::Suspicion;
use crate::report::command::quote;
use crate::report::{escape, plural};
use crate::units::{bytes, time};

/// Logs the problems of one store.
pub fn log(ctx: &Context, store: &StoreReport) {
    let path = escape::path(&store.target.store_path);
    if let Some(error) = store.error {
        ctx.log(Level::Error, &error.message);
    }
    if let Some(why) = store.gateway.and_then(super::ByGateway::partial) {
        ctx.log(Level::Error, &format!("{path}: the gateway did a part of it: {}", escape::line(why)));
    }
    let tally = Tally::of(store);
    for line in lines(store, &tally) {
        ctx.log(Level::Warning, &format!("{path}: {line}"));
    }
}

/// Problems of one store, one sentence each, escaped.
pub fn lines(store: &StoreReport, tally: &Tally) -> Vec<String> {
    let mut out = Vec::new();
    if let Some(run) = &store.pending_run {
        out.push(format!(
            "run {0} was interrupted: clawkeep sessions cleanup --enforce finishes it (or takes it back) first, \
             clawkeep sessions undo {0} takes it back",
            escape::line(run)
        ));
    }
    if let Some(plan) = store.plan {
        out.extend(plan.suspicion.as_ref().map(|s| store.given.complete(&suspicion(s))));
        for (path, why) in &plan.ownership_incomplete {
            let command = format!("clawkeep sessions repair --store {} --dry-run", quote(&path.to_string_lossy()));
            out.push(format!(
                "{} could refer to files here and cannot be read ({}); no orphan is touched (ownership incomplete; \
                 what can be done: {})",
                escape::path(path),
                escape::line(why),
                store.given.complete(&command)
            ));
        }
        if let Some(n) = plan.max_remove_hit {
            out.push(format!(
                "the pass would take {}, more than --max-remove allows; it takes none (raise it, or --override large-removal)",
                plural::count(n, "session")
            ));
        }
    }
    out.extend(limits(store, tally));
    if tally.undone > 0 {
        let mut line = format!("{} could not be done", plural::count(tally.undone, "item"));
        if tally.failed < tally.undone {
            let _ = write!(line, ", {} of them for a good reason", plural::grouped(tally.undone - tally.failed));
        }
        out.push(line);
    }
    if store.applied.is_some_and(|a| a.cancelled) {
        out.push("interrupted: what was begun is finished, the rest was not reached".to_owned());
    }
    out.extend(store.all_warnings().map(|w| escape::line(&w).into_owned()));
    out
}

/// Limits that cannot be met, and by how much.
fn limits(store: &StoreReport, tally: &Tally) -> Vec<String> {
    let mut out = Vec::new();
    if let (Some(plan), Some(max)) = (store.plan, store.policy.max_entries.value.at())
        && plan.cap_shortfall > 0
    {
        out.push(format!(
            "maxEntries {} cannot be met: {} above it may not be taken{}",
            plural::grouped(max),
            plural::count(plan.cap_shortfall, "row"),
            because(tally)
        ));
    }
    if let Some(b) = tally.budget.filter(|b| b.shortfall() > 0) {
        out.push(format!(
            "the disk budget cannot be met: {} above the high-water mark of {} may not be taken{}",
            bytes::human(b.shortfall()),
            bytes::human(b.high_water),
            because_of_bytes(tally, b.shortfall())
        ));
        out.extend(tally.held_by.iter().find_map(not_ours));
    }
    out
}

/// What else fills the folder: no session is taken for it.
fn not_ours(held: &HeldBy) -> Option<String> {
    let largest = held.largest.as_ref()?;
    Some(format!(
        "{} in the folder ({}) are not the gateway's and count toward the budget; no session goes for them: move them \
         elsewhere (the largest: {}, {})",
        plural::count(held.count.files, "file"),
        bytes::human(held.count.bytes),
        escape::line(&largest.name),
        bytes::human(largest.bytes)
    ))
}

/// ` (12 protected, 1 main-session)`: rows that no rule may take.
fn because(tally: &Tally) -> String {
    reasons(tally, |h| h.count.rows)
}

/// The same for `shortfall` bytes, with files that are not the gateway's. If those are more than that, nothing else is the cause:
/// without them the mark is met.
fn because_of_bytes(tally: &Tally, shortfall: u64) -> String {
    let foreign = |h: &HeldBy| h.largest.is_some();
    let alone = tally.held_by.iter().any(|h| foreign(h) && h.count.bytes >= shortfall);
    reasons(tally, |h| match h.count {
        count if foreign(h) => count.files,
        _ if alone => 0,
        count => count.rows,
    })
}

fn reasons(tally: &Tally, how_many: impl Fn(&HeldBy) -> u64) -> String {
    let named =
        |h: &HeldBy| Some(how_many(h)).filter(|n| *n > 0).map(|n| format!("{} {}", plural::grouped(n), h.reason));
    let named: Vec<String> = tally.held_by.iter().filter_map(named).collect();
    if named.is_empty() { String::new() } else { format!(" ({})", named.join(", ")) }
}

fn suspicion(s: &Suspicion) -> String {
    let what = match s {
        Suspicion::NoTranscripts { rows } => {
            return format!(
                "suspect index: none of {} has its transcript; is a volume not mounted? No row is dropped for it, and no \
                 orphan or archive is touched (if the transcripts are gone for good, --override suspect-index)",
                plural::count(*rows, "row")
            );
        }
        Suspicion::Shrunk { recorded, now, at } => format!(
            "the index has {} where {} were recorded on {}",
            plural::count(*now, "row"),
            plural::grouped(*recorded),
            &time::iso(*at)[..10]
        ),
        Suspicion::YoungHistory { files, rows } => format!(
            "the index has {}, but {} of the last week belong to none of them",
            plural::count(*rows, "row"),
            plural::count(*files, "transcript")
        ),
        Suspicion::MostlyUnowned { files, rows } => format!(
            "the index has {}, but {} with history belong to none of them",
            plural::count(*rows, "row"),
            plural::count(*files, "transcript")
        ),
        Suspicion::OddRows { odd, rows } => {
            format!("{} of {} are no session entries", plural::grouped(*odd), plural::count(*rows, "row"))
        }
    };
    // Without a record there is no snapshot; which other source there is, a repair tells.
    let how = if matches!(s, Suspicion::Shrunk { .. }) { "--from snapshots" } else { "--dry-run" };
    format!(
        "suspect index: {what}; no orphan or archive is touched \
         (bring rows back with `clawkeep sessions repair {how}`; if it is right, --override suspect-index)"
    )
}
