//! Our own `<state>/clawkeep.json5`: what the gateway's strict file has no place for.

use std::path::PathBuf;

use serde_json::Value;

use super::document::Document;
use super::reader::{self, Reader};
use super::{file, parse, unknown};
use crate::discover::home;
use crate::error::Result;
use crate::model::Ms;
use crate::model::policy::MaxRemove;
use crate::model::settings::{OwnSettings, Problem};
use crate::model::sourced::{Limit, Sourced};
use crate::model::stores::Roots;
use crate::units::bytes;
use crate::units::duration::{self, BareUnit};

/// Name of the file in the state folder.
pub const FILE_NAME: &str = "clawkeep.json5";

/// `keep`.
pub const KEEP: &str = "keep";
/// `deletedRetention`.
pub const DELETED_RETENTION: &str = "deletedRetention";
/// `grace`.
pub const GRACE: &str = "grace";
/// `keepFree`.
pub const KEEP_FREE: &str = "keepFree";
/// `archiveTo`.
pub const ARCHIVE_TO: &str = "archiveTo";
/// `maxRemove`.
pub const MAX_REMOVE: &str = "maxRemove";

/// `gatewayTokenFile`.
pub const GATEWAY_TOKEN_FILE: &str = "gatewayTokenFile";
/// `gatewayStateDir`.
pub const GATEWAY_STATE_DIR: &str = "gatewayStateDir";

/// Every key there is.
pub const KEYS: &[&str] =
    &[KEEP, DELETED_RETENTION, GRACE, KEEP_FREE, ARCHIVE_TO, MAX_REMOVE, GATEWAY_TOKEN_FILE, GATEWAY_STATE_DIR];

/// Where the file is.
pub fn path(roots: &Roots) -> PathBuf {
    roots.state_dir.join(FILE_NAME)
}

/// Reads the file; `None` if there is none.
///
/// # Errors
/// It exists but cannot be read or parsed. It may hold patterns that protect sessions, so it is never skipped.
pub(super) fn load(roots: &Roots, warnings: &mut Vec<String>) -> Result<Option<Document>> {
    let path = path(roots);
    let Some(content) = file::read(&path, file::MAX_BYTES)? else { return Ok(None) };
    let root = parse::parse(&path, &content.bytes, warnings)?;
    Ok(Some(Document::single(&path, root)))
}

/// The typed view of the file.
pub(super) fn read(
    document: &Document,
    roots: &Roots,
    problems: &mut Vec<Problem>,
    warnings: &mut Vec<String>,
) -> OwnSettings {
    unknown::check_own(document, warnings);
    let r = &mut Reader::own(document, problems, warnings);
    OwnSettings {
        keep: keep(r),
        deleted_retention: r.duration(DELETED_RETENTION, BareUnit::Days),
        grace: grace(r),
        keep_free: keep_free(r),
        archive_to: path_of(r, ARCHIVE_TO, roots),
        max_remove: max_remove(r),
        gateway_token_file: path_of(r, GATEWAY_TOKEN_FILE, roots),
        // A name on the gateway's side: `~` and relative paths mean nothing here.
        gateway_state_dir: filled(r, GATEWAY_STATE_DIR).map(|t| t.map(|p| PathBuf::from(p.as_str()))),
    }
}

/// A path, relative to the state folder: the working directory of a nightly job is anybody's guess.
fn path_of(r: &mut Reader<'_>, key: &'static str, roots: &Roots) -> Option<Sourced<PathBuf>> {
    filled(r, key).map(|t| t.map(|p| home::user_path(p.as_ref(), &roots.home, &roots.state_dir)))
}

/// A text that says something: an empty one would switch off in silence what the key is there for.
fn filled(r: &mut Reader<'_>, key: &'static str) -> Option<Sourced<String>> {
    if let Some(empty) = r.value(key).filter(|value| value.as_str() == Some("")) {
        r.problem(key, empty, "a path; without the key there is none");
        return None;
    }
    r.text(key)
}

