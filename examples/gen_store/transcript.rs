//! Made-up conversations.

use crate::random::Random;

const WORDS: &[&str] = &[
    "gateway",
    "session",
    "cleanup",
    "agent",
    "message",
    "plan",
    "build",
    "branch",
    "review",
    "the",
    "a",
    "of",
    "and",
    "to",
    "in",
    "for",
    "with",
    "after",
    "before",
    "while",
    "error",
    "retry",
    "budget",
    "token",
    "cache",
    "memory",
    "channel",
    "group",
    "tool",
    "result",
    "output",
    "file",
    "path",
    "line",
    "patch",
    "test",
    "queue",
    "résumé",
    "naïve",
    "größer",
    "検索",
    "данные",
    "✅",
    "open",
    "close",
    "read",
    "write",
    "index",
    "archive",
    "backup",
    "disk",
];

/// Texts made once and used again: the time goes into writing files.
pub struct Texts {
    questions: Vec<String>,
    answers: Vec<String>,
    results: Vec<String>,
    /// Snapshots that real rows carry: most of an index is made of them.
    pub snapshots: Vec<String>,
}

impl Texts {
    /// Makes them.
    pub fn new(random: &mut Random) -> Self {
        let mut many = |count: usize, bytes: u64| -> Vec<String> {
            (0..count)
                .map(|_| {
                    let n = 8 + random.around(bytes).min(bytes * 12);
                    words(random, n)
                })
                .collect()
        };
        let (questions, answers, results) = (many(96, 120), many(96, 600), many(96, 1800));
        let snapshots = (0..16).map(|_| snapshot(random)).collect();
        Self { questions, answers, results, snapshots }
    }

    /// About `bytes` of words.
    pub fn sentence(&self, random: &mut Random, bytes: u64) -> String {
        words(random, bytes)
    }

    /// A transcript of about `bytes`, its last entry at `end`.
    pub fn transcript(&self, random: &mut Random, id: &str, end: i64, bytes: u64) -> Vec<u8> {
        let iso = clawkeep::units::time::iso;
        let header = serde_json::json!({"type": "session", "version": 3, "id": id, "timestamp": iso(end - 3_600_000), "cwd": "/work"});
        let mut out = format!("{header}\n");
        let (mut parent, mut n) = (serde_json::Value::Null, 0_u32);
        while (out.len() as u64) < bytes || n == 0 {
            let (role, text) = match n % 3 {
                0 => ("user", random.pick(&self.questions)),
                1 => ("assistant", random.pick(&self.answers)),
                _ => ("toolResult", random.pick(&self.results)),
            };
            let entry = format!("{:08x}", random.next() >> 32);
            let line = serde_json::json!({
                "type": "message", "id": entry, "parentId": parent, "timestamp": iso(end),
                "message": {"role": role, "content": [{"type": "text", "text": text}], "timestamp": end},
            });
            out += &format!("{line}\n");
            parent = entry.into();
            n += 1;
        }
        out.into_bytes()
    }

    /// A trajectory of a few events.
    pub fn trajectory(&self, random: &mut Random, id: &str, at: i64) -> Vec<u8> {
        let mut out = String::new();
        for seq in 1..=4 + random.below(20) {
            let line = serde_json::json!({
                "traceSchema": "openclaw-trajectory", "schemaVersion": 1, "source": "runtime", "sessionId": id, "seq": seq,
                "ts": clawkeep::units::time::iso(at), "type": "tool.result", "data": {"text": random.pick(&self.answers)},
            });
            out += &format!("{line}\n");
        }
        out.into_bytes()
    }
}

fn words(random: &mut Random, bytes: u64) -> String {
    let mut out = String::new();
    while (out.len() as u64) < bytes {
        out.push_str(random.pick::<&str>(WORDS));
        out.push(if random.chance(6) { '\n' } else { ' ' });
    }
    out
}

/// A skills snapshot as it stands inside a row, a few kilobytes, indented for its depth.
fn snapshot(random: &mut Random) -> String {
    let skills: Vec<_> = (0..6 + random.below(8))
        .map(|n| serde_json::json!({"name": format!("skill-{n}"), "primaryEnv": null}))
        .collect();
    let value = serde_json::json!({"prompt": words(random, 2500), "skills": skills, "version": 1});
    format!("{value:#}").replace('\n', "\n    ")
}
