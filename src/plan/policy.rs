//! One place that turns settings and flags into the policy in force. Flags win over our own file, that over the
//! gateway's configuration, that over defaults.

use std::path::PathBuf;

use crate::error::{Error, Result};
use crate::model::Ms;
use crate::model::policy::{DEFAULT_GRACE, MaxRemove, Mode, Policy};
use crate::model::settings::Settings;
use crate::model::sourced::{Limit, Origin, Sourced};

/// What the command line says about policy; `None` where it says nothing.
#[derive(Debug, Clone, Default)]
pub struct PolicyFlags {
    /// `--enforce`.
    pub enforce: bool,
    /// `--fix-missing`.
    pub fix_missing: bool,
    /// `--fix-dm-scope`.
    pub fix_dm_scope: bool,
    /// `--files-only`.
    pub files_only: bool,
    /// `--active-key`, as typed.
    pub active_keys: Vec<String>,
    /// `--keep` globs.
    pub keep: Vec<String>,
    /// `--prune-after` in ms.
    pub prune_after: Option<Limit<Ms>>,
    /// `--max-entries`.
    pub max_entries: Option<Limit<u64>>,
    /// `--max-disk` in bytes.
    pub max_disk: Option<Limit<u64>>,
    /// `--high-water` in bytes.
    pub high_water: Option<Limit<u64>>,
    /// `--deleted-retention` in ms.
    pub deleted_retention: Option<Limit<Ms>>,
    /// `--reset-retention` in ms.
    pub reset_retention: Option<Limit<Ms>>,
    /// `--grace` in ms.
    pub grace: Option<Ms>,
    /// `--max-remove`.
    pub max_remove: Option<MaxRemove>,
    /// `--archive-to`.
    pub archive_to: Option<PathBuf>,
    /// `--override suspect-index`.
    pub override_suspect: bool,
    /// `--override large-removal`.
    pub override_large: bool,
}

/// Share of the budget at which a pass stops when nothing else is said (spec/cleanup.md 3).
pub fn default_high_water(max: u64) -> u64 {
    // Exact floor of 80 % without overflow.
    (max / 5 * 4 + max % 5 * 4 / 5).max(1)
}

/// The policy for one target agent. Fails on invalid settings: a limit that cannot be read stops every removal that it
/// would have governed (DESIGN 1.1, 1.2).
pub fn resolve(settings: &Settings, flags: &PolicyFlags, agent_id: &str) -> Result<Policy> {
    refuse_problems(settings)?;
    let session = &settings.session;
    let own = &settings.own;
    let flagged = |name: &str, key: &'static str| (Origin::Flag { name: name.to_owned() }, key);
    let prune_after = pick(flags.prune_after, "--prune-after", &session.prune_after);
    let deleted_retention = match (flags.deleted_retention, &own.deleted_retention) {
        (Some(value), _) => Sourced::from_flag("deletedRetention", "--deleted-retention", value),
        (None, Some(own)) => own.clone(),
        (None, None) => longer(&prune_after, &session.prune_after),
    };
    let reset_default = matches!(session.reset_retention.origin, Origin::Default);
    let reset_retention = match flags.reset_retention {
        Some(value) => Sourced::from_flag(session.reset_retention.key, "--reset-retention", value),
        None if reset_default => longer(&prune_after, &session.prune_after),
        None => session.reset_retention.clone(),
    };
    let max_disk = pick(flags.max_disk, "--max-disk", &session.max_disk);
    let high_water = high_water(flags.high_water, &session.high_water, &max_disk);
    let (mode_origin, mode_key) = flagged("--enforce", session.mode.key);
    let dm_main = session.dm_scope.as_ref().is_none_or(|s| s.value.trim().eq_ignore_ascii_case("main"));
    let keep = flags
        .keep
        .iter()
        .map(|k| Sourced::from_flag("keep", "--keep", k.clone()))
        .chain(own.keep.iter().cloned())
        .collect();
    let max_remove = flags
        .max_remove
        .map(|m| Sourced::from_flag("maxRemove", "--max-remove", m))
        .or_else(|| own.max_remove.clone())
        .filter(|_| !flags.override_large);
    Ok(Policy {
        mode: if flags.enforce {
            Sourced { value: Mode::Enforce, key: mode_key, origin: mode_origin }
        } else {
            session.mode.clone()
        },
        final_after: longer(&prune_after, &session.prune_after),
        prune_after,
        max_entries: pick(flags.max_entries, "--max-entries", &session.max_entries),
        max_disk,
        high_water,
        deleted_retention,
        reset_retention,
        cron_retention: settings.cron.session_retention.clone(),
        grace: match (flags.grace, &own.grace) {
            (Some(value), _) => Sourced::from_flag("grace", "--grace", value),
            (None, Some(own)) => own.clone(),
            (None, None) => Sourced::default_for("grace", DEFAULT_GRACE),
        },
        fix_missing: flags.fix_missing,
        fix_dm_scope: flags.fix_dm_scope && dm_main,
        files_only: flags.files_only,
        active_keys: flags.active_keys.iter().map(|k| k.trim().to_lowercase()).filter(|k| !k.is_empty()).collect(),
        keep,
        main_key: session.main_key.value.clone(),
        max_remove,
        archive_to: flags
            .archive_to
            .clone()
            .map(|dir| Sourced::from_flag("archiveTo", "--archive-to", dir))
            .or_else(|| own.archive_to.clone()),
        override_suspect: flags.override_suspect,
        agent_id: agent_id.to_owned(),
    })
}