fn keep(r: &mut Reader<'_>) -> Vec<Sourced<String>> {
    const ALLOWED: &str = "a list of patterns over session keys";
    let items = match r.value(KEEP) {
        None => return Vec::new(),
        Some(Value::Array(items)) => items,
        Some(other) => {
            r.problem(KEEP, other, ALLOWED);
            return Vec::new();
        }
    };
    let mut patterns = Vec::new();
    for (i, item) in items.iter().enumerate() {
        match item.as_str().filter(|t| !t.trim().is_empty()) {
            Some(text) => patterns.push(r.sourced(KEEP, text.to_owned())),
            None => r.problem(&format!("{KEEP}.{i}"), item, "a pattern over session keys"),
        }
    }
    patterns
}

/// A bare number would be read as minutes by some and as milliseconds by others, so only 0 may stand without a unit.
fn grace(r: &mut Reader<'_>) -> Option<Sourced<Ms>> {
    const ALLOWED: &str = "a duration with a unit such as 10m, or 0";
    let value = r.value(GRACE)?;
    let zero = reader::duration_limit(value, BareUnit::Millis) == Some(Limit::Off);
    let with_unit = value.as_str().filter(|t| t.contains(|c: char| c.is_ascii_alphabetic()));
    match with_unit.and_then(|t| duration::parse(t, BareUnit::Millis)).or(zero.then_some(0)) {
        Some(ms) => Some(r.sourced(GRACE, ms)),
        None => {
            r.problem(GRACE, value, ALLOWED);
            None
        }
    }
}

fn keep_free(r: &mut Reader<'_>) -> Option<Sourced<String>> {
    let value = r.value(KEEP_FREE)?;
    let text = match value {
        Value::String(t) => t.trim().to_owned(),
        Value::Bool(false) => return None,
        other => reader::whole(other).map(|n| n.to_string()).unwrap_or_default(),
    };
    match bytes::parse(&text).or_else(|| percent(&text)) {
        Some(0) => None,
        Some(_) => Some(r.sourced(KEEP_FREE, text)),
        None => {
            r.problem(KEEP_FREE, value, "a size such as 20gb, or a share such as 10%");
            None
        }
    }
}

fn max_remove(r: &mut Reader<'_>) -> Option<Sourced<MaxRemove>> {
    let value = r.value(MAX_REMOVE)?;
    let limit = match value {
        Value::Bool(false) => return None,
        Value::String(t) => match t.trim().strip_suffix('%') {
            Some(_) => percent(t.trim()).map(MaxRemove::Percent),
            None => t.trim().parse().ok().map(MaxRemove::Count),
        },
        other => reader::whole(other).map(MaxRemove::Count),
    };
    match limit {
        Some(MaxRemove::Count(0) | MaxRemove::Percent(0)) => None,
        Some(limit) => Some(r.sourced(MAX_REMOVE, limit)),
        None => {
            r.problem(MAX_REMOVE, value, "a number of sessions, or a share such as 20%; 0 or false for off");
            None
        }
    }
}

