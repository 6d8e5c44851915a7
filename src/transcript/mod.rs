//! Transcript names, bounded reads, and the scanner that reads every line.

pub mod entries;
pub mod header;
pub mod index;
pub mod lines;
pub mod links;
pub mod locate;
pub mod long_line;
pub mod mend;
pub mod names;
pub mod pairs;
pub mod parallel;
pub mod preview;
pub mod record;
pub mod scan;
pub mod slim;
pub mod source;
pub mod tree;
