//! `config get [KEY]`: values in force with their origin. Secrets are never printed.

use crate::cli::config::ConfigGetArgs;
use crate::config::{effective, load};
use crate::context::{Context, Level};
use crate::discover::roots::{self, PathFlags};
use crate::error::{Error, Result};
use crate::exit;
use crate::report::config as report;
use crate::report::escape;

/// Prints one value, a part of the configuration, or every setting this program uses.
///
/// # Errors
/// The configuration cannot be read, or there is no value for the key.
pub fn run(ctx: &mut Context, paths: &PathFlags, args: &ConfigGetArgs) -> Result<u8> {
    let roots = roots::resolve(ctx, paths)?;
    let loaded = load::load(ctx, &roots)?;
    for problem in &loaded.settings.problems {
        ctx.log(Level::Warning, &escape::line(&report::problem_text(problem)));
    }
    for warning in &loaded.settings.warnings {
        ctx.log(Level::Warning, warning);
    }
    let rows = match args.key.as_deref().map(str::trim).filter(|k| !k.is_empty()) {
        None => effective::all(&loaded),
        Some(key) => {
            let rows = effective::of(&loaded, key);
            if rows.is_empty() {
                return Err(Error::failed(format!("no value for {}", escape::line(key))).hint("clawkeep config get"));
            }
            rows
        }
    };
    if ctx.output.json {
        print_json(ctx, &report::values_json(&rows))?;
    } else if ctx.output.quiet == 0 {
        ctx.write_stdout(report::values_text(&rows, ctx.width()).as_bytes())?;
    }
    Ok(exit::DONE)
}

/// One JSON value on stdout.
pub(super) fn print_json(ctx: &Context, value: &serde_json::Value) -> Result<()> {
    ctx.write_stdout(format!("{value:#}\n").as_bytes())
}
