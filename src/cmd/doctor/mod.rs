//! `doctor`: rules over configuration and state, and their fixes.

mod again;
mod config_fix;
mod effects;
mod gather;
mod run;
mod state_fix;

pub use run::run;
