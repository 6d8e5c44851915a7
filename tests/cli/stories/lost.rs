//! The index is gone although its transcripts are here, or the transcripts are gone although the index is.

use serde_json::{Value, json};

use crate::common::{DAY, Folder, HOUR, Output, Tree, World, body, id, names};

/// Four sessions, whose index is gone. Its text comes back beside it.
fn world() -> (World, Folder, Vec<u8>) {
    let world = World::new();
    world.maintenance(&json!({"mode": "warn"}));
    let main = world.agent("main");
    main.session("agent:main:main", 1, HOUR)
        .session("agent:main:telegram:group:-100", 2, 2 * HOUR)
        .row("agent:main:telegram:direct:3", 3, 3 * HOUR, json!({"note": "caf\u{e9}", "n": 1.50}))
        .transcript(3, 3 * HOUR)
        .session("agent:main:cron:job-4", 4, 4 * HOUR)
        .save();
    let index = std::fs::read(main.index()).unwrap();
    (world, main, index)
}

fn lose(main: &Folder) {
    std::fs::remove_file(main.index()).unwrap();
}

fn rows(main: &Folder) -> Value {
    serde_json::from_slice(&std::fs::read(main.index()).unwrap()).unwrap()
}

/// A dry run writes nothing, the repair takes no transcript, a second one has nothing to do, and undo takes the index away
/// again.
fn repairs(world: &World, main: &Folder, says: &str) -> Value {
    let before = Tree::of(&world.state());
    let _ = world.line("sessions check").exits(4).says("index-missing").says("sessions repair");
    let _ = world.line("sessions repair --dry-run").ends().says(says).says("there is no such file").says("dry run");
    before.is_still(&world.state());
    let transcripts = names(main.dir());
    let _ = world.line("sessions repair").ends().says(says).says("sessions undo");
    let rows = rows(main);
    let text = std::fs::read(main.index()).unwrap();
    let with_index: Vec<_> = names(main.dir()).into_iter().filter(|n| n != "sessions.json").collect();
    assert_eq!(with_index, transcripts, "nothing else came or went");
    let after = Tree::of(&world.state());
    let _ = world.line("sessions repair").exits(0).says("nothing to repair");
    after.is_still(&world.state());
    let _ = world.line("sessions undo").exits(0);
    assert_eq!(names(main.dir()), transcripts, "the undo leaves what was there");
    let _ = world.line("sessions repair").ends();
    assert_eq!(std::fs::read(main.index()).unwrap(), text, "the same again");
    let _ = world.line("sessions list").exits(0);
    rows
}

#[test]
fn every_command_names_the_repair_of_a_missing_index() {
    let (world, main, _) = world();
    lose(&main);
    let before = Tree::of(&world.state());
    for line in ["sessions list", "sessions cleanup --enforce", "sessions show agent:main:main", "sessions cleanup"] {
        let _ = world.line(line).exits(1).says("missing beside 4 transcripts").says("sessions repair --dry-run");
    }
    before.is_still(&world.state());
}

#[test]
fn a_missing_index_comes_back_from_the_newest_snapshot_byte_for_byte() {
    let (world, main, index) = world();
    let _ = world.line("sessions cleanup --enforce").exits(0);
    lose(&main);
    let _ = repairs(&world, &main, "snapshot of");
    assert_eq!(std::fs::read(main.index()).unwrap(), index);
}

#[test]
fn of_a_copy_and_an_older_snapshot_the_better_one_is_taken_and_the_rest_comes_from_headers() {
    let (world, main, _) = world();
    let _ = world.line("sessions cleanup --enforce").exits(0);
    // A copy that knows one session more than the snapshot, and one session that nothing knows.
    main.session("agent:main:telegram:direct:5", 5, HOUR).save();
    let copy = std::fs::read(main.index()).unwrap();
    main.file(&format!("sessions.json.bak.{}", world.now()), &copy, 0).transcript(6, HOUR);
    lose(&main);
    let rows = repairs(&world, &main, "key made up, from the header alone");
    let of_copy: Value = serde_json::from_slice(&copy).unwrap();
    for (key, row) in of_copy.as_object().unwrap() {
        assert_eq!(&rows[key], row, "{key}");
    }
    assert_eq!(rows[&format!("agent:main:recovered:{}", id(6))]["sessionId"], id(6));
    assert_eq!(rows.as_object().unwrap().len(), 6);
}

