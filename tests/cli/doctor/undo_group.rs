//! A fix of the doctor is many runs, one a folder, and one thing to whoever ran it: they go back together or not at all.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::state::old_state;
use crate::common::{DAY, HOUR, Tree, World, id};

/// Names of files and what is in them.
type Content = Vec<(String, Vec<u8>)>;

/// Names and contents of what belongs to the user: no records and backups of ours, no empty folders.
fn content(world: &World) -> Content {
    let tree = Tree::of(&world.state()).0.into_iter();
    tree.map(|(path, entry)| (path.to_string_lossy().into_owned(), entry.content))
        .filter(|(path, content)| !path.contains(".clawkeep") && !content.is_empty() && !path.ends_with(".bak"))
        .collect()
}

/// An old state with a fix of the configuration too, and the ids of the runs that fixed it.
fn fixed() -> (World, Content, Vec<String>) {
    let world = old_state();
    world.config_text("{ session: { maintenance: { mode: \"warn\", rotateBytes: 1 } } } // mine\n");
    let before = content(&world);
    let report = world.line("doctor --fix --json").ends().json();
    let runs: Vec<String> = report["runIds"].as_array().unwrap().iter().map(|r| r.as_str().unwrap().into()).collect();
    assert!(runs.len() > 6, "{report:#}");
    assert_eq!(runs.iter().collect::<BTreeSet<_>>().len(), runs.len(), "one name for two runs: {runs:?}");
    (world, before, runs)
}

#[test]
fn a_plain_undo_takes_the_whole_fix_back_and_its_own_undo_does_it_again() {
    let (world, before, runs) = fixed();
    let after = content(&world);
    let undone = world.line("sessions undo --yes --json").exits(0).json();
    assert!(content(&world) == before);
    let newest_first: Vec<&str> = runs.iter().rev().map(String::as_str).collect();
    assert_eq!(undone["runs"], json!(newest_first), "{undone:#}");
    assert_eq!(undone["run"], json!(runs[0]));
    let _ = world.line("sessions undo --yes").exits(1).says("no run to undo");
    let _ = world.line(&format!("sessions undo {} --yes", runs[2])).exits(1).says("undone already");
    let again = undone["runId"].as_str().unwrap();
    let _ = world.line(&format!("sessions undo {again} --yes")).exits(0);
    assert!(content(&world) == after);
}

#[test]
fn any_of_its_runs_stands_for_the_whole_fix() {
    for nr in [0, 3, usize::MAX] {
        let (world, before, runs) = fixed();
        let run = runs.get(nr).unwrap_or(&runs[runs.len() - 1]);
        let _ = world.line(&format!("sessions undo {run} --dry-run")).exits(0).says("notes.txt");
        let _ = world.line(&format!("sessions undo {run} --yes")).exits(0).says(&format!("the {} runs", runs.len()));
        assert!(content(&world) == before, "{nr}");
    }
}

#[test]
fn reports_show_one_command_and_one_line() {
    let world = old_state();
    let text = world.line("doctor --fix").ends().stdout;
    assert_eq!(text.matches("clawkeep sessions undo ").count(), 1, "{text}");
    let first = text.trim_end().rsplit(' ').next().unwrap().to_owned();
    let listed = world.line("sessions runs").exits(0).stdout;
    assert!(listed.contains(" runs)") && listed.matches("doctor").count() == 1, "{listed}");
    assert_eq!(listed.matches(&first).count(), 2, "a row, and the command that undoes it: {listed}");
    let _ = world.line(&format!("sessions undo {first} --yes")).exits(0);
    let listed = world.line("sessions runs").exits(0).stdout;
    assert!(listed.lines().any(|line| line.trim().starts_with(&first) && line.ends_with("undone")), "{listed}");
}

#[test]
fn what_is_in_the_way_of_one_run_stops_the_undo_of_all() {
    let (world, _, runs) = fixed();
    // The first to go back are the last ones; this is in the way of the configuration, the very first.
    let later = std::time::UNIX_EPOCH + std::time::Duration::from_secs(world.now().unsigned_abs() / 1000 + 3600);
    let file = std::fs::File::options().append(true).open(world.config_path()).unwrap();
    std::io::Write::write_all(&mut &file, b"// since\n").unwrap();
    file.set_modified(later).unwrap();
    let before = Tree::of(&world.home());
    let _ = world.line("sessions undo --yes").exits(1).says("partial-undo").says("openclaw.json");
    before.is_still(&world.home());
    let _ = world.line("sessions undo --yes --override partial-undo").exits(3).says("written since");
    assert!(std::fs::read_to_string(world.config_path()).unwrap().ends_with("// since\n"));
    assert!(world.state().join("sessions/sessions.json").is_file(), "{runs:?}");
}

#[test]
fn a_record_that_is_gone_is_said_before_the_rest_goes_back() {
    let (world, _, runs) = fixed();
    let record = |folder: &str| world.state().join(folder).join(".clawkeep/runs").join(&runs[2]);
    let record = ["", "agents/main/sessions"].map(record).into_iter().find(|path| path.is_dir()).unwrap();
    std::fs::remove_dir_all(record).unwrap();
    let before = Tree::of(&world.home());
    let _ = world.line("sessions undo --yes").exits(1).says("not recorded any more");
    before.is_still(&world.home());
}

