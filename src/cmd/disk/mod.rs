//! The group `disk`.

pub mod free;
mod items;
pub mod show;
