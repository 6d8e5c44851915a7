//! The index and the transcripts that its rows lead to.

use std::fmt::Write as _;
use std::io;

use crate::Maker;

/// What was written.
pub struct Written {
    /// Session id and time of each row that has its transcript.
    pub ids: Vec<(String, i64)>,
    /// Ids of cron jobs.
    pub jobs: Vec<String>,
}

/// Writes transcripts, checkpoints and the index.
pub fn write(maker: &mut Maker) -> io::Result<Written> {
    let sessions = maker.args.sessions;
    let every = |wanted: u64| sessions.checked_div(wanted).map_or(u64::MAX, |n| n.max(1));
    let (missing, checkpoints) = (every(maker.args.missing.of(sessions)), every(maker.args.checkpoints.of(sessions)));
    let groups = maker.args.groups.of(sessions);
    let jobs: Vec<String> = (0..4).map(|_| maker.random.uuid()).collect();
    let (mut index, mut ids) = (String::from("{"), Vec::new());
    for n in 0..sessions {
        let id = maker.random.uuid();
        let at = if n == 0 { maker.now - 30_000 } else { maker.now - maker.age() };
        let (key, chat, name) = identity(maker, n, groups, &jobs, &id, at);
        let has_file = n == 0 || n % missing != missing - 1;
        if has_file {
            let text = maker.transcript(&id, at);
            maker.put_here(&name, &text, at)?;
            ids.push((id.clone(), at));
        }
        let checkpoint = if has_file && n % checkpoints == 0 { checkpoint(maker, n, &id, at)? } else { String::new() };
        let comma = if n == 0 { "" } else { "," };
        let row = row(maker, &id, at, chat, &name);
        write!(index, "{comma}\n  {key:?}: {{\n    {row}{checkpoint}\n  }}").unwrap_or_default();
    }
    index.push_str(if sessions == 0 { "}" } else { "\n}" });
    maker.put_here("sessions.json", index.as_bytes(), maker.now)?;
    Ok(Written { ids, jobs })
}

/// Key, chat type and file name of row `n`.
fn identity(
    maker: &mut Maker,
    n: u64,
    groups: u64,
    jobs: &[String],
    id: &str,
    at: i64,
) -> (String, &'static str, String) {
    let random = &mut maker.random;
    let peer = 100_000_000 + random.below(9_000_000_000);
    let plain = format!("{id}.jsonl");
    if n == 0 {
        return ("agent:main:main".into(), "direct", plain);
    }
    if n <= groups {
        return match random.below(4) {
            0 => (format!("agent:main:whatsapp:group:-100{peer}"), "group", plain),
            1 => (format!("agent:main:discord:channel:{peer}"), "channel", plain),
            2 => {
                let topic = 1 + random.below(999);
                (
                    format!("agent:main:telegram:group:-100{peer}:topic:{topic}"),
                    "group",
                    format!("{id}-topic-{topic}.jsonl"),
                )
            }
            _ => (format!("agent:main:slack:channel:c{peer}:thread:{at}"), "channel", plain),
        };
    }
    let key = match random.below(10) {
        0 | 1 => format!("agent:main:cron:{}:run:{id}", random.pick(jobs)),
        2 => format!("agent:main:subagent:{}", random.uuid()),
        3 => format!("agent:main:hook:{}", random.uuid()),
        4 => format!("agent:main:acp:{}", random.uuid()),
        _ => format!("agent:main:telegram:direct:{peer}"),
    };
    (key, "direct", plain)
}

/// Fields of a row, indented for their depth, without the braces.
fn row(maker: &mut Maker, id: &str, at: i64, chat: &str, name: &str) -> String {
    let path = maker.dir.join(name);
    let random = &mut maker.random;
    let mut fields = vec![
        format!("\"sessionId\": \"{id}\""),
        format!("\"updatedAt\": {at}"),
        format!("\"sessionStartedAt\": {}", at - 3_600_000),
        format!("\"lastInteractionAt\": {}", at - 20_000),
        "\"systemSent\": true".into(),
        format!("\"chatType\": \"{chat}\""),
        format!("\"inputTokens\": {}", random.below(90_000)),
        format!("\"outputTokens\": {}", random.below(9_000)),
        format!("\"totalTokens\": {}", random.below(150_000)),
        "\"totalTokensFresh\": true".into(),
        "\"modelProvider\": \"anthropic\"".into(),
        "\"model\": \"claude-sonnet-4-6\"".into(),
        "\"contextTokens\": 200000".into(),
    ];
    if random.chance(80) || name.len() > id.len() + 6 {
        fields.push(format!("\"sessionFile\": {}", serde_json::json!(path)));
    }
    if random.chance(80) {
        fields.push(format!("\"skillsSnapshot\": {}", random.pick(&maker.texts.snapshots)));
    }
    fields.join(",\n    ")
}

/// A checkpoint copy of a session; every other one is referred to by its row.
fn checkpoint(maker: &mut Maker, n: u64, id: &str, at: i64) -> io::Result<String> {
    let checkpoint = maker.random.uuid();
    let name = format!("{id}.checkpoint.{checkpoint}.jsonl");
    let text = maker.transcript(id, at - 5000);
    maker.put_here(&name, &text, at - 5000)?;
    if n % 2 == 1 {
        return Ok(String::new());
    }
    let list = serde_json::json!([{
        "checkpointId": checkpoint, "sessionId": id, "createdAt": at - 5000,
        "preCompaction": {"sessionId": id, "sessionFile": maker.dir.join(name)},
    }]);
    let list = format!("{list:#}").replace('\n', "\n    ");
    Ok(format!(",\n    \"compactionCheckpoints\": {list}"))
}
