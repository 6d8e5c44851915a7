//! The group `config`. It reads; nothing here writes the gateway's configuration.

use clap::{Args, Subcommand};

/// What we understood of the configuration, and where each value came from.
#[derive(Debug, Clone, Args)]
pub struct ConfigArgs {
    /// What to do.
    #[command(subcommand)]
    pub verb: ConfigVerb,
}

/// What to tell about the configuration.
#[derive(Debug, Clone, Subcommand)]
pub enum ConfigVerb {
    /// Which files are read, and why those
    Path(ConfigPathArgs),
    /// Values in force, with their origin
    Get(ConfigGetArgs),
    /// Check the values that this program uses
    Validate(ConfigValidateArgs),
}

/// Which files are read, and why those.
#[derive(Debug, Clone, Default, Args)]
pub struct ConfigPathArgs {}

/// Values in force, with their origin.
#[derive(Debug, Clone, Default, Args)]
pub struct ConfigGetArgs {
    /// Dotted key, such as session.maintenance.pruneAfter [default: everything that this program uses]
    #[arg(value_name = "KEY")]
    pub key: Option<String>,
}

/// Check the values that this program uses.
#[derive(Debug, Clone, Default, Args)]
pub struct ConfigValidateArgs {}
