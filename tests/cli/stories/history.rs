//! History that maintenance itself used to delete.

use serde_json::json;

use crate::common::{DAY, Folder, HOUR, Tree, World, body, id, names, stamp};

fn under(maintenance: &serde_json::Value) -> (World, Folder) {
    let world = World::new();
    world.maintenance(maintenance);
    let main = world.agent("main");
    (world, main)
}

#[test]
fn durable_conversations_stay_and_run_rows_go() {
    let (world, main) = under(&json!({"pruneAfter": "30d"}));
    let durable = [
        "agent:main:telegram:group:-1001",
        "agent:main:telegram:group:-1001:topic:5",
        "agent:main:slack:channel:c1:thread:171",
        "agent:main:discord:channel:42",
    ];
    let synthetic = ["agent:main:subagent:aa", "agent:main:cron:j1:run:r1", "agent:main:acp:bb", "hook:x"];
    for (n, key) in (1..).zip(durable.iter().chain(&synthetic).chain(&["agent:main:telegram:direct:9"])) {
        main.session(key, n, 60 * DAY);
    }
    main.save();
    let _ = world.enforce("").exits(0).has("/beforeCount", 9).has("/afterCount", 4);
    assert_eq!(main.keys(), durable);
    assert_eq!((1..=4).filter(|n| main.is_live(*n)).count(), 4);
    assert_eq!((5..=9).filter(|n| main.is_archived(*n)).count(), 5);
}

#[test]
fn nothing_is_written_until_somebody_asks_for_it() {
    let (world, main) = under(&json!({"pruneAfter": "1d", "maxEntries": 1, "maxDiskBytes": "1kb"}));
    main.session("agent:main:main", 1, HOUR);
    for n in 2..6 {
        main.session(&format!("agent:main:subagent:{n}"), n, 40 * DAY);
    }
    main.save().transcript(30, 60 * DAY).archive(31, "deleted", 50 * DAY);
    let before = Tree::of(&world.home());
    let _ = world.line("sessions cleanup").exits(0).says("warn").says("--enforce");
    let _ = world.line("sessions cleanup --json").exits(0).has("/mode", "warn");
    let _ = world.line("sessions cleanup --dry-run --enforce").exits(0).says("nothing");
    let _ = world.line("sessions").exits(0);
    let _ = world.line("disk").exits(0);
    before.is_still(&world.home());
}

#[test]
fn an_explicit_warn_mode_is_overridden_by_the_flag_alone() {
    let (world, main) = under(&json!({"mode": "warn", "pruneAfter": "1d"}));
    main.session("agent:main:subagent:1", 1, 4 * DAY).session("agent:main:main", 2, HOUR).save();
    let _ = world.line("sessions cleanup --store {store} --json").exits(0).has("/mode", "warn");
    assert_eq!(main.keys().len(), 2);
    let _ = world.enforce("").exits(0).has("/mode", "enforce").has("/pruned", 1);
    assert_eq!(main.keys().len(), 1);
}

#[test]
fn a_retention_of_zero_means_off() {
    for zero in [json!("0"), json!("0h"), json!("0ms"), json!(0)] {
        let (world, main) = under(&json!({"pruneAfter": zero}));
        main.session("agent:main:main", 1, HOUR).session("agent:main:subagent:1", 2, 400 * DAY).save();
        main.transcript(30, 400 * DAY).archive(31, "deleted", 400 * DAY);
        let _ = world.enforce("").exits(0).has("/pruned", 0);
        assert!(main.is_live(2) && main.is_live(30) && main.is_archived(31), "{zero}");
    }
}

#[test]
fn a_reset_retention_of_zero_or_false_keeps_reset_archives() {
    for off in [json!("0d"), json!(0), json!(false)] {
        let (world, main) = under(&json!({"pruneAfter": "30d", "resetArchiveRetention": off}));
        main.session("agent:main:main", 1, HOUR).save().archive(31, "reset", 400 * DAY);
        let _ = world.enforce("").exits(0);
        assert_eq!(main.of_session(31, ".jsonl.reset.").len(), 1, "{off}");
    }
}

#[test]
fn a_duration_that_cannot_be_read_stops_the_run_and_names_key_and_value() {
    for bad in ["1Y", "forever", "30 days", "-1d", ""] {
        let (world, main) = under(&json!({"mode": "enforce", "pruneAfter": bad}));
        main.session("agent:main:telegram:direct:1", 1, 60 * DAY)
            .session("agent:main:telegram:direct:2", 2, 120 * DAY)
            .save();
        let before = Tree::of(&world.home());
        let _ = world.enforce("").exits(1).says("session.maintenance.pruneAfter").says(bad);
        let _ = world.line("sessions cleanup --store {store}").exits(1);
        before.is_still(&world.home());
        let _ = world.line("sessions --store {store}").exits(0).says("pruneAfter");
    }
}

