//! The commands of the group `transcript`.

pub mod context;
pub mod search;
pub mod show;
pub mod stats;
pub mod target;
pub mod tree;