fn pick<T: Copy>(flag: Option<T>, name: &str, setting: &Sourced<T>) -> Sourced<T> {
    flag.map_or_else(|| setting.clone(), |value| Sourced::from_flag(setting.key, name, value))
}

/// The age limit for what is final: that of archives where nothing is said about them, and of what is unlinked as it is. A
/// limit tried on the command line makes sessions into archives, which can be taken back; it must not also unlink what
/// cannot (reports A12). So a flag may lengthen that time, never shorten it.
fn longer(in_force: &Sourced<Limit<Ms>>, configured: &Sourced<Limit<Ms>>) -> Sourced<Limit<Ms>> {
    match (in_force.value, configured.value) {
        (Limit::At(flag), Limit::At(configuration)) if flag >= configuration => in_force.clone(),
        (Limit::Off, _) => in_force.clone(),
        _ => configured.clone(),
    }
}

/// 0 counts as unset (reports A9); never above the budget itself.
fn high_water(
    flag: Option<Limit<u64>>,
    setting: &Sourced<Limit<u64>>,
    max_disk: &Sourced<Limit<u64>>,
) -> Sourced<Limit<u64>> {
    let Some(max) = max_disk.value.at() else { return Sourced::default_for(setting.key, Limit::Off) };
    let of_default = || Sourced::default_for(setting.key, Limit::At(default_high_water(max)));
    match flag {
        Some(Limit::At(mark)) => Sourced::from_flag(setting.key, "--high-water", Limit::At(mark.min(max))),
        Some(Limit::Off) => of_default(),
        None if matches!(setting.origin, Origin::Default) => of_default(),
        None => match setting.value {
            Limit::At(mark) => Sourced { value: Limit::At(mark.min(max)), ..setting.clone() },
            Limit::Off => of_default(),
        },
    }
}

fn refuse_problems(settings: &Settings) -> Result<()> {
    let Some(first) = settings.problems.first() else { return Ok(()) };
    let more = settings.problems.len() - 1;
    let tail = if more == 0 { String::new() } else { format!(" (and {more} more)") };
    let mut error = Error::failed(format!(
        "invalid configuration, nothing was changed: {} is {} in {}; allowed: {}{tail}",
        first.key,
        first.value,
        first.path.display(),
        first.allowed
    ));
    error.hints.push("clawkeep config validate".to_owned());
    Err(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_mark_is_80_percent_rounded_down_and_never_zero() {
        assert_eq!(default_high_water(1), 1);
        assert_eq!(default_high_water(501), 400);
        assert_eq!(default_high_water(u64::MAX), 14_757_395_258_967_641_292);
    }
}