#[test]
fn whole_rows_of_a_copy_that_is_cut_count_when_nothing_better_is_left() {
    let (world, main, index) = world();
    let cut = index.len() * 6 / 10;
    main.file(&format!("sessions.json.1234.{}.tmp", id(9)), &index[..cut], 0);
    main.file("sessions.json.damaged.2026-01-01T00-00-00.000Z", &index[..cut / 2], DAY);
    lose(&main);
    let rows = repairs(&world, &main, "copy");
    let original: Value = serde_json::from_slice(&index).unwrap();
    assert_eq!(rows["agent:main:main"], original["agent:main:main"]);
    assert_eq!(rows["agent:main:telegram:group:-100"], original["agent:main:telegram:group:-100"]);
    assert_eq!(rows[&format!("agent:main:recovered:{}", id(4))]["sessionId"], id(4));
}

#[test]
fn headers_alone_make_rows_and_a_trajectory_gives_one_its_key() {
    let (world, main, _) = world();
    let event = json!({"traceSchema": "openclaw-trajectory", "schemaVersion": 1, "sessionId": id(3),
        "sessionKey": "agent:main:telegram:direct:3"});
    main.file(&format!("{}.trajectory.jsonl", id(3)), format!("{event}\n"), HOUR);
    lose(&main);
    let rows = repairs(&world, &main, "key from its trajectory");
    assert_eq!(rows["agent:main:telegram:direct:3"]["sessionId"], id(3));
    assert_eq!(rows[&format!("agent:main:recovered:{}", id(1))]["sessionId"], id(1));
    let _ = world.line("sessions check").exits(0);
}

#[test]
fn rows_that_a_record_knows_of_and_nothing_holds_are_named() {
    let (world, main, _) = world();
    let _ = world.line("sessions cleanup --enforce").exits(0);
    // The snapshots are gone with the index; the record of a run still says how many rows there were.
    let _ = world.run(["sessions", "rm", "agent:main:cron:job-4"]).exits(0);
    std::fs::remove_dir_all(main.path(".clawkeep/index")).unwrap();
    std::fs::remove_file(main.path(&format!("{}.jsonl", id(3)))).unwrap();
    lose(&main);
    let _ =
        world.line("sessions repair").exits(4).says("it had 3 rows when it was last recorded, and 2 could be found");
    assert_eq!(main.keys().len(), 2);
}

#[test]
fn a_store_without_history_and_one_that_is_not_there_are_no_damage() {
    let world = World::new();
    let main = world.agent("main");
    let _ = world.line("sessions repair").exits(0).says("nothing to repair");
    let _ = world.line("sessions repair --store {store}").exits(10).says("does not exist");
    assert!(!main.index().exists());
    // A link that leads nowhere may be a volume that is not mounted.
    #[cfg(unix)]
    {
        main.transcript(2, DAY);
        std::os::unix::fs::symlink("/nonexistent/volume/sessions.json", main.index()).unwrap();
        let _ = world.line("sessions repair").exits(1).says("sessions.json");
        assert!(main.index().symlink_metadata().unwrap().is_symlink());
    }
}

