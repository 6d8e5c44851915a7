//! What is said about a transcript as a whole, for people.

use std::fmt::Write as _;

use crate::model::conversation::{Head, Related};
use crate::report::escape;
use crate::report::plural::grouped;
use crate::report::style::{Role, Style};
use crate::units::{bytes, time};

/// The head of a report: what it is about, and what a reader should know.
pub fn text(head: &Head, style: Style) -> String {
    let mut out = String::new();
    let title = match (&head.name, &head.key) {
        (Some(name), _) => name.as_str(),
        (None, Some(key)) => key.as_str(),
        (None, None) => head.session_id.as_deref().unwrap_or("transcript"),
    };
    let _ = writeln!(out, "{}", style.paint(Role::Strong, &escape::line(title)));
    let mut field = |name: &str, value: &str| {
        let _ = writeln!(out, "{}{value}", style.paint(Role::Muted, &format!("{name:<9} ")));
    };
    field(&head.class.replace(' ', "-"), &format!("{} ({})", head.path, bytes::human(head.bytes)));
    if let Some(key) = &head.key {
        field(
            "key",
            &format!("{} (agent {})", escape::line(key), escape::line(head.agent_id.as_deref().unwrap_or("?"))),
        );
    }
    if let Some(id) = &head.session_id {
        let version = head.version.map_or(String::new(), |v| format!(", version {v}"));
        let started = head.started_at.as_ref().map_or(String::new(), |at| format!(", started {at}"));
        field("session", &escape::line(&format!("{id}{version}{started}")));
    }
    if let (Some(entries), Some(active)) = (head.entries, head.active_entries) {
        field("entries", &format!("{}, {} on the active branch", grouped(entries), grouped(active)));
    }
    if let Some(usage) = &head.last_usage {
        field("last call", &format!("{} tokens in, {} out", grouped(usage.prompt()), grouped(usage.output)));
    }
    for note in &head.notes {
        let _ = writeln!(out, "{}", style.paint(Role::Warn, &format!("note: {}", escape::line(note))));
    }
    out
}

/// Files that belong to it.
pub fn related(related: &[Related], style: Style) -> String {
    let mut out = String::new();
    if related.is_empty() {
        return out;
    }
    let _ = writeln!(out, "\n{}", style.paint(Role::Strong, "Files that belong to it"));
    for item in related {
        let size = item.bytes.map_or("missing".to_owned(), bytes::human);
        let mut line = format!("  {:<18} {} ({size}", item.kind, item.path);
        if let Some(at) = item.at {
            let _ = write!(line, ", {}", time::iso(at));
        }
        if let Some(reason) = &item.reason {
            let _ = write!(line, ", {}", escape::line(reason));
        }
        if let Some(id) = &item.entry_id {
            let _ = write!(line, ", entry {}", escape::line(id));
        }
        let _ = writeln!(out, "{line})");
    }
    out
}
