//! `doctor` on configurations and state.
//!
//! * `after_fix`, `undo_rest`: a fix is whole, and so is its undo.
//! * `compat`: what the reference gateway made of a configuration, and what we make of it.
//! * `editing`: the bytes that must stay.
//! * `honest`: the report is what was done, and nothing is done that it does not name.
//! * `interop`: what real gateways say to what was written.
//! * `refusals`: what is not edited, and what is said then.
//! * `state`, `state_cases`, `state_faults`: the same for the state folder; and a kill at every step of a fix.
//! * `undo`, `undo_group`: the old text comes back, and all of a fix with it.

mod after_fix;
mod compat;
mod editing;
mod honest;
mod interop;
mod left_to_you;
mod refusals;
pub mod state;
mod state_cases;
mod state_faults;
mod undo;
mod undo_group;
mod undo_rest;

pub use state::old_state;
