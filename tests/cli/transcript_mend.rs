//! `transcript check` and `transcript repair`: damage as users met it, end to end.

use serde_json::{Value, json};

use crate::common::{DAY, Folder, HOUR, Tree, World, body, id, names};

fn name(n: u64) -> String {
    format!("{}.jsonl", id(n))
}

/// One session whose transcript is `text`.
fn world(text: &[u8]) -> (World, Folder) {
    let world = World::new();
    let main = world.agent("main");
    main.row("agent:main:main", 1, DAY, json!({})).file(&name(1), text, DAY).session("agent:main:x", 2, DAY).save();
    (world, main)
}

fn good() -> String {
    body(&id(1), 1_777_622_400_000, 3, 0)
}

fn findings(value: &Value) -> Vec<(String, u64)> {
    let one = |f: &Value| (f["id"].as_str().unwrap().to_owned(), f["line"].as_u64().unwrap_or(0));
    value["findings"].as_array().unwrap().iter().map(one).collect()
}

/// The content of everything whose name begins like this.
fn contents(folder: &Folder, prefix: &str) -> Vec<Vec<u8>> {
    let all = names(folder.dir()).into_iter().filter(|n| n.starts_with(prefix));
    all.map(|n| std::fs::read(folder.path(&n)).unwrap()).collect()
}

#[test]
fn a_torn_tail_is_found_previewed_mended_and_taken_back() {
    let torn = format!("{}{}", good(), "{\"type\":\"message\",\"id\":\"00000009\",\"par");
    let (world, main) = world(torn.as_bytes());
    let time = |main: &Folder| std::fs::metadata(main.path(&name(1))).unwrap().modified().unwrap();
    let written = time(&main);
    let checked = world.line("transcript check agent:main:main --json").exits(4).json();
    assert_eq!(findings(&checked), [("torn-tail".to_owned(), 8)]);
    assert_eq!(checked["findings"][0]["offset"], good().len());
    assert_eq!(checked["findings"][0]["gateway"]["does"], "loses");
    let _ = world.line("transcript check agent:main:main").exits(4).says("line 8, byte").says("Gateway (loses)");

    let still = Tree::of(&world.state());
    let _ =
        world.line("transcript repair agent:main:main --dry-run").exits(0).says("would be kept as").says("torn-tail");
    still.is_still(&world.state());

    let done = world.line("transcript repair agent:main:main --json").exits(0).has("/outcome", "done").json();
    assert_eq!(std::fs::read_to_string(main.path(&name(1))).unwrap(), good());
    assert_eq!(contents(&main, &format!("{}.torn", name(1))), [torn.as_bytes()[good().len()..].to_vec()]);
    assert_eq!(contents(&main, &format!("{}.bak-", name(1))), [torn.clone().into_bytes()]);
    let _ = world.line("transcript check agent:main:main").exits(0).says("Nothing is wrong");

    let still = Tree::of(&world.state());
    let _ = world.line("transcript repair agent:main:main").exits(0).says("Nothing is to be mended");
    still.is_still(&world.state());

    let undo = done["undo"].as_str().unwrap().strip_prefix("clawkeep ").unwrap().to_owned();
    let _ = world.line(&undo).exits(0);
    assert_eq!(std::fs::read_to_string(main.path(&name(1))).unwrap(), torn);
    assert_eq!(contents(&main, &format!("{}.", name(1))), Vec::<Vec<u8>>::new(), "copies are gone again");
    assert_eq!(time(&main), written, "it is as old as it was");
}

#[test]
fn in_a_copy_a_key_never_leads_a_repair_to_the_original() {
    let torn = format!("{}{}", good(), "{\"type\":\"message\",\"id\":\"00000009\",\"par");
    let (world, main) = world(torn.as_bytes());
    let original = tempfile::tempdir().unwrap();
    let there = original.path().canonicalize().unwrap().join(name(1));
    std::fs::write(&there, &torn).unwrap();
    main.row("agent:main:main", 1, DAY, json!({"sessionFile": there})).save();

    let _ = world.line("transcript repair agent:main:main").exits(0);
    assert_eq!(std::fs::read_to_string(main.path(&name(1))).unwrap(), good());
    let still = Tree::of(original.path());
    std::fs::remove_file(main.path(&name(1))).unwrap();
    let _ = world.line("transcript repair agent:main:main").exits(1).says("outside of").says("nothing was changed");
    still.is_still(original.path());
    let _ = world.run(["transcript", "repair", there.to_str().unwrap()]).exits(0);
    assert_eq!(std::fs::read_to_string(&there).unwrap(), good());
}

