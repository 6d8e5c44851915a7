//! A dead owner never blocks, a living one is never bypassed.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::process::Command;

use serde_json::json;

use crate::common::{DAY, Folder, HOUR, MINUTE, Tree, World, body, id};

fn world() -> (World, Folder) {
    let world = World::new();
    world.config(&json!({"gateway": {"mode": "local"}, "session": {"maintenance": {"pruneAfter": "30d"}}}));
    let main = world.agent("main");
    (world, main)
}

#[test]
fn the_lock_of_a_dead_process_does_not_hold_anything() {
    let (world, main) = world();
    let mut child = Command::new("true").spawn().unwrap();
    child.wait().unwrap();
    main.session("agent:main:subagent:a", 1, 60 * DAY).lock(1, child.id(), 2 * HOUR).save();
    let _ = world.enforce("").exits(0).has("/pruned", 1);
    assert!(main.keys().is_empty());
    assert!(main.is_archived(1));
}

#[test]
fn a_living_lock_holds_its_row_and_its_file_and_nothing_else() {
    let (world, main) = world();
    main.session("agent:main:subagent:a", 1, 60 * DAY).session("agent:main:subagent:b", 2, 60 * DAY);
    main.lock(1, std::process::id(), 0).save();
    let out = world.enforce("").exits(3).has("/pruned", 1);
    assert!(out.stdout.contains("agent:main:subagent:a"), "names the busy session\n{}", out.picture());
    assert_eq!(main.keys(), ["agent:main:subagent:a"]);
    assert!(main.is_live(1) && main.is_archived(2));
    assert!(main.has(&format!("{}.jsonl.lock", id(1))));
}

#[test]
fn a_lock_that_cannot_be_read_counts_as_alive_only_while_fresh() {
    let (world, main) = world();
    main.session("agent:main:subagent:a", 1, 60 * DAY).session("agent:main:subagent:b", 2, 60 * DAY).save();
    main.file(&format!("{}.jsonl.lock", id(1)), "", 0).file(&format!("{}.jsonl.lock", id(2)), "garbage", HOUR);
    let _ = world.enforce("").exits(3);
    assert_eq!(main.keys(), ["agent:main:subagent:a"]);
}

#[test]
fn a_port_on_which_nothing_listens_is_no_owner() {
    let (world, main) = world();
    main.session("agent:main:main", 1, HOUR).session("agent:main:subagent:o", 2, 60 * DAY).save();
    let _ = world.line("sessions cleanup --enforce --json").exits(0).has("/pruned", 1);
}

#[test]
fn a_gateway_that_answers_is_not_worked_around() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let server = std::thread::spawn(move || {
        // Refuses each caller as a gateway without our token does. The test's end ends the process, and with it this.
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            let _ = stream.set_read_timeout(Some(std::time::Duration::from_millis(200)));
            let _ = stream.read(&mut [0; 4096]);
            let _ = stream.write_all(b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        }
    });
    let (world, main) = world();
    let world = world.var("OPENCLAW_GATEWAY_PORT", port.to_string());
    main.session("agent:main:main", 1, HOUR).session("agent:main:subagent:o", 2, 60 * DAY).save();
    let before = Tree::of(&world.state());
    let _ = world.line("sessions cleanup --enforce --json").exits(11).silent().says("gateway");
    let _ = world.enforce("").exits(11).silent().says("live-gateway");
    before.is_still(&world.state());
    let _ = world.plan("").exits(0).has("/pruned", 1);
    let _ = world.line("sessions").exits(0);
    before.is_still(&world.state());
    let _ = world.enforce("--override live-gateway").exits(0).has("/pruned", 1);
    drop(server);
}

#[test]
fn keys_that_differ_by_letter_case_are_two_people() {
    let (world, main) = world();
    main.session("agent:main:matrix:direct:!AbC:example.org", 1, HOUR)
        .session("agent:main:matrix:direct:!abc:example.org", 2, 50 * DAY)
        .save();
    let _ = world.enforce("").exits(0).has("/pruned", 1).has("/afterCount", 1);
    assert_eq!(main.keys(), ["agent:main:matrix:direct:!AbC:example.org"]);
    assert!(main.is_live(1));
}

