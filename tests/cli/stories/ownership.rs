//! Which file belongs to whom: every store that could refer to a file is asked.

use serde_json::json;

use crate::common::{DAY, HOUR, World, body, id};

fn world() -> World {
    let world = World::new();
    world.config(&json!({
        "agents": {"list": [{"id": "main", "default": true}, {"id": "work"}]},
        "session": {"maintenance": {"pruneAfter": "7d"}},
    }));
    world
}

#[test]
fn a_session_shared_by_two_rows_stays_while_one_of_them_lives() {
    let world = world();
    let main = world.agent("main");
    main.session("agent:main:telegram:direct:1", 1, HOUR).row("agent:main:subagent:old", 1, 60 * DAY, json!({})).save();
    let _ = world.enforce("").exits(0).has("/pruned", 1);
    assert!(main.is_live(1));
}

#[test]
fn run_rows_that_name_a_shared_file_keep_their_own() {
    let world = world();
    let main = world.agent("main");
    let shared = json!({"sessionFile": format!("{}.jsonl", id(1))});
    main.row("agent:main:cron:j1", 1, HOUR, shared.clone()).transcript(1, HOUR);
    for n in 2..=3 {
        main.row(&format!("agent:main:cron:j1:run:r{n}"), n, HOUR, shared.clone()).transcript(n, 10 * DAY);
    }
    main.save();
    let _ = world.enforce("").exits(0).has("/unreferencedArtifacts/removedFiles", 0);
    assert!((1..=3).all(|n| main.is_live(n)));
}

#[test]
fn a_removed_row_does_not_take_the_transcript_of_another() {
    let world = world();
    let main = world.agent("main");
    main.row("agent:main:subagent:old", 2, 60 * DAY, json!({"sessionFile": format!("{}.jsonl", id(1))}))
        .session("agent:main:telegram:direct:1", 1, HOUR)
        .transcript(2, 60 * DAY)
        .save();
    let _ = world.enforce("").exits(0).has("/pruned", 1);
    assert!(main.is_live(1) && main.is_archived(2));
}

#[test]
fn a_file_that_another_agent_uses_is_no_orphan() {
    let world = world();
    let (main, work) = (world.agent("main"), world.agent("work"));
    main.session("agent:main:main", 1, HOUR).transcript(5, 40 * DAY).save();
    let there = main.path(&format!("{}.jsonl", id(5)));
    work.row("agent:work:main", 5, HOUR, json!({"sessionFile": there})).save();
    let _ = world.enforce("").exits(0);
    assert!(main.is_live(5));
}

#[test]
fn a_second_index_in_the_folder_owns_its_files_too() {
    let world = world();
    let main = world.agent("main");
    main.session("agent:main:main", 1, HOUR).transcript(6, 40 * DAY).save();
    main.file("other.json", json!({"agent:x:main": {"sessionId": id(6), "updatedAt": 1}}).to_string(), 40 * DAY);
    let _ = world.enforce("").exits(0);
    assert!(main.is_live(6));
}

#[test]
fn an_unreadable_neighbour_stops_orphans_but_not_rows() {
    let world = world();
    let (main, work) = (world.agent("main"), world.agent("work"));
    main.session("agent:main:main", 1, HOUR)
        .session("agent:main:subagent:old", 2, 40 * DAY)
        .transcript(5, 40 * DAY)
        .checkpoint(8, 1, 40 * DAY)
        .trajectory(9, 40 * DAY)
        .save();
    work.file("sessions.json", "{\"agent:wo", 0);
    let _ = world.enforce("").exits(3).has("/pruned", 1).says("ownership");
    assert!(main.is_live(5));
    assert_eq!(main.of_session(2, ".jsonl").len(), 1, "the file of the row that went: left or renamed");
    assert_eq!(main.of_session(8, "").len() + main.of_session(9, "").len(), 3);
}

#[test]
fn predecessors_of_a_living_session_stay() {
    let world = world();
    let main = world.agent("main");
    let parent = main.path(&format!("{}.jsonl", id(3)));
    let header = json!({"type": "session", "version": 3, "id": id(1), "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/", "parentSession": parent});
    let text = format!("{header}\n{}", body(&id(1), world.now(), 1, 0).split_once('\n').unwrap().1);
    main.row("agent:main:main", 1, HOUR, json!({"usageFamilySessionIds": [id(1), id(4)]}))
        .file(&format!("{}.jsonl", id(1)), text, HOUR)
        .transcript(3, 40 * DAY)
        .transcript(4, 40 * DAY)
        .transcript(5, 40 * DAY)
        .save();
    let _ = world.enforce("").exits(0);
    assert!(main.is_live(3), "parentSession");
    assert!(main.is_live(4), "usageFamilySessionIds");
    assert!(main.is_archived(5), "nobody leads there");
}