#[test]
fn a_cut_header_comes_back_from_name_row_and_neighbours() {
    let good = good();
    let (world, main) = world(
        &good.as_bytes()[..30]
            .iter()
            .copied()
            .chain(*b"\n")
            .chain(good.as_bytes()[good.find('\n').unwrap() + 1..].iter().copied())
            .collect::<Vec<_>>(),
    );
    let out = world.line("transcript repair agent:main:main").exits(0).says("its id from its name");
    drop(out);
    let text = std::fs::read_to_string(main.path(&name(1))).unwrap();
    let header: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    assert_eq!((&header["id"], &header["cwd"], &header["version"]), (&json!(id(1)), &json!("/work"), &json!(3)));
    assert_eq!(text.split_once('\n').unwrap().1, good.split_once('\n').unwrap().1, "every entry byte for byte");
}

#[test]
fn the_header_of_another_session_is_no_header_of_this_one() {
    let good = good();
    let (_, entries) = good.split_once('\n').unwrap();
    let other = format!(
        "{{\"type\":\"session\",\"version\":3,\"id\":\"{}\",\"timestamp\":\"2026-01-01T00:00:00.000Z\",\"cwd\":\"/other\"}}\n",
        id(9)
    );
    // Gone, torn, and cut in front.
    for own in [
        "",
        "{\"type\":\"session\",\"version\":3,\n",
        "\"version\":3,\"cwd\":\"/w/proj\",\"parentSession\":\"/p.jsonl\"}\n",
    ] {
        let (world, main) = world(format!("{own}{entries}{other}").as_bytes());
        let _ = world
            .line("transcript repair agent:main:main")
            .exits(0)
            .says("header: its id from its name")
            .says("another session");
        let text = std::fs::read_to_string(main.path(&name(1))).unwrap();
        let (head, rest) = text.split_once('\n').unwrap();
        let head: Value = serde_json::from_str(head).unwrap();
        assert_eq!(head["id"], json!(id(1)));
        assert_eq!(rest, format!("{entries}{other}"), "every byte of both sessions is where it was");
        if own.contains("/w/proj") {
            assert_eq!((&head["cwd"], &head["parentSession"]), (&json!("/w/proj"), &json!("/p.jsonl")));
        }
    }
    // A whole one that only moves has its members from nowhere else.
    let (head, _) = good.split_once('\n').unwrap();
    let (world, main) = world(format!("{entries}{head}\r\n").as_bytes());
    let _ =
        world.line("transcript repair agent:main:main").exits(0).says("comes to the first line").hides("header: its");
    let text = std::fs::read_to_string(main.path(&name(1))).unwrap();
    assert_eq!(text, format!("{head}\r\n{entries}"));
}

#[test]
fn a_name_of_its_own_and_no_proof_is_no_transcript() {
    let (world, main) = world(good().as_bytes());
    for (file, text) in [("notes.txt", "hello\n"), ("x.trajectory.jsonl", "{\"a\":1}\n")] {
        main.file(file, text, HOUR);
        let still = Tree::of(&world.state());
        let path = main.path(file);
        let out = world.run(["transcript".as_ref(), "repair".as_ref(), path.as_os_str()]);
        assert!(matches!(out.code, Some(1 | 4)), "{}", out.picture());
        still.is_still(&world.state());
    }
}

#[test]
fn a_newer_format_is_read_and_never_written() {
    let newer = good().replacen("\"version\":3", "\"version\":9", 1);
    let (world, main) = world(format!("{newer}{{\"torn").as_bytes());
    let _ = world.line("transcript check agent:main:main").exits(4).says("newer-version");
    let _ = world.line("transcript repair agent:main:main").exits(12);
    assert!(std::fs::read_to_string(main.path(&name(1))).unwrap().ends_with("{\"torn"));
}

