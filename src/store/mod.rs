//! sessions.json: reader by row spans, and streaming writer.

pub mod count_rows;
pub mod entry;
pub mod identity;
pub mod lexer;
pub mod likely_key;
pub mod member;
pub mod order;
pub mod parse;
pub mod read;
pub mod refs;
pub mod row;
pub mod salvage;
pub mod siblings;
pub mod splice;
pub mod write;

pub use siblings::siblings;
