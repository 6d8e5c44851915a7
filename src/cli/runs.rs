//! `sessions runs`.

use clap::Args;

use super::select::SelectArgs;

/// List the runs that changed something, newest first.
///
/// Each run can be put back with `sessions undo RUN` until it expires: after 90 days, or when 50 newer ones exist.
#[derive(Debug, Clone, Default, Args)]
pub struct RunsArgs {
    /// Which stores.
    #[command(flatten)]
    pub select: SelectArgs,

    /// Highest number of runs
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
}