#[test]
fn version_one_is_upgraded_on_request_alone() {
    let old = "{\"type\":\"session\",\"id\":\"s\",\"timestamp\":\"2026-05-01T08:00:00.000Z\",\"cwd\":\"/w\"}\n\
               {\"type\":\"message\",\"timestamp\":\"2026-05-01T08:00:01.000Z\",\"message\":{\"role\":\"user\",\"content\":\"a\"}}\n\
               {\"type\":\"message\",\"timestamp\":\"2026-05-01T08:00:02.000Z\",\"message\":{\"role\":\"assistant\",\"content\":[]}}\n";
    let (world, main) = world(old.as_bytes());
    let _ = world.line("transcript check agent:main:main").exits(0).says("old-version");
    let _ = world.line("transcript repair agent:main:main").exits(0).says("Nothing is to be mended");
    let _ = world.line("transcript repair agent:main:main --upgrade").exits(0).says("version 1 to 3");
    let text = std::fs::read_to_string(main.path(&name(1))).unwrap();
    let lines: Vec<Value> = text.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!((&lines[0]["version"], &lines[2]["parentId"]), (&json!(3), &lines[1]["id"]));
    let _ = world.line("transcript repair agent:main:main --upgrade").exits(0).says("Nothing is to be mended");
}

#[test]
fn damage_that_hides_damage_is_mended_in_one_run() {
    let entry = |id: &str, parent: &str| {
        format!(
            r#"{{"type":"message","id":"{id}","parentId":"{parent}","timestamp":"2026-05-01T08:00:01.000Z","message":{{"role":"user","content":"x"}}}}"#
        )
    };
    let header = good().lines().next().unwrap().to_owned();
    // Two ids that are one once they are text, and a circle through them; an entry lost whose placeholder closes another.
    let mut bytes = format!("{header}\n").into_bytes();
    for (id, parent) in [(&b"\xff"[..], &b"\xfe"[..]), (&b"\xfd"[..], &b"\xff"[..])] {
        bytes.extend(entry("ID", "PARENT").replace("ID", "\u{1}").replace("PARENT", "\u{2}").bytes().flat_map(|b| {
            match b {
                1 => id.to_vec(),
                2 => parent.to_vec(),
                b => vec![b],
            }
        }));
        bytes.push(b'\n');
    }
    bytes.extend(format!("{}\n{}\n{}\n", entry("c", "d"), &entry("d", "c")[..70], entry("e", "d")).bytes());
    let (world, _) = world(&bytes);
    let _ = world.line("transcript repair agent:main:main").exits(0).says("cycle");
    let _ = world.line("transcript check agent:main:main").exits(0);
    let _ = world.line("transcript repair agent:main:main").exits(0).says("Nothing is to be mended");
}

#[test]
fn a_repair_and_an_upgrade_are_one_run() {
    let old = "{\"type\":\"session\",\"id\":\"s\",\"timestamp\":\"2026-05-01T08:00:00.000Z\",\"cwd\":\"/w\"}\n5\n\
               {\"type\":\"message\",\"timestamp\":\"2026-05-01T08:00:01.000Z\",\"message\":{\"role\":\"user\",\"content\":\"a\"}}\n\
               {\"type\":\"message\",\"timestamp\":\"2026-05-01T08:00:01.000Z\",\"message\":{\"role\":\"user\",\"content\":\"b\"}}\n\
               {\"type\":\"compaction\",\"timestamp\":\"2026-05-01T08:00:02.000Z\",\"summary\":\"s\",\"firstKeptEntryIndex\":3,\"tokensBefore\":1}\n";
    let (world, main) = world(old.as_bytes());
    let before = world.line("transcript context agent:main:main --json").exits(0).json();
    let _ = world.line("transcript show agent:main:main").exits(0).hides("keeps from nothing");
    let _ = world.line("transcript repair agent:main:main --upgrade").exits(0).says("version 1 to 3");
    let after = world.line("transcript context agent:main:main --json").exits(0).json();
    assert_eq!(before["messages"].as_array().map(Vec::len), after["messages"].as_array().map(Vec::len));
    let text = std::fs::read_to_string(main.path(&name(1))).unwrap();
    let lines: Vec<Value> = text.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(lines.len(), 4, "{text}");
    assert_eq!(lines[3]["firstKeptEntryId"], lines[2]["id"], "the same entry as before: {text}");
}

