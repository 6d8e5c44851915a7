//! What goes comes back whole: all files of a session, all runs of a command, every byte of the index.

use serde_json::json;

use crate::common::{DAY, Folder, HOUR, MINUTE, Tree, World, id, names};

/// A row with a checkpoint of its own, a trajectory, and a checkpoint that was made of an earlier session.
fn with_copies(folder: &Folder, key: &str, n: u64, age: i64) -> [String; 2] {
    let own = format!("{}.checkpoint.{}.jsonl", id(n), id(n + 100));
    let earlier = format!("{}.checkpoint.{}.jsonl", id(n + 50), id(n + 200));
    let refers = |session: u64, name: &str| {
        json!({"checkpointId": id(n), "createdAt": 1,
            "preCompaction": {"sessionId": id(session), "sessionFile": folder.path(name)}})
    };
    let more = json!({"compactionCheckpoints": [refers(n, &own), refers(n + 50, &earlier)]});
    folder.row(key, n, age, more).transcript(n, age).trajectory(n, age);
    folder.checkpoint(n, n + 100, age).checkpoint(n + 50, n + 200, age);
    [own, earlier]
}

fn undo_all(world: &World) {
    let runs = world.line("sessions runs --json").json();
    for run in runs["runs"].as_array().unwrap().iter().filter(|run| run["undoable"] == true) {
        let _ = world.line(&format!("sessions undo {} --yes", run["id"].as_str().unwrap())).ends();
    }
}

