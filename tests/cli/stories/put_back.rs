//! Every kind of store that users reported, cleaned or repaired, and put back: after `undo` each name and each byte is
//! where it was, after `restore` each session that went has its row and its transcript in their own bytes.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::common::{DAY, Folder, HOUR, World, body, id, names};

/// A kind of store, of things that a cleanup does not remove for good: what is in it, the flags of the cleanup, and how many of its rows go.
struct Kind {
    name: &'static str,
    fill: fn(&Folder, i64),
    flags: &'static str,
    rows_that_go: usize,
}

const KINDS: &[Kind] = &[
    Kind { name: "old rows of every kind", fill: every_kind, flags: "", rows_that_go: 3 },
    Kind { name: "above the cap", fill: every_kind, flags: "--prune-after off --max-entries 4", rows_that_go: 3 },
    Kind { name: "above the budget", fill: fat, flags: "--prune-after off --max-disk 20kb", rows_that_go: 3 },
    Kind { name: "two rows of one session", fill: shared, flags: "", rows_that_go: 1 },
    Kind { name: "files under names of their own", fill: own_names, flags: "", rows_that_go: 2 },
    Kind { name: "rows that are no session entries", fill: odd_rows, flags: "", rows_that_go: 1 },
    Kind { name: "a key that comes twice", fill: twice, flags: "", rows_that_go: 1 },
    Kind { name: "a text that no serialiser writes", fill: odd_text, flags: "", rows_that_go: 1 },
    Kind { name: "files that no row leads to", fill: orphans, flags: "", rows_that_go: 0 },
    Kind { name: "rows without a transcript", fill: missing, flags: "--fix-missing", rows_that_go: 2 },
    Kind { name: "a lock of a dead process", fill: dead_lock, flags: "", rows_that_go: 1 },
];

fn every_kind(main: &Folder, _: i64) {
    main.session("agent:main:main", 1, 90 * DAY)
        .session("agent:main:telegram:group:-100", 2, 80 * DAY)
        .session("agent:main:telegram:group:-100:topic:7", 3, 70 * DAY)
        .session("agent:main:telegram:direct:4", 4, 60 * DAY)
        .trajectory(4, 60 * DAY)
        .session("agent:main:subagent:5", 5, 50 * DAY)
        .session("agent:main:hook:6", 6, 40 * DAY)
        .session("agent:main:telegram:direct:7", 7, DAY)
        .save();
}

fn fat(main: &Folder, _: i64) {
    main.session("agent:main:main", 1, HOUR);
    for n in 2..=5 {
        let age = i64::try_from(n).unwrap() * DAY;
        main.row(&format!("agent:main:telegram:direct:{n}"), n, age, json!({})).fat_transcript(n, age, 8_000);
    }
    main.save();
}

fn shared(main: &Folder, _: i64) {
    main.session("agent:main:main", 1, HOUR)
        .row("agent:main:subagent:old", 2, 60 * DAY, json!({}))
        .session("agent:main:telegram:direct:new", 2, HOUR)
        .save();
}

fn own_names(main: &Folder, now: i64) {
    main.session("agent:main:main", 1, HOUR);
    for (n, name) in [(2, "a conversation.jsonl".to_owned()), (3, format!("{}-topic-12.jsonl", id(3)))] {
        main.row(&format!("agent:main:subagent:{n}"), n, 60 * DAY, json!({"sessionFile": main.path(&name)})).file(
            &name,
            body(&id(n), now - 60 * DAY, 2, 0),
            60 * DAY,
        );
    }
    main.save();
}

fn odd_rows(main: &Folder, _: i64) {
    main.session("agent:main:main", 1, HOUR)
        .raw_row("agent:main:null", Value::Null)
        .raw_row("agent:main:text", json!("x"))
        .raw_row("agent:main:seconds", json!({"sessionId": id(5), "updatedAt": 1_700_000_000}))
        .raw_row("agent:main:list", json!([1, {"a": null}]))
        .session("agent:main:subagent:2", 2, 60 * DAY)
        .save();
}

fn twice(main: &Folder, _: i64) {
    main.session("agent:main:main", 1, HOUR)
        .session("agent:main:subagent:2", 2, 70 * DAY)
        .session("agent:main:telegram:direct:3", 3, HOUR)
        .session("agent:main:subagent:2", 4, 60 * DAY)
        .session("agent:main:telegram:direct:5", 5, HOUR)
        .save();
}

fn odd_text(main: &Folder, now: i64) {
    main.transcript(1, HOUR).transcript(2, 60 * DAY).transcript(3, HOUR);
    let text = format!(
        "\u{feff}{{\r\n\t\"agent:main:main\" : {{\"sessionId\":\"{}\",\"updatedAt\":{}e0, \"n\":1.50E+2}},\r\n\
         \t\"agent:main:subagent:\\u00fc\" : {{ \"updatedAt\": {}.0,\r\n\t\t\"sessionId\": \"{}\", \"\\ud800\": [ ] }},\r\n\
         \t\"agent:main:telegram:direct:3\" : {{\"sessionId\":\"{}\",\"updatedAt\":{}}}\r\n}}\r\n\r\n",
        id(1),
        now - HOUR,
        now - 60 * DAY,
        id(2),
        id(3),
        now - HOUR
    );
    main.file("sessions.json", text, 0);
}

fn orphans(main: &Folder, now: i64) {
    main.session("agent:main:main", 1, HOUR)
        .transcript(2, 60 * DAY)
        .file(&format!("{}.jsonl", id(3)), body(&id(3), now - 60 * DAY, 0, 0), 60 * DAY)
        .file(&format!("{}.jsonl", id(5)), body(&id(5), now, 1, 0), HOUR)
        .save();
}

