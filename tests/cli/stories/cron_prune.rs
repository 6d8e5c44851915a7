//! Run logs and run sessions, kept in bounds by their own command.

use serde_json::json;

use crate::common::{DAY, Folder, HOUR, MINUTE, World, names};

fn world(run_log: &serde_json::Value) -> (World, Folder, Folder) {
    let world = World::new();
    world.config(&json!({"cron": {"sessionRetention": "24h", "runLog": run_log}}));
    world.folder(".openclaw/cron").file("jobs.json", r#"{"version":1,"jobs":[{"id":"live"}]}"#, DAY);
    let main = world.agent("main");
    main.session("agent:main:cron:live", 1, 3 * DAY)
        .session("agent:main:cron:live:run:r1", 2, 2 * DAY)
        .session("agent:main:cron:live:run:r2", 3, HOUR)
        .session("agent:main:main", 4, 90 * DAY)
        .archive(10, "deleted", 400 * DAY)
        .file("sessions.json.77.0000000a-0000-4000-8000-00000000000a.tmp", "{}", 2 * DAY)
        .save();
    let runs = world.folder(".openclaw/cron/runs");
    (world, main, runs)
}

fn lines(n: usize) -> String {
    (0..n).map(|i| format!("{{\"run\":{i}}}\n")).collect()
}

#[test]
fn status_brings_rows_and_logs_together() {
    let (world, _, runs) = world(&json!({"keepLines": 5}));
    runs.file("live.jsonl", lines(9), HOUR).file("gone.jsonl", lines(2), 100 * DAY);
    let value = world.line("cron status --json").exits(0).json();
    let jobs = value["jobs"].as_array().unwrap();
    assert_eq!(jobs.len(), 2);
    assert_eq!((jobs[0]["id"].as_str(), jobs[0]["standing"].as_str()), (Some("gone"), Some("gone")));
    assert_eq!(jobs[1]["runs"]["count"], 2);
    assert_eq!(jobs[1]["runs"]["expired"], 1);
    assert_eq!(jobs[1]["log"]["lines"], 9);
    assert_eq!(jobs[1]["log"]["overLines"], true);
    let _ = world.line("cron status").exits(0).says("over its limit").says("of a deleted job");
}

#[test]
fn warn_mode_and_dry_run_write_nothing() {
    let (world, main, runs) = world(&json!({"keepLines": 5}));
    runs.file("live.jsonl", lines(9), HOUR);
    let before =
        (names(main.dir()), std::fs::read(main.index()).unwrap(), std::fs::read(runs.path("live.jsonl")).unwrap());
    for command in ["cron prune --json", "cron prune --enforce --dry-run --json"] {
        let value = world.line(command).exits(0).json();
        assert_eq!((value["applied"].as_bool(), value["cronPruned"].as_u64()), (Some(false), Some(1)), "{command}");
        assert_eq!(value["runLogs"]["trimmed"][0]["outcome"], "planned");
    }
    let after =
        (names(main.dir()), std::fs::read(main.index()).unwrap(), std::fs::read(runs.path("live.jsonl")).unwrap());
    assert_eq!(before, after);
    assert!(!world.state().join(".clawkeep").exists());
}

#[test]
fn only_what_belongs_to_cron_goes() {
    let (world, main, runs) = world(&json!({"keepLines": 5}));
    runs.file("live.jsonl", lines(9), HOUR).file("gone.jsonl", lines(9), 100 * DAY).file("notes.txt", lines(9), DAY);
    let _ = world
        .line("cron prune")
        .exits(0)
        .hides("never removed")
        .says("of deleted jobs")
        .says("trimmed like the others");
    let value = world.line("cron prune --enforce --json").exits(0).json();
    assert_eq!(value["cronPruned"], 1);
    assert_eq!(main.keys(), ["agent:main:cron:live", "agent:main:cron:live:run:r2", "agent:main:main"]);
    assert!(main.is_archived(2));
    assert_eq!(main.of_session(10, "").len(), 1, "an archive of anything else stays, however old");
    assert!(main.has("sessions.json.77.0000000a-0000-4000-8000-00000000000a.tmp"));
    for log in ["live.jsonl", "gone.jsonl"] {
        let text = std::fs::read_to_string(runs.path(log)).unwrap();
        assert_eq!(text, lines(9).lines().skip(4).map(|l| format!("{l}\n")).collect::<String>(), "{log}");
    }
    assert_eq!(std::fs::read_to_string(runs.path("notes.txt")).unwrap(), lines(9));
    assert!(world.state().join(".clawkeep/runs").exists(), "the logs before are kept");
    let again = world.line("cron prune --enforce --json").exits(0).json();
    assert_eq!(again["cronPruned"], 0);
    assert_eq!(again["runLogs"]["trimmed"], json!([]));
}

#[test]
fn limits_that_are_off_trim_nothing() {
    let (world, _, runs) = world(&json!({"keepLines": 0, "maxBytes": 0}));
    runs.file("live.jsonl", lines(5000), MINUTE);
    let value = world.line("cron prune --enforce --session-retention off --json").exits(0).json();
    assert_eq!(
        (value["cronPruned"].as_u64(), value["runLogs"]["trimmed"].as_array().map(Vec::len)),
        (Some(0), Some(0))
    );
    assert_eq!(std::fs::read_to_string(runs.path("live.jsonl")).unwrap(), lines(5000));
}

#[test]
fn a_log_is_cut_to_its_bytes_at_a_line() {
    let (world, _, runs) = world(&json!({"maxBytes": "25b"}));
    runs.file("live.jsonl", lines(9), HOUR);
    let _ = world.line("cron prune --enforce --json").exits(0);
    assert_eq!(std::fs::read_to_string(runs.path("live.jsonl")).unwrap(), "{\"run\":7}\n{\"run\":8}\n");
}

/// The row went, its transcript could not be renamed: that is not a run that did all it said.
#[cfg(unix)]
#[test]
fn a_file_that_could_not_go_is_said_to_be_left() {
    let (world, main, _) = world(&json!({}));
    let mut command = world.command(["cron", "prune", "--enforce"]);
    command.env("CLAWKEEP_FAULT", "rename:EACCES");
    let _ = world.finish(command).exits(3).says("with 0 files").says("was left:");
    assert!(main.is_live(2) && main.keys().len() == 3);
    // A file that is there is not gone, whatever the system says.
    let (world, main, _) = self::world(&json!({}));
    let mut command = world.command(["cron", "prune", "--enforce"]);
    command.env("CLAWKEEP_FAULT", "rename:ENOENT");
    let _ = world.finish(command).exits(3).says("not found, although it is there");
    assert!(main.is_live(2));
}
