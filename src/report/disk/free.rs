//! `disk free` for people.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::human::{Look, volume_line};
use crate::model::freeing::{FreeGoal, FreeReport, FreedStore};
use crate::order::Order as _;
use crate::report::plural::{count, grouped};
use crate::report::style::Role;
use crate::report::table::{Column, Table};
use crate::report::{command, escape, not_looked_at};
use crate::units::bytes;

/// The whole report.
pub fn text(report: &FreeReport, look: &Look) -> String {
    let mut out = format!("Goal: {} ({})\n", goal(report), escape::line(&report.goal_origin));
    out.push_str(&volume_line(&report.before));
    for store in &report.stores {
        out.push_str(&store_text(store, look));
    }
    out.push_str(&outcome(report, look));
    out
}

/// What would go, to read before the question is answered.
pub fn proposal<'a>(stores: impl Iterator<Item = &'a FreedStore>, look: &Look) -> String {
    let mut out = String::new();
    for store in stores.filter(|s| !s.items.is_empty()) {
        let _ = writeln!(out, "\nSession store: {}", look.style.paint(Role::Name, &escape::path(&store.store_path)));
        out.push_str(&kinds(store, look));
        out.push_str(&items(store, look));
    }
    out
}

/// The goal in words.
pub fn goal(report: &FreeReport) -> String {
    let wanted = report.wanted.map_or(String::new(), |w| format!(": {} to free", bytes::human(w)));
    match report.goal {
        FreeGoal::Need(need) => format!("free {}", bytes::human(need)),
        FreeGoal::KeepFree(free) => format!("{} free on the volume{wanted}", bytes::human(free)),
        FreeGoal::KeepFreePercent(percent) => format!("{percent}% of the volume free{wanted}"),
        FreeGoal::ToBudget => "the high-water mark of the budget".to_owned(),
    }
}

fn store_text(store: &FreedStore, look: &Look) -> String {
    let path = escape::path(&store.store_path);
    let mut out = format!("\nSession store: {}\n", look.style.paint(Role::Name, &path));
    if let Some(error) = &store.error {
        let _ = writeln!(out, "{} {}", look.style.paint(Role::Bad, "Failed:"), escape::line(error));
    }
    for hint in &store.hints {
        let _ = writeln!(out, "  try: {}", escape::line(hint));
    }
    if let Some(skipped) = &store.skipped {
        let _ = writeln!(out, "Skipped: {}", escape::line(skipped));
    }
    out.push_str(&kinds(store, look));
    if look.verbose {
        out.push_str(&items(store, look));
    }
    for item in store.items.iter().filter(|i| i.why.is_some()).take(look.lines(store.items.len())) {
        let why = item.why.as_deref().unwrap_or_default();
        let _ = writeln!(out, "  {} {}: {}", item.outcome, escape::name(&item.name), escape::line(why));
    }
    for warning in &store.warnings {
        let _ = writeln!(out, "{} {}", look.style.paint(Role::Warn, "Note:"), escape::line(warning));
    }
    if let Some(run) = &store.run_id {
        let words = format!(
            "clawkeep sessions undo {} --store {}",
            command::quote(run),
            command::quote(&store.store_path.to_string_lossy())
        );
        let _ = writeln!(out, "Undo what can be undone: {}", look.given.complete(&words));
    }
    out
}

fn kinds(store: &FreedStore, look: &Look) -> String {
    let mut sums: Vec<(&str, &str, u64, u64)> = Vec::new();
    for item in &store.items {
        match sums.iter_mut().find(|s| s.0 == item.kind && s.1 == item.outcome) {
            Some(sum) => {
                sum.2 += 1;
                sum.3 += item.bytes;
            }
            None => sums.push((item.kind, item.outcome, 1, item.bytes)),
        }
    }
    if sums.is_empty() {
        return String::new();
    }
    let mut table =
        Table::new(&[("What", Column::Text), ("Items", Column::Number), ("Bytes", Column::Number), ("", Column::Text)]);
    for (kind, outcome, n, size) in sums {
        table.row(None, vec![kind.to_owned(), grouped(n), bytes::human(size), outcome.to_owned()]);
    }
    table.render(look.style, look.width, 2)
}

