//! The undo of a fix that left something behind, had something in its way, or was killed: all of it goes back, or nothing.

use serde_json::json;

use crate::common::{DAY, HOUR, Tree, World};

/// A state of the time before agents whose old folder holds more than sessions.
fn with_a_rest() -> World {
    let world = World::new();
    world.config(&json!({ "session": { "maintenance": { "mode": "warn" } } }));
    world.folder(".openclaw/sessions").session("main", 1, DAY).save();
    world.folder(".openclaw/sessions/sub").file("x.txt", "x", DAY);
    world.agent("main").session("agent:main:other", 2, HOUR).save();
    world
}

fn left(world: &World) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(world.state()).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.to_string_lossy().contains("sessions.legacy-")).collect()
}

#[test]
fn a_folder_that_was_left_behind_goes_back_to_its_name() {
    let world = with_a_rest();
    let _ = world.line("doctor --fix").ends();
    assert_eq!(left(&world).len(), 1);
    let _ = world.line("sessions undo --dry-run").exits(0).says("sessions.json");
    let _ = world.line("sessions undo --yes").exits(0);
    let old = world.folder(".openclaw/sessions");
    assert!(old.is_live(1) && old.has("sessions.json") && old.has("sub"));
    assert!(left(&world).is_empty() && !world.agent("main").is_live(1));
}

#[test]
fn the_same_where_a_file_has_its_name_on_both_sides() {
    let world = World::new();
    world.config(&json!({ "session": { "maintenance": { "mode": "warn" } } }));
    world.folder(".openclaw/agent").file("auth-profiles.json", "{}", DAY).file("models.json", "{\"old\":1}", DAY);
    world.folder(".openclaw/agents/main/agent").file("models.json", "{}", DAY);
    let _ = world.line("doctor --fix --only legacy-agent-dir").ends();
    assert!(!world.state().join("agent").exists());
    let _ = world.line("sessions undo --yes").exits(0);
    let old = world.folder(".openclaw/agent");
    assert!(old.has("auth-profiles.json") && old.has("models.json"));
    assert!(!world.state().join("agents/main/agent/auth-profiles.json").exists());
}

#[test]
fn a_new_folder_under_the_old_name_is_said_before_anything_moves() {
    let world = with_a_rest();
    let _ = world.line("doctor --fix").ends();
    std::fs::create_dir(world.state().join("sessions")).unwrap();
    let before = Tree::of(&world.home());
    let _ = world.line("sessions undo --yes").exits(1).says("partial-undo").says("something of that name is there");
    let _ = world.line("sessions undo --dry-run").exits(3);
    before.is_still(&world.home());
}

#[test]
fn an_include_beside_the_configuration_goes_back_with_it_or_not_at_all() {
    let world = World::new();
    world.config_text("{gateway:{$include:'./g.json'},session:{maintenance:{rotateBytes:'1mb',mode:'warn'}}}");
    world.folder(".openclaw").file("g.json", r#"{"mode":"local","bind":"0.0.0.0"}"#, HOUR);
    let _ = world.line("doctor --fix --config-only").ends();
    let path = world.state().join("g.json");
    let mut text = std::fs::read_to_string(&path).unwrap();
    text.push(' ');
    std::fs::write(&path, text).unwrap();
    crate::common::set_age(&path, world.now() + HOUR);
    let before = Tree::of(&world.home());
    let _ = world.line("sessions undo").exits(1).says("partial-undo").says("g.json");
    before.is_still(&world.home());
    let _ = world.line("sessions undo --override partial-undo").exits(3).says("written since");
    assert!(std::fs::read_to_string(world.config_path()).unwrap().contains("rotateBytes"));
}

/// `sessions undo` that is killed at one of its operations.
fn killed(world: &World, n: usize) -> Option<i32> {
    let mut command = world.command(["sessions", "undo", "--yes"]);
    command.env("CLAWKEEP_FAULT", format!("{n}:kill"));
    world.finish(command).code
}

/// Files of the user with their content.
fn content(world: &World) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let own = |path: &std::path::Path| {
        path.to_string_lossy().contains(".clawkeep") || path.extension() == Some("bak".as_ref())
    };
    let tree = Tree::of(&world.state()).0.into_iter().map(|(path, entry)| (path, entry.content));
    tree.filter(|(path, content)| !own(path) && !content.is_empty()).collect()
}

#[test]
fn a_killed_undo_of_every_kind_of_effect_is_finished_by_the_next_one() {
    let make = || {
        let world = World::new();
        world.config_text(
            "{channels:{$include:'./inc/c.json5'},gateway:{mode:'local',bind:'0.0.0.0'},session:{maintenance:{mode:'warn'}}}",
        );
        world.folder(".openclaw/inc").file("c.json5", "{telegram:{streamMode:'partial'}}", DAY);
        world.folder(".openclaw/cron").file(
            "jobs.json",
            r#"{"version":1,"jobs":[{"jobId":"a","schedule":"0 8 * * *","message":"hi"}]}"#,
            DAY,
        );
        world.folder(".openclaw/agent").file("auth-profiles.json", "{}", DAY);
        let registry = r#"{"entries":[{"containerName":"c","n":1}]}"#;
        world.folder(".openclaw/sandbox").file("containers.json", registry, DAY).file("browsers.json", "not json", DAY);
        let before = content(&world);
        let _ = world.line("doctor --fix").ends();
        assert!(content(&world) != before);
        (world, before)
    };
    let mut reached = 0;
    for n in (2..).step_by(13) {
        let (world, before) = make();
        if killed(&world, n).is_some() {
            break;
        }
        reached += 1;
        // One that was killed before it had begun is only closed; then it is asked for again.
        let first = world.line("sessions undo --yes").ends();
        let second = world.line("sessions undo --yes").ends();
        let now = content(&world);
        let differs: Vec<_> = now.iter().filter(|file| !before.contains(file)).map(|(path, _)| path).collect();
        assert!(
            now == before,
            "operation {n}: {differs:?}\n{}{}\n{}{}",
            first.stdout,
            first.stderr,
            second.stdout,
            second.stderr
        );
    }
    assert!(reached > 10, "only {reached}");
}
