//! Every value in force, with its origin: what `config get` shows.

use std::path::Path;

use serde_json::{Value, json};

use super::document::Document;
use super::load::Loaded;
use super::{agents, cron, gateway, own, secret, session};
use crate::model::policy::{DEFAULT_GRACE, MaxRemove};
use crate::model::settings::Settings;
use crate::model::sourced::{Limit, Origin, Sourced};
use crate::report::config::Row;
use crate::units::{bytes, duration};

/// All settings that this program uses, in a fixed order.
pub fn all(loaded: &Loaded) -> Vec<Row> {
    let s = &loaded.settings;
    let mut rows = session_rows(s);
    rows.extend(cron_rows(s));
    rows.extend(other_rows(loaded));
    rows.extend(own_rows(s));
    rows
}

/// The settings at or below a dotted key: those that this program uses with their effect, everything else as it is
/// written. Secrets are never in it. Empty if there is no such value.
pub fn of(loaded: &Loaded, key: &str) -> Vec<Row> {
    let mut rows: Vec<Row> = all(loaded).into_iter().filter(|r| is_at_or_below(&r.key, key)).collect();
    let documents = [
        (Some(&loaded.document), origin_config as fn(&Path) -> Origin),
        (loaded.own.as_ref(), origin_own as fn(&Path) -> Origin),
    ];
    for (document, origin) in documents {
        let Some((document, value)) = document.and_then(|d| d.value(key).map(|v| (d, v))) else { continue };
        let mut written = Vec::new();
        leaves(document, value, &mut key.to_owned(), origin, &mut written);
        // What a row above already shows as a whole is not shown again item by item.
        written.retain(|w| !rows.iter().any(|r| is_at_or_below(&w.key, &r.key)));
        rows.extend(written);
    }
    rows
}

