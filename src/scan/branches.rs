//! Prompts that stand twice in a transcript: once with what the gateway adds for the model, on a branch that was left, and
//! once without it, on the branch that goes on.
//!
//! A file with a line that is no JSON is not judged: what its branches are cannot be told.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use serde_json::Value;

use super::turns::said_by;
use crate::fsx::read::{lstat, read_regular};

/// Largest transcript that is looked into.
const MOST: u64 = 64 << 20;
/// Lines round what the gateway adds. They nest; one that is not closed goes to the end.
const BEGIN: &str = "<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>";
const END: &str = "<<<END_OPENCLAW_INTERNAL_CONTEXT>>>";

/// Lines, from 1, of such prompts on branches that were left. `None` if it cannot be told.
pub fn doubled_prompts(path: &Path) -> Option<Vec<u64>> {
    if lstat(path).ok()?.size > MOST {
        return None;
    }
    let (bytes, _) = read_regular(path).ok()?;
    if memchr::memmem::find(&bytes, BEGIN.as_bytes()).is_none() {
        return Some(Vec::new());
    }
    doubled(&bytes)
}

/// A prompt of a user.
struct Prompt {
    line: u64,
    id: String,
    parent: Option<String>,
    text: String,
}

fn doubled(bytes: &[u8]) -> Option<Vec<u64>> {
    let mut parents: HashMap<String, Option<String>> = HashMap::new();
    let mut prompts = Vec::new();
    let mut leaf = None;
    for (line, text) in (1_u64..).zip(bytes.split(|b| *b == b'\n')) {
        if text.trim_ascii().is_empty() {
            continue;
        }
        let entry: Value = serde_json::from_slice(text).ok()?;
        let field = |name: &str| entry.get(name).and_then(Value::as_str).map(str::to_owned);
        if !entry.is_object() || entry["type"] == "session" {
            continue;
        }
        let (id, parent) = (field("id"), field("parentId"));
        leaf.clone_from(&id);
        let Some(id) = id else { continue };
        if let Some(text) = said_by(&entry, "user") {
            prompts.push(Prompt { line, id: id.clone(), parent: parent.clone(), text });
        }
        parents.insert(id, parent);
    }
    let leaf = leaf?;
    let active = path_to(&leaf, &parents)?;
    let goes_on = |prompt: &&Prompt| active.contains(prompt.id.as_str());
    let taken: HashSet<(Option<&str>, &str)> =
        prompts.iter().filter(goes_on).map(|p| (p.parent.as_deref(), p.text.trim())).collect();
    let left = prompts.iter().filter(|p| !goes_on(p));
    let twice = left.filter(|p| {
        let bare = without_context(&p.text);
        bare.is_some_and(|bare| !bare.is_empty() && taken.contains(&(p.parent.as_deref(), bare.as_str())))
    });
    Some(twice.map(|p| p.line).collect())
}

/// The ids from the leaf up. `None` if they go round in a circle.
fn path_to<'a>(leaf: &'a str, parents: &'a HashMap<String, Option<String>>) -> Option<HashSet<&'a str>> {
    let mut path = HashSet::new();
    let mut at = Some(leaf);
    while let Some(id) = at {
        let Some(parent) = parents.get(id) else { break };
        if !path.insert(id) {
            return None;
        }
        at = parent.as_deref();
    }
    Some(path)
}

/// The text without what the gateway added, trimmed; `None` if it added nothing.
fn without_context(text: &str) -> Option<String> {
    let (mut depth, mut found) = (0_usize, false);
    let mut kept = Vec::new();
    for line in text.lines() {
        match line.trim_end() {
            BEGIN => (depth, found) = (depth + 1, true),
            END if depth > 0 => depth -= 1,
            _ if depth == 0 => kept.push(line),
            _ => {}
        }
    }
    found.then(|| kept.join("\n").trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(id: &str, parent: Option<&str>, role: &str, text: &str) -> String {
        let message = serde_json::json!({ "role": role, "content": [{ "type": "text", "text": text }] });
        format!("{}\n", serde_json::json!({ "type": "message", "id": id, "parentId": parent, "message": message }))
    }

    fn with_context(text: &str) -> String {
        format!("{BEGIN}\nnow: noon\n{BEGIN}\nx\n{END}\n{END}\n{text}")
    }

    #[test]
    fn a_prompt_that_was_written_again_without_its_context_is_found_once() {
        let header = "{\"type\":\"session\",\"id\":\"s\"}\n";
        let first = entry("u1", None, "user", "hello") + &entry("a1", Some("u1"), "assistant", "yes");
        let left = entry("x", Some("a1"), "user", &with_context("more"));
        let taken = entry("u2", Some("a1"), "user", " more\n") + &entry("a2", Some("u2"), "assistant", "ok");
        assert_eq!(doubled(format!("{header}{first}{left}\n{taken}").as_bytes()), Some(vec![4]));
        for (text, why) in [
            (format!("{first}{}{taken}", entry("x", Some("a1"), "user", "more")), "an ordinary second try"),
            (format!("{first}{}{taken}", entry("x", Some("u1"), "user", &with_context("more"))), "another place"),
            (format!("{first}{}{taken}", entry("x", Some("a1"), "user", &with_context("other"))), "another prompt"),
            (format!("{first}{}{taken}", entry("x", Some("a1"), "user", BEGIN)), "nothing but context"),
            (format!("{first}{}", left.replace("\"x\"", "\"u2\"")), "the branch that goes on"),
        ] {
            assert_eq!(doubled(text.as_bytes()), Some(vec![]), "{why}");
        }
    }

    #[test]
    fn what_cannot_be_told_is_not_judged() {
        let round = entry("a", Some("b"), "user", &with_context("x")) + &entry("b", Some("a"), "user", "x");
        let torn = entry("a", None, "user", "x") + "{\"type\":\"mess";
        for text in [round, torn, "{\"type\":\"session\"}".to_owned()] {
            assert_eq!(doubled(text.as_bytes()), None, "{text}");
        }
    }
}
