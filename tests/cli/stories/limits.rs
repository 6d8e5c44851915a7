//! Limits that did not bind, or bound the wrong rows.

use serde_json::json;

use crate::common::{DAY, Folder, HOUR, Tree, World, body, id, names, stamp};

fn under(maintenance: &serde_json::Value) -> (World, Folder) {
    let world = World::new();
    world.maintenance(maintenance);
    let main = world.agent("main");
    (world, main)
}

#[test]
fn a_cap_takes_the_oldest_row_and_the_preview_says_the_same() {
    let (world, main) = under(&json!({"mode": "enforce", "maxEntries": 20}));
    for n in 1..=21_u32 {
        main.session(&format!("agent:main:subagent:{n:02}"), n.into(), i64::from(n) * HOUR);
    }
    main.save();
    let _ = world.plan("").exits(0).has("/capped", 1).has("/beforeCount", 21).has("/afterCount", 20);
    let _ = world.enforce("").exits(0).has("/capped", 1).has("/beforeCount", 21).has("/afterCount", 20);
    assert_eq!(main.keys().len(), 20);
    assert!(main.is_archived(21));
    let _ = world.enforce("").exits(0).has("/capped", 0).has("/wouldMutate", false);
}

#[test]
fn protected_rows_beyond_the_cap_are_a_shortfall_and_main_does_not_pay_for_it() {
    let (world, main) = under(&json!({"maxEntries": 3}));
    main.session("agent:main:main", 9, HOUR);
    for n in 1..=5_u32 {
        main.session(&format!("agent:main:slack:channel:c:thread:{n}"), n.into(), i64::from(n) * DAY);
    }
    main.save();
    let _ = world.enforce("").exits(0).has("/capped", 0).has("/capShortfall", 3).has("/afterCount", 6);
    let _ = world.enforce("--exit-code").exits(4);
    assert_eq!(main.keys().len(), 6);
}

#[test]
fn running_rows_are_not_capped_unless_they_have_run_for_days() {
    let (world, main) = under(&json!({"maxEntries": 3}));
    for n in 1..=6_u32 {
        let more = if n >= 5 { json!({"status": "running"}) } else { json!({"status": "done"}) };
        let age = i64::from(n) * HOUR;
        main.row(&format!("agent:main:subagent:{n}"), n.into(), age, more).transcript(n.into(), age);
    }
    main.row("agent:main:subagent:stuck", 7, 668 * HOUR, json!({"status": "running"})).transcript(7, 668 * HOUR);
    main.save();
    let _ = world.enforce("").exits(0);
    let keys = main.keys();
    for n in [5, 6] {
        assert!(keys.contains(&format!("agent:main:subagent:{n}")), "{keys:?}");
    }
    assert!(!keys.contains(&"agent:main:subagent:stuck".to_owned()), "{keys:?}");
}

#[test]
fn a_kept_key_is_kept_by_every_policy() {
    let (world, main) = under(&json!({"pruneAfter": "1d", "maxEntries": 1, "maxDiskBytes": "1kb"}));
    main.session("agent:main:webchat:direct:1", 1, 40 * DAY).session("agent:main:subagent:2", 2, 40 * DAY);
    main.row("agent:main:webchat:direct:3", 3, 40 * DAY, json!({})).save();
    let _ = world.run(["sessions", "cleanup", "--enforce", "--fix-missing", "--keep", "agent:main:webchat:*"]).ends();
    assert_eq!(main.keys(), ["agent:main:webchat:direct:1", "agent:main:webchat:direct:3"]);
}

#[test]
fn our_own_settings_can_keep_keys_for_every_nightly_run() {
    let (world, main) = under(&json!({"pruneAfter": "1d"}));
    std::fs::write(world.state().join("clawkeep.json5"), "{ keep: ['*:webchat:*'], /* the family */ }").unwrap();
    main.session("agent:main:webchat:direct:1", 1, 40 * DAY).session("agent:main:subagent:2", 2, 40 * DAY).save();
    let _ = world.enforce("").exits(0);
    assert_eq!(main.keys(), ["agent:main:webchat:direct:1"]);
}

#[test]
fn a_budget_takes_archives_then_orphans_then_rows_oldest_first() {
    let (world, main) =
        under(&json!({"mode": "enforce", "pruneAfter": "365d", "maxDiskBytes": 60_000, "highWaterBytes": 40_000}));
    let archive = format!("{}.jsonl.deleted.{}", id(40), stamp(world.now() - 5 * DAY));
    main.file(&archive, "x".repeat(10_000), 5 * DAY).fat_transcript(41, 4 * DAY, 9_700);
    for n in 1..=5_u32 {
        let age = i64::from(n) * DAY;
        main.row(&format!("agent:main:telegram:direct:{n}"), n.into(), age, json!({})).fat_transcript(
            n.into(),
            age,
            9_300,
        );
    }
    main.save();
    let out = world.enforce("--active-key AGENT:main:telegram:direct:5").ends().has("/diskBudget/overBudget", true);
    assert!(out.number("/diskBudget/totalBytesAfter") <= 40_000, "{}", out.picture());
    assert!(!main.has(&archive) && !main.is_live(41));
    let keys = main.keys();
    assert!(keys.contains(&"agent:main:telegram:direct:5".to_owned()), "the active one");
    assert!(!keys.contains(&"agent:main:telegram:direct:4".to_owned()), "the oldest other one");
    assert!(keys.contains(&"agent:main:telegram:direct:1".to_owned()));
}

