//! An index that cannot be read stops everything that it would have justified.

use serde_json::json;

use crate::common::{DAY, HOUR, MINUTE, Tree, World, id};

/// A store of two rows and three transcripts of 40 days, under a policy that would take all of them.
fn world() -> World {
    let world = World::new();
    world.maintenance(&json!({"pruneAfter": "30d", "maxDiskBytes": "1kb"}));
    let main = world.agent("main");
    main.row("agent:main:main", 1, HOUR, json!({})).row("agent:main:telegram:direct:7", 2, 2 * HOUR, json!({}));
    for n in 1..=3 {
        main.transcript(n, 40 * DAY);
    }
    main.save();
    world
}

/// Replaces the index and asserts that neither the run nor its preview changes a byte.
fn refuses(content: &[u8], word: &str) {
    let world = world();
    let main = world.agent("main");
    main.file("sessions.json", content, 0);
    let before = Tree::of(&world.state());
    for flags in ["", "--fix-missing", "--files-only"] {
        let _ = world.enforce(flags).exits(1).silent().says("sessions.json").says(word).says("nothing was changed");
        let _ = world.plan(flags).exits(1).silent();
    }
    before.is_still(&world.state());
}

#[test]
fn an_empty_index_is_not_an_empty_store() {
    refuses(b"", "empty");
}

#[test]
fn a_truncated_index_keeps_its_rows_for_the_rescue() {
    let whole = std::fs::read(world().agent("main").index()).unwrap();
    refuses(&whole[..whole.len() * 2 / 3], "line");
}

#[test]
fn nul_bytes_after_a_power_cut_are_not_an_empty_store() {
    refuses(&[0; 413], "NUL");
}

#[test]
fn an_array_is_not_an_empty_store() {
    refuses(b"[]", "object");
}

#[test]
fn two_objects_are_not_the_first_one() {
    refuses(b"{}{\"agent:main:main\":{}}", "second value");
}

#[test]
fn a_text_that_is_not_json_is_not_an_empty_store() {
    refuses(b"<<<<<<< HEAD\n{}\n", "JSON");
}

#[test]
fn the_backup_beside_a_damaged_index_stays() {
    let world = World::new();
    let main = world.agent("main");
    main.transcript(1, 60 * DAY);
    let backup = format!("sessions.json.bak.{}", world.now() - DAY);
    main.file(&backup, "{}", 60 * DAY).file("sessions.json", [0; 413], 0);
    let before = Tree::of(&world.state());
    let _ = world.enforce("").exits(1).silent();
    before.is_still(&world.state());
}

#[test]
fn every_command_says_the_same_about_a_damaged_index_and_names_what_may_hold_its_rows() {
    let world = World::new();
    world.maintenance(&json!({"pruneAfter": "30d"}));
    let main = world.agent("main");
    main.session("agent:main:main", 1, HOUR).session("agent:main:subagent:2", 2, 40 * DAY).save();
    let _ = world.line("sessions cleanup --enforce").exits(0);
    let whole = std::fs::read_to_string(main.index()).unwrap();
    main.file("sessions.json", &whole[..whole.len() / 2], 0);
    for line in
        ["sessions list", "sessions show main", "sessions undo --yes", "sessions cleanup", "disk free --need 1mb"]
    {
        let out = world.line(line).exits(1);
        let _ = out.says("is damaged: ").says("cp -p ").says("zstd -dc ").says("/.clawkeep/index/").says("2 rows)");
    }
}

#[test]
fn a_byte_order_mark_is_read_and_kept() {
    let world = world();
    let main = world.agent("main");
    main.row("agent:main:subagent:old", 3, 50 * DAY, json!({})).save();
    let mut bytes = b"\xef\xbb\xbf".to_vec();
    bytes.extend(std::fs::read(main.index()).unwrap());
    main.file("sessions.json", bytes, 0);
    world.maintenance(&json!({"pruneAfter": "30d"}));
    let _ = world.enforce("").exits(0).has("/pruned", 1);
    assert!(std::fs::read(main.index()).unwrap().starts_with(b"\xef\xbb\xbf{"));
}

#[test]
fn a_mistyped_store_path_empties_no_folder() {
    let world = World::new();
    let main = world.agent("main");
    for n in 1..=3 {
        main.transcript(n, 60 * DAY);
    }
    let before = Tree::of(&world.state());
    let _ = world.line("sessions cleanup --store .openclaw/agents/main/sessions/session.json --enforce").exits(1);
    let _ = world.enforce("").exits(1).silent();
    before.is_still(&world.state());
}

