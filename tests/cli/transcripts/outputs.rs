//! One output of every kind for every command, for the schemas.

use serde_json::{Value, json};

use crate::common::{Folder, HOUR, World, id, stamp};

use super::{answer, entry, header, json_lines, text, user, write};

/// Gives every output to `take`, with the name of its schema.
pub fn outputs(take: &mut dyn FnMut(&str, &Value)) {
    let world = World::new();
    let main = world.agent("main");
    sessions(&world, &main);
    let mut lines = |name: &str, line: &str| {
        for value in json_lines(&world.line(line).ends()) {
            take(name, &value);
        }
    };
    for what in ["agent:main:main --all-branches --recovered", "agent:main:main --entry e2"] {
        lines("transcript-show", &format!("transcript show --json {what}"));
    }
    lines("transcript-tree", "transcript tree --json --recovered agent:main:main");
    lines("transcript-search", "transcript search --json -E question|answer|ls|oops|summ|half|think");
    for what in ["agent:main:main --window 1000", "agent:main:broken", "agent:main:broken --reserve 5 --window 9"] {
        take("transcript-context", &world.line(&format!("transcript context --json {what}")).exits(0).json());
    }
    let stale = World::new();
    let total = json!({"contextTokens": 50_000, "totalTokens": 27_000, "totalTokensFresh": false});
    stale.agent("main").row("agent:main:main", 1, HOUR, total).transcript(1, HOUR).save();
    take("transcript-context", &stale.line("transcript context --json agent:main:main").exits(0).json());
    take("transcript-stats", &world.line("transcript stats --json agent:main:main").exits(0).json());
    // A compressed copy that is damaged cannot be read.
    main.file(&format!("{}.jsonl.deleted.{}.zst", id(9), stamp(world.now())), b"\x28\xb5\x2f\xfdbad", 0);
    take("transcript-stats", &world.line("transcript stats --json").exits(3).json());
    let found = world.line("transcript search --json --archives question").exits(3);
    json_lines(&found).iter().for_each(|value| take("transcript-search", value));
    let few = json_lines(&world.line("transcript search --json --limit 1 question").exits(0));
    assert!(few.len() == 2 && few[1]["limited"] == true, "{few:?}");
    // Circles, files without a header, null lines.
    for (name, content) in [
        ("circle", text(&[header(), user("a", "a", "x")])),
        ("bare", text(&[user("a", Value::Null, "x")])),
        ("null", text(&[header(), Value::Null])),
    ] {
        let path = write(&world, name, content);
        let shown = world.run(["transcript", "show", "--json", path.to_str().unwrap()]).exits(0);
        json_lines(&shown).iter().for_each(|value| take("transcript-show", value));
    }
}

/// A session with everything that a transcript can hold, and its neighbours.
fn sessions(world: &World, main: &Folder) {
    let name = format!("{}.jsonl", id(1));
    let checkpoint = format!("{}.checkpoint.{}.jsonl", id(1), id(7));
    let more = json!({"contextTokens": 1000, "compactionCheckpoints": [{
        "checkpointId": id(8), "reason": "manual", "createdAt": world.now(),
        "preCompaction": {"sessionFile": checkpoint}, "postCompaction": {"entryId": "c1"}}]});
    main.row("agent:main:main", 1, HOUR, more).file(&name, everything(), HOUR).file(
        &checkpoint,
        text(&[header()]),
        HOUR,
    );
    let broken = [header(), user("a", Value::Null, "x"), entry("message", "b", "a".into(), json!({}))];
    main.row("agent:main:broken", 2, HOUR, json!({})).file(&format!("{}.jsonl", id(2)), text(&broken), HOUR);
    main.save();
}

fn everything() -> String {
    let mut head = header();
    head["parentSession"] = json!("/gone/parent.jsonl");
    let call = json!({"role": "assistant", "content": [
            {"type": "thinking", "thinking": "think"}, {"type": "toolCall", "id": "c", "name": "exec", "arguments": {"cmd": "ls"}},
            {"type": "redacted_thinking", "data": "x"}],
        "provider": "acme", "model": "acme-1", "stopReason": "error", "errorMessage": "oops"});
    let result = json!({"role": "toolResult", "toolCallId": "c", "toolName": "exec", "isError": false,
        "content": [{"type": "text", "text": "half"}, {"type": "image", "data": "AAAA", "mimeType": "image/png"}]});
    let silent = json!({"role": "assistant", "content": [{"type": "text", "text": "NO_REPLY"}], "model": "acme-1"});
    let bash = json!({"role": "bashExecution", "command": "ls", "output": "question", "exitCode": 0, "excludeFromContext": true});
    let huge =
        json!({"role": "user", "content": [{"type": "text", "text": format!("question {}", "x".repeat(2 << 20))}]});
    let compaction = json!({"summary": "summary", "firstKeptEntryId": "e2", "tokensBefore": 9});
    let mut lines = text(&[
        head,
        user("e1", Value::Null, "question"),
        answer("e2", "e1", "answer"),
        entry("message", "e3", "e2".into(), json!({ "message": call })),
        entry("message", "e4", "e3".into(), json!({ "message": result })),
        user("x1", "e1", "another branch"),
        user("x2", "gone", "dangling"),
        user("x1", "e1", "hides the one before"),
        entry("compaction", "c1", "e4".into(), compaction),
        entry("message", "e5", "c1".into(), json!({ "message": silent })),
        entry("message", "e6", "e5".into(), json!({ "message": bash })),
        entry("label", "l1", "e6".into(), json!({"targetId": "e1", "label": "start"})),
        entry("session_info", "n1", "l1".into(), json!({"name": "Name"})),
        entry("message", "e7", "n1".into(), json!({ "message": huge })),
    ]);
    // A record that an append glued to a fragment.
    lines.push_str("{\"type\":\"mess");
    lines.push_str(&text(&[user("r1", "e7", "question")]));
    lines + &text(&[answer("e8", "e7", "answer")])
}
