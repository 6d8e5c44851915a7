//! New text for values. What was in the text before is taken over as it was written: quotes, numbers and comments.

use std::collections::HashMap;

use serde_json::Value;

use super::layout::{Layout, indent_of};
use super::tree::{Kind, NOT_FINITE, Node, Span, Tree};
use json5::char::{is_json5_identifier, is_json5_identifier_start};

/// Texts of values that leave their place, by value.
pub(super) struct Pool<'a> {
    text: &'a str,
    tree: &'a Tree,
    spans: HashMap<String, Vec<(Span, bool)>>,
    /// What was taken over.
    pub(super) carried: Vec<Span>,
}

impl<'a> Pool<'a> {
    pub(super) fn new(text: &'a str, tree: &'a Tree) -> Self {
        Self { text, tree, spans: HashMap::new(), carried: Vec::new() }
    }

    /// Takes a value that leaves, and everything in it.
    pub(super) fn add(&mut self, node: &Node) {
        self.spans.entry(node.value().to_string()).or_default().push((node.span.clone(), false));
        match &node.kind {
            Kind::Scalar(_) => {}
            Kind::Array(items) => items.iter().for_each(|item| self.add(&item.value)),
            // Of duplicates only the last counts.
            Kind::Object(members) => {
                for (at, member) in members.iter().enumerate() {
                    if !members[at + 1..].iter().any(|later| later.key == member.key) {
                        self.add(&member.value);
                    }
                }
            }
        }
    }

    /// The text of this value, if it was there. One that has comments is given out once.
    fn take(&mut self, value: &Value) -> Option<Span> {
        let has_comment = |span: &Span| self.tree.comments.iter().any(|c| span.start <= c.start && c.end <= span.end);
        let found = self.spans.get_mut(&value.to_string())?;
        let free = found.iter_mut().find(|(span, used)| !*used || !has_comment(span))?;
        // Not a second time through a value that holds it.
        let inside = |outer: &Span| outer.start <= free.0.start && free.0.end <= outer.end;
        if has_comment(&free.0) && self.carried.iter().any(inside) {
            return None;
        }
        free.1 = true;
        self.carried.push(free.0.clone());
        Some(free.0.clone())
    }
}

/// Writes values in the manner of a text.
pub(super) struct Writer<'a, 'p> {
    pub(super) layout: &'a Layout,
    pub(super) pool: &'p mut Pool<'a>,
}

impl Writer<'_, '_> {
    /// The text of a value that stands in a line with this indentation.
    pub(super) fn value(&mut self, value: &Value, indent: &str, lines: bool) -> String {
        if let Some(span) = self.pool.take(value) {
            return self.moved(&span, indent);
        }
        match value {
            Value::String(text) => match text.strip_prefix(NOT_FINITE) {
                Some(name) => name.to_owned(),
                None => quoted(text, self.layout.quote),
            },
            Value::Array(items) if items.is_empty() => "[]".to_owned(),
            Value::Array(items) => {
                let lines = lines && items.iter().any(|item| item.is_object() || item.is_array());
                let inner = format!("{indent}{}", self.layout.unit);
                let items = items.iter().map(|item| self.value(item, &inner, lines)).collect();
                self.bracketed(('[', ']'), items, indent, lines)
            }
            Value::Object(map) if map.is_empty() => "{}".to_owned(),
            Value::Object(map) => {
                let inner = format!("{indent}{}", self.layout.unit);
                let items = map
                    .iter()
                    .map(|(key, value)| {
                        let value = self.value(value, &inner, lines);
                        format!("{}: {value}", key_text(key, self.layout.bare_keys, self.layout.quote))
                    })
                    .collect();
                self.bracketed(('{', '}'), items, indent, lines)
            }
            other => other.to_string(),
        }
    }

    fn bracketed(&self, (open, close): (char, char), items: Vec<String>, indent: &str, lines: bool) -> String {
        if !lines {
            let pad = if open == '{' { " " } else { "" };
            return format!("{open}{pad}{}{pad}{close}", items.join(", "));
        }
        let Layout { eol, unit, .. } = self.layout;
        let lines: Vec<String> = items.iter().map(|item| format!("{eol}{indent}{unit}{item}")).collect();
        format!("{open}{}{eol}{indent}{close}", lines.join(","))
    }

    /// Text from elsewhere, its lines moved to this indentation. Strings and comments keep their inner lines as they are.
    fn moved(&self, span: &Span, indent: &str) -> String {
        let text = self.pool.text;
        let old = indent_of(text, span.start).to_owned();
        let body = &text[span.clone()];
        if old == indent || !body.contains(['\n', '\r']) {
            return body.to_owned();
        }
        let fixed = fixed_spans(self.pool.tree, span);
        let mut out = String::with_capacity(body.len());
        let mut at = span.start;
        while at < span.end {
            if let Some(keep) = fixed.iter().find(|keep| keep.start == at) {
                out.push_str(&text[keep.clone()]);
                at = keep.end;
                continue;
            }
            let c = text[at..].chars().next().unwrap_or(' ');
            out.push(c);
            at += c.len_utf8();
            let line_begins = c == '\n' || (c == '\r' && !text[at..].starts_with('\n'));
            if line_begins && text[at..span.end].starts_with(old.as_str()) {
                out.push_str(indent);
                at += old.len();
            }
        }
        out
    }
}

/// Spans inside `span` whose bytes must not change: strings and comments.
fn fixed_spans(tree: &Tree, span: &Span) -> Vec<Span> {
    let mut fixed: Vec<Span> =
        tree.comments.iter().filter(|c| span.start <= c.start && c.end <= span.end).cloned().collect();
    strings(&tree.root, &mut fixed);
    fixed.retain(|s| span.start <= s.start && s.end <= span.end);
    fixed
}

fn strings(node: &Node, out: &mut Vec<Span>) {
    match &node.kind {
        Kind::Scalar(Value::String(_)) => out.push(node.span.clone()),
        Kind::Scalar(_) => {}
        Kind::Array(items) => items.iter().for_each(|item| strings(&item.value, out)),
        Kind::Object(members) => {
            for member in members {
                out.push(member.key_span.clone());
                strings(&member.value, out);
            }
        }
    }
}

/// A key as text.
pub(super) fn key_text(key: &str, bare: bool, quote: char) -> String {
    let mut chars = key.chars();
    let plain = chars.next().is_some_and(is_json5_identifier_start) && chars.all(is_json5_identifier);
    if bare && plain { key.to_owned() } else { quoted(key, quote) }
}

/// A string as text. What JSON would escape is escaped, so that it is right under either quote.
pub(super) fn quoted(text: &str, quote: char) -> String {
    let json = Value::from(text).to_string();
    if quote == '"' {
        return json;
    }
    let inner = &json[1..json.len() - 1];
    format!("'{}'", inner.replace("\\\"", "\"").replace('\'', "\\'"))
}
