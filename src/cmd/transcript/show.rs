//! `transcript show`.

use crate::cli::GlobalFlags;
use crate::cli::transcript::ShowArgs;
use crate::context::Context;
use crate::error::{Error, Result};

/// Runs the command.
///
/// # Errors
/// The transcript cannot be read.
pub fn run(_ctx: &mut Context, _g: &GlobalFlags, _a: &ShowArgs) -> Result<u8> {
    Err(Error::failed("not there yet"))
}
