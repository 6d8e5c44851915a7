//! Home, state folder and configuration file of one installation (spec 1.1).
//!
//! The order is the gateway's, so that both always mean the same folder. `<state>/.env` may itself name a state folder
//! or a configuration file; the gateway reads it before it looks again, and so do we, once.

use std::path::{Path, PathBuf};

use super::dotenv::{self, Trust};
use super::{agent_id, home};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::model::sourced::Origin;
use crate::model::stores::Roots;

/// Port of the gateway under `--dev`.
const DEV_PORT: &str = "19001";
/// Names of the configuration file, newest first.
const CONFIG_NAMES: [&str; 2] = ["openclaw.json", "clawdbot.json"];
/// State folder in the home.
const STATE_NAME: &str = ".openclaw";
/// The one former name that the gateway still uses.
const LEGACY_NAME: &str = ".clawdbot";

/// Global flags that say where the state is.
#[derive(Debug, Clone, Default)]
pub struct PathFlags {
    /// `--state-dir`.
    pub state_dir: Option<PathBuf>,
    /// `--config`.
    pub config: Option<PathBuf>,
    /// `--profile`.
    pub profile: Option<String>,
    /// `--dev`: the profile `dev`, with its own port.
    pub dev: bool,
}

/// Finds the roots and loads the `.env` files into `ctx.env`. Writes nothing. What the flags decide is put into the
/// environment snapshot too, so that whoever looks at a variable later sees the same installation.
///
/// # Errors
/// Wrong `--profile`, or `--dev` beside it.
pub fn resolve(ctx: &mut Context, flags: &PathFlags) -> Result<Roots> {
    let flag_profile = flag_profile(flags)?;
    let cwd = ctx.cwd.clone();
    let home = home::effective(ctx);
    apply_flags(ctx, flags, flag_profile.as_ref(), &home);

    dotenv::load(ctx, &cwd.join(".env"), Trust::CwdOnly);
    let first = state_dir(ctx, flags, flag_profile.as_ref(), &home);
    dotenv::load(ctx, &first.path.join(".env"), Trust::Full);
    if first.by_default() {
        dotenv::load(ctx, &home.join(".config/openclaw/gateway.env"), Trust::Full);
    }

    let state = state_dir(ctx, flags, flag_profile.as_ref(), &home);
    let (config_path, config_origin) = config_path(ctx, flags, flag_profile.as_ref(), &home, &state);
    let other_state_dirs = other_state_dirs(ctx, &home, &state.path);
    let profile = flag_profile.map_or_else(|| env_profile(ctx), |(_, name)| Some(name)).filter(|p| p != "default");
    Ok(Roots {
        home,
        legacy: state.legacy,
        state_dir: state.path,
        state_origin: state.origin,
        config_path,
        config_origin,
        profile,
        other_state_dirs,
    })
}

/// The profile that flags ask for, with the flag: lower-cased.
fn flag_profile(flags: &PathFlags) -> Result<Option<(&'static str, String)>> {
    let Some(raw) = &flags.profile else {
        return Ok(flags.dev.then(|| ("--dev", "dev".to_owned())));
    };
    if flags.dev {
        return Err(Error::usage("cannot combine --dev with --profile"));
    }
    let name = raw.trim();
    if name.is_empty() {
        return Err(Error::usage("--profile needs a value"));
    }
    if !agent_id::is_plain(name) {
        return Err(Error::usage(format!(
            "invalid --profile {name:?}: letters, digits, \"_\" and \"-\" only, at most 64, a letter or digit first"
        )));
    }
    Ok(Some(("--profile", name.to_ascii_lowercase())))
}

/// The profile that the environment names. As in the gateway it is a label: it moves no folder.
fn env_profile(ctx: &Context) -> Option<String> {
    ctx.env.text("OPENCLAW_PROFILE").filter(|p| agent_id::is_plain(p)).map(str::to_ascii_lowercase)
}

