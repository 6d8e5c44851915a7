//! The program as clap sees it.

use std::fmt::Write as _;

use clap::{Parser, Subcommand};

use super::archive::ArchiveArgs;
use super::completions::CompletionsArgs;
use super::config::ConfigArgs;
use super::cron::CronArgs;
use super::demo::DemoArgs;
use super::disk::DiskArgs;
use super::doctor::DoctorArgs;
use super::gateway::GatewayArgs;
use super::global::GlobalFlags;
use super::man::ManArgs;
use super::sessions::SessionsArgs;
use super::transcript::TranscriptArgs;

/// Keeps the on-disk state of an agent gateway healthy: lists, explains, prunes and bounds its session stores, and
/// can put back what it took.
#[derive(Debug, Clone, Parser)]
#[command(
    name = "clawkeep",
    version,
    propagate_version = true,
    max_term_width = 100,
    subcommand_required = true,
    arg_required_else_help = true,
    after_help = exit_codes()
)]
pub struct Cli {
    /// Flags of every command.
    #[command(flatten)]
    pub global: GlobalFlags,

    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// Commands.
#[derive(Debug, Clone, Subcommand)]
pub enum Command {
    /// List, explain, clean up and bring back sessions
    Sessions(Box<SessionsArgs>),
    /// Read and search transcripts: conversation, tree, context, statistics
    Transcript(Box<TranscriptArgs>),
    /// What fills the disk, and making room
    #[command(visible_aliases = ["df", "du"])]
    Disk(DiskArgs),
    /// Sessions and run logs of cron jobs
    Cron(CronArgs),
    /// The gateway: is one there, whose is it, and who may write now
    Gateway(GatewayArgs),
    /// What we understood of the configuration, and where each value came from
    Config(ConfigArgs),
    /// Rules over configuration and state, and their fixes
    Doctor(Box<DoctorArgs>),
    /// Folders for verified compressed copies
    Archive(ArchiveArgs),
    /// Print a completion script
    Completions(CompletionsArgs),
    /// Write the manual, one page per command
    Man(ManArgs),
    /// Build a small realistic state and show what a cleanup of it would do
    Demo(DemoArgs),
}

/// The table of exit codes, one line each.
pub fn exit_codes() -> String {
    let mut text = String::from("Exit codes:\n");
    for (code, meaning) in crate::exit::TABLE {
        let _ = writeln!(text, "  {code:>3}  {meaning}");
    }
    text
}
