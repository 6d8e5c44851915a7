//! `config path`: which files are read, and why those.

use crate::cli::config::ConfigPathArgs;
use crate::config::own_path;
use crate::context::Context;
use crate::discover::roots::{self, PathFlags};
use crate::error::Result;
use crate::exit;
use crate::report::config::{self as report, Existing};

/// Prints the paths. They are shown whether or not the files can be read.
pub fn run(ctx: &mut Context, paths: &PathFlags, _args: &ConfigPathArgs) -> Result<u8> {
    let roots = roots::resolve(ctx, paths)?;
    let own = own_path(&roots);
    let existing = Existing {
        state_dir: roots.state_dir.is_dir(),
        config: roots.config_path.symlink_metadata().is_ok(),
        own: own.symlink_metadata().is_ok(),
    };
    if ctx.output.json {
        super::get::print_json(ctx, &report::paths_json(&roots, &own, existing))?;
    } else if ctx.output.quiet == 0 {
        ctx.write_stdout(report::paths_text(&roots, &own, existing, ctx.width()).as_bytes())?;
    }
    Ok(exit::DONE)
}
