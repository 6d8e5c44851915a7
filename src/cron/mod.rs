//! The cron job store and run logs.
