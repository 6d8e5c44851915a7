//! The group `cron`.

use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};

use super::cleanup::OVERRIDE_TOKENS;
use super::select::SelectArgs;
use super::values;
use crate::model::Ms;
use crate::model::sourced::Limit;

/// Sessions and run logs of cron jobs.
#[derive(Debug, Clone, Args)]
pub struct CronArgs {
    /// What to do.
    #[command(subcommand)]
    pub verb: CronVerb,
}

/// What to do with what cron jobs leave behind.
#[derive(Debug, Clone, Subcommand)]
pub enum CronVerb {
    /// Jobs, the sessions of their runs, and their run logs
    Status(CronStatusArgs),
    /// Apply the retention of run sessions and the bounds of run logs; writes only with --enforce
    Prune(CronPruneArgs),
}

/// Jobs, the sessions of their runs, and their run logs.
#[derive(Debug, Clone, Default, Args)]
pub struct CronStatusArgs {
    /// Which stores.
    #[command(flatten)]
    pub select: SelectArgs,
}

/// Apply the retention of run sessions and the bounds of run logs.
#[derive(Debug, Clone, Default, Args)]
pub struct CronPruneArgs {
    /// Which stores.
    #[command(flatten)]
    pub select: SelectArgs,

    /// Show what would be done, write nothing
    #[arg(short = 'n', long)]
    pub dry_run: bool,

    /// Do it, also if the configured mode is warn
    #[arg(long)]
    pub enforce: bool,

    /// Age at which sessions of cron runs go; a bare number is hours
    #[arg(long, value_name = "DURATION", value_parser = values::retention_hours)]
    pub session_retention: Option<Limit<Ms>>,

    /// Touch no row: only trim run logs that are not being written; also allowed beside a running gateway
    #[arg(long, conflicts_with = "session_retention")]
    pub files_only: bool,

    /// Do not ask
    #[arg(short, long)]
    pub yes: bool,

    /// Pass one refusal, named by the token it printed; may be given several times
    #[arg(long = "override", value_name = "TOKEN", value_parser = PossibleValuesParser::new(OVERRIDE_TOKENS))]
    pub overrides: Vec<String>,
}