#[test]
fn a_budget_of_zero_means_off() {
    for zero in [json!(0), json!("0"), json!("0mb"), json!(false)] {
        let (world, main) = under(&json!({"mode": "enforce", "maxDiskBytes": zero}));
        for n in 1..=4 {
            main.row(&format!("agent:main:telegram:direct:{n}"), n, 3 * DAY, json!({})).fat_transcript(
                n,
                3 * DAY,
                3000,
            );
        }
        main.save();
        let _ = world.enforce("").ends();
        assert_eq!(main.keys().len(), 4, "{zero}");
        assert_eq!((1..=4).filter(|n| main.is_live(*n)).count(), 4, "{zero}");
    }
}

#[test]
fn a_high_water_mark_of_zero_is_the_default_one() {
    let (world, main) = under(&json!({}));
    for n in 1..=6_u32 {
        let age = i64::from(n) * DAY;
        main.row(&format!("agent:main:telegram:direct:{n}"), n.into(), age, json!({})).fat_transcript(
            n.into(),
            age,
            10_000,
        );
    }
    main.save();
    let used: u64 = names(main.dir()).iter().map(|n| std::fs::metadata(main.path(n)).unwrap().len()).sum();
    world.maintenance(&json!({"maxDiskBytes": used - 100, "highWaterBytes": 0}));
    let _ = world.enforce("").ends();
    assert_eq!(main.keys().len(), 4, "two sixths are more than 20 %");
}

#[test]
fn a_row_that_leads_to_a_former_home_keeps_its_transcript() {
    let (world, main) = under(&json!({"pruneAfter": "30d"}));
    let former = format!("/home/olduser/.openclaw/agents/main/sessions/{}.jsonl", id(5));
    let windows = format!("C:\\Users\\old\\.openclaw\\agents\\main\\sessions\\{}.jsonl", id(6));
    main.session("agent:main:main", 1, HOUR)
        .row("agent:main:telegram:direct:5", 15, HOUR, json!({"sessionFile": former}))
        .row("agent:main:telegram:direct:6", 16, HOUR, json!({"sessionFile": windows}))
        .transcript(5, 45 * DAY)
        .transcript(6, 45 * DAY)
        .save();
    let _ = world.enforce("--fix-missing").exits(0).has("/missing", 0);
    assert_eq!(main.keys().len(), 3);
    assert!(main.is_live(5) && main.is_live(6));
}

#[test]
fn a_topic_row_without_a_file_name_finds_its_transcript() {
    let (world, main) = under(&json!({"pruneAfter": "30d"}));
    let name = format!("{}-topic-12.jsonl", id(7));
    main.session("agent:main:main", 1, HOUR)
        .row("agent:main:telegram:group:-100:topic:12", 7, HOUR, json!({}))
        .file(&name, body(&id(7), world.now() - 40 * DAY, 1, 0), 40 * DAY)
        .save();
    let _ = world.enforce("--fix-missing").exits(0).has("/missing", 0);
    assert_eq!(main.keys().len(), 2);
    assert!(main.has(&name));
}

#[test]
fn unreadable_turns_are_not_a_missing_transcript() {
    let (world, main) = under(&json!({}));
    let torn = body(&id(5), world.now(), 2, 0);
    main.row("agent:main:telegram:direct:5", 5, HOUR, json!({}))
        .row("agent:main:telegram:direct:6", 6, HOUR, json!({}))
        .file(&format!("{}.jsonl", id(5)), &torn[..torn.len() - 40], HOUR)
        .file(&format!("{}.jsonl", id(6)), [0; 64], HOUR)
        .save();
    let _ = world.enforce("--fix-missing").exits(0).has("/missing", 0).has("/afterCount", 2);
    assert!(main.is_live(5) && main.is_live(6));
}

#[test]
fn missing_rows_go_only_with_the_flag_and_never_in_their_first_minutes() {
    let (world, main) = under(&json!({}));
    main.session("agent:main:main", 1, HOUR)
        .row("agent:main:telegram:direct:1", 2, HOUR, json!({}))
        .row("agent:main:telegram:direct:2", 3, 2 * HOUR, json!({}))
        .row("agent:main:telegram:direct:3", 4, 1000, json!({}))
        .save();
    let _ = world.plan("").exits(0).has("/missing", 0).has("/afterCount", 4);
    let _ = world.plan("--fix-missing").exits(0).has("/missing", 2).has("/afterCount", 2);
    let _ = world.enforce("--fix-missing").exits(0).has("/missing", 2).has("/beforeCount", 4).has("/afterCount", 2);
    assert_eq!(main.keys(), ["agent:main:main", "agent:main:telegram:direct:3"]);
}

