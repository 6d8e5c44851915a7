//! `sessions repair`: each kind of damage end to end. Rows come back byte for byte, transcripts are not touched, the
//! damaged original stays, a second repair changes nothing, and undo puts back what was there.

use serde_json::{Value, json};

use crate::common::{DAY, Folder, HOUR, Tree, World, body, id, names};

/// Five rows with their transcripts, one of them in a folder of a former home, and the index as text.
fn world() -> (World, Folder, Vec<u8>) {
    let world = World::new();
    let main = world.agent("main");
    main.session("agent:main:main", 1, HOUR)
        .session("agent:main:telegram:group:-100", 2, 2 * HOUR)
        .session("agent:main:telegram:direct:3", 3, 3 * HOUR)
        .session("agent:main:cron:job-4", 4, 4 * HOUR)
        .session("agent:main:telegram:direct:5", 5, 5 * HOUR)
        .save();
    let index = std::fs::read(main.index()).unwrap();
    (world, main, index)
}

/// Contents of all transcripts.
fn transcripts(folder: &Folder) -> Vec<(String, Vec<u8>)> {
    let all = names(folder.dir()).into_iter().filter(|n| n.ends_with(".jsonl"));
    all.map(|n| (n.clone(), std::fs::read(folder.path(&n)).unwrap())).collect()
}

fn rows(folder: &Folder) -> Value {
    serde_json::from_slice(&std::fs::read(folder.index()).unwrap()).unwrap()
}

/// The text that was kept beside the index.
fn kept(folder: &Folder) -> Vec<Vec<u8>> {
    let kept = names(folder.dir()).into_iter().filter(|n| n.starts_with("sessions.json.damaged."));
    kept.map(|n| std::fs::read(folder.path(&n)).unwrap()).collect()
}

/// Damages the index, repairs it with `flags`, and checks what every repair must keep.
fn repaired(damaged: &[u8], flags: &str) -> (World, Folder) {
    let (world, main, _) = world();
    main.file("sessions.json", damaged, 0);
    repair(&world, &main, flags);
    (world, main)
}

fn repair(world: &World, main: &Folder, flags: &str) {
    let damaged = std::fs::read(main.index()).unwrap();
    let before = transcripts(main);
    let still = Tree::of(&world.state());
    let _ = world.line(&format!("sessions repair --dry-run {flags}")).ends().says("dry run");
    still.is_still(&world.state());
    let _ = world.line(&format!("sessions repair {flags}")).exits(0).says("salvage-index").says("sessions undo");
    assert_eq!(transcripts(main), before);
    assert_eq!(kept(main), std::slice::from_ref(&damaged), "the damaged original");
    let after = Tree::of(&world.state());
    let _ = world.line("sessions repair").exits(0).says("nothing to repair");
    after.is_still(&world.state());
    let _ = world.line("sessions list").exits(0);
}

#[test]
fn a_truncated_index_comes_back_from_its_rows_and_the_headers() {
    let (_, _, whole) = world();
    let (_world, main) = repaired(&whole[..whole.len() * 7 / 10], "--yes");
    let rows = rows(&main);
    let original: Value = serde_json::from_slice(&whole).unwrap();
    for key in ["agent:main:main", "agent:main:telegram:group:-100"] {
        assert_eq!(rows[key], original[key], "{key}");
    }
    // What was cut off has its history back under a key that says so.
    assert_eq!(rows[&format!("agent:main:recovered:{}", id(5))]["sessionId"], id(5));
    assert_eq!(rows.as_object().unwrap().len(), 5);
}

#[test]
fn rows_that_are_cut_are_lost_only_with_consent() {
    let (world, main, whole) = world();
    main.file("sessions.json", &whole[..whole.len() * 7 / 10], 0);
    let before = Tree::of(&world.state());
    let _ = world.line("sessions repair").exits(1).silent().says("nothing was changed").says("--yes");
    let _ = world.line("sessions repair --dry-run").exits(0).says("needs --yes").says("rows would be lost");
    before.is_still(&world.state());
}

