//! Tokens and cost of model calls.

/// What one call used.
#[derive(Debug, Clone, Copy, Default, PartialEq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// Tokens of the prompt that were not cached.
    pub input: u64,
    /// Tokens of the answer.
    pub output: u64,
    /// Tokens read from the cache.
    pub cache_read: u64,
    /// Tokens written to the cache.
    pub cache_write: u64,
    /// `total` as reported; 0 if it was not.
    pub total: u64,
    /// US dollars, as the gateway computed them; 0 if it did not.
    pub cost: f64,
}

impl Usage {
    /// Tokens of the prompt side: what the context held at that call.
    pub fn prompt(&self) -> u64 {
        self.input.saturating_add(self.cache_read).saturating_add(self.cache_write)
    }

    /// Tokens of the context after the call, as the gateway counts them for its decision to compact.
    pub fn context(&self) -> u64 {
        if self.total > 0 { self.total } else { self.prompt().saturating_add(self.output) }
    }

    /// Whether nothing was used.
    pub fn is_zero(&self) -> bool {
        *self == Self::default()
    }

    /// Adds another.
    pub fn add(&mut self, other: &Self) {
        self.input = self.input.saturating_add(other.input);
        self.output = self.output.saturating_add(other.output);
        self.cache_read = self.cache_read.saturating_add(other.cache_read);
        self.cache_write = self.cache_write.saturating_add(other.cache_write);
        self.total = self.total.saturating_add(other.total);
        self.cost += other.cost;
    }
}
