//! A full disk: what fills it, and making room.

use serde_json::{Value, json};

use crate::common::{DAY, Folder, HOUR, MINUTE, World, id, names, stamp};

/// One of everything that can lie in a sessions folder.
fn full(world: &World) -> Folder {
    let main = world.agent("main");
    main.session("agent:main:main", 1, HOUR)
        .archive(10, "deleted", 40 * DAY)
        .archive(11, "reset", 50 * DAY)
        .archive(12, "deleted", 3 * DAY)
        .archive(13, "deleted", MINUTE)
        .checkpoint(14, 99, 40 * DAY)
        .transcript(14, 40 * DAY)
        .trajectory(15, 40 * DAY)
        .transcript(20, 40 * DAY)
        .file(
            &format!("{}.jsonl", id(21)),
            format!("{}\n", json!({"type": "session", "version": 3, "id": id(21), "cwd": "/"})),
            40 * DAY,
        )
        .file("sessions.json.77.0000000a-0000-4000-8000-00000000000a.tmp", "{}", 2 * DAY)
        .file("notes.txt", "mine", 400 * DAY)
        .save();
    main
}

fn classes(value: &Value) -> Vec<(String, u64)> {
    let one = |c: &Value| (c["class"].as_str().unwrap().to_owned(), c["files"].as_u64().unwrap());
    value["classes"].as_array().unwrap().iter().map(one).collect()
}

#[test]
fn every_kind_of_file_has_a_line_and_reading_writes_nothing() {
    let world = World::new();
    let main = full(&world);
    world.folder(".openclaw/cron/runs").file("j.jsonl", "1\n", DAY);
    let before = names(main.dir());
    let value = world.line("disk --json").exits(0).json();
    let expected = [
        ("index", 1),
        ("live", 1),
        ("orphan-history", 2),
        ("orphan-junk", 1),
        ("reset", 1),
        ("deleted", 3),
        ("checkpoint", 1),
        ("trajectory", 2),
        ("temp", 1),
        ("run-log", 1),
        ("other", 1),
    ];
    assert_eq!(classes(&value), expected.map(|(c, n)| (c.to_owned(), n)));
    assert_eq!(names(main.dir()), before);
    assert!(value["reclaimable"]["now"].as_u64().unwrap() > 0);
    let _ = world.line("disk --top 3").exits(0).says("Largest files").says("no budget set");
}

#[test]
fn a_damaged_store_still_shows_what_it_takes() {
    let world = World::new();
    let main = full(&world);
    std::fs::write(main.index(), "{\"agent:main:main\": {").unwrap();
    world.agent("work").session("agent:work:main", 1, HOUR).save();
    let value = world.line("disk --json").exits(3).json();
    let stores = value["stores"].as_array().unwrap();
    let failed: Vec<&str> =
        stores.iter().filter(|s| s.get("error").is_some()).filter_map(|s| s["agentId"].as_str()).collect();
    assert_eq!(failed, ["main"]);
    assert!(classes(&value).contains(&("transcript".to_owned(), 4)), "not told apart: {:?}", classes(&value));
    assert!(classes(&value).contains(&("live".to_owned(), 1)));
    let _ = world.line("disk --store {store}x").exits(10);
}

#[test]
fn undo_counts_what_only_the_run_folders_hold() {
    let world = World::new();
    let main = full(&world);
    let before = world.line("disk --json").exits(0).json()["total"]["bytes"].as_u64().unwrap();
    let _ = world.enforce("").exits(0);
    assert!(main.is_archived(20));
    let value = world.line("disk --json").exits(0).json();
    let undo = value["classes"].as_array().unwrap().iter().find(|c| c["class"] == "undo").unwrap().clone();
    assert!(undo["files"].as_u64().unwrap() > 0);
    let others = value["total"]["bytes"].as_u64().unwrap() - undo["bytes"].as_u64().unwrap();
    assert!(others <= before, "a link to an archive is not counted again: {others} > {before}");
}

#[test]
fn nothing_said_is_no_goal() {
    let world = World::new();
    let _ = full(&world);
    let _ = world.line("disk free").exits(2).says("--need").says("--keep-free").says("--to-budget");
    let _ = world.line("disk free --to-budget").exits(2).says("maxDiskBytes");
    std::fs::write(world.state().join("clawkeep.json5"), "{keepFree: '1b'}").unwrap();
    let value = world.line("disk free --dry-run --json").exits(0).json();
    assert_eq!(value["goal"]["kind"], "keep-free");
    assert_eq!(value["plannedBytes"], 0);
}

