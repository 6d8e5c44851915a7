//! How every command that looks at stores begins: roots, configuration, selection, and what is odd about them.

use crate::cli::GlobalFlags;
use crate::cli::select::SelectArgs;
use crate::config::load::{self, Loaded};
use crate::context::{Context, Level};
use crate::discover::{roots, select};
use crate::error::Result;
use crate::model::stores::{Roots, Selection};
use crate::report::config as report;

/// Where the state is, what is configured, and which stores were chosen.
#[derive(Debug)]
pub struct Start {
    /// Roots of the installation.
    pub roots: Roots,
    /// Configuration.
    pub loaded: Loaded,
    /// Stores to look at, and those that are not.
    pub selection: Selection,
}

/// Resolves all three, for a command that only reads. A configuration that cannot be read or is invalid is a warning: the
/// command goes on with what is known.
///
/// # Errors
/// A wrong profile or selection.
pub fn reading(ctx: &mut Context, g: &GlobalFlags, args: &SelectArgs) -> Result<Start> {
    args.given(&mut ctx.given);
    let roots = roots::resolve(ctx, &g.paths())?;
    let loaded = match load::load(ctx, &roots) {
        Ok(loaded) => loaded,
        Err(error) => {
            ctx.log(Level::Warning, &format!("{error}; going on without it"));
            load::without_config(ctx, &roots, &error)
        }
    };
    for problem in loaded.settings.problems.iter().filter(|_| loaded.settings.config_found) {
        ctx.log(Level::Warning, &report::problem_text(problem));
    }
    choose(ctx, roots, loaded, args)
}

/// Resolves all three, for a command that decides what to remove: what cannot be read stops it, and the policy refuses
/// invalid values.
///
/// # Errors
/// A wrong profile or selection, or a configuration that cannot be read.
pub fn deciding(ctx: &mut Context, g: &GlobalFlags, args: &SelectArgs) -> Result<Start> {
    args.given(&mut ctx.given);
    let roots = roots::resolve(ctx, &g.paths())?;
    let loaded = load::load(ctx, &roots)?;
    choose(ctx, roots, loaded, args)
}

/// The last step alone, for a command that has read the configuration in its own way.
///
/// # Errors
/// A wrong selection.
pub fn chosen(ctx: &Context, roots: Roots, loaded: Loaded, args: &SelectArgs) -> Result<Start> {
    choose(ctx, roots, loaded, args)
}

fn choose(ctx: &Context, roots: Roots, loaded: Loaded, args: &SelectArgs) -> Result<Start> {
    let selection = select::select(ctx, &roots, &loaded.settings, &args.flags())?;
    for warning in loaded.settings.warnings.iter().chain(&selection.warnings) {
        ctx.log(Level::Warning, warning);
    }
    Ok(Start { roots, loaded, selection })
}
