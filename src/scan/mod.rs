//! Folder facts in one pass, file-name classes, bounded probes.

pub mod facts;
pub mod folder;
pub mod names;
pub mod probe;
pub mod volume;
pub mod facts;
pub mod kept;
pub mod usage;
