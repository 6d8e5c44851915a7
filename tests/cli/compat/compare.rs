//! Differences between what the reference did and what we did.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;

use serde_json::Value;

use super::case::Seen;
use crate::common::World;

/// One difference.
#[derive(Debug)]
pub struct Difference {
    /// Where: `rc`, `json/pruned`, `file .openclaw/...`, `index <path>/<key>`, `mode <path>`.
    pub field: String,
    /// What the reference did.
    pub want: String,
    /// What we did.
    pub got: String,
}

impl Difference {
    /// A difference in `field`.
    pub fn new(field: impl Into<String>, want: impl Display, got: impl Display) -> Self {
        Self { field: field.into(), want: want.to_string(), got: got.to_string() }
    }
}

/// Ours may have more fields; each of the reference's must be there with its value. `"@AGE@"` is any number.
pub fn compare_json(path: &str, want: &Value, got: &Value, out: &mut Vec<Difference>) {
    match (want, got) {
        (Value::Object(want), Value::Object(got)) => {
            for (name, value) in want {
                let path = format!("{path}/{name}");
                match got.get(name) {
                    Some(ours) => compare_json(&path, value, ours, out),
                    None => out.push(Difference::new(format!("json{path}"), value, "nothing")),
                }
            }
        }
        (Value::Array(want), Value::Array(got)) if want.len() == got.len() => {
            for (at, (value, ours)) in want.iter().zip(got).enumerate() {
                compare_json(&format!("{path}/{at}"), value, ours, out);
            }
        }
        (Value::String(age), Value::Number(_)) if age == "@AGE@" => {}
        (Value::Number(want), Value::Number(got)) if want.as_f64() == got.as_f64() => {}
        _ if want == got => {}
        _ => out.push(Difference::new(format!("json{path}"), want, got)),
    }
}

/// Compares the trees: names (stamps of this run are `@TSNOW@`), sizes, links, modes, and index rows as values.
pub fn compare_files(want: &BTreeMap<String, Seen>, world: &World, out: &mut Vec<Difference>) {
    let got = snapshot(world);
    for path in want.keys().chain(got.keys()).collect::<BTreeSet<_>>() {
        match (want.get(path), got.get(path)) {
            (Some(want), Some(got)) => compare_file(path, want, got, out),
            (Some(_), None) => out.push(Difference::new(format!("file {path}"), "there", "gone")),
            (None, Some(_)) => out.push(Difference::new(format!("file {path}"), "gone", "there")),
            (None, None) => {}
        }
    }
}

fn compare_file(path: &str, want: &Seen, got: &Seen, out: &mut Vec<Difference>) {
    if want.link != got.link {
        out.push(Difference::new(format!("link {path}"), format!("{:?}", want.link), format!("{:?}", got.link)));
    }
    if want.mode.is_some() && want.mode != got.mode {
        out.push(Difference::new(format!("mode {path}"), format!("{:?}", want.mode), format!("{:?}", got.mode)));
    }
    let Some(text) = &want.text else {
        if want.size != got.size {
            out.push(Difference::new(format!("size {path}"), format!("{:?}", want.size), format!("{:?}", got.size)));
        }
        return;
    };
    let ours = got.text.as_deref().unwrap_or_default();
    match (serde_json::from_str::<Value>(text), serde_json::from_str::<Value>(ours)) {
        (Ok(Value::Object(want)), Ok(Value::Object(got))) => {
            for key in want.keys().chain(got.keys()).collect::<BTreeSet<_>>() {
                let show = |row: Option<&Value>| row.map_or_else(|| "no row".to_owned(), Value::to_string);
                let (want, got) = (show(want.get(key)), show(got.get(key)));
                if want != got {
                    out.push(Difference::new(format!("index {path}/{key}"), want, got));
                }
            }
        }
        _ if text == ours => {}
        _ => out.push(Difference::new(format!("index {path}"), text, ours)),
    }
}

/// Side folders that the reference writes and that are no part of a comparison, and ours.
const SKIPPED: &[&str] = &["logs", "identity", "devices", "tmp", ".clawkeep"];

fn snapshot(world: &World) -> BTreeMap<String, Seen> {
    let home = world.home();
    let walk = walkdir::WalkDir::new(&home).min_depth(1).into_iter();
    let kept = walk.filter_entry(|item| {
        let name = item.file_name().to_string_lossy();
        let skipped = SKIPPED.contains(&name.as_ref()) || name.starts_with("cache");
        !(skipped && item.file_type().is_dir())
    });
    let mut seen = BTreeMap::new();
    for item in kept {
        let item = item.unwrap();
        let mut path = item.path().strip_prefix(&home).unwrap().to_string_lossy().into_owned();
        let name = item.file_name().to_string_lossy().into_owned();
        let meta = item.path().symlink_metadata().unwrap();
        let mut entry = Seen::default();
        if meta.is_symlink() {
            entry.link = Some(std::fs::read_link(item.path()).unwrap().to_string_lossy().into_owned());
        } else if meta.is_dir() {
            if name != "sessions" {
                continue;
            }
            path.push('/');
            entry.mode = Some(mode(&meta));
        } else {
            entry.size = Some(meta.len());
            if name.ends_with(".json") && name.contains("session") {
                entry.mode = Some(mode(&meta));
                entry.text = Some(String::from_utf8_lossy(&std::fs::read(item.path()).unwrap()).into_owned());
            }
        }
        seen.insert(without_run_stamp(&path, world), entry);
    }
    seen
}

/// Replaces a stamp that this run made (not older than the case) by `@TSNOW@`.
fn without_run_stamp(path: &str, world: &World) -> String {
    const LENGTH: usize = "2026-05-01T08-00-00.000Z".len();
    let stamp = path.get(path.len().saturating_sub(LENGTH)..).unwrap_or_default();
    match clawkeep::units::time::parse_stamp(stamp.as_bytes()) {
        Some(at) if at >= world.now() - 1000 => format!("{}@TSNOW@", &path[..path.len() - LENGTH]),
        _ => path.to_owned(),
    }
}

#[cfg(unix)]
fn mode(meta: &std::fs::Metadata) -> String {
    format!("0o{:o}", std::os::unix::fs::MetadataExt::mode(meta) & 0o7777)
}

#[cfg(not(unix))]
fn mode(_meta: &std::fs::Metadata) -> String {
    String::new()
}