#[test]
fn the_dry_run_says_what_the_deed_does() {
    let world = World::new();
    let main = full(&world);
    let before = names(main.dir());
    let items = |value: &Value| -> Vec<(String, String)> {
        let items = value["stores"][0]["items"].as_array().unwrap();
        items.iter().map(|i| (i["kind"].as_str().unwrap().into(), i["name"].as_str().unwrap().into())).collect()
    };
    let planned = world.line("disk free --need 1b --dry-run --json").exits(0).json();
    assert_eq!(names(main.dir()), before);
    let done = world.line("disk free --need 1b --json").exits(0).json();
    assert_eq!(items(&planned), items(&done));
    assert_eq!(
        items(&done),
        [("expired-archive".to_owned(), format!("{}.jsonl.reset.{}", id(11), stamp(world.now() - 50 * DAY)))]
    );
    assert!(main.of_session(11, "").is_empty() && main.of_session(10, "").len() == 1, "one was enough");
    assert!(done["bytesFreedNow"].as_u64().unwrap() >= 1);
}

#[test]
fn a_goal_out_of_reach_takes_what_may_go_and_says_what_is_in_the_way() {
    let world = World::new();
    let main = full(&world);
    let value = world.line("disk free --need 100gb --json").exits(4).json();
    assert_eq!(value["reached"], false);
    assert!(value["shortfallBytes"].as_u64().unwrap() > 0);
    let reasons = value["stores"][0]["inTheWay"].to_string();
    assert!(reasons.contains("\"owned\"") && reasons.contains("\"not-ours\""), "{reasons}");
    for gone in [10, 11, 15, 21] {
        assert!(main.of_session(gone, "").is_empty(), "{gone}");
    }
    assert!(main.is_archived(12), "its retention still runs");
    assert_eq!(value["heldArchives"]["files"], 1);
    let _ = world.line("disk free --need 100gb --dry-run").exits(4).says("1 archive").says("--take-archives");
    let asked = world.line("disk free --need 100gb --take-archives --json").exits(4).json();
    assert!(main.of_session(12, "").is_empty(), "{asked:#}");
    assert_eq!(asked["heldArchives"]["files"], 0);
    assert!(main.is_live(1) && main.is_live(20) && main.is_archived(13) && main.has("notes.txt"));
    assert_eq!(main.keys(), ["agent:main:main"]);
    assert!(value["bytesFreedLater"].as_u64().unwrap() > 0);
}

#[test]
fn the_budget_may_take_rows_and_they_can_be_undone() {
    let world = World::new();
    world.maintenance(&json!({"maxDiskBytes": 40_000, "highWaterBytes": 30_000}));
    let main = world.agent("main");
    for n in 1..=4 {
        main.row(&format!("agent:main:telegram:direct:{n}"), n, n.cast_signed() * DAY, json!({}));
        main.fat_transcript(n, n.cast_signed() * DAY, 15_000);
    }
    main.save();
    let plan = world.line("disk free --to-budget --dry-run --json").exits(0).json();
    assert_eq!(plan["goal"]["kind"], "to-budget");
    let done = world.line("disk free --to-budget --json").exits(0).json();
    assert_eq!(main.keys().len(), 1, "{done:#}");
    assert!(main.is_archived(4) && main.is_live(1));
    assert!(done["stores"][0]["runId"].is_string());
}

#[test]
fn two_stores_share_a_goal_oldest_first() {
    let world = World::new();
    let main = world.agent("main");
    main.session("agent:main:main", 1, HOUR).archive(10, "deleted", 40 * DAY).archive(11, "deleted", 60 * DAY).save();
    let work = world.agent("work");
    work.session("agent:work:main", 1, HOUR).archive(12, "deleted", 50 * DAY).save();
    world.config(&json!({"agents": {"list": [{"id": "main"}, {"id": "work"}]}}));
    // Two blocks: the two oldest archives.
    let _ = world.line("disk free --need 4097b --json").exits(0);
    assert!(main.of_session(11, "").is_empty() && work.of_session(12, "").is_empty());
    assert_eq!(main.of_session(10, "").len(), 1);
}