fn items(store: &FreedStore, look: &Look) -> String {
    let mut table = Table::new(&[("Bytes", Column::Number), ("Kind", Column::Text), ("Item", Column::Key)]);
    for item in store.items.iter().take(look.lines(store.items.len())) {
        table.row(None, vec![bytes::human(item.bytes), item.kind.to_owned(), escape::name(&item.name)]);
    }
    if table.is_empty() {
        String::new()
    } else {
        table.render(look.style, look.width, 2) + &look.more(store.items.len())
    }
}

fn outcome(report: &FreeReport, look: &Look) -> String {
    let mut out = String::from("\n");
    let gained = bytes::human(report.gained());
    if report.dry_run {
        let _ = writeln!(out, "Would free {gained}.");
    } else {
        let _ = writeln!(out, "Freed {gained}.");
        if let Some(after) = &report.after {
            out.push_str(&volume_line(after));
        }
    }
    let runs: Vec<String> = report.runs_let_go().map(|id| escape::name(id)).collect();
    if !runs.is_empty() {
        let could = if report.dry_run { "could" } else { "can" };
        let shown = runs[..look.lines(runs.len())].join(", ");
        let more = if look.lines(runs.len()) < runs.len() { ", ..." } else { "" };
        let _ = writeln!(out, "{} {could} no longer be undone: {shown}{more}", count(runs.len() as u64, "run"));
    }
    let later: u64 = report.stores.iter().map(|s| s.later).sum();
    if later > 0 {
        let _ = writeln!(
            out,
            "{} more hold old conversations: a cleanup renames them and frees them when that retention ends \
             ({}).",
            bytes::human(later),
            look.given.complete("clawkeep sessions cleanup --dry-run")
        );
    }
    if !report.reached() {
        let missing = bytes::human(report.missing);
        let _ = writeln!(out, "{} {missing} are missing to the goal.", look.style.paint(Role::Bad, "Not reached:"));
        out.push_str(&in_the_way(report, look));
        let (archives, held) = report.held_archives();
        if archives > 0 {
            let _ = writeln!(
                out,
                "{} with {} {} within {} retention; --take-archives lets them go, oldest first.",
                count(archives, "archive"),
                bytes::human(held),
                if archives == 1 { "is still" } else { "are still" },
                if archives == 1 { "its" } else { "their" },
            );
        }
    }
    if let Some(line) = not_looked_at::line(&report.not_looked_at) {
        let _ = writeln!(out, "{line}");
    }
    if report.dry_run {
        let line =
            if report.declined { "Nothing was removed (not confirmed)." } else { "Nothing was written (--dry-run)." };
        let _ = writeln!(out, "{}", look.style.paint(Role::Strong, line));
    }
    out
}

/// What stays, over all stores.
fn in_the_way(report: &FreeReport, look: &Look) -> String {
    let mut sums: BTreeMap<&str, (&str, u64, u64)> = BTreeMap::new();
    for kept in report.stores.iter().flat_map(|s| &s.in_the_way) {
        let sum = sums.entry(kept.reason).or_insert((kept.explain, 0, 0));
        sum.1 += kept.files;
        sum.2 += kept.bytes;
    }
    let mut sums: Vec<_> = sums.into_values().filter(|s| s.2 > 0).collect();
    sums.order_by_key(|s| std::cmp::Reverse(s.2));
    let mut out = String::new();
    if !sums.is_empty() {
        out.push_str("What stands in the way:\n");
    }
    for (explain, files, size) in sums.iter().take(look.lines(sums.len())) {
        let _ = writeln!(out, "  {} in {}: {explain}", bytes::human(*size), count(*files, "file"));
    }
    out
}
