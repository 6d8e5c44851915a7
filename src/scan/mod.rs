//! Folder facts in one pass, file-name classes, bounded probes, what a check reads, and what fills the disk.

pub mod branches;
pub mod candidates;
pub mod check;
pub mod copies;
pub mod facts;
pub mod folder;
pub mod header_sources;
pub mod kept;
pub mod names;
pub mod obstacles;
pub mod probe;
pub mod rescue;
pub mod same_bytes;
pub mod state_seen;
pub mod threads;
pub mod transcripts;
pub mod turns;
pub mod usage;
pub mod volume;
