//! JSON Lines: one value a line, safe to look at.

use std::io::{self, Write};

use serde::Serialize;

/// Writes one value and ends the line.
///
/// # Errors
/// What writing gives.
pub fn write(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    crate::report::json::write_line(out, value)
}
