//! One case: build its home, run it, collect the differences.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use super::compare::{Difference, compare_files, compare_json};
use super::text;
use crate::common::{DAY, HOUR, MINUTE, World, stamp};

/// A file or folder of a recorded tree.
#[derive(Debug, Clone, Default, serde::Deserialize)]
pub struct Seen {
    /// Bytes; absent for folders and links.
    pub size: Option<u64>,
    /// Octal permission bits, of indexes and sessions folders.
    pub mode: Option<String>,
    /// Content of an index.
    pub text: Option<String>,
    /// Target of a link.
    pub link: Option<String>,
}

/// What the reference did.
#[derive(Debug, Clone, Default, serde::Deserialize)]
pub struct Expect {
    /// Exit code.
    pub rc: i32,
    /// Standard output.
    #[serde(default)]
    pub stdout: String,
    /// Standard output as a value, in our own form.
    pub json: Option<Value>,
    /// The tree afterwards, by path below home.
    pub files: Option<BTreeMap<String, Seen>>,
}

/// One case. All texts may hold placeholders, see [`Case::expand`].
#[derive(Debug, Clone, Default, serde::Deserialize)]
pub struct Case {
    /// Name of its file or folder.
    #[serde(default)]
    pub name: String,
    /// What it tells apart.
    pub why: String,
    /// Arguments.
    pub args: Vec<String>,
    /// More environment.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// Text files of the home, by path.
    pub files: BTreeMap<String, String>,
    /// Files that are not text.
    #[serde(skip)]
    pub binary: BTreeMap<String, Vec<u8>>,
    /// Ages (`-3d`) of files.
    #[serde(default)]
    pub mtimes: BTreeMap<String, String>,
    /// Octal modes.
    #[serde(default)]
    pub modes: BTreeMap<String, String>,
    /// Links and their targets.
    #[serde(default)]
    pub symlinks: BTreeMap<String, String>,
    /// What the reference did.
    pub expect: Expect,
}

impl Case {
    /// Reads a case of our own form.
    pub fn from_json(path: &Path) -> Self {
        let mut case: Self = serde_json::from_str(&std::fs::read_to_string(path).unwrap())
            .unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        if let Some(json) = &case.expect.json {
            case.expect.stdout = format!("{json:#}");
        }
        case.name = path.file_stem().unwrap().to_string_lossy().into_owned();
        case
    }

    /// Runs it and tells how we differ.
    pub fn run(&self) -> Vec<Difference> {
        let mut world = World::new();
        for (name, value) in &self.env {
            let value = expand(value, &world);
            world = world.var(name, value);
        }
        self.build(&world);
        let wants = self.wanted_json(&world);
        let output = world.run(self.arguments(&world, wants.is_some()));
        let mut differences = Vec::new();
        if (output.code == Some(0)) != (self.expect.rc == 0) {
            differences.push(Difference::new("rc", self.expect.rc, output.picture()));
        }
        if let Some(want) = wants {
            match serde_json::from_str::<Value>(&output.stdout) {
                Ok(got) => compare_json("", &want, &got, &mut differences),
                Err(_) => differences.push(Difference::new("json", "one JSON value", output.picture())),
            }
        }
        if let Some(files) = &self.expect.files {
            let files = files.iter().map(|(path, seen)| (expand(path, &world), self.seen(seen, &world))).collect();
            compare_files(&files, &world, &mut differences);
        }
        differences
    }

    /// The JSON that the reference printed, or what its text says.
    fn wanted_json(&self, world: &World) -> Option<Value> {
        if self.expect.rc != 0 || self.expect.stdout.is_empty() {
            return None;
        }
        let stdout = expand(&self.expect.stdout, world);
        if stdout.starts_with('{') {
            return Some(serde_json::from_str(&stdout).unwrap());
        }
        Some(text::counts(&stdout))
    }

    fn arguments(&self, world: &World, json: bool) -> Vec<String> {
        let mut args: Vec<String> = self.args.iter().map(|arg| expand(arg, world)).collect();
        let has = |args: &[String], flag: &str| args.iter().any(|arg| arg == flag);
        let warn = self.expect.stdout.contains("\"mode\": \"warn\"") || self.expect.stdout.contains("mode: warn");
        if has(&args, "cleanup") {
            if !warn && !has(&args, "--enforce") {
                args.push("--enforce".into());
            }
            args.extend(["--grace".into(), "0".into()]);
        }
        if json && !has(&args, "--json") {
            args.push("--json".into());
        }
        args
    }

