//! Statistics for people.

use std::fmt::Write as _;

use crate::model::stats_report::{Count, StatsReport};
use crate::model::transcript_usage::Usage;
use crate::report::escape;
use crate::report::plural::{count, grouped};
use crate::report::style::{Role, Style};
use crate::report::table::{Column, Table};
use crate::units::bytes;

/// The report. `top`: how many lines a table has. `width` is that of the terminal, 0 for no limit.
pub fn text(r: &StatsReport, top: usize, style: Style, width: usize) -> String {
    let mut out = String::new();
    let what = r.path.clone().unwrap_or_else(|| count(r.files, "transcript"));
    let _ = writeln!(out, "{}", style.paint(Role::Strong, &what));
    let mut field = |name: &str, value: &str| {
        let _ = writeln!(out, "{}{value}", style.paint(Role::Muted, &format!("{name:<10} ")));
    };
    field("size", &format!("{}, {}", bytes::human(r.bytes), count(r.lines, "line")));
    if let Some(longest) = &r.longest_line {
        let name = longest.path.rsplit('/').next().unwrap_or_default();
        let of = if r.path.is_some() { String::new() } else { format!(" of {name}") };
        field("longest", &format!("line {}{of}, {}", longest.line, bytes::human(longest.bytes)));
    }
    field("entries", &list(&r.entries, grouped));
    field("messages", &list(&r.messages, grouped));
    field("content", &list(&r.content, bytes::human));
    if let (Some(from), Some(to)) = (&r.first_at, &r.last_at) {
        field("time", &format!("{from} to {to}, at work for {}", crate::report::span::short(r.busy_ms)));
    }
    let copies = match r.duplicate_answers {
        0 => String::new(),
        n => format!(" ({} of the same response not counted)", count(n, "copy").replace("copys", "copies")),
    };
    let failed = if r.failed_answers > 0 { format!(", {} failed", grouped(r.failed_answers)) } else { String::new() };
    field("answers", &format!("{}{copies}{failed}", grouped(r.answers)));
    field("compacted", &count(r.compaction_count, "time"));
    if r.bad_lines > 0 {
        let text = format!("{} cannot be read", count(r.bad_lines, "line"));
        let _ = writeln!(
            out,
            "{}",
            style.paint(Role::Warn, &format!("note: {text}, {} on them counted", count(r.recovered, "whole record")))
        );
    }
    if r.duplicates_incomplete {
        let _ =
            writeln!(out, "{}", style.paint(Role::Warn, "note: too many answers to look for copies among all of them"));
    }
    for file in &r.unreadable {
        let _ = writeln!(out, "{}", style.paint(Role::Warn, &format!("note: {}", escape::line(&file.error))));
    }
    let mut models: Vec<(String, u64, Usage)> =
        r.models.iter().map(|m| (format!("{}/{}", m.provider, m.model), m.answers, m.usage)).collect();
    models.truncate(top);
    usage_table(&mut out, "Model", &models, style, width);
    if r.models.len() > top {
        let _ = writeln!(out, "{} not shown: --top {}", count((r.models.len() - top) as u64, "model"), r.models.len());
    }
    let days: Vec<(String, u64, Usage)> =
        r.days.iter().rev().take(top).map(|d| (d.day.clone(), d.answers, d.usage)).collect();
    usage_table(&mut out, &format!("Day ({})", r.time_zone), &days, style, width);
    if r.days.len() > top {
        let _ =
            writeln!(out, "{} not shown: --top {}", count((r.days.len() - top) as u64, "earlier day"), r.days.len());
    }
    total(&mut out, r);
    tools(&mut out, r, top, style, width);
    largest(&mut out, r, style, width);
    compactions(&mut out, r, top, style, width);
    out
}

fn list(counts: &[Count], show: impl Fn(u64) -> String) -> String {
    counts.iter().map(|c| format!("{} {}", show(c.count), c.name)).collect::<Vec<_>>().join(", ")
}

