//! The last line of a run that wrote nothing, and the command that does what it planned.

use super::input::{CleanupReport, StoreReport};
use crate::model::policy::Mode;
use crate::model::sourced::Origin;
use crate::model::stores::TargetOrigin;
use crate::report::{command, policy};

/// What a run that wrote nothing ends with; `None` if something was written, or there was nothing to plan.
pub fn last_line(report: &CleanupReport) -> Option<String> {
    let first = report.stores.iter().find(|s| s.plan.is_some())?;
    if report.stores.iter().any(|s| !s.planned_only) {
        return None;
    }
    let how = enforce_command(report, first);
    let wants = report.stores.iter().any(|s| s.plan.is_some_and(|p| p.would_mutate()));
    let said = match (first.dry_run, wants) {
        (true, true) => format!("Dry run: nothing was changed. To do it: {how}"),
        (true, false) => "Dry run: nothing was changed, and there is nothing to do.".to_owned(),
        (false, true) => format!(
            "Mode {}: nothing was changed. The gateway itself enforces its limits by default. To do it now: {how}",
            first.policy.mode.value.as_str()
        ),
        (false, false) => {
            format!("Mode {}: nothing was changed, and there is nothing to do.", first.policy.mode.value.as_str())
        }
    };
    Some(said)
}

/// The command that carries out this plan: the same selection, switches and limits, and `--enforce`.
fn enforce_command(report: &CleanupReport, first: &StoreReport) -> String {
    let p = first.policy;
    let mut words = String::from("clawkeep sessions cleanup");
    if p.mode.value == Mode::Warn || matches!(p.mode.origin, Origin::Flag { .. }) {
        words.push_str(" --enforce");
    }
    if report.all_agents {
        words.push_str(" --all-agents");
        if report.stores.iter().any(|s| s.target.origin == TargetOrigin::Unconfigured) {
            words.push_str(" --include-unconfigured");
        }
    } else {
        for store in &report.stores {
            words.push_str(&command::select_words(store.target));
        }
    }
    for (given, flag) in
        [(p.fix_missing, " --fix-missing"), (p.fix_dm_scope, " --fix-dm-scope"), (p.files_only, " --files-only")]
    {
        if given {
            words.push_str(flag);
        }
    }
    for key in &p.active_keys {
        words.push_str(&format!(" --active-key {}", command::quote(key)));
    }
    for keep in p.keep.iter().filter(|k| matches!(k.origin, Origin::Flag { .. })) {
        words.push_str(&format!(" --keep {}", command::quote(&keep.value)));
    }
    for flag in policy::settings(p).iter().filter_map(policy::Setting::flag) {
        words.push(' ');
        words.push_str(&flag);
    }
    if let Some(dir) = &p.archive_to
        && matches!(dir.origin, Origin::Flag { .. })
    {
        words.push_str(&format!(" --archive-to {}", command::quote(&dir.value.to_string_lossy())));
    }
    for token in first.overrides {
        words.push_str(&format!(" --override {token}"));
    }
    first.given.complete(&words)
}
