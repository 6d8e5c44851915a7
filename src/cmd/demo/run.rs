//! Builds the demo state and runs the dry run of a cleanup on it, in this process.
//!
//! The run sees an environment of its own (home in the demo folder, no other variable), so that nothing of the user's
//! installation is read, let alone changed. Without `--keep` the folder goes again, whatever came of the dry run.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::state;
use crate::cli::demo::DemoArgs;
use crate::cli::usage::{self, Parsed};
use crate::cli::{Cli, GlobalFlags};
use crate::context::{Context, Env};
use crate::error::{Error, Result};
use crate::fsx::scratch::tree;
use crate::report::{command, escape, plural};

/// Builds, shows, and removes again unless told to keep.
///
/// # Errors
/// The folder exists and is not empty, or cannot be written; whatever the dry run gives.
pub fn run(ctx: &mut Context, g: &GlobalFlags, args: &DemoArgs) -> Result<u8> {
    let root = match &args.keep {
        Some(dir) => ctx.cwd.join(dir),
        None => temp_folder(ctx),
    };
    let files = state::files(ctx.run_time());
    tree::create(&root, &files)?;
    let result = show(ctx, g, &root, files.len(), args.keep.is_some());
    if args.keep.is_none() {
        tree::remove(&root)?;
    }
    result
}

fn show(ctx: &Context, g: &GlobalFlags, root: &Path, files: usize, kept: bool) -> Result<u8> {
    let state_dir = root.join(state::STATE_DIR);
    let talk = !g.json && g.quiet == 0;
    if talk {
        let built = format!(
            "Demo state: {} ({})\n\n$ clawkeep --state-dir {} sessions cleanup --dry-run\n",
            escape::path(&state_dir),
            plural::count(files as u64, "file"),
            command::quote(&state_dir.to_string_lossy())
        );
        ctx.write_stdout(built.as_bytes())?;
    }
    let mut inner = isolated(ctx, root);
    let cli = dry_run(g, &state_dir)?;
    cli.global.apply(&mut inner);
    let code = super::super::dispatch::dispatch(&mut inner, cli)?;
    if talk {
        ctx.write_stdout(next(&state_dir, kept).as_bytes())?;
    }
    Ok(code)
}

/// The same output, but no variable of the user, and a working folder inside the demo.
fn isolated(ctx: &Context, root: &Path) -> Context {
    let mut inner = ctx.clone();
    let mut pairs: Vec<(OsString, OsString)> = vec![("HOME".into(), root.into())];
    for name in ["NO_COLOR", "FORCE_COLOR", "COLUMNS"] {
        pairs.extend(ctx.env.raw(name).map(|value| (name.into(), value.to_owned())));
    }
    inner.env = Env::of(pairs);
    root.clone_into(&mut inner.cwd);
    inner
}

/// `sessions cleanup --dry-run` on the demo state, printed as this command was asked to print.
fn dry_run(g: &GlobalFlags, state_dir: &Path) -> Result<Cli> {
    let words = ["clawkeep", "sessions", "cleanup", "--dry-run"].map(OsString::from);
    let Parsed::Run(mut cli) = usage::parse(&words) else {
        return Err(Error::failed("the dry run of the demo is no valid command line"));
    };
    cli.global = g.clone();
    cli.global.state_dir = Some(state_dir.to_owned());
    (cli.global.config, cli.global.profile, cli.global.dev) = (None, None, false);
    Ok(*cli)
}

fn next(state_dir: &Path, kept: bool) -> String {
    if !kept {
        return "\nThe demo state is removed again. To keep one and try commands on it: clawkeep demo --keep DIR\n"
            .to_owned();
    }
    let dir = state_dir.to_string_lossy();
    let dir = command::quote(&dir);
    format!(
        "\nTry next:\n  clawkeep --state-dir {dir} sessions list\n  clawkeep --state-dir {dir} sessions cleanup --enforce\n  \
         clawkeep --state-dir {dir} sessions undo\n"
    )
}

/// A name of our own in the folder for temporary files.
fn temp_folder(ctx: &Context) -> PathBuf {
    let base = ["TMPDIR", "TEMP", "TMP"].iter().find_map(|name| ctx.env.raw(name).filter(|v| !v.is_empty()));
    let base = base.map_or_else(|| PathBuf::from(if cfg!(windows) { "." } else { "/tmp" }), PathBuf::from);
    ctx.cwd.join(base).join(format!("clawkeep-demo-{}-{}", std::process::id(), ctx.run_time()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_the_users_environment_reaches_the_dry_run() {
        let mut ctx = Context::for_tests(0, "/somewhere");
        ctx.env = Env::of([("OPENCLAW_STATE_DIR", "/real"), ("HOME", "/home/me"), ("NO_COLOR", "1")]);
        let inner = isolated(&ctx, Path::new("/demo"));
        assert_eq!(inner.env.text("OPENCLAW_STATE_DIR"), None);
        assert_eq!(inner.env.text("HOME"), Some("/demo"));
        assert_eq!(inner.env.text("NO_COLOR"), Some("1"));
        let g = GlobalFlags { config: Some("/real.json".into()), json: true, ..GlobalFlags::default() };
        let cli = dry_run(&g, Path::new("/demo/.openclaw")).unwrap();
        assert_eq!(cli.global.state_dir, Some("/demo/.openclaw".into()));
        assert!(cli.global.config.is_none() && cli.global.json);
    }

    #[test]
    fn a_kept_demo_is_a_state_that_lists() {
        let tmp = tempfile::tempdir().unwrap();
        let root = tmp.path().join("demo");
        let now = 1_777_622_400_000;
        tree::create(&root, &state::files(now)).unwrap();
        let index = root.join(state::STATE_DIR).join("agents/main/sessions/sessions.json");
        let crate::model::index::IndexState::Whole(index) = crate::store::read::read(&index) else { panic!() };
        assert!(index.rows.len() >= 40, "{}", index.rows.len());
        assert!(tree::create(&root, &state::files(now)).is_err(), "an existing state is never written into");
        tree::remove(&root).unwrap();
        assert!(!root.exists());
    }
}
