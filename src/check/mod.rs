//! Findings from facts. Pure: what to look into ([`needs`]), then what is wrong ([`judge`]), one file a subject.
//!
//! A store whose index is not whole is what a check is for: then everything that does not need rows is judged all the
//! same, and nothing is called unowned, because nothing could own it.

pub mod access;
pub mod bloat;
pub mod index;
pub mod judge;
pub mod leftovers;
pub mod locks;
pub mod needs;
pub mod orphans;
pub mod paths;
pub mod rows;
pub mod state;
pub mod times;
pub mod transcripts;
