//! Finds secrets in text.

use memchr::memmem::Finder;

use super::decoded::{ALL, Decoded, LEVELS, Notation};
use super::{commands, named, shapes};
use crate::order::Order as _;

/// What stands in for a secret.
pub const HIDDEN: &str = "[redacted]";
/// Values of a configuration that are shorter, in bytes, are too common to be looked for.
pub const SHORTEST: usize = 6;
/// What is read in pieces holds back so much, so that a secret that begins before is seen to begin.
pub const OVERLAP: usize = 16 * 1024;

/// A place in bytes, from and to.
pub type Span = (usize, usize);

/// Secrets of a text.
#[derive(Debug, Default)]
pub struct Found {
    /// Where they stand.
    pub spans: Vec<Span>,
    /// Where the first one begins of which the text does not hold the end.
    pub unfinished: Option<usize>,
}

impl Found {
    /// A value does not end in the text; its name begins at `at`.
    pub fn open(&mut self, at: usize) {
        self.unfinished = Some(self.unfinished.map_or(at, |first| first.min(at)));
    }
}

/// Takes secrets out of text.
#[derive(Debug, Clone, Default)]
pub struct Redactor {
    /// Values to look for, the longest first.
    values: Vec<Finder<'static>>,
}

impl Redactor {
    /// Looks for the known shapes and for these values.
    pub fn new(values: impl IntoIterator<Item = String>) -> Self {
        let mut all: Vec<String> = Vec::new();
        for value in values {
            let trimmed = value.trim();
            // A space of a form is a plus sign.
            all.extend([trimmed.replace(' ', "+"), trimmed.to_owned(), value]);
        }
        all.retain(|v| v.trim().len() >= SHORTEST && !v.contains(HIDDEN));
        all.order_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        all.dedup();
        Self { values: all.iter().map(|value| Finder::new(value).into_owned()).collect() }
    }

    /// Secrets in some text, ascending, apart from each other.
    pub fn find(&self, text: &[u8]) -> Vec<Span> {
        self.found_in(Decoded::plain(text)).spans
    }

    /// Secrets in the text between the quotes of a JSON string; the places are those of the escapes as they stand.
    pub fn find_in_string(&self, raw: &[u8]) -> Found {
        let plain = Decoded::plain(raw);
        let read = plain.read_as(Notation::Json).unwrap_or(plain);
        self.found_in(read)
    }

    /// Values of the configuration alone, in text that is no language: the data of an image.
    pub fn holds_value(&self, text: &[u8]) -> bool {
        self.values.iter().any(|value| value.find(text).is_some())
    }

    /// Whether a text is exactly one of the values.
    pub fn is_value(&self, text: &[u8]) -> bool {
        self.values.iter().any(|value| value.needle() == text)
    }

    /// So much of a text is held back that none of the values is cut, in whatever notation.
    pub fn overlap(&self) -> usize {
        self.values.first().map_or(0, |longest| longest.needle().len() * 16).max(OVERLAP)
    }

    fn found_in(&self, text: Decoded<'_>) -> Found {
        let mut found = Found::default();
        self.look(&text, LEVELS, &mut found);
        found.spans = joined(found.spans);
        found
    }

    /// Looks at a text, and at what it stands for in each notation.
    fn look(&self, text: &Decoded<'_>, levels: usize, found: &mut Found) {
        let here = self.plain(&text.text);
        found.spans.extend(here.spans.into_iter().map(|span| text.written(span)));
        if let Some(at) = here.unfinished {
            found.open(text.written((at, at)).0);
        }
        // What a terminal shows of it says all that the rest says.
        if let Some(read) = text.read_as(Notation::Terminal) {
            return self.look(&read, levels, found);
        }
        if levels == 0 {
            return;
        }
        for notation in ALL {
            if let Some(read) = text.read_as(notation) {
                self.look(&read, levels - 1, found);
            }
        }
    }

    /// Secrets in a text as it stands.
    fn plain(&self, text: &[u8]) -> Found {
        let mut all = Found::default();
        let found = &mut all.spans;
        for value in &self.values {
            found.extend(value.find_iter(text).map(|at| (at, at + value.needle().len())));
        }
        shapes::private_keys(text, found);
        shapes::userinfo(text, found);
        shapes::webhooks(text, found);
        commands::netrc(text, found);
        commands::commands(text, &mut all);
        let mut at = 0;
        while at < text.len() {
            let starts = is_start(text, at);
            let shape = if starts {
                shapes::at_word(text, at)
            } else if shapes::may_begin(&text[at..]) {
                shapes::in_word(text, at)
            } else {
                None
            };
            all.spans.extend(shape);
            let end = shape.map(|(_, to)| to).or_else(|| if starts { named::named(text, at, &mut all) } else { None });
            at = end.map_or(at + 1, |end| end.max(at + 1));
        }
        all
    }
}

fn is_start(text: &[u8], at: usize) -> bool {
    shapes::is_word(text[at]) && (at == 0 || !shapes::is_word(text[at - 1]))
}

/// The text with each span replaced.
pub fn replaced(text: &[u8], spans: &[Span]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    for (from, to) in spans {
        out.extend_from_slice(&text[at..*from]);
        let quote = if text[*from..*to].iter().all(u8::is_ascii_digit) { quote_of_name(&text[..*from]) } else { b"" };
        out.extend([quote, HIDDEN.as_bytes(), quote].concat());
        at = *to;
    }
    out.extend_from_slice(&text[at..]);
    out
}

/// The quote of the name before a number in JSON, with its backslashes, so that what stands in for the number is a
/// value of the same JSON. Empty if no quoted name stands there.
fn quote_of_name(before: &[u8]) -> &[u8] {
    let Some(name) = before.trim_ascii_end().strip_suffix(b":").map(<[u8]>::trim_ascii_end) else { return b"" };
    let Some(inside) = name.strip_suffix(b"\"") else { return b"" };
    let escapes = inside.iter().rev().take_while(|b| **b == b'\\').count();
    &name[inside.len() - escapes..]
}

fn joined(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_unstable();
    let mut out: Vec<Span> = Vec::with_capacity(spans.len());
    for (from, to) in spans {
        match out.last_mut() {
            Some(last) if from <= last.1 => last.1 = last.1.max(to),
            _ => out.push((from, to)),
        }
    }
    out
}

#[cfg(test)]
#[path = "redactor_tests.rs"]
mod tests;
