//! Sessions that a person names are removed, with a way back; or for good, with nothing left.

use std::io::Read;
use std::path::Path;

use serde_json::json;

use crate::common::{DAY, Folder, HOUR, MINUTE, Tree, World, id};

const KEY: &str = "agent:main:telegram:direct:2";
/// Stands in the transcript and in the row.
const MARKER: &str = "the-words-that-must-go";

fn world() -> (World, Folder) {
    let world = World::new();
    world.maintenance(&json!({"pruneAfter": "30d"}));
    let main = world.agent("main");
    main.session("agent:main:main", 1, HOUR)
        .row(KEY, 2, MINUTE, json!({"label": MARKER}))
        .file(&format!("{}.jsonl", id(2)), said(2), MINUTE)
        .trajectory(2, HOUR)
        .session("agent:main:stress-1", 3, HOUR)
        .session("agent:main:stress-2", 4, HOUR)
        .save();
    (world, main)
}

fn said(n: u64) -> String {
    let header = json!({"type": "session", "version": 3, "id": id(n), "cwd": "/"});
    format!("{header}\n{}\n", json!({"type": "message", "message": {"role": "user", "content": MARKER}}))
}

/// Files below `root` that hold the text, compressed ones unpacked.
fn holders(root: &Path, text: &str) -> Vec<String> {
    let mut out = Vec::new();
    for item in walkdir::WalkDir::new(root) {
        let item = item.unwrap();
        if !item.file_type().is_file() {
            continue;
        }
        let mut bytes = std::fs::read(item.path()).unwrap();
        if item.path().extension().is_some_and(|e| e == "zst") {
            let mut plain = Vec::new();
            zstd::Decoder::new(&bytes[..]).unwrap().read_to_end(&mut plain).unwrap();
            bytes = plain;
        }
        if bytes.windows(text.len()).any(|w| w == text.as_bytes()) {
            out.push(item.path().strip_prefix(root).unwrap().display().to_string());
        }
    }
    out
}

#[test]
fn each_name_has_its_own_answer_and_undo_brings_all_back() {
    let (world, main) = world();
    let (before, tree) = (std::fs::read(main.index()).unwrap(), crate::common::names(main.dir()));
    let line = ["sessions", "rm", KEY, "agent:main:nobody", "agent:main:stress-*", "--json"];
    let still = Tree::of(main.dir());
    let plan = world.run(line.iter().chain(&["--dry-run"])).exits(3);
    still.is_still(main.dir());
    let _ = plan.has("/results/0/result", "planned").has("/results/1/result", "not-found");
    let out = world.run(line).exits(3).has("/results/0/result", "removed").has("/results/1/result", "not-found");
    let keys: Vec<_> = out.json()["results"].as_array().unwrap().iter().map(|r| r["key"].clone()).collect();
    assert_eq!(keys[2..], [json!("agent:main:stress-1"), json!("agent:main:stress-2")]);
    assert_eq!(main.keys(), ["agent:main:main"]);
    assert!(main.is_archived(2) && main.is_archived(3) && main.is_archived(4));
    let _ = world.line("sessions undo").exits(0);
    assert_eq!(std::fs::read(main.index()).unwrap(), before);
    assert_eq!(crate::common::names(main.dir()), tree);
}

#[test]
fn a_pattern_spares_the_main_session_and_a_name_does_not() {
    let (world, main) = world();
    let _ = world.run(["sessions", "rm", "agent:*"]).exits(3).says("main-session");
    assert_eq!(main.keys(), ["agent:main:main"]);
    let _ = world.run(["sessions", "rm", "agent:main:main"]).exits(0);
    assert!(main.keys().is_empty() && main.is_archived(1));
    let _ = world.run(["sessions", "rm", "agent:main:main"]).exits(1).says("not found");
}

