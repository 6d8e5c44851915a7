//! The only code that touches files: reading without following links, and every change there is.

pub mod fault;
pub mod mutate;
pub mod owner;
pub mod read;
pub mod scratch;
pub mod writable;
