//! The cleanup report, for people ([`human`]) and programs ([`json`]), from one vocabulary.

pub mod human;
pub mod input;
pub mod items;
pub mod json;
pub mod next;
pub mod problems;
pub mod vocabulary;

#[cfg(test)]
mod tests;

pub use input::{ByGateway, CleanupReport, StoreReport};