#[test]
fn the_trajectory_gives_a_rebuilt_row_its_own_key() {
    let (world, main, _) = world();
    let event = json!({"traceSchema": "openclaw-trajectory", "schemaVersion": 1, "sessionId": id(3),
        "sessionKey": "agent:main:telegram:direct:3"});
    main.file(&format!("{}.trajectory.jsonl", id(3)), format!("{event}\n"), HOUR).file("sessions.json", b"", 0);
    repair(&world, &main, "");
    let rows = rows(&main);
    assert_eq!(rows["agent:main:telegram:direct:3"]["sessionId"], id(3));
    assert_eq!(rows[&format!("agent:main:recovered:{}", id(1))]["sessionId"], id(1));
}

#[test]
fn a_nul_filled_stretch_costs_only_what_it_covers() {
    let (_, _, mut whole) = world();
    let original: Value = serde_json::from_slice(&whole).unwrap();
    let at = memchr_of(&whole, b"agent:main:telegram:direct:3") + 3;
    whole[at..at + 40].fill(0);
    let (_world, main) = repaired(&whole, "");
    let rows = rows(&main);
    for key in ["agent:main:main", "agent:main:telegram:group:-100", "agent:main:cron:job-4"] {
        assert_eq!(rows[key], original[key], "{key}");
    }
    assert_eq!(rows[&format!("agent:main:recovered:{}", id(3))]["sessionId"], id(3));
}

#[test]
fn of_two_roots_and_of_an_array_every_row_comes_back() {
    let (_, _, whole) = world();
    let original: Value = serde_json::from_slice(&whole).unwrap();
    for damaged in
        [[&whole[..], &whole[..]].concat(), [b"[", &whole[..], b"]"].concat(), [&whole[..], b"}\n}"].concat()]
    {
        let (_world, main) = repaired(&damaged, "");
        assert_eq!(rows(&main), original);
    }
}

#[test]
fn of_a_list_without_keys_no_field_becomes_a_row() {
    let (_, _, whole) = world();
    let map: serde_json::Map<String, Value> = serde_json::from_slice(&whole).unwrap();
    let list = Value::Array(map.values().cloned().collect());
    let around = serde_json::to_vec_pretty(&json!({"version": 1, "sessions": map})).unwrap();
    for damaged in [serde_json::to_vec_pretty(&list).unwrap(), around[..around.len() - 5].to_vec()] {
        let (world, main) = repaired(&damaged, "--yes");
        let rows = rows(&main);
        assert!(rows.as_object().unwrap().values().all(|row| row["sessionId"].is_string()), "{rows:#}");
        assert_eq!(rows.as_object().unwrap().len(), 5);
        let _ = world.line("sessions check").ends().hides("odd-row");
    }
}

#[test]
fn a_complete_copy_beside_a_lost_index_is_taken() {
    let (world, main, whole) = world();
    let temp = format!("sessions.json.77.{}.tmp", id(9));
    main.file(&temp, &whole, 0).file("sessions.json", [0; 700], 0);
    repair(&world, &main, "");
    assert_eq!(std::fs::read(main.index()).unwrap(), whole);
}

#[test]
fn the_snapshot_brings_back_what_the_text_lost() {
    let (world, main, whole) = world();
    world.maintenance(&json!({"mode": "warn"}));
    // An enforced pass keeps a snapshot of what it read.
    let _ = world.line("sessions cleanup --enforce").exits(0);
    main.file("sessions.json", &whole[..whole.len() * 7 / 10], 0);
    repair(&world, &main, "");
    assert_eq!(rows(&main), serde_json::from_slice::<Value>(&whole).unwrap());
}

