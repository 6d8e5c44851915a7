//! Proof that an edit did what it was to do and nothing else.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use super::patch::{self, Splice};
use super::tree::{self, Kind, Node, Tree};
use crate::config::parse;

/// A text that was edited, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edited {
    /// The new text.
    pub text: String,
    /// The changes.
    pub splices: Vec<Splice>,
}

/// Edits `text` so that its value is `wanted`, and proves it. `wanted` is in the terms of [`tree`].
///
/// # Errors
/// One sentence: the text is not JSON5, or the edit cannot be proven.
pub fn edit(text: &str, wanted: &Value) -> Result<Edited, String> {
    let before = read(text)?;
    let splices = patch::splices(text, &before, wanted)?;
    let edited = patch::apply(text, &splices);
    let after = read(&edited).map_err(|e| format!("the edited text would be wrong: {e}"))?;
    if after.root.value() != *wanted {
        return Err("the edited text would have another value than the wanted one".to_owned());
    }
    if comments(text, &before) != comments(&edited, &after) {
        return Err("a comment would be lost".to_owned());
    }
    if let Some(key) = touched((text, &before.root), (&edited, &after.root), "") {
        return Err(format!("{key} would be written in another way"));
    }
    if edited.starts_with('\u{feff}') != text.starts_with('\u{feff}') {
        return Err("the byte order mark would be lost".to_owned());
    }
    Ok(Edited { text: edited, splices })
}

/// Reads a text twice: the reader that knows places and the one that the program trusts must agree.
///
/// # Errors
/// It is not JSON5, or they disagree.
pub fn read(text: &str) -> Result<Tree, String> {
    let trusted = parse::parse(Path::new("the text"), text.as_bytes(), &mut Vec::new()).map_err(|e| e.message)?;
    let tree = tree::read(text).map_err(|wrong| format!("expected {} at byte {}", wrong.what, wrong.at))?;
    if tree::plain(&tree.root.value()) != trusted {
        return Err("the text is understood in two ways".to_owned());
    }
    Ok(tree)
}

fn comments<'a>(text: &'a str, tree: &Tree) -> BTreeMap<&'a str, usize> {
    let mut counts = BTreeMap::new();
    for comment in &tree.comments {
        *counts.entry(&text[comment.clone()]).or_insert(0) += 1;
    }
    counts
}

/// The first value that is the same in both texts at the same place and is written in another way.
fn touched(before: (&str, &Node), after: (&str, &Node), key: &str) -> Option<String> {
    let written = |(text, node): (&str, &Node)| text[node.span.clone()].to_owned();
    if before.1.value() == after.1.value() {
        return (written(before) != written(after)).then(|| key.to_owned());
    }
    let join = |name: &str| if key.is_empty() { name.to_owned() } else { format!("{key}.{name}") };
    match (&before.1.kind, &after.1.kind) {
        (Kind::Object(_), Kind::Object(members)) => members.iter().find_map(|m| {
            let old = before.1.member(&m.key)?;
            let new = after.1.member(&m.key)?;
            touched((before.0, &old.value), (after.0, &new.value), &join(&m.key))
        }),
        (Kind::Array(old), Kind::Array(new)) if old.len() == new.len() => old
            .iter()
            .zip(new)
            .enumerate()
            .find_map(|(at, (o, n))| touched((before.0, &o.value), (after.0, &n.value), &join(&at.to_string()))),
        _ => None,
    }
}
