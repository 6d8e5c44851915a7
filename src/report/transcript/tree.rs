//! A tree for people: one line for each run of entries without a fork.
//!
//! The active branch stays at the left edge, marked with `*`; branches that were left are indented below the entry where they
//! begin. So ten thousand entries are as many lines as there are forks, compactions and labels.

use std::fmt::Write as _;

use crate::model::tree_lines::Run;
use crate::report::escape;
use crate::report::plural::{count, grouped};
use crate::report::style::{Role, Style};
use crate::report::table;
use crate::units::bytes;

/// Deepest indentation that is shown; deeper ones say so in numbers.
const DEEPEST: usize = 12;

/// One line. `width` is that of the terminal, 0 for no limit.
pub fn line(run: &Run, style: Style, width: usize) -> String {
    let mut text = String::new();
    let depth = run.indent.min(DEEPEST);
    text.push_str(&"  ".repeat(depth));
    if run.indent > DEEPEST {
        let _ = write!(text, "({} deep) ", run.indent);
    }
    text.push_str(match (run.active, run.begins) {
        (true, _) => "* ",
        (false, true) => "├ ",
        (false, false) => "│ ",
    });
    let id = |id: &Option<String>| escape::line(id.as_deref().unwrap_or("(no id)")).into_owned();
    let _ = write!(text, "{}", id(&run.first));
    if run.entries > 1 {
        let [user, model, result] = run.turns;
        let turns = [("user", user), ("assistant", model), ("result", result)];
        let turns: Vec<String> =
            turns.iter().filter(|(_, n)| *n > 0).map(|(who, n)| format!("{} {who}", grouped(*n))).collect();
        let _ = write!(text, " … {}  {}", id(&run.last), entries(run.entries));
        if !turns.is_empty() {
            let _ = write!(text, " ({})", turns.join(", "));
        }
    } else {
        let _ = write!(text, "  {}", escape::line(&run.what));
    }
    let _ = write!(text, "  {}", bytes::human(run.bytes));
    if let Some(at) = &run.at {
        let _ = write!(text, "  {}", escape::line(at.get(..16).unwrap_or(at)));
    }
    if let Some((number, size)) = run.branch {
        let _ = write!(text, "  [left branch: {}, {}]", entries(number), bytes::human(size));
    }
    for mark in &run.marks {
        let _ = write!(text, "  [{}]", escape::line(mark));
    }
    if let Some(snippet) = &run.snippet {
        let _ = write!(text, "  {}", escape::line(snippet));
    }
    let text = if width > 0 { table::end(&text, width) } else { text };
    let role = match (run.active, run.what.as_str()) {
        (_, "compaction") => Role::Warn,
        (true, _) => Role::Name,
        _ => Role::Muted,
    };
    format!("{}\n", style.paint(role, &text))
}

fn entries(n: u64) -> String {
    if n == 1 { "1 entry".to_owned() } else { format!("{} entries", grouped(n)) }
}

/// What the tree does not show.
pub fn footer(in_circles: u64, hidden: u64, style: Style) -> String {
    let mut out = String::new();
    let mut note = |text: String| {
        let _ = writeln!(out, "{}", style.paint(Role::Warn, &text));
    };
    if in_circles > 0 {
        note(format!("{} hang in circles of parents and are not shown", entries(in_circles)));
    }
    if hidden > 0 {
        note(format!("{} hidden by a later one with the same id", count(hidden, "entry").replace("entrys", "entries")));
    }
    out
}
