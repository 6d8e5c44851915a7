//! Transcript names, bounded reads, and the scanner that reads every line.

pub mod context;
pub mod cut;
pub mod entries;
pub mod estimate;
pub mod header;
pub mod index;
pub mod lines;
pub mod links;
pub mod locate;
pub mod long_line;
pub mod names;
pub mod node;
pub mod parallel;
pub mod present;
pub mod preview;
pub mod reader;
pub mod record;
pub mod scan;
pub mod silent;
pub mod slim;
pub mod source;
pub mod tail;
pub mod tree;
pub mod usage;
