//! `sessions undo` of a run that is recorded in the state folder: what the doctor and `cron prune` changed beside the
//! sessions. Rows are never concerned.

use super::undo::{UndoTarget, gateway_limits, undo};
use crate::apply::Recheck;
use crate::cli::undo::UndoArgs;
use crate::cmd::start::Start;
use crate::context::Context;
use crate::error::Result;
use crate::journal::read;
use crate::lock::owner;
use crate::model::owner::{OwnerVerdict, Writer};
use crate::model::run::RunOp;
use crate::scan::volume;

/// Undoes the run.
///
/// # Errors
/// See [`undo`]; and a live owner, unless the run only edited files that the owner reads (the configuration).
pub(super) fn run(ctx: &mut Context, start: &Start, a: &UndoArgs) -> Result<u8> {
    let state = start.roots.state_dir.clone();
    let record = read::one(&state, a.run.as_deref().unwrap_or_default())?;
    let config = start.roots.config_path.canonicalize().ok();
    let folder = record.meta.as_ref().map(|m| m.folder.to_path());
    // Who may write the configuration is not for the owner of the sessions to say.
    let edits = record.lines.iter().all(|l| matches!(l.op, RunOp::Rewrite | RunOp::Backup))
        && folder.is_some_and(|f| config.as_deref().and_then(std::path::Path::parent) == Some(&f));
    let (world, settings, roots) = (ctx.clone(), start.loaded.settings.clone(), start.roots.clone());
    let verdict = move || {
        let network = volume::facts(&roots.state_dir).network;
        let found = owner::collect(&world, &roots, &settings, &roots.state_dir, None, network, false);
        let verdict = owner::verdict(found, false);
        if edits { OwnerVerdict { writer: Writer::Foreign, ..verdict } } else { verdict }
    };
    let now = verdict();
    if !a.dry_run && !now.allows(&a.overrides) {
        return Err(owner::refusal(&now));
    }
    let argv = ctx.argv.clone();
    let target = UndoTarget {
        own_dir: &state,
        limits: gateway_limits(&start.loaded.settings),
        recheck: Recheck {
            owned_now: &|names| Ok(vec![false; names.len()]),
            locked_now: &|_| false,
            owner_now: &verdict,
            files_only: false,
        },
        argv: &argv,
        overrides: &a.overrides,
        select: "",
        not_looked_at: &[],
    };
    undo(a, ctx, &target)
}
