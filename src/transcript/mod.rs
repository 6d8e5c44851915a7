//! Transcript names and bounded reads.
