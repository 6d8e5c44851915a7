//! `sessions check`, for people and programs.

pub mod human;
pub mod input;
pub mod json;

#[cfg(test)]
mod tests;

pub use input::{Report, mending};
