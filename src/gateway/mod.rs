//! Finding the gateway.

pub mod endpoint;
pub mod probe;