#[test]
fn checkpoints_and_trajectories_of_what_rm_and_cron_prune_take_come_back() {
    for command in ["sessions rm agent:main:cron:j:run:* --yes", "cron prune --enforce"] {
        let world = World::new();
        world.config(&json!({"session": {"maintenance": {"pruneAfter": "30d"}}, "cron": {"sessionRetention": "24h"}}));
        world.folder(".openclaw/cron").file("jobs.json", r#"{"version":1,"jobs":[{"id":"j"}]}"#, DAY);
        let main = world.agent("main");
        main.session("agent:main:main", 1, HOUR);
        let copies = with_copies(&main, "agent:main:cron:j:run:r1", 2, 40 * DAY);
        main.save();
        let before = names(main.dir());
        let _ = world.line(command).exits(0);
        assert!(copies.iter().all(|name| !main.has(name)), "{command}: {:?}", names(main.dir()));
        let _ = world.line("sessions cleanup --enforce").exits(0);
        undo_all(&world);
        assert_eq!(names(main.dir()), before, "{command}");
    }
}

#[test]
fn a_restored_session_has_its_checkpoints_again() {
    let world = World::new();
    world.maintenance(&json!({"pruneAfter": "30d", "mode": "warn"}));
    let main = world.agent("main");
    main.session("agent:main:main", 1, HOUR);
    let copies = with_copies(&main, "agent:main:telegram:direct:2", 2, 40 * DAY);
    main.save();
    let before = names(main.dir());
    let _ = world.enforce("").exits(0);
    assert!(copies.iter().all(|name| !main.has(name)), "{:?}", names(main.dir()));
    let _ = world.line("sessions restore agent:main:telegram:direct:2 --yes").exits(0).says(&copies[0]);
    assert_eq!(names(main.dir()), before);
}

/// Three agents, of which one exists on disk only, each with an old session; all cleaned up by one command.
fn cleaned_agents() -> (World, [Folder; 3]) {
    let world = World::new();
    let maintenance = json!({"maintenance": {"pruneAfter": "30d", "mode": "warn"}});
    world.config(&json!({"session": maintenance, "agents": {"list": [{"id": "main"}, {"id": "qa"}]}}));
    let folders = ["main", "qa", "disk"].map(|agent| {
        let folder = world.agent(agent);
        folder.session(&format!("agent:{agent}:main"), 1, HOUR);
        folder.session(&format!("agent:{agent}:telegram:direct:2"), 2, 40 * DAY).save();
        folder
    });
    let _ = world.line("sessions cleanup --all-agents --include-unconfigured --enforce").exits(0);
    assert!(folders.iter().all(|folder| folder.is_archived(2)));
    (world, folders)
}

#[test]
fn the_runs_of_one_command_go_back_together() {
    for line in ["sessions undo --yes", "sessions undo --all-agents --yes"] {
        let (world, folders) = cleaned_agents();
        let _ = world.line(line).exits(0).says("the 3 runs of");
        assert!(folders.iter().all(|folder| folder.is_live(2) && folder.keys().len() == 2), "{line}");
        let _ = world.line(line).exits(1).says("no run to undo");
    }
    let (world, [main, qa, disk]) = cleaned_agents();
    let _ = world.line("sessions undo --agent qa --yes").exits(0);
    assert!(qa.is_live(2) && main.is_archived(2) && disk.is_archived(2));
    let _ = world.line("sessions undo --yes").exits(0);
    assert!(main.is_live(2) && disk.is_live(2));
}

#[test]
fn one_store_that_cannot_go_back_is_said_and_the_rest_goes() {
    let (world, [main, qa, disk]) = cleaned_agents();
    // Somebody has the name now.
    qa.file(&format!("{}.jsonl", id(2)), "{}\n", MINUTE);
    let _ = world.line("sessions undo --yes").exits(3).says("it stays");
    assert!(main.is_live(2) && disk.is_live(2) && qa.is_archived(2));
    let _ = world.line("sessions runs --all-agents --include-unconfigured").exits(0).says("undone in part");
    // A store that cannot be read stops it in the middle, and that is no success.
    let (world, [_, qa, _]) = cleaned_agents();
    std::fs::write(qa.index(), "{ \"torn").unwrap();
    let out = world.line("sessions undo --yes").fails();
    assert!(format!("{}{}", out.stdout, out.stderr).contains("qa"), "{}", out.picture());
}

#[test]
fn run_logs_and_rows_of_one_cron_prune_go_back_together() {
    let world = World::new();
    world.config(&json!({"cron": {"sessionRetention": "24h", "runLog": {"keepLines": 5}}}));
    world.folder(".openclaw/cron").file("jobs.json", r#"{"version":1,"jobs":[{"id":"live"}]}"#, DAY);
    let main = world.agent("main");
    main.session("agent:main:cron:live:run:r1", 2, 2 * DAY).session("agent:main:main", 4, DAY).save();
    let log: String = (0..9).map(|i| format!("{{\"run\":{i}}}\n")).collect();
    let runs = world.folder(".openclaw/cron/runs");
    runs.file("live.jsonl", &log, HOUR);
    let _ = world.line("cron prune --enforce").exits(0);
    assert!(!main.is_live(2));
    let _ = world.line("sessions undo --yes").exits(0).says("the 2 runs of");
    assert!(main.is_live(2));
    assert_eq!(std::fs::read_to_string(runs.path("live.jsonl")).unwrap(), log);
}

#[test]
fn part_of_a_command_is_found_in_whichever_run_took_it() {
    let (world, [main, qa, _]) = cleaned_agents();
    let _ = world.line("sessions undo --key agent:qa:telegram:direct:2 --yes").exits(0);
    assert!(qa.is_live(2) && main.is_archived(2));
}

#[test]
fn part_of_a_fix_of_the_doctor_is_refused() {
    let world = crate::doctor::old_state();
    let _ = world.line("doctor --fix").ends();
    let runs = world.line("sessions runs --all-agents --json").json();
    let fix = runs["runs"].as_array().unwrap().iter().find(|run| run["command"] == "doctor").unwrap();
    let before = Tree::of(&world.home());
    for run in ["", fix["id"].as_str().unwrap()] {
        let line = format!("sessions undo {run} --file jobs.json --yes");
        let _ = world.line(&line).exits(1).says("whole or not at all");
    }
    before.is_still(&world.home());
}

#[test]
fn an_index_with_odd_separators_comes_back_to_the_byte() {
    let row = |n: u64, age: i64, now: i64| format!("{{\"sessionId\":\"{}\",\"updatedAt\":{}}}", id(n), now - age);
    for (old, others) in [(0, 2), (1, 2), (2, 2), (0, 0)] {
        let world = World::new();
        world.maintenance(&json!({"pruneAfter": "30d", "mode": "warn"}));
        let main = world.agent("main");
        let keys = ["agent:main:mainx", "agent:main:telegram:direct:1", "agent:main:telegram:direct:2"];
        let age = |nr: usize| if nr == old { 40 * DAY } else { HOUR };
        let rows: Vec<String> = (0..=others).map(|nr| row(nr as u64, age(nr), world.now())).collect();
        for nr in 0..=others {
            main.transcript(nr as u64, age(nr));
        }
        let text = match others {
            0 => format!("{{\"{}\" :{}}}", keys[0], rows[0]),
            _ => format!(
                "{{ \"{}\" : {} , \"{}\":{}\n ,\"{}\":  {} }}\n",
                keys[0], rows[0], keys[1], rows[1], keys[2], rows[2]
            ),
        };
        std::fs::write(main.index(), &text).unwrap();
        let _ = world.enforce("").exits(0).has("/pruned", 1);
        let taken = std::fs::read_to_string(main.index()).unwrap();
        let undo = world.line("sessions undo --yes --json").exits(0).json();
        assert_eq!(std::fs::read_to_string(main.index()).unwrap(), text, "{old}");
        let _ = world.line("sessions undo --yes").exits(1);
        let _ =
            world.line(&format!("sessions undo {} --yes", undo["runId"].as_str().unwrap())).exits(0).hides("damaged");
        assert_eq!(std::fs::read_to_string(main.index()).unwrap(), taken, "{old}");
        let _ = world.line("sessions undo --yes").exits(0);
        assert_eq!(std::fs::read_to_string(main.index()).unwrap(), text, "{old}");
    }
}

#[test]
fn keys_that_the_doctor_renamed_come_back_to_the_byte() {
    let world = World::new();
    let main = world.agent("main");
    let row = |n: u64| format!("{{\"sessionId\":\"{}\",\"updatedAt\":{}}}", id(n), world.now() - n as i64 * HOUR);
    main.transcript(1, HOUR).transcript(2, 2 * HOUR);
    let text = format!(
        "{{\n  \"agent:main:main\": {},\n  \"Group:X\": {}, \"agent:main:group:x\": {}\n}}",
        row(3),
        row(1),
        row(2)
    );
    std::fs::write(main.index(), &text).unwrap();
    let _ = world.line("doctor --fix").ends();
    assert!(std::fs::read_to_string(main.index()).unwrap() != text);
    let _ = world.line("sessions undo --yes").exits(0);
    assert_eq!(std::fs::read_to_string(main.index()).unwrap(), text);
}

#[test]
fn keys_that_no_gateway_finds_are_refused() {
    let (world, [main, ..]) = cleaned_agents();
    let before = Tree::of(&world.home());
    for (key, says) in
        [("", "needs a key"), ("  ", "needs a key"), ("agent:main:a\nb", "control"), ("agent:qa:x", "--agent qa")]
    {
        let _ = world
            .run(["sessions", "restore", "agent:main:telegram:direct:2", "--yes", "--as", key])
            .exits(2)
            .says(says);
    }
    before.is_still(&world.home());
    let args = ["sessions", "restore", "agent:main:telegram:direct:2", "--yes", "--as", "agent:main:again"];
    let _ = world.run(args).exits(0);
    assert!(main.keys().contains(&"agent:main:again".to_owned()));
}

#[test]
fn a_key_is_looked_for_where_its_agent_keeps_it() {
    let (world, [_, qa, disk]) = cleaned_agents();
    let _ = world.line("sessions restore agent:qa:telegram:direct:2 --yes").exits(0);
    let _ = world.line("sessions restore agent:disk:telegram:direct:2 --yes").exits(0);
    assert!(qa.is_live(2) && disk.is_live(2));
    let out = world.line("sessions restore agent:qa:nobody").exits(1).says("--include-unconfigured");
    let _ = out.says("restore agent:qa:nobody --all-agents").hides(" KEY");
    let _ = world.line("sessions rm agent:qa:x --purge").exits(1).says("--yes agent:qa:x").hides(" KEY");
}

#[test]
fn a_sound_store_without_a_run_exists() {
    let world = World::new();
    world.agent("main").session("agent:main:main", 1, HOUR).save();
    let _ = world.line("sessions undo").exits(1).says("no run to undo");
    let _ = world.line("sessions undo 20260101T000000Z-0000").exits(1);
    let _ = world.line("sessions undo --store nowhere/sessions.json").exits(10);
}

#[cfg(unix)]
#[test]
fn a_fix_goes_back_whole_or_not_at_all_where_a_folder_refuses() {
    use std::os::unix::fs::PermissionsExt as _;
    let world = crate::doctor::old_state();
    world.config_text("{ session: { maintenance: { mode: \"warn\", rotateBytes: 1 } } }");
    let _ = world.line("doctor --fix").ends();
    let cron = world.state().join("cron");
    let mode = |bits| std::fs::set_permissions(&cron, std::fs::Permissions::from_mode(bits)).unwrap();
    mode(0o500);
    // Root may write there all the same.
    if std::fs::write(cron.join("x"), "").is_err() {
        let before = Tree::of(&world.home());
        let _ =
            world.line("sessions undo --yes").exits(1).says("nothing can be written in").says("nothing was changed");
        before.is_still(&world.home());
    }
    mode(0o700);
    let _ = std::fs::remove_file(cron.join("x"));
    let _ = world.line("sessions undo --yes").exits(0);
}

#[cfg(target_os = "linux")]
#[test]
fn a_fix_goes_back_whole_or_not_at_all_where_a_file_is_immutable() {
    let world = crate::doctor::old_state();
    world.config_text("{ session: { maintenance: { mode: \"warn\", rotateBytes: 1 } } }");
    let _ = world.line("doctor --fix").ends();
    let chattr = |flag: &str| {
        let done = std::process::Command::new("chattr").arg(flag).arg(world.config_path()).output();
        done.is_ok_and(|done| done.status.success())
    };
    if !chattr("+i") {
        println!("skipped: chattr +i is not possible here");
        return;
    }
    let before = Tree::of(&world.home());
    let out = world.line("sessions undo --yes");
    assert!(chattr("-i"));
    let _ = out.exits(1).says("is immutable").says("nothing was changed");
    before.is_still(&world.home());
    let _ = world.line("sessions undo --yes").exits(0);
}

#[test]
fn an_undo_that_puts_nothing_back_is_not_offered_for_undoing() {
    let (world, [_, qa, _]) = cleaned_agents();
    qa.file(&format!("{}.jsonl", id(2)), "{}\n", MINUTE);
    let _ = world.line("sessions undo --yes").exits(3).says("This can be undone");
    let runs = world.line("sessions runs --all-agents --json").json();
    let of_cleanup = |run: &&serde_json::Value| run["command"] == "sessions cleanup";
    let first = runs["runs"].as_array().unwrap().iter().rfind(of_cleanup).unwrap();
    let line = format!("sessions undo {} --yes --override partial-undo", first["id"].as_str().unwrap());
    let _ = world.line(&line).ends().hides("This can be undone");
}
