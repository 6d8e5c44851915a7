//! `sessions runs`: what this program did here, newest first.

use std::path::{Path, PathBuf};

use crate::cli::GlobalFlags;
use crate::cli::runs::RunsArgs;
use crate::cmd::start;
use crate::context::Context;
use crate::error::{Error, Result};
use crate::exit;
use crate::journal::read;
use crate::report::runs::{human_text, json, view};
use crate::scan::facts;

/// Lists the runs of the chosen stores.
///
/// # Errors
/// See [`runs`].
pub fn run(ctx: &mut Context, g: &GlobalFlags, a: &RunsArgs) -> Result<u8> {
    let start = start::reading(ctx, g, &a.select)?;
    let mut folders: Vec<PathBuf> = start.selection.targets.iter().filter_map(facts::artefact_folder).collect();
    // Runs over run logs and configuration are kept in the state folder.
    folders.push(start.roots.state_dir.clone());
    folders.dedup();
    let folders: Vec<&Path> = folders.iter().map(PathBuf::as_path).collect();
    runs(a, ctx, &folders)?;
    Ok(exit::DONE)
}

/// Lists the runs recorded in these folders (`own_dirs`: artefact folders, or the state folder).
///
/// # Errors
/// A `.clawkeep` that cannot be read.
pub fn runs(args: &RunsArgs, ctx: &mut Context, own_dirs: &[&Path]) -> Result<()> {
    let mut views = Vec::new();
    for own_dir in own_dirs {
        views.extend(read::list(own_dir)?.iter().map(view));
    }
    views.sort_by(|a, b| b.id.cmp(&a.id));
    views.truncate(args.limit.unwrap_or(usize::MAX));
    let text = if ctx.output.json {
        json(&views).map_err(|e| Error::failed(format!("cannot format the report: {e}")))?
    } else if ctx.output.quiet > 0 {
        return Ok(());
    } else {
        human_text(&views, ctx.run_time(), ctx.width())
    };
    ctx.write_stdout(text.as_bytes())
}
