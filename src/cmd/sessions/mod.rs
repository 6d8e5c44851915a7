//! `clawkeep sessions ...`

pub mod runs;
pub mod undo;
