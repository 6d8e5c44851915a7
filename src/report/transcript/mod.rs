//! Reports of the commands that read transcripts.

pub mod context;
pub mod head;
pub mod lines;
pub mod search;
pub mod show;
pub mod stats;
pub mod tree;
