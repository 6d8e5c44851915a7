//! Commands of the group `sessions`.

pub mod check;
pub mod cleanup;
pub mod delegate;
mod key_agent;
pub mod list;
pub mod pass;
pub(crate) mod recheck;
mod remote;
pub mod repair;
pub mod restore;
pub mod rm;
pub mod runs;
pub mod show;
pub mod undo;
mod undo_group;
mod undo_name;
mod undo_place;
mod undo_rows;
mod undo_texts;
mod unread;
