//! The demo state: one agent, some forty rows of every kind, and everything that piles up beside them.
//!
//! All text is made up. The same time gives the same state.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use crate::fsx::scratch::tree::TreeFile;
use crate::model::{DAY, HOUR, MINUTE, Ms};
use crate::units::time;

/// Name of the state folder inside the demo folder.
pub const STATE_DIR: &str = ".openclaw";
const SESSIONS: &str = ".openclaw/agents/main/sessions";

/// Rows as `(key, age, user turns)`; the n-th row has session number n.
const FIXED: &[(&str, Ms, usize)] = &[
    ("agent:main:main", 5 * MINUTE, 40),
    ("agent:main:telegram:group:-1001234567890", 3 * HOUR, 60),
    ("agent:main:telegram:group:-1001234567890:topic:5", 70 * DAY, 25),
    ("agent:main:slack:channel:c0ffee", 45 * DAY, 30),
    ("agent:main:slack:channel:c0ffee:thread:1717", 90 * DAY, 8),
    ("agent:main:discord:channel:77", 2 * DAY, 12),
    ("agent:main:telegram:direct:1001", 26 * HOUR, 15),
    ("agent:main:telegram:direct:1002", 33 * DAY, 22),
    ("agent:main:whatsapp:direct:1003", 51 * DAY, 9),
    ("agent:main:signal:direct:1004", 4 * DAY, 6),
    ("agent:main:hook:deploy", 35 * DAY, 3),
    ("agent:main:heartbeat", 20 * MINUTE, 2),
    ("agent:main:cron:morning-report", 9 * HOUR, 4),
];

/// Every file of the demo, parents before children, the index of a folder last.
pub fn files(now: Ms) -> Vec<TreeFile> {
    let mut out = vec![
        file(".openclaw/openclaw.json", CONFIG.into(), now - DAY),
        file(".openclaw/cron/jobs.json", JOBS.into(), now - 2 * DAY),
    ];
    let rows = rows();
    let mut index = Map::new();
    for (n, (key, age, turns)) in (1..).zip(&rows) {
        let id = id(n);
        let at = now - age;
        // One row whose transcript is gone: somebody removed it by hand.
        if n != 9 {
            out.push(session_file(&format!("{id}.jsonl"), &transcript(&id, at, *turns), at));
        }
        index.insert(key.clone(), row(n, &id, at, *turns));
    }
    out.extend(leftovers(now));
    let text = serde_json::to_string_pretty(&Value::Object(index)).unwrap_or_default();
    out.push(session_file("sessions.json", &text, now - 5 * MINUTE));
    out
}

/// Configuration: small limits, so that each of them has something to say.
const CONFIG: &str = r#"// Made by `clawkeep demo`.
{
  agents: { list: [{ id: "main", default: true, model: "anthropic/claude-sonnet-4-6" }] },
  gateway: { port: 18999 },
  session: { maintenance: { pruneAfter: "30d", maxEntries: 30, maxDiskBytes: "200kb" } },
  cron: { sessionRetention: "24h" },
}
"#;

const JOBS: &str = r#"{"version": 1, "jobs": [{"id": "morning-report", "enabled": true}, {"id": "backup", "enabled": true}]}
"#;

fn rows() -> Vec<(String, Ms, usize)> {
    let fixed = FIXED.iter().map(|(key, age, turns)| ((*key).to_owned(), *age, *turns));
    let runs = (501..=516)
        .zip(1..)
        .map(|(n, nth): (u64, Ms)| (format!("agent:main:cron:morning-report:run:{}", id(n)), nth * 9 * HOUR, 2));
    let helpers =
        (701..=712).zip(1..).map(|(n, nth): (u64, Ms)| (format!("agent:main:subagent:{}", id(n)), nth * 30 * HOUR, 5));
    fixed.chain(runs).chain(helpers).collect()
}

fn row(n: u64, id: &str, at: Ms, turns: usize) -> Value {
    json!({
        "sessionId": id,
        "updatedAt": at,
        "sessionStartedAt": at - 2 * HOUR,
        "totalTokens": 900 * turns + 137,
        "contextTokens": 200_000,
        "model": if n.is_multiple_of(3) { "gpt-5.4" } else { "claude-sonnet-4-6" },
        "modelProvider": if n.is_multiple_of(3) { "openai" } else { "anthropic" },
        "systemSent": true,
    })
}