/// `0%` to `100%`, whole numbers.
fn percent(text: &str) -> Option<u64> {
    let number = text.strip_suffix('%')?;
    let digits = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| number.parse().ok()).flatten().filter(|n| *n <= 100)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde_json::json;

    use super::*;
    use crate::model::sourced::Origin;
    use crate::model::{DAY, MINUTE};

    fn roots() -> Roots {
        Roots {
            home: "/h".into(),
            state_dir: "/h/.openclaw".into(),
            state_origin: Origin::Default,
            legacy: false,
            config_path: "/h/.openclaw/openclaw.json".into(),
            config_origin: Origin::Default,
            profile: None,
            other_state_dirs: Vec::new(),
        }
    }

    fn read_value(root: Value) -> (OwnSettings, Vec<Problem>, Vec<String>) {
        let document = Document::single(Path::new("/h/.openclaw/clawkeep.json5"), root);
        let (mut problems, mut warnings) = (Vec::new(), Vec::new());
        let own = read(&document, &roots(), &mut problems, &mut warnings);
        (own, problems, warnings)
    }

    #[test]
    fn every_key_is_read() {
        let (own, problems, warnings) = read_value(json!({
            "keep": ["agent:main:*", "cron:*"],
            "deletedRetention": 7,
            "grace": "5m",
            "keepFree": "10%",
            "archiveTo": "archive",
            "maxRemove": "20%",
            "gatewayTokenFile": "~/token",
            "gatewayStateDir": "/home/node/.openclaw",
        }));
        assert!(problems.is_empty() && warnings.is_empty(), "{problems:?} {warnings:?}");
        assert_eq!(own.keep.iter().map(|k| k.value.as_str()).collect::<Vec<_>>(), ["agent:main:*", "cron:*"]);
        assert_eq!(own.deleted_retention.map(|d| d.value), Some(Limit::At(7 * DAY)));
        assert_eq!(own.grace.map(|g| g.value), Some(5 * MINUTE));
        assert_eq!(own.keep_free.map(|k| k.value), Some("10%".to_owned()));
        assert_eq!(own.archive_to.map(|a| a.value), Some("/h/.openclaw/archive".into()));
        assert_eq!(own.gateway_token_file.map(|f| f.value), Some("/h/token".into()));
        assert_eq!(own.gateway_state_dir.map(|d| d.value), Some("/home/node/.openclaw".into()));
        let limit = own.max_remove.unwrap();
        assert_eq!(limit.value, MaxRemove::Percent(20));
        assert!(matches!(limit.origin, Origin::Own { .. }));
    }

    #[test]
    fn zero_and_false_are_off() {
        let (own, problems, _) = read_value(json!({
            "deletedRetention": false, "grace": 0, "keepFree": "0%", "maxRemove": 0
        }));
        assert!(problems.is_empty(), "{problems:?}");
        assert_eq!(own.deleted_retention.map(|d| d.value), Some(Limit::Off));
        assert_eq!(own.grace.map(|g| g.value), Some(0));
        assert!(own.keep_free.is_none() && own.max_remove.is_none());
    }

    #[test]
    fn what_is_not_allowed_is_a_problem() {
        for (key, value) in [
            ("keep", json!("agent:main:*")),
            ("keep.0", json!([1])),
            ("keep.0", json!([" "])),
            ("deletedRetention", json!("1 week")),
            ("grace", json!(10)),
            ("grace", json!("10")),
            ("grace", json!(-1)),
            ("keepFree", json!("110%")),
            ("keepFree", json!("some")),
            ("keepFree", json!(null)),
            ("archiveTo", json!(1)),
            ("archiveTo", json!("")),
            ("archiveTo", json!(null)),
            ("gatewayTokenFile", json!("")),
            ("gatewayStateDir", json!("")),
            ("maxRemove", json!("200%")),
            ("maxRemove", json!(1.5)),
            ("maxRemove", json!(-1)),
        ] {
            let name = key.split('.').next().unwrap();
            let (_, problems, _) = read_value(json!({ name: value }));
            assert_eq!(problems.iter().map(|p| p.key.as_str()).collect::<Vec<_>>(), [key], "{value}");
        }
    }

    #[test]
    fn an_unknown_key_is_advice() {
        let (_, problems, warnings) = read_value(json!({"kepe": [], "pruneAfter": "1d"}));
        assert!(problems.is_empty());
        assert!(warnings[0].contains("kepe") && warnings[0].contains("keep"), "{warnings:?}");
        assert_eq!(warnings.len(), 2);
    }

    #[test]
    fn a_root_that_is_no_object_is_one_problem() {
        let (_, problems, _) = read_value(json!([]));
        assert_eq!(problems.iter().map(|p| p.key.as_str()).collect::<Vec<_>>(), ["<root>"]);
    }
}
