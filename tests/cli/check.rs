//! `sessions check`: each finding from a state that has it, silence over a sound one, and no trace of a look.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};

use crate::common::{DAY, Folder, HOUR, Output, Tree, World, body, id};

/// A sound store of three sessions.
fn sound() -> World {
    let world = World::new();
    close(&world.home());
    let main = world.agent("main");
    main.session("agent:main:main", 1, HOUR).session("agent:main:telegram:group:-100", 2, DAY);
    main.session("agent:main:telegram:direct:7", 3, 2 * DAY).checkpoint(3, 90, 2 * DAY);
    main.row("agent:main:cron:a", 4, DAY, json!({})).row("agent:main:cron:a:run:x", 4, DAY, json!({}));
    main.transcript(4, DAY);
    let checkpoint = format!("{}.checkpoint.{}.jsonl", id(3), id(90));
    let refs = json!({"compactionCheckpoints": [{"preCompaction": {"sessionFile": main.path(&checkpoint)}}]});
    main.row("agent:main:checkpoints", 5, DAY, refs).transcript(5, DAY).save();
    world
}

/// Nobody else may pass, so that the umask of whoever runs the tests does not matter.
fn close(home: &Path) {
    #[cfg(unix)]
    std::fs::set_permissions(home, std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
    #[cfg(not(unix))]
    let _ = home;
}

/// Ends a chain of builders.
fn done(_: &Folder) {}

/// Checks and asserts that nothing changed by it.
fn check(world: &World, more: &str) -> Output {
    let before = Tree::of(&world.home());
    let out = world.line(&format!("sessions check --json {more}"));
    before.is_still(&world.home());
    out
}

fn ids(out: &Output) -> BTreeSet<String> {
    let json = out.json();
    json["findings"].as_array().unwrap().iter().map(|f| f["id"].as_str().unwrap().to_owned()).collect()
}

fn finding(out: &Output, id: &str) -> Value {
    let json = out.json();
    let all = json["findings"].as_array().unwrap();
    all.iter().find(|f| f["id"] == id).cloned().unwrap_or_else(|| panic!("no {id}\n{}", out.picture()))
}

/// A sound store with one thing changed has exactly these findings, quick and in full.
#[track_caller]
fn finds(change: impl Fn(&World, &Folder), want: &[&str], code: i32) -> Output {
    let world = sound();
    change(&world, &world.agent("main"));
    let mut last = None;
    for flags in ["", "--full"] {
        let out = check(&world, flags).exits(code);
        let found = ids(&out);
        assert_eq!(found.iter().map(String::as_str).collect::<Vec<_>>(), want, "{flags}\n{}", out.picture());
        assert_valid(&out.json());
        last = Some(out);
    }
    last.unwrap()
}

fn assert_valid(value: &Value) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schema/sessions-check.json");
    let schema: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    let errors: Vec<String> = validator.iter_errors(value).map(|e| format!("{}: {e}", e.instance_path)).collect();
    assert!(errors.is_empty(), "{errors:#?}");
}

/// Adds a session whose transcript is `text`.
fn with(main: &Folder, text: impl AsRef<[u8]>) {
    main.file(&format!("{}.jsonl", id(9)), text, HOUR);
    rows(main, &[("agent:main:nine", json!({"sessionId": id(9), "updatedAt": 1_700_000_000_000_i64}))]);
}

/// Adds rows to the index as it is on disk, duplicates included.
fn rows(main: &Folder, more: &[(&str, Value)]) {
    let text = std::fs::read_to_string(main.index()).unwrap();
    let head = text.trim_end().strip_suffix('}').unwrap().trim_end();
    let more: String = more.iter().map(|(key, value)| format!(",\n  {}: {value}", json!(key))).collect();
    main.file("sessions.json", format!("{head}{more}\n}}"), 0);
}

fn entry(n: &str, parent: &Value) -> String {
    format!(
        "{}\n",
        json!({"type": "message", "id": n, "parentId": parent, "message": {"role": "user", "content": "x"}})
    )
}

fn nine() -> String {
    body(&id(9), 1_700_000_000_000, 2, 0)
}

