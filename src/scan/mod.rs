//! Folder facts in one pass, file-name classes, bounded probes, and what fills the disk.

pub mod facts;
pub mod folder;
pub mod kept;
pub mod names;
pub mod probe;
pub mod rescue;
pub mod usage;
pub mod volume;
