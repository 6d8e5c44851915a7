//! Reports of `cron status` and `cron prune`.

pub mod human;
pub mod json;
#[cfg(test)]
mod tests;
