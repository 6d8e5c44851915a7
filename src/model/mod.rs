//! Every plain type that crosses a module boundary.
//!
//! Nothing here reads a file, a clock or the environment. The types follow the flow of the program: where state
//! lives ([`stores`]), what was asked for ([`settings`], [`policy`]), what is on disk ([`folder`], [`index`],
//! [`probe`], [`owner`]), what was decided ([`decision`], [`effect`], [`plan`]) and what came of it ([`outcome`]).

pub mod candidate;
pub mod check;
pub mod context_report;
pub mod conversation;
pub mod cron;
pub mod decision;
pub mod doctor;
pub mod effect;
pub mod entry;
pub mod export;
pub mod facts;
pub mod finding;
pub mod fingerprint;
pub mod folder;
pub mod freeing;
pub mod gateway;
pub mod gateway_does;
pub mod index;
pub mod kept;
pub mod mend;
pub mod outcome;
pub mod owner;
pub mod plan;
pub mod policy;
pub mod probe;
pub mod repair;
pub mod run;
pub mod search_report;
pub mod session;
pub mod settings;
pub mod sourced;
pub mod stats_report;
pub mod stores;
pub mod transcript;
pub mod transcript_repair;
pub mod transcript_usage;
pub mod tree_lines;
pub mod usage;

/// Milliseconds since the Unix epoch, or a span of milliseconds. Signed: differences with a wrong clock are negative.
pub type Ms = i64;

/// One second in [`Ms`].
pub const SECOND: Ms = 1_000;
/// One minute in [`Ms`].
pub const MINUTE: Ms = 60 * SECOND;
/// One hour in [`Ms`].
pub const HOUR: Ms = 60 * MINUTE;
/// One day in [`Ms`].
pub const DAY: Ms = 24 * HOUR;
