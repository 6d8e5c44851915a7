//! Values that a migration does not carry over, so that none of them goes unsaid. Pure.
//!
//! Where an old place and a new one both say something, the new one wins, and what the old one said is gone but for the
//! backup. The value itself is not shown: it may be a secret.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// A line for each value of `before` that is neither in its place in `after`, nor in a new one, and that no line names.
/// Values of a list are told apart by what they say: the others move up when one goes.
pub fn lines(before: &Value, after: &Value, said: &[String]) -> Vec<String> {
    let (old, new) = (leaves(before), leaves(after));
    let mut come: BTreeMap<String, usize> = BTreeMap::new();
    let mut gone: Vec<(String, &Value)> = Vec::new();
    let places: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    for place in places {
        let (mut was, mut is) =
            (old.get(place).cloned().unwrap_or_default(), new.get(place).cloned().unwrap_or_default());
        was.retain(|(_, value)| match is.iter().position(|(_, v)| v == value) {
            Some(at) => {
                is.remove(at);
                false
            }
            None => true,
        });
        // As many as there are of both were changed in place.
        if is.len() > was.len() {
            is.iter().for_each(|(_, value)| *come.entry(value.to_string()).or_insert(0) += 1);
        }
        gone.extend(was.into_iter().skip(is.len()));
    }
    let mut out = Vec::new();
    for (path, value) in gone {
        match come.get_mut(&value.to_string()) {
            Some(n) if *n > 0 => *n -= 1,
            _ if value.is_null() || is_named(&path, value, said) => {}
            _ => out.push(format!("Not kept: {path}, {}.", why(&path, said, &old, &new))),
        }
    }
    out
}

/// Why it is not kept: the place that a line says its kin moved to has a value of its own, or there is no such place.
fn why(path: &str, said: &[String], old: &Leaves<'_>, new: &Leaves<'_>) -> &'static str {
    let name = path.rsplit('.').next().unwrap_or(path);
    let targets = said.iter().filter_map(|line| line.split_once("\u{2192} ")).map(|(_, to)| to.trim_end_matches('.'));
    let stood =
        |to: &str| new.keys().any(|p| p.starts_with(to) && p.rsplit('.').next() == Some(name) && old.contains_key(p));
    if targets.into_iter().any(stood) { "another value stands in its place" } else { "it has no place there" }
}

/// Whether a line is about this value: it names it, or tells that what holds it is removed.
fn is_named(path: &str, value: &Value, said: &[String]) -> bool {
    let holders = || path.match_indices('.').map(|(at, _)| &path[..at]).chain([path]);
    said.iter().any(|line| {
        let has = |name: &str| line.split([' ', ',', '(', ')']).any(|word| word.trim_end_matches(['.', ';']) == name);
        // `Removed x from the.list`.
        let of_list = || path.rsplit_once('[').is_some_and(|(list, _)| has(list)) && value.as_str().is_some_and(has);
        has(path) || line.contains(path) || (line.starts_with("Removed ") && (holders().any(has) || of_list()))
    })
}

/// Paths and values, by place: the path without positions in lists.
type Leaves<'v> = BTreeMap<String, Vec<(String, &'v Value)>>;

/// Every value that is no object, by its dotted path; positions of lists stand in brackets.
fn leaves(root: &Value) -> Leaves<'_> {
    let mut out = Leaves::new();
    let mut open = vec![(String::new(), String::new(), root)];
    while let Some((place, path, value)) = open.pop() {
        match value {
            Value::Object(map) => {
                let dot = if path.is_empty() { "" } else { "." };
                let within = |(name, value)| (format!("{place}{dot}{name}"), format!("{path}{dot}{name}"), value);
                open.extend(map.iter().map(within));
            }
            Value::Array(list) => {
                let within = |(at, value)| (format!("{place}[]"), format!("{path}[{at}]"), value);
                open.extend(list.iter().enumerate().map(within));
            }
            _ => out.entry(place).or_default().push((path, value)),
        }
    }
    out.values_mut().for_each(|list| list.reverse());
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

    #[test]
    fn values_of_a_list_are_told_apart_by_what_they_say() {
        let before = json!({ "list": ["gone", "x", "y"], "old": { "on": true } });
        let removed = ["Removed gone from list.".to_owned()];
        assert!(lines(&before, &json!({ "list": ["x", "y"], "old": { "on": true } }), &removed).is_empty());
        let found = lines(&before, &json!({ "list": ["x"], "old": { "on": true } }), &removed);
        assert_eq!(found, ["Not kept: list[2], it has no place there."]);
        let found = lines(&before, &json!({ "list": ["gone", "x", "y"] }), &[]);
        assert_eq!(found, ["Not kept: old.on, it has no place there."]);
    }

    #[test]
    fn another_value_is_spoken_of_where_there_is_one() {
        let (before, after) = (json!({ "old": { "a": 1 }, "new": { "a": 2 } }), json!({ "new": { "a": 2 } }));
        let found = lines(&before, &after, &["Moved old \u{2192} new.".to_owned()]);
        assert_eq!(found, ["Not kept: old.a, another value stands in its place."]);
    }
}
