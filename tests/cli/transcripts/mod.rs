//! Transcripts: what is shown of them, what the model sees, what they cost, and what is found in them.

mod asked;
mod compat;
mod outputs;
mod stories;

pub use outputs::outputs;

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::common::{Output, World};

/// Lines of JSON as one text, each with its newline.
fn text(lines: &[Value]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// A session header.
fn header() -> Value {
    json!({"type": "session", "version": 3, "id": "s", "timestamp": "2026-05-01T08:00:00.000Z", "cwd": "/work"})
}

/// A message of a user.
fn user(id: &str, parent: impl Into<Value>, words: &str) -> Value {
    let message = json!({"role": "user", "content": [{"type": "text", "text": words}]});
    entry("message", id, parent.into(), json!({ "message": message }))
}

/// An answer of a model, with what it used.
fn answer(id: &str, parent: impl Into<Value>, words: &str) -> Value {
    let usage = json!({"input": 10, "output": 2, "cacheRead": 5, "cacheWrite": 1, "totalTokens": 18,
        "cost": {"input": 0.1, "output": 0.1, "cacheRead": 0.0, "cacheWrite": 0.0, "total": 0.25}});
    let message = json!({"role": "assistant", "content": [{"type": "text", "text": words}], "provider": "acme",
        "model": "acme-1", "responseId": format!("resp-{id}"), "usage": usage, "stopReason": "stop"});
    entry("message", id, parent.into(), json!({ "message": message }))
}

/// Any entry.
fn entry(kind: &str, id: &str, parent: Value, more: Value) -> Value {
    let mut entry = json!({"type": kind, "id": id, "parentId": parent, "timestamp": "2026-05-01T08:00:01.000Z"});
    entry.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    entry
}

/// Writes a transcript into the home of a world.
fn write(world: &World, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
    let path = world.home().join(name);
    std::fs::write(&path, text).unwrap();
    path
}

/// Values of JSON Lines.
fn json_lines(out: &Output) -> Vec<Value> {
    out.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
