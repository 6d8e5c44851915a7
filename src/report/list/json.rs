//! The list as JSON: the gateway's fields in its order, ours after them. Absent fields are left out.

use std::fmt;
use std::ops::Range;
use std::path::PathBuf;

use serde::ser::{Serialize, SerializeStruct, Serializer};
use serde_json::json;

use super::row::{ListedRow, ModelDefaults, TranscriptState};
use crate::model::Ms;
use crate::model::stores::Agent;
use crate::report::found::Found;
use crate::report::json::SCHEMA_VERSION;
use crate::report::source::{ByGateway, FILES, GATEWAY};

/// One store that was looked at.
#[derive(Debug, Clone)]
pub struct ListedStore {
    /// Agent label.
    pub agent_id: String,
    /// Path of the index.
    pub path: PathBuf,
    /// How it was found.
    pub found: Found,
    /// How it was: `ok`, `absent`, `leftover` (another generation is in charge) or `failed`.
    pub state: &'static str,
    /// A sentence about anything but `ok`.
    pub detail: Option<String>,
}

/// Rows that are made as they are written: all of a long list at once would take more memory than the index.
pub struct Rows<'a> {
    /// How many there are.
    pub count: usize,
    /// Makes some of them, by their places in the list.
    pub make: &'a dyn Fn(Range<usize>) -> Vec<ListedRow>,
}

impl Rows<'_> {
    /// So many rows are made at once: enough to keep several threads busy.
    const SHARE: usize = 4096;

    /// Makes all of them, in their order.
    pub fn iter(&self) -> impl Iterator<Item = ListedRow> + '_ {
        let share = |from: usize| (self.make)(from..self.count.min(from + Self::SHARE));
        (0..self.count).step_by(Self::SHARE).flat_map(share)
    }
}

impl fmt::Debug for Rows<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rows").field("count", &self.count).finish_non_exhaustive()
    }
}

/// A whole list.
#[derive(Debug)]
pub struct List<'a> {
    /// Stores, in target order; never empty.
    pub stores: &'a [ListedStore],
    /// Several stores were asked for, even if there is only one.
    pub aggregate: bool,
    /// Rows after the cut.
    pub rows: Rows<'a>,
    /// Rows before the cut.
    pub total: usize,
    /// The cut.
    pub limit: Option<u64>,
    /// `--active`.
    pub active_minutes: Option<u64>,
    /// Agents that were not looked at.
    pub not_looked_at: &'a [Agent],
    /// What the configuration says about models.
    pub defaults: &'a ModelDefaults,
    /// Time for ages.
    pub now: Ms,
    /// The gateway that told the rows; `None` for rows from files.
    pub gateway: Option<&'a ByGateway>,
}

impl Serialize for List<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut s = serializer.serialize_struct("list", 14)?;
        s.serialize_field("schemaVersion", &SCHEMA_VERSION)?;
        s.serialize_field("source", if self.gateway.is_some() { GATEWAY } else { FILES })?;
        if let Some(gateway) = self.gateway {
            s.serialize_field("gateway", gateway)?;
        }
        let only = self.stores.first().filter(|_| !self.aggregate);
        s.serialize_field("path", &only.map(|store| store.path.to_string_lossy()))?;
        if let Some(store) = only {
            s.serialize_field("storeOrigin", &store.found.origin)?;
        }
        if self.aggregate {
            let stores: Vec<_> = self.stores.iter().map(store_json).collect();
            s.serialize_field("stores", &stores)?;
            s.serialize_field("allAgents", &true)?;
        } else if let Some(store) = only.filter(|store| store.state != "ok") {
            s.serialize_field("storeState", store.state)?;
            s.serialize_field("storeDetail", &store.detail)?;
        }
        s.serialize_field("count", &self.rows.count)?;
        s.serialize_field("totalCount", &self.total)?;
        s.serialize_field("limitApplied", &self.limit)?;
        s.serialize_field("hasMore", &(self.rows.count < self.total))?;
        s.serialize_field("activeMinutes", &self.active_minutes)?;
        let others: Vec<_> =
            self.not_looked_at.iter().map(|a| json!({"agentId": a.id, "configured": a.configured})).collect();
        s.serialize_field("notLookedAt", &others)?;
        s.serialize_field("sessions", &Sessions(self))?;
        s.end()
    }
}

