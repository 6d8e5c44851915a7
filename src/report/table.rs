//! Tables that fit the terminal.
//!
//! Off a terminal nothing is cut and nothing is coloured. On one, elastic columns give way until a line fits: keys
//! lose their middle (both ends tell), free text its end. One row is always one line.

use comfy_table::{CellAlignment, ContentArrangement, Table as Grid, presets};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::style::{Role, Style};

/// How a column gives way on a narrow terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Column {
    /// Never cut, aligned left.
    Text,
    /// Never cut, aligned right.
    Number,
    /// Shortened in the middle, down to 12 columns.
    Key,
    /// Cut at the end, down to 8 columns; the first to give way.
    Free,
}

impl Column {
    fn least(self) -> Option<usize> {
        match self {
            Self::Text | Self::Number => None,
            Self::Key => Some(12),
            Self::Free => Some(8),
        }
    }
}

/// Keys are told apart by this many columns; before they lose more, columns that may be dropped go.
const TELLING: usize = 24;

/// Columns between two cells.
const GAP: usize = 2;

/// A table under construction. Cells must have passed [`super::escape`].
#[derive(Debug, Clone)]
pub struct Table {
    columns: Vec<Column>,
    header: Vec<String>,
    /// Width of the widest cell of each column among those that are not kept.
    widest: Vec<usize>,
    rows: Vec<(Option<Role>, Vec<String>)>,
    /// Headers of the columns that go first on a narrow terminal, in this order.
    droppable: &'static [&'static str],
}

impl Table {
    /// A table with these columns.
    pub fn new(columns: &[(&str, Column)]) -> Self {
        Self {
            columns: columns.iter().map(|(_, c)| *c).collect(),
            header: columns.iter().map(|(h, _)| (*h).to_owned()).collect(),
            widest: columns.iter().map(|(h, _)| h.width()).collect(),
            rows: Vec::new(),
            droppable: &[],
        }
    }

    /// Names the columns that a narrow terminal may go without, the first to go first.
    #[must_use]
    pub fn may_drop(mut self, headers: &'static [&'static str]) -> Self {
        self.droppable = headers;
        self
    }

    /// Adds a row; `role` colours the whole line.
    pub fn row(&mut self, role: Option<Role>, cells: Vec<String>) {
        self.rows.push((role, cells));
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Takes note of a row that is not kept: it is made again when it is written.
    pub fn measure(&mut self, cells: &[String]) {
        for (w, cell) in self.widest.iter_mut().zip(cells) {
            *w = (*w).max(cell.width());
        }
    }

    /// The lines of a table whose rows were [measured](Table::measure): the header now, then one for each row.
    pub fn lines(&self, width: usize) -> Lines<'_> {
        Lines { table: self, widths: self.fit(width) }
    }

    /// The table as lines, indented by `indent` spaces. `width` is that of the terminal, 0 for no limit.
    pub fn render(&self, style: Style, width: usize, indent: usize) -> String {
        let room = width.saturating_sub(if width == 0 { 0 } else { indent });
        for (given_up, header) in self.droppable.iter().enumerate() {
            if !self.hides_keys(room) {
                break;
            }
            if let Some(narrower) = self.without(header) {
                let left = self.droppable.get(given_up + 1..).unwrap_or_default();
                return narrower.may_drop(left).render(style, width, indent);
            }
        }
        let widths = self.fit(room);
        let mut grid = Grid::new();
        grid.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
        grid.set_header(self.cut(&self.header, &widths));
        for (_, cells) in &self.rows {
            grid.add_row(self.cut(cells, &widths));
        }
        for (i, column) in self.columns.iter().enumerate() {
            if let Some(c) = grid.column_mut(i) {
                c.set_padding((0, if i + 1 == self.columns.len() { 0 } else { 2 }));
                if *column == Column::Number {
                    c.set_cell_alignment(CellAlignment::Right);
                }
            }
        }
        let roles = std::iter::once(Some(Role::Strong)).chain(self.rows.iter().map(|(r, _)| *r));
        let mut out = String::new();
        for (line, role) in grid.lines().zip(roles) {
            let line = line.trim_end();
            out.push_str(&" ".repeat(indent));
            out.push_str(&role.map_or(line.into(), |r| style.paint(r, line)));
            out.push('\n');
        }
        out
    }

    /// Whether a key would be cut so far that keys can no longer be told apart, or a line would not fit.
    fn hides_keys(&self, width: usize) -> bool {
        if width == 0 {
            return false;
        }
        let (natural, fitted) = (self.fit(0), self.fit(width));
        let gaps = GAP * self.columns.len().saturating_sub(1);
        let cut = |i: usize| fitted[i] < natural[i].min(TELLING);
        let key = |i: usize| self.columns[i] == Column::Key;
        (0..self.columns.len()).any(|i| key(i) && cut(i)) || fitted.iter().sum::<usize>() + gaps > width
    }

    /// The table without one column, if it has it.
    fn without(&self, header: &str) -> Option<Self> {
        let at = self.header.iter().position(|h| h == header)?;
        let mut out = self.clone();
        out.columns.remove(at);
        out.widest.remove(at);
        out.header.remove(at);
        for (_, cells) in &mut out.rows {
            cells.remove(at);
        }
        Some(out)
    }

    /// Width of each column so that a line fits, as far as elastic columns can give way.
    fn fit(&self, width: usize) -> Vec<usize> {
        let mut widths = self.widest.clone();
        for (_, cells) in &self.rows {
            for (w, cell) in widths.iter_mut().zip(cells) {
                *w = (*w).max(cell.width());
            }
        }
        if width == 0 {
            return widths;
        }
        let gaps = GAP * self.columns.len().saturating_sub(1);
        for kind in [Column::Free, Column::Key] {
            let mut excess = (widths.iter().sum::<usize>() + gaps).saturating_sub(width);
            for (w, column) in widths.iter_mut().zip(&self.columns) {
                if *column == kind
                    && let Some(least) = kind.least()
                {
                    let give = excess.min(w.saturating_sub(least));
                    *w -= give;
                    excess -= give;
                }
            }
        }
        widths
    }

    fn cut(&self, cells: &[String], widths: &[usize]) -> Vec<String> {
        cells
            .iter()
            .zip(widths)
            .zip(&self.columns)
            .map(|((cell, width), column)| match column {
                Column::Text | Column::Number => cell.clone(),
                Column::Key => middle(cell, *width),
                Column::Free => end(cell, *width),
            })
            .collect()
    }
}

