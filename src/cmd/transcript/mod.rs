//! The commands of the group `transcript`.

pub mod check;
pub mod context;
pub mod export;
pub mod files;
pub mod mend;
pub mod opened;
pub mod pager;
pub mod place;
pub mod related;
pub mod repair;
pub mod search;
pub mod show;
pub mod stats;
pub mod target;
pub mod tree;
pub mod zone;
