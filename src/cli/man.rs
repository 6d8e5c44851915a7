//! `man`.

use std::path::PathBuf;

use clap::Args;

/// Write the manual, one page per command.
#[derive(Debug, Clone, Args)]
pub struct ManArgs {
    /// Folder for the pages; created if it does not exist
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,
}