/// A repair that waits at `point` while a gateway writes an index of one new session, as it does: beside it, then renamed.
#[cfg(unix)]
fn written_anew(world: &World, main: &Folder, point: &str) -> (String, Output) {
    let tiny = json!({"agent:main:main": {"sessionId": id(9), "updatedAt": world.now()}}).to_string();
    main.file(&format!("{}.jsonl", id(9)), body(&id(9), world.now(), 1, 0), 0);
    let gate = world.home().join("gate");
    let mut command = world.command(["sessions", "repair", "--yes"]);
    command.env("CLAWKEEP_PAUSE_AT", format!("{point}:{}", gate.display()));
    let out = std::thread::scope(|scope| {
        let repair = scope.spawn(|| world.finish(command));
        while !gate.with_extension("reached").exists() && !repair.is_finished() {
            std::thread::yield_now();
        }
        main.file("new.tmp", &tiny, 0);
        std::fs::rename(main.path("new.tmp"), main.index()).unwrap();
        std::fs::write(&gate, "").unwrap();
        repair.join().unwrap()
    });
    (tiny, out)
}

/// Nothing tells of the rows that a damaged index had once a gateway has written over it, but the repair that saw them:
/// its text is kept, and the rows come back from there.
#[cfg(unix)]
#[test]
fn a_damaged_index_that_is_written_over_meanwhile_is_kept_and_named() {
    let (world, main, index) = world();
    main.file("sessions.json", &index[..index.len() * 9 / 10], 0);
    let (tiny, out) = written_anew(&world, &main, "before-swap");
    // The four, and one for the transcript that the gateway had begun.
    let out = out.exits(11).says("1 row while 5 rows were being brought back");
    let _ = out.says("sessions repair --from ").says("sessions.json.damaged.");
    assert_eq!(std::fs::read_to_string(main.index()).unwrap(), tiny, "the one that was faster stays");
    let kept = names(main.dir()).into_iter().find(|name| name.contains(".damaged.")).unwrap();
    let _ = world
        .line(&format!("sessions repair --from {} --yes", main.path(&kept).display()))
        .exits(4)
        .says("has the key now");
    let original: Value = serde_json::from_slice(&index).unwrap();
    let now = rows(&main);
    let came_back = "agent:main:telegram:direct:3";
    assert_eq!(
        (now[came_back].clone(), now["agent:main:main"]["sessionId"].clone()),
        (original[came_back].clone(), json!(id(9)))
    );
}

/// A gateway that makes its own index while the repair is about to: its rows stay, and the repair says what to do next.
#[cfg(unix)]
#[test]
fn an_index_that_appears_meanwhile_is_kept() {
    let (world, main, index) = world();
    let _ = world.line("sessions cleanup --enforce").exits(0);
    lose(&main);
    let (tiny, out) = written_anew(&world, &main, "before-create");
    let _ = out.exits(4).says("--from snapshots");
    assert_eq!(std::fs::read_to_string(main.index()).unwrap(), tiny, "the one that was faster stays");
    let _ = world.line("sessions repair --from snapshots").exits(4).says("has the key now");
    let now = rows(&main);
    let original: Value = serde_json::from_slice(&index).unwrap();
    assert_eq!(now["agent:main:cron:job-4"], original["agent:main:cron:job-4"]);
}

#[test]
fn no_row_goes_when_every_transcript_is_missing() {
    let (world, main, index) = world();
    for n in 1..=4 {
        std::fs::remove_file(main.path(&format!("{}.jsonl", id(n)))).unwrap();
    }
    main.archive(7, "deleted", 90 * DAY);
    let before = Tree::of(&world.state());
    let _ = world.plan("--fix-missing").exits(4).has("/missing", 0).has("/suspectIndex/kind", "no-transcripts");
    let _ = world.enforce("--fix-missing").exits(4).has("/missing", 0).has("/afterCount", 4);
    let out = world.line("sessions cleanup --enforce --fix-missing").exits(4);
    let _ = out.says("none of 4 rows has its transcript").says("not mounted").says("--override suspect-index");
    assert_eq!(std::fs::read(main.index()).unwrap(), index);
    assert_eq!(
        names(main.dir()),
        before
            .0
            .keys()
            .filter_map(|p| {
                let p = p.strip_prefix("agents/main/sessions").ok()?.to_str()?.to_owned();
                (!p.is_empty() && !p.starts_with(".clawkeep")).then_some(p)
            })
            .collect::<Vec<_>>()
    );
    // By hand, and for good.
    let _ = world.enforce("--fix-missing --override suspect-index").exits(0).has("/missing", 4).has("/afterCount", 0);
    let _ = world.line("sessions undo --yes").exits(0);
    assert_eq!(std::fs::read(main.index()).unwrap(), index);
}

