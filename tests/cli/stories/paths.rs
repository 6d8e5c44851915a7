//! Paths, platforms, keys.

use serde_json::json;

use crate::common::{DAY, Folder, HOUR, Tree, World, body, id};

fn world() -> (World, Folder) {
    let world = World::new();
    world.maintenance(&json!({"pruneAfter": "7d"}));
    let main = world.agent("main");
    (world, main)
}

#[test]
fn paths_that_leave_the_folder_lead_to_nothing_that_may_be_touched() {
    let (world, main) = world();
    let outside = world.folder("precious");
    outside.transcript(50, 400 * DAY).file("x.jsonl", "mine\n", 400 * DAY);
    let before = Tree::of(outside.dir());
    for (n, file) in [
        (1, "../../../../precious/x.jsonl".to_owned()),
        (2, outside.path(&format!("{}.jsonl", id(50))).display().to_string()),
        (3, "/etc/hostname".to_owned()),
        (4, "..".to_owned()),
        (5, "\u{0}".to_owned()),
    ] {
        main.row(&format!("agent:main:subagent:{n}"), n, 40 * DAY, json!({"sessionFile": file}));
    }
    main.row("agent:main:subagent:6", 6, 40 * DAY, json!({"sessionId": "../../../precious/x"})).save();
    let _ = world.enforce("--fix-missing").ends();
    before.is_still(outside.dir());
}

#[cfg(unix)]
#[test]
fn a_sessions_folder_behind_a_link_works_with_either_spelling() {
    let (world, _main) = world();
    let dir = world.state().join("agents/main/sessions");
    let real = world.folder("volume/sessions");
    std::fs::remove_dir_all(&dir).unwrap();
    std::os::unix::fs::symlink(real.dir(), &dir).unwrap();
    real.row("agent:main:main", 1, HOUR, json!({"sessionFile": real.path(&format!("{}.jsonl", id(1)))}))
        .row("agent:main:discord:channel:3", 3, HOUR, json!({"sessionFile": dir.join(format!("{}.jsonl", id(3)))}))
        .transcript(1, HOUR)
        .transcript(2, 20 * DAY)
        .transcript(3, 20 * DAY)
        .save();
    let _ = world.enforce("").exits(0).has("/unreferencedArtifacts/removedFiles", 1);
    assert!(real.is_live(1) && real.is_live(3) && !real.is_live(2));
    assert!(std::fs::symlink_metadata(&dir).unwrap().is_symlink());
}

#[cfg(unix)]
#[test]
fn an_index_behind_a_link_stays_behind_it() {
    let (world, main) = world();
    main.session("agent:main:main", 1, HOUR).session("agent:main:subagent:o", 2, 40 * DAY).save();
    let real = world.home().join("index.json");
    std::fs::rename(main.index(), &real).unwrap();
    std::os::unix::fs::symlink(&real, main.index()).unwrap();
    let _ = world.enforce("").exits(0).has("/pruned", 1);
    assert!(std::fs::symlink_metadata(main.index()).unwrap().is_symlink());
    assert!(std::fs::symlink_metadata(&real).unwrap().is_file());
    assert_eq!(main.keys(), ["agent:main:main"]);
}

#[test]
fn times_that_nobody_can_believe_are_kept_and_reported() {
    let (world, main) = world();
    main.row("agent:main:telegram:direct:1", 1, 0, json!({"updatedAt": world.now() + 365 * DAY}))
        .row("agent:main:telegram:direct:2", 2, 0, json!({"updatedAt": (world.now() - 90 * DAY) / 1000}))
        .row("agent:main:telegram:direct:3", 3, 0, json!({"updatedAt": "2020-01-01T00:00:00Z"}))
        .row("agent:main:telegram:direct:4", 4, 0, json!({"updatedAt": -1}));
    for n in 1..=4 {
        main.transcript(n, 40 * DAY);
    }
    main.save();
    let _ = world.enforce("").ends().has("/pruned", 0).says("suspect");
    assert_eq!(main.keys().len(), 4);
    let list = world.line("sessions --json").exits(0).json();
    for row in list["sessions"].as_array().unwrap() {
        assert!(row["ageMs"].as_i64().is_none_or(|age| age >= 0), "{row:#}");
    }
}

