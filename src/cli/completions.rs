//! `completions`.

use clap::Args;
use clap_complete::Shell;

/// Print a completion script.
#[derive(Debug, Clone, Args)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    pub shell: Shell,
}
