//! The group `cron`.

pub mod prune;
pub mod status;