#[test]
fn a_budget_that_cannot_be_reached_says_by_how_much() {
    let (world, main) = under(&json!({"mode": "enforce", "maxDiskBytes": 10_000, "highWaterBytes": 8_000}));
    for n in 1..=4_u32 {
        let age = i64::from(n) * DAY;
        main.row(&format!("agent:main:slack:channel:c:thread:{n}"), n.into(), age, json!({})).fat_transcript(
            n.into(),
            age,
            6000,
        );
    }
    main.save();
    let out = world.enforce("").exits(0).has("/diskBudget/overBudget", true).has("/diskBudget/removedEntries", 0);
    assert!(out.number("/diskBudget/totalBytesAfter") > 10_000);
    assert!(out.number("/shortfallBytes") > 2_000, "{}", out.picture());
    let _ = world.enforce("--exit-code").exits(4);
    assert_eq!(main.keys().len(), 4);
    assert_eq!((1..=4).filter(|n| main.is_live(*n)).count(), 4);
}

#[test]
fn a_transcript_written_a_second_ago_is_no_victim_of_the_budget() {
    let (world, main) = under(&json!({"maxDiskBytes": 20_000, "highWaterBytes": 5_000}));
    main.session("agent:main:main", 1, HOUR).save();
    main.fat_transcript(2, 20 * DAY, 15_000).fat_transcript(3, 20 * DAY, 15_000);
    main.fat_transcript(4, 1000, 15_000).lock(4, std::process::id(), 1000).fat_transcript(5, 1000, 100);
    let _ = world.enforce("").ends();
    assert!(main.is_live(4) && main.is_live(5), "just written");
    assert!(!main.is_live(2) && !main.is_live(3));
}

#[test]
fn a_warn_mode_budget_reports_and_touches_nothing() {
    let (world, main) = under(&json!({"mode": "warn", "pruneAfter": "1d", "maxEntries": 1, "maxDiskBytes": 1000}));
    for n in 1..=4_u32 {
        let age = i64::from(n) * DAY;
        main.row(&format!("agent:main:subagent:{n}"), n.into(), age, json!({})).fat_transcript(n.into(), age, 900);
    }
    main.save();
    let before = Tree::of(&world.home());
    let _ = world.line("sessions cleanup --store {store} --json").exits(0).has("/mode", "warn");
    before.is_still(&world.home());
}

#[test]
fn a_limit_that_is_off_says_so() {
    let (world, main) = under(&json!({"pruneAfter": 0, "maxDiskBytes": 0}));
    main.session("agent:main:main", 1, HOUR).save();
    let _ = world.line("sessions cleanup -v").exits(0).says("off");
    let _ = world.line("config get session.maintenance.pruneAfter").exits(0).says("off");
}

#[test]
fn a_pass_that_would_take_too_much_stops() {
    let (world, main) = under(&json!({"pruneAfter": "7d"}));
    main.session("agent:main:main", 1, HOUR);
    for n in 2..12 {
        main.session(&format!("agent:main:subagent:{n}"), n, 40 * DAY);
    }
    main.save();
    let (files, index) = (names(main.dir()), std::fs::read(main.index()).unwrap());
    let _ = world.enforce("--max-remove 5").fails().says("max-remove");
    assert_eq!((names(main.dir()), std::fs::read(main.index()).unwrap()), (files, index));
    let _ = world.enforce("--max-remove 50").exits(0).has("/pruned", 10);
}

#[test]
fn rows_of_a_family_of_files_count_once() {
    let (world, main) = under(&json!({"pruneAfter": "7d"}));
    main.session("agent:main:main", 1, HOUR)
        .row("agent:main:subagent:o", 2, 40 * DAY, json!({}))
        .file(&format!("{}.jsonl", id(2)), body(&id(2), world.now() - 40 * DAY, 1, 0), 40 * DAY)
        .trajectory(2, 40 * DAY)
        .save();
    let _ = world.enforce("").exits(0).has("/pruned", 1).has("/archivedFiles", 1);
    assert!(main.is_archived(2));
    assert!(!main.has(&format!("{}.trajectory-path.json", id(2))));
}

