//! The effective home, `~`, and absolute paths as Node's `path.resolve` makes them (spec 1.1).

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use crate::context::Context;

/// The effective home: `OPENCLAW_HOME` (which may start with `~`), else the OS home, else the working directory.
pub fn effective(ctx: &Context) -> PathBuf {
    let os = os_home(ctx);
    if let Some(text) = home_text(ctx, "OPENCLAW_HOME") {
        if !starts_with_tilde(text) {
            return absolute(Path::new(text), &ctx.cwd);
        }
        if let Some(os) = &os {
            return expand_tilde(text, os).map_or_else(|| os.clone(), |p| absolute(&p, &ctx.cwd));
        }
        return ctx.cwd.clone();
    }
    os.unwrap_or_else(|| ctx.cwd.clone())
}

/// The home of the operating system: `HOME`, `USERPROFILE`, else the user database.
pub fn os_home(ctx: &Context) -> Option<PathBuf> {
    for name in ["HOME", "USERPROFILE"] {
        if let Some(text) = home_text(ctx, name) {
            return Some(absolute(Path::new(text), &ctx.cwd));
        }
        // A home that is not UTF-8 is still a home.
        if let Some(raw) = ctx.env.raw(name).filter(|r| r.to_str().is_none()) {
            return Some(absolute(Path::new(raw), &ctx.cwd));
        }
    }
    from_user_database()
}

/// A home variable: trimmed; empty, `undefined` and `null` (a script that printed a missing value) count as unset.
fn home_text<'a>(ctx: &'a Context, name: &str) -> Option<&'a str> {
    ctx.env.text(name).filter(|t| *t != "undefined" && *t != "null")
}

#[cfg(unix)]
fn from_user_database() -> Option<PathBuf> {
    let uid = rustix::process::getuid().as_raw().to_string();
    let table = std::fs::read_to_string("/etc/passwd").ok()?;
    table.lines().find_map(|line| {
        let mut fields = line.split(':');
        let (id, home) = (fields.nth(2)?, fields.nth(2)?);
        (id == uid && home.starts_with('/')).then(|| PathBuf::from(home))
    })
}

#[cfg(not(unix))]
fn from_user_database() -> Option<PathBuf> {
    None
}

/// Whether `text` is `~` or starts with `~/` or `~\`.
pub fn starts_with_tilde(text: &str) -> bool {
    text == "~" || text.starts_with("~/") || text.starts_with("~\\")
}

/// `~`, `~/x` and `~\x` under `home`; `None` if `text` does not start with a tilde.
pub fn expand_tilde(text: &str, home: &Path) -> Option<PathBuf> {
    if !starts_with_tilde(text) {
        return None;
    }
    let rest = text[1..].trim_start_matches(['/', '\\']);
    Some(if rest.is_empty() { home.to_owned() } else { home.join(rest) })
}

/// A path as the user typed it: `~` expanded, made absolute against `cwd`.
pub fn user_path(path: &OsStr, home: &Path, cwd: &Path) -> PathBuf {
    match path.to_str().and_then(|t| expand_tilde(t, home)) {
        Some(expanded) => absolute(&expanded, cwd),
        None => absolute(Path::new(path), cwd),
    }
}

/// Absolute and lexically normal: `.` and `..` are resolved in the text, as the gateway does, not on disk.
pub fn absolute(path: &Path, cwd: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in cwd.join(path).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                if matches!(out.components().next_back(), Some(Component::Normal(_))) {
                    out.pop();
                }
            }
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::Env;

    fn ctx(pairs: &[(&str, &str)]) -> Context {
        let mut ctx = Context::for_tests(0, "/cwd");
        ctx.env = Env::of(pairs.iter().copied());
        ctx
    }

    #[test]
    fn the_home_follows_the_gateways_order() {
        for (pairs, home) in [
            (&[("HOME", "/h")][..], "/h"),
            (&[("HOME", " /h ")], "/h"),
            (&[("HOME", "undefined"), ("USERPROFILE", "/u")], "/u"),
            (&[("HOME", "null"), ("USERPROFILE", "/u")], "/u"),
            (&[("HOME", ""), ("USERPROFILE", "/u")], "/u"),
            (&[("HOME", "rel/./x/..")], "/cwd/rel"),
            (&[("HOME", "/h"), ("OPENCLAW_HOME", "~/alt")], "/h/alt"),
            (&[("HOME", "/h"), ("OPENCLAW_HOME", "~")], "/h"),
            (&[("HOME", "/h"), ("OPENCLAW_HOME", "/other")], "/other"),
            (&[("HOME", "/h"), ("OPENCLAW_HOME", "undefined")], "/h"),
            (&[("HOME", "/h"), ("OPENCLAW_HOME", "~user")], "/cwd/~user"),
        ] {
            assert_eq!(effective(&ctx(pairs)), Path::new(home), "{pairs:?}");
        }
    }

    #[test]
    fn paths_are_made_absolute_in_the_text() {
        for (path, absolute_path) in
            [("a/b", "/cwd/a/b"), ("./a//b/", "/cwd/a/b"), ("../a", "/a"), ("../../../a", "/a"), ("/x/../y", "/y")]
        {
            assert_eq!(absolute(Path::new(path), Path::new("/cwd")), Path::new(absolute_path), "{path}");
        }
        let user = |t: &str| user_path(OsStr::new(t), Path::new("/h"), Path::new("/cwd"));
        assert_eq!(user("~//x"), Path::new("/h/x"));
        assert_eq!(user("~x"), Path::new("/cwd/~x"));
    }
}
