//! The group `disk`.

use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};

use super::cleanup::OVERRIDE_TOKENS;
use super::select::SelectArgs;
use super::values::{self, KeepFree};

/// What fills the disk, by agent and class, and what could go by which rule.
#[derive(Debug, Clone, Args)]
pub struct DiskArgs {
    /// Which stores.
    #[command(flatten)]
    pub select: SelectArgs,

    /// Also name the N largest files
    #[arg(long, value_name = "N")]
    pub top: Option<usize>,

    /// What to do; nothing: report.
    #[command(subcommand)]
    pub verb: Option<DiskVerb>,
}

/// What to do about the disk.
#[derive(Debug, Clone, Subcommand)]
pub enum DiskVerb {
    /// Make room: takes only what the rules allow, what is final already first
    Free(DiskFreeArgs),
}

/// Make room: takes only what the rules allow, what is final already first; works on a full disk.
///
/// The disk is one: unless --agent or --store is given, the stores of all configured agents can make room.
#[derive(Debug, Clone, Default, Args)]
pub struct DiskFreeArgs {
    /// Which stores.
    #[command(flatten)]
    pub select: SelectArgs,

    /// Free this many bytes
    #[arg(long, value_name = "SIZE", value_parser = values::size, group = "goal")]
    pub need: Option<u64>,

    /// Go on until this much of the volume is free [default: `keepFree` of clawkeep.json5]
    #[arg(long, value_name = "SIZE|P%", value_parser = values::keep_free, group = "goal")]
    pub keep_free: Option<KeepFree>,

    /// Go on until the folder is at the high-water mark of its budget
    #[arg(long, group = "goal")]
    pub to_budget: bool,

    /// Also take archives whose retention still runs, oldest first, after everything else
    #[arg(long)]
    pub take_archives: bool,

    /// Show what would go, write nothing
    #[arg(short = 'n', long)]
    pub dry_run: bool,

    /// Do not ask
    #[arg(short, long)]
    pub yes: bool,

    /// Pass one refusal, named by the token it printed; may be given several times
    #[arg(long = "override", value_name = "TOKEN", value_parser = PossibleValuesParser::new(OVERRIDE_TOKENS))]
    pub overrides: Vec<String>,
}
