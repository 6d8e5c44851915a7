//! The group `disk`.

pub mod free;
pub mod show;
