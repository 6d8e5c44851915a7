//! Everything that formats for people or for JSON.
//!
//! Reports are made from the same values that were executed: a plan, its outcomes, the policy. Nothing here reads a
//! file or decides anything. Text that comes from disk passes [`escape`] before it reaches a terminal.

pub mod check;
pub mod cleanup;
pub mod command;
pub mod config;
pub mod cron;
pub mod disk;
pub mod doctor;
pub mod escape;
pub mod export;
pub mod failure;
pub mod found;
pub mod gateway;
pub mod json;
pub mod kind;
pub mod list;
pub mod not_looked_at;
pub mod plural;
pub mod policy;
pub mod progress;
pub mod repair;
pub mod restore;
pub mod rm;
pub mod runs;
#[cfg(test)]
mod schema_tests;
pub mod show;
pub mod source;
pub mod span;
pub mod style;
pub mod table;
pub mod transcript;
pub mod transcript_check;
pub mod transcript_repair;
pub mod undo;
