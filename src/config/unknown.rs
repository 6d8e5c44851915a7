//! Keys that nobody reads. They never stop anything; they are named, because a retention in the wrong place has no
//! effect and the user finds out when the history is gone (reports F8).

use serde_json::Value;

use super::document::Document;
use super::own;

/// What the gateway knows in the objects that this program reads settings from.
const KNOWN: &[(&str, &[&str])] = &[
    (
        "session",
        &[
            "scope",
            "dmScope",
            "identityLinks",
            "resetTriggers",
            "idleMinutes",
            "reset",
            "resetByType",
            "resetByChannel",
            "store",
            "mainKey",
            "typingIntervalSeconds",
            "typingMode",
            "sendPolicy",
            "writeLock",
            "agentToAgent",
            "threadBindings",
            "maintenance",
        ],
    ),
    ("session.writeLock", &["acquireTimeoutMs"]),
    (
        "session.maintenance",
        &["mode", "pruneAfter", "pruneDays", "maxEntries", "resetArchiveRetention", "maxDiskBytes", "highWaterBytes"],
    ),
    (
        "cron",
        &[
            "enabled",
            "store",
            "maxConcurrentRuns",
            "retry",
            "webhook",
            "webhookToken",
            "sessionRetention",
            "runLog",
            "failureAlert",
            "failureDestination",
        ],
    ),
    ("cron.runLog", &["maxBytes", "keepLines"]),
];

/// Keys that the gateway no longer reads.
const RETIRED: &[(&str, &str)] = &[("session.maintenance", "rotateBytes"), ("session", "parentForkMaxTokens")];

/// Settings whose name is clear wherever it stands, with the place where they work.
const PLACED: &[(&str, &str)] = &[
    ("pruneAfter", "session.maintenance.pruneAfter"),
    ("pruneDays", "session.maintenance.pruneDays"),
    ("resetArchiveRetention", "session.maintenance.resetArchiveRetention"),
    ("maxDiskBytes", "session.maintenance.maxDiskBytes"),
    ("highWaterBytes", "session.maintenance.highWaterBytes"),
    ("sessionRetention", "cron.sessionRetention"),
];

/// Settings that other parts of the configuration have too; out of place only in an object of this kind.
const PLACED_IN_SESSION: &[(&str, &str)] = &[
    ("maintenance", "session.maintenance"),
    ("maxEntries", "session.maintenance.maxEntries"),
    ("mode", "session.maintenance.mode"),
    ("dmScope", "session.dmScope"),
    ("mainKey", "session.mainKey"),
    ("runLog", "cron.runLog"),
];

/// Most warnings of this kind; the rest is counted.
const MOST: usize = 20;

/// Looks at the gateway's configuration.
pub(super) fn check(document: &Document, warnings: &mut Vec<String>) {
    let mut found = Vec::new();
    for (parent, known) in KNOWN {
        let Some(Value::Object(map)) = document.value(parent) else { continue };
        for name in map.keys().filter(|k| !known.contains(&k.as_str())) {
            let key = format!("{parent}.{name}");
            let file = document.nearest(&key).display();
            if RETIRED.contains(&(*parent, name.as_str())) {
                found.push(format!("{file}: {key} is retired; remove it with {}", crate::hints::RETIRED_KEY));
                continue;
            }
            let hint =
                placed(name, true).map(str::to_owned).or_else(|| closest(name, known).map(|k| format!("{parent}.{k}")));
            found.push(unknown_text(&file.to_string(), &key, hint.as_deref()));
        }
    }
    misplaced(document, &mut found);
    push_capped(found, warnings);
}

/// Looks at our own file.
pub(super) fn check_own(document: &Document, warnings: &mut Vec<String>) {
    let Value::Object(map) = &document.root else { return };
    let mut found = Vec::new();
    for name in map.keys().filter(|k| !own::KEYS.contains(&k.as_str())) {
        let hint = closest(name, own::KEYS).map(str::to_owned);
        let hint = hint.or_else(|| placed(name, true).map(|k| format!("{k} in the gateway's configuration")));
        found.push(unknown_text(&document.nearest(name).display().to_string(), name, hint.as_deref()));
    }
    push_capped(found, warnings);
}

fn unknown_text(file: &str, key: &str, hint: Option<&str>) -> String {
    match hint {
        Some(hint) => format!("{file}: {key} has no effect; did you mean {hint}?"),
        None => format!("{file}: unknown key {key}"),
    }
}

fn push_capped(found: Vec<String>, warnings: &mut Vec<String>) {
    let more = found.len().saturating_sub(MOST);
    warnings.extend(found.into_iter().take(MOST));
    if more > 0 {
        warnings.push(format!("{more} more keys without effect"));
    }
}

/// Settings at the top level and below `agents` and `gateway`, where people put them by mistake. Parts that belong to
/// plugins, channels or models have keys of their own and are left alone.
fn misplaced(document: &Document, found: &mut Vec<String>) {
    let Value::Object(root) = &document.root else { return };
    for (name, value) in root {
        let hint = match name.as_str() {
            "session" | "cron" => None,
            "agents" | "gateway" | "agent" => {
                walk(document, value, name, false, found);
                None
            }
            other => placed(other, false).map(str::to_owned).or_else(|| root_typo(other)),
        };
        if let Some(hint) = hint {
            found.push(unknown_text(&document.nearest(name).display().to_string(), name, Some(&hint)));
        }
    }
}

/// A misspelt section, or `maintenance` without its `session`.
fn root_typo(name: &str) -> Option<String> {
    if name == "maintenance" {
        return Some("session.maintenance".to_owned());
    }
    // One letter only: the top level has many names of its own.
    closest_within(name, &["session", "cron"], 1).map(str::to_owned)
}

