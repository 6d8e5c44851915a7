//! Finding the gateway.
