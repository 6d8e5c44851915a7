//! What could mean two things is said, and left to a person; and what stands in the way is named.

use serde_json::{Value, json};

use crate::common::{DAY, HOUR, Tree, World, id};

fn world() -> World {
    let world = World::new();
    world.config(&json!({ "session": { "maintenance": { "mode": "warn" } } }));
    world
}

fn jobs(world: &World, text: &str) {
    world.folder(".openclaw/cron").file("jobs.json", text, DAY);
}

/// Everything that was found by a rule, as one text.
fn findings(report: &Value, rule: &str) -> String {
    let found = report["found"].as_array().unwrap().iter().filter(|f| f["rule"] == rule);
    found.map(|f| f.to_string() + "\n").collect()
}

const OLD_JOB: &str = "{ jobs: [{ jobId: 'a', schedule: '0 8 * * *', message: 'hi', state: { n: 1 } }] }\n";

#[test]
fn a_job_that_may_be_switched_off_is_not_switched_on() {
    let world = world();
    jobs(&world, "{ jobs: [{ jobId: 'a', schedule: '0 8 * * *', message: 'hi', enabled: 'no', timeout: 5 }] }\n");
    let report = world.line("doctor --fix --only cron-shapes --json").ends().json();
    let text = std::fs::read_to_string(world.state().join("cron/jobs.json")).unwrap();
    assert!(text.contains("enabled: 'no'") && text.contains("timeout: 5") && text.contains("kind: 'cron'"), "{text}");
    let said = findings(&report, "cron-shapes");
    assert!(said.contains("neither true nor false") && said.contains("timeout"), "{said}");
}

#[test]
fn the_change_of_the_jobs_is_shown() {
    let world = world();
    jobs(&world, OLD_JOB);
    let shown = world.line("doctor --fix --dry-run --diff --only cron-shapes").ends().stdout;
    assert!(shown.contains("-{ jobs: [{ jobId: 'a'") && shown.contains("+{ jobs:"), "{shown}");
    assert!(shown.contains("jobs-state.json"), "{shown}");
}

