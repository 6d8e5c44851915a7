//! The doctor: rules over the gateway's configuration and its state, and how their fixes come about.
//!
//! A [`rule::Rule`] is one file under [`rules`] and one line in [`registry`]. It has a stable id, a gravity, the version of
//! the gateway since which it matters, the words that a person needs, and one of three kinds of check:
//!
//! - *migrate*: a pure function that changes a configuration value as the gateway's own migration would. The finding is
//!   that it changes something; the fix is the same change, carried over to the text by [`crate::config::edit`].
//! - *inspect*: looks at the configuration; a person decides.
//! - *state*: looks at [`crate::model::doctor::StateFacts`], made of what `sessions check`, `cron` and the owner verdict
//!   already computed, and may give effects for the one executor.
//!
//! Invariants: rules do no I/O and know no clock but the one in the facts; a rule that cannot be carried out alone never
//! keeps another from being carried out; what a rule did is judged again on the new text before anything is written.

pub mod fix;
pub mod judge;
pub mod lost;
pub mod registry;
pub mod rule;
pub mod rules;
pub mod schema;
pub mod value;

#[cfg(test)]
mod tests;
