//! What the model sees next turn, as it is shown.

use serde::Serialize;

use super::conversation::{Head, Usage};

/// The context of a transcript. `L` is a list that may be too long to be at hand as a whole.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ContextReport<L> {
    /// Version of this form.
    pub schema_version: u32,
    /// The transcript.
    pub transcript: Head,
    /// How tokens are estimated: `chars/4`.
    pub estimate: &'static str,
    /// Thinking level in force.
    pub thinking_level: String,
    /// Provider and model in force, or `null`.
    pub model: Option<ModelInForce>,
    /// Ids of the active branch, the root first.
    pub active_path: L,
    /// What is sent, in order: a [`MessageLine`] each.
    pub messages: L,
    /// What was taken out by the compaction that counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compaction: Option<CompactionLine>,
    /// Tokens.
    pub tokens: Tokens,
    /// Where the next compaction would cut; `null` if there is nothing to compact.
    pub next_cut: Option<CutLine>,
    /// How far the threshold is; absent without a known window.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threshold: Option<Threshold>,
    /// The gateway fails while it builds the context: a record of type `message` without a message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub breaks_at_line: Option<u64>,
}

/// Provider and model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ModelInForce {
    /// Provider.
    pub provider: Option<String>,
    /// Model.
    pub model_id: Option<String>,
}

/// One message.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MessageLine {
    /// Its entry, or `null`.
    pub entry_id: Option<String>,
    /// Role, as the gateway calls it, or `null`.
    pub role: Option<String>,
    /// Physical line.
    pub line: u64,
    /// Offset of the record.
    pub offset: u64,
    /// Bytes of the record.
    pub bytes: u64,
    /// Estimated tokens.
    pub tokens: u64,
    /// Images in it.
    #[serde(skip_serializing_if = "is_zero")]
    pub images: u64,
    /// What the provider reported.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// It is not sent to the provider.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub left_out: bool,
}

fn is_zero(n: &u64) -> bool {
    *n == 0
}

/// The compaction that counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CompactionLine {
    /// Its entry.
    pub entry_id: Option<String>,
    /// The first entry that it keeps; `null`: nothing before it, or one that is not on the branch.
    pub kept_from: Option<String>,
    /// Messages that it took out.
    pub dropped_messages: u64,
    /// Their estimated tokens.
    pub dropped_tokens: u64,
}

/// Tokens of the context.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Tokens {
    /// Estimates of all messages.
    pub estimated: u64,
    /// What the provider reported last, and estimates of what came after; `null` without a report.
    pub reported: Option<u64>,
    /// The number that decides: the reported one, else the estimate.
    pub deciding: u64,
}

/// Where the next compaction would cut.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CutLine {
    /// The first entry that would stay.
    pub first_kept_entry_id: Option<String>,
    /// Its line.
    pub line: u64,
    /// The turn that would be cut in two begins here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_start_entry_id: Option<String>,
    /// Messages that would be summarised.
    pub summarised_messages: u64,
    /// Their estimated tokens.
    pub summarised_tokens: u64,
    /// Recent tokens that are kept.
    pub keep_recent: u64,
}

/// How far the threshold is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Threshold {
    /// Context window.
    pub window: u64,
    /// Where the window comes from.
    pub window_from: String,
    /// Tokens kept free.
    pub reserve: u64,
    /// Where that comes from.
    pub reserve_from: String,
    /// Tokens that the memory flush needs before: the check before a run keeps them free too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub soft: Option<u64>,
    /// Why the check before a run counts; absent where the one after a turn does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before_run: Option<&'static str>,
    /// More tokens than this are compacted; before a run, as many too.
    pub at: u64,
    /// Tokens that are compared with it.
    pub tokens: u64,
    /// Tokens until then; negative when it is passed.
    pub left: i64,
}
