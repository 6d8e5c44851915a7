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

/// Lists the runs of the selected stores and, unless one store is named, of the state folder.
///
/// # Errors
/// Wrong selection, unreadable configuration, a `.clawkeep` that cannot be read.
pub fn run(ctx: &mut Context, g: &GlobalFlags, args: &RunsArgs) -> Result<u8> {
    let start = start::reading(ctx, g, &args.select)?;
    let mut dirs: Vec<PathBuf> = Vec::new();
    for target in &start.selection.targets {
        // Runs are kept beside the real index, wherever a link to it lies.
        let real = target.store_path.canonicalize().unwrap_or_else(|_| target.store_path.clone());
        dirs.extend(real.parent().map(Path::to_owned));
    }
    if args.select.store.is_none() {
        dirs.push(start.roots.state_dir.clone());
    }
    dirs.sort();
    dirs.dedup();
    let dirs: Vec<&Path> = dirs.iter().map(PathBuf::as_path).collect();
    runs(args, ctx, &dirs)?;
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