#[test]
fn the_clock_of_the_host_may_be_years_off() {
    for shift in [-20 * 365 * DAY, 20 * 365 * DAY] {
        let (world, main) = world();
        main.session("agent:main:main", 1, HOUR).session("agent:main:telegram:direct:1", 2, HOUR).save();
        let now = (world.now() + shift).to_string();
        let world = world.var("CLAWKEEP_TEST_NOW_MS", now);
        let _ = world.plan("").ends();
        let _ = world.line("sessions").exits(0);
        let list = world.line("sessions --json").exits(0).json();
        let ages = list["sessions"].as_array().unwrap().iter().filter_map(|row| row["ageMs"].as_i64());
        assert!(ages.clone().all(|age| age >= 0), "{:?}", ages.collect::<Vec<_>>());
        if shift < 0 {
            let _ = world.enforce("").ends().has("/pruned", 0);
            assert_eq!(main.keys().len(), 2);
        }
    }
}

#[test]
fn every_report_names_the_store_and_how_it_was_found() {
    let world = World::new();
    let other = world.folder("elsewhere/agents/main/sessions");
    other.session("agent:main:main", 1, HOUR).save();
    world.agent("main").session("agent:main:main", 1, HOUR).save();
    let world = {
        let dir = world.home().join("elsewhere");
        world.var("OPENCLAW_STATE_DIR", dir)
    };
    let _ = world.line("sessions cleanup").exits(0).says("elsewhere").says("OPENCLAW_STATE_DIR");
    let _ = world.line("config path").exits(0).says("OPENCLAW_STATE_DIR").says(".openclaw");
}

#[test]
fn an_agent_is_found_in_any_letter_case_and_never_twice() {
    let world = World::new();
    world.config(&json!({"agents": {"list": [{"id": "Work", "default": true}, {"id": "work"}]}}));
    world.agent("work").session("agent:work:main", 1, HOUR).save();
    let _ = world.line("sessions --agent WORK").exits(0).says("agent:work:main").says("one agent");
    assert!(!world.state().join("agents/Work").exists() && !world.state().join("agents/WORK").exists());
}

#[cfg(unix)]
#[test]
fn modes_are_kept_as_they_were() {
    use std::os::unix::fs::PermissionsExt as _;
    let (world, main) = world();
    main.session("agent:main:main", 1, HOUR).session("agent:main:subagent:o", 2, 40 * DAY).save();
    std::fs::set_permissions(main.index(), std::fs::Permissions::from_mode(0o640)).unwrap();
    std::fs::set_permissions(main.dir(), std::fs::Permissions::from_mode(0o2770)).unwrap();
    let _ = world.enforce("").exits(0).has("/pruned", 1);
    let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o7777;
    assert_eq!(mode(&main.index()), 0o640);
    assert_eq!(mode(main.dir()), 0o2770);
    let ours = mode(&main.path(".clawkeep"));
    assert_eq!(ours & 0o2007, 0o2000, "setgid kept, nothing for the world: {ours:o}");
}

