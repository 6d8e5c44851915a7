//! One file per command; nothing imports this module.
//!
//! A command is thin: it takes parsed flags, calls discovery, reading, planning, applying and reporting in that
//! order, and chooses an exit code.

pub mod completions;
pub mod config;
pub mod dispatch;
pub mod man;
