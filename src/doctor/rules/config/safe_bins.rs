//! A safe program has no profile.

use serde_json::Value;

use crate::doctor::rule::{Check, Notes, Rule};
use crate::doctor::value::{Object, agents, object_mut};
use crate::model::doctor::Version;
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "safe-bins-profile",
    severity: Severity::Warning,
    since: Version(2026, 5, 0),
    what: "a safe program has no profile",
    why: "Programs of tools.exec.safeBins run without asking; a profile says with which arguments. \
          Without one, a custom program is refused.",
    fix: "Adds an empty profile, which allows no option, for programs that the gateway has none for.",
    before: "{ tools: { exec: { safeBins: [\"mytool\"] } } }",
    after: "{ tools: { exec: { safeBins: [\"mytool\"], safeBinProfiles: { mytool: {} } } } }",
    check: Check::Migrate(migrate),
};

/// Programs whose profile the gateway brings.
const KNOWN: [&str; 7] = ["cut", "head", "jq", "tail", "tr", "uniq", "wc"];
/// Programs that run whatever they are given: no profile makes them safe.
const INTERPRETERS: [&str; 12] =
    ["bash", "sh", "zsh", "python", "python3", "node", "perl", "ruby", "php", "deno", "bun", "awk"];

fn migrate(root: &mut Value, notes: &mut Notes) {
    if let Some(exec) = object_mut(root, &["tools", "exec"]) {
        scaffold("tools.exec", exec, notes);
    }
    agents(root, |path, agent| {
        let exec = agent.get_mut("tools").and_then(|tools| tools.get_mut("exec")).and_then(Value::as_object_mut);
        if let Some(exec) = exec {
            scaffold(&format!("{path}.tools.exec"), exec, notes);
        }
    });
}

fn scaffold(path: &str, exec: &mut Object, notes: &mut Notes) {
    let bins = exec.get("safeBins").and_then(Value::as_array);
    let names = bins.into_iter().flatten().filter_map(Value::as_str).map(|name| name.trim().to_lowercase());
    let names: Vec<String> = names.filter(|name| !name.is_empty() && !KNOWN.contains(&name.as_str())).collect();
    for name in names {
        if INTERPRETERS.contains(&name.as_str()) {
            continue;
        }
        let profiles = exec.entry("safeBinProfiles").or_insert_with(|| Value::Object(Object::new()));
        let Some(profiles) = profiles.as_object_mut() else { return };
        if !profiles.contains_key(&name) {
            notes.change(format!("Added {path}.safeBinProfiles.{name} (empty: no option is allowed)."));
            profiles.insert(name, Value::Object(Object::new()));
        }
    }
}
