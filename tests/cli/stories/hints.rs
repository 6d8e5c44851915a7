//! A command that a report names does what the report is about, wherever the state is.

#![cfg(unix)]

use std::ffi::OsString;

use serde_json::json;

use crate::common::{DAY, Folder, HOUR, Output, World};

/// A state folder that nothing but `--state-dir` leads to, with one stale row.
fn elsewhere() -> (World, Folder, OsString) {
    let world = World::new();
    let main = world.folder("my state/agents/main/sessions");
    main.session("agent:main:main", 1, HOUR).session("agent:main:subagent:2", 2, 40 * DAY).save();
    let state = world.home().join("my state").into_os_string();
    (world, main, state)
}

/// Runs what stands behind `label` in a report, as a shell would.
fn paste(world: &World, report: &Output, label: &str) -> Output {
    let text = &report.stdout;
    let line = text.lines().find_map(|l| l.split_once(label)).unwrap_or_else(|| panic!("no {label:?} in {text}")).1;
    let program = env!("CARGO_BIN_EXE_clawkeep");
    let words = line.trim().replacen("clawkeep", program, 1);
    let mut shell = world.hermetic(std::path::Path::new("/bin/sh"));
    shell.arg("-c").arg(words);
    world.finish(shell)
}

#[test]
fn the_commands_a_cleanup_names_work_on_its_own_state() {
    let (world, main, state) = elsewhere();
    let state = state.to_str().unwrap();
    let plan = world.run(["--state-dir", state, "sessions", "cleanup", "--dry-run"]).exits(0);
    let done = paste(&world, &plan, "To do it: ").exits(0);
    assert!(main.is_archived(2), "the command works on the state the plan was about");
    let runs = world.run(["sessions", "runs", "--state-dir", state]).exits(0);
    let _ = paste(&world, &runs, "To put the last one back: ").says("--yes");
    let undo = done.stdout.lines().find_map(|l| l.strip_prefix("Undo: ")).unwrap().to_owned();
    assert_eq!(undo.split(" sessions ").next().unwrap(), format!("clawkeep --state-dir '{state}'"), "{undo}");
}

#[test]
fn hints_of_failures_carry_the_selection() {
    let (world, main, state) = elsewhere();
    let state = state.to_str().unwrap();
    let _ = main;
    let wrong = world.run(["--state-dir", state, "sessions", "show", "nobody", "--agent", "main"]).fails();
    let _ = wrong.says(&format!("clawkeep --state-dir '{state}' sessions list --all-agents"));
    let _ = world
        .run(["--state-dir", state, "sessions", "undo", "20260101T000000Z-0000", "--agent", "main"])
        .fails()
        .says(&format!("clawkeep --state-dir '{state}' sessions runs --agent main"));
}

#[test]
fn a_run_is_found_by_its_id_whichever_agent_it_is_of() {
    let world = World::new();
    world.config(&json!({
        "session": {"maintenance": {"pruneAfter": "7d", "mode": "warn"}},
        "agents": {"list": [{"id": "main", "default": true}, {"id": "ops"}]}
    }));
    world.agent("main").session("agent:main:main", 1, HOUR).save();
    let ops = world.agent("ops");
    ops.session("agent:ops:main", 1, HOUR).session("agent:ops:subagent:2", 2, 40 * DAY).save();
    let _ = world.line("sessions cleanup --agent ops --enforce").exits(0);
    assert!(ops.is_archived(2));

    let _ = world.line("sessions runs").exits(0).says("1 other agent not looked at (ops): --all-agents");
    let runs = world.line("sessions runs --all-agents").exits(0).says("Agent").hides("not looked at");
    let text = runs.stdout.clone();
    let id = text.lines().nth(1).unwrap().split_whitespace().next().unwrap();
    let _ = runs.says(&format!("clawkeep sessions undo {id} --agent ops"));
    let _ = world.line("sessions undo").fails().says("sessions runs --all-agents");
    let _ = world.line("sessions undo 20260101T000000Z-0000").exits(1).says("no agent has a run");
    let _ = world.line(&format!("sessions undo {id}")).exits(0).says("--agent ops");
    assert!(!ops.is_archived(2), "the run is undone where it was done");
}

/// What a failure says to try is a command that works, and not the one that has just failed.
#[test]
fn a_session_that_is_nowhere_is_not_looked_for_twice() {
    let world = World::new();
    world.agent("main").session("agent:main:main", 1, HOUR).save();
    let out = world.line("sessions restore agent:nope:x").exits(1).says("--all-agents --include-unconfigured");
    assert!(!out.stderr.contains("--agent nope") && !out.stderr.contains("--agent main"), "{}", out.picture());
    let out = world.line("sessions restore x --all-agents --include-unconfigured").exits(1).says("--archive-to");
    assert!(!out.stderr.contains("every store"), "{}", out.picture());
}

/// Runs of an agent that the configuration does not name are found by the command that is named.
#[test]
fn runs_of_a_folder_that_is_not_configured_are_found() {
    let world = World::new();
    world.agent("main").session("agent:main:main", 1, HOUR).save();
    world.agent("work").session("agent:work:a", 2, HOUR).save();
    world.maintenance(&json!({"pruneAfter": "30d"}));
    let _ = world.line("sessions rm agent:work:a").exits(0);
    let _ = world.line("sessions undo").exits(1).says("clawkeep sessions runs --all-agents --include-unconfigured");
    let _ = world.line("sessions runs --all-agents --include-unconfigured").exits(0).says("sessions rm");
}
