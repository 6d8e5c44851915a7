//! The check for people: grouped by kind, the gravest first, at most twenty lines of items, and what mends each kind.

use std::fmt::Write as _;

use super::input::{Report, command, writer_word};
use crate::model::check::CheckedStore;
use crate::model::finding::{Finding, FindingId, RepairId, Severity};
use crate::report::style::{Role, Style};
use crate::report::{escape, not_looked_at, plural};
use crate::units::bytes;

/// Lines of items in the whole report.
const LINES: usize = 20;
/// Lines of one kind, while other kinds have none yet.
const LINES_OF_KIND: usize = 4;

/// The whole report.
pub fn text(report: &Report<'_>, style: Style) -> String {
    let mut out = String::new();
    for store in report.stores {
        head(&mut out, report, store);
    }
    let mut left = if report.verbose { usize::MAX } else { LINES };
    for severity in [Severity::Error, Severity::Warning, Severity::Info] {
        for id in FindingId::ALL.iter().filter(|id| id.severity() == severity) {
            kind(&mut out, report, *id, style, &mut left);
        }
    }
    foot(&mut out, report, style);
    out
}

fn head(out: &mut String, report: &Report<'_>, store: &CheckedStore) {
    let _ = writeln!(out, "Session store: {} ({})", escape::path(&store.path), escape::line(&store.agent_id));
    if let Some(error) = &store.error {
        let _ = writeln!(out, "  could not be checked: {}", escape::line(error));
        return;
    }
    if store.absent {
        let _ = writeln!(out, "  no sessions yet");
        return;
    }
    let rows = match (store.rows, store.index_bytes) {
        (Some(rows), Some(size)) => format!("{}, index {}", plural::count(rows, "row"), bytes::human(size)),
        (None, Some(size)) => format!("index damaged, {}", bytes::human(size)),
        _ => "no usable index".to_owned(),
    };
    let _ = writeln!(out, "  {rows}, {}; {}", plural::count(store.files, "file"), read(report, store));
    if let Some(owner) = &store.owner {
        let _ = writeln!(out, "  writer: {} ({})", writer_word(owner.writer), escape::line(&owner.why));
        if report.verbose {
            evidence(out, owner);
        }
    }
}

fn evidence(out: &mut String, owner: &crate::model::owner::OwnerVerdict) {
    let e = &owner.evidence;
    let place = match (e.container, e.network_fs) {
        (false, false) => "no container, local file system",
        (true, false) => "in a container",
        (false, true) => "on a network or shared file system",
        (true, true) => "in a container, on a network or shared file system",
    };
    let _ =
        writeln!(out, "    connect {}: {}; {place}", escape::line(&e.endpoint), super::input::connect_word(&e.connect));
    for lock in &e.locks {
        let _ = writeln!(out, "    lock {}: {}", escape::path(&lock.path), super::input::lock_word(&lock.state));
    }
}

fn read(report: &Report<'_>, store: &CheckedStore) -> String {
    let (all, whole) = (store.transcripts_read, store.transcripts_whole);
    let mut text = if whole == all {
        format!("{} read whole", plural::count(all, "transcript"))
    } else {
        format!("{} read, {} of them whole", plural::count(all, "transcript"), plural::grouped(whole))
    };
    if store.not_read > 0 {
        let _ = write!(text, ", {} older ones not", plural::grouped(store.not_read));
    }
    if !report.full && (whole < all || store.not_read > 0) {
        text.push_str(" (--full reads every line)");
    }
    text
}

/// One kind of finding over all stores.
fn kind(out: &mut String, report: &Report<'_>, id: FindingId, style: Style, left: &mut usize) {
    let all: Vec<(&CheckedStore, &Finding)> = report
        .stores
        .iter()
        .flat_map(|store| store.findings.iter().filter(|f| f.id == id).map(move |f| (store, f)))
        .collect();
    if all.is_empty() {
        return;
    }
    let role = match id.severity() {
        Severity::Error => Role::Bad,
        Severity::Warning => Role::Warn,
        Severity::Info => Role::Muted,
    };
    let heading = format!("{}: {}", id.severity().as_str(), id.id());
    let total: u64 = all.iter().map(|(_, f)| f.bytes).sum();
    let size = if total > 0 { format!(", {}", bytes::human(total)) } else { String::new() };
    let _ = writeln!(out, "\n{} ({}{size})", style.paint(role, &heading), plural::count(all.len() as u64, "place"));
    let _ = writeln!(out, "  {}", id.explain());
    let shown = if report.verbose { all.len() } else { all.len().min(LINES_OF_KIND).min(*left) };
    *left -= shown.min(*left);
    for (store, finding) in &all[..shown] {
        let _ = writeln!(out, "    {}", item(store, finding));
    }
    if shown < all.len() {
        let rest = (all.len() - shown) as u64;
        let _ = writeln!(out, "    {} more: -v or --json", plural::grouped(rest));
    }
    if let Some((store, first)) = all.iter().find(|(_, f)| f.repair.is_some())
        && let Some(command) = command(report.given, store, first)
    {
        let by_one = matches!(first.repair, Some(RepairId::Adopt | RepairId::StripField)) && all.len() > 1;
        // The command chooses the store of the first.
        let elsewhere = |(other, finding): &(&CheckedStore, &Finding)| {
            finding.repair.is_some() && self::command(report.given, other, finding).as_ref() != Some(&command)
        };
        let others = by_one || all.iter().any(elsewhere);
        let each = if others { " (for the first one)" } else { "" };
        let _ = writeln!(out, "  repair{each}: {}", escape::line(&command));
    }
}

fn item(store: &CheckedStore, finding: &Finding) -> String {
    let place = &finding.place;
    let subject = match (&place.key, &store.folder) {
        (Some(key), _) => escape::line(key).into_owned(),
        (None, Some(folder)) => match place.path.strip_prefix(folder) {
            Ok(name) if !name.as_os_str().is_empty() => escape::path(name),
            _ => escape::path(&place.path),
        },
        (None, None) => escape::path(&place.path),
    };
    let line = match (place.line, place.offset, &place.key) {
        (Some(line), ..) => format!(":{line}"),
        (None, Some(offset), None) => format!(" at byte {offset}"),
        _ => String::new(),
    };
    format!("{subject}{line}: {}", escape::line(&finding.evidence))
}

fn foot(out: &mut String, report: &Report<'_>, style: Style) {
    out.push('\n');
    if let Some(line) = not_looked_at::line(report.not_looked_at) {
        let _ = writeln!(out, "{line}");
    }
    let count = |severity| report.count(severity);
    let (errors, warnings, infos) = (count(Severity::Error), count(Severity::Warning), count(Severity::Info));
    if errors + warnings + infos == 0 {
        let failed = report.stores.iter().any(|s| s.error.is_some());
        let word = if failed { "nothing else was found" } else { "clean: nothing was found" };
        let _ = writeln!(out, "{}", style.paint(Role::Good, word));
        return;
    }
    let parts = [plural::count(errors, "error"), plural::count(warnings, "warning"), plural::count(infos, "remark")];
    let _ = writeln!(out, "{}; nothing was changed", parts.join(", "));
    let person = report
        .stores
        .iter()
        .flat_map(|s| &s.findings)
        .filter(|f| f.repair.is_none() && f.severity != Severity::Info)
        .count() as u64;
    if person > 0 {
        let _ = writeln!(out, "{} for a person: no repair applies", plural::count(person, "finding"));
    }
}