#[test]
fn words_and_exit_codes() {
    let (world, main) = world(good().as_bytes());
    for line in ["transcript stats --store nowhere/sessions.json", "transcript search x --store nowhere/sessions.json"]
    {
        let _ = world.line(line).exits(10);
    }
    let folder = main.dir().to_string_lossy().into_owned();
    let _ = world.run(["transcript", "show", &folder]).exits(1).says("is a folder").says("transcript stats");
    let empty = world.home().join("empty.jsonl");
    std::fs::write(&empty, "").unwrap();
    let _ = world.line("transcript check empty.jsonl").exits(0).says("empty-transcript").hides("row");
}

#[test]
fn a_live_lock_is_respected_and_a_dead_one_is_not() {
    let torn = format!("{}{{\"torn", good());
    let (world, main) = world(torn.as_bytes());
    main.lock(1, std::process::id(), HOUR);
    let _ = world.line("transcript repair agent:main:main").exits(11).says("held by a writer");
    assert_eq!(std::fs::read_to_string(main.path(&name(1))).unwrap(), torn);
    // The end of a file that somebody writes says nothing.
    let _ = world.line("transcript check agent:main:main").exits(0).says("somebody is writing");
    // Nobody has touched this one for a while, and it names nobody.
    main.file(&format!("{}.lock", name(1)), "", HOUR);
    let _ = world.line("transcript repair agent:main:main").exits(0).says("Done");
    assert!(!main.has(&format!("{}.lock", name(1))), "our own lock is gone");
    assert_eq!(std::fs::read_to_string(main.path(&name(1))).unwrap(), good());
}

#[test]
fn beside_a_gateway_nothing_is_written_without_the_token() {
    let torn = format!("{}{{\"torn", good());
    let (world, main) = world(torn.as_bytes());
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    let world = world.var("OPENCLAW_GATEWAY_PORT", port);
    let still = Tree::of(&world.state());
    let _ = world.line("transcript repair agent:main:main --dry-run").exits(0).says("torn-tail");
    let _ = world.line("transcript repair agent:main:main").exits(11).says("--override live-gateway");
    still.is_still(&world.state());
    let _ = world.line("transcript repair agent:main:main --override live-gateway").exits(0).says("Done");
    assert_eq!(std::fs::read_to_string(main.path(&name(1))).unwrap(), good());
}

#[test]
fn a_file_outside_of_every_store_is_nobodys() {
    let world = World::new();
    let folder = world.folder(world.home().join("loose"));
    folder.file("copy.jsonl", format!("{}\0\0\0", good()), HOUR);
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let world = world.var("OPENCLAW_GATEWAY_PORT", listener.local_addr().unwrap().port().to_string());
    let _ = world.line("transcript repair loose/copy.jsonl").exits(0).says("Undo: clawkeep sessions undo ");
    assert_eq!(std::fs::read_to_string(folder.path("copy.jsonl")).unwrap(), good());
}

#[test]
fn a_repair_outside_of_every_store_names_what_undoes_it() {
    let world = World::new();
    let folder = world.folder(world.home().join("loose"));
    let torn = format!("{}{{\"torn", good());
    folder.file("copy.jsonl", &torn, DAY);
    let before = std::fs::metadata(folder.path("copy.jsonl")).unwrap().modified().unwrap();
    let done = world.line("transcript repair loose/copy.jsonl --json").exits(0).json();
    assert_eq!(std::fs::read_to_string(folder.path("copy.jsonl")).unwrap(), good());
    let undo = done["undo"].as_str().unwrap().strip_prefix("clawkeep ").unwrap().to_owned();
    let _ = world.line(&undo).exits(0);
    assert_eq!(std::fs::read_to_string(folder.path("copy.jsonl")).unwrap(), torn);
    assert_eq!(std::fs::metadata(folder.path("copy.jsonl")).unwrap().modified().unwrap(), before);
}