#[test]
fn a_sound_store_is_clean_and_the_check_leaves_no_trace() {
    let world = sound();
    let out = check(&world, "").exits(0).has("/clean", true).has("/stores/0/rows", 6).has("/stores/0/state", "ok");
    assert_valid(&out.json());
    assert_eq!(out.json()["stores"][0]["owner"]["writer"], "offline");
    let _ = world.line("sessions fsck").exits(0).says("clean: nothing was found").says("writer: offline");
    let _ = world.line("sessions check -q").exits(0).silent();
    assert!(!world.agent("main").has(".clawkeep"));
}

#[test]
fn an_agent_without_a_store_is_clean_and_a_named_store_that_is_not_there_is_absent() {
    let world = World::new();
    let _ = check(&world, "").exits(0).has("/stores/0/state", "absent");
    let _ = check(&world, "--store nowhere/sessions.json").exits(10);
    let _ = world.line("sessions check --only no-such-thing").exits(2);
}

#[test]
fn damaged_indexes_still_have_their_rows_counted() {
    let text = std::fs::read(sound().agent("main").index()).unwrap();
    let cut = text.len() - 30;
    let out = finds(|_, main| done(main.file("sessions.json", &text[..cut], 0)), &["index-damaged"], 4);
    let found = finding(&out, "index-damaged");
    assert_eq!((found["count"].as_u64(), found["repair"].as_str()), (Some(5), Some("salvage-index")));
    assert!(found["line"].as_u64().unwrap() > 10 && found["command"].as_str().unwrap().contains("sessions repair"));
    let _ = finds(|_, main| done(main.file("sessions.json", [0; 99], 0)), &["index-damaged"], 4);
    let _ = finds(|_, main| done(main.file("sessions.json", "[]", 0)), &["index-damaged"], 4);
    let _ = finds(|_, main| std::fs::remove_file(main.index()).unwrap(), &["index-missing"], 4);
    let folder = |_: &World, main: &Folder| {
        std::fs::remove_file(main.index()).unwrap();
        std::fs::create_dir(main.index()).unwrap();
    };
    let _ = finds(folder, &["index-unreadable", "not-regular"], 4);
}

#[test]
fn copies_beside_a_damaged_index_are_named_and_no_leftovers() {
    let change = |world: &World, main: &Folder| {
        main.file("sessions.json", "{\"agent:ma", 0);
        main.file(&format!("sessions.json.7.{}.tmp", id(7)), "{\"a\": {}}", 2 * DAY);
        main.file(&format!("sessions.json.bak.{}", world.now()), "{\"a\": {}}", 2 * DAY);
    };
    let out = finds(change, &["index-copy", "index-damaged"], 4);
    assert_eq!(out.json()["findings"].as_array().unwrap().len(), 3);
}

#[test]
fn a_byte_order_mark_and_a_tiny_index_are_errors() {
    let bom = |_: &World, main: &Folder| {
        let text = std::fs::read_to_string(main.index()).unwrap();
        main.file("sessions.json", format!("\u{feff}{text}"), 0);
    };
    let _ = finds(bom, &["index-bom"], 4);
    let tiny = |_: &World, main: &Folder| (100..130).for_each(|n| done(main.transcript(n, 3 * DAY)));
    let out = finds(tiny, &["index-suspect", "orphan-history"], 4);
    let command = finding(&out, "index-suspect")["command"].to_string();
    assert!(command.contains("sessions repair --from headers"), "no snapshot is there: {command}");
}

#[test]
fn odd_rows_and_rows_that_come_twice() {
    let now = 1_700_000_000_000_i64;
    let odd = |_: &World, main: &Folder| {
        rows(main, &[("agent:main:x", json!(null)), ("agent:main:y", json!({"sessionId": 5, "updatedAt": now}))]);
    };
    let out = finds(odd, &["odd-row"], 0);
    assert_eq!(finding(&out, "odd-row")["key"], "agent:main:x");
    let _ = finds(|_, m| rows(m, &[("agent:main:x", json!({"updatedAt": now}))]), &["no-session"], 0);
    let row = json!({"sessionId": id(1), "updatedAt": now});
    let twice = |_: &World, m: &Folder| rows(m, &[("agent:main:main", row.clone()), ("agent:main:main", row.clone())]);
    let _ = finds(twice, &["duplicate-key", "shadowed-row"], 0);
    let _ = finds(|_, m| rows(m, &[("agent:main:other", row.clone())]), &["duplicate-session"], 0);
}

