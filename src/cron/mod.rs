//! The cron job store and run logs.

pub mod jobs;
