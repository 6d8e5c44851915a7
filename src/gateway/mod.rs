//! Finding the gateway and talking to it.

pub mod access;
pub mod client;
pub mod credentials;
pub mod device;
pub mod endpoint;
pub mod failure;
pub mod handshake;
pub mod health;
pub mod probe;
pub mod protocol;
pub mod same_state;
pub mod secret;
pub mod sessions;
pub mod stream;
pub mod tls;
pub mod whose;
pub mod wire;
