//! x
use crate::cli::GlobalFlags;
use crate::cli::show::ShowArgs;
use crate::context::Context;
use crate::error::Result;
pub fn run(_ctx: &mut Context, _g: &GlobalFlags, _a: &ShowArgs) -> Result<u8> {
    Ok(0)
}
