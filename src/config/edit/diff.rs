//! Edits for people: a unified diff of texts, and the change of a value key by key. Secrets are not shown.

use serde_json::Value;
use similar::TextDiff;

use super::tree;
use crate::config::secret;

/// Longest part of a value that is shown, in characters.
const SHOWN: usize = 120;

/// What is different, with two lines round it. A line that names a secret is not shown.
pub fn unified(name: &str, old: &str, new: &str) -> String {
    let diff = TextDiff::from_lines(old, new);
    let text = diff.unified_diff().context_radius(2).header(name, name).to_string();
    let shown = text.lines().map(|line| {
        let mark = line.chars().next().unwrap_or(' ');
        if !line.starts_with("---") && !line.starts_with("+++") && has_secret(line) {
            return format!("{mark}(line not shown: it names a secret)\n");
        }
        format!("{line}\n")
    });
    shown.collect()
}

/// Whether a line sets a key whose value is secret, or holds a URL with a password.
fn has_secret(line: &str) -> bool {
    let key = |part: &str| {
        let part = part.trim_end().trim_end_matches(['"', '\'']);
        let start = part.rfind(|c: char| !(c.is_alphanumeric() || "_$-".contains(c))).map_or(0, |at| at + 1);
        // What follows a scheme is no key.
        part.get(start..).is_some_and(secret::is_secret)
    };
    let mut parts = line.split(':').collect::<Vec<_>>();
    parts.pop();
    parts.iter().any(|part| key(part)) || (line.contains("://") && line.contains('@'))
}

/// What is different between two values, key by key.
pub fn by_key(old: &Value, new: &Value) -> Vec<String> {
    let mut out = Vec::new();
    walk("", Some(old), Some(new), &mut out);
    out
}

fn walk(key: &str, old: Option<&Value>, new: Option<&Value>, out: &mut Vec<String>) {
    let below = |name: &str| if key.is_empty() { name.to_owned() } else { format!("{key}.{name}") };
    match (old, new) {
        (old, new) if old == new => {}
        (Some(Value::Object(a)), Some(Value::Object(b))) => {
            let names = a.keys().chain(b.keys().filter(|k| !a.contains_key(*k)));
            names.for_each(|name| walk(&below(name), a.get(name), b.get(name), out));
        }
        (Some(Value::Array(a)), Some(Value::Array(b))) if a.len() == b.len() => {
            (0..a.len()).for_each(|at| walk(&below(&at.to_string()), a.get(at), b.get(at), out));
        }
        (Some(_), None) => out.push(format!("remove {key}")),
        (_, Some(new)) => out.push(format!("set {key} to {}", shown(key, new))),
        (None, None) => {}
    }
}

fn shown(key: &str, value: &Value) -> String {
    let text = tree::plain(value).to_string();
    if secret::is_secret(key) || names_one(value) {
        return "the value it has now (not shown: it names a secret)".to_owned();
    }
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

/// Whether a key somewhere in the value is secret.
fn names_one(value: &Value) -> bool {
    match value {
        Value::Object(map) => map.iter().any(|(key, value)| secret::is_secret(key) || names_one(value)),
        Value::Array(items) => items.iter().any(names_one),
        _ => false,
    }
}
