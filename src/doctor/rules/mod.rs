//! The rules, one file each. `config/` holds those about the gateway's configuration, `state/` those about the rest.

pub mod config;
pub mod state;
