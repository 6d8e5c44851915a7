//! How every command that looks at stores begins: roots, configuration, selection, and what is odd about them.

use crate::cli::GlobalFlags;
use crate::cli::select::SelectArgs;
use crate::config::load::{self, Loaded};
use crate::context::{Context, Level};
use crate::discover::select::SelectFlags;
use crate::discover::{roots, select};
use crate::error::{Error, Kind, Result};
use crate::fsx::read::lstat;
use crate::gateway::endpoint;
use crate::model::sourced::Origin;
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
    let (roots, loaded) = configured(ctx, g, args)?;
    choose(ctx, roots, loaded, &args.flags())
}

/// The first two of [`reading`], for a command that may have no use for a selection here.
///
/// # Errors
/// A wrong profile.
pub fn configured(ctx: &mut Context, g: &GlobalFlags, args: &SelectArgs) -> Result<(Roots, Loaded)> {
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
    Ok((roots, loaded))
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
    choose(ctx, roots, loaded, &args.flags())
}

/// [`deciding`] for a command that a remote gateway may carry out: which agents that one has is not in the configuration
/// here, so that any name will do for one.
///
/// # Errors
/// As there.
pub fn deciding_anywhere(ctx: &mut Context, g: &GlobalFlags, args: &SelectArgs) -> Result<Start> {
    args.given(&mut ctx.given);
    let roots = roots::resolve(ctx, &g.paths())?;
    let loaded = load::load(ctx, &roots)?;
    let flags = SelectFlags { elsewhere: endpoint::is_remote(&loaded.settings), ..args.flags() };
    choose(ctx, roots, loaded, &flags)
}

/// The last step alone, for a command that has read the configuration in its own way.
///
/// # Errors
/// A wrong selection.
pub fn chosen(ctx: &Context, roots: Roots, loaded: Loaded, args: &SelectArgs) -> Result<Start> {
    choose(ctx, roots, loaded, &args.flags())
}

/// [`refuse_absent`], for a command that works on stores: one that `--store` names, or that a configuration puts elsewhere
/// and that is there, needs no state folder.
///
/// # Errors
/// As there.
pub fn refuse_absent_state(g: &GlobalFlags, args: &SelectArgs, start: &Start) -> Result<()> {
    let is_there = || start.selection.targets.iter().any(|target| lstat(&target.store_path).is_ok());
    if args.store.is_some() || is_there() { Ok(()) } else { refuse_absent(g, &start.roots) }
}

/// What a flag or a variable names has to be there: nothing found in a place that does not exist is no good news.
///
/// # Errors
/// [`Kind::Absent`] if it is not.
pub fn refuse_absent(g: &GlobalFlags, roots: &Roots) -> Result<()> {
    let named = [
        (name(&roots.state_origin), &roots.state_dir),
        (Some("--config").filter(|_| g.config.is_some()), &roots.config_path),
    ];
    let absent = named.into_iter().find(|(name, path)| name.is_some() && lstat(path).is_err());
    absent.map_or(Ok(()), |(name, path)| {
        let what = format!("{} does not exist ({})", path.display(), name.unwrap_or_default());
        Err(Error::new(Kind::Absent, what).hint("clawkeep config path"))
    })
}

/// The flag or variable that a place comes from, if one named it.
fn name(origin: &Origin) -> Option<&str> {
    match origin {
        Origin::Env { name } | Origin::Flag { name } => Some(name),
        _ => None,
    }
}

fn choose(ctx: &Context, roots: Roots, loaded: Loaded, flags: &SelectFlags) -> Result<Start> {
    let selection = select::select(ctx, &roots, &loaded.settings, flags)?;
    for warning in loaded.settings.warnings.iter().chain(&selection.warnings) {
        ctx.log(Level::Warning, warning);
    }
    Ok(Start { roots, loaded, selection })
}
