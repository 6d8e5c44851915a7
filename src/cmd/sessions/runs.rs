//! `sessions runs`: what this program did here, newest first; and letting a record go.

use std::path::{Path, PathBuf};

use super::undo_group;
use super::undo_place::{self, Place};
use crate::cli::GlobalFlags;
use crate::cli::runs::RunsArgs;
use crate::cmd::start;
use crate::context::Context;
use crate::error::{Error, Kind, Result};
use crate::exit;
use crate::journal::{forget, read};
use crate::lock::run::RunLock;
use crate::model::run::{RunRecord, RunState};
use crate::order::Order as _;
use crate::report::command::select_words;
use crate::report::runs::{Forgotten, RunsReport, forgotten_json, forgotten_text, human_text, json, loses, view};
use crate::scan::facts;

/// Folder with runs, agent, and the words that choose its store.
type Listed = (PathBuf, String, String);

/// Lists the runs of the chosen stores, or lets some of them go.
///
/// # Errors
/// A `.clawkeep` that cannot be read; with `--forget`, no such run, and what [`forget_runs`] gives.
pub fn run(ctx: &mut Context, g: &GlobalFlags, a: &RunsArgs) -> Result<u8> {
    let start = start::reading(ctx, g, &a.select)?;
    let mut places: Vec<Listed> = Vec::new();
    for target in &start.selection.targets {
        let Some(folder) = facts::artefact_folder(target) else { continue };
        // Agents may share a folder; its runs are listed once.
        if !places.iter().any(|(known, ..)| *known == folder) {
            places.push((folder, target.agent_id.clone(), select_words(target)));
        }
    }
    // Runs over run logs and configuration are kept in the state folder.
    places.push((start.roots.state_dir.clone(), String::new(), String::new()));
    if !a.forget.is_empty() {
        let folders: Vec<&Path> = places.iter().map(|(folder, ..)| folder.as_path()).collect();
        let chosen = with_their_groups(chosen(a, &folders)?, &undo_place::all(ctx, &start))?;
        return forget_runs(a, ctx, &chosen);
    }
    let mut runs = Vec::new();
    for (folder, agent, select) in &places {
        runs.extend(read::list(folder)?.iter().map(|run| view(run, agent, select)));
    }
    runs.order_by(crate::report::runs::newest_first);
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

/// A run, and the folder that records it.
type Chosen = (PathBuf, RunRecord);

/// The runs that are named.
fn chosen(args: &RunsArgs, own_dirs: &[&Path]) -> Result<Vec<Chosen>> {
    let mut chosen: Vec<Chosen> = Vec::new();
    for id in &args.forget {
        let holder = own_dirs.iter().find(|dir| read::one(dir, id).is_ok());
        let Some(dir) = holder else {
            let shown = crate::report::escape::line(id);
            return Err(
                Error::failed(format!("no run {shown} is recorded here")).hint("clawkeep sessions runs --all-agents")
            );
        };
        let run = read::one(dir, id)?;
        if !chosen.iter().any(|(_, other)| other.id == run.id) {
            chosen.push((dir.to_path_buf(), run));
        }
    }
    Ok(chosen)
}

/// The runs, and those of a fix of the doctor that one of them belongs to, wherever they are recorded. Such runs are undone
/// together or not at all, so a part of them would be kept for nothing.
fn with_their_groups(mut chosen: Vec<Chosen>, places: &[Place]) -> Result<Vec<Chosen>> {
    let fixes = chosen.iter().filter(|(_, run)| undo_group::is_fix(run));
    let groups: Vec<String> = fixes.map(|(_, run)| run.group().0.to_owned()).collect();
    for place in places {
        for run in read::list(&place.folder)? {
            let belongs = groups.iter().any(|group| run.group().0 == group);
            if belongs && !chosen.iter().any(|(_, other)| other.id == run.id) {
                chosen.push((place.folder.clone(), run));
            }
        }
    }
    Ok(chosen)
}

/// Removes run folders for good. All of them are looked at before the first goes.
///
/// # Errors
/// One that was never closed or is of a newer program, no consent, a busy lock.
fn forget_runs(args: &RunsArgs, ctx: &mut Context, chosen: &[Chosen]) -> Result<u8> {
    for (_, run) in chosen {
        may_go(run)?;
    }
    if !confirmed(args, ctx, chosen)? {
        return Err(Error::failed("nothing was forgotten"));
    }
    let mut done = Vec::new();
    for (dir, run) in chosen {
        let _lock = RunLock::acquire(ctx, dir, "sessions runs")?;
        let outcome = forget::runs(dir, &ctx.faults, std::slice::from_ref(&run.id))
            .map_err(|e| Error::io("open", dir, e))?
            .pop()
            .unwrap_or(Ok(()));
        done.push(Forgotten { run: view(run, "", ""), gone: outcome.is_ok(), why: outcome.err() });
    }
    let code = if done.iter().all(|f| f.gone) { exit::DONE } else { exit::PARTIAL };
    let text = if ctx.output.json {
        forgotten_json(&done).map_err(|e| Error::failed(format!("cannot format the report: {e}")))?
    } else if ctx.output.quiet > 0 {
        return Ok(code);
    } else {
        forgotten_text(&done)
    };
    ctx.write_stdout(text.as_bytes())?;
    Ok(code)
}

fn may_go(run: &RunRecord) -> Result<()> {
    match run.state {
        RunState::Unfinished => {
            Err(Error::failed(format!("run {} was interrupted: its record is needed to finish it", run.id))
                .hint("any command that changes the store finishes it first"))
        }
        RunState::TooNew(format) => {
            Err(Error::new(Kind::TooNew, format!("run {} has format {format}; a newer clawkeep wrote it", run.id)))
        }
        _ => Ok(()),
    }
}

fn confirmed(args: &RunsArgs, ctx: &Context, chosen: &[Chosen]) -> Result<bool> {
    if args.yes {
        return Ok(true);
    }
    if !(ctx.stdin_tty && ctx.stderr_tty) {
        let first = &chosen[0].1.id;
        return Err(Error::failed("this cannot be taken back, and nobody can be asked here; nothing was changed")
            .hint(format!("clawkeep sessions runs --forget {first} --yes")));
    }
    let mut question = String::new();
    if chosen.len() > args.forget.len() {
        question.push_str("Runs that one command made can only be undone together, so all of them go.\n");
    }
    for (_, run) in chosen {
        question.push_str(&format!("Run {}: {}.\n", run.id, loses(&view(run, "", ""))));
    }
    ctx.ask(&format!("{question}Forget for good? [y/N] "))
}
