//! `sessions undo`.

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::cleanup::OVERRIDE_TOKENS;
use super::select::SelectArgs;

/// Put back what a run took: rows to their old place, files to their own names.
///
/// Without RUN the last run that can be undone. Nothing that lives now is displaced; what is in the way is reported. An
/// undo is a run of its own and can be undone too. The runs that one command made in several stores go back together; with
/// --agent or --store what it did there alone. With --key or --file only that part comes back, and the run can still be undone
/// for the rest.
#[derive(Debug, Clone, Default, Args)]
pub struct UndoArgs {
    /// Run to take back (see `sessions runs`)
    #[arg(value_name = "RUN")]
    pub run: Option<String>,

    /// Put back only the session with this key or id; may be given several times
    #[arg(long = "key", value_name = "KEY|ID")]
    pub keys: Vec<String>,

    /// Put back only this file, by the name it had or has now; may be given several times
    #[arg(long = "file", value_name = "NAME")]
    pub files: Vec<String>,

    /// Which stores.
    #[command(flatten)]
    pub select: SelectArgs,

    /// Show what would be put back, write nothing
    #[arg(short = 'n', long)]
    pub dry_run: bool,

    /// Do not ask, also if the gateway's own limits would take the rows again
    #[arg(short, long)]
    pub yes: bool,

    /// Pass one refusal, named by the token it printed; may be given several times
    #[arg(long = "override", value_name = "TOKEN", value_parser = PossibleValuesParser::new(OVERRIDE_TOKENS))]
    pub overrides: Vec<String>,
}
