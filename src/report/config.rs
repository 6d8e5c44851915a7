//! `config path`, `config get` and `config validate` as text and as JSON. Pure.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use comfy_table::{ContentArrangement, Table, presets};
use serde_json::{Value, json};

use super::escape;
use crate::model::settings::Problem;
use crate::model::sourced::Origin;
use crate::model::stores::Roots;

/// Version of the JSON of these commands.
const SCHEMA_VERSION: u32 = 1;

/// One value in force.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Dotted key.
    pub key: String,
    /// The value for programs: bytes and milliseconds as numbers, `null` for off and for unset.
    pub value: Value,
    /// The value for people.
    pub text: String,
    /// Where it was found.
    pub origin: Origin,
}

/// What `config validate` found out.
#[derive(Debug, Clone)]
pub struct Validation<'a> {
    /// Files that were read, the main one first.
    pub files: Vec<PathBuf>,
    /// The configuration that was looked for.
    pub config_path: &'a Path,
    /// Whether it exists.
    pub config_found: bool,
    /// Why nothing could be read, if so.
    pub error: Option<&'a str>,
    /// Values that are not allowed.
    pub problems: &'a [Problem],
    /// Advice.
    pub warnings: &'a [String],
}

impl Validation<'_> {
    /// Nothing would stop a mutating command.
    pub fn is_valid(&self) -> bool {
        self.error.is_none() && self.problems.is_empty()
    }
}

/// Which files of `config path` exist.
#[derive(Debug, Clone, Copy)]
pub struct Existing {
    /// The state folder.
    pub state_dir: bool,
    /// The gateway's configuration.
    pub config: bool,
    /// Our own file.
    pub own: bool,
}

/// `config get` for people. `width` 0 means no limit.
pub fn values_text(rows: &[Row], width: usize) -> String {
    table(["Key", "Value", "From"], rows.iter().map(|r| [r.key.clone(), r.text.clone(), r.origin.to_string()]), width)
}

/// `config get` for programs.
pub fn values_json(rows: &[Row]) -> Value {
    let values: Vec<Value> =
        rows.iter().map(|r| json!({ "key": r.key, "value": r.value, "origin": origin_json(&r.origin) })).collect();
    json!({ "schemaVersion": SCHEMA_VERSION, "values": values })
}

/// `config path` for people.
pub fn paths_text(roots: &Roots, own: &Path, existing: Existing, width: usize) -> String {
    let found = |origin: &Origin, exists: bool| {
        let how = match origin {
            Origin::Default => "default".to_owned(),
            other => format!("from {other}"),
        };
        if exists { how } else { format!("{how}, does not exist") }
    };
    let mut rows = vec![
        ["home".to_owned(), shown(&roots.home), String::new()],
        ["state".to_owned(), shown(&roots.state_dir), found(&roots.state_origin, existing.state_dir)],
        ["config".to_owned(), shown(&roots.config_path), found(&roots.config_origin, existing.config)],
        ["own settings".to_owned(), shown(own), found(&Origin::Default, existing.own)],
    ];
    if roots.legacy {
        rows[1][2].push_str(", former name");
    }
    if let Some(profile) = &roots.profile {
        rows.push(["profile".to_owned(), profile.clone(), String::new()]);
    }
    for other in &roots.other_state_dirs {
        rows.push(["other state".to_owned(), shown(other), "not looked at".to_owned()]);
    }
    table(["What", "Path", "How found"], rows.into_iter(), width)
}

/// `config path` for programs.
pub fn paths_json(roots: &Roots, own: &Path, existing: Existing) -> Value {
    let others: Vec<String> = roots.other_state_dirs.iter().map(|p| shown(p)).collect();
    json!({
        "schemaVersion": SCHEMA_VERSION,
        "home": shown(&roots.home),
        "stateDir": shown(&roots.state_dir),
        "stateOrigin": origin_json(&roots.state_origin),
        "stateExists": existing.state_dir,
        "legacy": roots.legacy,
        "profile": roots.profile,
        "configPath": shown(&roots.config_path),
        "configOrigin": origin_json(&roots.config_origin),
        "configExists": existing.config,
        "ownPath": shown(own),
        "ownExists": existing.own,
        "otherStateDirs": others,
    })
}

/// `config validate` for people.
pub fn validation_text(v: &Validation<'_>) -> String {
    let mut out = String::new();
    let mut say = |text: &str| {
        let _ = writeln!(out, "{}", escape::line(text));
    };
    if let Some(error) = v.error {
        say(&format!("error: {error}"));
    }
    for p in v.problems {
        say(&problem_text(p));
    }
    for w in v.warnings {
        say(&format!("warning: {w}"));
    }
    if v.error.is_none() && !v.config_found {
        say(&format!("{} does not exist: defaults are in force", v.config_path.display()));
    }
    let read: Vec<String> = v.files.iter().map(|f| shown(f)).collect();
    if !read.is_empty() {
        say(&format!("read: {}", read.join(", ")));
    }
    say(match (v.is_valid(), v.warnings.len()) {
        (true, 0) => "valid",
        (true, _) => "valid, with warnings",
        (false, _) => "not valid: commands that change something do not run",
    });
    out
}

