//! Everything that is proved by running the program. One test binary, because each one links the whole program again.
//!
//! * `common`: a world of its own for each test, builders for its state, one picture of what a run printed.
//! * `check`: each finding of `sessions check` from a state that has it.
//! * `stories`: what happened to people who maintain such stores, and what is right instead.
//! * `compat`: recorded runs of the reference gateway, with a reviewed table of deviations.
//! * `crash`: a fault at every operation, a power cut after every operation, several processes at once.
//! * `doctor`: what is edited in a configuration, what stays, and what is refused.
//! * `bad_input`: files and folders that nobody planned for.
//! * `full_disk`: 0 free bytes and 0 free inodes on a real file system (root on Linux only).
//! * `repair`: each kind of damage, mended and undone.
//! * `gateway`: beside a gateway, and through it.
//! * `syscalls`: how often the disk is touched, and how work grows (needs strace or valgrind).
//! * `transcript_advice`: what checks and dry runs say about a repair comes true.
//! * `transcripts`: conversations, trees, contexts and statistics, and how little is read for them.
//! * `schemas`: the published JSON Schemas against every kind of output.
//! * `generated`: completions, man pages, docs and README say what the program says.

#![expect(clippy::unwrap_used, reason = "a failed step of a test is a failed test")]
#![expect(clippy::disallowed_methods, reason = "tests build their own files")]
#![expect(clippy::print_stdout, reason = "a test that cannot run here says so")]

mod bad_input;
mod check;
mod common;
mod compat;
mod crash;
mod doctor;
mod full_disk;
mod gateway;
mod generated;
mod repair;
mod schemas;
mod stories;
mod syscalls;
mod transcript_advice;
mod transcript_export;
mod transcript_mend;
mod transcripts;
