//! The command line: clap types and nothing else.
