//! What a list shows of a row, beyond the fields that policies look at.

/// Fields of one row beyond those that policies look at.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Entry {
    /// `chatType` of the row itself, not that of its origin.
    pub chat_type: Option<String>,
    /// `updatedAt` as written, if a number.
    pub updated_at: Option<f64>,
    /// `systemSent`.
    pub system_sent: Option<bool>,
    /// `abortedLastRun`.
    pub aborted_last_run: Option<bool>,
    /// `thinkingLevel`.
    pub thinking_level: Option<String>,
    /// `verboseLevel`.
    pub verbose_level: Option<String>,
    /// `traceLevel`.
    pub trace_level: Option<String>,
    /// `reasoningLevel`.
    pub reasoning_level: Option<String>,
    /// `elevatedLevel`.
    pub elevated_level: Option<String>,
    /// `responseUsage`.
    pub response_usage: Option<String>,
    /// `groupActivation`.
    pub group_activation: Option<String>,
    /// `inputTokens`.
    pub input_tokens: Option<f64>,
    /// `outputTokens`.
    pub output_tokens: Option<f64>,
    /// `totalTokens`.
    pub total_tokens: Option<f64>,
    /// `totalTokensFresh`.
    pub total_tokens_fresh: Option<bool>,
    /// `compactionCount`.
    pub compaction_count: Option<f64>,
    /// `contextTokens`.
    pub context_tokens: Option<f64>,
    /// `model`.
    pub model: Option<String>,
    /// `modelProvider`.
    pub model_provider: Option<String>,
    /// `modelOverride`.
    pub model_override: Option<String>,
    /// `providerOverride`.
    pub provider_override: Option<String>,
}