#[test]
fn the_repair_asks_before_every_row_goes() {
    let (world, main, index) = world();
    for n in 1..=4 {
        std::fs::remove_file(main.path(&format!("{}.jsonl", id(n)))).unwrap();
    }
    let before = Tree::of(&world.state());
    let _ = world.line("sessions repair --drop-missing").exits(1).says("not mounted").says("--drop-missing --yes");
    let preview = world.line("sessions repair --drop-missing --dry-run").exits(1).silent().says("not mounted");
    let _ = preview.says("--drop-missing --dry-run --yes");
    let _ = world.line("sessions repair --drop-missing --dry-run --yes").exits(0).says("4 ");
    let _ = world.line("sessions cleanup --fix-missing --enforce --dry-run").exits(4).says("not mounted");
    // Nobody is told to drop what is only away.
    let _ = world
        .line("sessions check")
        .exits(0)
        .says("missing-transcript")
        .says("ring the files back")
        .hides("--drop-missing");
    let _ = world.line("sessions repair").exits(4).says("ring the files back").hides("--drop-missing");
    before.is_still(&world.state());
    let _ = world.line("sessions repair --drop-missing --yes").exits(0);
    assert!(main.keys().is_empty());
    let _ = world.line("sessions undo --yes").exits(0);
    assert_eq!(std::fs::read(main.index()).unwrap(), index);
}

#[test]
fn a_path_into_an_empty_folder_is_a_volume_that_is_not_mounted() {
    let world = World::new();
    world.maintenance(&json!({"mode": "warn"}));
    let main = world.agent("main");
    let volume = world.folder("volume");
    let at = volume.path(&format!("{}.jsonl", id(2)));
    main.session("agent:main:main", 1, HOUR)
        .row("agent:main:telegram:direct:2", 2, HOUR, json!({"sessionFile": at}))
        .save();
    let _ = world.enforce("--fix-missing").exits(0).has("/missing", 0).has("/afterCount", 2);
    let _ = world.line("sessions repair --drop-missing").ends();
    assert_eq!(main.keys().len(), 2);
    // Mounted, and the file is not there.
    volume.file("another.jsonl", "", DAY);
    let _ = world.enforce("--fix-missing").exits(0).has("/missing", 1).has("/afterCount", 1);
}

/// With a store of the set unread a cleanup drops the row and leaves its transcript: that is the copy then.
#[test]
fn a_row_whose_transcript_was_left_behind_comes_back() {
    let world = World::new();
    world.maintenance(&json!({"pruneAfter": "30d"}));
    let main = world.agent("main");
    let key = "agent:main:subagent:2";
    main.session("agent:main:main", 1, HOUR).session(key, 2, 60 * DAY).save();
    let index = std::fs::read(main.index()).unwrap();
    let other = world.agent("other");
    other.file("sessions.json", "{\"torn", HOUR);
    let _ = world.enforce("").exits(3).has("/pruned", 1);
    assert!(main.is_live(2) && main.keys().len() == 1, "the row went, its transcript stayed");
    let _ = world.run(["sessions", "restore", "--agent", "main", key, "--list"]).exits(0).says(&id(2));
    let out = world.run(["sessions", "restore", "--agent", "main", key, "--yes"]).exits(0);
    let _ = out.says("other").says("cannot be read");
    assert_eq!(std::fs::read(main.index()).unwrap(), index);
    assert!(main.is_live(2));
    let _ = world.run(["sessions", "undo", "--agent", "main"]).exits(0);
    assert_eq!(main.keys().len(), 1);
    assert!(main.is_live(2));
}