#[test]
fn a_configured_agent_without_a_folder_is_absent_and_that_is_fine() {
    let world = World::new();
    world.config(&json!({"agents": {"list": [{"id": "main", "default": true}, {"id": "new"}]}}));
    world.agent("main").session("agent:main:main", 1, HOUR).save();
    let _ = world.line("sessions cleanup --all-agents --enforce").exits(0).says("absent");
    assert!(!world.state().join("agents/new").exists());
}

#[test]
fn transcripts_without_any_index_are_not_orphans() {
    let world = World::new();
    let main = world.agent("main");
    main.transcript(1, 60 * DAY);
    let before = Tree::of(&world.state());
    let _ = world.line("sessions cleanup --enforce").fails();
    before.is_still(&world.state());
}

#[test]
fn temp_files_go_when_old_and_only_beside_a_good_index() {
    let world = World::new();
    let main = world.agent("main");
    main.session("agent:main:main", 1, HOUR).save();
    let temp = |n: u64| format!("sessions.json.{n}.{}.tmp", id(n));
    main.file(&temp(1), "{", 2 * DAY).file(&temp(2), "{}", 2 * DAY).file(&temp(3), "{}", 2000);
    let _ = world.enforce("").exits(0);
    assert!(!main.has(&temp(1)) && !main.has(&temp(2)) && main.has(&temp(3)));

    main.file(&temp(4), "{\"agent:main:main\":{}}", 2 * DAY).file("sessions.json", "{\"agent:ma", 0);
    let _ = world.enforce("").exits(1);
    assert!(main.has(&temp(4)), "the rescue copy");
}

#[test]
fn one_odd_row_neither_ends_the_run_nor_hides_the_rest() {
    let world = World::new();
    world.maintenance(&json!({"pruneAfter": "30d"}));
    let main = world.agent("main");
    main.session("agent:main:main", 1, HOUR)
        .raw_row("agent:main:a", json!(null))
        .raw_row("agent:main:b", json!("text"))
        .raw_row("agent:main:c", json!(5))
        .raw_row("agent:main:d", json!({"updatedAt": world.now()}))
        .raw_row("agent:main:e", json!({"sessionId": id(9)}))
        .raw_row("agent:main:f", json!({"sessionId": id(8), "updatedAt": "2020-01-01T00:00:00Z"}))
        .raw_row("agent:main:g", json!({"sessionId": "../../evil", "updatedAt": world.now() - 90 * DAY}))
        .session("agent:main:subagent:old", 3, 50 * DAY)
        .save();
    let _ = world.enforce("").ends().has("/pruned", 1);
    let keys = main.keys();
    for key in ["main", "a", "b", "c", "d", "e", "f"] {
        assert!(keys.contains(&format!("agent:main:{key}")), "{key} in {keys:?}");
    }
    assert!(!keys.contains(&"agent:main:subagent:old".to_owned()));
    assert!(main.is_archived(3));
}

#[test]
fn odd_checkpoint_lists_are_no_reason_to_stop() {
    let world = World::new();
    world.maintenance(&json!({"pruneAfter": "30d"}));
    let main = world.agent("main");
    let odd =
        json!({"compactionCheckpoints": [{}, null, 7, {"preCompaction": null}, {"preCompaction": {"sessionFile": 3}}]});
    main.row("agent:main:main", 1, HOUR, odd).transcript(1, HOUR).session("agent:main:subagent:o", 2, 40 * DAY).save();
    let _ = world.enforce("").exits(0).has("/pruned", 1);
    assert_eq!(main.keys(), ["agent:main:main"]);
}

#[test]
fn a_tiny_index_that_a_gateway_wrote_after_a_crash_is_doubted() {
    let world = World::new();
    world.maintenance(&json!({"pruneAfter": "1d"}));
    let main = world.agent("main");
    main.session("agent:main:main", 1, MINUTE).save();
    for n in 100..125 {
        main.transcript(n, 3 * DAY);
    }
    let _ = world.enforce("").exits(4).says("suspect-index");
    assert_eq!((100..125).filter(|n| main.is_live(*n)).count(), 25);
    let _ = world.enforce("--override suspect-index").ends();
    assert_eq!((100..125).filter(|n| main.is_live(*n)).count(), 0);
    assert_eq!((100..125).filter(|n| main.is_archived(*n)).count(), 25);
}
