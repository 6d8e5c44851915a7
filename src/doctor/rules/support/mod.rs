//! What several rules about the state share. Pure.

pub mod canonical;
pub mod folders;
pub mod jobs;
pub mod rows;
pub mod texts;
