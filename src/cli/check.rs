//! `sessions check`.

use clap::Args;
use clap::builder::PossibleValuesParser;
use clap::builder::TypedValueParser as _;

use super::select::SelectArgs;
use crate::model::finding::FindingId;

/// Look for damage and other findings in index and files; changes nothing.
///
/// Quick by default: the index, all names, every lock, and of each transcript at most the first and the last 64 KiB (of
/// more than 20 000 transcripts the newest). Works when the index is damaged or missing. Exit code 4 if there is any
/// error; warnings do not count.
#[derive(Debug, Clone, Default, Args)]
pub struct CheckArgs {
    /// Read every line of every transcript
    #[arg(long)]
    pub full: bool,

    /// Report only this finding; may be given several times
    #[arg(long, value_name = "ID", hide_possible_values = true,
          value_parser = PossibleValuesParser::new(FindingId::ALL.iter().map(|f| f.id())).try_map(parse))]
    pub only: Vec<FindingId>,

    /// Which stores.
    #[command(flatten)]
    pub select: SelectArgs,
}

fn parse(id: String) -> Result<FindingId, String> {
    FindingId::parse(&id).ok_or_else(|| format!("no finding is called {id}"))
}