#[test]
fn transcripts_that_are_not_where_the_row_says() {
    let row = |n: u64, file: &str| json!({"sessionId": id(n), "updatedAt": 1_700_000_000_000_i64, "sessionFile": file});
    let missing = json!({"sessionId": id(66), "updatedAt": 1_700_000_000_000_i64});
    let out = finds(|_, m| rows(m, &[("agent:main:x", missing.clone())]), &["missing-transcript"], 0);
    assert_eq!(finding(&out, "missing-transcript")["operand"], id(66));
    let moved = |_: &World, m: &Folder| {
        m.transcript(7, DAY);
        rows(m, &[("agent:main:x", row(7, &format!("/former/home/{}.jsonl", id(7))))]);
    };
    let out = finds(moved, &["moved-path"], 0);
    assert!(finding(&out, "moved-path")["operand"].as_str().unwrap().ends_with(&format!("sessions/{}.jsonl", id(7))));
    let gone = |_: &World, m: &Folder| rows(m, &[("agent:main:x", row(7, "/no/such/volume/other.jsonl"))]);
    let _ = finds(gone, &["path-elsewhere"], 0);
    let climbs = |_: &World, m: &Folder| rows(m, &[("agent:main:x", row(1, "../../../x"))]);
    let _ = finds(climbs, &["duplicate-session", "path-escapes"], 4);
    let elsewhere = |w: &World, m: &Folder| {
        let other = w.home().join("other.txt");
        std::fs::write(&other, "not a transcript").unwrap();
        m.transcript(7, DAY);
        rows(m, &[("agent:main:x", row(7, other.to_str().unwrap()))]);
    };
    let out = finds(elsewhere, &["path-escapes"], 4);
    assert_eq!(finding(&out, "path-escapes")["key"], "agent:main:x", "also of a row that has its file here");
    let slash = json!({"sessionId": "../x", "updatedAt": 1_700_000_000_000_i64});
    let _ = finds(|_, m| rows(m, &[("agent:main:x", slash.clone())]), &["path-escapes"], 4);
}

#[test]
fn a_transcript_begun_in_the_second_of_a_row_without_one_is_named_with_it() {
    let world = sound();
    let main = world.agent("main");
    main.transcript(7, 20 * DAY).transcript(8, 30 * DAY);
    let row = |age: i64| json!({"sessionId": id(60), "updatedAt": world.now() - age});
    rows(&main, &[("agent:main:cron:j:run:r", row(20 * DAY - 300)), ("agent:main:y", row(25 * DAY))]);
    let out = world.line("sessions check --only missing-transcript --json").exits(0).json();
    let of =
        |key: &str| out["findings"].as_array().unwrap().iter().find(|f| f["key"] == key).unwrap()["evidence"].clone();
    let pair = of("agent:main:cron:j:run:r");
    assert!(pair.as_str().unwrap().contains(&id(7)) && pair.as_str().unwrap().contains("look before"), "{pair}");
    assert!(!of("agent:main:y").as_str().unwrap().contains("same second"));
}

#[cfg(unix)]
#[test]
fn another_name_of_the_same_folder_is_no_former_home() {
    let world = sound();
    let main = world.agent("main");
    let link = world.home().join("link");
    std::os::unix::fs::symlink(main.index().parent().unwrap(), &link).unwrap();
    let file = link.join(format!("{}.jsonl", id(8)));
    main.transcript(8, DAY);
    rows(&main, &[("agent:main:x", json!({"sessionId": id(8), "updatedAt": world.now() - DAY, "sessionFile": file}))]);
    let _ = check(&world, "").exits(0).has("/clean", true);
}