#[test]
fn one_backup_for_one_content() {
    let torn = format!("{}{{\"torn", good());
    let (world, main) = world(torn.as_bytes());
    main.file(&format!("{}.bak-77-1777622400000", name(1)), &torn, DAY);
    let _ = world.line("transcript repair agent:main:main").exits(0).says(".bak-77-1777622400000");
    assert_eq!(contents(&main, &format!("{}.bak-", name(1))).len(), 1);
}

#[test]
fn modes_stay() {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let (world, main) = world(format!("{}{{\"torn", good()).as_bytes());
        std::fs::set_permissions(main.path(&name(1)), std::fs::Permissions::from_mode(0o640)).unwrap();
        let _ = world.line("transcript repair agent:main:main").exits(0);
        for file in [name(1), format!("{}.torn", name(1))] {
            assert_eq!(std::fs::metadata(main.path(&file)).unwrap().permissions().mode() & 0o777, 0o640, "{file}");
        }
    }
}

#[test]
fn sessions_check_and_transcript_check_agree() {
    let nul = good().replacen("question 1", "question \0\0 1", 1);
    let (world, _) = world(format!("{nul}null").as_bytes());
    let all = world.line("sessions check --full --json").exits(4).json();
    let one = world.line("transcript check agent:main:main --json").exits(4).json();
    let of = |value: &Value| {
        let about = |f: &&Value| f["path"].is_null() || f["path"].as_str().unwrap().contains(&name(1));
        let ids =
            value["findings"].as_array().unwrap().iter().filter(about).map(|f| f["id"].as_str().unwrap().to_owned());
        ids.collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!(of(&all), of(&one));
    let command = all["findings"].as_array().unwrap().iter().find(|f| f["id"] == "nul-run").unwrap()["command"].clone();
    assert!(command.as_str().unwrap().starts_with("clawkeep transcript repair /"), "{command}");
}

/// Transcripts without an index beside them, as somebody copied them: a repair touches no row, and neither does its undo.
#[test]
fn a_repair_in_a_folder_without_an_index_is_undone() {
    let world = World::new();
    let folder = world.folder(world.state().join("agents/main/sessions"));
    let torn = format!("{}{{\"torn", good());
    folder.file(&name(1), &torn, DAY).file(&name(2), good(), DAY);
    let path = folder.path(&name(1));
    let done = world.line(&format!("transcript repair {} --json", path.display())).exits(0).json();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), good());
    let undo = done["undo"].as_str().unwrap().strip_prefix("clawkeep ").unwrap().to_owned();
    let _ = world.line(&undo).exits(0);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), torn);
    assert_eq!(names(folder.dir()).into_iter().filter(|n| n.ends_with(".jsonl")).count(), 2);
    assert_eq!(contents(&folder, &format!("{}.", name(1))), Vec::<Vec<u8>>::new());
}

#[test]
fn a_check_names_the_run_that_was_interrupted_in_the_transcript() {
    let torn = format!("{}{}", good(), "{\"type\":\"mess");
    let (world, main) = world(torn.as_bytes());
    let world = world.var("CLAWKEEP_FAULT", "exchange:kill");
    drop(world.line("transcript repair agent:main:main"));
    let world = world.var("CLAWKEEP_FAULT", "");
    let lock = format!("{}.lock", name(1));
    main.file(&lock, std::fs::read(main.path(&lock)).unwrap_or_default(), HOUR);
    let checked = world.line("transcript check agent:main:main --json").exits(4).json();
    assert_eq!(findings(&checked)[0], ("pending-run".to_owned(), 0));
    assert!(checked["findings"][0]["command"].as_str().unwrap().starts_with("clawkeep transcript repair "));
    let _ = world.line("transcript check agent:main:main").exits(4).says("transcript repair (run ").says("interrupted");
    for more in ["", " -v"] {
        let told = world.line(&format!("transcript check agent:main:main{more}")).exits(4).hides("1 more");
        assert!(told.stdout.contains("Repair: clawkeep transcript repair "), "{}", told.picture());
    }
    // It is no business of the transcript beside it.
    let _ = world.line("transcript check agent:main:x").exits(0);
    let _ = world.line("transcript repair agent:main:main").exits(0);
    let _ = world.line("transcript check agent:main:main").exits(0).says("Nothing is wrong");
}

