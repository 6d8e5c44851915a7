//! A kill at every numbered operation of a fix of the state: no content is ever lost, rows stay a subset of files, and the
//! next run ends where an undisturbed one does.

use std::collections::BTreeSet;

use serde_json::Value;

use super::state::old_state;
use crate::common::{Tree, World};
use crate::crash::scene::restore;

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
    let precious: BTreeSet<Vec<u8>> = fresh
        .0
        .iter()
        .filter(|(path, _)| path.extension().is_some_and(|e| e == "jsonl" || e == "txt"))
        .map(|(_, entry)| entry.content.clone())
        .collect();
    let log = world.home().join("operations");
    let _ = with(&world, "CLAWKEEP_FAULT_LOG", log.to_str().unwrap());
    let operations = std::fs::read_to_string(&log).unwrap().lines().count();
    std::fs::remove_file(&log).unwrap();
    let end = picture(&world);
    assert!(operations > 40, "only {operations} operations");
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
        let now = picture(&world);
        let differs: Vec<_> = now.symmetric_difference(&end).map(|(path, _)| path).collect();
        // A folder that was emptied and not yet taken away when the run was killed is an ordinary empty folder.
        let emptied = |path: &str| [".openclaw/sessions", ".openclaw/agent"].contains(&path);
        let stamped = |path: &&String| {
            emptied(path) || path.contains(".legacy-") || path.ends_with(".bak") || path.contains(".bak.")
        };
        assert!(differs.iter().all(stamped), "operation {n}: {differs:?}");
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
