//! What is said when something is odd: it must be true, and say what was done.

#![cfg(unix)]

use std::fs::OpenOptions;
use std::process::Stdio;

use serde_json::json;

use crate::common::{DAY, HOUR, World};

/// One stale row beside the main session.
fn world() -> World {
    let world = World::new();
    world.maintenance(&json!({"pruneAfter": "7d"}));
    world.agent("main").session("agent:main:main", 1, HOUR).session("agent:main:subagent:2", 2, 40 * DAY).save();
    world
}

#[test]
#[cfg(target_os = "linux")]
fn a_lost_report_does_not_hide_that_the_run_was_done() {
    let world = world();
    let run = |words: &[&str]| {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut child = world.command(words).stdout(full).stderr(Stdio::piped()).spawn().unwrap();
        let code = child.wait().unwrap().code();
        let mut text = String::new();
        std::io::Read::read_to_string(&mut child.stderr.take().unwrap(), &mut text).unwrap();
        (code, text)
    };
    let (code, text) = run(&["sessions", "cleanup", "--enforce"]);
    assert_eq!(code, Some(3), "{text}");
    assert!(text.contains("the run was carried out (run ") && text.contains("could not be written"), "{text}");
    assert!(world.agent("main").is_archived(2));
    let (code, text) = run(&["sessions", "list"]);
    assert_eq!(code, Some(1), "nothing was done, so nothing is partial: {text}");
}

#[test]
fn a_fixed_time_is_said_and_a_wrong_one_is_refused() {
    let now = world().now().to_string();
    let _ = world().var("CLAWKEEP_TEST_NOW_MS", now).line("sessions").exits(0).says("running at a fixed time");
    let _ = world().var("CLAWKEEP_TEST_NOW_MS", "yesterday").line("sessions").exits(2).says("CLAWKEEP_TEST_NOW_MS");
}

#[test]
fn a_transcript_whose_name_cannot_grow_keeps_its_row() {
    let world = world();
    let main = world.agent("main");
    let name = format!("{}.jsonl", "n".repeat(240));
    main.row("agent:main:subagent:long", 3, 40 * DAY, json!({"sessionFile": name}))
        .session("agent:main:main", 1, HOUR)
        .file(&name, "{}\n", 40 * DAY)
        .save();
    let _ = world.enforce("").exits(0).says("name-too-long");
    assert!(main.has(&name) && main.keys().contains(&"agent:main:subagent:long".to_owned()));
}

#[test]
fn a_main_session_within_grace_has_no_time_to_go() {
    let world = world();
    world.agent("main").session("agent:main:main", 1, 60_000).save();
    let _ = world.run(["sessions", "show", "agent:main:main"]).exits(0).says("[young]").hides("; goes ");
}

#[test]
fn wrong_values_and_places_are_named() {
    let world = world();
    let _ = world.run(["sessions", "cleanup", "--keep", ""]).exits(2).says("empty pattern");
    let _ = world.run(["--state-dir", "/nowhere/at/all", "disk"]).exits(10).says("does not exist");
    std::fs::write(world.agent("main").path(".clawkeep"), "").unwrap();
    let _ = world.line("sessions cleanup --enforce").fails().says("it must be a folder");
}

#[test]
fn a_run_that_only_deletes_offers_no_undo() {
    let world = World::new();
    let main = world.agent("main");
    main.session("agent:main:main", 1, HOUR).archive(10, "deleted", 90 * DAY).save();
    let _ = world.line("sessions cleanup --enforce").exits(0).says("deleted").hides("Undo:");
    assert!(!main.is_archived(10));
}

#[test]
fn a_folder_that_takes_no_new_index_is_named_itself() {
    let logged = world();
    let log = logged.home().join("operations");
    let mut command = logged.command(["sessions", "cleanup", "--enforce"]);
    command.env("CLAWKEEP_FAULT_LOG", &log);
    let _ = logged.finish(command).exits(0);
    let log = std::fs::read_to_string(&log).unwrap();
    let is_new_index = |line: &&str| line.contains("\tcreate\t") && line.contains("sessions/.clawkeep-");
    let operation = log.lines().find(is_new_index).unwrap().split('\t').next().unwrap().to_owned();
    let world = world();
    let mut command = world.command(["sessions", "cleanup", "--enforce"]);
    command.env("CLAWKEEP_FAULT", format!("{operation}:EACCES"));
    let folder = world.agent("main").dir().display().to_string();
    let said = world.finish(command).exits(1).says(&format!("cannot prepare the run in {folder}:"));
    let _ = said.says(&format!("ls -ld {folder} {folder}/.clawkeep")).hides("sessions.json");
}
