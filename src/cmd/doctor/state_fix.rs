//! Carries out the fixes that rules propose for the state.
//!
//! Refused beside an owner of the state. Each folder is a run of its own: what fails in one does not stop the others.

use std::path::Path;

use super::effects::{self, Job};
use crate::cli::doctor::DoctorArgs;
use crate::context::Context;
use crate::lock::owner;
use crate::model::check::Seen;
use crate::model::doctor::{FolderFix, Remedy, StateFacts};
use crate::report::doctor::{Ending, Report};
use crate::report::escape;

/// Carries out what the findings of the report propose.
pub(super) fn run(ctx: &Context, a: &DoctorArgs, state: &StateFacts, report: &mut Report) {
    let refused = (!state.owner.allows(&a.overrides)).then(|| owner::refusal(&state.owner));
    let mut done = Vec::new();
    for (ix, judged) in report.judged.iter().enumerate() {
        let Remedy::Effects { fixes, flag, .. } = &judged.found.remedy else { continue };
        if flag.is_some_and(|flag| !a.given(flag)) {
            continue;
        }
        let ending = match (&refused, a.dry_run) {
            (_, true) => Ending::Planned,
            (Some(error), _) => Ending::Skipped(ctx.given.complete(&error.message)),
            (None, false) => fix(ctx, a, state, fixes, &mut done),
        };
        done.push((Some(ix), ending, None));
    }
    for (ix, ending, run) in done {
        report.runs.extend(run);
        let Some(ix) = ix else { continue };
        report.changed |= ending == Ending::Fixed;
        report.partial |= matches!(ending, Ending::Skipped(_)) && refused.is_none();
        report.judged[ix].ending = ending;
    }
}

/// What came of one finding's fixes, and ids of runs.
type Done = Vec<(Option<usize>, Ending, Option<String>)>;

fn fix(ctx: &Context, a: &DoctorArgs, state: &StateFacts, fixes: &[FolderFix], done: &mut Done) -> Ending {
    for fix in fixes {
        let index = fix.store.and_then(|ix| match &state.stores.get(ix)?.facts.as_ref()?.seen {
            Seen::Whole(facts) => Some(&facts.index),
            Seen::Broken(..) => None,
        });
        let own_dir = if fix.store.is_some() { fix.folder.clone() } else { state.roots.state_dir.clone() };
        let job = Job {
            folder: fix.folder.clone(),
            own_dir,
            effects: fix.effects.clone(),
            index,
            overrides: &a.overrides,
            owner: &|| effects::owner(ctx, &state.roots, &state.settings),
        };
        match effects::run(ctx, job) {
            Ok(applied) => {
                done.push((None, Ending::Found, Some(applied.run_id).filter(|id| !id.is_empty())));
                if let Some(why) = applied.outcomes.iter().find_map(effects::not_done) {
                    return Ending::Skipped(why);
                }
            }
            Err(error) => return Ending::Skipped(format!("{}: {}", shown(&fix.folder), error.message)),
        }
    }
    Ending::Fixed
}

fn shown(folder: &Path) -> String {
    escape::path(folder)
}
