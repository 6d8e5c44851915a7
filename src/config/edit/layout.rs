//! How a text is laid out, so that what is added looks like what is there.

use super::tree::{Kind, Node, Tree};

/// Habits of one text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Layout {
    /// Line end.
    pub(super) eol: &'static str,
    /// One step of indentation.
    pub(super) unit: String,
    /// Quotes of strings.
    pub(super) quote: char,
    /// Keys stand without quotes where they can.
    pub(super) bare_keys: bool,
}

impl Layout {
    /// The habits of this text.
    pub(super) fn of(text: &str, tree: &Tree) -> Self {
        let mut seen = Seen::default();
        seen.look(text, &tree.root);
        Self {
            eol: match text.find('\n') {
                Some(at) if text[..at].ends_with('\r') => "\r\n",
                _ => "\n",
            },
            unit: seen.unit.unwrap_or_else(|| "  ".to_owned()),
            quote: if seen.single > seen.double { '\'' } else { '"' },
            bare_keys: seen.bare > seen.quoted,
        }
    }
}

#[derive(Default)]
struct Seen {
    bare: u32,
    quoted: u32,
    single: u32,
    double: u32,
    unit: Option<String>,
}

impl Seen {
    fn token(&mut self, token: &str) {
        match token.chars().next() {
            Some('\'') => self.single += 1,
            Some('"') => self.double += 1,
            _ => {}
        }
    }

    fn look(&mut self, text: &str, node: &Node) {
        match &node.kind {
            Kind::Scalar(_) => self.token(&text[node.span.clone()]),
            Kind::Array(items) => items.iter().for_each(|item| self.look(text, &item.value)),
            Kind::Object(members) => {
                for member in members {
                    let key = &text[member.key_span.clone()];
                    if key.starts_with(['"', '\'']) {
                        self.quoted += 1
                    } else {
                        self.bare += 1
                    }
                    self.token(key);
                    self.step(text, node, member.key_span.start);
                    self.look(text, &member.value);
                }
            }
        }
    }

    /// The step between the line of an object and the line of a member.
    fn step(&mut self, text: &str, object: &Node, member: usize) {
        if self.unit.is_some() || !begins_line(text, member) {
            return;
        }
        let (outer, inner) = (indent_of(text, object.span.start), indent_of(text, member));
        self.unit = inner.strip_prefix(outer).filter(|step| !step.is_empty()).map(str::to_owned);
    }
}

/// Start of the line that `at` stands in.
pub(super) fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind(['\n', '\r']).map_or(0, |end| end + 1)
}

/// Blanks at the start of the line that `at` stands in (a byte order mark is none of them).
pub(super) fn indent_of(text: &str, at: usize) -> &str {
    let line = &text[line_start(text, at)..at];
    let line = line.strip_prefix('\u{feff}').unwrap_or(line);
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// Whether only blanks stand before `at` in its line.
pub(super) fn begins_line(text: &str, at: usize) -> bool {
    text[line_start(text, at)..at].chars().all(|c| matches!(c, ' ' | '\t')) && line_start(text, at) > 0
}

/// Position behind the blanks at `at`.
pub(super) fn skip_blanks(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    at + (rest.len() - rest.trim_start_matches([' ', '\t']).len())
}

/// Position before the blanks that end at `at`.
pub(super) fn before_blanks(text: &str, at: usize) -> usize {
    text[..at].trim_end_matches([' ', '\t']).len()
}

/// Length of the line end at `at`, if there is one.
pub(super) fn line_end(text: &str, at: usize) -> Option<usize> {
    let rest = &text[at..];
    match rest.as_bytes().first() {
        Some(b'\r') if rest.starts_with("\r\n") => Some(2),
        Some(b'\r' | b'\n') => Some(1),
        _ => None,
    }
}
