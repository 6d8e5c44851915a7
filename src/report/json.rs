//! JSON on stdout: one value, two spaces of indent, a final newline.
//!
//! Values are written while they are made (serde structs over iterators), never collected into a tree: a report of
//! 100 000 decisions needs no more memory than its plan.

use std::io::{self, Write};

use serde::Serialize;

use crate::context::Context;
use crate::error::Result;

/// Version of every JSON report. Fields may be added under the same number, never changed or removed.
pub const SCHEMA_VERSION: u32 = 1;

/// Prints a value.
pub fn print(ctx: &Context, value: &impl Serialize) -> Result<()> {
    ctx.stream_stdout(|out| write(out, value))
}

/// Writes a value.
pub fn write(mut out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut out, value)?;
    out.write_all(b"\n")
}

/// A value as text, for tests.
#[cfg(test)]
pub fn text(value: &impl Serialize) -> String {
    let mut out = Vec::new();
    write(&mut out, value).unwrap();
    String::from_utf8(out).unwrap()
}
