//! What people read on the morning after: the whole words of check, repair, undo and restore, so that a change of them is
//! seen. Run ids, sizes and ages that depend on the machine are replaced.

use serde_json::json;

use crate::common::{DAY, Folder, HOUR, Output, World, id};

const KEY: &str = "agent:main:telegram:direct:2";

fn world() -> (World, Folder, Vec<u8>) {
    let world = World::new();
    world.maintenance(&json!({"mode": "warn", "pruneAfter": "30d"}));
    let main = world.agent("main");
    main.session("agent:main:main", 1, HOUR)
        .session(KEY, 2, 40 * DAY)
        .session("agent:main:telegram:group:-100", 3, 2 * HOUR)
        .save();
    let index = std::fs::read(main.index()).unwrap();
    nobody_else(&main);
    (world, main, index)
}

/// Who else may look into the folder depends on the machine.
fn nobody_else(main: &Folder) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(main.dir(), std::fs::Permissions::from_mode(0o700)).unwrap();
    }
    let _ = main;
}

/// Compares with the recorded words.
#[track_caller]
fn reads(name: &str, outputs: &[Output]) {
    let text: Vec<String> = outputs.iter().map(Output::picture).collect();
    insta::with_settings!({filters => vec![
        (r"\d{8}T\d{6}Z-[0-9a-f]{4}", "[RUN]"),
        (r"\d+-[0-9a-f]{8}\.json\.zst", "[SNAPSHOT].json.zst"),
        (r"ws://127\.0\.0\.1:\d+", "ws://127.0.0.1:[PORT]"),
        (r"\d+(\.\d+)? (B|KiB)\b", "[SIZE]"),
        (r"\(byte \d+\)", "(byte [N])"),
        (r"\b\d+[smhd] ago", "[AGE] ago"),
        (r"\d{4}-\d\d-\d\d\b", "[DAY]"),
    ]}, { insta::assert_snapshot!(name, text.join("\n")) });
}

#[test]
fn a_damaged_index() {
    let (world, main, index) = world();
    main.file("sessions.json", &index[..index.len() * 9 / 10], 0);
    reads(
        "damaged_index",
        &[
            world.line("sessions list"),
            world.line("sessions check"),
            world.line("sessions repair --dry-run"),
            world.line("sessions repair"),
            world.line("sessions repair --yes"),
            world.line("sessions repair"),
            world.line("sessions undo"),
        ],
    );
}

#[test]
fn a_missing_index() {
    let (world, main, _) = world();
    std::fs::remove_file(main.index()).unwrap();
    reads(
        "missing_index",
        &[world.line("sessions check"), world.line("sessions repair --dry-run"), world.line("sessions repair --yes")],
    );
}

#[test]
fn a_tiny_index_over_a_lost_one() {
    let (world, main, _) = world();
    let _ = world.line("sessions cleanup --enforce --prune-after off").exits(0);
    main.file("sessions.json", json!({"agent:main:new": {"sessionId": id(1)}}).to_string(), 0);
    reads(
        "tiny_index",
        &[
            world.line("sessions check"),
            world.line("sessions repair"),
            world.line("sessions repair --from snapshots"),
            world.line("sessions repair --from snapshots"),
        ],
    );
}

#[test]
fn a_run_is_put_back() {
    let (world, main, _) = world();
    let _ = world.line("sessions cleanup --enforce").exits(0);
    let undo = [world.line("sessions undo --dry-run"), world.line("sessions undo"), world.line("sessions undo")];
    reads("undo", &undo);
    // In the way: the session has a new row and its file another content.
    let _ = world.line("sessions cleanup --enforce").exits(0);
    main.session("agent:main:main", 1, HOUR)
        .row(KEY, 9, HOUR, json!({}))
        .transcript(9, HOUR)
        .transcript(2, HOUR)
        .save();
    reads("undo_in_the_way", &[world.line("sessions undo")]);
}

