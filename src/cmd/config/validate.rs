//! `config validate`: would a command that changes something run with this configuration?

use crate::cli::config::ConfigValidateArgs;
use crate::config::load::{self, Loaded};
use crate::context::{Context, Level};
use crate::discover::roots::{self, PathFlags};
use crate::error::{Error, Result};
use crate::exit;
use crate::model::stores::Roots;
use crate::report::config::{self as report, Validation};
use crate::report::escape;

/// Prints problems and warnings. Exit 0 if there is no problem, else 1; warnings do not count.
pub fn run(ctx: &mut Context, paths: &PathFlags, _args: &ConfigValidateArgs) -> Result<u8> {
    let roots = roots::resolve(ctx, paths)?;
    let outcome = load::load(ctx, &roots);
    let validation = validation(&roots, &outcome);
    if ctx.output.json {
        super::get::print_json(ctx, &report::validation_json(&validation))?;
    } else if ctx.output.quiet == 0 {
        ctx.write_stdout(report::validation_text(&validation).as_bytes())?;
    } else {
        log(ctx, &validation);
    }
    Ok(if validation.is_valid() { exit::DONE } else { exit::FAILED })
}

fn validation<'a>(roots: &'a Roots, outcome: &'a Result<Loaded, Error>) -> Validation<'a> {
    let loaded = outcome.as_ref().ok();
    let mut files = loaded.map(|l| l.files().to_vec()).unwrap_or_default();
    files.extend(loaded.and_then(|l| l.own.as_ref()).into_iter().flat_map(|o| o.files.clone()));
    Validation {
        files,
        config_path: &roots.config_path,
        config_found: loaded.map_or_else(|| roots.config_path.symlink_metadata().is_ok(), |l| l.settings.config_found),
        error: outcome.as_ref().err().map(|e| e.message.as_str()),
        problems: loaded.map_or(&[], |l| &l.settings.problems),
        warnings: loaded.map_or(&[], |l| &l.settings.warnings),
    }
}

/// Quiet: what is wrong still reaches stderr.
fn log(ctx: &Context, v: &Validation<'_>) {
    if let Some(error) = v.error {
        ctx.log(Level::Error, &escape::line(error));
    }
    for problem in v.problems {
        ctx.log(Level::Error, &escape::line(&report::problem_text(problem)));
    }
    for warning in v.warnings {
        ctx.log(Level::Warning, warning);
    }
}
