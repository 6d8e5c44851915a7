//! A second look, after something was changed: at what a later fix of the same command works on, and at what all of them
//! left. The report says what is there then, not what was there before.

use super::gather::{self, Gathered};
use super::run;
use crate::cli::GlobalFlags;
use crate::cli::doctor::DoctorArgs;
use crate::context::Context;
use crate::doctor::{judge, registry};
use crate::model::doctor::StateFacts;
use crate::report::doctor::Report;
use crate::scan::state_seen;

/// Times `-q` at which warnings are not printed a second time.
const QUIET: u8 = 2;

/// Reads again what lies beside the sessions: the configuration among it was just edited by ourselves.
pub(super) fn beside_sessions(ctx: &Context, state: &mut StateFacts) {
    let old = std::mem::take(&mut state.seen);
    state.seen = state_seen::look(&state.roots, &state.settings, &ctx.cwd, old.config);
    state.seen.heartbeat_mains = old.heartbeat_mains;
    state.seen.silent_leaks = old.silent_leaks;
    state.seen.own_links = old.own_links;
}

/// Judges everything once more and lets the report say what is left.
pub(super) fn left(ctx: &mut Context, g: &GlobalFlags, a: &DoctorArgs, report: &mut Report) {
    let said = std::mem::replace(&mut ctx.output.quiet, QUIET);
    let seen = gather::gather(ctx, g, a);
    ctx.output.quiet = said;
    match seen {
        Ok(seen) => report.settle(found(&seen, ctx, a)),
        Err(error) => report.warnings.push(format!("what is left could not be looked at: {}", error.message)),
    }
}

fn found(seen: &Gathered, ctx: &Context, a: &DoctorArgs) -> Vec<crate::model::doctor::Found> {
    let rules = a.choice().rules(registry::RULES, seen.config.target);
    let mut found = if a.state_only { Vec::new() } else { run::config_found(ctx, a, seen, &rules) };
    found.extend(seen.state.iter().flat_map(|state| judge::state(state, &rules)));
    found
}
