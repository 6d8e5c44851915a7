//! The group `transcript`.

use clap::{Args, Subcommand};

use super::select::SelectArgs;

pub use super::transcript_mend::{CheckOneArgs, ExportArgs, ExportFormat, ExportImages, RepairOneArgs};
pub use super::transcript_read::{ContextArgs, SearchArgs, ShowArgs, StatsArgs, TreeArgs};

/// Read, check, mend and export transcripts.
#[derive(Debug, Clone, Args)]
pub struct TranscriptArgs {
    /// What to do.
    #[command(subcommand)]
    pub verb: TranscriptVerb,
}

/// What to do with a transcript.
#[derive(Debug, Clone, Subcommand)]
pub enum TranscriptVerb {
    /// The conversation, as a person reads it
    Show(ShowArgs),
    /// Branches, the active leaf, compactions and labels
    Tree(TreeArgs),
    /// What the model sees next turn, message by message, with token estimates
    Context(ContextArgs),
    /// Entries, tokens, cost, tool calls and bytes, of one transcript or of many
    Stats(StatsArgs),
    /// Look for text in messages, tool calls and results
    Search(SearchArgs),
    /// Look for damage, line by line; changes nothing
    Check(CheckOneArgs),
    /// Mend damage and keep every undamaged byte
    Repair(RepairOneArgs),
    /// Write the conversation as HTML, Markdown or JSON Lines
    Export(ExportArgs),
}

/// Which transcript, for every command that reads one.
#[derive(Debug, Clone, Default, Args)]
pub struct OneTranscript {
    /// Transcript: a path, a session key, a session id, or the name of a file in a sessions folder (archives, checkpoints and
    /// .zst copies too)
    #[arg(value_name = "FILE|KEY|ID")]
    pub target: String,

    /// Which stores to look in for a key, an id or a name; nothing said: those of all agents.
    #[command(flatten)]
    pub select: SelectArgs,
}