#[test]
fn checkpoints_and_trajectories_follow_their_session() {
    let world = world();
    let main = world.agent("main");
    main.transcript(1, HOUR).checkpoint(1, 0xaa, 20 * DAY).trajectory(1, 20 * DAY).trajectory(9, 20 * DAY);
    for n in 0xb0..0xb4 {
        main.checkpoint(1, n, 20 * DAY);
    }
    let kept = format!("{}.checkpoint.{}.jsonl", id(1), id(0xaa));
    let refers = json!({"compactionCheckpoints": [{"checkpointId": id(0xaa), "preCompaction": {"sessionId": id(1), "sessionFile": main.path(&kept)}}]});
    main.row("agent:main:main", 1, HOUR, refers).save();
    let _ = world.enforce("").exits(0).has("/unreferencedArtifacts/removedFiles", 6);
    assert!(main.has(&kept));
    assert_eq!(main.of_session(1, ".checkpoint.").len(), 1);
    assert_eq!(main.of_session(1, ".trajectory").len(), 2);
    assert!(main.of_session(9, "").is_empty());
}

#[test]
fn the_last_checkpoint_of_a_lost_session_is_archived_and_not_unlinked() {
    let world = world();
    let main = world.agent("main");
    main.session("agent:main:main", 1, HOUR).checkpoint(7, 0xc1, 20 * DAY).save();
    let _ = world.enforce("").exits(0);
    assert_eq!(main.of_session(7, ".checkpoint.").len(), 1, "renamed, not gone");
    assert!(main.of_session(7, ".checkpoint.")[0].contains(".deleted."));
}

#[test]
fn a_pointer_makes_no_foreign_file_removable() {
    let world = world();
    let main = world.agent("main");
    let victim = world.home().join("precious.jsonl");
    std::fs::write(&victim, "mine\n").unwrap();
    let pointer = |target: &std::path::Path| {
        json!({"traceSchema": "openclaw-trajectory-pointer", "schemaVersion": 1, "sessionId": id(2), "runtimeFile": target}).to_string()
    };
    main.session("agent:main:main", 1, HOUR)
        .session("agent:main:subagent:old", 2, 40 * DAY)
        .session("agent:main:subagent:older", 3, 40 * DAY)
        .file(&format!("{}.trajectory-path.json", id(2)), pointer(&victim), 40 * DAY)
        .file(&format!("{}.trajectory-path.json", id(3)), pointer(&main.path(&format!("{}.jsonl", id(1)))), 40 * DAY)
        .save();
    let _ = world.enforce("").exits(0).has("/pruned", 2);
    assert!(victim.exists() && main.is_live(1));
}

#[test]
fn a_copied_agent_has_files_of_its_own() {
    let world = World::new();
    world.config(&json!({
        "agents": {"list": [{"id": "main"}, {"id": "b"}, {"id": "c"}]},
        "session": {"maintenance": {"pruneAfter": "7d"}},
    }));
    let agents = ["main", "b", "c"].map(|name| (name, world.agent(name)));
    for (name, folder) in &agents {
        let age = if *name == "b" { HOUR } else { 60 * DAY };
        folder.session(&format!("agent:{name}:telegram:direct:1"), 1, age).save();
    }
    let [(_, main), (_, b), (_, c)] = &agents;
    let _ = world.line("sessions cleanup --agent main --enforce --json").exits(0).has("/pruned", 1);
    assert!(main.is_archived(1) && !main.is_live(1), "its row is gone, and so is its name");
    assert!(b.is_live(1) && c.is_live(1));
    let _ = world.line("sessions cleanup --all-agents --enforce --json").exits(0);
    assert!(b.is_live(1) && c.is_archived(1));
}

#[test]
fn an_id_leads_into_the_folder_of_another_agent_only_where_its_own_has_no_such_file() {
    let world = world();
    let (main, work) = (world.agent("main"), world.agent("work"));
    main.session("agent:main:telegram:direct:1", 1, 60 * DAY).save();
    work.row("agent:work:telegram:direct:1", 1, HOUR, json!({})).save();
    let _ = world.enforce("").exits(0).has("/pruned", 1);
    assert!(main.is_live(1), "the only file of a session that lives");
}