#[test]
fn a_tiny_index_over_a_lost_one_gets_its_rows_back_and_keeps_its_own() {
    let (world, main, whole) = world();
    world.maintenance(&json!({"mode": "warn"}));
    let _ = world.line("sessions cleanup --enforce").exits(0);
    // The gateway started after a power cut: one row, a new session under a known key.
    let tiny = format!(
        "{{\n  \"agent:main:main\": {{\n    \"sessionId\": \"{}\",\n    \"updatedAt\": {}\n  }}\n}}",
        id(9),
        world.now()
    );
    main.file(&format!("{}.jsonl", id(9)), body(&id(9), world.now(), 1, 0), 0).file("sessions.json", &tiny, 0);
    let before = Tree::of(&world.state());
    let _ = world.line("sessions repair").exits(4).says("--from snapshots");
    before.is_still(&world.state());
    let _ =
        world.line("sessions repair --from snapshots").exits(4).says("agent:main:cron:job-4").says("has the key now");
    let rows = rows(&main);
    assert_eq!(rows["agent:main:main"]["sessionId"], id(9), "the live row wins");
    let original: Value = serde_json::from_slice(&whole).unwrap();
    for (key, row) in original.as_object().unwrap().iter().filter(|(k, _)| *k != "agent:main:main") {
        assert_eq!(&rows[key], row, "{key}");
    }
    let _ = world.line("sessions undo").exits(0);
    assert_eq!(std::fs::read_to_string(main.index()).unwrap(), tiny);
}

#[test]
fn undo_puts_the_damaged_text_back() {
    let (_, _, whole) = world();
    let damaged = [&whole[..], b"{"].concat();
    let (world, main) = repaired(&damaged, "");
    let _ = world.line("sessions undo").exits(0);
    assert_eq!(std::fs::read(main.index()).unwrap(), damaged);
    let _ = world.line("sessions repair").exits(0);
    assert_eq!(rows(&main), serde_json::from_slice::<Value>(&whole).unwrap());
}

#[test]
fn undo_leaves_an_index_that_was_used_since() {
    let (_, _, whole) = world();
    let (world, main) = repaired(&[&whole[..], b"{"].concat(), "");
    let used = String::from_utf8(whole).unwrap().replace(&id(3), &id(8));
    main.file("sessions.json", &used, 0);
    let _ = world.line("sessions undo --yes").exits(3).says("used since");
    assert_eq!(std::fs::read_to_string(main.index()).unwrap(), used);
}

#[test]
fn a_moved_home_changes_only_the_bytes_of_the_path() {
    let world = World::new();
    let main = world.agent("main");
    let old = format!("/old/home/.openclaw/agents/main/sessions/{}.jsonl", id(1));
    main.row("agent:main:main", 1, HOUR, json!({"sessionFile": old, "x": 1.50})).transcript(1, HOUR).save();
    let before = std::fs::read_to_string(main.index()).unwrap();
    let _ = world.line("sessions repair").exits(0).says("repoint-paths");
    let here = main.path(&format!("{}.jsonl", id(1)));
    assert_eq!(std::fs::read_to_string(main.index()).unwrap(), before.replace(&old, here.to_str().unwrap()));
    let after = Tree::of(&world.state());
    let _ = world.line("sessions repair").exits(0).says("nothing to repair");
    after.is_still(&world.state());
    let _ = world.line("sessions undo").exits(0);
    assert_eq!(std::fs::read_to_string(main.index()).unwrap(), before);
}

#[test]
fn a_field_goes_from_every_row_and_comes_back_by_undo() {
    let world = World::new();
    let main = world.agent("main");
    let report = json!({"systemPromptReport": {"text": "x".repeat(500)}, "model": "m"});
    main.row("agent:main:main", 1, HOUR, report.clone()).transcript(1, HOUR);
    main.row("agent:main:telegram:direct:2", 2, HOUR, report)
        .transcript(2, HOUR)
        .session("agent:main:x", 3, HOUR)
        .save();
    let before = std::fs::read(main.index()).unwrap();
    let _ = world.line("sessions repair --strip-field sessionId").exits(2);
    let _ = world.line("sessions repair --strip-field systemPromptReport").exits(0).says("2 rows");
    let text = std::fs::read_to_string(main.index()).unwrap();
    assert!(!text.contains("systemPromptReport") && text.contains("\"model\": \"m\""));
    assert_eq!(main.keys().len(), 3);
    let _ = world.line("sessions undo").exits(0);
    assert_eq!(std::fs::read(main.index()).unwrap(), before);
}

