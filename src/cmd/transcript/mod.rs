//! The commands of the group `transcript`.

pub mod context;
pub mod files;
pub mod opened;
pub mod pager;
pub mod related;
pub mod search;
pub mod show;
pub mod stats;
pub mod target;
pub mod tree;
