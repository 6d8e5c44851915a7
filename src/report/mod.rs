//! Everything that formats for people or for JSON.

pub mod runs;
pub mod undo;
