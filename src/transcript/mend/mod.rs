//! What it takes to mend a transcript, found in one pass over it.
//!
//! # Idea
//!
//! The file is read line by line ([`lines`]). A line that is a record is kept as it is; of any other line the whole
//! records in it are kept ([`dissect`]) and the rest moves to the `.torn` file. What the tree of entries needs after that
//! ([`tree`]) are changes of single values. All of it comes out as edits by offset ([`crate::model::mend`]): what no edit
//! names is never rewritten.
//!
//! # Invariants
//!
//! Reading never fails on content. A record that is whole keeps its bytes and its place; only a value that itself is the
//! damage changes (half a surrogate pair, a raw control character, the `parentId` that closes a circle). What is left
//! after the edits has no error that `transcript check` knows, and a second survey of it gives no edit.
//!
//! # Memory
//!
//! One line of at most 1 MiB, 32 bytes an entry and an edit. A longer line that is damaged is read again, from the file, in
//! pieces, and mended as a short one is: a test surveys the same damage with lines of any length kept and with none.

pub mod controls;
mod counted;
pub mod dissect;
pub mod edited;
pub mod fields;
pub mod header;
mod join;
pub mod lines;
mod parts;
mod remains;
pub mod settle;
pub mod survey;
pub mod tree;
pub mod unicode;
pub mod upgrade;
mod words;
