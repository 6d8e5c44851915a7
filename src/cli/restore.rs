//! `sessions restore`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::cleanup::OVERRIDE_TOKENS;
use super::select::SelectArgs;

/// Bring one session back from wherever something of it is left.
///
/// Looks in the recorded runs, the archives in the folder, compressed copies, transcripts that no row leads to, and, for
/// the row, in recorded rows and index snapshots. The newest copy comes back under its own name, its row in its exact
/// bytes. Nothing that lives now is displaced. A restore is a run: `clawkeep sessions undo` takes it back.
#[derive(Debug, Clone, Default, Args)]
pub struct RestoreArgs {
    /// Session key, session id, or file (live or archive name)
    #[arg(value_name = "KEY|ID|FILE")]
    pub what: String,

    /// Show every copy that is left, with date, turns and the first line of the user; write nothing
    #[arg(long)]
    pub list: bool,

    /// Bring it back under this key, for a key that is taken or not known any more
    #[arg(long = "as", value_name = "KEY")]
    pub as_key: Option<String>,

    /// Bring back what there was at this time: an ISO time, a date (its end, UTC), or how long ago, such as 3d
    #[arg(long, value_name = "TIME")]
    pub at: Option<String>,

    /// Also look in this archive folder (see `archive init`); may be given several times
    #[arg(long, value_name = "DIR")]
    pub archive_to: Vec<PathBuf>,

    /// Which stores.
    #[command(flatten)]
    pub select: SelectArgs,

    /// Show what would be done, write nothing
    #[arg(short = 'n', long)]
    pub dry_run: bool,

    /// Do not ask, also if the gateway's own limits would take the row again
    #[arg(short, long)]
    pub yes: bool,

    /// Pass one refusal, named by the token it printed; may be given several times
    #[arg(long = "override", value_name = "TOKEN", value_parser = PossibleValuesParser::new(OVERRIDE_TOKENS))]
    pub overrides: Vec<String>,
}
