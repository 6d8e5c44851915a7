//! The gateway's JSON5 configuration as a typed view in which every value knows where it came from.
//!
//! [`parse`] reads one text, [`mod@include`] joins files, [`substitute`] fills in `${VAR}`, [`load`] does all of it and
//! builds [`crate::model::settings::Settings`] through the strict [`reader`]. Nothing here writes: not even the health
//! record the gateway leaves beside a configuration it reads.
//!
//! Invariants: a file that exists but cannot be read or parsed is an error, never "no configuration"; a known key with
//! a value that is not allowed is a `Problem`, never a default in silence; an unknown key is a warning, never an error.

pub mod document;
pub mod edit;
pub mod effective;
pub mod file;
pub mod include;
pub mod load;
pub mod managed;
pub mod parse;
pub mod prescan;
pub mod secret;
pub mod secrets;
pub mod substitute;

mod agents;
mod cron;
mod gateway;
mod own;
mod reader;
mod session;
mod unknown;

pub use own::path as own_path;
pub use session::default_high_water;
