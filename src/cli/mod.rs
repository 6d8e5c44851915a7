//! The command line: clap types, the grammars of their values, and what a wrong command line answers.
//!
//! Nothing here looks at a file. Flags that a group and its verb share may stand before or after the verb; the
//! verb's own value wins (see [`select::SelectArgs::inherit`]).

pub mod archive;
pub mod check;
pub mod cleanup;
pub mod completions;
pub mod config;
pub mod cron;
pub mod demo;
pub mod disk;
pub mod doctor;
pub mod gateway;
pub mod global;
pub mod list;
pub mod man;
pub mod peer;
pub mod repair;
pub mod restore;
pub mod rm;
pub mod root;
pub mod runs;
pub mod select;
pub mod sessions;
pub mod show;
pub mod transcript;
pub mod transcript_mend;
pub mod transcript_read;
pub mod undo;
pub mod usage;
pub mod values;

pub use global::GlobalFlags;
pub use root::{Cli, Command};
