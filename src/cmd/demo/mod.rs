//! `demo`: a small realistic state, and what a cleanup of it would do.

pub mod run;
pub mod state;

pub use run::run;
