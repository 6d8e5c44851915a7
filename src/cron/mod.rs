//! The cron job store, sessions of runs, and run logs.

pub mod jobs;
pub mod run_logs;
pub mod status;
pub mod trim;