#[cfg(unix)]
#[test]
fn what_is_locked_running_or_active_is_held() {
    let (world, main) = world();
    main.row("agent:main:busy", 7, MINUTE, json!({"status": "running"})).transcript(7, MINUTE).save();
    main.lock(3, std::process::id(), MINUTE);
    let names = ["agent:main:stress-1", "agent:main:busy", "agent:main:stress-2"];
    // A live lock of a process counts as an owner for rows unless it is passed.
    let mut line: Vec<&str> = vec!["sessions", "rm", "--json", "--active-key", "agent:main:stress-2"];
    line.extend(names);
    line.extend(["--override", "live-gateway", "--override", "owner-unknown"]);
    let out = world.run(line).exits(3);
    let out = out.has("/results/0/why", "live-lock").has("/results/1/why", "running");
    let _ = out.has("/results/2/why", "active-key");
    assert_eq!(main.keys().len(), 5);
}

#[test]
fn a_purge_needs_a_word_and_leaves_nothing() {
    let (world, main) = world();
    // Traces of every kind: a run that took it and was undone, snapshots, an archive, a checkpoint, a repair copy.
    let _ = world.run(["sessions", "rm", KEY]).exits(0);
    let _ = world.line("sessions undo").exits(0);
    let _ = world.enforce("--max-entries off").exits(0);
    main.file(&format!("{}.jsonl.reset.2026-01-01T00-00-00.000Z", id(2)), said(2), DAY);
    main.file(&format!("{}.checkpoint.{}.jsonl", id(2), id(99)), said(2), DAY);
    main.file(&format!("{}.jsonl.bak-1-1777622400000", id(2)), said(2), DAY);
    // The old index of a run that could not take it away, and what another run is writing.
    main.file(".clawkeep-20260501T000000Z-1.tmp", said(2), HOUR);
    main.file(".clawkeep-20260501T000000Z-2.tmp", "of others", HOUR);
    let places = holders(&world.state(), MARKER);
    assert!(places.len() >= 7 && places.iter().any(|p| p.ends_with(".zst")), "{places:#?}");
    assert!(places.iter().any(|p| p.contains("/runs/")), "{places:#?}");

    let before = Tree::of(main.dir());
    let _ = world.run(["sessions", "rm", "--purge", KEY]).exits(1).says("--yes");
    let _ = world.run(["sessions", "rm", "--purge", "--dry-run", KEY]).exits(0).says("Would be removed for good");
    before.is_still(main.dir());

    let out = world.run(["sessions", "rm", "--purge", "--yes", "--json", KEY]).exits(0);
    let _ = out.has("/results/0/result", "purged").has("/stores/0/remains", json!([]));
    assert_eq!(holders(&world.state(), MARKER), [""; 0]);
    assert_eq!(main.of_session(2, ""), [""; 0]);
    assert!(main.path(".clawkeep-20260501T000000Z-2.tmp").exists());
    assert_eq!(main.keys(), ["agent:main:main", "agent:main:stress-1", "agent:main:stress-2"]);
    let _ = world.run(["sessions", "restore", KEY]).exits(1).says("nothing is left");

    // What the other sessions have is whole: rows, files, snapshots, and the way back.
    let _ = world.run(["sessions", "rm", "agent:main:stress-1"]).exits(0);
    let _ = world.run(["sessions", "restore", "agent:main:stress-1"]).exits(0);
    assert!(main.is_live(1) && main.is_live(3) && main.is_live(4));
}

/// Of a run whose sessions were purged nothing can come back: an undo without a name is about the one before it.
#[test]
fn a_purged_run_is_not_the_last_one_to_put_back() {
    let world = World::new();
    let main = world.agent("main");
    main.session("agent:main:main", 1, HOUR)
        .session("agent:main:a", 2, HOUR)
        .session("agent:main:b", 3, HOUR)
        .trajectory(3, HOUR)
        .save();
    let _ = world.line("sessions rm agent:main:a").exits(0);
    let first = world.line("sessions runs --json").json()["runs"][0]["id"].as_str().unwrap().to_owned();
    let _ = world.line("sessions rm agent:main:b").exits(0);
    let _ = world.line("sessions rm --purge --yes agent:main:b").exits(0);
    let _ = world.line("sessions runs").exits(0).says(&format!("last one back: clawkeep sessions undo {first}"));
    let _ = world.line("sessions undo").exits(0).says(&format!("Undid run {first}"));
    assert!(main.is_live(2) && !main.is_live(3));
    let _ = world.line("sessions undo").exits(1).says("no run to undo");
}

