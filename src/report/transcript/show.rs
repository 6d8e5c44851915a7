//! A conversation as a person reads it.

use std::fmt::Write as _;

use crate::model::conversation::{Item, Part};
use crate::report::escape;
use crate::report::plural::{count, grouped};
use crate::report::style::{Role, Style};
use crate::units::bytes;

/// Lines of a tool result that are shown when it is folded.
const RESULT_LINES: usize = 4;
/// Characters of a folded line, and of folded arguments.
const FOLDED: usize = 200;

/// How to show it.
#[derive(Debug, Clone, Copy)]
pub struct Look {
    /// Colour.
    pub style: Style,
    /// Nothing is folded.
    pub full: bool,
    /// Say which entries are not on the active branch.
    pub branches: bool,
}

/// One entry. Empty for one that people need not see.
pub fn item(item: &Item, look: Look) -> String {
    let mut out = String::new();
    match item.kind.as_str() {
        "message" | "custom_message" => message(&mut out, item, look),
        "compaction" => {
            let before = item.tokens_before.map_or(String::new(), |n| format!(" of {} tokens", grouped(n)));
            let kept = item.first_kept_entry_id.as_deref().unwrap_or("an entry that is not there");
            let kept = escape::line(kept).into_owned();
            rule(&mut out, item, look, &format!("compaction{before}, keeps from {kept}"), Role::Warn);
            parts(&mut out, item, look, look.full);
        }
        "branch_summary" => {
            let from = escape::line(item.target_id.as_deref().unwrap_or("?")).into_owned();
            rule(&mut out, item, look, &format!("summary of the branch left at {from}"), Role::Warn);
            parts(&mut out, item, look, look.full);
        }
        _ => note(&mut out, item, look),
    }
    out
}

fn rule(out: &mut String, item: &Item, look: Look, who: &str, role: Role) {
    let mut line = format!("── {who}");
    if let Some(at) = &item.timestamp {
        let _ = write!(line, " · {}", escape::line(at));
    }
    if let Some(id) = &item.id {
        let _ = write!(line, " · {}", escape::line(id));
    }
    if look.branches && !item.active {
        line.push_str(" · other branch");
    }
    if item.recovered {
        line.push_str(" · on a damaged line, not seen by the gateway");
    }
    let _ = writeln!(out, "\n{}", look.style.paint(role, &line));
}

fn message(out: &mut String, item: &Item, look: Look) {
    let role = item.role.as_deref().unwrap_or("message without a role");
    let name = |text: &Option<String>| escape::line(text.as_deref().unwrap_or("?")).into_owned();
    let (who, paint) = match role {
        "user" => ("user".to_owned(), Role::Good),
        "assistant" => (assistant(item), Role::Name),
        "toolResult" => {
            let failed = if item.failed == Some(true) { ", failed" } else { "" };
            (format!("result of {}{failed}", name(&item.tool)), Role::Muted)
        }
        "bashExecution" => (format!("command: {}", name(&item.value)), Role::Good),
        "custom" => (format!("put in by {}", name(&item.value)), Role::Muted),
        other => (escape::line(other).into_owned(), Role::Muted),
    };
    rule(out, item, look, &who, paint);
    let folded = matches!(role, "toolResult" | "bashExecution" | "custom");
    parts(out, item, look, !folded || look.full);
    if let Some(error) = &item.error {
        let _ = writeln!(out, "{}", look.style.paint(Role::Bad, &format!("error: {}", escape::line(error))));
    }
}

fn assistant(item: &Item) -> String {
    let mut who = String::from("assistant");
    match (&item.provider, &item.model) {
        (Some(provider), Some(model)) => {
            let _ = write!(who, " ({}/{})", escape::line(provider), escape::line(model));
        }
        (None, Some(model)) => {
            let _ = write!(who, " ({})", escape::line(model));
        }
        _ => {}
    }
    if item.silent {
        who.push_str(", silent");
    }
    if let Some(stop) = item.stop_reason.as_deref().filter(|stop| matches!(*stop, "error" | "aborted" | "length")) {
        let _ = write!(who, ", ended by {stop}");
    }
    who
}

