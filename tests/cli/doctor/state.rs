//! What the doctor does to a state folder, and what it leaves.

use std::io::{Read as _, Write as _};

use serde_json::{Value, json};

use crate::common::{DAY, HOUR, Tree, World, id, names};

/// A state of the time before agents, with a cron store and registries of its time.
pub fn old_state() -> World {
    let world = World::new();
    world.config(&json!({ "session": { "maintenance": { "mode": "warn" } } }));
    let old = world.folder(".openclaw/sessions");
    old.row("main", 1, DAY, json!({ "room": "r", "odd": "1.50" }))
        .transcript(1, DAY)
        .session("+1555", 2, HOUR)
        .session("group:ABC", 3, 2 * DAY)
        .file("notes.txt", "n", DAY)
        .save();
    world.folder(".openclaw/agent").file("auth-profiles.json", "{}", DAY);
    let main = world.agent("main");
    main.session("agent:main:main", 4, HOUR).session("cron:Job", 5, DAY).save();
    world.folder(".openclaw/cron").file("jobs.json", JOBS, DAY);
    world.folder(".openclaw/sandbox").file("containers.json", r#"{"entries":[{"containerName":"c","n":1}]}"#, DAY);
    world
}

const JOBS: &str = "{\n  // the morning\n  version: 1,\n  jobs: [\n    { jobId: 'a', schedule: \"0 8 * * *\", message: 'hi', x: 1.50, state: { n: 1 } },\n  ],\n}\n";

fn fix(world: &World, more: &str) -> Value {
    world.line(&format!("doctor --fix --json {more}")).ends().json()
}

fn ending(report: &Value, rule: &str) -> Vec<String> {
    let findings = report["found"].as_array().unwrap();
    findings.iter().filter(|f| f["rule"] == rule).map(|f| f["state"].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn everything_old_comes_to_its_place_in_one_run_and_the_second_changes_nothing() {
    let world = old_state();
    let report = fix(&world, "");
    for rule in ["legacy-sessions-dir", "legacy-agent-dir", "session-keys", "cron-shapes", "sandbox-registry"] {
        assert_eq!(ending(&report, rule), ["fixed"], "{rule}: {report:#}");
    }
    let main = world.agent("main");
    let wanted = ["agent:main:main", "agent:main:cron:job", "agent:main:+1555", "agent:main:unknown:group:abc"];
    let keys = main.keys();
    assert!(wanted.iter().all(|key| keys.iter().any(|k| k == key)), "{keys:?}");
    for n in [1, 2, 3] {
        assert!(main.is_live(n), "{n}");
    }
    assert!(main.has("notes.txt") && !world.state().join("sessions").exists());
    assert!(world.state().join("agents/main/agent/auth-profiles.json").exists());
    // The row that gave way was older; that of the target stays.
    let index: Value = serde_json::from_slice(&std::fs::read(main.index()).unwrap()).unwrap();
    assert_eq!(index["agent:main:main"]["sessionId"], id(4));
    let jobs = std::fs::read_to_string(world.state().join("cron/jobs.json")).unwrap();
    assert!(jobs.contains("// the morning") && jobs.contains("x: 1.50") && jobs.contains("'hi'"), "{jobs}");
    let state: Value =
        serde_json::from_slice(&std::fs::read(world.state().join("cron/jobs-state.json")).unwrap()).unwrap();
    assert_eq!(state["jobs"]["a"]["state"], json!({ "n": 1 }));
    assert_eq!(names(&world.state().join("sandbox")), ["containers"]);

    let before = Tree::of(&world.home());
    let again = fix(&world, "");
    assert_eq!(again["changed"], false, "{again:#}");
    before.is_still(&world.home());
}

#[test]
fn beside_an_owner_state_stays_and_configuration_is_fixed() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        // A gateway that wants a token. The end of the test ends it.
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            let _ = stream.set_read_timeout(Some(std::time::Duration::from_millis(200)));
            let _ = stream.read(&mut [0; 4096]);
            let _ = stream.write_all(b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        }
    });
    let world = old_state().var("OPENCLAW_GATEWAY_PORT", port.to_string());
    world.config_text("{ session: { maintenance: { mode: \"warn\", rotateBytes: 1 } } }");
    let state = |world: &World| (Tree::of(&world.state().join("agents")), Tree::of(&world.state().join("sessions")));
    let before = state(&world);
    let report = world.line("doctor --fix --yes --json").exits(4).json();
    assert_eq!(ending(&report, "session-keys"), ["skipped"], "{report:#}");
    assert_eq!(ending(&report, "session-rotate-bytes"), ["fixed"]);
    assert!(!std::fs::read_to_string(world.config_path()).unwrap().contains("rotateBytes"));
    assert_eq!(state(&world), before);
}

