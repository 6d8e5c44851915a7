//! Configurations that somebody else writes: an edit would be lost at the next run of the tool that owns the file, or is
//! not possible at all. Reads only.

use std::path::{Path, PathBuf};

use crate::context::Env;
use crate::fsx::writable;
use crate::model::doctor::Managed;

/// Tools that leave a note in the first lines of what they write.
const TOOLS: &[(&str, &str)] = &[
    ("ansible", "Ansible"),
    ("chezmoi", "chezmoi"),
    ("home-manager", "home-manager"),
    ("home manager", "home-manager"),
    ("puppet", "Puppet"),
    ("nixos", "NixOS"),
    ("saltstack", "Salt"),
    ("terraform", "Terraform"),
    ("chef ", "Chef"),
];
/// What such a note says beside the name.
const SAYS: &[&str] =
    &["managed", "generated", "do not edit", "do not modify", "don't edit", "created by", "controlled by"];
/// How many lines are looked at.
const LINES: usize = 12;

/// Who writes this file, if it is not the user of the state folder `state`.
pub fn of(path: &Path, text: &str, env: &Env, state: &Path) -> Option<Managed> {
    let managed = |by: &str, why: String| Some(Managed { by: by.to_owned(), why });
    if env.raw("OPENCLAW_NIX_MODE").is_some_and(|value| value == "1") {
        return managed("Nix", "OPENCLAW_NIX_MODE is 1".to_owned());
    }
    let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    if real.starts_with("/nix/store") || links_through_store(path) {
        return managed("Nix", format!("{} lies in the Nix store", real.display()));
    }
    if let Some((tool, line)) = marker(text) {
        return managed(tool, format!("line {line} of {} says so", path.display()));
    }
    if let Some(why) = not_writable(&real) {
        return managed("read-only", why);
    }
    if let Some(other) = other_state(path, &real, state) {
        return managed(OTHER_STATE, format!("it is a link into another state folder, {}", other.display()));
    }
    linked(&real).and_then(|why| managed(HARD_LINK, why))
}

/// `by` of a file that a link leads to, in the state folder of another installation.
pub const OTHER_STATE: &str = "another state folder";

/// The state folder that a link leads into. Who copies a state copies its links, and what they lead to stays that of the
/// original; a link to anywhere else (a collection of settings that is kept on purpose) is followed, as the gateway does.
fn other_state(path: &Path, real: &Path, state: &Path) -> Option<PathBuf> {
    let beside = path.parent()?.canonicalize().ok()?;
    let ours = state.canonicalize().unwrap_or_else(|_| state.to_owned());
    let is_state = |dir: &&Path| {
        dir.join("agents").is_dir() && ["openclaw.json", "clawdbot.json"].iter().any(|name| dir.join(name).is_file())
    };
    let other = |dir: &&Path| !ours.starts_with(dir) && !beside.starts_with(dir);
    real.ancestors().skip(1).filter(other).find(is_state).map(Path::to_owned)
}

/// `by` of a file with several names.
pub const HARD_LINK: &str = "a hard link";

/// An edit puts a new file under one of the names: the others would keep the old text.
#[cfg(unix)]
fn linked(real: &Path) -> Option<String> {
    use std::os::unix::fs::MetadataExt as _;
    let names = real.metadata().ok()?.nlink();
    (names > 1).then(|| format!("{} has {names} names, and an edit would part it from the others", real.display()))
}

#[cfg(not(unix))]
fn linked(_: &Path) -> Option<String> {
    None
}

/// A link on the way leads into the store, whatever it leads to in the end.
fn links_through_store(path: &Path) -> bool {
    std::fs::read_link(path).is_ok_and(|target| target.starts_with("/nix/store"))
}

/// The tool that a comment in the first lines names, and the line.
fn marker(text: &str) -> Option<(&'static str, usize)> {
    let mut in_block = false;
    for (at, line) in text.lines().take(LINES).enumerate() {
        let trimmed = line.trim_start_matches('\u{feff}').trim_start();
        let comment = in_block || trimmed.starts_with("//") || trimmed.starts_with("/*") || trimmed.starts_with('#');
        if trimmed.contains("/*") {
            in_block = true;
        }
        if trimmed.contains("*/") {
            in_block = false;
        }
        if !comment {
            continue;
        }
        let lower = trimmed.to_lowercase();
        let tool = TOOLS.iter().find(|(word, _)| lower.contains(word));
        if let Some((word, tool)) = tool {
            let rest = lower.replace(word, " ");
            if SAYS.iter().any(|say| rest.contains(say)) {
                return Some((tool, at + 1));
            }
        }
    }
    None
}

/// No write bit at all means that nobody is to write it, root or not; and the folder must let us.
fn not_writable(real: &Path) -> Option<String> {
    if let Some(why) = writable::immutable(real) {
        return Some(why);
    }
    if real.metadata().is_ok_and(|meta| meta.permissions().readonly()) {
        return Some(format!("{} is read-only", real.display()));
    }
    writable::refused(real.parent()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_of_tools_are_found_and_talk_about_them_is_not() {
        for (text, tool) in [
            ("// Ansible managed\n{}", "Ansible"),
            ("/*\n * This file is managed by chezmoi\n */\n{}", "chezmoi"),
            ("\u{feff}// Generated by home-manager, do not edit\n{}", "home-manager"),
            ("// MANAGED BY PUPPET\n{}", "Puppet"),
        ] {
            assert_eq!(marker(text).map(|(tool, _)| tool), Some(tool), "{text}");
        }
        for text in [
            "{ note: 'managed by ansible' }",
            "// I moved away from chezmoi\n{}",
            "// managed by hand\n{}",
            "// see home-manager\n{}",
        ] {
            assert_eq!(marker(text), None, "{text}");
        }
        let far = format!("{}// Ansible managed\n{{}}", "\n".repeat(LINES));
        assert_eq!(marker(&far), None);
    }
}
