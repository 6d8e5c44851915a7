//! The cleanup report for people.
//!
//! For each store: where it is, the mode and limits in force, what is hit by kind, at most 20 items over all stores
//! (all with `-v`), what came of it, what stays and why, what needs a person. The last line of a run that wrote
//! nothing says so, and what to type to do it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::input::{ByGateway, CleanupReport, StoreReport};
use super::items::{Fate, Fates, name_of};
use super::vocabulary::{Count, Tally};
use super::{next, problems};
use crate::context::Context;
use crate::model::Ms;
use crate::model::decision::{Decision, Subject, Verdict};
use crate::order::Order as _;
use crate::report::plural::{count, grouped};
use crate::report::style::{Role, Style};
use crate::report::table::{Column, Table};
use crate::report::{command, escape, not_looked_at, policy, span};
use crate::units::{bytes, time};

/// Lines of items in a whole report, unless `-v` asks for all.
pub const ITEM_LINES: usize = 20;

/// How the text is to look.
#[derive(Debug, Clone, Copy)]
pub struct Look {
    /// Colour.
    pub style: Style,
    /// Columns of the terminal, 0 for no limit.
    pub width: usize,
    /// Every item.
    pub verbose: bool,
    /// Time for ages.
    pub now: Ms,
}

impl Look {
    /// As the output options and the terminal ask.
    pub fn of(ctx: &Context) -> Self {
        Self { style: Style::stdout(ctx), width: ctx.width(), verbose: ctx.output.verbose > 0, now: ctx.run_time() }
    }
}

/// The whole report.
pub fn text(report: &CleanupReport, look: &Look) -> String {
    let mut out = String::new();
    let mut room = if look.verbose { usize::MAX } else { ITEM_LINES };
    for (i, store) in report.stores.iter().enumerate() {
        if i > 0 {
            out.push('\n');
        }
        write_store(&mut out, store, look, &mut room);
    }
    if let Some(line) = not_looked_at::line(report.not_looked_at) {
        let _ = writeln!(out, "\n{line}");
    }
    if let Some(line) = next::last_line(report) {
        let _ = writeln!(out, "\n{}", look.style.paint(Role::Strong, &line));
    }
    out
}

fn write_store(out: &mut String, store: &StoreReport, look: &Look, room: &mut usize) {
    head(out, store, look.style);
    if let Some(error) = store.error {
        let _ = writeln!(out, "{} {}", look.style.paint(Role::Bad, "Failed:"), escape::line(&error.message));
        for hint in &error.hints {
            let _ = writeln!(out, "  try: {}", escape::line(hint));
        }
        if let Some(token) = error.token {
            let _ = writeln!(out, "  to go on all the same: --override {token}");
        }
    }
    if let Some((reason, detail)) = &store.skipped {
        let _ = writeln!(out, "Skipped ({reason}): {}", escape::line(detail));
    }
    if let Some(by) = store.gateway {
        by_gateway(out, by, look.style);
    }
    if store.plan.is_none() {
        return;
    }
    let tally = Tally::of(store);
    kinds(out, store, look);
    items(out, store, look, room);
    summary(out, store, &tally);
    for line in problems::lines(store, &tally) {
        let _ = writeln!(out, "{} {line}", look.style.paint(Role::Warn, "Note:"));
    }
    undone(out, store, look);
    undo_hint(out, store, &tally);
}

fn head(out: &mut String, store: &StoreReport, style: Style) {
    let t = store.target;
    let path = escape::path(&t.store_path);
    let _ = writeln!(out, "Session store: {} ({})", style.paint(Role::Name, &path), store.found.text);
    let mode = &store.policy.mode;
    let _ = writeln!(out, "Mode: {} ({})", mode.value.as_str(), policy::origin_short(&mode.origin));
    if store.plan.is_some() {
        let _ = writeln!(out, "Limits: {}", policy::line(store.policy));
    }
}

/// Who did it, and what it says of itself.
fn by_gateway(out: &mut String, by: &ByGateway, style: Style) {
    let counts: Vec<String> = by.counts().into_iter().map(|(name, n)| format!("{name} {}", grouped(n))).collect();
    let counts = if counts.is_empty() { "nothing taken".to_owned() } else { counts.join(", ") };
    let _ = writeln!(
        out,
        "Done by the gateway {} on {} ({}); its own counts: {counts}",
        escape::line(&by.version),
        escape::line(&by.endpoint),
        escape::line(&by.proof)
    );
    if let Some(why) = by.partial() {
        let _ =
            writeln!(out, "{} the gateway did a part of it: {}", style.paint(Role::Bad, "Partial:"), escape::line(why));
    }
    if !by.kept {
        let _ = writeln!(out, "Its sessions are out of our sight: clawkeep cannot put back what went");
    }
}

