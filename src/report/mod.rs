//! Everything that formats for people or for JSON.

pub mod config;
pub mod escape;