#[test]
fn the_records_of_one_fix_are_forgotten_together() {
    let (world, _, runs) = fixed();
    let main = world.agent("main");
    main.session("agent:main:x", 9, DAY).save();
    let removed = world.line("sessions rm agent:main:x --yes --json").exits(0).json();
    let other = removed.pointer("/stores/0/runId").and_then(Value::as_str).unwrap_or_else(|| panic!("{removed:#}"));
    let forgot = world.line(&format!("sessions runs --forget {} --yes --json", runs[2])).exits(0).json();
    let mut gone: Vec<&str> =
        forgot["forgotten"].as_array().unwrap().iter().map(|f| f["run"]["id"].as_str().unwrap()).collect();
    gone.sort_unstable();
    let mut all: Vec<&str> = runs.iter().map(String::as_str).collect();
    all.sort_unstable();
    assert_eq!(gone, all, "{forgot:#}");
    // What is no part of it stays, and can be undone.
    let left = world.line("sessions runs --json").exits(0).json();
    let left: Vec<&str> = left["runs"].as_array().unwrap().iter().map(|r| r["id"].as_str().unwrap()).collect();
    assert_eq!(left, [other]);
    let _ = world.line(&format!("sessions undo {other} --yes")).exits(0);
    assert!(main.is_live(9));
}

#[test]
fn a_fix_of_the_configuration_alone_is_the_last_run() {
    let world = World::new();
    world.config_text("{ session: { parentForkMaxTokens: 5 } }");
    world.agent("main").session("agent:main:main", 1, HOUR).save();
    let _ = world.line("doctor --fix --config-only").exits(0);
    let _ = world.line("sessions undo").exits(0);
    assert_eq!(std::fs::read_to_string(world.config_path()).unwrap(), "{ session: { parentForkMaxTokens: 5 } }");
}

#[test]
fn two_fixes_of_one_file_go_back_one_after_the_other() {
    let world = World::new();
    let texts = ["{ session: { parentForkMaxTokens: 5, maintenance: { rotateBytes: 1 } } }"];
    world.config_text(texts[0]);
    let _ = world.line("doctor --fix --config-only --only session-rotate-bytes").ends();
    let _ = world.line("doctor --fix --config-only --only session-parent-fork-max-tokens").ends();
    let _ = world.line("sessions undo").exits(0);
    let _ = world.line("sessions undo").exits(0);
    assert_eq!(std::fs::read_to_string(world.config_path()).unwrap(), texts[0]);
}

#[test]
fn a_row_that_was_used_since_keeps_the_fix() {
    let world = World::new();
    world.config(&json!({ "session": { "maintenance": { "mode": "warn" } } }));
    let old = world.folder(".openclaw/sessions");
    old.session("main", 1, DAY).save();
    let main = world.agent("main");
    main.session("cron:Job", 5, DAY).save();
    let _ = world.line("doctor --fix").ends();
    let mut index: Value = serde_json::from_slice(&std::fs::read(main.index()).unwrap()).unwrap();
    index["agent:main:main"]["lastTo"] = json!("me");
    std::fs::write(main.index(), index.to_string()).unwrap();
    let before = Tree::of(&world.home());
    let _ = world.line("sessions undo --yes").exits(1).says("was used since");
    before.is_still(&world.home());
    assert!(main.is_live(1));
}

/// `sessions undo` with a variable of the fault hook; its exit code.
fn undo_with(world: &World, name: &str, value: &str) -> Option<i32> {
    let mut command = world.command(["sessions", "undo", "--yes"]);
    command.env(name, value);
    world.finish(command).code
}

#[test]
fn an_undo_that_is_killed_anywhere_is_finished_by_the_same_command() {
    let (world, ..) = fixed();
    let log = world.home().join("operations");
    assert_eq!(undo_with(&world, "CLAWKEEP_FAULT_LOG", log.to_str().unwrap()), Some(0));
    let operations = std::fs::read_to_string(&log).unwrap().lines().count();
    assert!(operations > 100, "only {operations} operations");
    for n in (1..=operations).step_by(11) {
        // Folders and links are told by their inodes: a copy of the tree would be another one.
        let (world, before, _) = fixed();
        // Which of two snapshots of one second counts as the newer is left to their hashes, so that one more (6 operations) is
        // kept or not: the last operations are not always reached.
        match undo_with(&world, "CLAWKEEP_FAULT", &format!("{n}:kill")) {
            Some(0) if n + 22 > operations => continue,
            code => assert_eq!(code, None, "operation {n} was not reached"),
        }
        let all: Vec<Vec<u8>> = Tree::of(&world.home()).0.into_values().map(|entry| entry.content).collect();
        for session in (1..=5).map(|n| id(n).into_bytes()) {
            let holds = |content: &Vec<u8>| content.windows(session.len()).any(|w| w == session);
            assert!(all.iter().any(holds), "operation {n}: a session is gone");
        }
        // An undo that had not begun when it was killed is only closed; then it is asked for again.
        for _ in 0..2 {
            let _ = world.line("sessions undo --yes").ends();
        }
        let now = content(&world);
        let differs: Vec<_> = now.iter().filter(|file| !before.contains(file)).map(|(path, _)| path).collect();
        assert!(now == before, "operation {n}: {differs:?}");
    }
}
