//! Rows of sessions as a gateway lists them, read like an index.
//!
//! An answer is put into the form of an index in memory, so that everything that filters, orders and shows rows works on
//! rows from a gateway as on rows from a file, with the same doubts about times and odd values.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::client::Client;
use super::failure::CallError;
use crate::model::Ms;
use crate::model::fingerprint::Fingerprint;
use crate::model::index::IndexFacts;
use crate::store;

/// Lists rows; a scope that reads is enough.
const LIST: &str = "sessions.list";
/// Names the agents; likewise.
const AGENTS: &str = "agents.list";
/// As many rows as there are: the gateway's own cut is 100.
const ALL: u64 = 1_000_000;

/// Rows of one agent.
#[derive(Debug)]
pub struct Listing {
    /// The rows; its path is where the gateway keeps them, as it says.
    pub index: IndexFacts,
    /// Rows that pass the filters on the gateway's side, before the cut.
    pub total: usize,
    /// Model of rows that name none, with its provider.
    pub model: Option<String>,
    /// Context window of rows that name none, tokens.
    pub context_tokens: Option<u64>,
    /// Time on the gateway's host, epoch ms.
    pub now: Option<Ms>,
}

/// Rows of one agent, newest first: at most `limit`, all if `None`; with `active` those of the last minutes.
///
/// # Errors
/// See [`CallError`]; an answer without rows is [`CallError::Refused`].
pub fn list(client: &mut Client, agent: &str, limit: Option<u64>, active: Option<u64>) -> Result<Listing, CallError> {
    let mut params =
        json!({"agentId": agent, "limit": limit.unwrap_or(ALL), "includeGlobal": true, "includeUnknown": true});
    if let Some(minutes) = active {
        params["activeMinutes"] = minutes.into();
    }
    let answer = client.call(LIST, &params)?;
    let rows = answer.get("sessions").and_then(Value::as_array).ok_or_else(|| odd(LIST))?;
    let text = |pointer: &str| answer.pointer(pointer).and_then(Value::as_str);
    let total = answer.get("totalCount").and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok());
    Ok(Listing {
        index: index(text("/path").unwrap_or_default().into(), rows).ok_or_else(|| odd(LIST))?,
        total: total.unwrap_or(0).max(rows.len()),
        model: text("/defaults/model").map(|model| match text("/defaults/modelProvider") {
            Some(provider) => format!("{provider}/{model}"),
            None => model.to_owned(),
        }),
        context_tokens: answer.pointer("/defaults/contextTokens").and_then(Value::as_u64),
        now: answer.get("ts").and_then(Value::as_i64).filter(|at| *at > 0),
    })
}

/// The agents of the gateway, the default one first.
///
/// # Errors
/// See [`CallError`].
pub fn agents(client: &mut Client) -> Result<Vec<String>, CallError> {
    let answer = client.call(AGENTS, &json!({}))?;
    let default = answer.get("defaultId").and_then(Value::as_str);
    let all = answer.get("agents").and_then(Value::as_array).into_iter().flatten();
    let mut ids: Vec<String> = default.into_iter().map(str::to_owned).collect();
    for id in all.filter_map(|agent| agent.get("id").and_then(Value::as_str)) {
        if !ids.iter().any(|known| known == id) {
            ids.push(id.to_owned());
        }
    }
    if ids.is_empty() { Err(odd(AGENTS)) } else { Ok(ids) }
}

/// The row of a key, else of a session id; an index of one row.
///
/// # Errors
/// See [`CallError`].
pub fn find(client: &mut Client, what: &str) -> Result<Option<IndexFacts>, CallError> {
    if let Some(found) = describe(client, what)? {
        return Ok(Some(found));
    }
    match client.call("sessions.resolve", &json!({"sessionId": what})) {
        Ok(answer) => match answer.get("key").and_then(Value::as_str) {
            Some(key) => describe(client, key),
            None => Ok(None),
        },
        // How it says that there is none.
        Err(CallError::Refused { code, message, .. })
            if code == "INVALID_REQUEST" && message.starts_with("No session") =>
        {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

fn describe(client: &mut Client, key: &str) -> Result<Option<IndexFacts>, CallError> {
    const DESCRIBE: &str = "sessions.describe";
    let answer = client.call(DESCRIBE, &json!({"key": key}))?;
    match answer.get("session") {
        Some(row @ Value::Object(_)) => {
            index(PathBuf::new(), std::slice::from_ref(row)).map(Some).ok_or_else(|| odd(DESCRIBE))
        }
        _ => Ok(None),
    }
}

/// Rows as the index that they came from would hold them; `None` if they cannot be put into one.
pub(super) fn index(path: PathBuf, rows: &[Value]) -> Option<IndexFacts> {
    let keyed = rows.iter().filter_map(|row| Some((row.get("key")?.as_str()?.to_owned(), row.clone())));
    let bytes = Value::Object(keyed.collect::<Map<_, _>>()).to_string().into_bytes();
    let no_file = Fingerprint { size: bytes.len() as u64, ..Fingerprint::NONE };
    store::parse::parse(path, no_file, Arc::new(bytes)).ok()
}

fn odd(method: &str) -> CallError {
    let message = format!("its answer to {method} is none that this program knows");
    CallError::Refused { code: "UNKNOWN_ANSWER".to_owned(), message, details: None }
}
