//! The context for people.

use std::fmt::Write as _;

use crate::model::context_report::{ContextReport, MessageLine};
use crate::report::escape;
use crate::report::plural::{count, grouped};
use crate::report::style::{Role, Style};
use crate::report::table::{Column, Table};
use crate::units::bytes;

/// What stands before the messages.
pub fn head<L>(report: &ContextReport<L>, style: Style) -> String {
    let mut out = super::head::text(&report.transcript, style);
    let mut field = |name: &str, value: &str| {
        let _ = writeln!(out, "{}{value}", style.paint(Role::Muted, &format!("{name:<9} ")));
    };
    let model = report.model.as_ref().map_or("unknown".to_owned(), |model| {
        let part = |text: &Option<String>| escape::line(text.as_deref().unwrap_or("?")).into_owned();
        format!("{}/{}", part(&model.provider), part(&model.model_id))
    });
    field("model", &format!("{model}, thinking {}", escape::line(&report.thinking_level)));
    let t = &report.tokens;
    let reported = t.reported.map_or("nothing reported by the provider".to_owned(), |n| {
        format!("{} as last reported by the provider plus what came after", grouped(n))
    });
    field("tokens", &format!("about {} (estimate: a quarter of the characters); {reported}", grouped(t.estimated)));
    if let Some(limit) = &report.threshold {
        let before = limit.before_run.is_some();
        let left = match u64::try_from(limit.left) {
            // The check before a run compacts at its limit, the one after a turn above it.
            Ok(0) if before => "reached: the next turn compacts".to_owned(),
            Ok(left) => format!("{} tokens left until the gateway compacts", grouped(left)),
            Err(_) => format!("passed by {} tokens: the next turn compacts", grouped(limit.left.unsigned_abs())),
        };
        let soft = match (limit.soft, limit.before_run) {
            (Some(soft), Some(why)) => {
                format!(
                    " - memory flush {} (check before a run with {} tokens: {why})",
                    grouped(soft),
                    grouped(limit.tokens)
                )
            }
            _ => String::new(),
        };
        let text = format!(
            "{} = window {} ({}) - reserve {} ({}){soft}; {left}",
            grouped(limit.at),
            grouped(limit.window),
            escape::line(&limit.window_from),
            grouped(limit.reserve),
            escape::line(&limit.reserve_from),
        );
        field("threshold", &text);
    }
    if let Some(c) = &report.compaction {
        let id = |id: &Option<String>| escape::line(id.as_deref().unwrap_or("(no id)")).into_owned();
        let kept = c.kept_from.as_ref().map_or("nothing before it".to_owned(), |id| escape::line(id).into_owned());
        let text = format!(
            "{} took out {} (about {} tokens), kept from {kept}",
            id(&c.entry_id),
            count(c.dropped_messages, "message"),
            grouped(c.dropped_tokens)
        );
        field("compacted", &text);
    }
    match &report.next_cut {
        Some(cut) => {
            let split = if cut.turn_start_entry_id.is_some() { ", in the middle of a turn" } else { "" };
            let text = format!(
                "before {} (line {}){split}; {} (about {} tokens) would be summarised",
                escape::line(cut.first_kept_entry_id.as_deref().unwrap_or("(no id)")),
                cut.line,
                count(cut.summarised_messages, "message"),
                grouped(cut.summarised_tokens)
            );
            field("next cut", &text);
        }
        None => field("next cut", "nothing to compact"),
    }
    if let Some(line) = report.breaks_at_line {
        let text = format!("note: the record on line {line} has no message: the gateway fails to build this context");
        let _ = writeln!(out, "{}", style.paint(Role::Warn, &text));
    }
    out.push('\n');
    out
}

/// Said where there is no message.
pub const EMPTY: &str = "The context is empty.\n";

/// The table of the messages, without a row.
pub fn table() -> Table {
    Table::new(&[
        ("#", Column::Number),
        ("Role", Column::Text),
        ("Tokens~", Column::Number),
        ("Sum~", Column::Number),
        ("Bytes", Column::Number),
        ("Line", Column::Number),
        ("Entry", Column::Text),
        ("Notes", Column::Free),
    ])
}

/// Makes rows of messages, one after the other.
#[derive(Debug, Default)]
pub struct Rows {
    number: u64,
    sum: u64,
    /// Line of the entry that the next cut is before.
    cut: Option<u64>,
}

impl Rows {
    /// Rows of a report.
    pub fn of<L>(report: &ContextReport<L>) -> Self {
        Self { cut: report.next_cut.as_ref().map(|cut| cut.line), ..Self::default() }
    }

    /// The cells of the next message.
    pub fn next(&mut self, m: &MessageLine) -> Vec<String> {
        self.number += 1;
        self.sum += m.tokens;
        let mut notes = Vec::new();
        if m.images > 0 {
            notes.push(count(m.images, "image"));
        }
        if let Some(usage) = &m.usage {
            notes.push(format!("reported {} in, {} out", grouped(usage.prompt()), grouped(usage.output)));
        }
        if m.left_out {
            notes.push("not sent".to_owned());
        }
        if self.cut == Some(m.line) {
            notes.push("next cut before this".to_owned());
        }
        vec![
            self.number.to_string(),
            escape::line(m.role.as_deref().unwrap_or("none")).into_owned(),
            grouped(m.tokens),
            grouped(self.sum),
            bytes::human(m.bytes),
            m.line.to_string(),
            escape::line(m.entry_id.as_deref().unwrap_or("(no id)")).into_owned(),
            notes.join(", "),
        ]
    }
}
