//! `sessions repair`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::cleanup::OVERRIDE_TOKENS;
use super::select::SelectArgs;
use crate::model::finding::RepairId;
use crate::model::repair::{Forced, RepairWishes};

/// Mend what `sessions check` finds: a damaged index, moved paths, locks of dead processes, leftovers.
///
/// A damaged index is rebuilt from its own whole rows, copies beside it, our snapshots and transcript headers, whichever
/// proves best; its old text stays beside the new one as `sessions.json.damaged.<time>`. Everything can be undone with
/// `clawkeep sessions undo`. Without a terminal the verb is the consent, unless rows are lost: that needs --yes.
#[derive(Debug, Clone, Default, Args)]
pub struct RepairArgs {
    /// Which stores.
    #[command(flatten)]
    pub select: SelectArgs,

    /// Show what would be done, write nothing
    #[arg(short = 'n', long)]
    pub dry_run: bool,

    /// Do only this kind of repair (an id that check names); may be given several times
    #[arg(long, value_name = "ID", value_parser = PossibleValuesParser::new(kinds().map(RepairId::id)))]
    pub only: Vec<String>,

    /// Take rows from here alone: `snapshots`, `salvage`, `headers`, or a file that holds an index
    #[arg(long, value_name = "SOURCE")]
    pub from: Option<PathBuf>,

    /// Make a row for the transcript with this session id or name; may be given several times
    #[arg(long, value_name = "ID")]
    pub adopt: Vec<String>,

    /// Also remove rows whose transcript is nowhere
    #[arg(long)]
    pub drop_missing: bool,

    /// Also set rows that say running, and were not touched for a day, to failed
    #[arg(long)]
    pub end_runs: bool,

    /// Take this field out of every row, e.g. systemPromptReport; may be given several times
    #[arg(long, value_name = "NAME")]
    pub strip_field: Vec<String>,

    /// Also take group and world rights from transcripts and index
    #[arg(long)]
    pub modes: bool,

    /// Do not ask, also if rows are lost or the gateway's own limits would take rows again
    #[arg(short, long)]
    pub yes: bool,

    /// Pass one refusal, named by the token it printed; may be given several times
    #[arg(long = "override", value_name = "TOKEN", value_parser = PossibleValuesParser::new(OVERRIDE_TOKENS))]
    pub overrides: Vec<String>,
}

/// What `--only` takes.
fn kinds() -> impl Iterator<Item = RepairId> {
    RepairId::ALL.iter().copied().filter(|k| k.of_sessions())
}

impl RepairArgs {
    /// The same for the plan. A file is made absolute by `cwd`.
    pub fn wishes(&self, cwd: &std::path::Path) -> RepairWishes {
        let from = self.from.as_ref().map(|from| match from.to_str() {
            Some("snapshots" | "snapshot") => Forced::Snapshots,
            Some("salvage") => Forced::Salvage,
            Some("headers") => Forced::Headers,
            _ => Forced::File(cwd.join(from)),
        });
        RepairWishes {
            from,
            adopt: self.adopt.clone(),
            drop_missing: self.drop_missing,
            end_runs: self.end_runs,
            strip: self.strip_field.clone(),
            modes: self.modes,
            only: kinds().filter(|k| self.only.iter().any(|id| id == k.id())).collect(),
        }
    }
}
