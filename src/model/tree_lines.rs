//! A tree as it is shown.

use serde::Serialize;

/// One entry of a tree, for programs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Node {
    /// Always `node`.
    #[serde(rename = "type")]
    pub record: &'static str,
    /// Its id, or `null`.
    pub id: Option<String>,
    /// Id of its parent, or `null`.
    pub parent_id: Option<String>,
    /// `type` of the record.
    pub kind: String,
    /// Role of a message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// Physical line.
    pub line: u64,
    /// Offset of its first byte.
    pub offset: u64,
    /// Bytes of the record.
    pub bytes: u64,
    /// `timestamp`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<String>,
    /// It is on the active branch.
    pub active: bool,
    /// It is the leaf.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub leaf: bool,
    /// How many children it has.
    pub children: u64,
    /// Its parent is not in the file.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub dangling: bool,
    /// A later entry has the same id and hides it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
    /// It stands on a line that the gateway cannot read.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub recovered: bool,
    /// Its label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

/// A run of entries without a fork, for people: one line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Run {
    /// How deep it is indented.
    pub indent: usize,
    /// It is on the active branch.
    pub active: bool,
    /// It begins a branch that was left.
    pub begins: bool,
    /// The first entry.
    pub first: Option<String>,
    /// The last entry, if it is another one.
    pub last: Option<String>,
    /// What it is called: a kind, or a role.
    pub what: String,
    /// Entries.
    pub entries: u64,
    /// Bytes of their records.
    pub bytes: u64,
    /// Messages of users, of the model, and results among them.
    pub turns: [u64; 3],
    /// `timestamp` of the first.
    pub at: Option<String>,
    /// The beginning of its text.
    pub snippet: Option<String>,
    /// Leaf, labels, damage.
    pub marks: Vec<String>,
    /// Entries and bytes of the whole branch, where one begins that was left.
    pub branch: Option<(u64, u64)>,
}
