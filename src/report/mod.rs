//! Everything that formats for people or for JSON.
//!
//! Reports are made from the same values that were executed: a plan, its outcomes, the policy. Nothing here reads a
//! file or decides anything. Text that comes from disk passes [`escape`] before it reaches a terminal.

pub mod config;
pub mod escape;
pub mod failure;
pub mod json;
pub mod plural;
pub mod progress;
pub mod style;
pub mod table;