#[test]
fn a_state_of_a_job_that_another_one_stands_in_the_way_of_is_named() {
    let world = world();
    let own = r#"{"nextRunAtMs":33,"lastStatus":"inline","onlyHere":1,"same":2}"#;
    jobs(
        &world,
        &format!(r#"{{"jobs":[{{"id":"s","schedule":"0 8 * * *","message":"hi","enabled":"no","state":{own}}}]}}"#),
    );
    let kept = r#"{"version":1,"jobs":{"s":{"state":{"nextRunAtMs":99,"same":2}}}}"#;
    world.folder(".openclaw/cron").file("jobs-state.json", kept, DAY);
    let report = world.line("doctor --fix --only cron-shapes --json").ends().json();
    let said = findings(&report, "cron-shapes");
    assert!(said.contains("not kept: state.nextRunAtMs, state.lastStatus, state.onlyHere ("), "{said}");
    // The job is edited, so it does not stay as it is.
    assert!(said.contains("what is named here stays as it is") && !said.contains("they stay as they are"), "{said}");
    let state: Value =
        serde_json::from_slice(&std::fs::read(world.state().join("cron/jobs-state.json")).unwrap()).unwrap();
    assert_eq!(state["jobs"]["s"]["state"], json!({ "nextRunAtMs": 99, "same": 2 }));
}

#[cfg(unix)]
#[test]
fn the_state_of_jobs_comes_to_where_the_gateway_looks_for_it() {
    let world = world();
    let real = world.folder("elsewhere");
    real.file("real.json", OLD_JOB, DAY);
    let cron = world.folder(".openclaw/cron");
    std::os::unix::fs::symlink(real.path("real.json"), cron.path("jobs.json")).unwrap();
    let report = world.line("doctor --fix --only cron-shapes --json").ends().json();
    assert_eq!(report["found"][0]["state"], "fixed", "{report:#}");
    let state: Value = serde_json::from_slice(&std::fs::read(cron.path("jobs-state.json")).unwrap()).unwrap();
    assert_eq!(state["jobs"]["a"]["state"], json!({ "n": 1 }));
    assert!(std::fs::symlink_metadata(cron.path("jobs.json")).unwrap().is_symlink() && !real.has("real-state.json"));
    let _ = world.line("sessions undo").exits(0);
    assert_eq!(std::fs::read_to_string(real.path("real.json")).unwrap(), OLD_JOB);
    assert!(!cron.has("jobs-state.json"));
}

#[test]
fn a_row_that_comes_to_lead_to_another_conversation_is_named_and_so_is_what_stays_behind() {
    let world = world();
    let old = world.folder(".openclaw/sessions");
    old.session("main", 1, DAY).save();
    let main = world.agent("main");
    main.session("agent:main:cron:x", 5, DAY).save();
    main.file(&format!("{}.jsonl", id(1)), "{\"type\":\"session\",\"id\":\"other\"}\n", DAY);
    let report = world.line("doctor --fix --json").ends().json();
    let said = findings(&report, "legacy-sessions-dir");
    assert!(said.contains("stays behind") && said.contains("main leads to that other file"), "{said}");
    let again = world.line("doctor --json").ends().json();
    let said = findings(&again, "legacy-sessions-dir");
    assert!(said.contains("sessions.legacy-") && said.contains("left behind by an earlier migration"), "{said}");
}

#[test]
fn a_time_that_no_clock_has_written_decides_nothing() {
    let world = world();
    let main = world.agent("main");
    let ahead = world.now() + 400 * DAY;
    main.row("main", 1, DAY, json!({ "updatedAt": ahead }))
        .transcript(1, DAY)
        .session("agent:main:main", 2, HOUR)
        .save();
    let before = std::fs::read(main.index()).unwrap();
    let report = world.line("doctor --fix --only session-keys --json").ends().json();
    assert!(findings(&report, "session-keys").contains("not to be believed"), "{report:#}");
    assert_eq!(std::fs::read(main.index()).unwrap(), before);
}

#[test]
fn one_odd_entry_does_not_set_a_registry_aside_unread() {
    let world = world();
    let text = r#"{"entries":[{"containerName":"c"},{"odd":1}]}"#;
    let sandbox = world.folder(".openclaw/sandbox");
    sandbox.file("containers.json", text, DAY);
    let report = world.line("doctor --fix --only sandbox-registry --json").ends().json();
    assert_eq!(report["found"][0]["state"], "fixed", "{report:#}");
    assert_eq!(std::fs::read_dir(sandbox.path("containers")).unwrap().count(), 1);
    let kept = std::fs::read_dir(sandbox.path("")).unwrap().map(|e| e.unwrap().path());
    let kept: Vec<_> = kept.filter(|p| p.to_string_lossy().contains(".invalid-")).collect();
    assert_eq!(std::fs::read_to_string(&kept[0]).unwrap(), text);
}

#[test]
fn an_id_that_lost_digits_is_a_finding() {
    let world = World::new();
    world.config_text("{ channels: { discord: { allowFrom: [123456789012345678901, 7] } } }");
    let report = world.line("doctor --fix --config-only --only discord-numeric-ids --json").exits(4).json();
    assert!(findings(&report, "discord-numeric-ids").contains("has lost digits"), "{report:#}");
    let text = std::fs::read_to_string(world.config_path()).unwrap();
    assert!(text.contains("123456789012345678901, \"7\""), "{text}");
}

#[cfg(unix)]
#[test]
fn links_in_the_place_of_memory_and_sessions_are_said() {
    use std::os::unix::fs::symlink;
    let world = world();
    let workspace = world.folder(".openclaw/workspace");
    world.folder("notes").file("MEMORY.md", "# A\n", DAY);
    symlink(world.home().join("notes/MEMORY.md"), workspace.path("MEMORY.md")).unwrap();
    world.folder("old-sessions").session("main", 1, DAY).save();
    symlink(world.home().join("old-sessions"), world.state().join("sessions")).unwrap();
    let report = world.line("doctor --json").ends().json();
    assert!(findings(&report, "memory-split").contains("is a link to"), "{report:#}");
    assert!(findings(&report, "legacy-sessions-dir").contains("is a link"), "{report:#}");
}

#[test]
fn a_place_that_is_named_and_not_there_is_an_error() {
    let world = world();
    let home = world.home();
    let home = home.display();
    let _ = world.line(&format!("doctor --config {home}/none.json")).exits(10).says("none.json does not exist");
    let _ = world.line(&format!("doctor --state-dir {home}/none")).exits(10).says("none does not exist");
}

#[test]
fn what_was_fixed_for_the_next_version_is_not_told_as_refused() {
    let world = World::new();
    world.config_text("{ session: { maintenance: { rotateBytes: 1 } } }");
    let report = world.line("doctor --fix --config-only --for 2026.9 --json").exits(0).json();
    assert!(!findings(&report, "config-for-2026-9").contains("refused"), "{report:#}");
    assert_eq!(report["fixed"][0]["rule"], "session-rotate-bytes");
}

#[cfg(unix)]
#[test]
fn a_fix_beside_another_run_is_busy() {
    let world = world();
    jobs(&world, OLD_JOB);
    let folder = std::fs::File::open(world.state()).unwrap();
    folder.lock().unwrap();
    let before = Tree::of(&world.state().join("cron"));
    let _ = world.line("doctor --fix --only cron-shapes").exits(11).says("is locked by");
    before.is_still(&world.state().join("cron"));
}

#[cfg(unix)]
#[test]
fn a_file_with_two_names_is_not_parted_in_silence() {
    let world = World::new();
    world.config_text("{ session: { maintenance: { rotateBytes: 1 } } }");
    std::fs::hard_link(world.config_path(), world.home().join("dotfiles.json5")).unwrap();
    let before = Tree::of(&world.home());
    let _ = world.line("doctor --fix --config-only").exits(4).says("2 names").says("--override managed-config");
    before.is_still(&world.home());
    let _ = world.line("doctor --fix --config-only --override managed-config").exits(0);
    assert!(!std::fs::read_to_string(world.config_path()).unwrap().contains("rotateBytes"));
}

#[test]
fn a_lock_of_another_host_is_held() {
    let world = world();
    let main = world.agent("main");
    main.session("agent:main:main", 1, HOUR).save();
    let lock = json!({ "pid": 999_999, "createdAt": "2020-01-01T00:00:00.000Z", "hostname": "another-host" });
    main.file(&format!("{}.jsonl.lock", id(1)), lock.to_string(), DAY);
    let report = world.line("doctor --fix --only stale-locks --json").ends().json();
    assert_eq!(findings(&report, "stale-locks"), "");
    assert!(main.has(&format!("{}.jsonl.lock", id(1))));
}

#[test]
fn renamed_rows_keep_the_space_round_them_and_go_back_to_the_byte() {
    let world = world();
    let main = world.agent("main");
    main.session("a", 1, HOUR).session("b", 2, HOUR).session("c", 3, HOUR).save();
    let row = |n: u64| format!("{{ \"sessionId\": \"{}\", \"updatedAt\": {} }}", id(n), world.now() - HOUR);
    let text =
        format!("{{\n  \"cron:A\" : {},\n\n\n  \"agent:main:x\":{},\n  \"hook:B\":   {}\n}}\n", row(1), row(2), row(3));
    std::fs::write(main.index(), &text).unwrap();
    let _ = world.line("doctor --fix --only session-keys").ends();
    let fixed = text.replace("cron:A", "agent:main:cron:a").replace("hook:B", "agent:main:hook:b");
    assert_eq!(std::fs::read_to_string(main.index()).unwrap(), fixed);
    let _ = world.line("sessions undo --yes").exits(0);
    assert_eq!(std::fs::read_to_string(main.index()).unwrap(), text);
}

#[test]
fn a_full_disk_is_told_with_the_folder_and_the_next_step() {
    let world = world();
    jobs(&world, OLD_JOB);
    let mut command = world.command(["doctor", "--fix", "--only", "cron-shapes"]);
    command.env("CLAWKEEP_FAULT", "1+:ENOSPC");
    let out = world.finish(command);
    let text = format!("{}{}", out.stdout, out.stderr);
    assert!(text.contains(".openclaw") && text.contains("next: "), "{text}");
    assert_eq!(std::fs::read_to_string(world.state().join("cron/jobs.json")).unwrap(), OLD_JOB);
}