#[test]
fn missing_rows_go_only_when_asked_and_a_transcript_is_adopted_by_its_id() {
    let world = World::new();
    let main = world.agent("main");
    main.session("agent:main:main", 1, HOUR).row("agent:main:telegram:direct:2", 2, 2 * HOUR, json!({}));
    main.transcript(7, 3 * HOUR).save();
    let _ = world.line("sessions repair").exits(4).says("--drop-missing");
    assert_eq!(main.keys().len(), 2);
    let _ = world.line("sessions repair --drop-missing").exits(0);
    assert_eq!(main.keys(), ["agent:main:main"]);
    let _ = world.run(["sessions", "repair", "--adopt", &id(7)]).exits(0);
    assert_eq!(main.keys(), ["agent:main:main".to_owned(), format!("agent:main:recovered:{}", id(7))]);
    let _ = world.run(["sessions", "repair", "--adopt", &id(7)]).exits(0).says("nothing to repair");
    let _ = world.line("sessions repair --adopt nobody").exits(4);
}

#[cfg(target_os = "linux")]
#[test]
fn a_dead_lock_goes_and_a_live_one_stays() {
    let (world, main, _) = world();
    main.lock(1, std::process::id(), HOUR);
    let dead = json!({"pid": std::process::id(), "createdAt": "2020-01-01T00:00:00.000Z", "starttime": 1});
    main.file(&format!("{}.jsonl.lock", id(2)), dead.to_string(), HOUR);
    // The live lock makes the gateway an owner: files only the dead one leaves behind are its business, unless told.
    let _ = world.line("sessions repair --override live-gateway --override owner-unknown").exits(0).says("stale-locks");
    assert!(main.has(&format!("{}.jsonl.lock", id(1))) && !main.has(&format!("{}.jsonl.lock", id(2))));
    let _ = world.line("sessions undo --override live-gateway --override owner-unknown").exits(0);
    assert!(main.has(&format!("{}.jsonl.lock", id(2))));
}

#[test]
fn leftovers_go_beside_a_good_index_and_only_names_the_kind() {
    let (world, main, _) = world();
    let temp = format!("sessions.json.1.{}.tmp", id(1));
    main.file(&temp, "{", 2 * DAY);
    let _ = world.line("sessions repair --only stale-locks").exits(0).says("nothing to repair");
    assert!(main.has(&temp));
    let _ = world.line("sessions repair --only leftovers").exits(0);
    assert!(!main.has(&temp));
    let _ = world.line("sessions repair --only nonsense").exits(2);
}

#[test]
fn rows_that_the_gateway_would_take_again_need_a_yes() {
    let world = World::new();
    let main = world.agent("main");
    main.session("agent:main:main", 1, HOUR).session("agent:main:telegram:direct:2", 2, 60 * DAY).save();
    let whole = std::fs::read(main.index()).unwrap();
    main.file("sessions.json", [&whole[..], b"}"].concat(), 0);
    let _ = world.line("sessions repair").exits(1).says("session.maintenance.mode").says("--yes");
    let _ = world.line("sessions repair --yes").exits(0);
    assert_eq!(std::fs::read(main.index()).unwrap(), whole);
}

fn memchr_of(text: &[u8], what: &[u8]) -> usize {
    text.windows(what.len()).position(|w| w == what).unwrap()
}