#[test]
fn unknown_fields_and_number_text_survive_byte_for_byte() {
    let (world, main) = world();
    let row = r#"{"sessionId":"00000001-0000-4000-8000-000000000001",  "updatedAt": NOW, "big": 12345678901234567890, "f": 1.0, "e":1e3,"__proto__":{"x":1},"dup":1,"dup":2,"lone":"\ud83e"}"#;
    let row = row.replace("NOW", &(world.now() - HOUR).to_string());
    let gone = format!(r#"{{"sessionId":"{}","updatedAt":{}}}"#, id(2), world.now() - 40 * DAY);
    let text = format!("{{\"7\": {row},\r\n \"agent:main:subagent:o\": {gone},\n\t\"3\":{row}}}\n\n");
    main.transcript(1, HOUR).transcript(2, 40 * DAY).file("sessions.json", text, 0);
    let _ = world.enforce("").exits(0).has("/pruned", 1);
    let after = std::fs::read_to_string(main.index()).unwrap();
    assert_eq!(after.matches(&row).count(), 2, "{after}");
    assert!(after.find("\"7\"").unwrap() < after.find("\"3\"").unwrap(), "order kept");
    assert!(!after.contains("subagent:o"));
}

/// Nothing below the folder is renamed; a row that went would leave a transcript that nothing leads to and nothing lists.
#[test]
fn a_row_with_its_transcript_in_a_folder_below_stays_and_says_why() {
    for absolute in [false, true] {
        let world = World::new();
        world
            .maintenance(&json!({"mode": "enforce", "pruneAfter": "30d", "maxDiskBytes": 1000, "highWaterBytes": 500}));
        let main = world.agent("main");
        std::fs::create_dir(main.path("sub")).unwrap();
        main.file("sub/s1.jsonl", body(&id(1), world.now() - 60 * DAY, 1, 0), 60 * DAY);
        let path =
            if absolute { main.path("sub/s1.jsonl").to_str().unwrap().to_owned() } else { "sub/s1.jsonl".into() };
        main.row("agent:main:telegram:direct:1", 1, 60 * DAY, json!({"sessionFile": path}));
        main.session("agent:main:telegram:direct:2", 2, 50 * DAY).save();
        let _ = world.plan("").exits(0).has("/pruned", 1).has("/held/below-folder/rows", 1);
        let out = world.enforce("--fix-missing").exits(0).has("/pruned", 1).has("/missing", 0);
        assert_eq!(main.keys(), ["agent:main:telegram:direct:1"], "{}", out.picture());
        assert!(main.has("sub/s1.jsonl") && main.is_archived(2));
        let _ = world.line("sessions cleanup --enforce").exits(0).says("sub/s1.jsonl lies in a folder below");
        let _ = world.line("sessions show agent:main:telegram:direct:1").exits(0).says("below-folder");
    }
}

#[test]
fn a_row_that_goes_and_leads_out_of_the_folder_is_named() {
    let world = World::new();
    world.maintenance(&json!({"mode": "enforce", "pruneAfter": "90d"}));
    let main = world.agent("main");
    std::fs::write(world.home().join("precious"), "precious").unwrap();
    let outside = world.home().join("precious");
    main.session("agent:main:main", 9, HOUR)
        .row("agent:main:a", 1, 60 * DAY, json!({"sessionFile": "../../../../precious"}))
        .row("agent:main:b", 2, 60 * DAY, json!({"sessionFile": outside}))
        .save();
    let out = world.enforce("--fix-missing").exits(0).has("/missing", 2);
    let warnings = out.json()["warnings"].to_string();
    assert!(warnings.contains("agent:main:a") && warnings.contains("1 more") && warnings.contains("path-escapes"));
    assert_eq!(std::fs::read_to_string(outside).unwrap(), "precious");
}

/// A link to a volume that is not mounted is no agent without sessions: every command says so, and none is content.
#[test]
#[cfg(unix)]
fn a_sessions_folder_that_is_a_link_to_nowhere_is_named() {
    let world = World::new();
    let agent = world.state().join("agents/main");
    std::fs::create_dir_all(&agent).unwrap();
    std::os::unix::fs::symlink("/nowhere/of-that-name", agent.join("sessions")).unwrap();
    let before = Tree::of(&world.state());
    for line in [
        "sessions",
        "sessions check",
        "sessions check --full",
        "sessions repair --dry-run",
        "sessions cleanup --dry-run",
        "sessions cleanup --enforce",
        "cron prune --enforce",
    ] {
        let out = world.line(line).ends();
        assert_eq!(out.code, Some(1), "{line}\n{}", out.picture());
        assert!(out.stderr.contains("/nowhere/of-that-name"), "{line}\n{}", out.picture());
    }
    let disk = world.line("disk").ends();
    assert!(format!("{}{}", disk.stdout, disk.stderr).contains("/nowhere/of-that-name"), "{}", disk.picture());
    assert_ne!(disk.code, Some(0));
    before.is_still(&world.state());
}
