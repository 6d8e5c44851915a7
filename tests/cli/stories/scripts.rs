//! stdout is the answer, stderr the rest, and exit 0 means that all of it was done.

use serde_json::json;

use crate::common::{DAY, HOUR, Tree, World};

#[test]
fn stdout_is_one_json_value_whatever_there_is_to_warn_about() {
    let world = World::new();
    world.config_text(
        "{ // note\n \"session\": { \"maintenance\": { \"mode\": \"enforce\", \"pruneAfter\": \"30d\", \"rotateBytes\": 5 } },\n unknown: [1,], }\n",
    );
    let main = world.agent("main");
    main.session("agent:main:main", 1, HOUR).session("agent:main:subagent:o", 2, 60 * DAY).save();
    for line in [
        "sessions cleanup --store {store} --enforce --dry-run --json",
        "sessions --store {store} --json",
        "sessions list --json -v",
        "disk --json",
        "config validate --json",
        "config path --json",
        "cron status --json",
        "sessions runs --json",
        "sessions show agent:main:main --json",
    ] {
        let _ = world.line(line).ends().json();
    }
    let _ = world.enforce("").exits(0).has("/pruned", 1);
}

#[test]
fn a_wrong_command_line_is_exit_2_and_changes_nothing() {
    let world = World::new();
    world.config(&json!({}));
    world.agent("main").session("agent:main:main", 1, 60 * DAY).save();
    let before = Tree::of(&world.home());
    for line in [
        "sessions cleanup --store {store} --enfroce --json",
        "sessions --store {store} --active abc --json",
        "sessions --store {store} --active 0",
        "sessions --store {store} --limit 0",
        "sessions cleanup surplus --store {store}",
        "sessions cleanup --agent main --all-agents",
        "sessions cleanup --store x.json --agent main --json",
        "sessions cleanup --grace forever",
        "sessions tail agent:main:main",
        "sessions export-trajectory",
        "nonsense",
    ] {
        let out = world.line(line).exits(2).silent();
        assert!(!out.stderr.is_empty(), "{line}");
    }
    before.is_still(&world.home());
}

#[test]
fn commands_of_the_gateway_are_answered_with_what_to_type() {
    let world = World::new();
    let _ = world.line("sessions tail").exits(2).says("openclaw sessions tail");
}

#[test]
fn a_failure_with_json_is_one_line_on_stderr() {
    let world = World::new();
    let error = world.enforce("").exits(10).silent().error_json();
    assert_eq!(error["code"], 10);
    assert_eq!(error["kind"], "absent");
    assert!(error["message"].as_str().is_some_and(|m| m.contains("sessions.json")));
    assert!(error["hints"].is_array());
}

#[test]
fn one_broken_store_does_not_stop_the_others_and_shows_in_the_exit_code() {
    let world = World::new();
    world.config(&json!({
        "agents": {"list": [{"id": "main", "default": true}, {"id": "broken"}, {"id": "work"}]},
        "session": {"maintenance": {"pruneAfter": "7d"}},
    }));
    for agent in ["main", "work"] {
        let folder = world.agent(agent);
        folder.session(&format!("agent:{agent}:main"), 1, HOUR);
        folder.session(&format!("agent:{agent}:subagent:o"), 2, 40 * DAY).save();
    }
    world.agent("broken").file("sessions.json", "{\"agent", 0);
    let out = world.line("sessions cleanup --all-agents --enforce --json").exits(3);
    let json = out.json();
    let stores = json["stores"].as_array().unwrap();
    let errors = stores.iter().filter(|s| s.get("error").is_some_and(|e| !e.is_null())).count();
    assert_eq!((stores.len(), errors), (3, 1), "{json:#}");
    for agent in ["main", "work"] {
        assert_eq!(world.agent(agent).keys().len(), 1, "{agent}");
    }
}

#[test]
fn an_unknown_agent_among_good_ones_stops_before_anything_is_done() {
    let world = World::new();
    world.config(&json!({
        "agents": {"list": [{"id": "main", "default": true}, {"id": "work"}]},
        "session": {"maintenance": {"pruneAfter": "7d"}},
    }));
    for agent in ["main", "work"] {
        let folder = world.agent(agent);
        folder.session(&format!("agent:{agent}:subagent:o"), 2, 40 * DAY).save();
    }
    let before = Tree::of(&world.home());
    let _ = world.line("sessions cleanup --agent main --agent nope --agent work --enforce").fails().says("nope");
    before.is_still(&world.home());
}

#[test]
fn quiet_means_silent_when_all_is_well() {
    let world = World::new();
    world.agent("main").session("agent:main:main", 1, HOUR).save();
    let out = world.line("sessions cleanup --enforce -q").exits(0);
    assert_eq!((out.stdout.as_str(), out.stderr.as_str()), ("", ""));
}

#[test]
fn options_of_a_group_may_stand_before_its_verb() {
    let world = World::new();
    world.agent("main").session("agent:main:main", 1, HOUR).save();
    let _ = world.line("sessions --json --store {store} cleanup --dry-run").exits(0).has("/beforeCount", 1);
}

#[test]
fn control_characters_never_reach_a_terminal() {
    let world = World::new();
    let main = world.agent("main");
    main.session("agent:main:\u{1b}[31mred\u{7}\u{9b}2J\u{202e}evil", 1, HOUR).save();
    for line in ["sessions", "sessions cleanup --dry-run -v", "disk --top 5"] {
        let out = world.line(line).exits(0);
        let bad = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(!out.stdout.chars().any(bad) && !out.stderr.chars().any(bad), "{:?}", out.stdout);
    }
}

#[test]
fn without_a_terminal_log_lines_carry_the_time() {
    let world = World::new();
    let out = world.enforce("").exits(10);
    let out2 = world.line("sessions cleanup --store nope.json").exits(10);
    for line in out2.stderr.lines().filter(|line| line.contains("error:")) {
        assert!(line.starts_with("20") && line.contains('T'), "{}", out.picture());
    }
}

#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_is_no_failure() {
    use std::process::Stdio;
    let world = World::new();
    let main = world.agent("main");
    for n in 1..=2000 {
        main.row(&format!("agent:main:subagent:{n}"), n, HOUR, json!({}));
    }
    main.save();
    let mut child = world
        .command(["sessions", "--limit", "all", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let done = child.wait_with_output().unwrap();
    assert_eq!((done.status.code(), String::from_utf8_lossy(&done.stderr).as_ref()), (Some(0), ""));
}

#[test]
fn the_demo_runs_anywhere_and_changes_nothing_of_ours() {
    let world = World::new();
    let before = Tree::of(&world.home());
    let _ = world.line("demo").exits(0).says("would");
    before.is_still(&world.home());
}
