//! A kill, and an error, at every numbered operation of a fix of the state: no content is ever lost, rows stay a subset of files, and the
//! next run ends where an undisturbed one does.

use std::collections::BTreeSet;

use serde_json::Value;

use super::state::old_state;
use crate::common::{Tree, World};
use crate::crash::scene::restore;

const ERRORS: &[&str] = &["EIO", "ENOSPC", "EDQUOT", "EACCES", "EXDEV", "ENOENT", "EINTR"];
const LINE: &str = "doctor --fix --state-only --json";

/// Contents of every file, wherever it is.
fn contents(world: &World) -> BTreeSet<Vec<u8>> {
    Tree::of(&world.home()).0.into_values().map(|entry| entry.content).collect()
}

/// Names and contents without our own records and what a stamp makes different.
fn picture(world: &World) -> BTreeSet<(String, Vec<u8>)> {
    Tree::of(&world.home())
        .0
        .into_iter()
        .map(|(path, entry)| (path.to_string_lossy().into_owned(), entry.content))
        .filter(|(path, _)| !path.contains(".clawkeep") && !path.ends_with("operations"))
        .collect()
}

fn with(world: &World, name: &str, value: &str) -> Option<i32> {
    let mut command = world.command(LINE.split(' '));
    command.env(name, value);
    world.finish(command).code
}

#[test]
fn a_fix_of_the_state_survives_a_kill_at_any_operation() {
    let world = old_state();
    let fresh = Tree::of(&world.home());
    let precious = precious(&fresh);
    let (operations, end) = undisturbed(&world);
    for n in 1..=operations {
        restore(&world.home(), &fresh);
        let code = with(&world, "CLAWKEEP_FAULT", &format!("{n}:kill"));
        assert_eq!(code, None, "operation {n} was not reached");
        holds(&world, &precious, n);
        // The next run closes what was interrupted; where that was given up, the one after it does the rest.
        for _ in 0..2 {
            let _ = world.line(LINE).ends();
        }
        holds(&world, &precious, n);
        ends_the_same(&world, &end, n);
    }
}

/// Contents that must never be gone.
fn precious(fresh: &Tree) -> BTreeSet<Vec<u8>> {
    let files = fresh.0.iter().filter(|(path, _)| path.extension().is_some_and(|e| e == "jsonl" || e == "txt"));
    files.map(|(_, entry)| entry.content.clone()).collect()
}

/// How many operations a fix takes, and what it leaves.
fn undisturbed(world: &World) -> (usize, BTreeSet<(String, Vec<u8>)>) {
    let log = world.home().join("operations");
    let _ = with(world, "CLAWKEEP_FAULT_LOG", log.to_str().unwrap());
    let operations = std::fs::read_to_string(&log).unwrap().lines().count();
    std::fs::remove_file(&log).unwrap();
    assert!(operations > 40, "only {operations} operations");
    (operations, picture(world))
}

fn ends_the_same(world: &World, end: &BTreeSet<(String, Vec<u8>)>, n: usize) {
    let now = picture(world);
    let differs: Vec<_> = now.symmetric_difference(end).map(|(path, _)| path).collect();
    // A folder that was emptied and not yet taken away when the run was killed is an ordinary empty folder.
    let emptied = |path: &str| [".openclaw/sessions", ".openclaw/agent"].contains(&path);
    let stamped =
        |path: &&String| emptied(path) || path.contains(".legacy-") || path.ends_with(".bak") || path.contains(".bak.");
    assert!(differs.iter().all(stamped), "operation {n}: {differs:?}");
}

/// An error at an operation, where it is one that the operation can give: nothing is lost, and the next run without errors
/// ends where an undisturbed one does. Each error is tried at every ninth operation, each at others.
#[test]
fn a_fix_of_the_state_survives_an_error_at_any_operation() {
    let world = old_state();
    let fresh = Tree::of(&world.home());
    let precious = precious(&fresh);
    let (operations, end) = undisturbed(&world);
    for (which, error) in ERRORS.iter().enumerate() {
        for n in (1 + which..=operations).step_by(9) {
            restore(&world.home(), &fresh);
            let code = with(&world, "CLAWKEEP_FAULT", &format!("{n}:{error}"));
            assert!(code.is_some_and(|code| [0, 1, 3, 4, 11].contains(&code)), "operation {n}, {error}: {code:?}");
            holds(&world, &precious, n);
            for _ in 0..2 {
                let _ = world.line(LINE).ends();
            }
            holds(&world, &precious, n);
            ends_the_same(&world, &end, n);
        }
    }
}

fn holds(world: &World, precious: &BTreeSet<Vec<u8>>, n: usize) {
    let all = contents(world);
    assert!(precious.iter().all(|content| all.contains(content)), "operation {n}: a content is gone");
    let main = world.agent("main");
    let index: Value = serde_json::from_slice(&std::fs::read(main.index()).unwrap()).unwrap();
    for (key, row) in index.as_object().unwrap() {
        let id = row["sessionId"].as_str().unwrap();
        assert!(main.has(&format!("{id}.jsonl")), "operation {n}: {key} has no file");
    }
}
