//! Where the state lives and which stores a command works on. No later code looks at flags.
//!
//! One resolver answers for everybody ([`roots`]), so that no part of the program can look at another state folder
//! than the rest. [`select`] turns flags and settings into targets and names what a command does *not* look at.
//! Everything here only reads.

pub mod agent_id;
pub mod agents;
pub mod dotenv;
pub mod home;
pub mod roots;
pub mod select;
pub mod store_path;
pub mod store_set;
