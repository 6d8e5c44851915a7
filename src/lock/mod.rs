//! Our run lock, the gateway's transcript locks, and the verdict who may write.

pub mod run;
