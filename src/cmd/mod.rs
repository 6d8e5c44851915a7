//! One file per command; nothing imports this module.
//!
//! A command is thin: it takes parsed flags, calls discovery, reading, planning, applying and reporting in that
//! order, and chooses an exit code.

pub mod archive;
pub mod completions;
pub mod config;
pub mod cron;
pub mod demo;
pub mod disk;
pub mod dispatch;
pub mod doctor;
pub mod gateway;
pub mod man;
pub mod sessions;
pub mod start;
pub mod transcript;
