//! Commands of the group `sessions`.

pub mod list;
pub mod runs;
pub mod undo;