/// The words of a command in a report, from `before` on up to `after`.
fn command_in(text: &str, before: &str, after: &str) -> String {
    let start = text.find(before).unwrap_or_else(|| panic!("{before} in {text}"));
    let rest = &text[start..];
    rest[..rest.find(after).unwrap_or_else(|| panic!("{after} in {rest}"))]
        .strip_prefix("clawkeep ")
        .unwrap()
        .to_owned()
}

/// A repair that was killed where there is no index: both commands that are named for it work as they are printed.
#[test]
fn a_repair_that_was_interrupted_without_an_index_is_finished_or_taken_back() {
    for (from, to) in [("clawkeep transcript repair", " finishes it"), ("clawkeep sessions undo", " takes it back\n")] {
        let world = World::new();
        let folder = world.folder(world.home().join("kp"));
        let torn = format!("{}{{\"torn", good());
        folder.file(&name(1), &torn, DAY).file(&name(2), good(), DAY);
        let path = folder.path(&name(1));
        let world = world.var("CLAWKEEP_FAULT", "exchange:kill");
        drop(world.line(&format!("transcript repair {}", path.display())));
        let world = world.var("CLAWKEEP_FAULT", "");
        // The lock of the program that is gone is no longer new.
        let lock = format!("{}.lock", name(1));
        folder.file(&lock, std::fs::read(folder.path(&lock)).unwrap(), HOUR);
        let index = folder.path("sessions.json");
        let runs = world.line(&format!("sessions runs --store {}", index.display())).exits(0);
        let runs = runs.says("was interrupted").hides("cleanup");
        let _ = world.line(&command_in(&runs.stdout, from, to)).exits(0);
        let now = std::fs::read_to_string(&path).unwrap();
        assert_eq!(now, if from.ends_with("undo") { torn } else { good() }, "{from}");
        assert!(!index.exists());
        let _ = world.line(&format!("sessions runs --store {}", index.display())).exits(0).hides("was interrupted");
    }
}

/// What a check advises is of use: where a repair refuses, or finds nothing to do, none is named.
#[test]
fn a_check_names_no_repair_that_would_do_nothing() {
    let newer = format!("{}{{\"torn", good().replacen("\"version\":3", "\"version\":9", 1)).into_bytes();
    let mut header = good().into_bytes();
    let at = good().find("\"cwd\":\"").unwrap() + 7;
    header.insert(at, 0xff);
    let deep = format!("{}{}{}\n", good(), "[".repeat(10_001), "]".repeat(10_001)).into_bytes();
    let texts = [
        ("newer", newer),
        ("header", header),
        ("nul", vec![0; 5000]),
        ("blank", b"\n\n\n".to_vec()),
        ("plain", b"hello\nthere\n".to_vec()),
        ("deep", deep),
    ];
    let world = World::new();
    let folder = world.folder(world.home().join("loose"));
    for (what, text) in &texts {
        folder.file("copy.jsonl", text, DAY);
        let checked = world.line("transcript check loose/copy.jsonl --json").ends().json();
        let advised = checked["findings"].as_array().unwrap().iter().any(|f| !f["command"].is_null());
        let mended = world.line("transcript repair loose/copy.jsonl --dry-run --json").ends();
        let mends = mended.stdout.starts_with('{') && mended.json()["outcome"] == "planned";
        assert!(!checked["findings"].as_array().unwrap().is_empty(), "{what}: nothing is found");
        assert_eq!(advised, mends, "{what}: {checked}\n{}", mended.picture());
        let told = world.line("transcript check loose/copy.jsonl").ends();
        assert_eq!(told.stdout.contains("Repair: "), mends, "{what}: {}", told.picture());
    }
    folder.file("copy.jsonl", format!("{}{{\"torn", good()), DAY);
    let _ = world.line("transcript check loose/copy.jsonl").exits(4).says("Repair: clawkeep transcript repair ");
}