#[test]
fn a_row_that_a_run_took_does_not_come_back_with_a_repair() {
    let (world, main, whole) = world();
    let _ = world.run(["sessions", "rm", "agent:main:telegram:direct:3"]).exits(0);
    let left = std::fs::read(main.index()).unwrap();
    for cut in [left.len() / 3, 0] {
        main.file("sessions.json", &left[..cut], 0);
        let _ = world.line("sessions repair --yes").exits(0).hides("agent:main:telegram:direct:3");
        let original: Value = serde_json::from_slice(&whole).unwrap();
        let rows = rows(&main);
        assert_eq!(rows.as_object().unwrap().len(), 3);
        for (key, row) in rows.as_object().unwrap() {
            assert_eq!(row, &original[key], "{key}");
        }
    }
    // What was put back since is a row like any other.
    let _ = world.line("sessions restore agent:main:telegram:direct:3 --yes").exits(0);
    main.file("sessions.json", b"", 0);
    let _ = world.line("sessions repair --yes").exits(0);
    assert!(main.keys().contains(&"agent:main:telegram:direct:3".to_owned()), "{:?}", main.keys());
}

#[test]
fn a_young_row_does_not_let_the_others_go_when_all_transcripts_are_gone() {
    let (world, main, _) = world();
    main.session("agent:main:telegram:direct:9", 9, 0).save();
    for n in [1, 2, 3, 4, 9] {
        std::fs::remove_file(main.path(&format!("{}.jsonl", id(n)))).unwrap();
    }
    let before = Tree::of(&world.state());
    let _ = world.line("sessions repair --drop-missing").exits(1).says("no session of").says("4 would go");
    before.is_still(&world.state());
}

#[test]
fn rows_made_from_old_transcripts_need_a_word_where_the_gateway_would_prune_them() {
    let world = World::new();
    let main = world.agent("main");
    main.transcript(1, 40 * DAY).transcript(2, HOUR).file("sessions.json", "{}", 0);
    let before = Tree::of(&world.state());
    for line in ["--from headers".to_owned(), format!("--adopt {}", id(1))] {
        let _ = world
            .line(&format!("sessions repair {line}"))
            .exits(1)
            .says("1 rows would be removed again")
            .says(&format!("sessions repair {line} --yes"));
        before.is_still(&world.state());
    }
    let _ = world.line("sessions repair --from headers --yes").exits(0);
    assert_eq!(main.keys().len(), 2);
}

#[test]
fn an_index_that_is_missing_beside_archives_alone_is_no_dead_end() {
    let world = World::new();
    world.maintenance(&json!({"mode": "warn"}));
    let main = world.agent("main");
    main.session("agent:main:telegram:direct:1", 1, HOUR).session("agent:main:telegram:direct:2", 2, DAY).save();
    let whole = std::fs::read(main.index()).unwrap();
    let _ = world.run(["sessions", "rm", "*", "--yes"]).exits(0);
    lose(&main);
    let _ = world.line("sessions check").exits(4).says("index-missing").says("repair: clawkeep sessions repair");
    let _ = world.line("sessions undo --yes").exits(1).says("sessions repair --agent main --dry-run");
    let _ = world.line("sessions repair").exits(0).says("an empty index");
    assert_eq!(std::fs::read(main.index()).unwrap(), b"{}");
    let run = clawkeep::journal::read::list(main.dir()).unwrap()[0].id.clone();
    let _ = world.run(["sessions", "undo", &run, "--yes"]).exits(0);
    let original: Value = serde_json::from_slice(&whole).unwrap();
    assert_eq!(rows(&main), original);
}

