//! Reports of `disk` and `disk free`.

pub mod free;
pub mod free_json;
pub mod human;
pub mod json;
#[cfg(test)]
mod tests;
