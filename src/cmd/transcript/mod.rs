//! The commands of the group `transcript`.

pub mod check;
pub mod context;
pub mod export;
pub mod place;
pub mod repair;
pub mod search;
pub mod show;
pub mod stats;
pub mod target;
pub mod tree;
