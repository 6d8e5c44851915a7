//! `sessions cleanup`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::gateway::GatewayFlags;
use super::select::SelectArgs;
use super::values;
use crate::model::Ms;
use crate::model::policy::MaxRemove;
use crate::model::sourced::Limit;

/// Refusals that can be passed one by one. There is no flag that passes all of them.
pub const OVERRIDE_TOKENS: [&str; 8] = [
    "live-gateway",
    "owner-unknown",
    "legacy-store",
    "suspect-index",
    "owner-change",
    "managed-config",
    "large-removal",
    "partial-undo",
];

/// Remove what the retention rules no longer want: plan first, write only with --enforce.
///
/// Without --enforce (or `mode: "enforce"` in the configuration) nothing is written. Removed rows keep their
/// transcript as an archive; `clawkeep sessions undo` puts a whole run back.
#[derive(Debug, Clone, Default, Args)]
pub struct CleanupArgs {
    /// Which stores.
    #[command(flatten)]
    pub select: SelectArgs,

    /// Show what would be done, write nothing
    #[arg(short = 'n', long)]
    pub dry_run: bool,

    /// Do it, also if the configured mode is warn
    #[arg(long)]
    pub enforce: bool,

    /// Also remove rows whose transcript exists nowhere
    #[arg(long)]
    pub fix_missing: bool,

    /// Also retire direct-message rows of a former `session.dmScope`
    #[arg(long)]
    pub fix_dm_scope: bool,

    /// Never take the row with this key; may be given several times
    #[arg(long = "active-key", value_name = "KEY")]
    pub active_keys: Vec<String>,

    /// Never take rows whose key matches; may be given several times
    #[arg(long, value_name = "GLOB", value_parser = values::pattern)]
    pub keep: Vec<String>,

    /// Touch no row: only files that nothing refers to; also allowed beside a running gateway
    #[arg(long)]
    pub files_only: bool,

    /// Pack files into this folder (see `archive init`) and verify the copy before they are unlinked
    #[arg(long, value_name = "DIR")]
    pub archive_to: Option<PathBuf>,

    /// Stop if the pass would take more than N sessions, or P% of them; 0 switches it off
    ///
    /// Sessions are the rows of the index and the transcripts without a row.
    #[arg(long, value_name = "N|P%", value_parser = values::max_remove)]
    pub max_remove: Option<Limit<MaxRemove>>,

    /// Exit 4 if a limit cannot be met or something needs a person
    #[arg(long)]
    pub exit_code: bool,

    /// Pass one refusal, named by the token it printed; may be given several times
    #[arg(long = "override", value_name = "TOKEN", value_parser = PossibleValuesParser::new(OVERRIDE_TOKENS))]
    pub overrides: Vec<String>,

    /// Do not ask
    #[arg(short, long)]
    pub yes: bool,

    /// Age at which rows and unowned files go; archives keep at least the time that the configuration gives them
    #[arg(long, value_name = "DURATION", value_parser = values::retention_days, help_heading = "Limits of this run")]
    pub prune_after: Option<Limit<Ms>>,

    /// Highest number of rows
    #[arg(long, value_name = "N", value_parser = values::count_limit, help_heading = "Limits of this run")]
    pub max_entries: Option<Limit<u64>>,

    /// Disk budget of the sessions folder
    #[arg(long, value_name = "SIZE", value_parser = values::size_limit, help_heading = "Limits of this run")]
    pub max_disk: Option<Limit<u64>>,

    /// Where a pass over budget stops [default: 80 % of the budget]
    #[arg(long, value_name = "SIZE", value_parser = values::size_limit, help_heading = "Limits of this run")]
    pub high_water: Option<Limit<u64>>,

    /// Age at which `.deleted` archives are unlinked
    #[arg(long, value_name = "DURATION", value_parser = values::retention_days, help_heading = "Limits of this run")]
    pub deleted_retention: Option<Limit<Ms>>,

    /// Age at which `.reset` archives are unlinked
    #[arg(long, value_name = "DURATION", value_parser = values::retention_days, help_heading = "Limits of this run")]
    pub reset_retention: Option<Limit<Ms>>,

    /// Nothing touched within this time is taken [default: 10m]
    #[arg(long, value_name = "DURATION", value_parser = values::span, help_heading = "Limits of this run")]
    pub grace: Option<Ms>,

    /// How to reach the gateway that is asked to do it, where one runs.
    #[command(flatten)]
    pub gateway: GatewayFlags,
}