fn walk(document: &Document, value: &Value, key: &str, in_session: bool, found: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            for (name, member) in map {
                let at = format!("{key}.{name}");
                if let Some(hint) = placed(name, in_session) {
                    found.push(unknown_text(&document.nearest(&at).display().to_string(), &at, Some(hint)));
                } else {
                    walk(document, member, &at, matches!(name.as_str(), "session" | "sessions"), found);
                }
            }
        }
        Value::Array(items) => {
            for (i, item) in items.iter().enumerate() {
                walk(document, item, &format!("{key}.{i}"), false, found);
            }
        }
        _ => {}
    }
}

/// Where a setting of this name works, if the name says so.
fn placed(name: &str, in_session: bool) -> Option<&'static str> {
    let lists = [PLACED, if in_session { PLACED_IN_SESSION } else { &[] }];
    lists.into_iter().flatten().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, key)| *key)
}

/// The known name that differs by at most two letters, or only in case.
fn closest<'k>(name: &str, known: &[&'k str]) -> Option<&'k str> {
    closest_within(name, known, 2)
}

/// The known name that differs by at most `most` letters; in short names one at most.
fn closest_within<'k>(name: &str, known: &[&'k str], most: usize) -> Option<&'k str> {
    let name = name.to_lowercase();
    known
        .iter()
        .map(|k| (distance(&name, &k.to_lowercase()), *k))
        .filter(|(d, k)| *d <= if k.len() <= 4 { 1 } else { most })
        .min_by_key(|(d, _)| *d)
        .map(|(_, k)| k)
}

/// Letters to insert, remove, replace or swap with the next one.
fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().collect();
    let b: Vec<char> = b.chars().collect();
    if a.len().abs_diff(b.len()) > 2 {
        return usize::MAX;
    }
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = i;
    }
    rows[0] = (0..=b.len()).collect();
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replaced.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = best;
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde_json::json;

    use super::*;

    fn warnings(root: Value) -> Vec<String> {
        let mut out = Vec::new();
        check(&Document::single(Path::new("/c"), root), &mut out);
        out
    }

    #[test]
    fn keys_in_the_wrong_place_get_the_right_one() {
        for (root, key, hint) in [
            (
                json!({"agents": {"defaults": {"session": {"pruneAfter": "9d"}}}}),
                "agents.defaults.session.pruneAfter",
                "session.maintenance.pruneAfter",
            ),
            (
                json!({"agents": {"list": [{"id": "a", "session": {"maxEntries": 1}}]}}),
                "agents.list.0.session.maxEntries",
                "session.maintenance.maxEntries",
            ),
            (json!({"session": {"pruneAfter": "9d"}}), "session.pruneAfter", "session.maintenance.pruneAfter"),
            (json!({"session": {"mode": "enforce"}}), "session.mode", "session.maintenance.mode"),
            (
                json!({"session": {"maintenance": {"pruneafter": "9d"}}}),
                "session.maintenance.pruneafter",
                "session.maintenance.pruneAfter",
            ),
            (
                json!({"session": {"maintenance": {"maxEntrys": 9}}}),
                "session.maintenance.maxEntrys",
                "session.maintenance.maxEntries",
            ),
            (
                json!({"session": {"maintenance": {"sessionRetention": "9d"}}}),
                "session.maintenance.sessionRetention",
                "cron.sessionRetention",
            ),
            (json!({"session": {"maintenence": {}}}), "session.maintenence", "session.maintenance"),
            (json!({"maintenance": {"mode": "warn"}}), "maintenance", "session.maintenance"),
            (json!({"maxDiskBytes": "1gb"}), "maxDiskBytes", "session.maintenance.maxDiskBytes"),
            (json!({"sesion": {}}), "sesion", "session"),
            (json!({"sessions": {}}), "sessions", "session"),
            (json!({"cron": {"runlog": {}}}), "cron.runlog", "cron.runLog"),
            (json!({"cron": {"runLog": {"maxBtyes": 1}}}), "cron.runLog.maxBtyes", "cron.runLog.maxBytes"),
        ] {
            let found = warnings(root.clone());
            assert_eq!(found, [format!("/c: {key} has no effect; did you mean {hint}?")], "{root}");
        }
    }

    #[test]
    fn keys_nobody_knows_are_named_without_a_guess() {
        assert_eq!(
            warnings(json!({"session": {"maintenance": {"foo": 1}}})),
            ["/c: unknown key session.maintenance.foo"]
        );
    }

    #[test]
    fn retired_keys_say_who_removes_them() {
        let found = warnings(json!({"session": {"parentForkMaxTokens": 1, "maintenance": {"rotateBytes": "10mb"}}}));
        assert_eq!(found.len(), 2);
        assert!(found.iter().all(|w| w.contains(crate::hints::RETIRED_KEY)), "{found:?}");
    }

    #[test]
    fn other_parts_of_the_configuration_are_left_alone() {
        let found = warnings(json!({
            "session": {"scope": "global", "identityLinks": {"pruneAfter": []}},
            "plugins": {"entries": {"x": {"config": {"pruneAfter": 1, "maxDiskBytes": 2}}}},
            "agents": {"defaults": {"memorySearch": {"cache": {"maxEntries": 9}}, "compaction": {"mode": "default"}}},
            "channels": {"telegram": {"mode": "x"}},
            "version": 1,
        }));
        assert_eq!(found, Vec::<String>::new());
    }

    #[test]
    fn a_thousand_unknown_keys_are_counted() {
        let many: serde_json::Map<String, Value> = (0..1000).map(|i| (format!("unknown{i}"), json!(1))).collect();
        let found = warnings(json!({ "session": many }));
        assert_eq!(found.len(), MOST + 1);
        assert_eq!(found[MOST], "980 more keys without effect");
    }
}
