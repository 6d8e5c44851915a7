//! From a parsed command line to the function that does it. One line per command.

use crate::cli::config::{ConfigArgs, ConfigVerb};
use crate::cli::sessions::{SessionsArgs, SessionsVerb};
use crate::cli::{Cli, Command, GlobalFlags};
use crate::context::{Context, Level};
use crate::error::{Error, Result};

/// Runs the command and gives its exit code.
pub fn dispatch(ctx: &mut Context, cli: Cli) -> Result<u8> {
    let g = &cli.global;
    match cli.command {
        Command::Sessions(args) => sessions(ctx, g, *args),
        Command::Completions(args) => super::completions::run(ctx, &args),
        Command::Man(args) => super::man::run(ctx, &args),
        Command::Config(args) => config(ctx, g, &args),
        Command::Archive(args) => super::archive::run(ctx, &args),
        Command::Demo(args) => super::demo::run(ctx, g, &args),
        Command::Disk(_) | Command::Cron(_) => Err(not_here()),
    }
}

fn sessions(ctx: &mut Context, g: &GlobalFlags, args: SessionsArgs) -> Result<u8> {
    let (verb, unused) = args.resolve();
    if let Some(option) = unused {
        ctx.log(Level::Warning, &format!("{option} belongs to `sessions list` and has no effect here"));
    }
    match verb {
        SessionsVerb::List(a) => super::sessions::list::run(ctx, g, &a),
        SessionsVerb::Runs(a) => super::sessions::runs::run(ctx, g, &a),
        SessionsVerb::Show(_) | SessionsVerb::Cleanup(_) | SessionsVerb::Undo(_) => Err(not_here()),
    }
}

fn config(ctx: &mut Context, g: &GlobalFlags, args: &ConfigArgs) -> Result<u8> {
    match &args.verb {
        ConfigVerb::Path(a) => super::config::path::run(ctx, &g.paths(), a),
        ConfigVerb::Get(a) => super::config::get::run(ctx, &g.paths(), a),
        ConfigVerb::Validate(a) => super::config::validate::run(ctx, &g.paths(), a),
    }
}

/// Answer of commands whose code is in another branch.
fn not_here() -> Error {
    Error::usage("this build has no such command yet")
}
