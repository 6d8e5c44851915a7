//! `cron.*` (spec 3): where the jobs are, and how long their runs stay.

use std::path::Path;

use super::reader::Reader;
use crate::discover::home;
use crate::model::HOUR;
use crate::model::settings::CronSettings;
use crate::model::sourced::{Limit, Sourced};
use crate::model::stores::Roots;
use crate::units::duration::BareUnit;

/// `cron.store`.
pub const STORE: &str = "cron.store";
/// `cron.sessionRetention`.
pub const SESSION_RETENTION: &str = "cron.sessionRetention";
/// `cron.runLog.maxBytes`.
pub const RUN_LOG_MAX_BYTES: &str = "cron.runLog.maxBytes";
/// `cron.runLog.keepLines`.
pub const RUN_LOG_KEEP_LINES: &str = "cron.runLog.keepLines";

/// Reads the section.
pub(super) fn read(r: &mut Reader<'_>, roots: &Roots, cwd: &Path) -> CronSettings {
    let store = match r.text(STORE) {
        Some(text) => text.map(|t| home::user_path(t.trim().as_ref(), &roots.home, cwd)),
        None => Sourced::default_for(STORE, roots.state_dir.join("cron").join("jobs.json")),
    };
    CronSettings {
        store,
        session_retention: r
            .duration(SESSION_RETENTION, BareUnit::Hours)
            .unwrap_or(Sourced::default_for(SESSION_RETENTION, Limit::At(24 * HOUR))),
        run_log_max_bytes: r
            .size(RUN_LOG_MAX_BYTES)
            .unwrap_or(Sourced::default_for(RUN_LOG_MAX_BYTES, Limit::At(2_000_000))),
        run_log_keep_lines: r
            .count(RUN_LOG_KEEP_LINES)
            .unwrap_or(Sourced::default_for(RUN_LOG_KEEP_LINES, Limit::At(2000))),
    }
}
