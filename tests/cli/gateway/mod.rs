//! Beside a gateway, and through it.

mod delegation;
mod files_only;
mod interop;
mod real;
pub mod scripted;
