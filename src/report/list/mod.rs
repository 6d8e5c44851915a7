//! `sessions list`, for people and programs.

pub mod human;
pub mod json;
pub mod row;
pub mod tokens;

#[cfg(test)]
mod tests;