#[cfg(unix)]
#[test]
fn modes_change_only_when_asked_and_come_back() {
    use std::os::unix::fs::PermissionsExt as _;
    let (world, main, _) = world();
    let file = main.path(&format!("{}.jsonl", id(1)));
    let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    for name in names(main.dir()) {
        std::fs::set_permissions(main.path(&name), std::fs::Permissions::from_mode(0o600)).unwrap();
    }
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
    let _ = world.line("sessions repair").exits(0).says("nothing to repair");
    let _ = world.line("sessions repair --modes").exits(0).says("0644 becomes 0600");
    assert_eq!(mode(&file), 0o600);
    let _ = world.line("sessions repair --modes").exits(0).says("nothing to repair");
    let _ = world.line("sessions undo").exits(0);
    assert_eq!(mode(&file), 0o644);
}

/// A later row hides an earlier one of the same key: the repair takes the hidden one out, and undo has its bytes back.
#[test]
fn a_hidden_row_goes_and_comes_back_in_its_place() {
    let world = World::new();
    let main = world.agent("main");
    main.session("agent:main:a", 1, HOUR)
        .session("agent:main:twice", 2, 3 * HOUR)
        .session("agent:main:b", 3, HOUR)
        .session("agent:main:twice", 4, HOUR)
        .session("agent:main:c", 5, HOUR)
        .save();
    let before = std::fs::read(main.index()).unwrap();
    let _ = world.line("sessions repair").exits(0).says("drop-shadowed");
    let without = std::fs::read(main.index()).unwrap();
    assert_eq!(rows(&main)["agent:main:twice"]["sessionId"], id(4));
    assert_eq!(String::from_utf8_lossy(&without).matches("agent:main:twice").count(), 1);
    let undone = world.line("sessions undo").exits(0);
    assert_eq!(std::fs::read(main.index()).unwrap(), before, "{}", undone.picture());
    // Undone by name, and that undone as well.
    let _ = world.line("sessions repair").exits(0);
    assert_eq!(std::fs::read(main.index()).unwrap(), without);
}

/// Fields go from both rows of a key that comes twice, or from the hidden one: the later row stays in force, and an undo
/// gives both their bytes back in their order, whatever the gateway added since.
#[test]
fn a_repair_of_rows_that_come_twice_leaves_the_later_one_in_force() {
    for (first, second) in [(true, true), (true, false), (false, true)] {
        let world = World::new();
        let main = world.agent("main");
        let with = |has: bool, label: &str| match has {
            true => json!({"label": label, "skillsSnapshot": {"prompt": "x"}}),
            false => json!({"label": label}),
        };
        main.session("agent:main:a", 1, HOUR)
            .row("agent:main:twice", 2, HOUR, with(first, "FIRST"))
            .row("agent:main:b", 3, HOUR, with(true, "B"))
            .row("agent:main:twice", 2, HOUR, with(second, "SECOND"))
            .save();
        let before = std::fs::read_to_string(main.index()).unwrap();
        let repair = "sessions repair --only strip-field --strip-field skillsSnapshot";
        let _ = world.line(repair).exits(0).says("skillsSnapshot");
        assert_eq!(rows(&main)["agent:main:twice"]["label"], "SECOND");
        let repaired = std::fs::read_to_string(main.index()).unwrap();
        assert!(!repaired.contains("skillsSnapshot"), "{repaired}");

        let added = ",\n  \"agent:main:new\": {\n    \"sessionId\": \"n\",\n    \"updatedAt\": 1\n  }\n}";
        let with_new = |text: &str| text.strip_suffix("\n}").unwrap().to_owned() + added;
        std::fs::write(main.index(), with_new(&repaired)).unwrap();
        let undone = world.line("sessions undo --yes").exits(0);
        let after = std::fs::read_to_string(main.index()).unwrap();
        let twice: Vec<_> = after.match_indices("\"agent:main:twice\"").collect();
        assert_eq!((twice.len(), after.len()), (2, with_new(&before).len()), "{}", undone.picture());
        assert!(after.find("FIRST") < after.find("SECOND"), "{after}");
        assert_eq!(rows(&main)["agent:main:twice"]["label"], "SECOND");

        // And without anything in between.
        let _ = world.line(repair).exits(0);
        let _ = world.line("sessions undo --yes").exits(0);
        assert_eq!(std::fs::read_to_string(main.index()).unwrap(), after);
        // The later row was used since: it stays what the gateway sees.
        let _ = world.line(repair).exits(0);
        let used = std::fs::read_to_string(main.index()).unwrap().replace("SECOND", "USED");
        std::fs::write(main.index(), used).unwrap();
        let code = if second { 3 } else { 0 };
        let _ = world.line("sessions undo --yes").exits(code);
        assert_eq!(rows(&main)["agent:main:twice"]["label"], "USED");
    }
}

