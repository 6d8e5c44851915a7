//! `config path`, `config get`, `config validate`: what we understood, and where each value came from.

pub mod get;
pub mod path;
pub mod validate;

#[cfg(test)]
mod tests;
