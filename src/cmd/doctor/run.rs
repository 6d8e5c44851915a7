//! `doctor`: rules over configuration and state, and their fixes.
//!
//! Configuration and state are separate halves: a configuration that cannot be read does not keep the state from being
//! looked at, and the other way round. Fixes of the configuration are one write, before anything of the state changes.

use super::gather::{self, Gathered};
use super::{again, config_fix, state_fix};
use crate::cli::GlobalFlags;
use crate::cli::doctor::DoctorArgs;
use crate::context::{Context, Level};
use crate::doctor::rule::Rule;
use crate::doctor::rules::config::unknown_keys;
use crate::doctor::{judge, registry, schema};
use crate::error::Result;
use crate::exit;
use crate::fsx::read::lstat;
use crate::model::doctor::{Found, Remedy, Version};
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
    let mut seen = gather::gather(ctx, g, a)?;
    tell_kept(ctx, a, seen.config.target);
    let rules = a.choice().rules(registry::RULES, seen.config.target);
    let mut report = Report::new(&seen.config, a.fix, a.dry_run);
    report.show_diff = a.diff;
    if seen.state.is_some() && lstat(&seen.roots.state_dir).is_err() {
        report.warnings.push(format!(
            "{} does not exist: there is no state yet, or it is elsewhere (--state-dir, --profile)",
            seen.roots.state_dir.display()
        ));
    }
    if !a.state_only {
        report.extend(config_found(ctx, a, &seen, &rules));
        if a.fix {
            let drops = drops_unknown(ctx, a, seen.config.target);
            let work = config_fix::Work {
                ctx,
                args: a,
                roots: &seen.roots,
                settings: &seen.settings,
                files: &seen.files,
                rules: &rules,
                also: if drops { &[(&unknown_keys::RULE, unknown_keys::drop_them)] } else { &[] },
            };
            work.run(&mut report)?;
        }
    }
    if a.fix && !a.dry_run && report.partial && seen.state.is_some() {
        // A file that was not written: the configuration is not what the state was to be judged by.
        seen.state = gather::gather(ctx, g, a)?.state;
    } else if let Some(state) = seen.state.as_mut().filter(|_| report.changed) {
        again::beside_sessions(ctx, state);
    }
    if let Some(state) = &seen.state {
        report.extend(judge::state(state, &rules));
        if a.fix {
            state_fix::Work { ctx, global: g, args: a, rules: &rules }.run(state, &mut report);
        }
    }
    if report.changed && ctx.cancel.get().is_none() {
        again::left(ctx, g, a, &mut report);
    }
    if !report.changed {
        ctx.unless_cancelled()?;
    }
    report::print(ctx, &report)?;
    Ok(ctx.cancel.get().unwrap_or_else(|| report.exit_code(|severity| a.fail_on.counts(severity))))
}

/// What rules find in the configuration, each with the file that holds the key.
pub(super) fn config_found(ctx: &Context, a: &DoctorArgs, seen: &Gathered, rules: &[&'static Rule]) -> Vec<Found> {
    let mut found = judge::config(&seen.config, rules);
    let drops = drops_unknown(ctx, a, seen.config.target);
    for one in found.iter_mut().filter(|f| drops && f.rule == unknown_keys::RULE.id) {
        one.remedy = Remedy::Edit;
    }
    for one in found.iter_mut().filter(|f| matches!(f.remedy, Remedy::Edit)) {
        // It may be an included one.
        let holder = seen.document.nearest(&one.subject);
        one.file = Some(holder.to_owned()).filter(|path| !path.as_os_str().is_empty()).or(one.file.take());
    }
    found
}

/// Says that `--drop-unknown` is not carried out.
fn tell_kept(ctx: &Context, a: &DoctorArgs, target: Version) {
    if a.fix && a.drop_unknown && target > schema::VERSION {
        let known = schema::VERSION;
        ctx.log(Level::Warning, &format!("gateway {target} may know keys that {known} does not: unknown keys stay"));
    } else if a.fix && a.drop_unknown && updating(ctx) {
        ctx.log(Level::Warning, "an update of the gateway is going on: unknown keys stay");
    }
}

/// `--drop-unknown`, unless an update is going on or a newer version is meant: that one may know what the old one does not.
fn drops_unknown(ctx: &Context, a: &DoctorArgs, target: Version) -> bool {
    a.fix && a.drop_unknown && target <= schema::VERSION && !updating(ctx)
}

fn updating(ctx: &Context) -> bool {
    ctx.env.text("OPENCLAW_UPDATE_IN_PROGRESS").is_some_and(|v| v == "1" || v.eq_ignore_ascii_case("true"))
}
