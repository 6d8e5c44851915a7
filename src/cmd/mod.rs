//! One file per command; nothing imports this module.

pub mod sessions;
