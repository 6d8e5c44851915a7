//! Reports of the commands that read transcripts.

pub mod head;
pub mod lines;
pub mod show;
