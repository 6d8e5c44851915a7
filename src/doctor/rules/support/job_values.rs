//! Single values of cron jobs, read as generously as gateways wrote them.

use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

use crate::model::Ms;

/// Spread of jobs that run at the top of the hour, in ms.
const STAGGER: u64 = 300_000;

/// Text as it is, anything else as JSON.
pub(super) fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// A value that nobody misses.
pub(super) fn says_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(list) => list.is_empty(),
        Value::Object(map) => map.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Writes the name of a model of the retired provider as that of its successor; whether there was one.
pub(super) fn from_codex(model: &mut Value) -> bool {
    let Some(bare) = model.as_str().and_then(|m| m.trim().strip_prefix("openai-codex/")) else { return false };
    *model = Value::String(format!("openai/{bare}"));
    true
}

/// A spread: as given, that of jobs at the top of the hour, or none. Gives a value that this took away.
pub(super) fn stagger(schedule: &mut Map<String, Value>, kind: &str) -> Option<Value> {
    if kind != "cron" {
        return schedule.shift_remove("staggerMs");
    }
    if let Some(given) = schedule.get("staggerMs").and_then(whole) {
        schedule.insert("staggerMs".to_owned(), json!(given));
        return None;
    }
    let expr = schedule.get("expr").and_then(Value::as_str).unwrap_or_default();
    let fields: Vec<&str> = expr.split_whitespace().collect();
    let top = match fields.as_slice() {
        [minute, hour, _, _, _] => *minute == "0" && hour.contains('*'),
        [second, minute, hour, _, _, _] => *second == "0" && *minute == "0" && hour.contains('*'),
        _ => false,
    };
    if top {
        return schedule.insert("staggerMs".to_owned(), json!(STAGGER));
    }
    schedule.shift_remove("staggerMs")
}

/// A number, or a text of digits, floored; nothing negative.
pub(super) fn whole(value: &Value) -> Option<u64> {
    let number = match value {
        Value::Number(n) => n.as_f64(),
        Value::String(text) => text.trim().parse::<f64>().ok(),
        _ => None,
    };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "not negative, and saturating")]
    number.filter(|n| n.is_finite() && *n >= 0.0).map(|n| n as u64)
}

/// A time as epoch ms: a number, digits, or ISO text; a date alone is midnight, a time without a zone is UTC.
pub(super) fn moment(value: &Value) -> Option<Ms> {
    match value {
        Value::Number(_) => whole(value).and_then(|ms| Ms::try_from(ms).ok()),
        Value::String(text) => {
            let text = text.trim();
            if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) {
                return text.parse().ok();
            }
            let parse = |text: &str| text.parse::<jiff::Timestamp>().ok().map(jiff::Timestamp::as_millisecond);
            parse(text).or_else(|| parse(&format!("{text}Z"))).or_else(|| parse(&format!("{text}T00:00:00Z")))
        }
        _ => None,
    }
}

/// An id for a job that has none, made of the job, so that the same file gives the same id.
pub(super) fn new_id(seed: &str) -> String {
    let hex: String = Sha256::digest(seed.as_bytes()).iter().take(16).map(|b| format!("{b:02x}")).collect();
    format!("cron-{}-{}-4{}-8{}-{}", &hex[..8], &hex[8..12], &hex[13..16], &hex[17..20], &hex[20..32])
}