#[test]
fn a_dry_run_writes_nothing_and_plans_the_same() {
    let world = old_state();
    let before = Tree::of(&world.home());
    let report = world.line("doctor --fix --dry-run --json").ends().json();
    assert_eq!(ending(&report, "legacy-sessions-dir"), ["planned"]);
    before.is_still(&world.home());
}

#[test]
fn orphans_and_modes_wait_for_their_flag() {
    let world = World::new();
    world.config(&json!({}));
    let main = world.agent("main");
    main.session("agent:main:main", 1, HOUR).transcript(2, 9 * DAY).save();
    let report = fix(&world, "");
    assert_eq!((ending(&report, "orphan-transcripts"), main.is_live(2)), (vec!["found".to_owned()], true));
    let report = fix(&world, "--archive-orphans");
    assert_eq!(ending(&report, "orphan-transcripts"), ["fixed"], "{report:#}");
    assert!(main.is_archived(2) && main.is_live(1));
}

#[cfg(unix)]
#[test]
fn modes_are_narrowed_only_when_asked_and_come_back() {
    use std::os::unix::fs::PermissionsExt as _;
    let world = World::new();
    world.config(&json!({}));
    let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    for (path, bits) in [(world.state(), 0o755), (world.config_path(), 0o644)] {
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(bits)).unwrap();
    }
    let _ = fix(&world, "");
    assert_eq!((mode(&world.state()), mode(&world.config_path())), (0o755, 0o644));
    let report = fix(&world, "--modes");
    assert_eq!((mode(&world.state()), mode(&world.config_path())), (0o700, 0o600), "{report:#}");
}

#[test]
fn keys_that_differ_by_case_alone_stay_two_sessions() {
    let world = World::new();
    world.config(&json!({}));
    let main = world.agent("main");
    main.session("agent:main:matrix:channel:!AbC", 1, HOUR)
        .session("agent:main:matrix:channel:!abc", 2, HOUR)
        .session("agent:main:line:group:XyZ", 3, HOUR)
        .session("agent:main:line:group:xyz", 4, DAY)
        .save();
    let before = std::fs::read(main.index()).unwrap();
    let report = fix(&world, "");
    assert_eq!(std::fs::read(main.index()).unwrap(), before, "{report:#}");
    assert_eq!(ending(&report, "session-keys"), ["found"]);
}

#[test]
fn the_folder_of_the_first_gateways_moves_whole_and_back() {
    let world = World::new();
    std::fs::remove_dir(world.state()).unwrap();
    let old = world.folder(".clawdbot/agents/main/sessions");
    old.session("agent:main:main", 1, HOUR).save();
    world.folder(".clawdbot").file("clawdbot.json", "{ session: { maintenance: { mode: \"warn\" } } }", DAY);
    let report = fix(&world, "");
    assert_eq!(ending(&report, "old-state-dir"), ["fixed"], "{report:#}");
    assert!(world.agent("main").is_live(1));
    assert!(world.config_path().is_file());
    assert_eq!(std::fs::read_link(world.home().join(".clawdbot")).unwrap(), world.state());
    let _ = world.line(&format!("sessions undo {} --yes", report["runIds"][0].as_str().unwrap())).exits(0);
    assert!(!world.state().exists() && world.home().join(".clawdbot/agents/main/sessions/sessions.json").is_file());
}

