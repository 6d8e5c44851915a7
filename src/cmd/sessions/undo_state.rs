//! `sessions undo` of a run that belongs to the state folder: run logs of cron, fixes of the doctor.
//!
//! No index is concerned, so there is no store to choose. The owner of the sessions is asked unless the run changed nothing
//! but the configuration, which he does not write.

use std::path::{Path, PathBuf};

use super::undo::{UndoTarget, undo};
use crate::apply::Recheck;
use crate::cli::undo::UndoArgs;
use crate::cmd::start::Start;
use crate::context::Context;
use crate::error::Result;
use crate::journal::read;
use crate::lock::owner;
use crate::model::owner::{OwnerVerdict, Writer};
use crate::model::run::{RunOp, RunRecord};
use crate::plan::undo::GatewayLimits;
use crate::scan::volume;

/// The folder outside the stores whose record has this run.
pub(super) fn holder(start: &Start, id: &str) -> Option<(PathBuf, RunRecord)> {
    let config = start.roots.config_path.canonicalize().ok();
    let folders = [Some(start.roots.state_dir.clone()), config.and_then(|c| c.parent().map(Path::to_owned))];
    folders.into_iter().flatten().find_map(|folder| {
        let folder = folder.canonicalize().ok()?;
        read::one(&folder, id).ok().map(|run| (folder, run))
    })
}

/// Undoes it.
///
/// # Errors
/// As [`undo`]; a live owner, unless only the configuration is concerned.
pub(super) fn run(ctx: &mut Context, start: &Start, a: &UndoArgs, folder: &Path, run: &RunRecord) -> Result<u8> {
    let world = ctx.clone();
    let only_config = only_config(start, run);
    let owner_now = || owner(&world, start, &a.overrides, only_config);
    if !a.dry_run {
        let verdict = owner_now();
        if matches!(verdict.writer, Writer::Owns | Writer::Unknown) {
            return Err(owner::refusal(&verdict));
        }
    }
    let argv = ctx.argv.clone();
    let target = UndoTarget {
        own_dir: folder,
        limits: GatewayLimits::default(),
        recheck: Recheck {
            owned_now: &|names| Ok(vec![false; names.len()]),
            locked_now: &|_| false,
            owner_now: &owner_now,
            files_only: false,
        },
        argv: &argv,
        overrides: &a.overrides,
        select: "",
        not_looked_at: &[],
    };
    undo(a, ctx, &target)
}

fn only_config(start: &Start, run: &RunRecord) -> bool {
    let Some(meta) = &run.meta else { return false };
    let folder = meta.folder.to_path();
    let files: Vec<PathBuf> = start.loaded.files().iter().filter_map(|file| file.canonicalize().ok()).collect();
    run.lines.iter().all(|line| {
        matches!(line.op, RunOp::Rewrite | RunOp::Backup) && files.contains(&folder.join(line.from.to_os()))
    })
}

fn owner(ctx: &Context, start: &Start, overrides: &[String], only_config: bool) -> OwnerVerdict {
    let state = &start.roots.state_dir;
    let network = volume::facts(state).network;
    let evidence = owner::collect(ctx, &start.roots, &start.loaded.settings, state, None, network, false);
    let mut verdict = owner::verdict(evidence, false);
    if only_config || verdict.allows(overrides) {
        verdict.writer = Writer::Foreign;
    }
    verdict
}