/// Rows as lines, one at a time.
#[derive(Debug)]
pub struct Lines<'t> {
    table: &'t Table,
    widths: Vec<usize>,
}

impl Lines<'_> {
    /// The header.
    pub fn header(&self, style: Style) -> String {
        style.paint(Role::Strong, &self.line(&self.table.header)).into_owned()
    }

    /// A row, as [`Table::render`] would write it.
    pub fn line(&self, cells: &[String]) -> String {
        let mut out = String::new();
        let cells = self.table.cut(cells, &self.widths);
        for (i, ((cell, column), width)) in cells.iter().zip(&self.table.columns).zip(&self.widths).enumerate() {
            let room = " ".repeat(width.saturating_sub(cell.width()));
            if i > 0 {
                out.push_str(&" ".repeat(GAP));
            }
            match column {
                Column::Number => out.extend([room.as_str(), cell]),
                _ => out.extend([cell.as_str(), &room]),
            }
        }
        out.truncate(out.trim_end().len());
        out
    }
}

/// Text shortened in the middle to `width` columns: the beginning and the end tell keys apart.
pub fn middle(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let room = width.saturating_sub(3);
    let tail_room = room / 3;
    let head = take(text.chars(), room - tail_room);
    let mut tail: Vec<char> = take(text.chars().rev(), tail_room).chars().collect();
    tail.reverse();
    format!("{head}...{}", tail.into_iter().collect::<String>())
}

/// Text cut at its end to `width` columns.
pub fn end(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    format!("{}...", take(text.chars(), width.saturating_sub(3)).trim_end())
}

fn take(chars: impl Iterator<Item = char>, room: usize) -> String {
    let mut used = 0;
    chars
        .take_while(|c| {
            used += c.width().unwrap_or(0);
            used <= room
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut t = Table::new(&[
            ("Kind", Column::Text),
            ("Key", Column::Key),
            ("Bytes", Column::Number),
            ("Flags", Column::Free),
        ]);
        t.row(
            None,
            vec![
                "direct".into(),
                "agent:main:telegram:group:-1001234567890".into(),
                "12".into(),
                "think:high verbose:on".into(),
            ],
        );
        t.row(Some(Role::Bad), vec!["cron".into(), "k".into(), "1024".into(), String::new()]);
        t
    }

    #[test]
    fn off_a_terminal_nothing_is_cut() {
        insta::assert_snapshot!(table().render(Style::PLAIN, 0, 0), @r"
        Kind    Key                                       Bytes  Flags
        direct  agent:main:telegram:group:-1001234567890     12  think:high verbose:on
        cron    k                                          1024
        ");
    }

    #[test]
    fn on_a_terminal_every_line_fits() {
        for width in [46, 60, 80] {
            let text = table().render(Style::PLAIN, width, 2);
            assert_eq!(text.lines().count(), 3);
            for line in text.lines() {
                assert!(line.width() <= width, "{width}: {line}");
            }
        }
        assert!(table().render(Style::PLAIN, 46, 0).contains("..."));
    }

    #[test]
    fn rows_that_are_not_kept_look_the_same() {
        for width in [0, 46, 60] {
            let kept = table();
            let mut measured = Table { rows: Vec::new(), ..table() };
            kept.rows.iter().for_each(|(_, cells)| measured.measure(cells));
            let lines = measured.lines(width);
            let rows = kept.rows.iter().map(|(_, cells)| lines.line(cells));
            let text: String = [lines.header(Style::PLAIN)].into_iter().chain(rows).map(|l| l + "\n").collect();
            assert_eq!(text, kept.render(Style::PLAIN, width, 0));
        }
    }

    #[test]
    fn wide_characters_count_as_two() {
        assert_eq!(middle("日本語日本語日本語", 9), "日本...語");
        assert_eq!(end("abcdefghij", 8), "abcde...");
    }

    #[test]
    fn a_narrow_terminal_loses_columns_before_keys_lose_what_tells_them_apart() {
        let columns =
            [("Action", Column::Text), ("Key", Column::Key), ("Age", Column::Text), ("Bytes", Column::Number)];
        let mut table = Table::new(&columns).may_drop(&["Bytes", "Age"]);
        for key in ["agent:main:telegram:direct:1111111111", "agent:main:telegram:direct:1111111112"] {
            table.row(None, ["would remove", key, "40d ago", "1.0 KiB"].map(str::to_owned).to_vec());
        }
        let lines = |width| table.render(Style::PLAIN, width, 0);
        assert!(lines(100).contains("1.0 KiB"));
        let narrow = lines(50);
        assert!(!narrow.contains("1.0 KiB") && narrow.contains("40d ago"), "{narrow}");
        assert!(narrow.contains("112 ") && narrow.lines().all(|l| l.len() <= 50), "{narrow}");
        assert!(!lines(40).contains("Age"), "{}", lines(40));
    }
}
