//! `sessions runs`: what this program did here, newest first.

use std::path::PathBuf;

use crate::cli::GlobalFlags;
use crate::cli::runs::RunsArgs;
use crate::cmd::start;
use crate::context::Context;
use crate::error::{Error, Result};
use crate::exit;
use crate::journal::read;
use crate::report::command::select_words;
use crate::report::runs::{RunsReport, human_text, json, view};
use crate::scan::facts;

/// Folder with runs, agent, and the words that choose its store.
type Place = (PathBuf, String, String);

/// Lists the runs of the chosen stores.
///
/// # Errors
/// A `.clawkeep` that cannot be read.
pub fn run(ctx: &mut Context, g: &GlobalFlags, a: &RunsArgs) -> Result<u8> {
    let start = start::reading(ctx, g, &a.select)?;
    let mut places: Vec<Place> = Vec::new();
    for target in &start.selection.targets {
        let Some(folder) = facts::artefact_folder(target) else { continue };
        // Agents may share a folder; its runs are listed once.
        if !places.iter().any(|(known, ..)| *known == folder) {
            places.push((folder, target.agent_id.clone(), select_words(target)));
        }
    }
    // Runs over run logs and configuration are kept in the state folder.
    places.push((start.roots.state_dir.clone(), String::new(), String::new()));
    let mut runs = Vec::new();
    for (folder, agent, select) in &places {
        runs.extend(read::list(folder)?.iter().map(|run| view(run, agent, select)));
    }
    runs.sort_by(|a, b| b.id.cmp(&a.id));
    runs.truncate(a.limit.unwrap_or(usize::MAX));
    let report = RunsReport {
        runs: &runs,
        several: start.selection.targets.len() > 1,
        not_looked_at: &start.selection.not_looked_at,
        given: &ctx.given,
    };
    let text = if ctx.output.json {
        json(&runs).map_err(|e| Error::failed(format!("cannot format the report: {e}")))?
    } else if ctx.output.quiet > 0 {
        return Ok(exit::DONE);
    } else {
        human_text(&report, ctx.run_time(), ctx.width())
    };
    ctx.write_stdout(text.as_bytes())?;
    Ok(exit::DONE)
}
