//! Transcripts: names, bounded reads, and what can be known from their lines.
//!
//! [`lines`] splits a file, and is the only code that does. On it stand [`scan`] (what is wrong), [`index`] with [`tree`] and
//! [`context`] (what hangs together, and what the model sees), [`tally`] with [`stats`] (what was used) and [`find`]. A record
//! is judged by [`record`], looked at by [`node`], and shown by [`present`].

pub mod branches;
pub mod context;
pub mod cut;
pub mod entries;
pub mod estimate;
pub mod find;
pub mod header;
pub mod index;
pub mod inside;
pub mod late_header;
pub mod lines;
pub mod links;
pub mod locate;
pub mod long_line;
pub mod mend;
pub mod names;
pub mod node;
pub mod pairs;
pub mod parallel;
pub mod present;
pub mod preview;
pub mod reader;
pub mod record;
pub mod redact;
pub mod scan;
pub mod silent;
pub mod slim;
pub mod source;
pub mod stats;
pub mod tail;
pub mod tally;
pub mod tally_record;
pub mod tree;
pub mod turn;
pub mod usage;