/// The visible row of the key was used since: it stays what the gateway sees.
#[test]
fn a_hidden_row_never_comes_back_over_a_row_in_use() {
    let world = World::new();
    let main = world.agent("main");
    main.session("agent:main:a", 1, HOUR)
        .session("agent:main:twice", 2, 3 * HOUR)
        .session("agent:main:twice", 4, HOUR)
        .save();
    let _ = world.line("sessions repair").exits(0);
    let used = std::fs::read_to_string(main.index()).unwrap().replace(&id(4), &id(9));
    main.transcript(9, HOUR).file("sessions.json", &used, 0);
    let _ = world.line("sessions undo").exits(0);
    assert_eq!(rows(&main)["agent:main:twice"]["sessionId"], id(9));
    // Its old place is gone with the row before it: at the end it would hide the one in use.
    let _ = world.line("sessions repair").exits(0);
    main.file(
        "sessions.json",
        json!({"agent:main:twice": {"sessionId": id(9), "updatedAt": world.now()}}).to_string(),
        0,
    );
    let _ = world.line("sessions undo").exits(3).says("its old place is gone");
    assert_eq!(rows(&main)["agent:main:twice"]["sessionId"], id(9));
}

/// Every kind of repair on a file system without hard links, and its undo.
#[test]
fn without_hard_links_everything_is_copied_or_renamed() {
    let linkless = |world: &World, line: &str| {
        let mut command = world.command(line.split_whitespace());
        command.env("CLAWKEEP_FAULT", "link:ENOTSUP");
        world.finish(command)
    };
    let (_, _, whole) = world();
    let damages: [Option<Vec<u8>>; 4] =
        [Some(whole[..whole.len() * 7 / 10].to_vec()), Some([&whole[..], b"{"].concat()), Some(Vec::new()), None];
    for damaged in damages {
        let (world, main, _) = world();
        match &damaged {
            Some(text) => drop(main.file("sessions.json", text, 0)),
            None => std::fs::remove_file(main.index()).unwrap(),
        }
        let before = transcripts(&main);
        let _ = linkless(&world, "sessions repair --yes").exits(0);
        assert_eq!(main.keys().len(), 5);
        assert_eq!(transcripts(&main), before);
        if let Some(text) = &damaged {
            assert_eq!(kept(&main), std::slice::from_ref(text));
        }
        let repaired = std::fs::read(main.index()).unwrap();
        let _ = linkless(&world, "sessions repair").exits(0).says("nothing to repair");
        let _ = linkless(&world, "sessions undo").exits(0);
        assert_eq!(std::fs::read(main.index()).ok(), damaged, "what was there is there again");
        assert_eq!(transcripts(&main), before);
        let _ = linkless(&world, "sessions repair --yes").exits(0);
        assert_eq!(std::fs::read(main.index()).unwrap(), repaired);
    }
    // Locks and temp files go to the run folder and come back.
    let (world, main, _) = world();
    let temp = format!("sessions.json.77.{}.tmp", id(9));
    main.file(&temp, "{}", 3 * DAY);
    let _ = linkless(&world, "sessions repair").exits(0).says("leftovers");
    assert!(!main.has(&temp));
    let _ = linkless(&world, "sessions undo").exits(0);
    assert_eq!(std::fs::read(main.path(&temp)).unwrap(), b"{}");
}

