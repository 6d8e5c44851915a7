//! Sizes, durations, times and JSON text exactly as the gateway reads and writes them.

pub mod bytes;
pub mod duration;
pub mod glob;
pub mod json_text;
pub mod time;