/// A key says whose session it is, so no store need be chosen; an agent that is nowhere keeps nobody else from going.
#[test]
fn a_key_leads_to_the_store_of_its_agent() {
    let world = World::new();
    world.agent("main").session("agent:main:a", 1, HOUR).session("agent:main:b", 2, HOUR).save();
    let work = world.agent("work");
    work.session("agent:work:main", 3, HOUR).session("agent:work:a", 4, HOUR).save();
    let _ = world.line("sessions rm agent:work:a").exits(0);
    assert_eq!(work.keys(), ["agent:work:main"]);
    let out = world.line("sessions rm agent:nope:x agent:work:* agent:main:a --json").exits(3);
    let _ = out.has("/results/0/result", "not-found").has("/results/2/result", "removed");
    let _ = world.line("sessions rm agent:nope:x").exits(1).says("not found");
}

#[test]
fn a_purge_also_finds_what_was_removed_before() {
    let (world, main) = world();
    let _ = world.run(["sessions", "rm", KEY, "agent:main:stress-1"]).exits(0);
    assert!(main.is_archived(2));
    let _ = world.run(["sessions", "rm", "--purge", "--yes", KEY]).exits(0).says("purged");
    assert_eq!(holders(&world.state(), MARKER), [""; 0]);
    // The other session of that run can still be put back.
    let _ = world.line("sessions undo --key agent:main:stress-1").exits(0);
    assert!(main.is_live(3) && !main.is_live(2));
}

#[test]
fn a_purge_leaves_what_another_row_uses() {
    let world = World::new();
    let main = world.agent("main");
    main.session("agent:main:main", 1, HOUR)
        .row("agent:main:a", 2, HOUR, json!({}))
        .row("agent:main:b", 2, HOUR, json!({}))
        .transcript(2, HOUR)
        .save();
    let _ = world.run(["sessions", "rm", "--purge", "--yes", "agent:main:a"]).exits(0);
    assert_eq!(main.keys(), ["agent:main:main", "agent:main:b"]);
    assert!(main.is_live(2));
}

/// Whoever purges and reads "not found" believes that nothing is left.
#[test]
fn a_name_that_a_damaged_index_may_hold_is_not_said_to_be_nowhere() {
    let world = World::new();
    world.config(&json!({"agents": {"list": [{"id": "main", "default": true}, {"id": "qa"}]}}));
    let main = world.agent("main");
    main.session("agent:main:main", 1, HOUR).session("agent:main:telegram:direct:2", 2, HOUR).save();
    let qa = world.agent("qa");
    qa.session("agent:qa:main", 3, HOUR).session("agent:qa:telegram:direct:4", 4, HOUR).save();
    let whole = std::fs::read(qa.index()).unwrap();
    qa.file("sessions.json", &whole[..whole.len() - 30], 0);
    let before = Tree::of(&world.state());
    for line in ["rm", "rm --dry-run", "rm --purge --yes", "show"] {
        for name in ["agent:qa:main".to_owned(), id(4)] {
            let out = world.line(&format!("sessions {line} {name}")).exits(1).says("damaged");
            let _ = out.says("agents/qa/sessions/sessions.json").says("sessions repair --").hides("not found");
        }
        // The index of that agent was looked at.
        let _ = world.line(&format!("sessions {line} agent:main:nope")).exits(1).hides("damaged");
    }
    before.is_still(&world.state());
    let state = world.state();
    let words =
        ["--state-dir", state.to_str().unwrap(), "sessions", "rm", "agent:main:telegram:direct:2", "agent:qa:main"];
    let _ = world.run(words).exits(3).says("damaged").says("; clawkeep --state-dir");
    // Whose files are whose cannot be told while an index is damaged: the row goes, its file stays.
    assert_eq!(main.keys(), ["agent:main:main"]);
    assert!(main.is_live(2));
}