/// One problem as a sentence.
pub fn problem_text(p: &Problem) -> String {
    format!("problem: {}: {} is {}; allowed: {}", p.path.display(), p.key, p.value, p.allowed)
}

/// `config validate` for programs.
pub fn validation_json(v: &Validation<'_>) -> Value {
    let problems: Vec<Value> = v
        .problems
        .iter()
        .map(|p| json!({ "key": p.key, "value": p.value, "allowed": p.allowed, "path": shown(&p.path) }))
        .collect();
    json!({
        "schemaVersion": SCHEMA_VERSION,
        "valid": v.is_valid(),
        "configPath": shown(v.config_path),
        "configExists": v.config_found,
        "files": v.files.iter().map(|f| shown(f)).collect::<Vec<_>>(),
        "error": v.error,
        "problems": problems,
        "warnings": v.warnings,
    })
}

/// An origin for programs. Paths that are not UTF-8 are shown as well as they can be.
fn origin_json(origin: &Origin) -> Value {
    match origin {
        Origin::Default => json!({ "from": "default" }),
        Origin::Config { path } => json!({ "from": "config", "path": shown(path) }),
        Origin::Own { path } => json!({ "from": "own", "path": shown(path) }),
        Origin::Env { name } => json!({ "from": "env", "name": name }),
        Origin::Flag { name } => json!({ "from": "flag", "name": name }),
    }
}

fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn table<const N: usize>(header: [&str; N], rows: impl Iterator<Item = [String; N]>, width: usize) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(header);
    if width > 0 {
        table.set_content_arrangement(ContentArrangement::Dynamic);
        table.set_width(u16::try_from(width).unwrap_or(u16::MAX));
    }
    for row in rows {
        table.add_row(row.iter().map(|cell| escape::line(cell).to_string()));
    }
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
    }
    table.lines().map(|l| format!("{}\n", l.trim_end())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roots() -> Roots {
        Roots {
            home: "/h".into(),
            state_dir: "/h/.clawdbot".into(),
            state_origin: Origin::Default,
            legacy: true,
            config_path: "/h/\u{1b}[2J.json".into(),
            config_origin: Origin::Env { name: "OPENCLAW_CONFIG_PATH".to_owned() },
            profile: None,
            other_state_dirs: vec!["/h/.openclaw-dev".into()],
        }
    }

    const EXISTING: Existing = Existing { state_dir: true, config: false, own: false };

    #[test]
    fn paths_say_how_they_were_found() {
        let text = paths_text(&roots(), Path::new("/h/.clawdbot/clawkeep.json5"), EXISTING, 0);
        assert!(text.contains("default, former name"), "{text}");
        assert!(text.contains("from $OPENCLAW_CONFIG_PATH, does not exist"), "{text}");
        assert!(text.contains("/h/.openclaw-dev") && text.contains("not looked at"), "{text}");
        assert!(!text.contains('\u{1b}'), "{text}");
        let json = paths_json(&roots(), Path::new("/own"), EXISTING);
        assert_eq!(json["configOrigin"], json!({ "from": "env", "name": "OPENCLAW_CONFIG_PATH" }));
        assert_eq!((&json["configExists"], &json["stateExists"]), (&json!(false), &json!(true)));
    }

    #[test]
    fn a_validation_names_key_value_file_and_what_is_allowed() {
        let problems = [Problem {
            key: "session.maintenance.pruneAfter".to_owned(),
            value: "\"1Y\"".to_owned(),
            allowed: "a duration".to_owned(),
            path: "/c".into(),
        }];
        let mut v = Validation {
            files: vec!["/c".into()],
            config_path: Path::new("/c"),
            config_found: true,
            error: None,
            problems: &problems,
            warnings: &["w".to_owned()],
        };
        assert_eq!(
            validation_text(&v),
            "problem: /c: session.maintenance.pruneAfter is \"1Y\"; allowed: a duration\nwarning: w\nread: /c\n\
             not valid: commands that change something do not run\n"
        );
        let json = validation_json(&v);
        assert_eq!((&json["valid"], &json["problems"][0]["value"]), (&json!(false), &json!("\"1Y\"")));
        v.problems = &[];
        assert!(v.is_valid() && validation_text(&v).ends_with("valid, with warnings\n"));
        v.error = Some("broken");
        assert!(!v.is_valid() && validation_text(&v).starts_with("error: broken\n"));
        (v.error, v.config_found, v.files) = (None, false, Vec::new());
        assert!(validation_text(&v).contains("/c does not exist: defaults are in force"));
    }
}
