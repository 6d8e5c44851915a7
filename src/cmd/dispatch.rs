//! From a parsed command line to the function that does it. One line per command.

use crate::cli::config::{ConfigArgs, ConfigVerb};
use crate::cli::cron::{CronArgs, CronVerb};
use crate::cli::disk::{DiskArgs, DiskFreeArgs, DiskVerb};
use crate::cli::gateway::{GatewayArgs, GatewayVerb};
use crate::cli::sessions::{SessionsArgs, SessionsVerb};
use crate::cli::transcript::{TranscriptArgs, TranscriptVerb};
use crate::cli::{Cli, Command, GlobalFlags};
use crate::context::{Context, Level};
use crate::error::Result;

/// Runs the command and gives its exit code.
pub fn dispatch(ctx: &mut Context, cli: Cli) -> Result<u8> {
    let g = &cli.global;
    match cli.command {
        Command::Sessions(args) => sessions(ctx, g, *args),
        Command::Transcript(args) => transcript(ctx, g, &args),
        Command::Completions(args) => super::completions::run(ctx, &args),
        Command::Man(args) => super::man::run(ctx, &args),
        Command::Config(args) => config(ctx, g, &args),
        Command::Archive(args) => super::archive::run(ctx, g, &args),
        Command::Demo(args) => super::demo::run(ctx, g, &args),
        Command::Doctor(args) => super::doctor::run(ctx, g, &args),
        Command::Disk(args) => disk(ctx, g, args),
        Command::Cron(args) => cron(ctx, g, &args),
        Command::Gateway(args) => gateway(ctx, g, &args),
    }
}

fn sessions(ctx: &mut Context, g: &GlobalFlags, args: SessionsArgs) -> Result<u8> {
    let (verb, unused) = args.resolve();
    if let Some(option) = unused {
        ctx.log(Level::Warning, &format!("{option} belongs to `sessions list` and has no effect here"));
    }
    match verb {
        SessionsVerb::List(a) => super::sessions::list::run(ctx, g, &a),
        SessionsVerb::Cleanup(a) => super::sessions::cleanup::run(ctx, g, &a),
        SessionsVerb::Show(a) => super::sessions::show::run(ctx, g, &a),
        SessionsVerb::Check(a) => super::sessions::check::run(ctx, g, &a),
        SessionsVerb::Undo(a) => super::sessions::undo::run(ctx, g, &a),
        SessionsVerb::Restore(a) => super::sessions::restore::run(ctx, g, &a),
        SessionsVerb::Rm(a) => super::sessions::rm::run(ctx, g, &a),
        SessionsVerb::Repair(a) => super::sessions::repair::run(ctx, g, &a),
        SessionsVerb::Runs(a) => super::sessions::runs::run(ctx, g, &a),
    }
}

fn transcript(ctx: &mut Context, g: &GlobalFlags, args: &TranscriptArgs) -> Result<u8> {
    match &args.verb {
        TranscriptVerb::Show(a) => super::transcript::show::run(ctx, g, a),
        TranscriptVerb::Tree(a) => super::transcript::tree::run(ctx, g, a),
        TranscriptVerb::Context(a) => super::transcript::context::run(ctx, g, a),
        TranscriptVerb::Stats(a) => super::transcript::stats::run(ctx, g, a),
        TranscriptVerb::Search(a) => super::transcript::search::run(ctx, g, a),
        TranscriptVerb::Check(a) => super::transcript::check::run(ctx, g, a),
        TranscriptVerb::Repair(a) => super::transcript::repair::run(ctx, g, a),
        TranscriptVerb::Export(a) => super::transcript::export::run(ctx, g, a),
    }
}

fn disk(ctx: &mut Context, g: &GlobalFlags, mut args: DiskArgs) -> Result<u8> {
    match args.verb.take() {
        None => super::disk::show::run(ctx, g, &args),
        Some(DiskVerb::Free(free)) => {
            let select = free.select.clone().inherit(&args.select);
            super::disk::free::run(ctx, g, &DiskFreeArgs { select, ..free })
        }
    }
}

fn cron(ctx: &mut Context, g: &GlobalFlags, args: &CronArgs) -> Result<u8> {
    match &args.verb {
        CronVerb::Status(a) => super::cron::status::run(ctx, g, a),
        CronVerb::Prune(a) => super::cron::prune::run(ctx, g, a),
    }
}

fn gateway(ctx: &mut Context, g: &GlobalFlags, args: &GatewayArgs) -> Result<u8> {
    match &args.verb {
        GatewayVerb::Status(a) => super::gateway::status::run(ctx, g, a),
    }
}

fn config(ctx: &mut Context, g: &GlobalFlags, args: &ConfigArgs) -> Result<u8> {
    match &args.verb {
        ConfigVerb::Path(a) => super::config::path::run(ctx, &g.paths(), a),
        ConfigVerb::Get(a) => super::config::get::run(ctx, &g.paths(), a),
        ConfigVerb::Validate(a) => super::config::validate::run(ctx, &g.paths(), a),
    }
}
