//! `sessions undo`: what came back, what could not, for people and as JSON.

use std::collections::BTreeSet;

use serde::Serialize;

use super::not_looked_at;
use crate::hints::Given;
use crate::model::effect::Effect;
use crate::model::outcome::{Applied, Outcome, Skip};
use crate::model::plan::PlannedEffect;
use crate::model::stores::Agent;
use crate::plan::undo::{Left, UndoPlan};
use crate::units::bytes::human;

/// Version of the JSON.
const SCHEMA: u32 = 1;
/// Items of one kind that are listed without `-v`.
const LISTED: usize = 20;

/// Everything the report is made of.
#[derive(Debug, Clone, Copy)]
pub struct UndoReport<'a> {
    /// The plan.
    pub plan: &'a UndoPlan,
    /// What was done; `None` for a dry run.
    pub applied: Option<&'a Applied>,
    /// Rows that the gateway would remove again.
    pub pruned_again: u64,
    /// List everything.
    pub verbose: bool,
    /// What commands that are named must carry.
    pub given: &'a Given,
    /// Words that choose the store again, with a blank before them.
    pub select: &'a str,
    /// Agents whose runs were not looked at.
    pub not_looked_at: &'a [Agent],
    /// Ids of all runs that are undone, if one command made several: the plan is that of all of them, and called by the
    /// first.
    pub runs: &'a [String],
    /// Why some of them were not reached.
    pub stopped: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Json<'a> {
    schema_version: u32,
    run: &'a str,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    runs: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<&'a str>,
    dry_run: bool,
    partly: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    run_id: Option<&'a str>,
    rows_restored: &'a [String],
    rows_removed: &'a [String],
    files_restored: &'a [String],
    files_removed: &'a [String],
    bytes_restored: u64,
    conflicts: &'a [Left],
    not_undoable: &'a [Left],
    expired: &'a [Left],
    pruned_again: u64,
    failed: Vec<String>,
    skipped: Vec<&'static str>,
    not_reached: usize,
    recovered: Vec<Recovered<'a>>,
    warnings: &'a [String],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Recovered<'a> {
    run_id: &'a str,
    result: &'a str,
    detail: &'a str,
}

/// One JSON value.
///
/// # Errors
/// Never in practice.
pub fn json(report: &UndoReport<'_>) -> serde_json::Result<String> {
    let (plan, applied) = (report.plan, report.applied);
    let outcomes = applied.map_or(&[][..], |a| &a.outcomes);
    let value = Json {
        schema_version: SCHEMA,
        run: &plan.run_id,
        runs: report.runs,
        stopped: report.stopped,
        dry_run: applied.is_none(),
        partly: plan.partly,
        run_id: applied.map(|a| a.run_id.as_str()).filter(|id| !id.is_empty()),
        rows_restored: &plan.rows_back,
        rows_removed: &plan.rows_out,
        files_restored: &plan.files_back,
        files_removed: &plan.files_out,
        bytes_restored: plan.bytes_back,
        conflicts: &plan.conflicts,
        not_undoable: &plan.not_undoable,
        expired: &plan.expired,
        pruned_again: report.pruned_again,
        failed: failed(outcomes).map(str::to_owned).collect(),
        skipped: outcomes.iter().filter_map(skip).collect(),
        not_reached: outcomes.iter().filter(|o| **o == Outcome::NotReached).count(),
        recovered: recovered(applied),
        warnings: applied.map_or(&[], |a| &a.warnings),
    };
    Ok(serde_json::to_string_pretty(&value)? + "\n")
}

fn recovered(applied: Option<&Applied>) -> Vec<Recovered<'_>> {
    let all = applied.map_or(&[][..], |a| &a.recovered);
    all.iter().map(|r| Recovered { run_id: &r.run_id, result: r.result, detail: &r.detail }).collect()
}

fn failed(outcomes: &[Outcome]) -> impl Iterator<Item = &str> {
    outcomes.iter().filter_map(|o| match o {
        Outcome::Failed(why) => Some(why.as_str()),
        _ => None,
    })
}

