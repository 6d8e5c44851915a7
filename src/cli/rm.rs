//! `sessions rm`.

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::cleanup::OVERRIDE_TOKENS;
use super::select::SelectArgs;

/// Remove chosen sessions, by key, id or pattern.
///
/// Their transcripts are archived and `clawkeep sessions undo` brings them back. With --purge nothing of them is kept:
/// archives, recorded rows, links and index snapshots lose them too, for good. A session that is locked or running stays.
/// A pattern (`*`, `?`) also spares the main session and keep patterns.
#[derive(Debug, Clone, Default, Args)]
pub struct RmArgs {
    /// Session key, session id, or pattern over keys
    #[arg(value_name = "KEY|GLOB", required = true)]
    pub names: Vec<String>,

    /// Remove for good, with everything that is kept of these sessions
    #[arg(long)]
    pub purge: bool,

    /// Never take the row with this key; may be given several times
    #[arg(long = "active-key", value_name = "KEY")]
    pub active_keys: Vec<String>,

    /// Which stores.
    #[command(flatten)]
    pub select: SelectArgs,

    /// Show what would be done, write nothing
    #[arg(short = 'n', long)]
    pub dry_run: bool,

    /// Do not ask
    #[arg(short, long)]
    pub yes: bool,

    /// Pass one refusal, named by the token it printed; may be given several times
    #[arg(long = "override", value_name = "TOKEN", value_parser = PossibleValuesParser::new(OVERRIDE_TOKENS))]
    pub overrides: Vec<String>,
}
