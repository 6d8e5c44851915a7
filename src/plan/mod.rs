//! Pure decisions: what the policies want, and why.

pub mod undo;
