//! The doctor's report, and the words of its rules.

mod human;
mod input;
mod json;
mod rules;

pub use input::{EditedFile, Ending, Judged, Report, print};
pub use rules::{explain, list, markdown};
