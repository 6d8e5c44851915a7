//! The commands of the group `transcript` that only read.

use clap::{Args, ValueEnum};

use super::select::SelectArgs;
use super::transcript::OneTranscript;
use super::values;
use crate::model::Ms;

/// How an index that was made earlier may be used.
#[derive(Debug, Clone, Copy, Default, Args)]
pub struct CacheArgs {
    /// Read the transcript anew, and keep nothing for the next time
    #[arg(long)]
    pub no_cache: bool,
}

/// The conversation, as a person reads it.
#[derive(Debug, Clone, Default, Args)]
pub struct ShowArgs {
    /// Which transcript.
    #[command(flatten)]
    pub one: OneTranscript,

    /// Only the last N messages
    #[arg(long, value_name = "N", conflicts_with_all = ["head", "from", "to", "entry"])]
    pub tail: Option<u64>,

    /// Only the first N messages
    #[arg(long, value_name = "N", conflicts_with_all = ["from", "to", "entry"])]
    pub head: Option<u64>,

    /// Begin at this entry id, or at this time (2026-05-01, 2026-05-01T08:00:00Z, 3d)
    #[arg(long, value_name = "ID|TIME", conflicts_with = "entry")]
    pub from: Option<String>,

    /// End with this entry id, or at this time
    #[arg(long, value_name = "ID|TIME", conflicts_with = "entry")]
    pub to: Option<String>,

    /// One entry in full
    #[arg(long, value_name = "ID")]
    pub entry: Option<String>,

    /// Every entry of the file in file order, not only the active branch
    #[arg(long)]
    pub all_branches: bool,

    /// Also whole records that stand on damaged lines, which the gateway does not see
    #[arg(long)]
    pub recovered: bool,

    /// The records as they stand in the file
    #[arg(long, conflicts_with = "json")]
    pub raw: bool,

    /// Tool arguments and results, thinking and system notes in full
    #[arg(long)]
    pub full: bool,

    /// No pager
    #[arg(long)]
    pub no_pager: bool,

    /// Cache.
    #[command(flatten)]
    pub cache: CacheArgs,
}

/// Branches, the active leaf, compactions and labels.
#[derive(Debug, Clone, Default, Args)]
pub struct TreeArgs {
    /// Which transcript.
    #[command(flatten)]
    pub one: OneTranscript,

    /// Every entry on a line of its own, also within a branch
    #[arg(long)]
    pub all: bool,

    /// Also whole records that stand on damaged lines, which the gateway does not see
    #[arg(long)]
    pub recovered: bool,

    /// Cache.
    #[command(flatten)]
    pub cache: CacheArgs,
}

/// What the model sees next turn.
#[derive(Debug, Clone, Default, Args)]
pub struct ContextArgs {
    /// Which transcript.
    #[command(flatten)]
    pub one: OneTranscript,

    /// Context window of the model in tokens [default: that of the session's row]
    #[arg(long, value_name = "TOKENS")]
    pub window: Option<u64>,

    /// Tokens kept free for the answer [default: from the configuration, else 20000]
    #[arg(long, value_name = "TOKENS")]
    pub reserve: Option<u64>,

    /// Tokens of recent messages that a compaction keeps [default: from the configuration, else 20000]
    #[arg(long, value_name = "TOKENS")]
    pub keep_recent: Option<u64>,

    /// Cache.
    #[command(flatten)]
    pub cache: CacheArgs,
}

/// Entries, tokens, cost, tool calls and bytes.
#[derive(Debug, Clone, Default, Args)]
pub struct StatsArgs {
    /// Transcript: a path, a folder, a session key, a session id, or the name of a file; nothing: all transcripts of the chosen
    /// stores
    #[arg(value_name = "FILE|KEY|ID")]
    pub targets: Vec<String>,

    /// Which stores; nothing said: those of all agents.
    #[command(flatten)]
    pub select: SelectArgs,

    /// Leave out what was reset or deleted (.reset and .deleted archives)
    #[arg(long)]
    pub no_archives: bool,

    /// Time zone of the days, such as Europe/Berlin or UTC [default: $TZ, else that of this machine]
    #[arg(long, value_name = "ZONE")]
    pub tz: Option<String>,

    /// How many tools, models and large results are shown
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub top: usize,
}

/// Look for text in messages, tool calls and results.
#[derive(Debug, Clone, Default, Args)]
pub struct SearchArgs {
    /// Text to look for; with --regex an expression
    #[arg(value_name = "TEXT")]
    pub pattern: String,

    /// Transcripts, as for `transcript stats`; nothing: all of the chosen stores
    #[arg(value_name = "FILE|KEY|ID")]
    pub targets: Vec<String>,

    /// Which stores; nothing said: those of all agents.
    #[command(flatten)]
    pub select: SelectArgs,

    /// The text is a regular expression
    #[arg(short = 'E', long)]
    pub regex: bool,

    /// Upper and lower case are one
    #[arg(short, long)]
    pub ignore_case: bool,

    /// Only messages of this role; may be given several times
    #[arg(long = "role", value_enum, value_name = "ROLE")]
    pub roles: Vec<RoleArg>,

    /// Only calls and results of this tool; may be given several times
    #[arg(long = "tool", value_name = "NAME")]
    pub tools: Vec<String>,

    /// Only entries since then: a time, a date, or how long ago, such as 3d
    #[arg(long, value_name = "TIME")]
    pub since: Option<String>,

    /// Also .reset and .deleted archives
    #[arg(long)]
    pub archives: bool,

    /// Stop after so many matches
    #[arg(long, value_name = "N")]
    pub limit: Option<u64>,
}

/// Values of `--role`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RoleArg {
    /// What people wrote
    User,
    /// Answers, thinking and tool calls of the model
    Assistant,
    /// Results of tools
    #[value(alias = "toolResult")]
    Tool,
    /// Summaries of compactions and branches
    Summary,
    /// Messages that plug-ins put in
    Custom,
    /// Commands that people ran
    Bash,
}

/// A moment before which nothing counts.
pub fn since(text: &str, now: Ms) -> Result<Ms, String> {
    let day = crate::units::time::parse_iso(&format!("{}T00:00:00.000Z", text.trim()));
    day.map_or_else(|| values::moment(text, now), Ok)
}
