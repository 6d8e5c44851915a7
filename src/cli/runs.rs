//! `sessions runs`.

use clap::Args;

use super::select::SelectArgs;

/// List the recorded runs of a store: when, what they took, whether they can be undone.
#[derive(Debug, Clone, Default, Args)]
pub struct RunsArgs {
    /// Which stores.
    #[command(flatten)]
    pub select: SelectArgs,

    /// Let go of this run's record for good: it cannot be undone any more; may be given several times
    #[arg(long, value_name = "RUN", conflicts_with = "limit")]
    pub forget: Vec<String>,

    /// Do not ask
    #[arg(short, long, requires = "forget")]
    pub yes: bool,

    /// Show at most this many, the newest
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
}