#[test]
fn a_row_that_has_said_running_for_weeks_is_ended_only_when_asked() {
    let world = World::new();
    let main = world.agent("main");
    let running = || json!({"status": "running", "kept": 1});
    main.row("agent:main:subagent:1", 1, 668 * HOUR, running()).transcript(1, 668 * HOUR);
    main.row("agent:main:subagent:2", 2, HOUR, running()).transcript(2, HOUR);
    main.row("agent:main:subagent:3", 3, 668 * HOUR, running()).transcript(3, HOUR);
    main.row("agent:main:subagent:4", 4, 668 * HOUR, running()).transcript(4, 668 * HOUR).lock(
        4,
        std::process::id(),
        0,
    );
    main.session("agent:main:main", 5, HOUR).save();
    let before = std::fs::read(main.index()).unwrap();
    let found = world.line("sessions check --json --only stuck-run").exits(0).json();
    let keys: Vec<_> = found["findings"].as_array().unwrap().iter().map(|f| f["key"].clone()).collect();
    assert_eq!(keys, ["agent:main:subagent:1"]);
    let _ = world.line("sessions check").ends().says("says that it is running").says("sessions repair --end-runs");
    let _ = world.line("sessions repair").exits(0);
    assert_eq!(std::fs::read(main.index()).unwrap(), before, "not without being asked");
    let _ = world
        .line("sessions repair --end-runs --only end-runs --json")
        .exits(0)
        .has("/stores/0/repairs/0/id", "end-runs");
    let rows = rows(&main);
    let status = |n: u32| rows[format!("agent:main:subagent:{n}")]["status"].as_str().unwrap().to_owned();
    assert_eq!([1, 2, 3, 4].map(status), ["failed", "running", "running", "running"]);
    assert_eq!(rows["agent:main:subagent:1"]["kept"], 1);
    assert_eq!(world.line("sessions check --json --only stuck-run").exits(0).json()["findings"], json!([]));
    let _ = world.line("sessions undo --yes").exits(0);
    assert_eq!(std::fs::read(main.index()).unwrap(), before);
}

/// The index was changed after the repair: whatever it holds by then, an undo adds no row beside one that came meanwhile.
#[test]
fn an_undo_never_leaves_more_rows_of_a_key_than_there_were() {
    let text = |hidden: i64, live: i64| {
        let row = |n, at: i64| format!("\"agent:main:a\": {{\"sessionId\": \"{}\", \"updatedAt\": {at}}}", id(n));
        format!("{{\n  {},\n  {}\n}}\n", row(1, hidden), row(2, live))
    };
    let world = World::new();
    let now = world.now();
    let main = world.agent("main");
    main.transcript(1, HOUR).transcript(2, HOUR).file("sessions.json", text(now - HOUR, now), 0);
    let _ = world.line("sessions repair").exits(0).says("drop-shadowed");
    main.file("sessions.json", text(now - DAY, now), 0);
    let undone = world.line("sessions undo --yes").exits(3).says("agent:main:a").says("that one stays");
    assert_eq!(std::fs::read_to_string(main.index()).unwrap(), text(now - DAY, now), "{}", undone.picture());
    // Without it, the row comes back.
    main.file(
        "sessions.json",
        format!("{{\"agent:main:a\": {{\"sessionId\": \"{}\", \"updatedAt\": {now}}}}}", id(2)),
        0,
    );
    let _ = world.line("sessions undo --yes").exits(0);
    assert_eq!(std::fs::read_to_string(main.index()).unwrap().matches("agent:main:a").count(), 2);
}
