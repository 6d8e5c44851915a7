//! What `disk free` took, item by item, for the report.

use std::ffi::OsString;

use crate::cmd::sessions::pass::Planned;
use crate::model::decision::{Subject, Verdict};
use crate::model::freeing::FreedItem;
use crate::model::outcome::{Applied, Outcome};
use crate::plan::free::Take;

/// One item of the report.
pub(super) fn item(
    kind: &'static str,
    name: OsString,
    bytes: u64,
    outcome: &'static str,
    why: Option<String>,
) -> FreedItem {
    FreedItem { kind, name, bytes, outcome, why }
}

/// Name of what is taken.
pub(super) fn name_of(take: &Take, planned: &Planned) -> OsString {
    match take {
        Take::Run(id) => id.into(),
        Take::Snapshot(name) => name.clone(),
        Take::File(ix) => planned.facts.folder.entries[*ix as usize].name.clone().into(),
    }
}

/// What a budget takes, or took.
pub(super) fn budget_items(planned: &Planned, applied: Option<&Applied>) -> Vec<FreedItem> {
    let (facts, plan) = (&planned.facts, &planned.plan);
    let swapped = applied.map(|a| if a.swapped { "done" } else { "not-reached" });
    let mut effect_of = std::collections::HashMap::new();
    for (ix, effect) in plan.effects.iter().enumerate() {
        if let Some(decision) = effect.decision {
            effect_of.insert(decision as usize, ix);
        }
    }
    let acting = plan.decisions.iter().enumerate().filter(|(_, d)| d.verdict.acts());
    acting
        .map(|(at, decision)| {
            let name = match decision.subject {
                Subject::Row(ix) => facts.index.key(&facts.index.rows[ix as usize]).into_owned().into(),
                Subject::File(ix) => facts.folder.entries[ix as usize].name.clone().into(),
            };
            let (outcome, why) = match (applied, decision.subject) {
                (None, _) => ("planned", None),
                (Some(_), Subject::Row(_)) => (swapped.unwrap_or("planned"), None),
                (Some(applied), Subject::File(_)) => {
                    outcome_text(effect_of.get(&at).and_then(|ix| applied.outcomes.get(*ix)))
                }
            };
            // Renamed files are still there: they free nothing now.
            let renamed =
                matches!(decision.verdict, Verdict::Archive | Verdict::Stow) && outcome != "unlinked-for-space";
            let bytes = if renamed { 0 } else { decision.bytes };
            item(decision.reason.id(), name, bytes, outcome, why)
        })
        .collect()
}

/// Word of an outcome, and why, if it is not plainly done.
pub(super) fn outcome_text(outcome: Option<&Outcome>) -> (&'static str, Option<String>) {
    match outcome {
        Some(Outcome::Done { .. }) => ("done", None),
        Some(Outcome::UnlinkedForSpace { .. }) => {
            ("unlinked-for-space", Some("the disk was too full to rename it".to_owned()))
        }
        Some(Outcome::Skipped(skip)) => ("skipped", Some(skip_text(skip).to_owned())),
        Some(Outcome::Failed(why)) => ("failed", Some(why.clone())),
        Some(Outcome::NotReached) | None => ("not-reached", None),
    }
}

fn skip_text(skip: &crate::model::outcome::Skip) -> &'static str {
    use crate::model::outcome::Skip;
    match skip {
        Skip::Changed => "it changed meanwhile",
        Skip::Gone => "it was gone already",
        Skip::OwnedNow => "a session leads to it now",
        Skip::LockedNow => "it was locked meanwhile",
        Skip::OwnerNow => "a gateway came up meanwhile",
    }
}