fn store_json(store: &ListedStore) -> serde_json::Value {
    let mut value = json!({
        "agentId": store.agent_id,
        "path": store.path.to_string_lossy(),
        "storeOrigin": store.found.origin,
        "state": store.state,
    });
    if let Some(detail) = &store.detail {
        value["detail"] = json!(detail);
    }
    value
}

struct Sessions<'a>(&'a List<'a>);

impl Serialize for Sessions<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.rows.iter().map(|row| RowJson { row, list: self.0 }))
    }
}

struct RowJson<'a> {
    row: ListedRow,
    list: &'a List<'a>,
}

impl Serialize for RowJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (row, list) = (&self.row, self.list);
        let mut s = serializer.serialize_struct("row", 30)?;
        s.serialize_field("key", &row.key)?;
        s.serialize_field("updatedAt", &row.entry.updated_at.map(Num))?;
        s.serialize_field("ageMs", &row.age(list.now))?;
        optional(&mut s, "sessionId", row.session_id.as_ref())?;
        levels(&mut s, row)?;
        tokens(&mut s, row, list)?;
        s.serialize_field("agentId", &row.agent())?;
        let provider = row.model(list.defaults).1;
        let runtime = if provider.as_deref() == Some("openai") { "codex" } else { "pi" };
        s.serialize_field("agentRuntime", &json!({"id": runtime, "source": "implicit"}))?;
        s.serialize_field("kind", row.kind())?;
        if row.suspect(list.now) {
            s.serialize_field("suspect", &true)?;
        }
        if row.odd {
            s.serialize_field("odd", &true)?;
        }
        match &row.transcript {
            TranscriptState::NotExpected | TranscriptState::Elsewhere => {}
            TranscriptState::Missing => s.serialize_field("missing", &true)?,
            TranscriptState::Found { path, bytes } => {
                s.serialize_field("transcript", &json!({"path": path.to_string_lossy(), "bytes": bytes}))?;
            }
        }
        if let Some(lock) = &row.lock {
            let (age, text) = (lock.age(list.now), lock.text(list.now));
            s.serialize_field("lock", &json!({"state": lock.word(), "pid": lock.pid(), "ageMs": age, "text": text}))?;
        }
        s.end()
    }
}

fn levels<S: SerializeStruct>(s: &mut S, row: &ListedRow) -> Result<(), S::Error> {
    let e = &row.entry;
    optional(s, "systemSent", e.system_sent)?;
    optional(s, "abortedLastRun", e.aborted_last_run)?;
    optional(s, "thinkingLevel", e.thinking_level.as_ref())?;
    optional(s, "verboseLevel", e.verbose_level.as_ref())?;
    optional(s, "traceLevel", e.trace_level.as_ref())?;
    optional(s, "reasoningLevel", e.reasoning_level.as_ref())?;
    optional(s, "elevatedLevel", e.elevated_level.as_ref())?;
    optional(s, "responseUsage", e.response_usage.as_ref())?;
    optional(s, "groupActivation", e.group_activation.as_ref())
}

fn tokens<S: SerializeStruct>(s: &mut S, row: &ListedRow, list: &List<'_>) -> Result<(), S::Error> {
    let e = &row.entry;
    optional(s, "inputTokens", e.input_tokens.map(Num))?;
    optional(s, "outputTokens", e.output_tokens.map(Num))?;
    s.serialize_field("totalTokens", &row.total().map(Num))?;
    s.serialize_field("totalTokensFresh", &row.fresh())?;
    let (model, provider) = row.model(list.defaults);
    s.serialize_field("model", &model)?;
    optional(s, "modelProvider", provider)?;
    optional(s, "providerOverride", e.provider_override.as_ref())?;
    optional(s, "modelOverride", e.model_override.as_ref())?;
    s.serialize_field("contextTokens", &Num(row.context(list.defaults)))
}

fn optional<S: SerializeStruct, T: Serialize>(s: &mut S, name: &'static str, value: Option<T>) -> Result<(), S::Error> {
    match value {
        Some(value) => s.serialize_field(name, &value),
        None => Ok(()),
    }
}

/// A number as JavaScript writes it: whole ones without a point.
struct Num(f64);

impl Serialize for Num {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        const EXACT: f64 = 9_007_199_254_740_992.0;
        if self.0.fract() == 0.0 && self.0.abs() <= EXACT {
            #[expect(clippy::cast_possible_truncation, reason = "whole and within 2^53")]
            return serializer.serialize_i64(self.0 as i64);
        }
        serializer.serialize_f64(self.0)
    }
}