/// Files that stayed where they are because of what was seen on the way.
fn skipped(report: &UndoReport<'_>) -> Vec<(String, &'static str)> {
    let outcomes = report.applied.map_or(&[][..], |applied| applied.outcomes.as_slice());
    // Of several runs each brings as many outcomes as it has effects.
    let pairs = report.plan.effects.iter().zip(outcomes).filter(|_| report.plan.effects.len() == outcomes.len());
    let one = |(planned, outcome): (&PlannedEffect, &Outcome)| match (&planned.effect, outcome) {
        (
            Effect::Move { file, .. } | Effect::Stow { file } | Effect::RemoveDir { dir: file },
            Outcome::Skipped(why),
        ) => Some((file.name.to_string_lossy().into_owned(), why.explain())),
        (Effect::Restore { to, .. } | Effect::Unpack { to, .. }, Outcome::Skipped(why)) => {
            Some((to.to_string_lossy().into_owned(), why.explain()))
        }
        _ => None,
    };
    pairs.filter_map(one).collect()
}

fn skip(outcome: &Outcome) -> Option<&'static str> {
    match outcome {
        Outcome::Skipped(Skip::Changed) => Some("changed"),
        Outcome::Skipped(Skip::Gone) => Some("gone"),
        Outcome::Skipped(Skip::OwnedNow) => Some("owned-now"),
        Outcome::Skipped(Skip::LockedNow) => Some("locked-now"),
        Outcome::Skipped(Skip::OwnerNow) => Some("owner-now"),
        _ => None,
    }
}

/// Text for people.
pub fn human_text(report: &UndoReport<'_>) -> String {
    let plan = report.plan;
    let mut out = String::new();
    let done = report.applied.is_some();
    let verb = match (done, plan.partly) {
        (true, false) => "Undid",
        (true, true) => "Undid part of",
        (false, false) => "Would undo",
        (false, true) => "Would undo part of",
    };
    if report.applied.is_some_and(|a| a.run_id.is_empty() && !a.recovered.is_empty()) && plan.effects.is_empty() {
        out.push_str(&format!("Run {} was interrupted; nothing else was undone\n", plan.run_id));
    } else if done && plan.effects.is_empty() && !(plan.conflicts.is_empty() && plan.not_undoable.is_empty()) {
        out.push_str(&format!("Nothing of {} was put back\n", subject(report)));
    } else {
        out.push_str(&format!(
            "{verb} {}: {} and {} ({}) back\n",
            subject(report),
            count(plan.rows_back.len(), "row"),
            count(plan.files_back.len(), "file"),
            human(plan.bytes_back)
        ));
    }
    if plan.damaged {
        let verb = if done { "has" } else { "would have" };
        out.push_str(&format!("The index {verb} its damaged text again\n"));
    }
    if let Some(why) = report.stopped {
        let words = format!("clawkeep sessions undo {}", plan.run_id);
        out.push_str(&format!("Some runs still stand: {}. To go on: {}\n", plain(why), report.given.complete(&words)));
    }
    // One that leaves for what it said before is one row.
    let (back, gone): (BTreeSet<&String>, BTreeSet<&String>) =
        (plan.rows_back.iter().collect(), plan.rows_out.iter().collect());
    let only = |rows: &[String], other: &BTreeSet<&String>| -> Vec<String> {
        rows.iter().filter(|key| !other.contains(key)).cloned().collect()
    };
    list(&mut out, "Rows changed back", back.intersection(&gone).map(|key| (*key).clone()), report.verbose);
    list(&mut out, "Rows back", only(&plan.rows_back, &gone).into_iter(), report.verbose);
    list(&mut out, "Rows removed again", only(&plan.rows_out, &back).into_iter(), report.verbose);
    let skipped = skipped(report);
    let moved = |names: &[String]| -> Vec<String> {
        names.iter().filter(|name| !skipped.iter().any(|(skipped, _)| skipped == *name)).cloned().collect()
    };
    list(&mut out, "Files removed again", moved(&plan.files_out).into_iter(), report.verbose);
    list(&mut out, "Files back", moved(&plan.files_back).into_iter(), report.verbose);
    let stays = skipped.iter().map(|(name, why)| format!("{name}: {why}"));
    list(&mut out, "Left as they are", plan.conflicts.iter().map(left).chain(stays), report.verbose);
    let lost = plan.not_undoable.iter().map(|l| report.given.complete(&left(l)));
    list(&mut out, "Cannot come back", lost, report.verbose);
    list(&mut out, "Had expired before the run", plan.expired.iter().map(left), report.verbose);
    if let Some(applied) = report.applied {
        for r in &applied.recovered {
            out.push_str(&format!("Recovered run {} ({}): {}\n", plain(&r.run_id), r.result, plain(&r.detail)));
        }
        list(&mut out, "Failed", failed(&applied.outcomes).map(str::to_owned), true);
        list(&mut out, "Remarks", applied.warnings.iter().cloned(), true);
        if plan.partly {
            let words = format!("clawkeep sessions undo {}{}", plan.run_id, report.select);
            out.push_str(&format!("The rest can be put back too: {}\n", report.given.complete(&words)));
        }
        if plan.damaged {
            let words = format!("clawkeep sessions repair{}", report.select);
            out.push_str(&format!("To mend it again: {}\n", report.given.complete(&words)));
        } else if !applied.run_id.is_empty() {
            let words = format!("clawkeep sessions undo {}{}", applied.run_id, report.select);
            out.push_str(&format!("This can be undone: {}\n", report.given.complete(&words)));
        }
    } else {
        out.push_str("Nothing was changed (dry run).\n");
    }
    if let Some(line) = not_looked_at::line(report.not_looked_at) {
        out.push_str(&format!("\n{line}\n"));
    }
    out
}