#[test]
fn rows_that_a_rule_is_about_keep_their_other_bytes() {
    let world = World::new();
    world.config(&json!({}));
    let main = world.agent("main");
    main.row(
        "agent:main:subagent:x",
        1,
        DAY,
        json!({"abortedLastRun": true, "subagentRecovery": {"wedgedAt": 5}, "n": 1.5}),
    )
    .row("agent:main:cron:j", 2, DAY, json!({"lastTo": "42", "origin": {"x": 1}, "thinkingLevel": "high"}))
    .row("agent:main:main", 3, DAY, json!({"modelProvider": "openai-codex", "model": "gpt", "lastInteractionAt": 5}))
    .save();
    let report = fix(&world, "");
    for rule in ["wedged-subagents", "cron-context", "codex-sessions"] {
        assert_eq!(ending(&report, rule)[0], "fixed", "{rule}: {report:#}");
    }
    // The mark is gone; that the gateway does not resume it is left.
    assert_eq!(ending(&report, "wedged-subagents"), ["fixed", "found"]);
    let index: Value = serde_json::from_slice(&std::fs::read(main.index()).unwrap()).unwrap();
    assert_eq!(index["agent:main:subagent:x"]["abortedLastRun"], false);
    assert_eq!(index["agent:main:subagent:x"]["n"], 1.5);
    let cron = &index["agent:main:cron:j"];
    assert_eq!((cron.get("lastTo"), cron.get("origin"), &cron["thinkingLevel"]), (None, None, &json!("high")));
    assert_eq!(index["agent:main:main"]["modelProvider"], "openai");
}

#[test]
fn the_heartbeat_gives_the_main_session_back() {
    let world = World::new();
    world.config(&json!({}));
    let main = world.agent("main");
    main.session("agent:main:main", 1, DAY).save();
    let line = |v: Value| format!("{v}\n");
    let text = line(
        json!({"type": "session", "version": 3, "id": id(1), "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/"}),
    ) + &line(
        json!({"type": "message", "id": "a", "parentId": null, "message": {"role": "user", "content": "[OpenClaw heartbeat poll]"}}),
    );
    main.file(&format!("{}.jsonl", id(1)), text, DAY);
    let report = fix(&world, "");
    assert_eq!(ending(&report, "heartbeat-main"), ["fixed"], "{report:#}");
    let keys = main.keys();
    assert!(keys.len() == 1 && keys[0].starts_with("agent:main:heartbeat-recovered-20"), "{keys:?}");
}

#[test]
fn two_memories_become_one() {
    let world = World::new();
    world.config(&json!({}));
    let workspace = world.folder(".openclaw/workspace");
    workspace.file("MEMORY.md", "# Facts\n- a\n", DAY).file("memory.md", "# Old\n- b\n", DAY);
    let report = fix(&world, "");
    if cfg!(target_os = "linux") {
        assert_eq!(ending(&report, "memory-split"), ["fixed"], "{report:#}");
        let text = std::fs::read_to_string(workspace.path("MEMORY.md")).unwrap();
        assert!(
            text.starts_with("# Facts\n- a\n\n## Imported From Legacy Root memory.md\n") && text.ends_with("- b\n"),
            "{text}"
        );
        assert!(!workspace.has("memory.md") && workspace.has(".openclaw-repair"));
    }
}

#[test]
fn what_the_next_gateway_would_lose_is_said_before_the_update() {
    let world = World::new();
    world.config(&json!({ "session": { "maintenance": { "mode": "warn" } } }));
    let main = world.agent("main");
    main.session("agent:main:main", 1, HOUR).transcript(2, 9 * DAY).save();
    std::fs::hard_link(main.path(&format!("{}.jsonl", id(1))), world.home().join("snapshot")).unwrap();
    let now = world.line("doctor --json").ends().json();
    assert!(ending(&now, "next-import").is_empty());
    let next = world.line("doctor --for 2026.9 --json").ends().json();
    assert_eq!(ending(&next, "next-import").len(), 2, "{next:#}");
}

#[test]
fn limits_that_do_not_hold_are_named() {
    let world = World::new();
    world.config(&json!({
        "session": { "maintenance": { "maxEntries": 2, "maxDiskBytes": "1kb" } },
        "agents": { "defaults": { "contextTokens": 30000, "compaction": { "reserveTokens": 28000, "maxActiveTranscriptBytes": "1mb" } } },
    }));
    let main = world.agent("main");
    main.session("agent:main:telegram:group:1", 1, HOUR)
        .session("agent:main:telegram:group:2", 2, HOUR)
        .session("agent:main:main", 3, HOUR)
        .save();
    let report = world.line("doctor --json").ends().json();
    for (rule, count) in [("mode-unset", 1), ("protected-at-cap", 1), ("disk-budget", 1), ("early-compaction", 2)] {
        assert_eq!(ending(&report, rule).len(), count, "{rule}: {report:#}");
    }
}