#[test]
fn a_tiny_index_that_nothing_vouches_for_names_the_source_that_exists() {
    let world = World::new();
    world.maintenance(&json!({"mode": "warn"}));
    let main = world.agent("main");
    for n in 1..=24 {
        main.session(&format!("agent:main:telegram:direct:{n}"), n, HOUR);
    }
    main.save();
    let whole = std::fs::read(main.index()).unwrap();
    main.file("sessions.json", "{}", 0);
    let _ = world.line("sessions list").exits(0).says("beside 24 transcripts").says("sessions check");
    let _ = world.line("sessions check").exits(4).says("index-suspect").says("sessions repair --from headers");
    let _ = world.line("sessions repair").exits(4).says("--from headers");
    let _ = world.line("sessions repair --from snapshots").exits(4).says("--from headers");
    let _ = world.line("sessions cleanup --dry-run").says("sessions repair --dry-run");
    let copy = format!("sessions.json.bak.{}", world.now());
    main.file(&copy, &whole, 0);
    let _ = world.line("sessions check").exits(4).says(&copy);
    let _ = world.line("sessions repair").exits(4).says(&format!("{copy} --dry-run"));
    let copy = main.path(&copy);
    let _ = world.run(["sessions", "repair", "--from", copy.to_str().unwrap()]).exits(0);
    assert_eq!(rows(&main), serde_json::from_slice::<Value>(&whole).unwrap());
}

#[test]
fn a_byte_order_mark_goes_and_undo_brings_it_back() {
    let (world, main, whole) = world();
    let marked = [b"\xef\xbb\xbf", &whole[..]].concat();
    main.file("sessions.json", &marked, 0);
    let _ = world.line("sessions check").exits(4).says("index-bom").says("repair: clawkeep sessions repair");
    let _ = world.line("sessions repair").exits(0).says("byte order mark");
    assert_eq!(std::fs::read(main.index()).unwrap(), whole);
    let _ = world.line("sessions repair").exits(0).says("nothing to repair");
    let _ = world.line("sessions undo").exits(0).says("To mend it again: clawkeep sessions repair").hides("undone:");
    assert_eq!(std::fs::read(main.index()).unwrap(), marked);
}

#[test]
fn earlier_copies_of_a_live_session_are_listed() {
    let (world, main, _) = world();
    let _ = world.line("sessions restore agent:main:main --list").exits(0).says("0 copies").says("is live");
    main.archive(1, "reset", DAY);
    let _ = world.line("sessions restore agent:main:main --list").exits(0).says(".reset.");
    let _ = world.line("sessions restore agent:main:main").exits(1).says("--list");
}

#[test]
fn a_refusal_names_the_command_that_was_refused() {
    let world = World::new();
    let main = world.agent("main");
    main.session("agent:main:telegram:direct:1", 1, 40 * DAY)
        .session("agent:main:telegram:direct:2", 2, 40 * DAY)
        .save();
    let _ = world.run(["sessions", "rm", "*", "--yes"]).exits(0);
    let run = clawkeep::journal::read::list(main.dir()).unwrap()[0].id.clone();
    let key = "agent:main:telegram:direct:1";
    let _ = world
        .run(["sessions", "undo", &run, "--key", key])
        .exits(1)
        .says(&format!("sessions undo {run} --key {key} --agent main --yes"));
    let _ = world
        .run(["sessions", "restore", key, "--as", "agent:main:x"])
        .exits(1)
        .says(&format!("sessions restore --as agent:main:x --yes {key}"));
}

#[test]
fn a_cleanup_says_that_the_gateway_cannot_read_an_index_with_a_byte_order_mark() {
    let world = World::new();
    let main = world.agent("main");
    main.session("agent:main:main", 1, HOUR).session("agent:main:subagent:2", 2, 40 * DAY).save();
    let text = std::fs::read_to_string(main.index()).unwrap();
    main.file("sessions.json", format!("\u{feff}{text}"), 0);
    for line in ["sessions cleanup --dry-run", "sessions cleanup --enforce"] {
        let _ = world.line(line).exits(0).says("byte order mark").says("clawkeep sessions repair");
    }
    assert!(std::fs::read_to_string(main.index()).unwrap().starts_with('\u{feff}'), "what is not asked for stays");
    let _ = world.line("sessions repair").exits(0);
    let plan = world.plan("").exits(0);
    assert!(!plan.stdout.contains("byte order mark"), "{}", plan.stdout);
}
