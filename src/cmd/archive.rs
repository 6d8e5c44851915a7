//! `clawkeep archive`: the folder for compressed copies.

use std::path::{Path, PathBuf};

use crate::archive;
use crate::cli::GlobalFlags;
use crate::cli::archive::{ArchiveArgs, ArchiveInitArgs, ArchiveVerb};
use crate::context::Context;
use crate::discover::roots;
use crate::error::{Error, Result};
use crate::exit;
use crate::report::escape;

/// JSON form of the result.
#[derive(Debug, serde::Serialize)]
#[serde(rename_all = "camelCase")]
struct InitReport<'a> {
    schema_version: u32,
    /// Canonical path; non-UTF-8 bytes as U+FFFD.
    path: String,
    id: &'a str,
    format: u64,
    created_at: &'a str,
    /// `false`: it was an archive already.
    created: bool,
}

/// Runs the command; gives the exit code.
///
/// # Errors
/// The folder cannot be made an archive.
pub fn run(ctx: &mut Context, g: &GlobalFlags, args: &ArchiveArgs) -> Result<u8> {
    match &args.verb {
        ArchiveVerb::Init(args) => init(ctx, g, args),
    }
}

fn init(ctx: &mut Context, g: &GlobalFlags, args: &ArchiveInitArgs) -> Result<u8> {
    let dir = ctx.cwd.join(&args.dir);
    let roots = roots::resolve(ctx, &g.paths())?;
    refuse_state(&dir, &roots.state_dir)?;
    let done = archive::init(&dir, ctx.now())?;
    if ctx.output.json {
        let report = InitReport {
            schema_version: 1,
            path: done.path.to_string_lossy().into_owned(),
            id: &done.marker.id,
            format: done.marker.format,
            created_at: &done.marker.created,
            created: done.created,
        };
        let mut text =
            serde_json::to_vec_pretty(&report).map_err(|e| Error::failed(format!("cannot write JSON: {e}")))?;
        text.push(b'\n');
        ctx.write_stdout(&text)?;
    } else if ctx.output.quiet == 0 {
        ctx.write_stdout(ctx.given.complete(&sentence(&done)).as_bytes())?;
    }
    Ok(exit::DONE)
}

/// An archive lies outside of what it relieves: whoever removes, moves or restores the state would take it along, and the
/// gateway may clean up there. One that is there already stays one.
fn refuse_state(dir: &Path, state: &Path) -> Result<()> {
    let (Ok(state), Some(real)) = (state.canonicalize(), real_path(dir)) else { return Ok(()) };
    if !real.starts_with(&state) || real.join(archive::marker::NAME).exists() {
        return Ok(());
    }
    let what = if real == state { "is the state folder" } else { "lies in the state folder" };
    Err(Error::failed(format!(
        "{} {what}: an archive there is lost with the state, and takes room on the disk that is to be relieved",
        escape::path(&real)
    ))
    .hint("name a folder outside of it, best on another disk: clawkeep archive init DIR"))
}

/// The folder as it is, or as it will be in its parent.
fn real_path(dir: &Path) -> Option<PathBuf> {
    dir.canonicalize().ok().or_else(|| Some(dir.parent()?.canonicalize().ok()?.join(dir.file_name()?)))
}

fn sentence(done: &archive::marker::Initialised) -> String {
    // A folder name may hold control characters; debug formatting escapes them.
    let path = done.path.to_string_lossy();
    let path = if path.chars().any(char::is_control) { format!("{path:?}") } else { path.into_owned() };
    if done.created {
        let dir = crate::report::command::quote(&done.path.to_string_lossy()).into_owned();
        format!("{path} is an archive now; use it with: clawkeep sessions cleanup --archive-to {dir}\n")
    } else {
        format!("{path} is an archive since {}; nothing was changed\n", done.marker.created)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Debug, clap::Parser)]
    struct Cli {
        #[command(flatten)]
        archive: ArchiveArgs,
    }

    #[test]
    fn a_relative_folder_is_made_in_the_working_directory() {
        let home = tempfile::tempdir().unwrap();
        let mut ctx = Context::for_tests(1_777_622_400_000, home.path());
        ctx.output.quiet = 1;
        let cli = Cli::parse_from(["archive", "init", "attic"]);
        assert_eq!(run(&mut ctx, &GlobalFlags::default(), &cli.archive).unwrap(), exit::DONE);
        let marker = archive::marker::load(&home.path().join("attic")).unwrap();
        // The clock of the test goes on.
        assert!(marker.created.starts_with("2026-05-01T08:0"), "{}", marker.created);
        assert_eq!(run(&mut ctx, &GlobalFlags::default(), &cli.archive).unwrap(), exit::DONE, "again changes nothing");
        assert_eq!(archive::marker::load(&home.path().join("attic")).unwrap(), marker);
    }

    #[test]
    fn neither_the_state_folder_nor_what_lies_in_it_becomes_an_archive() {
        let home = tempfile::tempdir().unwrap();
        let state = home.path().join(".openclaw");
        std::fs::create_dir_all(state.join("agents")).unwrap();
        std::fs::create_dir(home.path().join("disk")).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(home.path().join("disk"), state.join("attic")).unwrap();
        let mut ctx = Context::for_tests(1_777_622_400_000, home.path());
        ctx.output.quiet = 1;
        let flags = GlobalFlags { state_dir: Some(state.clone()), ..GlobalFlags::default() };
        for (dir, what) in [(".openclaw", "is the state folder"), (".openclaw/agents/a", "lies in the state folder")] {
            let args = ArchiveInitArgs { dir: dir.into() };
            let error = init(&mut ctx, &flags, &args).unwrap_err();
            assert!(error.message.contains(what) && error.hints[0].contains("another disk"), "{error}");
        }
        assert!(!state.join("agents/a").exists() && !state.join(archive::marker::NAME).exists());
        // A link out of it leads to another disk.
        #[cfg(unix)]
        assert!(init(&mut ctx, &flags, &ArchiveInitArgs { dir: state.join("attic") }).is_ok());
    }

    #[test]
    fn the_folder_is_required() {
        assert!(Cli::try_parse_from(["archive", "init"]).is_err());
    }

    #[test]
    fn control_characters_are_escaped() {
        let marker = archive::marker::Marker { format: 1, id: String::new(), created: "then".to_owned() };
        let done = archive::marker::Initialised { path: "/a\u{1b}[31m".into(), marker, created: true };
        assert!(!sentence(&done).contains('\u{1b}'));
    }
}
