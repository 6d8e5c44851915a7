//! Matches for people: grouped by file, one line each.

use std::fmt::Write as _;

use crate::model::search_report::{Match, Summary};
use crate::report::escape;
use crate::report::plural::count;
use crate::report::style::{Role, Style};

/// One match; `new_file`: it is the first one of its file.
pub fn line(m: &Match, new_file: bool, style: Style) -> String {
    let mut out = String::new();
    if new_file {
        let _ = writeln!(out, "{}", style.paint(Role::Strong, &m.path));
    }
    let role = escape::line(m.role.as_deref().unwrap_or(&m.kind)).into_owned();
    let tool = m.tool.as_ref().map_or(String::new(), |tool| format!(" {}", escape::line(tool)));
    // The text of a summary is one.
    let field = if m.field == "text" || m.field == role { String::new() } else { format!(" {}", m.field) };
    let id = escape::line(m.entry_id.as_deref().unwrap_or("-")).into_owned();
    let _ = write!(out, "{}", style.paint(Role::Muted, &format!("  {}:{id} {role}{field}{tool}: ", m.line)));
    let part = |from: u64, to: u64| {
        let (from, to) = (usize::try_from(from).unwrap_or(0), usize::try_from(to).unwrap_or(usize::MAX));
        let text: String = m.snippet.chars().skip(from).take(to.saturating_sub(from)).collect();
        escape::line(&text).into_owned()
    };
    let _ = write!(out, "{}{}{}", part(0, m.from), style.paint(Role::Warn, &part(m.from, m.to)), part(m.to, u64::MAX));
    if m.count > 1 {
        let _ = write!(out, " {}", style.paint(Role::Muted, &format!("({} in this text)", m.count)));
    }
    out.push('\n');
    out
}

/// The end of it.
pub fn summary(s: &Summary, style: Style) -> String {
    let matches = count(s.matches, "match").replace("matchs", "matches");
    let mut out = format!("{matches} in {}", count(s.files, "transcript"));
    if s.limited {
        out.push_str(", stopped at --limit");
    }
    out.push('\n');
    if s.cut_records > 0 {
        let text = format!(
            "note: {} over 1 MiB: long texts in them were searched in their beginning only",
            count(s.cut_records, "record")
        );
        let _ = writeln!(out, "{}", style.paint(Role::Warn, &text));
    }
    for error in &s.unreadable {
        let _ = writeln!(out, "{}", style.paint(Role::Warn, &format!("note: {}", escape::line(error))));
    }
    out
}
