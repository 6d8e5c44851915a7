//! The report is what was done, and nothing is done that it does not name.

use serde_json::{Value, json};

use crate::common::{DAY, HOUR, World, id, names};

fn of_rule<'v>(report: &'v Value, rule: &str) -> Vec<&'v Value> {
    report["found"].as_array().unwrap().iter().filter(|f| f["rule"] == rule).collect()
}

#[test]
fn an_index_that_a_fix_makes_is_missing_no_more() {
    let world = World::new();
    world.maintenance(&json!({ "mode": "warn" }));
    world.folder(".openclaw/sessions").session("group:1", 1, DAY).save();
    let main = world.agent("main");
    let text = std::fs::read(world.folder(".openclaw/sessions").path(&format!("{}.jsonl", id(1)))).unwrap();
    main.file(&format!("{}.jsonl", id(1)), text, DAY);
    let report = world.line("doctor --fix --json").exits(0).json();
    assert_eq!(report["remaining"]["errors"], 0, "{report:#}");
    let again = world.line("doctor --json").ends().json();
    assert_eq!(again["remaining"], report["remaining"], "{report:#}\n{again:#}");
}

#[test]
fn what_a_fix_brings_to_light_is_in_its_report() {
    let world = World::new();
    world.maintenance(&json!({ "mode": "warn" }));
    let main = world.agent("main");
    main.raw_row("Main", json!({ "sessionId": id(1), "updatedAt": world.now() - 9 * DAY })).save();
    std::fs::remove_file(main.path(&format!("{}.jsonl", id(1)))).ok();
    let report = world.line("doctor --fix --json").ends().json();
    assert_eq!(report["changed"], true, "{report:#}");
    let again = world.line("doctor --json").ends().json();
    assert_eq!(again["remaining"], report["remaining"], "{report:#}\n{again:#}");
}

#[cfg(unix)]
#[test]
fn the_file_that_was_just_edited_and_its_backups_are_closed_with_it() {
    use std::os::unix::fs::PermissionsExt as _;
    let world = World::new();
    world.config_text("{ session: { maintenance: { mode: 'warn', rotateBytes: 1 } } }");
    let backup = |n: &str| world.state().join(format!("openclaw.json.bak{n}"));
    std::fs::write(backup(""), "{}").unwrap();
    for path in [world.config_path(), backup("")] {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o644)).unwrap();
    }
    let report = world.line("doctor --fix --modes --json").exits(0).json();
    assert_eq!(of_rule(&report, "open-modes").len(), 2, "folder and file: {report:#}");
    for path in [world.config_path(), backup(""), backup(".1")] {
        let mode = std::fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{}: {report:#}", path.display());
    }
}

#[test]
fn what_was_edited_before_a_failure_is_reported_with_the_way_back() {
    let world = || {
        let world = World::new();
        world.config_text("{ session: { $include: './more/s.json5' }, memorySearch: { enabled: false } }");
        world.folder(".openclaw/more").file("s.json5", "{ parentForkMaxTokens: 5 }", DAY);
        world
    };
    let texts = |world: &World| {
        ["openclaw.json", "more/s.json5"].map(|name| std::fs::read_to_string(world.state().join(name)).unwrap())
    };
    let mut halves = 0;
    for n in 1.. {
        let world = world();
        let before = texts(&world);
        let mut command = world.command(["doctor", "--fix", "--config-only"]);
        command.env("CLAWKEEP_FAULT", format!("{n}:ENOSPC"));
        let out = world.finish(command).ends();
        let after = texts(&world);
        let changed = (0..2).filter(|at| before[*at] != after[*at]).count();
        halves += usize::from(changed == 1);
        if changed > 0 {
            assert!(out.stdout.contains("sessions undo ") && out.code != Some(1), "{n}: {}", out.picture());
            assert_eq!(out.stdout.matches("\nedited ").count(), changed, "{n}: {}", out.picture());
        }
        for line in out.stdout.lines().filter_map(|line| line.trim().strip_prefix("the old text is ")) {
            let path = line.replace('~', &world.home().display().to_string());
            assert!(std::path::Path::new(&path).is_file(), "{n}: {line}\n{}", out.picture());
        }
        if changed == 2 && out.code == Some(0) && n > 200 {
            break;
        }
    }
    assert!(halves > 0, "no fault fell between the two files");
}

