//! Commands of the group `sessions`.

pub mod list;
