//! `doctor` on configurations.
//!
//! * `compat`: what the reference gateway made of a configuration, and what we make of it.
//! * `editing`: the bytes that must stay.
//! * `refusals`: what is not edited, and what is said then.
//! * `undo`: the old text comes back.

mod compat;
mod editing;
mod refusals;
mod undo;
