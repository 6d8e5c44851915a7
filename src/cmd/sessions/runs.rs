//! `sessions runs`: what this program did here, newest first; and letting a record go.

use std::path::{Path, PathBuf};

use super::undo_group;
use super::undo_name;
use super::undo_place::{self, Place};
use crate::cli::GlobalFlags;
use crate::cli::runs::RunsArgs;
use crate::cmd::start;
use crate::context::Context;
use crate::error::{Error, Kind, Result};
use crate::exit;
use crate::fsx::read::lstat;
use crate::journal::{forget, read};
use crate::lock::run::RunLock;
use crate::model::run::{RunRecord, RunState};
use crate::model::stores::{Target, TargetOrigin};
use crate::order::Order as _;
use crate::report::command::{quote, select_words};
use crate::report::runs::{Forgotten, RunsReport, forgotten_json, forgotten_text, human_text, json, last, loses, view};
use crate::scan::facts;

/// Folder with runs, agent, the words that choose its store, and whether it has no index.
type Listed = (PathBuf, String, String, bool);

/// Lists the runs of the chosen stores, or lets some of them go.
///
/// # Errors
/// A `.clawkeep` that cannot be read; with `--forget`, no such run, and what [`forget_runs`] gives.
pub fn run(ctx: &mut Context, g: &GlobalFlags, a: &RunsArgs) -> Result<u8> {
    let start = start::reading(ctx, g, &a.select)?;
    start::refuse_absent_state(g, &a.select, &start)?;
    let mut places: Vec<Listed> = Vec::new();
    for target in &start.selection.targets {
        refuse_absent(target)?;
        let Some(folder) = facts::artefact_folder(target) else { continue };
        // Agents may share a folder; its runs are listed once.
        if !places.iter().any(|(known, ..)| *known == folder) {
            let unindexed = lstat(&target.store_path).is_err();
            places.push((folder, target.agent_id.clone(), select_words(target), unindexed));
        }
    }
    // Runs over run logs and configuration are kept in the state folder.
    places.push((start.roots.state_dir.clone(), String::new(), String::new(), true));
    if !a.forget.is_empty() {
        let everywhere = undo_place::all(ctx, &start);
        let narrowed = undo_name::is_narrowed(&a.select);
        let mut folders: Vec<&Path> = places.iter().map(|(folder, ..)| folder.as_path()).collect();
        folders.extend(everywhere.iter().filter(|_| !narrowed).map(|place| place.folder.as_path()));
        let chosen = with_their_groups(chosen(a, &folders)?, &everywhere, narrowed)?;
        return forget_runs(a, ctx, &chosen);
    }
    let mut runs = Vec::new();
    for (folder, agent, select, unindexed) in &places {
        runs.extend(read::list(folder)?.iter().map(|run| view(run, agent, select).unindexed(*unindexed)));
    }
    runs.order_by(crate::report::runs::newest_first);
    let left_out = !runs.is_empty() && a.limit == Some(0);
    runs.truncate(a.limit.unwrap_or(usize::MAX));
    // Whoever names stores means the runs in those.
    let together = match last(&runs).filter(|_| !undo_name::is_narrowed(&a.select)) {
        Some(name) => undo_group::members(&undo_place::all(ctx, &start), name)?.iter().filter(|m| m.stands()).count(),
        None => 1,
    };
    let report = RunsReport {
        runs: &runs,
        together,
        left_out,
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

/// A store that was named is missed where neither it nor a record of it is there.
fn refuse_absent(target: &Target) -> Result<()> {
    let recorded = || match facts::artefact_folder(target) {
        Some(folder) => read::list(&folder).map(|runs| !runs.is_empty()),
        None => Ok(false),
    };
    let named = matches!(target.origin, TargetOrigin::StoreFlag);
    if named && lstat(&target.store_path).is_err() && !recorded()? {
        return Err(Error::new(Kind::Absent, format!("{} does not exist", target.store_path.display())));
    }
    Ok(())
}

/// A run, and the folder that records it.
type Chosen = (PathBuf, RunRecord);

/// The runs that are named: each by its own id, or by that of the first run of its command, whose record may be gone.
fn chosen(args: &RunsArgs, own_dirs: &[&Path]) -> Result<Vec<Chosen>> {
    let mut chosen: Vec<Chosen> = Vec::new();
    for id in &args.forget {
        let mut known = false;
        for by_group in [false, true] {
            if known {
                break;
            }
            for dir in own_dirs {
                let is_meant = |run: &RunRecord| if by_group { run.group().0 == id } else { run.id == *id };
                for run in read::list(dir)?.into_iter().filter(is_meant) {
                    known = true;
                    if !chosen.iter().any(|(_, other)| other.id == run.id) {
                        chosen.push((dir.to_path_buf(), run));
                    }
                }
                // One name is one run, wherever a copy of its record may lie.
                if known && !by_group {
                    break;
                }
            }
        }
        if !known {
            let shown = crate::report::escape::line(id);
            return Err(Error::failed(format!("no run {shown} is recorded here"))
                .hint("clawkeep sessions runs --all-agents --include-unconfigured"));
        }
    }
    Ok(chosen)
}

/// The runs, and the others that the same command made, wherever they are recorded: a list shows them as one. Whoever chose
/// stores means the runs in those, except for a fix of the doctor, which is undone whole or not at all, so that a part of
/// its records would be kept for nothing.
fn with_their_groups(mut chosen: Vec<Chosen>, places: &[Place], narrowed: bool) -> Result<Vec<Chosen>> {
    let whole = chosen.iter().filter(|(_, run)| !narrowed || undo_group::is_fix(run));
    let groups: Vec<String> = whole.map(|(_, run)| run.group().0.to_owned()).collect();
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
        let words: String = args.forget.iter().map(|id| format!(" --forget {}", quote(id))).collect();
        let what = match chosen.len() {
            1 => String::new(),
            n => format!(" (the records of {n} runs would go)"),
        };
        return Err(Error::failed(format!(
            "this cannot be taken back{what}, and nobody can be asked here; nothing was changed"
        ))
        .hint(format!("clawkeep sessions runs{words} --yes")));
    }
    let mut question = String::new();
    if chosen.len() > args.forget.len() {
        question.push_str(
            "Runs that one command made are one thing, so all of them go (--agent or --store: those there alone).\n",
        );
    }
    for (_, run) in chosen {
        question.push_str(&format!("Run {}: {}.\n", run.id, loses(&view(run, "", ""))));
    }
    ctx.ask(&format!("{question}Forget for good? [y/N] "))
}
