//! For people: findings by gravity, then what was done or what to do.

use std::fmt::Write as _;

use super::{Ending, Judged, Report};
use crate::context::Context;
use crate::model::doctor::Remedy;
use crate::model::finding::Severity;
use crate::report::style::{Role, Style};
use crate::report::{escape, plural};

/// Lines of details that are shown of one finding.
const DETAILS: usize = 8;

/// The whole report.
pub(super) fn text(report: &Report, ctx: &Context) -> String {
    let style = Style::stdout(ctx);
    let mut out = String::new();
    for severity in [Severity::Error, Severity::Warning, Severity::Info] {
        let here: Vec<&Judged> = report.judged.iter().filter(|j| j.found.severity == severity).collect();
        if here.is_empty() {
            continue;
        }
        let heading = match severity {
            Severity::Error => "Errors",
            Severity::Warning => "Warnings",
            Severity::Info => "Remarks",
        };
        let _ = writeln!(out, "{}", style.paint(Role::Strong, heading));
        for judged in here {
            finding(&mut out, judged, style, ctx);
        }
    }
    files(&mut out, report);
    for warning in &report.warnings {
        let _ = writeln!(out, "note: {}", escape::line(warning));
    }
    let _ = writeln!(out, "{}", ctx.given.complete(&last(report)));
    out
}

fn finding(out: &mut String, judged: &Judged, style: Style, ctx: &Context) {
    let found = &judged.found;
    let role = match found.severity {
        Severity::Error => Role::Bad,
        Severity::Warning => Role::Warn,
        Severity::Info => Role::Muted,
    };
    let subject = &found.subject;
    let sep = if subject.is_empty() { "" } else { ": " };
    let _ = writeln!(
        out,
        "  {} {}{sep}{}",
        style.paint(role, found.rule),
        escape::line(subject),
        escape::line(&found.message)
    );
    let most = if ctx.output.verbose > 0 { usize::MAX } else { DETAILS };
    for line in found.details.iter().take(most) {
        let _ = writeln!(out, "      {}", escape::line(line));
    }
    if found.details.len() > most {
        let _ = writeln!(out, "      and {} more (-v shows all)", found.details.len() - most);
    }
    if let Some(file) = &found.file {
        let _ = writeln!(out, "      in {}", escape::path(file));
    }
    let remedy = match (&judged.ending, &found.remedy) {
        (Ending::Fixed, _) => style.paint(Role::Good, "fixed").into_owned(),
        (Ending::Skipped(why), _) => format!("not fixed: {}", escape::line(why)),
        (Ending::Planned, _) => "would be fixed".to_owned(),
        (Ending::Found, Remedy::Edit) => "clawkeep doctor --fix edits it".to_owned(),
        (Ending::Found, Remedy::Effects { what, flag, .. }) => {
            let flag = flag.map(|f| format!(" {f}")).unwrap_or_default();
            format!("clawkeep doctor --fix{flag}: {}", escape::line(what))
        }
        (Ending::Found, Remedy::Command(command)) => escape::line(command).into_owned(),
        (Ending::Found, Remedy::Manual(what)) => format!("by hand: {}", escape::line(what)),
        (Ending::Found, Remedy::None) => return,
    };
    let _ = writeln!(out, "      -> {}", ctx.given.complete(&remedy));
}

fn files(out: &mut String, report: &Report) {
    for file in &report.files {
        let link = file.real.as_ref().map_or_else(String::new, |to| format!(", a link to {}", escape::path(to)));
        let path = format!("{}{link}", escape::path(&file.path));
        let _ = match (file.managed, file.written) {
            (true, _) => writeln!(out, "not edited: {path}; the change for what it is made from:"),
            (false, true) => writeln!(out, "edited {path} ({})", file.rules.join(", ")),
            (false, false) => writeln!(out, "would edit {path} ({})", file.rules.join(", ")),
        };
        if let Some(backup) = &file.backup {
            let _ = writeln!(out, "  the old text is {}", escape::path(backup));
        }
        if report.show_diff || file.managed {
            for line in file.diff.lines() {
                let _ = writeln!(out, "  {}", escape::line(line));
            }
        }
    }
}

/// The last line: what came of it, or what to run.
fn last(report: &Report) -> String {
    let remaining = report.remaining().count() as u64;
    let fixed = report.judged.len() as u64 - remaining;
    if report.judged.is_empty() {
        return "Nothing found; nothing was changed.".to_owned();
    }
    let undo = match report.runs.as_slice() {
        [] => String::new(),
        // All runs of one command go back together, by the name of the first.
        [run, ..] => format!(" Undo with: clawkeep sessions undo {run}"),
    };
    if report.changed {
        return format!("{} fixed, {} left.{undo}", plural::count(fixed, "finding"), remaining);
    }
    let fixable = report.judged.iter().filter(|j| Report::fixable(&j.found)).count() as u64;
    match (report.fix, fixable) {
        (false, n) if n > 0 => {
            format!("{}, {n} of them fixable: clawkeep doctor --fix", plural::count(remaining, "finding"))
        }
        _ => format!("{}; nothing was changed.", plural::count(remaining, "finding")),
    }
}