#[test]
fn times_that_no_rule_can_use() {
    let world = sound();
    let at = |value: Value| json!({"sessionId": id(9), "updatedAt": value});
    for (value, want) in [
        (json!(1_796_000_000), "time-in-seconds"),
        (json!("2026-05-01T00:00:00Z"), "time-not-ms"),
        (json!(world.now() + 365 * DAY), "time-in-future"),
    ] {
        let change = |_: &World, m: &Folder| {
            m.transcript(9, HOUR);
            rows(m, &[("agent:main:x", at(value.clone()))]);
        };
        let out = finds(change, &[want], 0);
        assert_eq!(finding(&out, want)["key"], "agent:main:x");
    }
}

#[test]
fn a_report_repeated_in_every_row_is_found_with_its_share() {
    let report = |n: usize| format!("{n}{}", "p".repeat(56 * 1024));
    let change = |world: &World, m: &Folder| {
        for n in 20..24 {
            m.transcript(n, DAY);
            let key = format!("agent:main:telegram:direct:{n}");
            let fields = json!({"sessionId": id(n), "updatedAt": world.now() - DAY, "systemPromptReport": report(1),
                                "skillsSnapshot": report(usize::try_from(n).unwrap())});
            rows(m, &[(&key, fields)]);
        }
    };
    let out = finds(change, &["index-bloat"], 0);
    let found = finding(&out, "index-bloat");
    assert!(found["evidence"].as_str().unwrap().contains("% of the index"), "{found}");
    assert_eq!((found["repair"].as_str(), found["count"].as_u64()), (Some("strip-field"), Some(4)));
    let fields = out.json()["stores"][0]["indexFields"].clone();
    let distinct =
        |name: &str| fields.as_array().unwrap().iter().find(|f| f["name"] == name).unwrap()["distinct"].clone();
    assert_eq!((distinct("systemPromptReport"), distinct("skillsSnapshot")), (json!(1), json!(4)));
}

#[test]
fn files_that_nothing_leads_to() {
    let history = |_: &World, m: &Folder| done(m.transcript(50, 9 * DAY));
    let out = finds(history, &["orphan-history"], 0);
    let found = finding(&out, "orphan-history");
    assert_eq!((found["operand"].as_str(), found["repair"].as_str()), (Some(&*id(50)), Some("adopt")));
    assert!(found["evidence"].as_str().unwrap().starts_with("history, "), "{found}");
    let junk = |_: &World, m: &Folder| done(m.file(&format!("{}.jsonl", id(51)), body(&id(51), 0, 0, 0), 9 * DAY));
    let _ = finds(junk, &["orphan-junk"], 0);
    let _ = finds(|_, m| done(m.file(&format!("{}.jsonl", id(52)), "", 9 * DAY)), &["orphan-junk"], 0);
    let _ = finds(|_, m| done(m.file("notes.jsonl", "{\"a\": 1}\n", 9 * DAY)), &["not-proven"], 0);
    let side = |_: &World, m: &Folder| done(m.checkpoint(53, 54, 9 * DAY).trajectory(55, 9 * DAY));
    let out = finds(side, &["orphan-sidecars"], 0);
    assert_eq!(finding(&out, "orphan-sidecars")["count"], 3);
}

#[test]
fn leftovers_and_what_is_no_file() {
    let temp = |_: &World, m: &Folder| done(m.file(&format!("sessions.json.7.{}.tmp", id(7)), "{", 2 * DAY));
    let _ = finds(temp, &["leftover-temp"], 0);
    let copies = |world: &World, m: &Folder| {
        (1..=60)
            .for_each(|n| done(m.file(&format!("{}.jsonl.bak-7-{}", id(1), world.now() - n * HOUR), "x", n * HOUR)));
    };
    let out = finds(copies, &["leftover-backups"], 0);
    assert_eq!(finding(&out, "leftover-backups")["count"], 59);
    let _ = finds(|_, m| std::fs::create_dir(m.path("dir.jsonl")).unwrap(), &["not-regular"], 0);
}