fn subject(report: &UndoReport<'_>) -> String {
    match report.runs {
        [] | [_] => format!("run {}", report.plan.run_id),
        runs => format!("the {} runs of {}", runs.len(), report.plan.run_id),
    }
}

fn left(l: &Left) -> String {
    let copy = l.copy.as_ref().map_or_else(String::new, |c| format!(" (copy: {c})"));
    format!("{}: {}{copy}", l.subject, l.why)
}

fn list(out: &mut String, title: &str, items: impl Iterator<Item = String>, verbose: bool) {
    let items: Vec<String> = items.collect();
    if items.is_empty() {
        return;
    }
    out.push_str(&format!("{title}:\n"));
    let shown = if verbose { items.len() } else { LISTED };
    for item in items.iter().take(shown) {
        out.push_str(&format!("  {}\n", plain(item)));
    }
    if items.len() > shown {
        out.push_str(&format!("  {} more: -v or --json\n", items.len() - shown));
    }
}

pub(super) fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// Control characters never reach a terminal raw.
pub(super) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}') {
            out.extend(c.escape_unicode());
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report<'a>(plan: &'a UndoPlan, applied: Option<&'a Applied>) -> UndoReport<'a> {
        let given = Default::default();
        UndoReport {
            plan,
            applied,
            pruned_again: 0,
            verbose: false,
            given,
            select: "",
            not_looked_at: &[],
            runs: &[],
            stopped: None,
        }
    }

    fn plan() -> UndoPlan {
        UndoPlan {
            run_id: "R".into(),
            rows_back: vec!["agent:main:\u{1b}[31m".into()],
            files_back: (0..25).map(|n| format!("{n}.jsonl")).collect(),
            bytes_back: 2048,
            not_undoable: vec![Left {
                subject: "x".into(),
                why: "packed, then removed".into(),
                bytes: 1,
                copy: Some("/a/x.zst".into()),
            }],
            ..UndoPlan::default()
        }
    }

    #[test]
    fn text_is_escaped_cut_and_says_that_nothing_happened() {
        let plan = plan();
        let text = human_text(&report(&plan, None));
        assert!(text.starts_with("Would undo run R: 1 row and 25 files (2.0 KiB) back\n"), "{text}");
        assert!(!text.contains('\u{1b}') && text.contains("5 more: -v or --json"), "{text}");
        assert!(text.contains("(copy: /a/x.zst)") && text.ends_with("Nothing was changed (dry run).\n"), "{text}");
    }

    #[test]
    fn a_row_that_is_changed_back_is_listed_once() {
        let keys = |keys: &[&str]| keys.iter().map(|&key| key.to_owned()).collect::<Vec<_>>();
        let plan = UndoPlan { rows_back: keys(&["a", "ran"]), rows_out: keys(&["ran", "z"]), ..plan() };
        let text = human_text(&report(&plan, None));
        assert!(text.contains("Rows changed back:\n  ran\nRows back:\n  a\nRows removed again:\n  z\n"), "{text}");
    }

    #[test]
    fn json_says_the_same() {
        let plan = plan();
        let applied = Applied {
            run_id: "U".into(),
            outcomes: vec![Outcome::Failed("x: no".into()), Outcome::Skipped(Skip::Gone), Outcome::NotReached],
            ..Applied::default()
        };
        let text = json(&UndoReport { pruned_again: 3, ..report(&plan, Some(&applied)) }).unwrap();
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        crate::report::schema_tests::assert_valid("sessions-undo.json", &value);
        assert_eq!(value["runId"], "U");
        assert_eq!(value["failed"][0], "x: no");
        assert_eq!(value["skipped"][0], "gone");
        assert_eq!((&value["notReached"], &value["prunedAgain"]), (&1.into(), &3.into()));
    }
}
