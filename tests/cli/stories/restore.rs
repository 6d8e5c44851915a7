//! One session comes back, from whatever is left of it, in its own bytes.

use serde_json::json;

use crate::common::{DAY, Folder, HOUR, MINUTE, Tree, World, body, id, names, stamp};

const KEY: &str = "agent:main:telegram:direct:2";

/// Two sessions, one of them old, with a row that no serialiser would write like this.
fn world() -> (World, Folder) {
    let world = World::new();
    world.maintenance(&json!({"pruneAfter": "30d"}));
    let main = world.agent("main");
    main.session("agent:main:main", 1, HOUR)
        .row(KEY, 2, 40 * DAY, json!({"note": "caf\u{e9}", "big": 12_345_678_901_234_567_u64}))
        .transcript(2, 40 * DAY)
        .trajectory(2, 40 * DAY)
        .session("agent:main:subagent:3", 3, 40 * DAY)
        .save();
    (world, main)
}

fn bytes(main: &Folder, n: u64) -> Vec<u8> {
    std::fs::read(main.path(&format!("{}.jsonl", id(n)))).unwrap()
}

/// The exact text of a row, key included.
fn row_text(index: &str, key: &str) -> String {
    let from = index.find(&format!("\"{key}\"")).unwrap_or_else(|| panic!("no {key} in {index}"));
    let to = index[from..].find("\n  }").unwrap() + from;
    index[from..to + 4].to_owned()
}

fn index(main: &Folder) -> String {
    std::fs::read_to_string(main.index()).unwrap()
}

#[test]
fn from_a_run_comes_exactly_what_it_took_and_nothing_else_moves() {
    let (world, main) = world();
    let (before, transcript) = (index(&main), bytes(&main, 2));
    let trajectory = std::fs::read(main.path(&format!("{}.trajectory.jsonl", id(2)))).unwrap();
    let _ = world.enforce("").exits(0).has("/pruned", 2);
    assert!(main.is_archived(2) && main.is_archived(3));
    let list = world.run(["sessions", "restore", KEY, "--list"]).exits(0).says("question 0").says("1 turn");
    let _ = list.says("row: from run").says(&id(2));
    let _ = world.run(["sessions", "restore", KEY]).exits(1).says("pruneAfter").says("--yes");
    assert!(!main.is_live(2), "refused means untouched");
    let out = world.run(["sessions", "restore", KEY, "--yes", "--json"]).exits(0).has("/row", "run");
    assert_eq!(bytes(&main, 2), transcript);
    assert_eq!(std::fs::read(main.path(&format!("{}.trajectory.jsonl", id(2)))).unwrap(), trajectory);
    assert_eq!(row_text(&index(&main), KEY), row_text(&before, KEY));
    assert!(!main.is_archived(2) && main.is_archived(3), "the archive name goes, the other session stays away");
    assert_eq!(main.keys(), ["agent:main:main", KEY]);

    // It is a run like any other.
    let run = out.json()["runId"].as_str().unwrap().to_owned();
    let _ = world.run(["sessions", "undo", &run]).exits(0);
    assert!(!main.is_live(2));
    assert_eq!(main.keys(), ["agent:main:main"]);
}

#[test]
fn the_gateway_swept_the_archive_and_our_link_still_has_it() {
    let (world, main) = world();
    let (before, transcript) = (index(&main), bytes(&main, 2));
    let _ = world.enforce("").exits(0);
    for archive in main.of_session(2, ".jsonl.deleted.") {
        std::fs::remove_file(main.path(&archive)).unwrap();
    }
    let _ = world.run(["sessions", "restore", &id(2), "--yes", "--json"]).exits(0).has("/source", "run");
    assert_eq!(bytes(&main, 2), transcript);
    assert_eq!(row_text(&index(&main), KEY), row_text(&before, KEY));
}