#[test]
fn ids_that_begin_alike_are_different_sessions() {
    let (world, main) = under(&json!({"pruneAfter": "30d"}));
    let (old, fresh) = ("aaaaaaaa-0000-4000-8000-000000000001", "aaaaaaaa-0000-4000-8000-000000000002");
    main.row("agent:main:subagent:old", 1, 60 * DAY, json!({"sessionId": old}))
        .row("agent:main:subagent:new", 2, HOUR, json!({"sessionId": fresh}))
        .file(&format!("{old}.jsonl"), body(old, world.now() - 60 * DAY, 1, 0), 60 * DAY)
        .file(&format!("{fresh}.jsonl"), body(fresh, world.now() - HOUR, 1, 0), HOUR)
        .save();
    let _ = world.enforce("").exits(0).has("/pruned", 1);
    assert!(!main.has(&format!("{old}.jsonl")) && main.has(&format!("{fresh}.jsonl")));
}

#[test]
fn a_session_without_messages_is_empty_and_not_corrupt() {
    let (world, main) = under(&json!({"pruneAfter": "30d"}));
    let header = |n: u64| body(&id(n), world.now(), 0, 0);
    main.row("agent:main:telegram:direct:1", 1, 10_000, json!({}))
        .file(&format!("{}.jsonl", id(1)), header(1), 10_000)
        .row("agent:main:telegram:direct:2", 2, 20 * DAY, json!({}))
        .file(&format!("{}.jsonl", id(2)), header(2), 20 * DAY)
        .save();
    let _ = world.enforce("--fix-missing").exits(0).has("/afterCount", 2);
    assert!(main.is_live(1) && main.is_live(2));
}

#[test]
fn a_pass_never_unlinks_what_it_has_just_renamed() {
    let (world, main) =
        under(&json!({"pruneAfter": "30d", "maxEntries": 6, "maxDiskBytes": 20_000, "highWaterBytes": 12_000}));
    for n in 1..=12_u32 {
        let age = if n < 4 { 40 * DAY } else { i64::from(n) * HOUR };
        main.row(&format!("agent:main:subagent:{n:02}"), n.into(), age, json!({})).fat_transcript(n.into(), age, 2000);
    }
    main.save();
    let _ = world.enforce("").ends().has("/pruned", 3).has("/capped", 3);
    let left = main.keys().len();
    let live = (1..=12).filter(|n| main.is_live(*n)).count();
    let archived = (1..=12).filter(|n| main.is_archived(*n)).count();
    assert_eq!((live, archived), (left, 12 - left), "every row that went has its archive");
}

#[test]
fn a_run_leaves_a_trace_of_every_item_it_took() {
    let (world, main) = under(&json!({"pruneAfter": "30d"}));
    main.session("agent:main:main", 1, HOUR).session("agent:main:subagent:o", 2, 40 * DAY).save().archive(
        9,
        "deleted",
        50 * DAY,
    );
    let _ = world.enforce("").exits(0);
    let audit = std::fs::read_to_string(main.path(".clawkeep/audit.jsonl")).unwrap();
    for item in [id(2), id(9)] {
        assert!(audit.lines().any(|line| line.contains(&item)), "{item} in {audit}");
    }
    for line in audit.lines() {
        let _: serde_json::Value = serde_json::from_str(line).unwrap();
    }
}

#[test]
fn rows_younger_than_the_limit_stay_although_they_are_done() {
    let (world, main) = under(&json!({"mode": "warn", "pruneAfter": "30d"}));
    for n in 1..=5 {
        main.row(&format!("agent:main:subagent:{n}"), n, 3 * DAY, json!({"status": "done"})).transcript(n, 3 * DAY);
    }
    main.save();
    let _ = world.enforce("").exits(0).has("/pruned", 0).has("/wouldMutate", false);
    assert_eq!(main.keys().len(), 5);
}

