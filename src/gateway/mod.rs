//! Finding the gateway and talking to it.

pub mod access;
pub mod client;
pub mod endpoint;
pub mod probe;
pub mod same_state;