#[test]
fn from_an_archive_alone_a_row_is_rebuilt_under_the_key_that_is_given() {
    let world = World::new();
    let main = world.agent("main");
    main.session("agent:main:main", 1, HOUR).archive(5, "deleted", 2 * DAY).save();
    let archive = main.of_session(5, ".jsonl.deleted.").remove(0);
    let transcript = std::fs::read(main.path(&archive)).unwrap();
    let before = Tree::of(main.dir());
    let _ = world.run(["sessions", "restore", &archive]).exits(1).says("--as KEY");
    before.is_still(main.dir());
    let out = world.run(["sessions", "restore", &archive, "--as", "agent:main:back", "--json"]).exits(0);
    let _ = out.has("/row", "rebuilt").has("/source", "archive");
    assert_eq!(bytes(&main, 5), transcript);
    assert!(!main.has(&archive));
    let root: serde_json::Value = serde_json::from_str(&index(&main)).unwrap();
    assert_eq!(root["agent:main:back"]["sessionId"], id(5));
    let _ = world.run(["sessions", "show", "agent:main:back"]).exits(0).says(&id(5));
}

#[test]
fn a_row_that_only_a_snapshot_has_comes_back_to_its_orphan() {
    let (world, main) = world();
    let before = index(&main);
    // An enforcing run that takes nothing keeps a snapshot; then a gateway writes a small index over it.
    let _ = world.enforce("--prune-after off --max-entries off").exits(0);
    let root: serde_json::Value = serde_json::from_str(&before).unwrap();
    let rest = json!({"agent:main:main": root["agent:main:main"]});
    std::fs::write(main.index(), serde_json::to_string_pretty(&rest).unwrap()).unwrap();
    let out = world.run(["sessions", "restore", KEY, "--yes", "--json"]).exits(0);
    let _ = out.has("/row", "snapshot").has("/source", "orphan");
    assert_eq!(row_text(&index(&main), KEY), row_text(&before, KEY));
    assert!(main.is_live(2));
}

#[test]
fn from_a_compressed_copy_that_is_verified_first() {
    let world = World::new();
    let main = world.agent("main");
    main.session("agent:main:main", 1, HOUR).archive(5, "deleted", 90 * DAY).save();
    let archive = main.of_session(5, ".jsonl.deleted.").remove(0);
    let transcript = std::fs::read(main.path(&archive)).unwrap();
    let attic = world.home().join("attic");
    let attic = attic.to_str().unwrap();
    let _ = world.run(["archive", "init", attic]).exits(0);
    let _ = world.enforce(&format!("--archive-to {attic}")).exits(0);
    assert!(!main.has(&archive));
    let what = id(5);
    let _ = world.run(["sessions", "restore", &what, "--list"]).exits(1).says("--archive-to");
    let _ = world.run(["sessions", "restore", &what, "--list", "--archive-to", attic]).exits(0).says("packed");

    // Damage under a good name is found before anything is named.
    let copy = std::path::Path::new(attic).join("main").join(format!("{archive}.zst"));
    let good = std::fs::read(&copy).unwrap();
    let other = body(&id(6), world.now(), 1, 0);
    std::fs::write(&copy, zstd::encode_all(other.as_bytes(), 3).unwrap()).unwrap();
    let before = names(main.dir());
    let args = ["sessions", "restore", &what, "--as", "agent:main:back", "--archive-to", attic, "--yes", "--json"];
    let _ = world.run(args).exits(1).says("manifest");
    assert_eq!(names(main.dir()), before);
    std::fs::write(&copy, good).unwrap();
    let _ = world.run(args).exits(0).has("/source", "packed");
    assert_eq!(bytes(&main, 5), transcript);
    let _ = world.line("sessions undo").exits(0);
    assert!(!main.is_live(5) && copy.exists());
}