#[test]
fn an_archive_keeps_every_byte() {
    let (world, main) = under(&json!({"mode": "enforce", "pruneAfter": "30d"}));
    let text = body(&id(1), world.now() - 60 * DAY, 3, 10);
    main.row("agent:main:telegram:direct:1", 1, 60 * DAY, json!({"label": "tax"}))
        .file(&format!("{}.jsonl", id(1)), &text, 60 * DAY)
        .session("agent:main:main", 2, HOUR)
        .save();
    let _ = world.enforce("").exits(0).has("/pruned", 1);
    let archive = main.of_session(1, ".jsonl.deleted.");
    assert_eq!(archive.len(), 1);
    assert_eq!(std::fs::read_to_string(main.path(&archive[0])).unwrap(), text);
}

#[test]
fn old_history_without_a_row_is_renamed_and_junk_is_told_apart() {
    let (world, main) = under(&json!({"pruneAfter": "7d"}));
    let header = body(&id(21), world.now() - 20 * DAY, 0, 0);
    main.session("agent:main:main", 1, HOUR)
        .save()
        .transcript(20, 20 * DAY)
        .file(&format!("{}.jsonl", id(21)), header, 20 * DAY)
        .file(&format!("{}.jsonl", id(22)), "", 20 * DAY)
        .transcript(23, 6 * DAY);
    let _ = world.enforce("").exits(0);
    assert!(main.is_archived(20) && main.is_archived(21));
    assert!(main.of_session(22, "").is_empty(), "an empty one holds nothing");
    assert!(main.is_live(23), "younger than pruneAfter");
}

#[test]
fn a_file_that_nobody_proved_to_be_a_transcript_stays() {
    let (world, main) = under(&json!({"pruneAfter": "7d"}));
    main.session("agent:main:main", 1, HOUR)
        .save()
        .file("training.jsonl", "{\"prompt\":1}\n", 90 * DAY)
        .file("notes.txt", "x", 90 * DAY)
        .file("export.jsonl.deleted.by-hand", "x", 400 * DAY)
        .file(".env", "x", 90 * DAY);
    let before = names(main.dir());
    let _ = world.enforce("").exits(0);
    assert_eq!(names(main.dir()), before);
}

#[test]
fn a_store_named_in_a_foreign_folder_takes_none_of_its_files() {
    let world = World::new();
    let data = world.folder("data");
    data.file("my.json", "{}", 0).file("training.jsonl", "{\"a\":1}\n", 90 * DAY).file("x.jsonl", "", 90 * DAY);
    let before = names(data.dir());
    let _ = world.line("sessions cleanup --store data/my.json --enforce").ends();
    assert_eq!(names(data.dir()), before);
}

#[test]
fn archives_age_by_their_own_stamps() {
    let (world, main) = under(&json!({"mode": "enforce", "pruneAfter": "30d", "resetArchiveRetention": "7d"}));
    main.session("agent:main:main", 1, HOUR)
        .save()
        .archive(10, "deleted", 40 * DAY)
        .archive(11, "deleted", 10 * DAY)
        .archive(12, "reset", 10 * DAY)
        .archive(13, "reset", 3 * DAY)
        .archive(14, "bak", 400 * DAY)
        .file(&format!("{}.jsonl.deleted.by-hand", id(15)), "keep me\n", 400 * DAY)
        .file(&format!("{}.jsonl.deleted.{}", id(16), stamp(world.now() - DAY)), "", 400 * DAY);
    let _ = world.plan("").exits(0).has("/wouldMutate", true).has("/expiredArchives", 2);
    let _ = world.enforce("").exits(0).has("/expiredArchives", 2);
    for (n, stays) in [(10, false), (11, true), (12, false), (13, true), (14, true), (15, true), (16, true)] {
        assert_eq!(!main.of_session(n, "").is_empty(), stays, "{n}");
    }
}

#[test]
fn a_former_direct_message_scope_is_retired_only_on_request() {
    let world = World::new();
    world.config(&json!({"session": {"dmScope": "main"}}));
    let main = world.agent("main");
    let keys = ["main", "telegram:direct:7", "direct:8", "telegram:acc:direct:9", "telegram:group:-5"];
    for (n, key) in (1..).zip(keys) {
        main.session(&format!("agent:main:{key}"), n, HOUR);
    }
    main.save();
    let _ = world.enforce("").exits(0).has("/dmScopeRetired", 0).has("/afterCount", 5);
    let _ =
        world.enforce("--fix-dm-scope").exits(0).has("/dmScopeRetired", 3).has("/beforeCount", 5).has("/afterCount", 2);
    assert_eq!(main.keys(), ["agent:main:main", "agent:main:telegram:group:-5"]);
    assert_eq!((2..=4).filter(|n| main.is_archived(*n)).count(), 3);
}
