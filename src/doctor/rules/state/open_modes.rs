//! State folder and configuration that others can get at.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::doctor::rule::{Check, Findings, Rule};
use crate::doctor::rules::support::folders;
use crate::model::doctor::{Found, Remedy, StateFacts, Version};
use crate::model::effect::{Effect, FileRef};
use crate::model::finding::Severity;
use crate::model::fingerprint::{Fingerprint, Kind};

/// The rule.
pub const RULE: Rule = Rule {
    id: "open-modes",
    severity: Severity::Warning,
    since: Version(2026, 5, 0),
    what: "others than the owner can get at state or configuration",
    why: "The configuration holds tokens, and the state whole conversations. On a host with other users or services, group \
          and world bits are read by them. A gateway that is run by another user of the group needs them, so they are \
          never changed unasked.",
    fix: "Nothing unless --modes is given; then group and world rights go, those of the backups beside the configuration as well.",
    before: "",
    after: "",
    check: Check::State(check),
};

fn check(facts: &StateFacts, out: &mut Findings) {
    let all = &facts.seen.open_modes;
    // Backups hold the same secrets. They are told of with the file that they are of, if that can be got at as well.
    let is_backup = |path: &Path| path.file_name().is_some_and(|name| name.to_string_lossy().contains(".bak"));
    let (backups, others): (Vec<&Open>, Vec<&Open>) =
        all.iter().partition(|(path, fp)| fp.kind == Kind::File && is_backup(path));
    let of_config = others.iter().any(|(_, fp)| fp.kind == Kind::File);
    for (path, fp) in others {
        let what = if fp.kind == Kind::Dir { "the state folder" } else { "the configuration" };
        let with = if fp.kind == Kind::File { &*backups } else { &[] };
        out.extend(found(what, path, *fp, with));
    }
    if let [first, rest @ ..] = &*backups
        && !of_config
    {
        out.extend(found("a backup of the configuration", &first.0, first.1, rest));
    }
}

/// A path and its state.
type Open = (PathBuf, Fingerprint);

fn found(what: &str, path: &Path, fp: Fingerprint, with: &[&Open]) -> Option<Found> {
    let (folder, name) = (path.parent()?, path.file_name()?);
    let who = match (fp.mode & 0o007 != 0, fp.mode & 0o070 != 0) {
        (true, _) => "everybody",
        (false, _) => "the group",
    };
    let message = format!("{what} has mode {:03o}: {who} can get at it", fp.mode & 0o777);
    let mut found = RULE.found(name.to_string_lossy(), message).at(path);
    // Shared with a group on purpose: that is what the setgid bit is for.
    if fp.mode & 0o2000 != 0 && fp.mode & 0o007 == 0 {
        found.severity = Severity::Info;
    }
    let narrow = |name: &OsStr, fp: Fingerprint| Effect::SetMode {
        file: FileRef { name: name.to_owned(), fp },
        mode: fp.mode & 0o7700,
    };
    let mut effects = vec![narrow(name, fp)];
    for (path, fp) in with {
        let name = path.file_name()?;
        found.details.push(format!("so has {}: mode {:03o}", name.display(), fp.mode & 0o777));
        effects.push(narrow(name, *fp));
    }
    Some(found.remedy(Remedy::Effects {
        what: "takes the rights of others".to_owned(),
        fixes: vec![folders::fix(folder, effects)],
        flag: Some("--modes"),
    }))
}
