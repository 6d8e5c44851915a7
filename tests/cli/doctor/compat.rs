//! Recorded runs of the reference gateway's doctor on configurations: the same values, except where `deviations.toml` says
//! otherwise. An entry that no case needs is a failure, as is a difference without one.
//!
//! What the gateway leaks into every file it writes (defaults, stamps) is no migration and is left out of the comparison.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::common::World;
use crate::compat::shared;

#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Deviation {
    case: String,
    /// Dotted keys that differ.
    keys: Vec<String>,
    note: String,
}

#[derive(Debug, serde::Deserialize)]
struct Table {
    deviation: Vec<Deviation>,
}

#[test]
fn recorded_configurations() {
    let Some(dir) = shared("cases/doctor") else {
        println!("skipped: no shared cases");
        return;
    };
    let table: Table = toml::from_str(include_str!("deviations.toml")).unwrap();
    let mut used = BTreeSet::new();
    let (mut report, mut ran) = (String::new(), BTreeSet::new());
    for case in std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()) {
        let before = case.join("before.json5");
        let Some(after) = ["after.json", "after.json5"].iter().map(|n| case.join(n)).find(|p| p.is_file()) else {
            continue;
        };
        if !before.is_file() {
            continue;
        }
        let name = case.file_name().unwrap().to_string_lossy().into_owned();
        ran.insert(name.clone());
        for key in differences(&case, &before, &after) {
            let entry = table.deviation.iter().position(|d| d.case == name && d.keys.contains(&key.0));
            match entry {
                Some(at) => drop(used.insert((at, key.0))),
                None => report += &format!("{name}: {}: the reference {}, we {}\n", key.0, key.1, key.2),
            }
        }
    }
    assert!(ran.len() >= 40, "{}", ran.len());
    for (at, deviation) in table.deviation.iter().enumerate().filter(|(_, d)| ran.contains(&d.case)) {
        assert!(!deviation.note.is_empty());
        for key in deviation.keys.iter().filter(|key| !used.contains(&(at, (*key).clone()))) {
            report += &format!("{}: {key}: no difference needs this entry\n", deviation.case);
        }
    }
    assert!(report.is_empty(), "\n{report}");
}

/// Keys, what the reference has, and what we have.
fn differences(case: &Path, before: &Path, after: &Path) -> Vec<(String, String, String)> {
    let mut world = World::new();
    copy(&case.join("before-home"), &world.home());
    let text = std::fs::read_to_string(before).unwrap();
    world.config_text(&text);
    let messages = std::fs::read_to_string(case.join("messages.txt")).unwrap_or_default();
    for line in messages.lines().filter_map(|l| l.strip_prefix("env: ")) {
        if let Some((name, value)) = line.split_once('=').filter(|(name, _)| !name.contains("BUNDLED")) {
            world = world.var(name, value);
        }
    }
    let fixes = messages.lines().next().is_some_and(|l| l.contains("--fix") || l.contains("--yes"));
    let line =
        if fixes { "doctor --fix --non-interactive --config-only" } else { "doctor --non-interactive --config-only" };
    let _ = world.line(line).ends();
    let once = std::fs::read(world.config_path()).unwrap();
    let _ = world.line(line).ends();
    assert_eq!(std::fs::read(world.config_path()).unwrap(), once, "{}: a second run", case.display());
    let parse = |path: &Path| json5::from_str::<Value>(&std::fs::read_to_string(path).unwrap()).unwrap_or(Value::Null);
    let (old, mut want, got) = (parse(before), parse(after), parse(&world.config_path()));
    without_leaks(&old, &mut want);
    let mut found = Vec::new();
    compare("", &want, &got, &mut found);
    found
}

fn copy(from: &Path, to: &Path) {
    for entry in walkdir::WalkDir::new(from).into_iter().flatten() {
        let target = to.join(entry.path().strip_prefix(from).unwrap());
        if entry.file_type().is_dir() {
            std::fs::create_dir_all(target).unwrap();
        } else if entry.file_type().is_file() {
            // Not by copying: the recorded files may be read-only.
            std::fs::write(target, std::fs::read(entry.path()).unwrap()).unwrap();
        }
    }
}

/// What the gateway adds to whatever it writes.
fn without_leaks(old: &Value, new: &mut Value) {
    const LEAKS: &[&str] = &[
        "/meta",
        "/wizard",
        "/commands/native",
        "/commands/nativeSkills",
        "/commands/restart",
        "/commands/ownerDisplay",
        "/messages/ackReactionScope",
        "/agents/defaults/maxConcurrent",
        "/agents/defaults/subagents",
        "/plugins/entries/memory-core",
        "/channels/telegram/dmPolicy",
        "/channels/telegram/groupPolicy",
        "/channels/telegram/accounts/work/dmPolicy",
        "/channels/telegram/accounts/work/groupPolicy",
    ];
    for leak in LEAKS {
        if old.pointer(leak).is_none() {
            take(new, leak);
        }
    }
    for parent in ["/agents/defaults", "/agents", "/commands", "/messages", "/plugins/entries", "/plugins"] {
        let empty = new.pointer(parent).and_then(Value::as_object).is_some_and(Map::is_empty);
        if empty && old.pointer(parent).is_none() {
            take(new, parent);
        }
    }
}

fn take(root: &mut Value, pointer: &str) {
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    if let Some(object) = root.pointer_mut(parent).and_then(Value::as_object_mut) {
        object.shift_remove(key);
    }
}

fn compare(key: &str, want: &Value, got: &Value, out: &mut Vec<(String, String, String)>) {
    let below = |name: &str| if key.is_empty() { name.to_owned() } else { format!("{key}.{name}") };
    match (want, got) {
        (want, got) if want == got => {}
        (Value::Object(a), Value::Object(b)) => {
            let names: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
            for name in names {
                match (a.get(name), b.get(name)) {
                    (Some(a), Some(b)) => compare(&below(name), a, b, out),
                    (a, b) => out.push((below(name), shown(a), shown(b))),
                }
            }
        }
        _ => out.push((key.to_owned(), shown(Some(want)), shown(Some(got)))),
    }
}

fn shown(value: Option<&Value>) -> String {
    value.map_or_else(|| "lacks it".to_owned(), |value| format!("has {value}"))
}

/// Our own copies of the shapes, so that the project proves the same without the recorded ones.
#[test]
fn own_configurations() {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/cli/doctor/cases");
    let mut ran = 0;
    for before in std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()) {
        let Some(name) = before.to_string_lossy().strip_suffix(".before.json5").map(str::to_owned) else { continue };
        let world = World::new();
        world.config_text(&std::fs::read_to_string(&before).unwrap());
        let _ = world.line("doctor --fix --config-only --drop-unknown").ends();
        let after = PathBuf::from(format!("{name}.after.json5"));
        let got = std::fs::read_to_string(world.config_path()).unwrap();
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&after, &got).unwrap();
        }
        assert_eq!(got, std::fs::read_to_string(&after).unwrap(), "{name}");
        let _ = world.line("doctor --fix --config-only --drop-unknown").ends();
        assert_eq!(std::fs::read_to_string(world.config_path()).unwrap(), got, "{name}: a second run");
        ran += 1;
    }
    assert!(ran >= 4, "{ran}");
}