#[test]
fn a_check_refuses_what_is_no_transcript() {
    let (world, main) = world(good().as_bytes());
    main.file(&format!("{}.trajectory.jsonl", id(1)), "{\"a\":1}\n", HOUR);
    for file in [format!("{}.trajectory.jsonl", id(1)), "sessions.json".to_owned()] {
        for command in ["check", "repair"] {
            let line = format!("transcript {command} {}", main.path(&file).display());
            let _ = world.line(&line).exits(1).says("is no transcript");
        }
    }
}

/// A flag that is named by a note is one of the command that is named with it.
#[test]
fn a_note_about_hidden_records_names_the_command_that_shows_them() {
    let text = good();
    let last = text.trim_end().rfind('\n').unwrap();
    let glued = format!("{}{}", &text[..last], &text[last + 1..]);
    let (world, _) = world(glued.as_bytes());
    for command in ["context", "show"] {
        let _ = world
            .line(&format!("transcript {command} agent:main:main"))
            .exits(0)
            .says("transcript show --recovered shows them");
    }
}

/// Where neither a second name nor the owner of the file can be had, a repair fails and leaves no copy behind.
#[cfg(target_os = "linux")]
#[test]
fn a_repair_that_may_not_keep_the_owner_leaves_no_copy() {
    use std::os::unix::fs::{PermissionsExt as _, chown};
    use std::os::unix::process::CommandExt as _;
    const NOBODY: u32 = 65_534;
    let guarded = std::fs::read_to_string("/proc/sys/fs/protected_hardlinks").is_ok_and(|on| on.trim() == "1");
    if !rustix::process::geteuid().is_root() || !guarded {
        println!("skipped: needs root, to become another user, and protected hard links");
        return;
    }
    let torn = format!("{}{{\"torn", good());
    let (world, main) = world(torn.as_bytes());
    for entry in walkdir::WalkDir::new(world.home()).into_iter().map(Result::unwrap) {
        let path = entry.path();
        if path == main.path(&name(1)) {
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o644)).unwrap();
        } else {
            chown(path, Some(NOBODY), Some(NOBODY)).unwrap();
        }
    }
    let mut command = world.command(["transcript", "repair", "agent:main:main"]);
    command.uid(NOBODY).gid(NOBODY);
    let _ = world.finish(command).exits(1).says("could not keep its owner");
    assert_eq!(std::fs::read_to_string(main.path(&name(1))).unwrap(), torn);
    let all = walkdir::WalkDir::new(main.dir()).into_iter().map(Result::unwrap);
    let others = all.map(walkdir::DirEntry::into_path).filter(|path| path.is_file() && *path != main.path(&name(1)));
    let copies: Vec<_> = others.filter(|path| std::fs::read(path).unwrap() == torn.as_bytes()).collect();
    assert_eq!(copies, Vec::<std::path::PathBuf>::new());
}

/// The undo of a repair where there is no index, killed: no cleanup is advised, which would refuse, and what is works.
#[test]
fn an_undo_that_was_interrupted_without_an_index_names_what_works() {
    let world = World::new();
    let folder = world.agent("main");
    folder.file(&name(1), format!("{}{{\"torn", good()), DAY);
    let _ = world.line(&format!("transcript repair {}", folder.path(&name(1)).display())).exits(0);
    let world = world.var("CLAWKEEP_FAULT", "exchange:kill");
    let _ = world.line("sessions undo --yes");
    let world = world.var("CLAWKEEP_FAULT", "");
    let lock = format!("{}.lock", name(1));
    folder.file(&lock, std::fs::read(folder.path(&lock)).unwrap(), HOUR);
    let _ = world.line("sessions undo --dry-run").exits(1).says("was interrupted").hides("cleanup");
    let runs = world.line("sessions runs").exits(0).says("was interrupted").hides("cleanup");
    let _ = world.line(&command_in(&runs.stdout, "clawkeep sessions undo", " finishes it")).ends();
    let _ = world.line("sessions runs").exits(0).hides("was interrupted");
    let _ = world.line("sessions undo --yes").ends();
    assert!(std::fs::read_to_string(folder.path(&name(1))).unwrap().ends_with("{\"torn"));
    assert!(!folder.index().exists());
}
