//! Rows made of a transcript's header alone: the last resort, and how `--adopt` makes a row.
//!
//! The key is the one that the trajectory beside the transcript names (written by the gateway itself for this very
//! session), if no row has it; else one that nobody else uses, `agent:<agent>:recovered:<session id>`. Model, channel and
//! counters are gone; the gateway fills them in when the session is next used.

use crate::model::Ms;
use crate::model::repair::{RepairFacts, Unowned};

/// A row and how sure its key is.
pub struct Rebuilt {
    /// Key.
    pub key: String,
    /// The key comes from the gateway's own trajectory, not from us.
    pub sure: bool,
    /// Its `updatedAt`.
    pub updated_at: Ms,
    /// Value, laid out as the gateway does.
    pub value: String,
}

impl Rebuilt {
    /// How the report calls it.
    pub fn confidence(&self) -> &'static str {
        if self.sure { "key from its trajectory" } else { "key made up, from the header alone" }
    }
}

/// Makes the row of one transcript. `taken` says whether a key is in use.
pub fn rebuild(facts: &RepairFacts, unowned: &Unowned, taken: impl Fn(&str) -> bool) -> Rebuilt {
    let file = &facts.folder.entries[unowned.file as usize];
    let agent = format!("agent:{}:", facts.agent_id);
    let named = unowned.key.clone().filter(|key| key.starts_with(&agent) && !taken(key));
    let updated_at = file.fp.mtime_ms();
    let mut value = serde_json::Map::new();
    value.insert("sessionId".into(), unowned.id.clone().into());
    value.insert("updatedAt".into(), updated_at.into());
    if let Some(at) = unowned.started_at {
        value.insert("sessionStartedAt".into(), at.into());
    }
    if let Some(path) = facts.folder.path.join(&*file.name).to_str() {
        value.insert("sessionFile".into(), path.into());
    }
    let text = serde_json::to_string_pretty(&value).unwrap_or_default().replace('\n', "\n  ");
    let sure = named.is_some();
    Rebuilt { key: named.unwrap_or_else(|| format!("{agent}recovered:{}", unowned.id)), sure, updated_at, value: text }
}

/// A key as it stands between quotes.
pub fn raw_key(key: &str) -> Vec<u8> {
    let quoted = serde_json::to_string(key).unwrap_or_default();
    quoted.trim_start_matches('"').strip_suffix('"').unwrap_or_default().as_bytes().to_vec()
}
