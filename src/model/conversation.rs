//! A transcript as it is shown: what reports print, for people and as JSON.

use serde::Serialize;

use super::Ms;

/// What one call used, as reported by the provider.
pub use super::transcript_usage::Usage;

/// Version of the JSON of the commands that read transcripts.
pub const SCHEMA_VERSION: u32 = 1;

/// What the gateway does with the file when it opens it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Opening {
    /// It reads it.
    Reads,
    /// It discards every entry and writes a new header over the file.
    Wipes,
    /// It stops with an error.
    Throws,
    /// It never returns: the way from the leaf runs in a circle.
    Hangs,
}

/// A transcript.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Head {
    /// Always `transcript`.
    #[serde(rename = "type")]
    pub record: &'static str,
    /// Version of this form.
    pub schema_version: u32,
    /// Path.
    pub path: String,
    /// Bytes of the transcript, unpacked.
    pub bytes: u64,
    /// What kind of file it is: `transcript`, `checkpoint`, `archive`, ...
    pub class: &'static str,
    /// Agent, if it was found through a store.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<String>,
    /// Session key, if it was found through a row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// `id` of the header.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// `version` of the header; 1 if it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<u32>,
    /// `timestamp` of the header.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started_at: Option<String>,
    /// `cwd` of the header.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// `parentSession` of the header.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent_session: Option<String>,
    /// `name` of the last session_info.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Physical lines; absent if only the end was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<u64>,
    /// JSON values, headers included; absent if only the end was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<u64>,
    /// Entries that the gateway loads; absent if only the end was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entries: Option<u64>,
    /// Whole records on lines that the gateway cannot read.
    #[serde(skip_serializing_if = "is_zero")]
    pub recovered: u64,
    /// Id of the leaf; `null` if the last entry has none.
    pub leaf_id: Option<String>,
    /// Entries of the active branch; absent if only its end was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub active_entries: Option<u64>,
    /// Roots of the tree; absent if only the end was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub roots: Option<u64>,
    /// What the gateway does with the file.
    pub gateway: Opening,
    /// Tokens of the last call that reported some.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_usage: Option<Usage>,
    /// What a reader should know.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Files that belong to it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub related: Vec<Related>,
}

fn is_zero(n: &u64) -> bool {
    *n == 0
}

/// A file that belongs to a transcript, or that it came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Related {
    /// How: `checkpoint`, `trajectory`, `archive`, `parent`, `successor`, `fork`, `topic`, `repairBackup`, ...
    pub kind: &'static str,
    /// Its path.
    pub path: String,
    /// Its size; absent for a missing one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// Time in its name or of the event that made it, epoch ms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<Ms>,
    /// Why it was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The entry that it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry_id: Option<String>,
}

/// A part of a message.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Part {
    /// Text.
    Text {
        /// The text.
        text: String,
    },
    /// What the model thought.
    Thinking {
        /// The text.
        text: String,
    },
    /// A call of a tool.
    ToolCall {
        /// Id of the call.
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<String>,
        /// Name of the tool.
        name: String,
        /// Arguments.
        arguments: serde_json::Value,
    },
    /// An image: never its content.
    Image {
        /// Its kind.
        #[serde(skip_serializing_if = "Option::is_none")]
        mime_type: Option<String>,
        /// Bytes of the image, estimated from its text.
        bytes: u64,
    },
    /// Anything else.
    Other {
        /// Its type.
        kind: String,
        /// Bytes of its text.
        bytes: u64,
    },
}

/// An entry as it is shown.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Item {
    /// Its id, or `null`.
    pub id: Option<String>,
    /// Id of its parent, or `null`.
    pub parent_id: Option<String>,
    /// `type` of the record.
    pub kind: String,
    /// Physical line; absent if only the end of the file was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// Offset of its first byte.
    pub offset: u64,
    /// Bytes of the record.
    pub bytes: u64,
    /// `timestamp`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<String>,
    /// It is on the active branch.
    pub active: bool,
    /// It stands on a line that the gateway cannot read.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub recovered: bool,
    /// Role of a message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// Content.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Part>,
    /// Provider of an answer, or of a change of the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// Model of an answer, or of a change of the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Why an answer ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop_reason: Option<String>,
    /// What went wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// What an answer used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// The answer says nothing on purpose.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub silent: bool,
    /// Tool of a result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// Call that a result answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call_id: Option<String>,
    /// The result, or the command, is a failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed: Option<bool>,
    /// What a compaction keeps from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_kept_entry_id: Option<String>,
    /// Tokens before a compaction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens_before: Option<u64>,
    /// Entry that a label, a branch summary or a leaf is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_id: Option<String>,
    /// Thinking level, label, name or custom type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// Bytes that are left out here because the record is very long.
    #[serde(skip_serializing_if = "is_zero")]
    pub left_out: u64,
}
