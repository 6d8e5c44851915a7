//! `doctor`: rules over configuration and state, and their fixes.
//!
//! Configuration and state are separate halves: a configuration that cannot be read does not keep the state from being
//! looked at, and the other way round. Fixes of the configuration are one write, before anything of the state changes.

use super::{config_fix, gather, state_fix};
use crate::cli::GlobalFlags;
use crate::cli::doctor::DoctorArgs;
use crate::context::{Context, Level};
use crate::doctor::rules::config::unknown_keys;
use crate::doctor::{judge, registry};
use crate::error::Result;
use crate::exit;
use crate::model::doctor::Remedy;
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
    let rules = a.choice().rules(registry::RULES, seen.config.target);
    let mut report = Report::new(&seen.config, a.fix, a.dry_run);
    report.show_diff = a.diff;
    if !a.state_only {
        let mut found = judge::config(&seen.config, &rules);
        let drops = drops_unknown(ctx, a);
        for one in found.iter_mut().filter(|f| drops && f.rule == unknown_keys::RULE.id) {
            one.remedy = Remedy::Edit;
        }
        for one in found.iter_mut().filter(|f| matches!(f.remedy, Remedy::Edit)) {
            // The file that holds the key, which may be an included one.
            let holder = seen.document.nearest(&one.subject);
            one.file = Some(holder.to_owned()).filter(|path| !path.as_os_str().is_empty()).or(one.file.take());
        }
        report.extend(found);
        if a.fix {
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

/// `--drop-unknown`, unless an update is going on: the new version may know what the old one does not.
fn drops_unknown(ctx: &Context, a: &DoctorArgs) -> bool {
    let updating =
        ctx.env.text("OPENCLAW_UPDATE_IN_PROGRESS").is_some_and(|v| v == "1" || v.eq_ignore_ascii_case("true"));
    if updating && a.drop_unknown {
        ctx.log(Level::Warning, "an update of the gateway is going on: unknown keys stay");
    }
    a.fix && a.drop_unknown && !updating
}
