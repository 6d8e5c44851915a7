//! `demo`.

use std::path::PathBuf;

use clap::Args;

/// Build a small realistic state in a temporary folder and show what a cleanup of it would do.
#[derive(Debug, Clone, Default, Args)]
pub struct DemoArgs {
    /// Build the state here and leave it, to try commands on it; must be new or empty
    #[arg(long, value_name = "DIR")]
    pub keep: Option<PathBuf>,
}
