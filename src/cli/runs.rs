//! `sessions runs`.

use clap::Args;

use super::select::SelectArgs;

/// List the recorded runs of a store: when, what they took, whether they can be undone.
#[derive(Debug, Clone, Default, Args)]
pub struct RunsArgs {
    /// Which stores.
    #[command(flatten)]
    pub select: SelectArgs,

    /// Show at most this many, the newest
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
}