fn usage_table(out: &mut String, what: &str, rows: &[(String, u64, Usage)], style: Style, width: usize) {
    if rows.is_empty() {
        return;
    }
    let mut table = Table::new(&[
        (what, Column::Key),
        ("Answers", Column::Number),
        ("Input", Column::Number),
        ("Output", Column::Number),
        ("Cache read", Column::Number),
        ("Cache write", Column::Number),
        ("Cost $", Column::Number),
    ]);
    for (name, answers, u) in rows {
        let numbers = [*answers, u.input, u.output, u.cache_read, u.cache_write].map(grouped);
        let mut cells = vec![escape::line(name).into_owned()];
        cells.extend(numbers);
        cells.push(format!("{:.2}", u.cost));
        table.row(None, cells);
    }
    let _ = write!(out, "\n{}", table.render(style, width, 0));
}

fn total(out: &mut String, r: &StatsReport) {
    let u = &r.usage;
    let _ = writeln!(
        out,
        "\nAll: {} tokens in ({} of them from the cache), {} out, $ {:.2}",
        grouped(u.prompt()),
        grouped(u.cache_read),
        grouped(u.output),
        u.cost
    );
}

fn tools(out: &mut String, r: &StatsReport, top: usize, style: Style, width: usize) {
    if r.tools.is_empty() {
        return;
    }
    let mut table = Table::new(&[
        ("Tool", Column::Key),
        ("Calls", Column::Number),
        ("Results", Column::Number),
        ("Errors", Column::Number),
        ("Rate", Column::Number),
        ("Bytes of results", Column::Number),
    ]);
    for tool in r.tools.iter().take(top) {
        table.row(
            None,
            vec![
                escape::line(&tool.name).into_owned(),
                grouped(tool.calls),
                grouped(tool.results),
                grouped(tool.errors),
                format!("{:.1} %", tool.error_rate * 100.0),
                bytes::human(tool.result_bytes),
            ],
        );
    }
    let _ = write!(out, "\n{}", table.render(style, width, 0));
}

fn largest(out: &mut String, r: &StatsReport, style: Style, width: usize) {
    if r.largest_results.is_empty() {
        return;
    }
    let mut table = Table::new(&[
        ("Largest results", Column::Text),
        ("Bytes", Column::Number),
        ("Line", Column::Number),
        ("File", Column::Key),
    ]);
    for l in &r.largest_results {
        let name = l.path.rsplit('/').next().unwrap_or_default();
        let cells =
            vec![escape::line(&l.tool).into_owned(), bytes::human(l.bytes), l.line.to_string(), name.to_owned()];
        table.row(None, cells);
    }
    let _ = write!(out, "\n{}", table.render(style, width, 0));
}

/// The newest compactions.
fn compactions(out: &mut String, r: &StatsReport, top: usize, style: Style, width: usize) {
    if r.compactions.is_empty() {
        return;
    }
    let mut table = Table::new(&[
        ("Compaction", Column::Text),
        ("Tokens before", Column::Number),
        ("Summary", Column::Number),
        ("Line", Column::Number),
        ("File", Column::Key),
    ]);
    for c in r.compactions.iter().take(top) {
        let at = c.at.clone().unwrap_or_else(|| "unknown".to_owned());
        let tokens = c.tokens_before.map(grouped).unwrap_or_default();
        let name = c.path.rsplit('/').next().unwrap_or_default().to_owned();
        table.row(None, vec![at, tokens, bytes::human(c.summary_bytes), c.line.to_string(), name]);
    }
    let _ = write!(out, "\n{}", table.render(style, width, 0));
    if r.compaction_count > top as u64 {
        let earlier = count(r.compaction_count - top as u64, "earlier compaction");
        let _ = writeln!(out, "{earlier} not shown: --top {}, or --json", r.compaction_count);
    }
}