#[test]
fn two_runs_at_once_do_not_both_work() {
    let (world, main) = world();
    main.session("agent:main:main", 1, HOUR);
    for n in 2..200 {
        main.row(&format!("agent:main:subagent:{n}"), n, 60 * DAY, json!({})).file(
            &format!("{}.jsonl", id(n)),
            body(&id(n), world.now() - 60 * DAY, 1, 0),
            60 * DAY,
        );
    }
    main.save();
    let runs: Vec<_> = std::thread::scope(|scope| {
        let start = || scope.spawn(|| world.enforce(""));
        [start(), start(), start()].map(|run| run.join().unwrap()).into()
    });
    for run in &runs {
        assert!(matches!(run.code, Some(0 | 11)), "{}", run.picture());
    }
    assert!(runs.iter().any(|run| run.code == Some(0)));
    assert_eq!(main.keys(), ["agent:main:main"]);
    assert_eq!((2..200).filter(|n| main.is_archived(*n)).count(), 198, "each one archived exactly once");
}

#[test]
fn a_lock_on_a_row_that_no_rule_wants_holds_nothing_back() {
    let (world, main) = world();
    main.session("agent:main:main", 1, 60 * DAY).session("agent:main:telegram:group:-5", 2, 60 * DAY);
    main.session("agent:main:webchat:direct:3", 3, 60 * DAY).session("agent:main:webchat:direct:4", 4, HOUR);
    for n in 1..=4 {
        main.lock(n, std::process::id(), 0);
    }
    main.save();
    let out = world.enforce("--keep *:direct:3").exits(0).has("/pruned", 0).has("/held", json!({}));
    assert_eq!(out.number("/kept/protected/rows"), 1);
    let _ = world.enforce("").exits(3).has("/held/live-lock/rows", 1);
    assert_eq!(main.keys().len(), 4);
}

/// Who looks at a list sees which conversation is in use, by whom and since when, and which lock is nobody's.
#[test]
fn lists_say_who_holds_a_transcript_and_for_how_long() {
    let (world, main) = world();
    let mut child = Command::new("true").spawn().unwrap();
    child.wait().unwrap();
    let (held, gone) = (std::process::id(), child.id());
    main.session("agent:main:held", 1, HOUR).session("agent:main:stale", 2, HOUR).session("agent:main:free", 3, HOUR);
    main.lock(1, held, 5 * MINUTE).lock(2, gone, 2 * DAY).save();
    let owner = format!("held by process {held}, 5m old");
    let stale = format!("stale, 2d old: process {gone} does not exist");
    let _ = world
        .line("sessions list")
        .exits(0)
        .says(&format!("Lock on agent:main:held: {owner}"))
        .says(&format!("Lock on agent:main:stale: {stale}"))
        .hides("Lock on agent:main:free");
    let list = world.line("sessions list --json").exits(0).json();
    let lock = |key: &str| {
        let rows = list["sessions"].as_array().unwrap();
        rows.iter().find(|row| row["key"] == key).unwrap()["lock"].clone()
    };
    assert_eq!((&lock("agent:main:held")["state"], &lock("agent:main:held")["pid"]), (&json!("held"), &json!(held)));
    assert!(lock("agent:main:held")["ageMs"].as_i64().unwrap() >= 5 * MINUTE);
    assert_eq!(
        (&lock("agent:main:stale")["state"], &lock("agent:main:stale")["text"]),
        (&json!("stale"), &json!(stale))
    );
    assert!(lock("agent:main:free").is_null());
    let _ = world.line("sessions show agent:main:held").exits(0).says(&owner);
    let _ = world.line("sessions show agent:main:stale").exits(0).says(&stale);
}

/// An undo that leaves a file alone because somebody is at work on it names that file, and does not call it gone.
#[test]
fn an_undo_names_what_a_lock_made_it_leave() {
    let (world, main) = world();
    main.session("agent:main:main", 1, HOUR).session("agent:main:a", 2, HOUR).save();
    let _ = world.line("sessions rm agent:main:a --yes").exits(0);
    let _ = world.line("sessions restore agent:main:a --yes").exits(0);
    main.lock(2, std::process::id(), 0);
    let out = world.line("sessions undo --yes").exits(3).hides("Files removed again");
    let _ = out.says(&format!("{}.jsonl: a live process locked it meanwhile", id(2)));
    assert!(main.is_live(2));
}