fn is_at_or_below(key: &str, parent: &str) -> bool {
    key.strip_prefix(parent).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

fn origin_config(path: &Path) -> Origin {
    Origin::Config { path: path.to_owned() }
}

fn origin_own(path: &Path) -> Origin {
    Origin::Own { path: path.to_owned() }
}

/// Every scalar (and empty container) of a value as a row.
fn leaves(document: &Document, value: &Value, key: &mut String, origin: fn(&Path) -> Origin, out: &mut Vec<Row>) {
    let length = key.len();
    match value {
        Value::Object(map) if !map.is_empty() => {
            for (name, member) in map {
                key.push('.');
                key.push_str(name);
                leaves(document, member, key, origin, out);
                key.truncate(length);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            for (i, item) in items.iter().enumerate() {
                key.push('.');
                key.push_str(&i.to_string());
                leaves(document, item, key, origin, out);
                key.truncate(length);
            }
        }
        scalar => out.push(row(key, hidden(key, scalar), None, origin(document.nearest(key)))),
    }
}

/// The value unless it is a secret.
fn hidden(key: &str, value: &Value) -> Value {
    match value {
        Value::Null | Value::Bool(_) => value.clone(),
        _ if secret::is_secret(key) => json!(secret::HIDDEN),
        Value::String(text) => json!(secret::without_userinfo(text)),
        other => other.clone(),
    }
}

fn row(key: &str, value: Value, text: Option<String>, origin: Origin) -> Row {
    let text = text.unwrap_or_else(|| match &value {
        Value::String(text) => text.clone(),
        Value::Null => "-".to_owned(),
        other => other.to_string(),
    });
    Row { key: key.to_owned(), value, text, origin }
}

/// A setting with another source than its own key says which.
fn sourced<T>(key: &'static str, s: &Sourced<T>, value: Value, text: Option<String>) -> Row {
    let mut row = row(key, value, text, s.origin.clone());
    if s.key != key {
        row.text = format!("{} (as {})", row.text, s.key);
    }
    row
}

fn optional<T>(key: &'static str, s: Option<&Sourced<T>>, value: impl FnOnce(&T) -> Value) -> Row {
    match s {
        Some(s) => sourced(key, s, value(&s.value), None),
        None => row(key, Value::Null, None, Origin::Default),
    }
}

fn age(key: &'static str, s: &Sourced<Limit<i64>>) -> Row {
    limit(key, s, duration::human)
}

fn size(key: &'static str, s: &Sourced<Limit<u64>>) -> Row {
    limit(key, s, |n| format!("{n} ({})", bytes::human(n)))
}

fn count(key: &'static str, s: &Sourced<Limit<u64>>) -> Row {
    limit(key, s, |n| n.to_string())
}

/// A limit: `null` in JSON and `off` for people when there is none.
fn limit<T: Copy + Into<Value>>(key: &'static str, s: &Sourced<Limit<T>>, text: impl FnOnce(T) -> String) -> Row {
    match s.value {
        Limit::Off => sourced(key, s, Value::Null, Some("off".to_owned())),
        Limit::At(n) => sourced(key, s, n.into(), Some(text(n))),
    }
}

fn session_rows(s: &Settings) -> Vec<Row> {
    let m = &s.session;
    vec![
        optional(session::STORE, m.store.as_ref(), |t| json!(t)),
        optional(session::DM_SCOPE, m.dm_scope.as_ref(), |t| json!(t)),
        sourced(session::MAIN_KEY, &m.main_key, json!(m.main_key.value), None),
        sourced(
            session::LOCK_TIMEOUT,
            &m.lock_timeout_ms,
            json!(m.lock_timeout_ms.value),
            Some(duration::human(m.lock_timeout_ms.value)),
        ),
        sourced(session::MODE, &m.mode, json!(m.mode.value.as_str()), None),
        age(session::PRUNE_AFTER, &m.prune_after),
        count(session::MAX_ENTRIES, &m.max_entries),
        age(session::RESET_RETENTION, &m.reset_retention),
        size(session::MAX_DISK, &m.max_disk),
        size(session::HIGH_WATER, &m.high_water),
    ]
}

fn cron_rows(s: &Settings) -> Vec<Row> {
    let c = &s.cron;
    vec![
        sourced(cron::STORE, &c.store, json!(c.store.value.to_string_lossy()), None),
        age(cron::SESSION_RETENTION, &c.session_retention),
        size(cron::RUN_LOG_MAX_BYTES, &c.run_log_max_bytes),
        count(cron::RUN_LOG_KEEP_LINES, &c.run_log_keep_lines),
    ]
}

fn other_rows(loaded: &Loaded) -> Vec<Row> {
    let s = &loaded.settings;
    let written = |key: &str| loaded.origin_of(key).map_or(Origin::Default, origin_config);
    let ids: Vec<&str> = s.agents.iter().map(|a| a.id.as_str()).collect();
    let g = &s.gateway;
    vec![
        row(agents::LIST, json!(ids), Some(ids.join(", ")), written(agents::LIST)),
        row("agents.default", json!(s.default_agent), None, written(agents::LIST)),
        row(
            agents::DEFAULT_MODEL,
            json!(s.default_model),
            None,
            s.default_model.as_ref().map_or(Origin::Default, |_| written(agents::DEFAULT_MODEL)),
        ),
        optional(agents::CONTEXT_TOKENS, s.context_tokens.as_ref(), |n| json!(n)),
        optional(gateway::MODE, g.mode.as_ref(), |t| json!(t)),
        optional(gateway::PORT, g.port.as_ref(), |n| json!(n)),
        row(gateway::TLS, json!(g.tls), None, written(gateway::TLS)),
        optional(gateway::REMOTE_URL, g.remote_url.as_ref(), |t| json!(secret::without_userinfo(t))),
    ]
}

fn own_rows(s: &Settings) -> Vec<Row> {
    let o = &s.own;
    let keep: Vec<&str> = o.keep.iter().map(|k| k.value.as_str()).collect();
    let keep_origin = o.keep.first().map_or(Origin::Default, |k| k.origin.clone());
    // Without a retention of their own these archives follow pruneAfter.
    let deleted = o.deleted_retention.as_ref().unwrap_or(&s.session.prune_after);
    let grace = o.grace.clone().unwrap_or(Sourced::default_for(own::GRACE, DEFAULT_GRACE));
    vec![
        row(own::KEEP, json!(keep), Some(if keep.is_empty() { "-".to_owned() } else { keep.join(", ") }), keep_origin),
        age(own::DELETED_RETENTION, deleted),
        sourced(own::GRACE, &grace, json!(grace.value), Some(duration::human(grace.value))),
        optional(own::KEEP_FREE, o.keep_free.as_ref(), |t| json!(t)),
        optional(own::ARCHIVE_TO, o.archive_to.as_ref(), |p| json!(p.to_string_lossy())),
        optional(own::GATEWAY_TOKEN_FILE, o.gateway_token_file.as_ref(), |p| json!(p.to_string_lossy())),
        optional(own::GATEWAY_STATE_DIR, o.gateway_state_dir.as_ref(), |p| json!(p.to_string_lossy())),
        optional(own::MAX_REMOVE, o.max_remove.as_ref(), |m| match m {
            MaxRemove::Count(n) => json!(n),
            MaxRemove::Percent(n) => json!(format!("{n}%")),
        }),
    ]
}

#[cfg(test)]
#[path = "effective_tests.rs"]
mod tests;
