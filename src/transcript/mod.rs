//! Transcript names and bounded reads.

pub mod header;
pub mod names;
