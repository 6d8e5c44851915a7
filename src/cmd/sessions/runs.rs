//! `sessions runs`: what this program did here, newest first.

use std::path::Path;

use crate::context::Context;
use crate::error::{Error, Result};
use crate::journal::read;
use crate::report::runs::{human_text, json, view};

/// List the runs that changed something, newest first.
///
/// Each run can be put back with `sessions undo RUN` until it expires: after 90 days, or when 50 newer ones exist.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct RunsArgs {
    /// Show at most this many.
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
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