fn parts(out: &mut String, item: &Item, look: Look, whole: bool) {
    for part in &item.parts {
        match part {
            Part::Text { text } if whole => {
                let _ = writeln!(out, "{}", escape::lines(text.trim_end()));
            }
            Part::Text { text } => folded(out, text, look),
            Part::Thinking { text } if look.full => {
                let text = format!("[thinking]\n{}", text.trim_end());
                let _ = writeln!(out, "{}", look.style.paint(Role::Muted, &escape::lines(&text)));
            }
            Part::Thinking { text } => {
                let line = format!("[thinking, {}]", count(text.chars().count() as u64, "character"));
                let _ = writeln!(out, "{}", look.style.paint(Role::Muted, &line));
            }
            Part::ToolCall { name, arguments, .. } => call(out, name, arguments, look),
            Part::Image { mime_type, bytes: size } => {
                let kind = escape::line(mime_type.as_deref().unwrap_or("image")).into_owned();
                let _ = writeln!(out, "[{kind}, {}]", bytes::human(*size));
            }
            Part::Other { kind, bytes: size } => {
                let _ = writeln!(out, "[{}, {}]", escape::line(kind), bytes::human(*size));
            }
        }
    }
    if item.left_out > 0 {
        let _ = writeln!(out, "[{} of this record are not shown]", bytes::human(item.left_out));
    }
}

fn call(out: &mut String, name: &str, arguments: &serde_json::Value, look: Look) {
    let head = format!("→ {}", escape::line(name));
    let _ = write!(out, "{}", look.style.paint(Role::Name, &head));
    if look.full {
        let text = serde_json::to_string_pretty(arguments).unwrap_or_default();
        let _ = writeln!(out, " {}", escape::lines(&text));
    } else if !arguments.is_null() {
        let _ = writeln!(out, " {}", cut(&arguments.to_string()));
    } else {
        out.push('\n');
    }
}

fn folded(out: &mut String, text: &str, look: Look) {
    let lines: Vec<&str> = text.trim_end().lines().collect();
    for line in lines.iter().take(RESULT_LINES) {
        let _ = writeln!(out, "{}", cut(line));
    }
    let more = lines.len().saturating_sub(RESULT_LINES) as u64;
    if more > 0 {
        let said = format!("[{}, {}]", count(more, "more line"), bytes::human(text.len() as u64));
        let _ = writeln!(out, "{}", look.style.paint(Role::Muted, &said));
    }
}

/// A line cut to what a person takes in at a glance.
fn cut(line: &str) -> String {
    let mut chars = line.chars();
    let mut text: String = chars.by_ref().take(FOLDED).collect();
    if chars.next().is_some() {
        text.push('…');
    }
    escape::line(&text).into_owned()
}

/// Entries that are no messages: one muted line, or nothing.
fn note(out: &mut String, item: &Item, look: Look) {
    let value = escape::line(item.value.as_deref().unwrap_or("")).into_owned();
    let target = escape::line(item.target_id.as_deref().unwrap_or("?")).into_owned();
    let text = match item.kind.as_str() {
        "model_change" => {
            let (provider, model) = (item.provider.as_deref().unwrap_or("?"), item.model.as_deref().unwrap_or("?"));
            format!("model: {}/{}", escape::line(provider), escape::line(model))
        }
        "thinking_level_change" => format!("thinking: {value}"),
        "session_info" if value.is_empty() => "name cleared".to_owned(),
        "session_info" => format!("name: {value}"),
        "label" if value.is_empty() => format!("label of {target} cleared"),
        "label" => format!("label of {target}: {value}"),
        "leaf" => format!("leaf moved to {target} (newer gateways)"),
        "custom" if !look.full => return,
        "custom" => format!("custom entry {value}"),
        other => format!("entry of type {}", escape::line(other)),
    };
    let other = if look.branches && !item.active { " · other branch" } else { "" };
    let _ = writeln!(out, "\n{}", look.style.paint(Role::Muted, &format!("· {text}{other}")));
}
