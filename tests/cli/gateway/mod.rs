//! Beside a gateway, and through it.

mod delegation;
mod faults;
pub mod faulty;
mod files_only;
mod replay;
pub mod scripted;
mod status;
