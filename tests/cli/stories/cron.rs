//! Rows of cron runs, rows of jobs that are gone, run logs.

use serde_json::json;

use crate::common::{DAY, Folder, HOUR, World, names};

fn world(retention: &serde_json::Value) -> (World, Folder) {
    let world = World::new();
    world.config(&json!({
        "session": {"maintenance": {"mode": "enforce", "pruneAfter": "30d"}},
        "cron": {"sessionRetention": retention},
    }));
    let main = world.agent("main");
    (world, main)
}

fn jobs(world: &World, text: &str) {
    let cron = world.folder(".openclaw/cron");
    cron.file("jobs.json", text, DAY);
}

#[test]
fn the_run_past_its_retention_and_the_row_of_a_deleted_job_go() {
    let (world, main) = world(&json!("24h"));
    jobs(&world, r#"{"version":1,"jobs":[{"id":"live","enabled":true}]}"#);
    main.row("agent:main:cron:live", 1, 3 * DAY, json!({}))
        .row("agent:main:cron:gone", 2, 3 * DAY, json!({}))
        .row("agent:main:cron:live:run:r1", 3, 2 * DAY, json!({}))
        .row("agent:main:cron:live:run:r2", 4, HOUR, json!({}));
    for n in 1..=4 {
        main.transcript(n, HOUR);
    }
    main.save();
    let _ = world.enforce("").exits(0).has("/cronPruned", 2);
    assert_eq!(main.keys(), ["agent:main:cron:live", "agent:main:cron:live:run:r2"]);
    assert!(main.is_archived(2) && main.is_archived(3));
}

#[test]
fn a_job_store_that_proves_nothing_takes_no_base_row() {
    for text in ["", "{", "[]", r#"{"jobs":[]}"#, r#"{"jobs":[{"name":"no id"}]}"#, r#"{"jobs":{"a":1}}"#] {
        let (world, main) = world(&json!("24h"));
        jobs(&world, text);
        main.session("agent:main:cron:gone", 2, 3 * DAY).save();
        let _ = world.enforce("").exits(0).has("/cronPruned", 0);
        assert_eq!(main.keys().len(), 1, "{text:?}");
    }
}

#[test]
fn a_retention_that_is_off_keeps_run_rows_until_the_age_limit() {
    for off in [json!(false), json!("0h"), json!(0)] {
        let (world, main) = world(&off);
        for n in 1..=48 {
            main.session(&format!("agent:main:cron:j:run:{n}"), n, 2 * DAY);
        }
        main.session("agent:main:cron:j:run:ancient", 50, 40 * DAY).save();
        let _ = world.enforce("").exits(0).has("/cronPruned", 0).has("/pruned", 1);
        assert_eq!(main.keys().len(), 48, "{off}");
    }
}

#[test]
fn run_rows_pile_up_no_more() {
    let (world, main) = world(&json!("24h"));
    for n in 1..=48 {
        main.session(&format!("agent:main:cron:j:run:{n}"), n, 2 * DAY);
    }
    main.session("agent:main:main", 50, HOUR).save();
    let _ = world.plan("").exits(0).has("/cronPruned", 48);
    let _ = world.enforce("").exits(0).has("/cronPruned", 48);
    assert_eq!(main.keys(), ["agent:main:main"]);
    assert_eq!((1..=48).filter(|n| main.is_archived(*n)).count(), 48);
}

#[test]
fn run_logs_are_trimmed_from_the_tail_at_line_boundaries() {
    let world = World::new();
    world.config(&json!({"cron": {"runLog": {"keepLines": 100, "maxBytes": "1mb"}}}));
    jobs(&world, r#"{"version":1,"jobs":[{"id":"live","enabled":true}]}"#);
    let runs = world.folder(".openclaw/cron/runs");
    let log: String = (0..5000).map(|n| format!("{{\"ts\":{n},\"jobId\":\"live\"}}\n")).collect();
    runs.file("live.jsonl", &log, HOUR).file("gone.jsonl", "{\"ts\":1}\n", HOUR);
    let _ = world.line("cron status").exits(0).says("gone");
    assert_eq!(std::fs::read_to_string(runs.path("live.jsonl")).unwrap(), log);
    let _ = world.line("cron prune --enforce").exits(0);
    let left = std::fs::read_to_string(runs.path("live.jsonl")).unwrap();
    assert!(log.ends_with(&left) && left.lines().count() == 100, "{} lines", left.lines().count());
    assert_eq!(names(runs.dir()), ["gone.jsonl", "live.jsonl"]);
}

#[test]
fn a_job_that_asked_to_be_deleted_after_its_run_leaves_no_rows_for_a_day() {
    let done = r#"{"version":1,"jobs":[
        {"id":"Once","enabled":false,"deleteAfterRun":true,"state":{"lastRunAtMs":1,"lastStatus":"ok"}},
        {"id":"later","enabled":true,"deleteAfterRun":true,"state":{"nextRunAtMs":1}}]}"#;
    for (retention, command) in
        [(json!("24h"), "sessions cleanup"), (json!("24h"), "cron prune"), (json!(false), "cron prune")]
    {
        let (world, main) = world(&retention);
        jobs(&world, done);
        main.session("agent:main:cron:once", 1, 20 * HOUR)
            .session("agent:main:cron:once:run:r", 2, 20 * HOUR)
            .session("agent:main:cron:once:run:now", 3, HOUR / 30)
            .session("agent:main:cron:later", 4, 20 * HOUR)
            .session("agent:main:cron:later:run:r", 5, 20 * HOUR)
            .save();
        let off = retention == json!(false);
        let gone = if off { 0 } else { 2 };
        let _ = world.line(&format!("{command} --enforce --json")).exits(0).has("/cronPruned", gone);
        assert_eq!(main.keys().len(), 5 - gone, "{command}");
        assert_eq!(main.is_archived(1) && main.is_archived(2), !off, "{command}");
        assert!(main.is_live(3), "younger than the grace window");
    }
}

#[test]
fn a_job_whose_state_is_kept_apart_is_done_too() {
    let ran = r#"{"version":1,"jobs":{"once":{"state":{"lastRunAtMs":1,"lastStatus":"ok"}}}}"#;
    for (state, gone) in [(ran, 2), ("{ damaged", 0)] {
        for command in ["sessions cleanup", "cron prune"] {
            let (world, main) = world(&json!("24h"));
            jobs(
                &world,
                r#"{"version":1,"jobs":[{"id":"once","enabled":false,"deleteAfterRun":true,"state":{}},{"id":"b","state":{}}]}"#,
            );
            world.folder(".openclaw/cron").file("jobs-state.json", state, HOUR);
            main.session("agent:main:cron:once", 1, 20 * HOUR)
                .session("agent:main:cron:once:run:r", 2, 20 * HOUR)
                .session("agent:main:cron:b", 3, 20 * HOUR)
                .save();
            let shown = world.line("sessions show agent:main:cron:once").exits(0).stdout;
            assert_eq!(shown.contains("cron-job-done"), gone > 0, "{shown}");
            let _ = world.line(&format!("{command} --enforce --json")).exits(0).has("/cronPruned", gone);
            assert_eq!(main.keys().len(), 3 - gone, "{command} with {state}");
        }
    }
}
