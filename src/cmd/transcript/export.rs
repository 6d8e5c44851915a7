//! `transcript export`.

use crate::cli::GlobalFlags;
use crate::cli::transcript::ExportArgs;
use crate::context::Context;
use crate::error::{Error, Result};

/// Runs the command.
///
/// # Errors
/// The transcript cannot be read.
pub fn run(_ctx: &mut Context, _g: &GlobalFlags, _a: &ExportArgs) -> Result<u8> {
    Err(Error::failed("not there yet"))
}