/// Puts what the flags decide into the environment snapshot.
fn apply_flags(ctx: &mut Context, flags: &PathFlags, profile: Option<&(&'static str, String)>, home: &Path) {
    let cwd = ctx.cwd.clone();
    if let Some((_, name)) = profile {
        ctx.env.set("OPENCLAW_PROFILE", name);
        if flags.dev && ctx.env.text("OPENCLAW_GATEWAY_PORT").is_none() {
            ctx.env.set("OPENCLAW_GATEWAY_PORT", DEV_PORT);
        }
    }
    if let Some(dir) = &flags.state_dir {
        ctx.env.set("OPENCLAW_STATE_DIR", home::user_path(dir.as_os_str(), home, &cwd));
    }
    if let Some(file) = &flags.config {
        ctx.env.set("OPENCLAW_CONFIG_PATH", home::user_path(file.as_os_str(), home, &cwd));
    }
}

/// A state folder and how it was found.
struct State {
    path: PathBuf,
    origin: Origin,
    legacy: bool,
}

impl State {
    /// Neither a variable nor a flag named it.
    fn by_default(&self) -> bool {
        self.origin == Origin::Default
    }
}

fn state_dir(ctx: &Context, flags: &PathFlags, profile: Option<&(&'static str, String)>, home: &Path) -> State {
    let named = |path, origin| State { path, origin, legacy: false };
    if let Some(path) = env_path(ctx, "OPENCLAW_STATE_DIR", home) {
        return named(path, env_or_flag("OPENCLAW_STATE_DIR", "--state-dir", flags.state_dir.is_some()));
    }
    if let Some((flag, name)) = profile {
        let folder = if name == "default" { STATE_NAME.to_owned() } else { format!("{STATE_NAME}-{name}") };
        return named(home.join(folder), Origin::Flag { name: (*flag).to_owned() });
    }
    let current = home.join(STATE_NAME);
    let legacy = home.join(LEGACY_NAME);
    let skip_legacy = ctx.env.text("OPENCLAW_TEST_FAST") == Some("1");
    if !skip_legacy && !present(&current) && present(&legacy) {
        return State { path: legacy, origin: Origin::Default, legacy: true };
    }
    named(current, Origin::Default)
}

fn config_path(
    ctx: &Context,
    flags: &PathFlags,
    profile: Option<&(&'static str, String)>,
    home: &Path,
    state: &State,
) -> (PathBuf, Origin) {
    if let Some(path) = env_path(ctx, "OPENCLAW_CONFIG_PATH", home) {
        return (path, env_or_flag("OPENCLAW_CONFIG_PATH", "--config", flags.config.is_some()));
    }
    let in_state = state.path.join(CONFIG_NAMES[0]);
    if !state.by_default() {
        // A profile knows one name only; a state folder that was named never falls back to the home.
        let by_profile =
            profile.is_some_and(|(flag, _)| matches!(&state.origin, Origin::Flag { name } if name == flag));
        let names = if by_profile { &CONFIG_NAMES[..1] } else { &CONFIG_NAMES[..] };
        let found = names.iter().map(|n| state.path.join(n)).find(|p| present(p));
        return (found.unwrap_or(in_state), state.origin.clone());
    }
    let folders = [home.join(STATE_NAME), home.join(LEGACY_NAME)];
    let found = folders.iter().flat_map(|f| CONFIG_NAMES.map(|n| f.join(n))).find(|p| present(p));
    (found.unwrap_or(in_state), Origin::Default)
}

/// A path variable: trimmed, `~` expanded, absolute. One that is not UTF-8 is taken as it is.
fn env_path(ctx: &Context, name: &str, home: &Path) -> Option<PathBuf> {
    let text = ctx.env.text(name).map(std::ffi::OsStr::new);
    let raw = text.or_else(|| ctx.env.raw(name).filter(|r| r.to_str().is_none()))?;
    Some(home::user_path(raw, home, &ctx.cwd))
}

fn env_or_flag(variable: &str, flag: &str, flag_given: bool) -> Origin {
    if flag_given { Origin::Flag { name: flag.to_owned() } } else { Origin::Env { name: variable.to_owned() } }
}

/// Whether something is there. What cannot be looked at counts as there: taking it for absent would silently mean
/// another folder.
fn present(path: &Path) -> bool {
    path.try_exists().unwrap_or(true)
}

/// State folders beside the one in use: in the effective home and in the home of the operating system, by name, that
/// hold agents or a configuration (reports H6).
fn other_state_dirs(ctx: &Context, home: &Path, used: &Path) -> Vec<PathBuf> {
    let canonical = |p: &Path| p.canonicalize().unwrap_or_else(|_| p.to_owned());
    let mut seen = vec![canonical(used)];
    let mut others = Vec::new();
    let homes = [Some(home.to_owned()), home::os_home(ctx)];
    for folder in homes.into_iter().flatten() {
        for path in state_dirs_in(&folder) {
            let real = canonical(&path);
            if !seen.contains(&real) {
                seen.push(real);
                others.push(path);
            }
        }
    }
    others
}

fn state_dirs_in(home: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(home) else { return Vec::new() };
    let mut found: Vec<PathBuf> = entries
        .filter_map(std::result::Result::ok)
        .filter(|e| {
            let name = e.file_name();
            let name = name.to_string_lossy();
            name == STATE_NAME || name == LEGACY_NAME || name.starts_with(&format!("{STATE_NAME}-"))
        })
        .map(|e| e.path())
        .filter(|p| p.join("agents").is_dir() || CONFIG_NAMES.iter().any(|n| p.join(n).is_file()))
        .collect();
    found.sort();
    found
}

#[cfg(test)]
#[path = "roots_tests.rs"]
mod tests;
