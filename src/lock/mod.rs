//! Our run lock, the gateway's transcript locks, and the verdict who may write.

pub mod container;
pub mod gateway_lock;
pub mod owner;
pub mod peer;
pub mod process;
pub mod run;
pub mod shown;
pub mod stopper;
pub mod transcript;