fn missing(main: &Folder, _: i64) {
    main.session("agent:main:main", 1, HOUR)
        .row("agent:main:telegram:direct:2", 2, HOUR, json!({}))
        .row("agent:main:telegram:direct:3", 3, 2 * HOUR, json!({"note": "caf\u{e9}"}))
        .save();
}

fn dead_lock(main: &Folder, _: i64) {
    let dead = json!({"pid": std::process::id(), "createdAt": "2020-01-01T00:00:00.000Z", "starttime": 1});
    main.session("agent:main:main", 1, HOUR)
        .session("agent:main:subagent:2", 2, 60 * DAY)
        .file(&format!("{}.jsonl.lock", id(2)), dead.to_string(), 50 * DAY)
        .save();
}

/// Names and contents.
fn picture(main: &Folder) -> BTreeMap<String, Vec<u8>> {
    names(main.dir()).into_iter().map(|name| (name.clone(), std::fs::read(main.path(&name)).unwrap())).collect()
}

/// The exact text of each row that the gateway sees.
fn rows(main: &Folder) -> BTreeMap<String, String> {
    let text = std::fs::read(main.index()).unwrap();
    let text = String::from_utf8(text).unwrap().replace('\u{feff}', "");
    let rows: BTreeMap<String, Box<serde_json::value::RawValue>> = serde_json::from_str(&text).unwrap();
    rows.into_iter().map(|(key, value)| (key, value.get().to_owned())).collect()
}

fn put_back(kind: &Kind, main: &Folder, world: &World) {
    let what = kind.name;
    (kind.fill)(main, world.now());
    let (before, rows_before) = (picture(main), rows(main));
    let cleanup = format!("sessions cleanup --enforce {}", kind.flags);
    let _ = world.line(&cleanup).exits(0);
    let gone: Vec<_> = rows_before.keys().filter(|key| !rows(main).contains_key(*key)).collect();
    assert_eq!(gone.len(), kind.rows_that_go, "{what}: {gone:?}");
    assert!(picture(main) != before, "{what}: nothing was done");
    let undo = world.line("sessions undo --yes").exits(0);
    assert!(picture(main) == before, "{what}: {}", undo.picture());

    let _ = world.line(&cleanup).exits(0);
    for key in &gone {
        let session: Value = serde_json::from_str(&rows_before[*key].replace("\\ud800", "")).unwrap();
        let session = session["sessionId"].as_str().unwrap().to_owned();
        let had_file = before.keys().any(|name| name.contains(&session)) || what.contains("names of their own");
        let restore = world.run(["sessions", "restore", key, "--yes"]).ends();
        match what {
            "two rows of one session" => drop(restore.exits(1).says("the session is live, under the key")),
            _ if !had_file => drop(restore.exits(1).says("no copy of its transcript")),
            _ => {
                let restore = restore.exits(0);
                assert_eq!(rows(main)[*key], rows_before[*key], "{what}: {}", restore.picture());
            }
        }
    }
    // Every transcript of a session that went is there again, and none changed.
    let now = picture(main);
    let transcripts = before.iter().filter(|(name, _)| name.ends_with(".jsonl") && !name.contains(".checkpoint."));
    for (name, content) in transcripts.filter(|_| kind.rows_that_go > 0) {
        let sidecar = name.contains(".trajectory");
        assert!(sidecar || now.get(name) == Some(content), "{what}: {name}");
    }
}

#[test]
fn every_kind_of_store_is_put_back_byte_for_byte() {
    for kind in KINDS {
        let world = World::new();
        world.maintenance(&json!({"mode": "warn", "pruneAfter": "30d", "maxEntries": 500}));
        put_back(kind, &world.agent("main"), &world);
    }
}

#[cfg(unix)]
#[test]
fn a_folder_behind_a_link_is_put_back_too() {
    for kind in KINDS {
        let world = World::new();
        world.maintenance(&json!({"mode": "warn", "pruneAfter": "30d", "maxEntries": 500}));
        let real = world.folder("elsewhere/sessions");
        let agent = world.state().join("agents/main");
        std::fs::create_dir_all(&agent).unwrap();
        std::os::unix::fs::symlink(real.dir(), agent.join("sessions")).unwrap();
        put_back(kind, &real, &world);
        assert!(agent.join("sessions").symlink_metadata().unwrap().is_symlink());
    }
}

#[test]
fn every_damage_is_put_back_byte_for_byte() {
    type Damage = fn(&[u8]) -> Vec<u8>;
    let damages: [(&str, Damage); 6] = [
        ("cut", |text| text[..text.len() * 6 / 10].to_vec()),
        ("empty", |_| Vec::new()),
        ("NUL bytes", |text| [&text[..200], &[0; 300], &text[500..]].concat()),
        ("two roots", |text| [text, text].concat()),
        ("an array", |text| [b"[", text, b"]"].concat()),
        ("not JSON", |text| [b"<<<<<<< HEAD\n", text].concat()),
    ];
    for (name, damage) in damages {
        let world = World::new();
        world.maintenance(&json!({"mode": "warn"}));
        let main = world.agent("main");
        every_kind(&main, world.now());
        main.file("sessions.json", damage(&std::fs::read(main.index()).unwrap()), 0);
        let before = picture(&main);
        let _ = world.line("sessions repair --yes").exits(0);
        let _ = world.line("sessions list").exits(0);
        let undo = world.line("sessions undo --yes").exits(0);
        let mut after = picture(&main);
        // The copy beside it stays: one more is no harm.
        after.retain(|name, _| !name.starts_with("sessions.json.damaged."));
        assert!(after == before, "{name}: {}", undo.picture());
    }
}
