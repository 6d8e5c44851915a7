//! Rules about the gateway's configuration.

pub mod rotate_bytes;