#[test]
fn each_damage_of_a_transcript_has_its_name_and_place() {
    let text = nine();
    let last = text.trim_end().rfind('\n').unwrap() + 1;
    let next = |parent: Value| entry("n", &parent);
    let compaction = json!({"type": "compaction", "id": "k", "parentId": "00000004", "firstKeptEntryId": "ffffffff"});
    let cases: Vec<(&str, i32, Vec<u8>)> = vec![
        ("empty-transcript", 0, Vec::new()),
        ("damaged-header", 4, text[text.find('\n').unwrap() + 1..].into()),
        ("transcript-bom", 0, format!("\u{feff}{text}").into()),
        ("torn-tail", 4, text[..text.len() - 37].into()),
        ("no-final-newline", 4, text.trim_end().into()),
        ("nul-run", 4, format!("{text}{}", "\0".repeat(9000)).into()),
        ("glued-records", 4, format!("{text}{}{}", &text[last..last + 50], next("00000004".into())).into()),
        ("bad-line", 0, format!("{text}undefined\n").into()),
        ("null-line", 4, format!("{text}null\n").into()),
        ("non-object-line", 0, format!("{text}5\n[]\n").into()),
        ("blank-lines", 0, format!("{text}\n\n{}", next("00000004".into())).into()),
        ("bad-unicode", 0, text.replace("question 1", "\\ud83e").into()),
        ("duplicate-entry", 0, format!("{text}{}", &text[last..]).into()),
        ("parent-cycle", 4, format!("{text}{}", next("n".into())).into()),
        ("dangling-parent", 0, format!("{text}{}", next("deadbeef".into())).into()),
        ("kept-entry-missing", 0, format!("{text}{compaction}\n").into()),
    ];
    for (want, code, content) in cases {
        let out = finds(|_, main| with(main, &content), &[want], code);
        let found = finding(&out, want);
        assert_eq!(found["path"].as_str().unwrap().rsplit('/').next(), Some(&*format!("{}.jsonl", id(9))), "{want}");
        if want == "torn-tail" {
            assert_eq!((found["line"].as_u64(), found["offset"].as_u64()), (Some(5), Some(last as u64)));
        }
    }
}

#[test]
fn damage_in_the_middle_of_a_large_transcript_needs_full() {
    let world = sound();
    let main = world.agent("main");
    let mut text = body(&id(9), 1_700_000_000_000, 1, 150_000) + "undefined\n";
    let mut parent = json!("00000002");
    for n in 0..2000 {
        let own = format!("m{n}");
        text += &entry(&own, &parent);
        parent = json!(own);
    }
    with(&main, text);
    let _ = check(&world, "").exits(0).has("/clean", true);
    let out = check(&world, "--full").exits(0);
    assert_eq!(finding(&out, "bad-line")["line"], 4);
    let _ = world.line("sessions check").exits(0).says("--full reads every line");
}

#[test]
fn a_locked_transcript_may_have_a_line_that_is_not_finished() {
    let world = sound();
    let main = world.agent("main");
    let text = nine();
    with(&main, &text[..text.len() - 9]);
    main.lock(9, std::process::id(), HOUR);
    let _ = check(&world, "--full").exits(0).has("/clean", true);
}

#[cfg(target_os = "linux")]
#[test]
fn dead_locks_are_named_with_the_proof() {
    let world = sound();
    world.agent("main").lock(1, 4_000_000, HOUR);
    let out = check(&world, "").exits(0);
    // In a container a process may be out of sight: then the lock is unknown, until it is half an hour old.
    let found = finding(&out, "stale-lock");
    assert!(found["evidence"].as_str().unwrap().contains("4000000"), "{found}");
    assert_eq!(found["repair"], "stale-locks");
}

#[cfg(unix)]
#[test]
fn files_that_others_can_read_count_only_where_the_way_is_open() {
    use std::os::unix::fs::PermissionsExt;
    let world = sound();
    let folder = world.agent("main").index().parent().unwrap().to_owned();
    let open = |path: &Path, mode: u32| std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
    for name in crate::common::names(&folder) {
        open(&folder.join(name), 0o664);
    }
    let _ = check(&world, "").exits(0).has("/clean", true);
    for up in folder.ancestors().take_while(|up| up.starts_with(world.home())) {
        open(up, 0o755);
    }
    let way = world.home().ancestors().all(|up| up.metadata().unwrap().permissions().mode() & 0o001 != 0);
    if way {
        let out = check(&world, "").exits(0);
        let found = finding(&out, "readable-by-others");
        assert!(found["evidence"].as_str().unwrap().contains("everybody can read"), "{found}");
        assert_eq!((found["count"].as_u64(), found["repair"].as_str()), (Some(7), Some("modes")));
    }
}

