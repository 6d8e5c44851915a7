//! `sessions runs`.

use clap::Args;

use super::select::SelectArgs;

/// List the recorded runs of a store: when, what they took, whether they can be undone.
#[derive(Debug, Clone, Default, Args)]
pub struct RunsArgs {
    /// Which stores.
    #[command(flatten)]
    pub select: SelectArgs,
}
