//! One plan: the dry run prints it, the run executes it, the report tells what really happened.

use serde_json::{Value, json};

use crate::common::{DAY, Folder, HOUR, Tree, World, id, names};

#[test]
fn an_empty_orphan_is_one_file_of_no_bytes() {
    let world = World::new();
    world.maintenance(&json!({"pruneAfter": "1d"}));
    let main = world.agent("main");
    main.session("agent:main:main", 1, HOUR).save().file(&format!("{}.jsonl", id(7)), "", 2 * DAY);
    let removed = "/unreferencedArtifacts/removedFiles";
    let _ =
        world.plan("").exits(0).has(removed, 1).has("/unreferencedArtifacts/freedBytes", 0).has("/wouldMutate", true);
    let _ = world.enforce("").exits(0).has(removed, 1).has("/unreferencedArtifacts/freedBytes", 0);
    let _ = world.enforce("").exits(0).has(removed, 0);
    assert!(main.of_session(7, "").is_empty());
}

/// Every policy at once.
fn everything() -> (World, Folder) {
    let world = World::new();
    world.maintenance(&json!({"pruneAfter": "30d", "maxEntries": 6, "maxDiskBytes": 20_000, "highWaterBytes": 12_000}));
    let main = world.agent("main");
    for n in 1..=12_u32 {
        let age = if n < 4 { 40 * DAY } else { i64::from(n) * HOUR };
        main.row(&format!("agent:main:subagent:{n:02}"), n.into(), age, json!({})).fat_transcript(n.into(), age, 1500);
    }
    main.save();
    main.fat_transcript(30, 60 * DAY, 800).fat_transcript(31, 60 * DAY, 800);
    main.archive(40, "deleted", 50 * DAY).archive(41, "reset", 2 * DAY);
    (world, main)
}

#[test]
fn the_preview_writes_nothing_anywhere() {
    let (world, _main) = everything();
    let before = Tree::of(&world.home());
    let _ = world.plan("--fix-missing --fix-dm-scope").exits(0).has("/dryRun", true).has("/wouldMutate", true);
    let _ = world.line("sessions cleanup --enforce --dry-run -v").exits(0);
    before.is_still(&world.home());
}

#[test]
fn the_deed_has_the_numbers_of_the_preview() {
    let (world, _main) = everything();
    let plan = world.plan("").exits(0).json();
    let deed = world.enforce("").ends().json();
    for name in [
        "beforeCount",
        "afterCount",
        "missing",
        "dmScopeRetired",
        "pruned",
        "capped",
        "unreferencedArtifacts",
        "diskBudget",
        "archivedFiles",
        "archivedBytes",
        "expiredArchives",
        "cronPruned",
        "wouldMutate",
        "heldBy",
    ] {
        assert_eq!(plan.get(name), deed.get(name), "{name}");
        assert!(plan.get(name).is_some(), "{name} is missing");
    }
}

#[test]
fn a_second_run_changes_no_byte() {
    let (world, main) = everything();
    let _ = world.enforce("").ends();
    let (index, files) = (std::fs::read(main.index()).unwrap(), names(main.dir()));
    let _ = world.enforce("").ends().has("/pruned", 0).has("/capped", 0);
    assert_eq!(std::fs::read(main.index()).unwrap(), index);
    let gone: Vec<_> = files.iter().filter(|name| !main.has(name)).collect();
    assert!(gone.iter().all(|name| name.contains(".deleted.")), "only archives of an earlier pass may go: {gone:?}");
}

#[test]
fn a_preview_reads_as_one() {
    let (world, _main) = everything();
    let out = world.line("sessions cleanup --enforce --dry-run").exits(0).says("would");
    let last = out.stdout.trim_end().lines().last().unwrap_or_default().to_lowercase();
    assert!(last.contains("nothing") || last.contains("dry run"), "{}", out.picture());
}

#[test]
fn long_lists_are_cut_for_people_and_whole_for_programs() {
    let world = World::new();
    world.maintenance(&json!({"pruneAfter": "7d"}));
    let main = world.agent("main");
    for n in 1..=300 {
        main.session(&format!("agent:main:subagent:{n}"), n, 40 * DAY);
    }
    main.save();
    let text = world.line("sessions cleanup --enforce --dry-run").exits(0).says("more");
    assert!(text.stdout.lines().count() < 60, "{}", text.picture());
    let json = world.plan("").exits(0).json();
    let decisions = json["decisions"].as_array().map_or(0, Vec::len);
    assert!(decisions >= 300, "{decisions}");
}

#[test]
fn the_report_says_which_policy_was_in_force_and_whence() {
    let world = World::new();
    world.maintenance(&json!({"pruneAfter": "9d"}));
    world.agent("main").session("agent:main:main", 1, HOUR).save();
    let json = world.plan("--max-entries 77").exits(0).json();
    assert_eq!(json["schemaVersion"].as_u64(), Some(1));
    let text = json.to_string();
    for origin in ["openclaw.json", "--max-entries"] {
        assert!(text.contains(origin), "{origin}: {json:#}");
    }
}

#[test]
fn names_of_the_reference_keep_their_meaning() {
    let (world, main) = everything();
    let files_before = names(main.dir()).len();
    let json = world.enforce("").ends().json();
    for name in [
        "agentId",
        "storePath",
        "mode",
        "dryRun",
        "beforeCount",
        "afterCount",
        "missing",
        "dmScopeRetired",
        "pruned",
        "capped",
        "unreferencedArtifacts",
        "diskBudget",
        "wouldMutate",
        "applied",
        "appliedCount",
    ] {
        assert!(json.get(name).is_some_and(|v| *v != Value::Null), "{name}: {json:#}");
    }
    assert_eq!(json["unreferencedArtifacts"]["scannedFiles"].as_u64(), u64::try_from(files_before).ok());
    assert_eq!(json["afterCount"].as_u64(), u64::try_from(main.keys().len()).ok());
}
