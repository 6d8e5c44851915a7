//! `doctor`: rules over configuration and state, and their fixes.
//!
//! Configuration and state are separate halves: a configuration that cannot be read does not keep the state from being
//! looked at, and the other way round. Fixes of the configuration are one write, before anything of the state changes.

use super::{config_fix, gather, state_fix};
use crate::cli::GlobalFlags;
use crate::cli::doctor::DoctorArgs;
use crate::context::{Context, Level};
use crate::doctor::{judge, registry};
use crate::error::Result;
use crate::exit;
use crate::report::doctor::{self as report, Report};

/// Runs the command.
///
/// # Errors
/// A wrong profile; with `--fix`, everything that keeps the configuration from being written.
pub fn run(ctx: &mut Context, g: &GlobalFlags, a: &DoctorArgs) -> Result<u8> {
    if let Some(rule) = a.explain.as_deref().and_then(registry::by_id) {
        report::explain(ctx, rule)?;
        return Ok(exit::DONE);
    }
    if a.list {
        report::list(ctx, registry::RULES)?;
        return Ok(exit::DONE);
    }
    if a.yes && !a.fix {
        ctx.log(Level::Warning, "--yes without --fix: nothing is changed");
    }
    let seen = gather::gather(ctx, g, a)?;
    let rules = a.choice().rules(registry::RULES, seen.config.target);
    let mut report = Report::new(&seen.config, a.fix, a.dry_run);
    report.show_diff = a.diff;
    if !a.state_only {
        report.extend(judge::config(&seen.config, &rules));
        if a.fix {
            let work = config_fix::Work {
                ctx,
                args: a,
                roots: &seen.roots,
                settings: &seen.settings,
                files: &seen.files,
                rules: &rules,
                also: &[],
            };
            work.run(&mut report)?;
        }
    }
    if let Some(state) = &seen.state {
        report.extend(judge::state(state, &rules));
        if a.fix {
            state_fix::Work { ctx, global: g, args: a, rules: &rules }.run(state, &mut report);
        }
    }
    report::print(ctx, &report)?;
    Ok(ctx.cancel.get().unwrap_or_else(|| report.exit_code(|severity| a.fail_on.counts(severity))))
}
