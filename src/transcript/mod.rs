//! Transcript names and bounded reads.

pub mod header;
pub mod locate;
pub mod names;
pub mod preview;
