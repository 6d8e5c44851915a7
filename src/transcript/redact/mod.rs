//! Secrets in text: known shapes of keys and tokens, values with names that mean a secret, and values that a
//! configuration marks as secrets.
//!
//! # Idea
//!
//! A secret is looked for in what a text *says*, not in how it is written. The strings of a record are decoded first
//! ([`record`]); and because a text may quote JSON, an address or a page that holds the secret again, what such a
//! notation stands for is looked through too, some levels deep ([`decoded`]). What is found is replaced where it is
//! written; everything else keeps its bytes, and a record stays JSON.
//!
//! # Limits
//!
//! A shape that nobody knows stays, and so does a value whose name says nothing. No value is too long: where one does
//! not end in the piece of a long text that is looked at, more of the text is read. A value of a configuration that is shorter than [`redactor::SHORTEST`] is too
//! common to be looked for.

pub mod cleaner;
mod commands;
mod decoded;
mod harmless;
mod named;
mod names;
pub mod record;
pub mod redactor;
mod shapes;
mod ties;