#[test]
fn interrupted_runs_other_stores_generations_and_state_folders() {
    let run = |_: &World, m: &Folder| {
        let dir = m.path(".clawkeep/runs/20260501T080000Z-0001");
        std::fs::create_dir_all(&dir).unwrap();
        std::fs::write(dir.join("open"), "").unwrap();
    };
    let out = finds(run, &["pending-run"], 4);
    assert_eq!(finding(&out, "pending-run")["repair"], "finish-run");
    let newer = |_: &World, m: &Folder| {
        let dir = m.path(".clawkeep/runs/20260501T080000Z-0001");
        std::fs::create_dir_all(&dir).unwrap();
        std::fs::write(dir.join("meta.json"), "{\"format\": 99}").unwrap();
        std::fs::write(dir.join("done"), "").unwrap();
    };
    let _ = finds(newer, &["run-unreadable"], 0);
    let shared = |_: &World, m: &Folder| {
        done(m.file("other.json", "{\"agent:x:y\": {\"sessionId\": \"s\", \"updatedAt\": 1}}", DAY));
    };
    let _ = finds(shared, &["shared-folder"], 0);
    let unread = |world: &World, _: &Folder| done(world.agent("ops").file("sessions.json", "{\"a\": ", DAY));
    let _ = finds(unread, &["ownership-incomplete"], 4);
    let sqlite = |world: &World, _: &Folder| {
        let dir = world.state().join("agents/main/agent");
        std::fs::create_dir_all(&dir).unwrap();
        std::fs::write(dir.join("openclaw-agent.sqlite"), "x").unwrap();
    };
    let _ = finds(sqlite, &["newer-generation"], 0);
    let two = |world: &World, _: &Folder| std::fs::create_dir_all(world.home().join(".clawdbot/agents")).unwrap();
    let _ = finds(two, &["other-state-dir"], 0);
}

#[cfg(unix)]
#[test]
fn unreadable_transcripts_and_foreign_owners() {
    use std::os::unix::fs::PermissionsExt;
    let root = rustix::process::getuid().is_root();
    let world = sound();
    let main = world.agent("main");
    let file = main.path(&format!("{}.jsonl", id(1)));
    if root {
        std::os::unix::fs::chown(&file, Some(12345), None).unwrap();
        let out = check(&world, "").exits(0);
        assert!(finding(&out, "foreign-owner")["evidence"].as_str().unwrap().contains("12345"));
    } else {
        std::fs::set_permissions(&file, PermissionsExt::from_mode(0o000)).unwrap();
        let out = check(&world, "").exits(4);
        let _ = finding(&out, "file-unreadable");
    }
}

#[test]
fn a_state_folder_that_a_variable_names_and_that_is_not_there_is_not_clean() {
    let world = World::new();
    let gone = world.home().join("no-such");
    let world = world.var("OPENCLAW_STATE_DIR", gone);
    let _ = world.line("sessions check").exits(10).says("no-such does not exist").says("clawkeep config path");
    let main = world.agent("main");
    main.session("agent:main:main", 1, HOUR).save();
    // A store that is named is elsewhere.
    let index = main.index().display().to_string();
    let _ = world.run(["sessions", "check", "--json", "--store", &index]).ends().json();
}

#[test]
fn one_kind_alone_decides_the_exit_code() {
    let world = sound();
    let main = world.agent("main");
    with(&main, "");
    main.file("sessions.json", std::fs::read_to_string(main.index()).unwrap().replacen('{', "\u{feff}{", 1), 0);
    let out = check(&world, "--only empty-transcript").exits(0);
    assert_eq!(ids(&out).into_iter().collect::<Vec<_>>(), ["empty-transcript"]);
    let _ = check(&world, "--only index-bom").exits(4);
    let _ = world.line("sessions check").exits(4).says("error: index-bom").says("nothing was changed");
}