#[test]
fn a_file_of_somebody_else_costs_no_session() {
    let (world, main) = under(&json!({"mode": "enforce", "pruneAfter": "30d", "maxDiskBytes": 20_000}));
    for n in 1..=5_u32 {
        main.session(&format!("agent:main:telegram:direct:{n}"), n.into(), i64::from(n) * HOUR);
    }
    main.session("agent:main:main", 6, HOUR);
    main.file("memory.sqlite", vec![1; 90_000], DAY).file("notes.txt", "small", DAY).save();
    let planned = world.plan("").exits(0).json();
    let out = world.enforce("").exits(0).has("/diskBudget/removedEntries", 0).has("/diskBudget/overBudget", true);
    assert_eq!(main.keys().len(), 6, "{}", out.picture());
    let json = out.json();
    assert_eq!(json["diskBudget"], planned["diskBudget"]);
    let held = json["heldBy"].as_array().unwrap();
    let foreign = held.iter().find(|h| h["reason"] == "not-ours").unwrap_or_else(|| panic!("{}", out.picture()));
    assert_eq!((foreign["files"].as_u64(), foreign["bytes"].as_u64()), (Some(2), Some(90_005)));
    assert_eq!(foreign["largest"], json!({"name": "memory.sqlite", "bytes": 90_000}));
    let _ = world
        .line("sessions cleanup --enforce")
        .exits(0)
        .says("memory.sqlite")
        .says("no session goes for them")
        // The main session is not what the bytes are of.
        .says("may not be taken (2 not-ours)");
}

#[test]
fn beside_a_file_of_somebody_else_sessions_are_still_brought_down_to_the_mark() {
    let (world, main) = under(&json!({"mode": "enforce", "maxDiskBytes": 20_000, "highWaterBytes": 12_000}));
    for n in 1..=4_u32 {
        let age = i64::from(n) * DAY;
        main.row(&format!("agent:main:telegram:direct:{n}"), n.into(), age, json!({}));
        main.fat_transcript(n.into(), age, 6_000);
    }
    main.archive(9, "deleted", 5 * DAY).file("memory.sqlite", vec![1; 90_000], DAY).save();
    let _ = world.enforce("").exits(0).has("/diskBudget/removedEntries", 3);
    assert_eq!(main.keys(), ["agent:main:telegram:direct:1"]);
    assert!(main.of_session(9, "").is_empty(), "archives are taken down to the mark of the whole folder");
}

#[test]
fn a_limit_tried_on_the_command_line_unlinks_no_archive() {
    for (config, stays) in [
        (json!({"pruneAfter": "30d"}), true),
        (json!({}), true),
        (json!({"pruneAfter": 0}), true),
        (json!({"pruneAfter": "12h"}), false),
    ] {
        let (world, main) = under(&config);
        main.session("agent:main:main", 1, HOUR).session("agent:main:telegram:direct:2", 2, 3 * DAY);
        main.archive(9, "deleted", 2 * DAY).archive(10, "reset", 2 * DAY).save();
        let _ = world.enforce("--prune-after 1d").exits(0).has("/pruned", 1);
        let left = [9, 10].map(|n| !main.of_session(n, "").is_empty());
        assert_eq!(left, [stays; 2], "{config}");
    }
    let (world, main) = under(&json!({"pruneAfter": "30d"}));
    main.session("agent:main:main", 1, HOUR).archive(9, "deleted", 2 * DAY).archive(10, "reset", 2 * DAY).save();
    let _ = world.enforce("--prune-after 1d --deleted-retention 1d").exits(0);
    assert!(main.of_session(9, "").is_empty() && !main.of_session(10, "").is_empty(), "asked for by its own flag");
    let _ = world.enforce("--reset-retention 1d").exits(0);
    assert!(main.of_session(10, "").is_empty());
    let (world, main) = under(&json!({"pruneAfter": "1d"}));
    main.session("agent:main:main", 1, HOUR).archive(9, "deleted", 2 * DAY).save();
    let _ = world.enforce("--prune-after 90d").exits(0);
    assert!(!main.of_session(9, "").is_empty(), "a longer limit keeps archives longer");
}

/// A limit that is only tried unlinks nothing that the configured one would not: copies of sessions that are gone are no
/// history, but nothing brings them back.
#[test]
fn a_limit_that_is_tried_unlinks_no_sidecar_before_the_configured_time() {
    let world = World::new();
    world.maintenance(&json!({"pruneAfter": "30d"}));
    let main = world.agent("main");
    main.session("agent:main:main", 1, HOUR).session("agent:main:telegram:direct:2", 2, 10 * DAY);
    main.trajectory(2, 10 * DAY).trajectory(3, 10 * DAY).trajectory(4, 40 * DAY);
    main.checkpoint(1, 7, 10 * DAY).checkpoint(1, 8, 40 * DAY).save();
    let _ = world.enforce("--prune-after 7d").exits(0);
    assert_eq!(main.of_session(3, ".trajectory.jsonl").len(), 1, "younger than configured");
    assert_eq!(main.of_session(4, ".trajectory.jsonl").len(), 0, "older than configured");
    assert_eq!(main.of_session(2, ".trajectory.jsonl").len(), 0, "its row left");
    let _ = world.line("sessions undo").ends().hides(&id(3));
    assert_eq!(main.of_session(2, ".trajectory.jsonl").len(), 1, "kept with its row");
    world.maintenance(&json!({"pruneAfter": "7d"}));
    let _ = world.enforce("").exits(0);
    assert_eq!(main.of_session(3, ".trajectory.jsonl").len(), 0, "as configured");
}
