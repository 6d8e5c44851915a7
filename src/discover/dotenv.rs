//! `.env` files: they add variables, and never replace one that exists (spec 1.1).
//!
//! The working directory may be somebody else's checkout, so its `.env` is not trusted: it can neither move the state
//! nor change how this program or the loader of a child behaves.

use std::io;
use std::path::Path;

use crate::context::{Context, Level};

/// How much a file is trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// `<state>/.env` and `gateway.env`: the gateway's own.
    Full,
    /// `.env` of the working directory.
    CwdOnly,
}

/// Adds the variables of `path` that are not set yet. A missing file is nothing; one that cannot be read is a warning,
/// because variables it sets stay unset.
pub fn load(ctx: &mut Context, path: &Path, trust: Trust) {
    let bytes = match read(path) {
        Ok(Some(bytes)) => bytes,
        Ok(None) => return,
        Err(e) => {
            ctx.log(Level::Warning, &format!("cannot read {}: {e}; its variables are not set", path.display()));
            return;
        }
    };
    for (name, value) in parse(&String::from_utf8_lossy(&bytes)) {
        if trust == Trust::Full || allowed_in_cwd(&name) {
            ctx.env.add_if_absent(&name, &value);
        }
    }
}

/// The bytes of a regular file (links are followed), `None` if there is none.
fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match std::fs::metadata(path) {
        Ok(m) if m.is_file() => std::fs::read(path).map(Some),
        Ok(_) => Ok(None),
        Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(None),
        Err(e) => Err(e),
    }
}

/// Whether the `.env` of the working directory may set `name`. Stricter than the gateway, which keeps a list of
/// provider keys: here the shape of the name decides, and a variable that stays unset is only a warning later.
fn allowed_in_cwd(name: &str) -> bool {
    const PREFIXES: &[&str] = &["OPENCLAW_", "CLAWKEEP_", "CLAWDBOT_", "LD_", "DYLD_", "NODE_", "NPM_", "GIT_", "XDG_"];
    const NAMES: &[&str] =
        &["HOME", "USERPROFILE", "PATH", "SHELL", "TMPDIR", "TEMP", "TMP", "COLUMNS", "NO_COLOR", "FORCE_COLOR"];
    const SUFFIXES: &[&str] = &["_API_KEY", "_BASE_URL", "_PROXY"];
    let upper = name.to_ascii_uppercase();
    !PREFIXES.iter().any(|p| upper.starts_with(p))
        && !NAMES.contains(&upper.as_str())
        && !SUFFIXES.iter().any(|s| upper.ends_with(s))
}

/// Variables of a `.env` text in order; a name that comes twice counts with its last value.
fn parse(text: &str) -> Vec<(String, String)> {
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n").replace('\r', "\n");
    let mut found: Vec<(String, String)> = Vec::new();
    let mut rest = text.as_str();
    while !rest.is_empty() {
        let (entry, after) = entry(rest);
        rest = after;
        let Some((name, value)) = entry else { continue };
        match found.iter_mut().find(|(n, _)| *n == name) {
            Some(slot) => slot.1 = value,
            None => found.push((name, value)),
        }
    }
    found
}

/// The entry on the first line of `text`, if it has one, and what follows it. Quoted values may span lines.
fn entry(text: &str) -> (Option<(String, String)>, &str) {
    let (line, after) = text.split_once('\n').unwrap_or((text, ""));
    let body = line.trim_start();
    let body = body.strip_prefix("export ").unwrap_or(body).trim_start();
    let name_end = body.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-'))).unwrap_or(0);
    let (name, tail) = body.split_at(name_end);
    let tail = tail.trim_start();
    if name.is_empty() || !tail.starts_with(['=', ':']) {
        return (None, after);
    }
    let value = tail[1..].trim_start();
    let Some(quote) = value.chars().next().filter(|c| matches!(c, '"' | '\'' | '`')) else {
        let bare = value.split('#').next().unwrap_or("").trim();
        return (Some((name.to_owned(), bare.to_owned())), after);
    };
    // Offset of the opening quote in `text`, to look for the closing one beyond the line.
    let open = line.len() - value.len();
    match closing_quote(&text[open + 1..], quote) {
        Some(len) => {
            let inside = &text[open + 1..open + 1 + len];
            let value = if quote == '"' { inside.replace("\\n", "\n").replace("\\r", "\r") } else { inside.to_owned() };
            let behind = &text[open + 2 + len..];
            (Some((name.to_owned(), value)), behind.split_once('\n').map_or("", |(_, after)| after))
        }
        None => {
            let bare = value.split('#').next().unwrap_or("").trim();
            (Some((name.to_owned(), bare.to_owned())), after)
        }
    }
}

/// Bytes before the closing quote; a backslash in front of it keeps it inside.
fn closing_quote(text: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            '\\' if !escaped => escaped = true,
            c if c == quote && !escaped => return Some(at),
            _ => escaped = false,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grammar_of_env_files() {
        let text = "\u{feff}A=1\r\nexport B = two words # note\n#C=3\nD='x # y'\nE=\"l1\\nl2\"\nF=\n\nG: yaml\nbad line\n\
                    H=\"multi\nline\" # tail\nA=last\nI=\"open\nJ=`t`\n =x\n";
        let pairs = parse(text);
        let get = |n: &str| pairs.iter().find(|(name, _)| name == n).map(|(_, v)| v.as_str());
        assert_eq!(get("A"), Some("last"));
        assert_eq!(get("B"), Some("two words"));
        assert_eq!(get("C"), None);
        assert_eq!(get("D"), Some("x # y"));
        assert_eq!(get("E"), Some("l1\nl2"));
        assert_eq!(get("F"), Some(""));
        assert_eq!(get("G"), Some("yaml"));
        assert_eq!(get("H"), Some("multi\nline"));
        assert_eq!(get("I"), Some("\"open"));
        assert_eq!(get("J"), Some("t"));
        assert_eq!(pairs.len(), 9);
    }

    #[test]
    fn a_foreign_working_directory_cannot_steer() {
        for name in ["OPENCLAW_STATE_DIR", "openclaw_home", "CLAWKEEP_X", "HOME", "LD_PRELOAD", "OPENAI_API_KEY"] {
            assert!(!allowed_in_cwd(name), "{name}");
        }
        assert!(allowed_in_cwd("CWDVAR"));
    }
}
