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
    /// Make a folder an archive, once
    Init(ArchiveInitArgs),
}

/// Make a folder an archive, once.
///
/// Leaves the marker file `.clawkeep-archive` in DIR. Without that marker `--archive-to DIR` refuses to work, so that a
/// disk that is not mounted never leads copies into the empty mount point. Running it again changes nothing.
#[derive(Debug, Clone, Args)]
pub struct ArchiveInitArgs {
    /// The folder; created if only its last component is missing
    #[arg(value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    pub dir: PathBuf,
}
