//! Statistics of transcripts, as they are shown.

use serde::Serialize;

use super::transcript_usage::Usage;

/// Statistics of one transcript or of many.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StatsReport {
    /// Version of this form.
    pub schema_version: u32,
    /// Files that were read.
    pub files: u64,
    /// The path, if it is one file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Files that could not be read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unreadable: Vec<Unreadable>,
    /// Bytes of them.
    pub bytes: u64,
    /// Lines.
    pub lines: u64,
    /// The longest of them; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub longest_line: Option<LongestLine>,
    /// Lines that cannot be read.
    pub bad_lines: u64,
    /// Whole records on such lines; they are counted.
    pub recovered: u64,
    /// Records by type.
    pub entries: Vec<Count>,
    /// Messages by role.
    pub messages: Vec<Count>,
    /// Bytes by kind of content.
    pub content: Vec<Count>,
    /// Images.
    pub images: u64,
    /// Time zone of the days.
    pub time_zone: String,
    /// Answers that were counted: each response once.
    pub answers: u64,
    /// Answers that are copies of one that was counted (forks, replays).
    pub duplicate_answers: u64,
    /// There were too many answers to look for copies among all of them.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub duplicates_incomplete: bool,
    /// Answers that ended with an error or were aborted.
    pub failed_answers: u64,
    /// Tokens and cost of all.
    pub usage: Usage,
    /// The same by model.
    pub models: Vec<ModelUsage>,
    /// The same by day.
    pub days: Vec<DayUsage>,
    /// Tools.
    pub tools: Vec<Tool>,
    /// The largest results.
    pub largest_results: Vec<Large>,
    /// How many compactions there were.
    pub compaction_count: u64,
    /// The newest of them.
    pub compactions: Vec<CompactionAt>,
    /// The earliest time of an entry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_at: Option<String>,
    /// The latest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_at: Option<String>,
    /// Milliseconds between entries, pauses of more than ten minutes left out.
    pub busy_ms: i64,
}

/// A file that could not be read.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Unreadable {
    /// Its path.
    pub path: String,
    /// Why.
    pub error: String,
}

/// The longest line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LongestLine {
    /// Its file.
    pub path: String,
    /// Physical line.
    pub line: u64,
    /// Its offset.
    pub offset: u64,
    /// Bytes.
    pub bytes: u64,
}

/// A name and a number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Count {
    /// What.
    pub name: String,
    /// How many.
    pub count: u64,
}

/// What one model used.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ModelUsage {
    /// Provider.
    pub provider: String,
    /// Model.
    pub model: String,
    /// Answers.
    pub answers: u64,
    /// Tokens and cost.
    #[serde(flatten)]
    pub usage: Usage,
}

/// What was used on one day.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DayUsage {
    /// The day, or `unknown`.
    pub day: String,
    /// Answers.
    pub answers: u64,
    /// Tokens and cost.
    #[serde(flatten)]
    pub usage: Usage,
}

/// One tool.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Tool {
    /// Name.
    pub name: String,
    /// Calls.
    pub calls: u64,
    /// Results.
    pub results: u64,
    /// Results that are errors.
    pub errors: u64,
    /// Share of the results that are errors, 0 to 1.
    pub error_rate: f64,
    /// Bytes of results.
    pub result_bytes: u64,
}

/// A large result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Large {
    /// Its file.
    pub path: String,
    /// Physical line.
    pub line: u64,
    /// Offset of the record.
    pub offset: u64,
    /// Tool.
    pub tool: String,
    /// Bytes.
    pub bytes: u64,
}

/// A compaction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CompactionAt {
    /// Its file.
    pub path: String,
    /// Physical line.
    pub line: u64,
    /// Offset of the record.
    pub offset: u64,
    /// When.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// Tokens before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens_before: Option<u64>,
    /// Bytes of its summary.
    pub summary_bytes: u64,
}
