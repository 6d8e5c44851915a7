//! Values that a migration does not carry over, so that none of them goes unsaid. Pure.
//!
//! Where an old place and a new one both say something, the new one wins, and what the old one said is gone but for the
//! backup. The value itself is not shown: it may be a secret.

use std::collections::BTreeMap;

use serde_json::Value;

/// A line for each value of `before` that is neither in its place in `after`, nor in a new one, and that no line names.
pub fn lines(before: &Value, after: &Value, said: &[String]) -> Vec<String> {
    let (old, new) = (leaves(before), leaves(after));
    let mut come: BTreeMap<String, usize> = BTreeMap::new();
    for (_, value) in new.iter().filter(|(path, _)| !old.contains_key(*path)) {
        *come.entry(value.to_string()).or_insert(0) += 1;
    }
    let mut out = Vec::new();
    for (path, value) in old.iter().filter(|(path, _)| !new.contains_key(*path)) {
        match come.get_mut(&value.to_string()) {
            Some(n) if *n > 0 => *n -= 1,
            _ if value.is_null() || is_named(path, said) => {}
            _ => out.push(format!("Not kept: {path}, another value stands in its place.")),
        }
    }
    out
}

/// Whether a line is about this value: it names it, or tells that what holds it is removed.
fn is_named(path: &str, said: &[String]) -> bool {
    let holders = || path.match_indices('.').map(|(at, _)| &path[..at]).chain([path]);
    said.iter().any(|line| {
        let has = |name: &str| line.split([' ', ',', '(', ')']).any(|word| word.trim_end_matches(['.', ';']) == name);
        has(path) || line.contains(path) || (line.starts_with("Removed ") && holders().any(has))
    })
}

/// Every value that is no object, by its dotted path; positions of lists stand in brackets.
fn leaves(root: &Value) -> BTreeMap<String, &Value> {
    let mut out = BTreeMap::new();
    let mut open = vec![(String::new(), root)];
    while let Some((path, value)) = open.pop() {
        match value {
            Value::Object(map) => {
                let dot = if path.is_empty() { "" } else { "." };
                open.extend(map.iter().map(|(name, value)| (format!("{path}{dot}{name}"), value)));
            }
            Value::Array(list) => {
                open.extend(list.iter().enumerate().map(|(at, value)| (format!("{path}[{at}]"), value)));
            }
            _ => drop(out.insert(path, value)),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_what_is_nowhere_and_unsaid_is_named() {
        let before = json!({ "old": { "a": 1, "b": "x", "c": true }, "gone": 5, "new": { "a": 2 } });
        let after = json!({ "new": { "a": 2, "b": "x" } });
        let said = ["Moved old \u{2192} new.".to_owned(), "Removed gone (of no use).".to_owned()];
        let found = lines(&before, &after, &said);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].contains("old.a,") && found[1].contains("old.c,"), "{found:?}");
        assert!(lines(&before, &before, &[]).is_empty());
    }
}