#[test]
fn an_archive_that_was_compressed_in_its_place_is_still_that_archive() {
    let world = World::new();
    let main = world.agent("main");
    let packed = |n: u64, reason: &str, age: i64| {
        let name = format!("{}.jsonl.{reason}.{}.zst", id(n), stamp(world.now() - age));
        let text = body(&id(n), world.now() - age, 2, 0);
        main.file(&name, zstd::encode_all(text.as_bytes(), 3).unwrap(), age);
        (name, text)
    };
    main.session("agent:main:main", 1, HOUR);
    let (young, text) = packed(5, "deleted", 2 * DAY);
    let (old, _) = packed(6, "reset", 90 * DAY);
    let (broken, _) = packed(7, "deleted", 3 * DAY);
    std::fs::write(main.path(&broken), b"\x28\xb5\x2f\xfdbad").unwrap();
    // That of a newer gateway is not ours.
    let newer = format!("{}.jsonl.deleted.{}.{}.zst", id(8), stamp(world.now() - 90 * DAY), "0a".repeat(16));
    main.file(&newer, zstd::encode_all(&b"x"[..], 3).unwrap(), 90 * DAY).save();

    let disk = world.line("disk --json").exits(0).json();
    let of = |class: &str| disk["classes"].as_array().unwrap().iter().find(|c| c["class"] == class).cloned();
    assert_eq!(of("deleted").unwrap()["files"], 2, "{disk:#}");
    assert_eq!(of("reset").unwrap()["files"], 1, "{disk:#}");
    let _ = world.run(["sessions", "show", &id(5)]).exits(0).says("deleted archive").says(&young);
    let _ = world.run(["sessions", "show", &young]).exits(0).says("deleted archive").says(&young);
    let _ = world.run(["sessions", "restore", &id(7), "--list"]).exits(1).says("a copy cannot be used").says(&broken);
    let _ = world.run(["sessions", "restore", &id(5), "--list"]).exits(0).says("archive").says("2 turns");

    let args = ["sessions", "restore", &young, "--as", "agent:main:back", "--yes", "--json"];
    let _ = world.run(args).exits(0).has("/source", "archive");
    assert_eq!(bytes(&main, 5), text.as_bytes());
    assert!(main.has(&young), "the compressed copy stays");
    let _ = world.line("sessions undo").exits(0);
    assert!(!main.is_live(5));

    // Whoever compressed it wanted to keep it: neither age nor a budget takes it, nor the rows of others because of it.
    main.session("agent:main:last", 2, 10 * DAY).save();
    let _ = world.enforce("--max-disk 1kb").ends();
    let _ = world.line("disk free --need 1gb --take-archives").ends();
    assert!([&young, &old, &broken, &newer].iter().all(|name| main.has(name)), "{:?}", names(main.dir()));
    let _ = world.run(["sessions", "restore", &id(6), "--as", "agent:main:old", "--yes", "--json"]).exits(0);
    assert!(String::from_utf8(bytes(&main, 6)).unwrap().contains(&id(6)));
    // Only who wants nothing of it left.
    let _ = world.run(["sessions", "rm", "--purge", "--yes", "agent:main:old"]).exits(0);
    assert!(!main.has(&old) && main.has(&young));
}

#[test]
fn a_reset_conversation_comes_back_beside_the_new_one() {
    let world = World::new();
    let main = world.agent("main");
    main.session("agent:main:main", 1, HOUR).archive(9, "reset", 2 * DAY).archive(8, "reset", 9 * DAY).save();
    let before = index(&main);
    let _ = world.run(["sessions", "restore", &id(1)]).exits(1).says("live");
    let taken = ["sessions", "restore", &id(9), "--as", "agent:main:main"];
    let _ = world.run(taken).exits(1).says("another session has the key").says("--as KEY");
    assert_eq!(index(&main), before);
    let _ = world.run(["sessions", "restore", &id(9), "--as", "agent:main:old", "--yes"]).exits(0).says("rebuilt");
    assert!(main.is_live(9) && main.is_live(1));
}