#[test]
fn a_failed_edit_is_a_run_without_a_change() {
    let mut failed = 0;
    for n in 1..80 {
        let world = World::new();
        world.config_text("{ session: { parentForkMaxTokens: 5 } }");
        let mut command = world.command(["doctor", "--fix", "--config-only"]);
        command.env("CLAWKEEP_FAULT", format!("{n}:EACCES"));
        let out = world.finish(command).ends();
        if out.code == Some(3) && !out.stdout.contains("edited ") {
            let runs = world.line("sessions runs --all-agents --json").ends().stdout;
            assert!(!runs.contains("\"done\""), "{n}: {}\n{runs}", out.picture());
            failed += 1;
        }
    }
    assert!(failed > 0);
}

#[cfg(unix)]
#[test]
fn what_stays_in_an_old_folder_is_said_before_and_is_what_stays() {
    let world = World::new();
    world.maintenance(&json!({ "mode": "warn" }));
    let old = world.folder(".openclaw/agent");
    old.file("auth-profiles.json", "A", DAY).file("models.json", "M", DAY);
    world.folder(".openclaw/agent/sub").file("x", "x", DAY);
    std::os::unix::fs::symlink("/etc/hostname", old.path("hostlink")).unwrap();
    let target = world.folder(".openclaw/agents/main/agent");
    target.file("auth-profiles.json", "B", DAY);
    let sessions = world.folder(".openclaw/sessions");
    sessions.session("group:1", 1, DAY).save();
    world.folder(".openclaw/sessions/notes").file("x", "x", DAY);
    let shown = |report: &Value, rule: &str| of_rule(report, rule)[0]["details"].clone();
    let dry = world.line("doctor --fix --dry-run --json").ends().json();
    let report = world.line("doctor --fix --json").ends().json();
    assert_eq!(shown(&dry, "legacy-sessions-dir"), shown(&report, "legacy-sessions-dir"));
    // The folder has the time of the run in its name.
    let timeless =
        |report: &Value| shown(report, "legacy-agent-dir").to_string().replace(|c: char| c.is_ascii_digit(), "");
    assert_eq!(timeless(&dry), timeless(&report));
    let said: Vec<String> =
        shown(&dry, "legacy-agent-dir").as_array().unwrap().iter().map(|l| l.as_str().unwrap().to_owned()).collect();
    for name in ["auth-profiles.json", "sub", "hostlink"] {
        assert!(said.iter().any(|l| l.starts_with(&format!("{name} stays behind"))), "{said:?}");
    }
    assert!(said.contains(&"models.json -> agents/main/agent".to_owned()), "{said:?}");
    assert!(shown(&dry, "legacy-sessions-dir").to_string().contains("notes stays behind"), "{dry:#}");
    let left = names(&world.state().join("agents/main"));
    let left = left.iter().find(|name| name.starts_with("agent.legacy-")).unwrap();
    assert!(shown(&report, "legacy-agent-dir").to_string().contains(&format!("agents/main/{left}:")), "{report:#}");
    assert_eq!(names(&world.state().join("agents/main").join(left)), ["auth-profiles.json", "hostlink", "sub"]);
}

