//! How every command that looks at stores begins: roots, configuration, selection, and what is odd about them.

use crate::cli::GlobalFlags;
use crate::cli::select::SelectArgs;
use crate::config::load::{self, Loaded};
use crate::context::{Context, Level};
use crate::discover::{roots, select};
use crate::error::Result;
use crate::model::index::Damage;
use crate::model::stores::{Roots, Selection};
use crate::report::{config as report, escape};

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

/// Resolves all three, for a command that only reads: invalid values of the configuration are warnings.
///
/// # Errors
/// A wrong profile or selection, or a configuration that cannot be read.
pub fn reading(ctx: &mut Context, g: &GlobalFlags, args: &SelectArgs) -> Result<Start> {
    let roots = roots::resolve(ctx, &g.paths())?;
    let loaded = load::load(ctx, &roots)?;
    for problem in &loaded.settings.problems {
        ctx.log(Level::Warning, &report::problem_text(problem));
    }
    let selection = select::select(ctx, &roots, &loaded.settings, &args.flags())?;
    for warning in loaded.settings.warnings.iter().chain(&selection.warnings) {
        ctx.log(Level::Warning, warning);
    }
    Ok(Start { roots, loaded, selection })
}

/// Message for an index that is damaged.
pub fn damaged(path: &std::path::Path, damage: &Damage) -> crate::error::Error {
    crate::error::Error::failed(format!(
        "{} is damaged: {} (line {}, column {}; {} before it can be read)",
        escape::path(path),
        damage.kind.describe(),
        damage.line,
        damage.column,
        crate::report::plural::count(damage.whole_rows, "row")
    ))
    .hint("clawkeep sessions repair")
}