#[test]
fn one_session_comes_back() {
    let (world, _, _) = world();
    let _ = world.line("sessions cleanup --enforce").exits(0);
    reads(
        "restore",
        &[
            world.run(["sessions", "restore", KEY, "--list"]),
            world.run(["sessions", "restore", KEY, "--dry-run"]),
            world.run(["sessions", "restore", KEY]),
            world.run(["sessions", "restore", KEY]),
            world.run(["sessions", "restore", "agent:main:nobody"]),
        ],
    );
}

#[test]
fn what_is_wrong_and_what_needs_a_person() {
    let world = World::new();
    world.maintenance(&json!({"mode": "warn"}));
    let main = world.agent("main");
    let moved = format!("/old/home/.openclaw/agents/main/sessions/{}.jsonl", id(1));
    main.row("agent:main:main", 1, HOUR, json!({"sessionFile": moved}))
        .transcript(1, HOUR)
        .row("agent:main:telegram:direct:2", 2, 2 * HOUR, json!({}))
        .transcript(7, 3 * HOUR)
        .save();
    nobody_else(&main);
    reads(
        "findings",
        &[
            world.line("sessions check"),
            world.line("sessions repair"),
            world.run(["sessions", "repair", "--adopt", &id(7), "--drop-missing"]),
            world.line("sessions check"),
        ],
    );
}

/// Questions are asked on a terminal, and an answer that is no "y" changes nothing.
#[cfg(target_os = "linux")]
mod on_a_terminal {
    use rexpect::session::{PtySession, spawn_command};

    use super::*;
    use crate::common::Tree;

    fn start(world: &World, args: &[&str]) -> PtySession {
        let mut command = world.command(args);
        // What is not said comes from the terminal.
        command.stdin(std::process::Stdio::inherit());
        spawn_command(command, Some(60_000)).unwrap()
    }

    /// Runs with this answer and gives everything that was said.
    fn answered(world: &World, args: &[&str], question: &str, answer: &str) -> String {
        let mut session = start(world, args);
        let before = session.exp_string(question).unwrap_or_else(|e| panic!("{args:?}: {e}"));
        session.send_line(answer).unwrap();
        let after = session.exp_eof().unwrap();
        format!("{before}{question}{after}")
    }

    #[test]
    fn a_purge_asks_and_no_changes_nothing() {
        let (world, main, _) = world();
        let before = Tree::of(&world.state());
        let said = answered(&world, &["sessions", "rm", "--purge", KEY], "Go on? [y/N] ", "n");
        assert!(said.contains(&id(2)) || said.contains("for good"), "{said}");
        before.is_still(&world.state());
        let _ = answered(&world, &["sessions", "rm", "--purge", KEY], "Go on? [y/N] ", "");
        before.is_still(&world.state());
        let _ = answered(&world, &["sessions", "rm", "--purge", KEY], "Go on? [y/N] ", "y");
        assert!(!main.is_live(2) && !main.is_archived(2));
    }

    #[test]
    fn a_repair_asks_and_says_what_it_costs() {
        let (world, main, index) = world();
        main.file("sessions.json", &index[..index.len() * 9 / 10], 0);
        let before = Tree::of(&world.state());
        let said = answered(&world, &["sessions", "repair"], "1 row lost? [y/N] ", "n");
        assert!(said.contains("not confirmed; nothing was changed"), "{said}");
        before.is_still(&world.state());
        let _ = answered(&world, &["sessions", "repair"], "1 row lost? [y/N] ", "yes");
        let _ = world.line("sessions list").exits(0);
    }

    #[test]
    fn forgetting_a_run_asks_and_no_keeps_it() {
        let (world, _, _) = world();
        let _ = world.line("sessions cleanup --enforce").exits(0);
        let runs = world.line("sessions runs --json").exits(0).json();
        let run = runs["runs"][0]["id"].as_str().or(runs["runs"][0]["runId"].as_str()).unwrap().to_owned();
        let before = Tree::of(&world.state());
        let forget = ["sessions", "runs", "--forget", &run];
        let _ = answered(&world, &forget, "Forget for good? [y/N] ", "n");
        before.is_still(&world.state());
        let _ = answered(&world, &forget, "Forget for good? [y/N] ", "y");
        assert!(!world.line("sessions runs").exits(0).stdout.contains(&run));
    }
}
