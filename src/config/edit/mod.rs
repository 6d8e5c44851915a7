//! Edits of a JSON5 text that touch only the bytes they are about.
//!
//! [`tree`] reads the text into nodes that know their spans, [`patch`] compares the tree with the value that is wanted and
//! makes splices, [`verify`] reads the result again and proves that it is that value, that no comment was lost, and that
//! everything which did not change still has its bytes. [`files`] does it for a configuration of several files: a key is
//! changed in the file that holds it. Nothing here reads or writes a file.
//!
//! # Failure story
//! Any doubt (the two parsers disagree, a comment would be lost, the joined result is not the wanted one) is an error that
//! leaves the text as it was. The caller shows the edit for a person to make.

pub mod diff;
pub mod files;
pub mod patch;
pub mod tree;
pub mod verify;

mod layout;
mod render;

#[cfg(test)]
mod tests;
