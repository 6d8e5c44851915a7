//! `gateway status` for people and as JSON. Pure.

pub mod human;
pub mod json;
