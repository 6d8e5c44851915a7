//! The list for people.

use std::fmt::Write as _;

use super::json::List;
use super::row::{ListedRow, TranscriptState};
use super::tokens;
use crate::report::style::{Role, Style};
use crate::report::table::{Column, Table};
use crate::report::{escape, not_looked_at};
use crate::units::{bytes, time};

/// The whole list; `width` is that of the terminal, 0 for no limit.
pub fn text(list: &List<'_>, style: Style, width: usize) -> String {
    let mut out = head(list);
    if list.rows.count == 0 {
        out.push_str("No sessions found.\n");
    } else {
        let (table, locked) = table(list);
        out.push_str(&table.render(style, width, 0));
        for line in locked {
            let _ = writeln!(out, "{line}");
        }
    }
    if let Some(line) = not_looked_at::line(list.not_looked_at) {
        let _ = writeln!(out, "{line}");
    }
    out
}

fn head(list: &List<'_>) -> String {
    let mut out = String::new();
    if list.aggregate {
        let names: Vec<_> = list.stores.iter().map(|s| escape::line(&s.agent_id)).collect();
        let mut folders: Vec<&str> = list.stores.iter().map(|s| s.found.folder.as_str()).collect();
        folders.dedup();
        let _ = writeln!(out, "Session stores: {} ({}; {})", names.len(), names.join(", "), folders.join(", "));
    }
    for store in list.stores {
        if !list.aggregate {
            let _ = writeln!(out, "Session store: {} ({})", escape::path(&store.path), store.found.text);
        }
        if let Some(detail) = &store.detail {
            let _ = writeln!(out, "  {} ({}): {}", escape::line(&store.agent_id), store.state, escape::line(detail));
        }
    }
    let (shown, total) = (list.rows.count, list.total);
    match list.limit {
        Some(limit) if shown < total => {
            let _ = writeln!(out, "Sessions listed: {shown} of {total} (limit {limit})");
        }
        _ => {
            let _ = writeln!(out, "Sessions listed: {shown}");
        }
    }
    if let Some(minutes) = list.active_minutes {
        let _ = writeln!(out, "Filtered to last {minutes} minute(s)");
    }
    out
}

/// The table, and a line for each row whose transcript is locked.
fn table(list: &List<'_>) -> (Table, Vec<String>) {
    let mut columns = vec![
        ("Kind", Column::Text),
        ("Key", Column::Key),
        ("Age", Column::Text),
        ("Model", Column::Free),
        ("Tokens (ctx %)", Column::Text),
        ("Size", Column::Number),
        ("Flags", Column::Free),
    ];
    if list.aggregate {
        columns.insert(0, ("Agent", Column::Text));
    }
    let mut table = Table::new(&columns).may_drop(&["Flags", "Model", "Tokens (ctx %)", "Size"]);
    let mut locked = Vec::new();
    for row in list.rows.iter() {
        let lock = row.lock.as_ref().map(|lock| escape::line(&lock.text(list.now)).into_owned());
        locked.extend(lock.map(|lock| format!("Lock on {}: {lock}", escape::line(&row.key))));
        let mut cells = cells(&row, list);
        if list.aggregate {
            cells.insert(0, escape::line(&row.store_agent).into_owned());
        }
        let role = (row.transcript == TranscriptState::Missing).then_some(Role::Warn);
        table.row(role, cells);
    }
    (table, locked)
}

fn cells(row: &ListedRow, list: &List<'_>) -> Vec<String> {
    let line = |text: &str| escape::line(text).into_owned();
    let age = match row.updated.ms().filter(|at| *at != 0) {
        Some(at) => time::ago(list.now, at),
        None => "unknown".to_owned(),
    };
    let size = match &row.transcript {
        TranscriptState::NotExpected | TranscriptState::Elsewhere => String::new(),
        TranscriptState::Missing => "missing".to_owned(),
        TranscriptState::Found { bytes: n, .. } => bytes::human(*n),
    };
    vec![
        row.kind().to_owned(),
        line(&row.key),
        age,
        line(&row.model(list.defaults).0),
        tokens::cell(row.total(), row.fresh(), row.context(list.defaults)),
        size,
        line(&row.flags()),
    ]
}