#[test]
fn a_silence_that_speaks_is_found_when_everything_is_read() {
    let world = World::new();
    world.config(&json!({}));
    let main = world.agent("main");
    main.session("agent:main:main", 1, DAY).save();
    let said = json!({"type": "message", "id": "z", "parentId": null, "message": {"role": "assistant", "content": [{"type": "text", "text": "NO_REPLY\nbut"}]}});
    let path = main.path(&format!("{}.jsonl", id(1)));
    let text = std::fs::read_to_string(&path).unwrap() + &said.to_string() + "\n";
    std::fs::write(&path, text).unwrap();
    assert!(ending(&world.line("doctor --json").ends().json(), "silent-turns").is_empty());
    assert_eq!(ending(&world.line("doctor --full --json").ends().json(), "silent-turns"), ["found"]);
}

#[test]
fn commands_for_an_agent_that_no_configuration_names_can_be_run() {
    let world = World::new();
    world.config(&json!({ "agents": { "list": [{ "id": "main" }] } }));
    world.agent("main").session("agent:main:main", 1, HOUR).save();
    world.agent("old").file("sessions.json", "{\"x", HOUR);
    let report = world.line("doctor --json").exits(4).json();
    let found = report["found"].as_array().unwrap().iter();
    let commands: Vec<&str> = found.filter(|f| f["subject"] == "old").filter_map(|f| f["command"].as_str()).collect();
    assert!(commands.iter().any(|c| c.contains("sessions check")), "{report:#}");
    for command in commands {
        let run = world.line(command.strip_prefix("clawkeep ").unwrap()).ends();
        assert!(!run.stderr.contains("only on disk"), "{command}: {}", run.stderr);
    }
    // A cleanup of the healthy store names what mends the other one.
    let plan = world.line("sessions cleanup --dry-run").ends();
    let _ = plan.says("ownership incomplete").says("clawkeep sessions repair --store").says("/agents/old/");
}

#[test]
fn rows_for_a_doubted_index_come_from_where_the_check_says() {
    let world = World::new();
    let main = world.agent("main");
    main.session("main", 1, HOUR).save();
    (100..130).for_each(|n| {
        main.transcript(n, 3 * DAY);
    });
    let report = world.line("doctor --json").ends().json();
    let of_doctor = report["found"].as_array().unwrap().iter().find(|f| f["rule"] == "session-keys").unwrap();
    let checked = world.line("sessions check --json").ends().json();
    let doubt = checked["findings"].as_array().unwrap().iter().find(|f| f["id"] == "index-suspect").unwrap();
    assert_eq!(of_doctor["command"], doubt["command"], "{report:#}");
    assert!(doubt["command"].to_string().contains("--from headers"), "{doubt:#}");
}

#[test]
fn prompts_that_stand_twice_are_told_and_left() {
    let world = World::new();
    world.config(&json!({ "session": { "maintenance": { "mode": "warn" } } }));
    let main = world.agent("main");
    main.session("agent:main:main", 1, HOUR).save();
    let said = |id: &str, parent: Value, text: &str| {
        let message = json!({ "role": "user", "content": [{ "type": "text", "text": text }] });
        format!("{}\n", json!({ "type": "message", "id": id, "parentId": parent, "message": message }))
    };
    let added = "<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\nnow: noon\n<<<END_OPENCLAW_INTERNAL_CONTEXT>>>\nhello";
    let header = json!({ "type": "session", "version": 3, "id": id(1), "cwd": "/w" });
    let text = format!("{header}\n{}{}", said("a", Value::Null, added), said("b", Value::Null, "hello"));
    main.file(&format!("{}.jsonl", id(1)), text, HOUR);
    let before = Tree::of(main.dir());
    let report = world.line("doctor --fix --full --only prompt-branches --json").exits(0).json();
    assert!(report["found"][0]["details"][0].as_str().unwrap().ends_with(".jsonl: line 2"), "{report:#}");
    before.is_still(main.dir());
    // A quick look does not go through the transcripts.
    let report = world.line("doctor --only prompt-branches --json").exits(0).json();
    assert_eq!(report["found"], json!([]));
}
