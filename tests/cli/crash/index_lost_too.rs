//! A run is killed, and the index is lost in the same crash: what the record of the run still holds of it comes back.

use serde_json::{Value, json};

use super::scene::restore;
use crate::common::{DAY, Folder, HOUR, Output, Tree, World};

/// Sessions that stay, and sessions that a cleanup takes.
fn world() -> (World, Folder) {
    let world = World::new();
    world.maintenance(&json!({"mode": "warn", "pruneAfter": "5d"}));
    let main = world.agent("main");
    for n in 1..=3 {
        main.session(&format!("agent:main:telegram:direct:{n}"), n, HOUR);
    }
    for n in 4..=6 {
        main.session(&format!("agent:main:telegram:direct:{n}"), n, 10 * DAY);
    }
    main.save();
    (world, main)
}

fn faulty(world: &World, line: &str, fault: &str) -> Output {
    let mut command = world.command(line.split_whitespace());
    command.env("CLAWKEEP_FAULT", fault);
    world.finish(command)
}

fn operations(world: &World, line: &str) -> u64 {
    let log = world.home().join("operations");
    let mut command = world.command(line.split_whitespace());
    command.env("CLAWKEEP_FAULT_LOG", &log);
    let _ = world.finish(command).exits(0);
    std::fs::read_to_string(&log).unwrap().lines().count() as u64
}

/// Loses the index after a cleanup that was killed at every operation, and brings its rows back by `repair`.
fn comes_back(lose: impl Fn(&Folder), repair: &str) {
    let (world, main) = world();
    let original: Value = serde_json::from_slice(&std::fs::read(main.index()).unwrap()).unwrap();
    let start = Tree::of(&world.home());
    let line = "sessions cleanup --enforce --yes";
    let mut swapped = 0;
    for n in 1..=operations(&world, line) {
        restore(&world.home(), &start);
        let killed = faulty(&world, line, &format!("{n}:kill"));
        // Before the swap the lost index is the only one there is.
        if main.keys().len() == 6 {
            continue;
        }
        swapped += 1;
        lose(&main);
        let context = format!("killed at {n}:\n{}", killed.picture());
        let first = world.line("sessions repair").ends();
        let second = world.line(repair).ends();
        let context = format!("{context}\nthen:\n{}\n{}", first.picture(), second.picture());
        let rows: Value = serde_json::from_slice(&std::fs::read(main.index()).unwrap()).expect(&context);
        for key in (1..=3).map(|n| format!("agent:main:telegram:direct:{n}")) {
            assert_eq!(rows[&key], original[&key], "{key}: {context}");
        }
    }
    assert!(swapped > 5, "{swapped}");
}

#[test]
fn a_tiny_index_after_a_killed_cleanup_gets_the_rows_that_the_record_holds() {
    comes_back(
        |main| {
            // A gateway writes a new file in its place.
            std::fs::remove_file(main.index()).unwrap();
            std::fs::write(main.index(), "{}").unwrap();
        },
        "sessions repair --from snapshots --yes",
    );
}

#[test]
fn a_missing_index_after_a_killed_cleanup_gets_the_rows_that_the_record_holds() {
    comes_back(|main| std::fs::remove_file(main.index()).unwrap(), "sessions repair --yes");
}

#[test]
fn a_killed_repair_of_a_damaged_index_can_be_undone() {
    let (world, main) = world();
    let whole = std::fs::read(main.index()).unwrap();
    let damaged = &whole[..whole.len() / 2];
    main.file("sessions.json", damaged, 0);
    let start = Tree::of(&world.home());
    let line = "sessions repair --yes";
    let mut swapped = 0;
    for n in 1..=operations(&world, line) {
        restore(&world.home(), &start);
        let killed = faulty(&world, line, &format!("{n}:kill"));
        if std::fs::read(main.index()).unwrap() == damaged {
            continue;
        }
        swapped += 1;
        let undone = world.line("sessions undo --yes").ends();
        let context = format!("killed at {n}:\n{}\nthen:\n{}", killed.picture(), undone.picture());
        assert_eq!(undone.code, Some(0), "{context}");
        assert!(std::fs::read(main.index()).unwrap() == damaged, "{context}");
    }
    assert!(swapped > 3, "{swapped}");
}
