//! Beside a gateway, and through it.

mod delegation;
mod faults;
pub mod faulty;
mod files_only;
mod interop;
pub mod real;
pub mod remote;
mod replay;
pub mod scripted;
mod spoken_to;
mod status;
