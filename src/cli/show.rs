//! `sessions show`.

use clap::Args;

use super::gateway::ReachFlags;
use super::select::SelectArgs;

/// One row or file in full: where its files are, what protects it, and which rule takes it when.
#[derive(Debug, Clone, Args)]
pub struct ShowArgs {
    /// Session key, session id, or file
    #[arg(value_name = "KEY|ID|FILE")]
    pub what: String,

    /// Which stores.
    #[command(flatten)]
    pub select: SelectArgs,

    /// How to reach the gateway that is asked, in remote mode or with --gateway-url.
    #[command(flatten)]
    pub reach: ReachFlags,
}
