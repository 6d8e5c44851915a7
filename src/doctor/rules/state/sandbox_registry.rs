//! Registries of sandbox containers in one file; today each container has a file of its own.

use std::ffi::OsString;

use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::doctor::rule::{Check, Findings, Rule};
use crate::doctor::rules::support::folders;
use crate::model::doctor::{FolderFix, Remedy, StateFacts, Version};
use crate::model::effect::{Effect, FileRef, NewName};
use crate::model::finding::Severity;
use crate::model::state_seen::RegistrySeen;

/// The rule.
pub const RULE: Rule = Rule {
    id: "sandbox-registry",
    severity: Severity::Warning,
    since: Version(2026, 5, 0),
    what: "a registry of sandbox containers is one file",
    why: "The gateway reads a file for each container. Containers that only the old registry knows are never reused and \
          never removed.",
    fix: "Writes a file for each entry that has none, then takes the old registry away. One that cannot be read, or has \
          an entry without a name, is renamed to <name>.invalid-<time>: nothing that it says is lost.",
    before: "sandbox/containers.json: { \"entries\": [{ \"containerName\": \"c-one\" }] }",
    after: "sandbox/containers/<sha256 of the name>.json: { \"containerName\": \"c-one\" }",
    check: Check::State(check),
};

fn check(facts: &StateFacts, out: &mut Findings) {
    let count = |n: usize, what: &str| crate::report::plural::count(n as u64, what);
    for registry in &facts.seen.registries {
        let subject = format!("{}.json", registry.kind);
        let aside = || quarantine(registry, facts.now);
        let (message, what, fixes) = match entries(registry) {
            None => ("it cannot be read".to_owned(), "sets it aside", aside()),
            Some((named, 0)) if named.is_empty() => ("it is empty".to_owned(), "takes it away", away(registry)),
            Some((named, 0)) => {
                let message = format!("{} in the old form", count(named.len(), "container"));
                (message, "writes a file for each", shards(registry, &named, away(registry)))
            }
            Some((named, odd)) => {
                let message = format!(
                    "{} in the old form, and {} without a name",
                    count(named.len(), "container"),
                    if odd == 1 { "1 entry".to_owned() } else { format!("{odd} entries") }
                );
                (
                    message,
                    "writes a file for each container, and sets the registry aside",
                    shards(registry, &named, aside()),
                )
            }
        };
        let remedy = Remedy::Effects { what: what.to_owned(), fixes, flag: None };
        let mut found = RULE.found(subject, message).at(registry.file.path.clone()).remedy(remedy);
        found.details = unused(registry);
        out.push(found);
    }
}

/// Entries with their names, and how many have none; `None` if it is no registry.
fn entries(registry: &RegistrySeen) -> Option<(Vec<(String, Value)>, u64)> {
    let root: Value = serde_json::from_str(registry.file.text()?).ok()?;
    let entries = root.get("entries")?.as_array()?;
    let name =
        |e: &Value| Some((e.get("containerName")?.as_str().filter(|name| !name.is_empty())?.to_owned(), e.clone()));
    let named: Vec<(String, Value)> = entries.iter().filter_map(name).collect();
    let odd = (entries.len() - named.len()) as u64;
    Some((named, odd))
}

/// Entries that come to nothing: their container has a file, or another entry, already.
fn unused(registry: &RegistrySeen) -> Vec<String> {
    let mut seen: Vec<OsString> = registry.shards.clone().unwrap_or_default();
    let mut out = Vec::new();
    for (name, _) in entries(registry).map(|(named, _)| named).unwrap_or_default() {
        let file = shard(&name);
        if seen.contains(&file) {
            out.push(format!("{name} has a file of its own: what the old registry says of it is not used"));
        } else {
            seen.push(file);
        }
    }
    out
}

/// Name of the file of a container.
fn shard(name: &str) -> OsString {
    let hex: String = Sha256::digest(name.as_bytes()).iter().map(|b| format!("{b:02x}")).collect();
    OsString::from(format!("{hex}.json"))
}

fn reference(registry: &RegistrySeen) -> FileRef {
    FileRef { name: registry.file.path.file_name().unwrap_or_default().to_owned(), fp: registry.file.fp }
}

fn away(registry: &RegistrySeen) -> Vec<FolderFix> {
    let stow = vec![Effect::Stow { file: reference(registry) }];
    registry.file.path.parent().map(|folder| folders::fix(folder, stow)).into_iter().collect()
}

fn quarantine(registry: &RegistrySeen, now: crate::model::Ms) -> Vec<FolderFix> {
    let file = reference(registry);
    let to = NewName::Given(format!("{}.json.invalid-{now}", registry.kind).into());
    let moved = vec![Effect::Move { file, to }];
    registry.file.path.parent().map(|folder| folders::fix(folder, moved)).into_iter().collect()
}

fn shards(registry: &RegistrySeen, entries: &[(String, Value)], then: Vec<FolderFix>) -> Vec<FolderFix> {
    let Some(sandbox) = registry.file.path.parent() else { return Vec::new() };
    let folder = sandbox.join(registry.kind);
    let mut fixes = Vec::new();
    if registry.shards.is_none() {
        fixes.extend(folders::make(std::slice::from_ref(&folder)));
    }
    let mut seen: Vec<OsString> = registry.shards.clone().unwrap_or_default();
    let mut effects = Vec::new();
    for (name, entry) in entries {
        let to = shard(name);
        if !seen.contains(&to) {
            let mut content = serde_json::to_vec_pretty(entry).unwrap_or_default();
            content.push(b'\n');
            seen.push(to.clone());
            effects.push(Effect::Create { to, content, mode: 0o600 });
        }
    }
    if !effects.is_empty() {
        fixes.push(folders::fix(&folder, effects));
    }
    fixes.extend(then);
    fixes
}
