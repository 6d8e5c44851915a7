//! The group `gateway`.

pub mod status;
