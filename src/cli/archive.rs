//! The group `archive`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// Folders for verified compressed copies.
#[derive(Debug, Clone, Args)]
pub struct ArchiveArgs {
    /// What to do.
    #[command(subcommand)]
    pub verb: ArchiveVerb,
}

/// What to do with an archive folder.
#[derive(Debug, Clone, Subcommand)]
pub enum ArchiveVerb {
    /// Prepare a folder for --archive-to
    Init(ArchiveInitArgs),
}

/// Prepare a folder for --archive-to: creates it and leaves the marker without which nothing is packed there.
#[derive(Debug, Clone, Args)]
pub struct ArchiveInitArgs {
    /// The folder
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,
}
