//! Recorded runs of the reference gateway's doctor on state folders: the same files with the same values, except where
//! `state_deviations.toml` says otherwise. An entry that no case needs is a failure, as is a difference without one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;

use super::compat::{compare, copy};
use crate::common::World;
use crate::compat::shared;

#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Deviation {
    case: String,
    /// `file` or `file#dotted.key`, below the home.
    places: Vec<String>,
    note: String,
}

#[derive(Debug, serde::Deserialize)]
struct Table {
    deviation: Vec<Deviation>,
}

#[test]
fn recorded_states() {
    let Some(dir) = shared("cases/doctor") else {
        println!("skipped: no shared cases");
        return;
    };
    let table: Table = toml::from_str(include_str!("state_deviations.toml")).unwrap();
    let mut used = BTreeSet::new();
    let (mut report, mut ran) = (String::new(), BTreeSet::new());
    for case in std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()) {
        let name = case.file_name().unwrap().to_string_lossy().into_owned();
        if !name.starts_with("state-") || !case.join("before-home").is_dir() {
            continue;
        }
        ran.insert(name.clone());
        for place in differences(&case) {
            let entry = table.deviation.iter().position(|d| d.case == name && d.places.contains(&place.0));
            match entry {
                Some(at) => drop(used.insert((at, place.0))),
                None => report += &format!("{name}: {}: the reference {}, we {}\n", place.0, place.1, place.2),
            }
        }
    }
    assert!(ran.len() >= 10, "{}", ran.len());
    for (at, deviation) in table.deviation.iter().enumerate().filter(|(_, d)| ran.contains(&d.case)) {
        assert!(!deviation.note.is_empty());
        for place in deviation.places.iter().filter(|place| !used.contains(&(at, (*place).clone()))) {
            report += &format!("{}: {place}: no difference needs this entry\n", deviation.case);
        }
    }
    assert!(report.is_empty(), "\n{report}");
}

fn differences(case: &Path) -> Vec<(String, String, String)> {
    let mut world = World::new();
    std::fs::remove_dir(world.state()).unwrap();
    copy(&case.join("before-home"), &world.home());
    if let Some(text) = std::fs::read_to_string(case.join("before.json5")).ok().filter(|_| world.state().is_dir()) {
        world.config_text(&text);
    }
    let messages = std::fs::read_to_string(case.join("messages.txt")).unwrap_or_default();
    for line in messages.lines().filter_map(|l| l.strip_prefix("env: ")) {
        if let Some((name, value)) = line.split_once('=').filter(|(name, _)| !name.contains("BUNDLED")) {
            world = world.var(name, value);
        }
    }
    let fixes = messages.lines().next().is_some_and(|l| l.contains("--fix") || l.contains("--yes"));
    let line = if fixes { "doctor --fix --non-interactive" } else { "doctor --non-interactive" };
    let _ = world.line(line).ends();
    let once = picture(&world.home());
    let _ = world.line(line).ends();
    assert_eq!(picture(&world.home()), once, "{}: a second run", case.display());
    let (want, got) = (picture(&case.join("after-home")), once);
    let mut found = Vec::new();
    for name in want.keys().chain(got.keys()).collect::<BTreeSet<_>>() {
        match (want.get(name), got.get(name)) {
            (Some(a), Some(b)) => contents(name, a, b, &mut found),
            (a, b) => {
                let said = |side: Option<&String>| if side.is_some() { "has it" } else { "has not" }.to_owned();
                found.push((name.clone(), said(a), said(b)));
            }
        }
    }
    found
}

fn contents(name: &str, want: &str, got: &str, found: &mut Vec<(String, String, String)>) {
    match (serde_json::from_str::<Value>(want), serde_json::from_str::<Value>(got)) {
        (Ok(want), Ok(got)) => {
            let mut keys = Vec::new();
            compare("", &want, &got, &mut keys);
            found.extend(keys.into_iter().map(|(key, a, b)| (format!("{name}#{key}"), a, b)));
        }
        _ if want != got => found.push((name.to_owned(), "other text".to_owned(), "other text".to_owned())),
        _ => {}
    }
}

/// Files below the home with what differs from run to run left out; configuration, logs and our own records too.
fn picture(home: &Path) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    for entry in walkdir::WalkDir::new(home).sort_by_file_name().into_iter().flatten() {
        let path = entry.path().strip_prefix(home).unwrap().to_string_lossy().replace('\\', "/");
        let ours = path.contains(".clawkeep") || path.contains("/logs/");
        let config = path.contains("openclaw.json") || path.contains("clawdbot.json");
        if entry.file_type().is_file() && !ours && !config {
            let text = String::from_utf8_lossy(&std::fs::read(entry.path()).unwrap()).into_owned();
            files.insert(steady(&path), steady(&text));
        }
    }
    files
}

/// Stamps in names and generated ids become one.
fn steady(text: &str) -> String {
    let mut out = String::new();
    for word in text.split_inclusive(|c: char| !(c.is_ascii_alphanumeric() || c == '-')) {
        let (core, end) = match word.char_indices().next_back() {
            Some((at, c)) if !(c.is_ascii_alphanumeric() || c == '-') => word.split_at(at),
            _ => (word, ""),
        };
        let generated = core.starts_with("cron-") && core.len() == 41;
        let aside = ["invalid-", "legacy-"]
            .iter()
            .find_map(|p| core.strip_prefix(p))
            .is_some_and(|rest| rest.len() == 13 && rest.bytes().all(|b| b.is_ascii_digit()));
        let stamp = core.len() == 24 && core.starts_with("20") && core.ends_with('Z') && core.contains('T');
        out.push_str(if generated || stamp || aside { "#" } else { core });
        out.push_str(end);
    }
    out
}
