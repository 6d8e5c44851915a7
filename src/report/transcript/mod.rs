//! Reports of the commands that read transcripts.

pub mod context;
pub mod head;
pub mod lines;
pub mod show;
pub mod tree;