/// What piles up beside the rows: orphans, archives, a checkpoint, trajectories, the temp file of a killed write.
fn leftovers(now: Ms) -> Vec<TreeFile> {
    let mut out = Vec::new();
    for (n, age, turns) in [(901, 60 * DAY, 20), (902, 41 * DAY, 7), (903, 6 * DAY, 11)] {
        out.push(session_file(&format!("{}.jsonl", id(n)), &transcript(&id(n), now - age, turns), now - age));
    }
    for n in 904..=909 {
        let at = now - 38 * DAY;
        out.push(session_file(&format!("{}.jsonl", id(n)), &transcript(&id(n), at, 0), at));
    }
    out.push(session_file(&format!("{}.jsonl", id(910)), "", now - 50 * DAY));
    for (n, reason, age) in
        [(921, "deleted", 44 * DAY), (922, "deleted", 3 * DAY), (923, "reset", 61 * DAY), (924, "reset", DAY)]
    {
        let name = format!("{}.jsonl.{reason}.{}", id(n), time::stamp(now - age));
        out.push(session_file(&name, &transcript(&id(n), now - age - DAY, 10), now - age - DAY));
    }
    let (gone, at) = (id(930), now - 47 * DAY);
    out.push(session_file(&format!("{gone}.checkpoint.{}.jsonl", id(931)), &transcript(&gone, at, 4), at));
    out.push(session_file(&format!("{gone}.trajectory.jsonl"), "{\"type\":\"trajectory\"}\n", at));
    out.push(session_file(
        &format!("sessions.json.4242.{}.tmp", id(940)),
        "{\n  \"agent:main:main\": {",
        now - 9 * DAY,
    ));
    out
}

/// A transcript with a session header and `turns` exchanges.
fn transcript(id: &str, ended: Ms, turns: usize) -> String {
    let minutes = i64::try_from(turns).unwrap_or(0) + 1;
    let started = ended - minutes * MINUTE;
    let mut text = format!("{}\n", json!({"type": "session", "version": 3, "id": id, "timestamp": time::iso(started)}));
    let mut parent = Value::Null;
    for (turn, minute) in (0..turns).zip(1..) {
        let at = time::iso(started + minute * MINUTE);
        for (role, said) in [("user", "How far is the nightly build?"), ("assistant", ANSWER)] {
            let own = format!("{turn:04x}{}", &role[..4]);
            let line = json!({
                "type": "message", "id": own, "parentId": parent, "timestamp": at,
                "message": {"role": role, "content": [{"type": "text", "text": said}]},
            });
            let _ = writeln!(text, "{line}");
            parent = Value::String(own);
        }
    }
    text
}

const ANSWER: &str = "The build is green since 02:14. Two tests were retried, one of them twice; the log of the second \
    retry names a lock that was held for forty seconds by the backup. I put a note into the deployment channel and will \
    look again in an hour.";

/// A version 4 UUID made of a number.
fn id(n: u64) -> String {
    let mixed = n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let (a, b) = (mixed >> 32, mixed & 0xffff_ffff);
    format!("{a:08x}-{:04x}-4{:03x}-a{:03x}-{:012x}", b >> 16, b & 0xfff, (mixed >> 20) & 0xfff, n ^ (mixed >> 16))
}

fn session_file(name: &str, content: &str, modified: Ms) -> TreeFile {
    file(&format!("{SESSIONS}/{name}"), content.into(), modified)
}

fn file(path: &str, content: Vec<u8>, modified: Ms) -> TreeFile {
    TreeFile { path: path.into(), content, modified }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::folder::Class;
    use crate::scan::names::classify;

    #[test]
    fn every_name_is_what_the_scanner_takes_it_for() {
        let mut seen = std::collections::BTreeSet::new();
        for file in files(1_777_622_400_000) {
            if let Some(name) = file.path.strip_prefix(SESSIONS).ok().and_then(|p| p.file_name()) {
                seen.insert(classify(name, None).class);
            }
        }
        assert!(!seen.contains(&Class::Foreign), "{seen:?}");
        for class in [Class::Index, Class::Transcript, Class::Checkpoint, Class::Trajectory, Class::Temp] {
            assert!(seen.contains(&class), "{class:?}");
        }
    }

    #[test]
    fn ids_are_distinct_uuids() {
        let mut ids: Vec<String> = (1..1000).map(id).collect();
        assert!(ids.iter().all(|i| crate::transcript::names::is_uuid(i.as_bytes(), b'4'..=b'4')), "{}", ids[0]);
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), 999);
    }
}
