//! From facts to the effects that mend a store. Pure: no file is opened here.
//!
//! # Idea
//!
//! The index comes first ([`choose`], [`rebuild`]): if it is damaged, the rows that can be had from anywhere are compared
//! and put together; then single rows are mended ([`rows`]: [`repoint`], [`missing`], [`end_runs`], [`strip`], [`adopt`]), whichever index
//! they are in by then; then files ([`files`]). All of it is one plan with at most one new index.
//!
//! # Invariants
//!
//! A live row always wins over one from elsewhere. A row comes back only if its transcript is here. What cannot be
//! decided without a person is listed and left alone. Planning again after the plan was carried out gives no effect.

pub mod adopt;
pub mod choose;
pub mod doubt;
pub mod end_runs;
pub mod files;
pub mod missing;
pub mod plan;
pub mod rebuild;
pub mod repoint;
pub mod rows;
pub mod strip;
pub mod transcript;