/// What a group of decisions has in common; sorts rows before files.
type Group = (u8, &'static str, &'static str, &'static str);

/// Numbers by kind, verdict and reason.
fn kinds(out: &mut String, store: &StoreReport, look: &Look) {
    let (Some(plan), Some(facts)) = (store.plan, store.facts) else { return };
    let mut groups: BTreeMap<Group, (Verdict, u64, u64)> = BTreeMap::new();
    for (d, fate) in Fates::new(plan, store.applied).notable().filter(|(_, f)| f.counts()) {
        let kind = name_of(facts, d.subject).1;
        let rank = u8::from(matches!(d.subject, Subject::File(_)));
        let verdict = fate.verdict(d.verdict);
        let slot =
            groups.entry((rank, kind, super::items::verdict_word(verdict), d.reason.id())).or_insert((verdict, 0, 0));
        slot.1 += 1;
        slot.2 += d.bytes;
    }
    if groups.is_empty() {
        return;
    }
    let mut table = Table::new(&[
        ("Kind", Column::Text),
        ("Action", Column::Text),
        ("Items", Column::Number),
        ("Bytes", Column::Number),
        ("Reason", Column::Text),
    ]);
    for ((rank, kind, _, reason), (verdict, items, size)) in groups {
        let kind = if rank == 0 { format!("{kind} row") } else { kind.to_owned() };
        table.row(
            role(verdict),
            vec![kind, action(verdict, store).to_owned(), grouped(items), bytes::human(size), reason.to_owned()],
        );
    }
    let _ = write!(out, "\n{}", table.render(look.style, look.width, 2));
}

/// Single items, as far as there is room.
fn items(out: &mut String, store: &StoreReport, look: &Look, room: &mut usize) {
    let (Some(plan), Some(facts)) = (store.plan, store.facts) else { return };
    let fates = Fates::new(plan, store.applied);
    let all = fates.notable().filter(|(_, f)| f.counts()).count();
    let shown = all.min(*room);
    *room -= shown;
    if all == 0 {
        return;
    }
    let mut table = Table::new(&[
        ("Action", Column::Text),
        ("Key or file", Column::Key),
        ("Age", Column::Text),
        ("Bytes", Column::Number),
        ("Reason", Column::Text),
    ])
    .may_drop(&["Bytes", "Age"]);
    let mut ordered: Vec<_> = fates.notable().filter(|(_, f)| f.counts()).collect();
    // By kind as in the table above, then oldest first; stable, so that equal ones stay in plan order.
    ordered.sort_by_cached_key(|(d, _)| {
        let is_file = matches!(d.subject, Subject::File(_));
        (is_file, name_of(facts, d.subject).1, stands_since(store, d))
    });
    for (d, fate) in ordered.into_iter().take(shown) {
        let name = escape::line(&name_of(facts, d.subject).0).into_owned();
        let cells = vec![
            action(fate.verdict(d.verdict), store).to_owned(),
            name,
            age(store, d, look.now),
            bytes::human(d.bytes),
            d.reason.id().to_owned(),
        ];
        table.row(role(fate.verdict(d.verdict)), cells);
    }
    if shown > 0 {
        let _ = write!(out, "\n{}", table.render(look.style, look.width, 2));
    }
    if all > shown {
        let _ = writeln!(out, "  {} more: -v or --json", grouped((all - shown) as u64));
    }
}

/// Time that counts for the age of an item.
fn stands_since(store: &StoreReport, d: &Decision) -> Option<Ms> {
    let facts = store.facts?;
    match d.subject {
        Subject::Row(ix) => facts.index.rows.get(ix as usize).and_then(|r| r.updated_at.ms()),
        Subject::File(ix) => facts.folder.entries.get(ix as usize).map(|f| f.stamp.unwrap_or(f.fp.mtime_ms())),
    }
}

fn age(store: &StoreReport, d: &Decision, now: Ms) -> String {
    stands_since(store, d).map_or_else(|| "unknown".to_owned(), |at| time::ago(now, at))
}

/// What is done to an item; a preview says "would".
fn action(verdict: Verdict, store: &StoreReport) -> &'static str {
    match (verdict, store.applied.is_some()) {
        (Verdict::Drop, true) => "removed",
        (Verdict::Drop, false) => "would remove",
        (Verdict::Archive, true) => "archived",
        (Verdict::Archive, false) => "would archive",
        (Verdict::Stow, true) => "stowed",
        (Verdict::Stow, false) => "would stow",
        (Verdict::Unlink, true) => "deleted",
        (Verdict::Unlink, false) => "would delete",
        (Verdict::Hold, _) => "held back",
        (Verdict::Keep, _) => "kept",
    }
}

fn role(verdict: Verdict) -> Option<Role> {
    match verdict {
        Verdict::Unlink => Some(Role::Bad),
        Verdict::Drop | Verdict::Archive | Verdict::Stow => Some(Role::Warn),
        Verdict::Hold => Some(Role::Muted),
        Verdict::Keep => None,
    }
}