#[test]
fn a_time_chooses_the_version() {
    let world = World::new();
    let main = world.agent("main");
    let archive = |age: i64, turns: usize| {
        let name = format!("{}.jsonl.deleted.{}", id(5), stamp(world.now() - age + MINUTE));
        main.file(&name, body(&id(5), world.now() - age, turns, 0), age);
        name
    };
    main.session("agent:main:main", 1, HOUR).save();
    let (old, new) = (archive(9 * DAY, 1), archive(2 * DAY, 3));
    let old_bytes = std::fs::read(main.path(&old)).unwrap();
    let what = id(5);
    let base = ["sessions", "restore", &what, "--as", "agent:main:back"];
    let at = |time: &'static str| [&base[..], &["--at", time]].concat();
    let _ = world.run(at("20d")).exits(1).says("oldest copy");
    let _ = world.run(at("soon")).exits(2);
    let _ = world.run([&base[..], &["--dry-run"]].concat()).exits(0).says("3 turns").says("dry run");
    let _ = world.run(at("5d")).exits(0).says("1 turn,");
    assert_eq!(bytes(&main, 5), old_bytes);
    assert!(main.has(&new) && !main.has(&old));
}

#[test]
fn a_file_of_that_name_is_never_displaced() {
    let (world, main) = world();
    let _ = world.enforce("").exits(0);
    let name = format!("{}.jsonl", id(2));
    main.file(&name, "somebody else's\n", MINUTE);
    // The stranger's file is what the newest copy is now; the archive by name is in the way of it.
    let archive = main.of_session(2, ".jsonl.deleted.").remove(0);
    let before = Tree::of(main.dir());
    let _ = world.run(["sessions", "restore", &archive, "--yes"]).exits(1).says("it stays");
    before.is_still(main.dir());
}

#[test]
fn nothing_left_is_said_with_where_else_to_look() {
    let (world, main) = world();
    let before = Tree::of(main.dir());
    let _ = world.run(["sessions", "restore", "agent:main:nobody"]).exits(1).says("--archive-to DIR");
    let _ = world.run(["sessions", "restore", "agent:main:nobody", "--list"]).exits(1);
    before.is_still(main.dir());
}

#[test]
fn what_is_left_is_listed_also_beside_an_index_that_cannot_be_read() {
    let (world, main) = world();
    let _ = world.enforce("").exits(0).has("/pruned", 2);
    let whole = std::fs::read(main.index()).unwrap();
    let list = ["sessions", "restore", KEY, "--list"];
    let damaged: [Option<&[u8]>; 3] = [Some(&whole[..whole.len() / 2]), Some(b""), None];
    for text in damaged {
        match text {
            Some(text) => drop(main.file("sessions.json", text, 0)),
            None => std::fs::remove_file(main.index()).unwrap(),
        }
        let before = Tree::of(&world.state());
        let out = world.run(list).exits(0).says("sessions.json is").says("which transcripts have a row is not known");
        let _ = out.says("question 0").says("row: from run").says(&id(2)).hides("comes back if nothing more is said");
        // A transcript that is here under its own name is a copy like any other.
        let _ = world.run(["sessions", "restore", &id(1), "--list"]).exits(0).says("orphan").says(&id(1));
        let _ = world.run(["sessions", "restore", "nobody", "--list"]).exits(1).says("sessions repair --dry-run");
        let _ = world.run(["sessions", "restore", KEY, "--yes"]).exits(1).says("sessions repair --dry-run");
        before.is_still(&world.state());
    }
    main.file("sessions.json", &whole, 0);
    let _ = world.run(["sessions", "restore", KEY, "--yes"]).exits(0);
}

/// By its key, its id, the name of its file, or the name that the file has now: it is the same session with the same row.
#[test]
fn whatever_it_is_called_by_it_comes_back_with_its_row() {
    let (world, main) = world();
    let before = index(&main);
    let _ = world.enforce("").exits(0);
    let file = format!("{}.jsonl", id(2));
    let archive = names(main.dir()).into_iter().find(|name| name.starts_with(&format!("{file}.deleted."))).unwrap();
    for what in [KEY.to_owned(), id(2), file, archive] {
        let _ = world.line(&format!("sessions restore {what} --yes")).exits(0).says("in its exact bytes");
        assert_eq!(row_text(&index(&main), KEY), row_text(&before, KEY), "{what}");
        assert!(main.is_live(2), "{what}");
        let _ = world.line("sessions undo --yes").exits(0);
        assert!(!main.is_live(2), "{what}");
    }
}