    fn seen(&self, seen: &Seen, world: &World) -> Seen {
        let text = |text: &Option<String>| text.as_ref().map(|t| expand(t, world));
        Seen { text: text(&seen.text), link: text(&seen.link), ..seen.clone() }
    }

    fn build(&self, world: &World) {
        let home = world.home();
        let place = |path: &str| home.join(expand(path, world));
        let texts = self.files.iter().map(|(path, text)| (path, expand(text, world).into_bytes()));
        for (path, bytes) in texts.chain(self.binary.iter().map(|(path, bytes)| (path, bytes.clone()))) {
            let to = place(path);
            if path.ends_with('/') {
                std::fs::create_dir_all(to).unwrap();
                continue;
            }
            std::fs::create_dir_all(to.parent().unwrap()).unwrap();
            std::fs::write(&to, bytes).unwrap();
            set_mode(&to, 0o600);
        }
        for (path, target) in &self.symlinks {
            link(&expand(target, world), &place(path));
        }
        for (path, mode) in &self.modes {
            set_mode(&place(path), u32::from_str_radix(mode, 8).unwrap());
        }
        for (path, age) in &self.mtimes {
            let at = world.now() + offset(age).unwrap_or_else(|| panic!("age {age}"));
            let time = std::time::UNIX_EPOCH + std::time::Duration::from_millis(at.try_into().unwrap());
            std::fs::File::open(place(path)).unwrap().set_modified(time).unwrap();
        }
    }
}

/// Replaces placeholders: `"@NOW-3d@"` with its quotes, or bare, is a number (epoch ms); `@TS-40d@` an archive stamp;
/// `@HOME@` the home folder; `"@AGE@"` stays and means any number.
pub fn expand(text: &str, world: &World) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('@') {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let Some(end) = from[1..].find('@').map(|n| n + 1) else {
            rest = from;
            break;
        };
        let name = &from[1..end];
        let time = |prefix: &str| name.strip_prefix(prefix).and_then(offset).map(|off| world.now() + off);
        if let Some(at) = time("NOW") {
            let quoted = out.ends_with('"') && from[end + 1..].starts_with('"');
            if quoted {
                out.pop();
            }
            out.push_str(&at.to_string());
            rest = &from[end + 1 + usize::from(quoted)..];
        } else if let Some(at) = time("TS") {
            out.push_str(&stamp(at));
            rest = &from[end + 1..];
        } else if name == "HOME" {
            out.push_str(&world.home().to_string_lossy());
            rest = &from[end + 1..];
        } else {
            out.push('@');
            rest = &from[1..];
        }
    }
    out.push_str(rest);
    out
}

/// `-3d`, `+5m`, `-10ms` in ms.
fn offset(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-'])?;
    let unit_at = digits.find(|c: char| !c.is_ascii_digit())?;
    let (number, unit) = digits.split_at(unit_at);
    let unit = match unit {
        "ms" => 1,
        "s" => 1000,
        "m" => MINUTE,
        "h" => HOUR,
        "d" => DAY,
        _ => return None,
    };
    let span = number.parse::<i64>().ok()? * unit;
    Some(if text.starts_with('-') { -span } else { span })
}

#[cfg(unix)]
fn set_mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(mode)).unwrap();
}

#[cfg(not(unix))]
fn set_mode(_path: &Path, _mode: u32) {}

#[cfg(unix)]
fn link(target: &str, path: &Path) {
    std::os::unix::fs::symlink(target, path).unwrap();
}

#[cfg(not(unix))]
fn link(_target: &str, _path: &Path) {}

#[test]
fn placeholders_become_times_and_paths() {
    let world = World::new();
    let text = expand(r#"{"a":"@NOW-1d@","b":@NOW+2s@,"c":"x@TS-1h@","d":"@AGE@","e":"me@x@HOME@"}"#, &world);
    let value: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["a"], world.now() - DAY);
    assert_eq!(value["b"], world.now() + 2000);
    assert_eq!(value["c"], format!("x{}", stamp(world.now() - HOUR)));
    assert_eq!(value["d"], "@AGE@");
    assert_eq!(value["e"], format!("me@x{}", world.home().display()));
}
