//! What piles up: agents nobody configures, leftovers, and the one report that names every kind.

use serde_json::json;

use crate::common::{DAY, HOUR, World, id};

#[test]
fn a_folder_of_a_deleted_agent_is_named_and_cleaned_only_on_request() {
    let world = World::new();
    world.config(&json!({
        "agents": {"list": [{"id": "main", "default": true}]},
        "session": {"maintenance": {"pruneAfter": "7d"}},
    }));
    world.agent("main").session("agent:main:main", 1, HOUR).save();
    let ghost = world.agent("ghost");
    ghost.session("agent:ghost:main", 1, HOUR).session("agent:ghost:subagent:o", 2, 40 * DAY).save();
    let _ = world.line("sessions cleanup --all-agents --enforce").exits(0).says("ghost").says("--include-unconfigured");
    assert_eq!(ghost.keys().len(), 2);
    let _ = world.line("sessions cleanup --all-agents --include-unconfigured --enforce").exits(0);
    assert_eq!(ghost.keys(), ["agent:ghost:main"]);
}

#[test]
fn agents_that_were_not_looked_at_are_named() {
    let world = World::new();
    world.config(&json!({"agents": {"list": [{"id": "main", "default": true}, {"id": "work"}, {"id": "home"}]}}));
    for agent in ["main", "work", "home"] {
        world.agent(agent).session(&format!("agent:{agent}:main"), 1, HOUR).save();
    }
    let _ = world.line("sessions cleanup").exits(0).says("2 other agents not looked at");
    let _ = world.line("sessions cleanup --all-agents").exits(0).hides("not looked at");
}

#[test]
fn repair_copies_age_but_the_newest_of_each_stays() {
    let world = World::new();
    world.maintenance(&json!({"pruneAfter": "7d"}));
    let main = world.agent("main");
    main.session("agent:main:main", 1, HOUR).save();
    let copy = |age: i64| format!("{}.jsonl.bak-4242-{}", id(1), world.now() - age);
    for age in [40 * DAY, 30 * DAY, 20 * DAY] {
        main.file(&copy(age), "x\n", age);
    }
    let index_copy = format!("sessions.json.bak.{}", world.now() - 90 * DAY);
    main.file(&index_copy, "{}", 90 * DAY);
    let _ = world.enforce("").exits(0);
    assert!(!main.has(&copy(40 * DAY)) && !main.has(&copy(30 * DAY)));
    assert!(main.has(&copy(20 * DAY)), "the newest copy");
    assert!(main.has(&index_copy), "index backups never go by age");
}

#[test]
fn disk_names_every_kind_with_its_count() {
    let world = World::new();
    let main = world.agent("main");
    main.session("agent:main:main", 1, HOUR).save();
    main.transcript(2, 90 * DAY)
        .archive(3, "reset", DAY)
        .archive(4, "deleted", DAY)
        .checkpoint(5, 6, DAY)
        .trajectory(7, DAY)
        .file(&format!("sessions.json.1.{}.tmp", id(8)), "{}", DAY)
        .file("notes.txt", "x", DAY);
    let out = world.line("disk --json").exits(0);
    let text = out.json().to_string().to_lowercase();
    for kind in ["orphan", "reset", "deleted", "checkpoint", "trajectory", "temp", "other"] {
        assert!(text.contains(kind), "{kind}\n{}", out.picture());
    }
}

#[test]
fn disk_free_takes_final_things_first_and_only_what_policy_allows() {
    let world = World::new();
    world.maintenance(&json!({"pruneAfter": "7d"}));
    let main = world.agent("main");
    main.session("agent:main:main", 1, HOUR)
        .session("agent:main:telegram:group:-1", 2, 90 * DAY)
        .save()
        .archive(3, "deleted", 20 * DAY)
        .archive(4, "deleted", DAY);
    let _ = world.line("disk free --need 100b --dry-run").exits(0);
    assert!(main.is_archived(3));
    let _ = world.line("disk free --need 100b").exits(0);
    assert!(!main.is_archived(3) && main.is_archived(4));
    assert_eq!(main.keys().len(), 2);
}

#[test]
fn a_store_of_an_older_generation_is_a_leftover() {
    let world = World::new();
    world.config(&json!({
        "agents": {"list": [{"id": "main", "default": true}]},
        "session": {"maintenance": {"pruneAfter": "7d"}},
    }));
    let main = world.agent("main");
    main.session("agent:main:main", 1, HOUR).session("agent:main:subagent:o", 2, 40 * DAY).save();
    std::fs::create_dir_all(world.state().join("agents/main/agent")).unwrap();
    std::fs::write(world.state().join("agents/main/agent/openclaw-agent.sqlite"), "SQLite format 3\0").unwrap();
    let _ = world.line("sessions").exits(0).says("sqlite");
    let _ = world.line("sessions cleanup --all-agents --enforce --json").exits(0).says("generation");
    let _ = world.enforce("").fails().says("legacy-store");
    assert_eq!(main.keys().len(), 2);
    let _ = world.enforce("--override legacy-store").exits(0).has("/pruned", 1);
}