#[test]
fn a_rule_that_is_left_out_is_left_out_of_the_fix_of_another() {
    let world = || {
        let world = World::new();
        std::fs::remove_dir(world.state()).unwrap();
        world.folder(".clawdbot/agents/main/sessions").session("agent:main:main", 1, HOUR).save();
        world.folder(".clawdbot").file("clawdbot.json", "{ session: { parentForkMaxTokens: 5 } }", DAY);
        world
    };
    for flags in ["--only old-state-dir", "--skip old-config-name"] {
        let world = world();
        let _ = world.line(&format!("doctor --fix {flags}")).ends();
        assert!(world.state().join("clawdbot.json").is_file(), "{flags}");
        assert!(!world.config_path().exists(), "{flags}");
    }
    let alone = world();
    let _ = alone.line("doctor --fix --only old-config-name").exits(0);
    assert!(alone.home().join(".clawdbot/openclaw.json").is_file());
    let world = world();
    let dry = world.line("doctor --fix --dry-run --json").ends().json();
    assert_eq!(of_rule(&dry, "old-config-name")[0]["state"], "planned", "{dry:#}");
    let report = world.line("doctor --fix --json").ends().json();
    assert_eq!(of_rule(&report, "old-config-name")[0]["state"], "fixed", "{report:#}");
    // The copy has what was fixed in the file just before.
    let text = std::fs::read_to_string(world.config_path()).unwrap();
    assert!(!text.contains("parentForkMaxTokens"), "{text}");
}

#[test]
fn a_profile_without_a_folder_is_absent_and_a_new_user_is_told_so() {
    let world = World::new();
    let _ = world.line("--profile typo doctor").exits(10).says("--profile");
    let _ = world.line("--dev doctor").exits(10);
    std::fs::remove_dir(world.state()).unwrap();
    let _ = world.line("doctor").exits(0).says("there is no state yet");
}

#[test]
fn only_versions_with_rules_are_judged_for() {
    let world = World::new();
    world.config_text("{ bogus: 1 }");
    for wrong in ["2025.1", "2026.4.9", "2026.10", "2027.1"] {
        let _ = world.line(&format!("doctor --for {wrong}")).exits(2).says("2026.5 to 2026.9");
    }
    let _ = world.line("doctor --for 2026.9.6").ends();
    let _ = world.line("doctor --for 2026.9 --fix --drop-unknown").ends().says("unknown keys stay");
    assert_eq!(std::fs::read_to_string(world.config_path()).unwrap(), "{ bogus: 1 }");
    let _ = world.line("doctor --fix --drop-unknown").ends();
    assert_eq!(std::fs::read_to_string(world.config_path()).unwrap(), "{ }");
}

#[test]
fn an_archive_folder_without_a_name_is_refused() {
    let world = World::new();
    world.maintenance(&json!({ "mode": "warn" }));
    world.agent("main").session("agent:main:main", 1, HOUR).save();
    std::fs::write(world.state().join("clawkeep.json5"), "{ archiveTo: '' }").unwrap();
    let _ = world.enforce("").exits(1).says("archiveTo");
    let _ = world.line("config validate").ends().says("archiveTo");
}

#[test]
fn a_value_that_gives_way_to_another_is_named_and_not_shown() {
    let world = World::new();
    world.config_text(
        "{ memorySearch: { provider: 'old-secret', query: { maxResults: 5 } }, agents: { defaults: { memorySearch: { provider: 'local' } } } }",
    );
    let report = world.line("doctor --fix --config-only --json").ends().json();
    let details = of_rule(&report, "memory-search-root")[0]["details"].to_string();
    assert!(details.contains("Not kept: memorySearch.provider,") && !details.contains("old-secret"), "{details}");
    assert!(!details.contains("maxResults"), "{details}");
}

#[test]
fn two_keys_for_one_place_are_left_to_you() {
    let world = World::new();
    let text = "{ tools: { web: { search: { apiKey: 'A', brave: { apiKey: 'B' } } } } }";
    world.config_text(text);
    let _ = world.line("doctor --fix --config-only --only web-search-providers").ends().says("differ");
    assert_eq!(std::fs::read_to_string(world.config_path()).unwrap(), text);
}
