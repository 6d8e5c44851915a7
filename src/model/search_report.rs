//! Matches of a search, as they are shown.

use serde::Serialize;

/// A match: one text of one entry.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Match {
    /// Always `match`.
    #[serde(rename = "type")]
    pub record: &'static str,
    /// The file.
    pub path: String,
    /// Agent, if it was found through a store.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<String>,
    /// Id of the entry, or `null`.
    pub entry_id: Option<String>,
    /// Physical line.
    pub line: u64,
    /// Offset of the record.
    pub offset: u64,
    /// `timestamp`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<String>,
    /// `type` of the record.
    pub kind: String,
    /// Role of a message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// Tool that was called, or that answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// What the text is: `text`, `thinking`, `arguments`, `result`, `summary`, `command`.
    pub field: &'static str,
    /// Matches in this text.
    pub count: u64,
    /// The surroundings of the first.
    pub snippet: String,
    /// Where the match begins in the snippet, in characters.
    pub from: u64,
    /// Where it ends.
    pub to: u64,
    /// The record is very long and its texts were only looked at in their beginning.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
}

/// The end of a search.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    /// Always `summary`.
    #[serde(rename = "type")]
    pub record: &'static str,
    /// Version of this form.
    pub schema_version: u32,
    /// Files that were looked at.
    pub files: u64,
    /// Texts with a match.
    pub matches: u64,
    /// The search ended early because of `--limit`.
    pub limited: bool,
    /// Records too long to be looked at in full.
    pub cut_records: u64,
    /// Files that could not be read.
    pub unreadable: Vec<String>,
}
