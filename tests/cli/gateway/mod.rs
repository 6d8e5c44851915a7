//! Beside a gateway, and through it.

mod delegation;
mod files_only;
mod scripted;