fn summary(out: &mut String, store: &StoreReport, t: &Tally) {
    let would = store.applied.is_none();
    out.push('\n');
    let _ = writeln!(
        out,
        "Rows: {} -> {} ({} {})",
        grouped(t.before),
        grouped(t.after),
        word(would, "remove"),
        grouped(t.before - t.after)
    );
    let mut deeds = Vec::new();
    for (n, verb) in [(t.archived, "archive"), (t.stowed, "stow"), (t.unlinked, "delete")] {
        if n.files > 0 {
            deeds.push(format!(
                "{} {} ({}{})",
                word(would, verb),
                count(n.files, "file"),
                bytes::human(n.bytes),
                if verb == "stow" { ", kept in the run folder for undo" } else { "" }
            ));
        }
    }
    let _ = writeln!(out, "Files: {}", if deeds.is_empty() { "none taken".to_owned() } else { deeds.join(", ") });
    let free = if would { "Would be free" } else { "Free" };
    let mut space = format!("{free}: {} now", bytes::human(t.freed_now));
    if t.freed_later > 0 {
        let when = store.policy.deleted_retention.value.at();
        let when =
            when.map_or_else(|| "when you delete the archives".to_owned(), |ms| format!("after {}", span::short(ms)));
        let _ = write!(space, ", {} later ({when})", bytes::human(t.freed_later));
    }
    let _ = writeln!(out, "{space}");
    if let Some(b) = &t.budget {
        let _ = writeln!(
            out,
            "Disk budget: {} -> {} of {} (mark {}{})",
            bytes::human(b.before),
            bytes::human(b.after),
            bytes::human(b.max),
            bytes::human(b.high_water),
            if b.pending > 0 {
                format!(", {} more in archives of this pass", bytes::human(b.pending))
            } else {
                String::new()
            }
        );
    }
    by_reason(out, "Kept", &t.kept);
    by_reason(out, "Held back", &t.held);
}

/// `remove` in the tense of the run.
fn word(would: bool, verb: &str) -> String {
    match (would, verb) {
        (true, verb) => format!("would {verb}"),
        (false, "stow") => "stowed".to_owned(),
        (false, verb) => format!("{verb}d"),
    }
}

/// `Kept: 4 rows (2 within-limits, 1 protected), 12 files (10 owned, 2 young-orphan)`.
fn by_reason(out: &mut String, label: &str, all: &BTreeMap<&'static str, Count>) {
    let part = |noun: &str, of: fn(&Count) -> u64| {
        let mut reasons: Vec<(u64, &str)> = all.iter().map(|(r, c)| (of(c), *r)).filter(|(n, _)| *n > 0).collect();
        reasons.order_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
        let total: u64 = reasons.iter().map(|(n, _)| n).sum();
        let list: Vec<String> = reasons.iter().map(|(n, r)| format!("{} {r}", grouped(*n))).collect();
        (total > 0).then(|| format!("{} ({})", count(total, noun), list.join(", ")))
    };
    let parts: Vec<String> = [part("row", |c| c.rows), part("file", |c| c.files)].into_iter().flatten().collect();
    if !parts.is_empty() {
        let _ = writeln!(out, "{label}: {}", parts.join(", "));
    }
}

/// Items that an executed plan did not carry out, with the reason; at most [`ITEM_LINES`] unless `-v`.
fn undone(out: &mut String, store: &StoreReport, look: &Look) {
    let (Some(plan), Some(facts), Some(_)) = (store.plan, store.facts, store.applied) else { return };
    let fates = Fates::new(plan, store.applied);
    let all = fates.acting().filter(|(_, f)| !f.counts()).count();
    let shown = if look.verbose { all } else { all.min(ITEM_LINES) };
    for (d, fate) in fates.acting().filter(|(_, f)| !f.counts()).take(shown) {
        let role = if matches!(fate, Fate::Failed(_)) { Role::Bad } else { Role::Warn };
        let name = name_of(facts, d.subject).0;
        let why = fate.explain().unwrap_or_default();
        let _ =
            writeln!(out, "  {} {}: {}", look.style.paint(role, "not done:"), escape::line(&name), escape::line(&why));
    }
    if all > shown {
        let _ = writeln!(out, "  {} more: -v or --json", grouped((all - shown) as u64));
    }
}

fn undo_hint(out: &mut String, store: &StoreReport, t: &Tally) {
    let Some(applied) = store.applied else { return };
    for r in &applied.recovered {
        let _ = writeln!(out, "Recovered run {} ({}): {}", escape::line(&r.run_id), r.result, escape::line(&r.detail));
    }
    if applied.run_id.is_empty() || (t.before == t.after && t.archived.files + t.stowed.files == 0) {
        return;
    }
    let words =
        format!("clawkeep sessions undo {}{}", command::quote(&applied.run_id), command::select_words(store.target));
    let when = if store.gateway.is_some() { " (once the gateway is stopped)" } else { "" };
    let _ = writeln!(out, "Undo{when}: {}", store.given.complete(&words));
}
