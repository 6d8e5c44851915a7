//! `session.*` and `session.maintenance.*` (spec 3).

use super::reader::Reader;
use crate::model::policy::Mode;
use crate::model::settings::SessionSettings;
use crate::model::sourced::{Limit, Sourced};
use crate::model::{DAY, Ms};
use crate::units::duration::BareUnit;

/// `session.store`.
pub const STORE: &str = "session.store";
/// `session.dmScope`.
pub const DM_SCOPE: &str = "session.dmScope";
/// `session.mainKey`.
pub const MAIN_KEY: &str = "session.mainKey";
/// `session.writeLock.acquireTimeoutMs`.
pub const LOCK_TIMEOUT: &str = "session.writeLock.acquireTimeoutMs";
/// `session.maintenance.mode`.
pub const MODE: &str = "session.maintenance.mode";
/// `session.maintenance.pruneAfter`.
pub const PRUNE_AFTER: &str = "session.maintenance.pruneAfter";
/// `session.maintenance.pruneDays`, the former name.
pub const PRUNE_DAYS: &str = "session.maintenance.pruneDays";
/// `session.maintenance.maxEntries`.
pub const MAX_ENTRIES: &str = "session.maintenance.maxEntries";
/// `session.maintenance.resetArchiveRetention`.
pub const RESET_RETENTION: &str = "session.maintenance.resetArchiveRetention";
/// `session.maintenance.maxDiskBytes`.
pub const MAX_DISK: &str = "session.maintenance.maxDiskBytes";
/// `session.maintenance.highWaterBytes`.
pub const HIGH_WATER: &str = "session.maintenance.highWaterBytes";

const DM_SCOPES: &[&str] = &["main", "per-peer", "per-channel-peer", "per-account-channel-peer"];
const DEFAULT_PRUNE_AFTER: Ms = 30 * DAY;
const DEFAULT_MAX_ENTRIES: u64 = 500;
const DEFAULT_LOCK_TIMEOUT: u64 = 60_000;
const DEFAULT_MAIN_KEY: &str = "main";

/// Reads the section.
pub(super) fn read(r: &mut Reader<'_>) -> SessionSettings {
    let prune_after = prune_after(r);
    let reset_retention = r.duration(RESET_RETENTION, BareUnit::Days);
    let max_disk = r.size(MAX_DISK).unwrap_or(Sourced::default_for(MAX_DISK, Limit::Off));
    SessionSettings {
        store: r.text(STORE),
        dm_scope: r.word(DM_SCOPE, DM_SCOPES),
        main_key: main_key(r),
        lock_timeout_ms: lock_timeout(r),
        mode: mode(r),
        max_entries: r.count(MAX_ENTRIES).unwrap_or(Sourced::default_for(MAX_ENTRIES, Limit::At(DEFAULT_MAX_ENTRIES))),
        // What follows from pruneAfter keeps its key and origin: that is the setting to change.
        reset_retention: reset_retention.unwrap_or_else(|| prune_after.clone()),
        high_water: high_water(r, &max_disk),
        prune_after,
        max_disk,
    }
}

fn mode(r: &mut Reader<'_>) -> Sourced<Mode> {
    match r.word(MODE, &["warn", "enforce"]) {
        Some(word) => word.map(|w| if w == "enforce" { Mode::Enforce } else { Mode::Warn }),
        None => Sourced::default_for(MODE, Mode::Warn),
    }
}

fn prune_after(r: &mut Reader<'_>) -> Sourced<Limit<Ms>> {
    let days = r.count(PRUNE_DAYS);
    if let Some(limit) = r.duration(PRUNE_AFTER, BareUnit::Days) {
        return limit;
    }
    match days {
        Some(days) => days.map(|limit| match limit.at() {
            Some(n) => Limit::At(Ms::try_from(n).unwrap_or(Ms::MAX).saturating_mul(DAY)),
            None => Limit::Off,
        }),
        None => Sourced::default_for(PRUNE_AFTER, Limit::At(DEFAULT_PRUNE_AFTER)),
    }
}

fn main_key(r: &mut Reader<'_>) -> Sourced<String> {
    let key = r.text(MAIN_KEY).map(|k| k.map(|t| t.trim().to_lowercase()));
    key.filter(|k| !k.value.is_empty()).unwrap_or_else(|| Sourced::default_for(MAIN_KEY, DEFAULT_MAIN_KEY.to_owned()))
}

fn lock_timeout(r: &mut Reader<'_>) -> Sourced<Ms> {
    let timeout = r
        .positive(LOCK_TIMEOUT, DEFAULT_LOCK_TIMEOUT)
        .unwrap_or_else(|| Sourced::default_for(LOCK_TIMEOUT, DEFAULT_LOCK_TIMEOUT));
    timeout.map(|ms| Ms::try_from(*ms).unwrap_or(Ms::MAX))
}

/// The mark at which a pass over budget stops. 0 counts as unset: as a target it could never be met and would take
/// everything (reports A9). Without a budget the mark is kept for `--max-disk`, and unused otherwise.
fn high_water(r: &mut Reader<'_>, max_disk: &Sourced<Limit<u64>>) -> Sourced<Limit<u64>> {
    let before = r.value(HIGH_WATER).is_some();
    let configured = r.size(HIGH_WATER);
    let mark = configured.as_ref().and_then(|c| c.value.at());
    let Some(max) = max_disk.value.at() else {
        return configured.unwrap_or(Sourced::default_for(HIGH_WATER, Limit::Off));
    };
    match (configured, mark) {
        (Some(configured), Some(mark)) => {
            if mark > max {
                r.warn(format!("{HIGH_WATER} is above {MAX_DISK}: a pass stops at {MAX_DISK}"));
            }
            configured.map(|_| Limit::At(mark.min(max)))
        }
        _ => {
            if before {
                r.warn(format!("{HIGH_WATER} has no usable value: its default is 80 % of {MAX_DISK}"));
            }
            Sourced::default_for(HIGH_WATER, Limit::At(default_high_water(max)))
        }
    }
}

/// 80 % of a budget, at least one byte.
pub fn default_high_water(max: u64) -> u64 {
    let eighty = u128::from(max) * 4 / 5;
    u64::try_from(eighty).unwrap_or(max).max(1)
}
