//! Counts in the reference's reports for people, as the JSON fields that say the same.

use serde_json::{Map, Value, json};

/// Reads a cleanup or list report. Wording beyond the counts is not compared.
pub fn counts(text: &str) -> Value {
    if let Some(line) = text.lines().find_map(|line| line.strip_prefix("Sessions listed: ")) {
        return listed(line);
    }
    let mut stores: Vec<Map<String, Value>> = Vec::new();
    for line in text.lines() {
        if line.starts_with("Session store: ") {
            stores.push(Map::new());
        }
        let Some(store) = stores.last_mut() else { continue };
        for (name, value) in fields(line) {
            store.insert(name.to_owned(), value);
        }
    }
    match stores.len() {
        1 => stores.remove(0).into(),
        _ => json!({ "stores": stores }),
    }
}

/// `8`, or `2 of 7 (limit 2)`.
fn listed(line: &str) -> Value {
    let count: u64 = number(line).unwrap_or_default();
    match line.split_once(" of ") {
        Some((_, total)) => json!({"count": count, "totalCount": number(total), "hasMore": true}),
        None => json!({"count": count, "totalCount": count}),
    }
}

fn fields(line: &str) -> Vec<(&'static str, Value)> {
    let Some((label, rest)) = line.split_once(": ") else { return Vec::new() };
    match label {
        "Session store" => vec![("storePath", rest.into())],
        "Maintenance mode" => vec![("mode", rest.into())],
        "Entries" => {
            let after = rest.split_once("-> ").and_then(|(_, after)| number(after));
            vec![("beforeCount", number(rest).into()), ("afterCount", after.into())]
        }
        "Would prune missing transcripts" => vec![("missing", number(rest).into())],
        "Would retire stale direct DM sessions" => vec![("dmScopeRetired", number(rest).into())],
        "Would prune stale" => vec![("pruned", number(rest).into())],
        "Would cap overflow" => vec![("capped", number(rest).into())],
        "Would prune unreferenced artifacts" => {
            vec![("unreferencedArtifacts", json!({ "removedFiles": number(rest) }))]
        }
        "Would enforce disk budget" => {
            let after = rest.split_once("-> ").and_then(|(_, after)| number(after));
            vec![("diskBudget", json!({"totalBytesBefore": number(rest), "totalBytesAfter": after}))]
        }
        _ if line.starts_with("Applied maintenance. Current entries") => vec![("appliedCount", number(rest).into())],
        _ => Vec::new(),
    }
}

fn number(text: &str) -> Option<u64> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text[..end].parse().ok()
}

#[test]
fn counts_are_read_from_a_report() {
    let text = "Session store: /s.json\nMaintenance mode: enforce\nEntries: 7 -> 3 (remove 4)\nWould prune stale: 1\n";
    let want = json!({"storePath": "/s.json", "mode": "enforce", "beforeCount": 7, "afterCount": 3, "pruned": 1});
    assert_eq!(counts(text), want);
    let applied = "Session store: /s.json\nApplied maintenance. Current entries: 1\n";
    assert_eq!(counts(applied), json!({"storePath": "/s.json", "appliedCount": 1}));
    assert_eq!(counts("Sessions listed: 2 of 7 (limit 2)\n"), json!({"count": 2, "totalCount": 7, "hasMore": true}));
}
