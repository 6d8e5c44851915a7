//! `transcript check`, `repair` and `export`.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};

use super::cleanup::OVERRIDE_TOKENS;
use super::transcript::OneTranscript;

/// Look for damage in one transcript, line by line; changes nothing.
///
/// Every line is read. Each finding has a stable id, its physical line and byte offset, and what the gateway would do
/// with it. Exit code 4 if there is any error; warnings do not count.
#[derive(Debug, Clone, Default, Args)]
pub struct CheckOneArgs {
    /// Which transcript.
    #[command(flatten)]
    pub one: OneTranscript,
}

/// Mend one transcript and keep every undamaged byte of it.
///
/// Fixed is what is provable: a torn last line, NUL blocks, records glued together, a missing final newline, a header that
/// is gone, and more (docs/TRANSCRIPTS.md). What is taken out moves to `<name>.torn`, and the old file stays as
/// `<name>.bak-<pid>-<ms>`, as the gateway itself names it. `clawkeep sessions undo` puts all of it back. On a terminal the
/// command asks first; without one the verb is the consent.
#[derive(Debug, Clone, Default, Args)]
pub struct RepairOneArgs {
    /// Which transcript.
    #[command(flatten)]
    pub one: OneTranscript,

    /// Show what would be done, write nothing
    #[arg(short = 'n', long)]
    pub dry_run: bool,

    /// Do not ask
    #[arg(short, long)]
    pub yes: bool,

    /// Also rewrite a transcript of version 1 or 2 as version 3, as the gateway does when it opens one
    #[arg(long)]
    pub upgrade: bool,

    /// Pass one refusal, named by the token it printed; may be given several times
    #[arg(long = "override", value_name = "TOKEN", value_parser = PossibleValuesParser::new(OVERRIDE_TOKENS))]
    pub overrides: Vec<String>,
}

/// What an export is written as.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// One page that needs nothing else: no scripts, no network
    #[default]
    Html,
    /// Markdown
    Markdown,
    /// The records of the branch, byte for byte, as a transcript of their own
    Jsonl,
}

/// Where images of an export go.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum ExportImages {
    /// Into the page (HTML only)
    #[default]
    Embed,
    /// A note of type, size and entry in their place
    Reference,
}

/// Write a conversation as one HTML page, as Markdown, or as a transcript of its active branch.
#[derive(Debug, Clone, Default, Args)]
pub struct ExportArgs {
    /// Which transcript.
    #[command(flatten)]
    pub one: OneTranscript,

    /// What to write
    #[arg(long, value_enum, default_value_t)]
    pub format: ExportFormat,

    /// File to write; nothing said, or `-`: standard output. A file that exists is left alone
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Every branch, not only the active one
    #[arg(long)]
    pub all_branches: bool,

    /// Images
    #[arg(long, value_enum, default_value_t)]
    pub images: ExportImages,

    /// Leave out what looks like a key or token, and every value that the configuration marks as a secret
    #[arg(long)]
    pub redact: bool,
}
