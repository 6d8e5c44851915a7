//! Real gateways take every configuration that the doctor wrote: the example of each rule, the cases of this folder, and the
//! recorded ones. What a gateway refuses afterwards stands in `refusals.toml` with the reason.
//!
//! The reader of the installed gateway is called as it is, in one process for all configurations of a version: a start of
//! its command line takes seconds, and there are more than a hundred.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::common::World;
use crate::compat::shared;
use crate::gateway::real::{NEW, OLD, peer};

#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Refusal {
    /// Versions that refuse it.
    versions: Vec<String>,
    /// Names of configurations; none: any.
    #[serde(default)]
    configs: Vec<String>,
    /// Dotted key; none: any.
    key: Option<String>,
    /// Part of what the gateway says.
    #[serde(default)]
    says: String,
    note: String,
}

impl Refusal {
    fn is_about(&self, version: &str, config: &str, issue: &Value) -> bool {
        let text = |name: &str| issue[name].as_str().unwrap_or_default().to_owned();
        self.versions.iter().any(|v| v == version)
            && (self.configs.is_empty() || self.configs.iter().any(|c| c == config))
            && self.key.as_ref().is_none_or(|key| *key == text("path"))
            && text("message").contains(&self.says)
    }
}

#[derive(Debug, serde::Deserialize)]
struct Table {
    refusal: Vec<Refusal>,
}

/// Names and texts before the fix.
fn configurations(world: &World) -> Vec<(String, String, Option<PathBuf>)> {
    let rules = world.line("doctor --list --json").exits(0).json();
    let rules = rules["rules"].as_array().unwrap().iter();
    let examples = rules.filter(|rule| rule["area"] == "config" && rule["before"] != "");
    let text = |rule: &Value, key: &str| rule[key].as_str().unwrap().to_owned();
    let mut out: Vec<_> = examples.map(|rule| (text(rule, "id"), text(rule, "before"), None)).collect();
    assert!(out.len() > 40, "{}", out.len());
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/doctor/cases");
    for path in std::fs::read_dir(cases).unwrap().map(|entry| entry.unwrap().path()) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if let Some(name) = name.strip_suffix(".before.json5") {
            out.push((format!("case {name}"), std::fs::read_to_string(&path).unwrap(), None));
        }
    }
    let Some(recorded) = shared("cases/doctor") else { return out };
    for case in std::fs::read_dir(recorded).unwrap().map(|entry| entry.unwrap().path()) {
        if let Ok(text) = std::fs::read_to_string(case.join("before.json5")) {
            let name = format!("recorded {}", case.file_name().unwrap().to_string_lossy());
            out.push((name, text, Some(case.join("before-home"))));
        }
    }
    out
}

/// Fixes every configuration, and gives the name and path of each.
fn fixed(world: &World) -> Vec<(String, PathBuf)> {
    let written = |(nr, (name, text, home)): (usize, (String, String, Option<PathBuf>))| {
        let one = World::new();
        if let Some(home) = home.filter(|home| home.is_dir()) {
            super::compat::copy(&home, &one.home());
        }
        one.config_text(&text);
        let _ = one.line("doctor --fix --config-only --yes").ends();
        let folder = world.home().join(format!("fixed-{nr}"));
        super::compat::copy(&one.state(), &folder);
        (name, folder.join("openclaw.json"))
    };
    configurations(world).into_iter().enumerate().map(written).collect()
}

#[test]
#[ignore = "needs installed gateways"]
fn quick_gateways_take_what_the_doctor_wrote() {
    let table: Table = toml::from_str(include_str!("refusals.toml")).unwrap();
    let world = World::new();
    let all = fixed(&world);
    let names: BTreeSet<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
    let list = world.home().join("list");
    let lines: Vec<String> = all.iter().map(|(_, path)| format!("{}\n", path.display())).collect();
    std::fs::write(&list, lines.concat()).unwrap();
    let script = world.home().join("validate.mjs");
    std::fs::write(&script, include_str!("validate.mjs")).unwrap();
    let mut report = String::new();
    for version in [OLD, NEW] {
        let Some(peer) = peer(version) else { continue };
        let out = peer.script(&world, &script, &[&list]);
        let text = String::from_utf8_lossy(&out.stdout).into_owned();
        let answers: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(answers.len(), all.len(), "{version}: {}", String::from_utf8_lossy(&out.stderr));
        let mut used = BTreeSet::new();
        for ((name, _), answer) in all.iter().zip(&answers) {
            for issue in answer["issues"].as_array().unwrap() {
                match table.refusal.iter().position(|r| r.is_about(version, name, issue)) {
                    Some(at) => drop(used.insert(at)),
                    None => report += &format!("{version} refuses {name}: {}: {}\n", issue["path"], issue["message"]),
                }
            }
        }
        for (at, refusal) in table.refusal.iter().enumerate() {
            assert!(!refusal.note.is_empty());
            let is_here = |config: &String| names.contains(config.as_str());
            let asked = refusal.configs.is_empty() || refusal.configs.iter().any(is_here);
            // Without the recorded cases some keys come nowhere.
            let needed = shared("cases/doctor").is_some() && asked && refusal.versions.iter().any(|v| v == version);
            if needed && !used.contains(&at) {
                report += &format!("{version}: no refusal needs the entry \"{}\"\n", refusal.note);
            }
        }
    }
    assert!(report.is_empty(), "\n{report}");
}
