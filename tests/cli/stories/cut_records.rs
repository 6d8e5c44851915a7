//! The record of a run was damaged: what can be read of it is used, and what cannot is never passed over.

use serde_json::json;

use crate::common::{DAY, HOUR, World};

#[test]
fn rows_that_a_record_lost_are_counted_wherever_it_is_looked_at() {
    let world = World::new();
    world.config(&json!({"session": {"maintenance": {"pruneAfter": "30d", "mode": "warn"}}}));
    let main = world.agent("main");
    main.session("agent:main:main", 1, HOUR);
    for n in 2..8 {
        main.session(&format!("agent:main:k{n}"), n, 40 * DAY);
    }
    main.save();
    let run = world.enforce("").exits(0).json()["stores"][0]["runId"].as_str().map(str::to_owned);
    let run =
        run.unwrap_or_else(|| world.line("sessions runs --json").json()["runs"][0]["id"].as_str().unwrap().into());
    let record = main.dir().join(".clawkeep/runs").join(&run);
    let rows = record.join("rows.jsonl");
    let text = std::fs::read(&rows).unwrap();
    std::fs::write(&rows, &text[..text.len() / 2]).unwrap();

    let words = "only 3 of 6 rows can be read in its rows.jsonl";
    let folder = format!(".clawkeep/runs/{run}");
    let _ = world.line("sessions runs").exits(0).says(&run).says(words).says(&folder).says("restore KEY --list");
    let _ = world.line("sessions runs --json").exits(0).says("\"rowsMissing\": 3");
    let _ = world.line("sessions check").ends().says("run-unreadable").says(words).says(&folder);
    let _ = world.line("sessions undo --dry-run").exits(3).says(words).says(&folder).says("restore KEY --list");
    let _ = world.line("sessions undo --key agent:main:k7").exits(1).says(words).says("agent:main:k7 --list");
    let _ = world.line("sessions undo --yes").exits(3).says(words).says("restore KEY --list");
    assert_eq!(main.keys().len(), 4);
    // What the message says brings back the rest.
    for n in 5..8 {
        let _ = world.line(&format!("sessions restore agent:main:k{n} --list")).exits(0);
        let _ = world.line(&format!("sessions restore agent:main:k{n} --yes")).exits(0);
        assert!(main.is_live(n));
    }
    assert_eq!(main.keys().len(), 7);
}

/// The last run is the last also if its record is damaged: an older one is not undone in its place, and a fix not in part.
#[test]
fn an_older_run_is_not_undone_in_the_place_of_one_that_cannot_be_read() {
    for part in ["plan.jsonl", "outcome.jsonl", "meta.json"] {
        let world = World::new();
        world.config(&json!({"session": {"maintenance": {"mode": "warn"}}}));
        let main = world.agent("main");
        main.session("agent:main:main", 1, HOUR).session("agent:main:a", 2, DAY).session("agent:main:b", 3, DAY).save();
        let runs = ["a", "b"].map(|key| {
            let report = world.line(&format!("sessions rm agent:main:{key} --yes --json")).exits(0).json();
            report.pointer("/stores/0/runId").unwrap().as_str().unwrap().to_owned()
        });
        let cut = main.dir().join(".clawkeep/runs").join(&runs[1]).join(part);
        let text = std::fs::read(&cut).unwrap();
        std::fs::write(&cut, &text[..40]).unwrap();
        let out = world.line("sessions undo --yes").exits(1).says(&format!("run {} cannot be read", runs[1]));
        let _ = out.says("KEY --list").says(&format!("{}  (the run before it)", runs[0]));
        assert_eq!(main.keys(), ["agent:main:main"], "{part}");
        let _ = world.line(&format!("sessions undo {} --yes", runs[0])).exits(0);
        let _ = world.line("sessions restore agent:main:b --yes").exits(0);
        assert!(main.is_live(2) && main.is_live(3), "{part}");
    }
}

#[test]
fn a_fix_with_a_record_that_cannot_be_read_is_not_taken_back_in_part() {
    let world = crate::doctor::old_state();
    let report = world.line("doctor --fix --json").ends().json();
    let run = report["runIds"][2].as_str().unwrap();
    let record = |folder: &str| world.state().join(folder).join(".clawkeep/runs").join(run);
    let record = ["", "agents/main/sessions"].map(record).into_iter().find(|path| path.is_dir()).unwrap();
    std::fs::write(record.join("outcome.jsonl"), "").unwrap();
    let before = crate::common::Tree::of(&world.home());
    let _ = world.line("sessions undo --yes").exits(1).says("cannot be read").says("partial-undo");
    before.is_still(&world.home());
}

/// A byte of a recorded row changed, and the row still reads as one: it does not go into the index unseen.
#[test]
fn a_row_that_changed_in_its_record_is_not_put_back() {
    let world = World::new();
    let main = world.agent("main");
    main.session("agent:main:main", 1, HOUR)
        .row("agent:main:a", 2, HOUR, json!({"inputTokens": 5}))
        .row("agent:main:b", 3, HOUR, json!({"outputTokens": 5}))
        .save();
    let report = world.line("sessions rm agent:main:a agent:main:b --yes --json").exits(0).json();
    let run = report.pointer("/stores/0/runId").unwrap().as_str().unwrap().to_owned();
    let rows = main.dir().join(".clawkeep/runs").join(&run).join("rows.jsonl");
    let text = std::fs::read_to_string(&rows).unwrap();
    assert!(text.contains("inputTokens"));
    std::fs::write(&rows, text.replace("inputTokens", "inputTokenz")).unwrap();

    let words = "only 1 of 2 rows can be read in its rows.jsonl";
    let _ = world.line("sessions runs").exits(0).says(words).says("restore KEY --list");
    let _ = world.line("sessions check").ends().says("run-unreadable").says(words);
    let _ = world.line("sessions undo --key agent:main:a").exits(1).says(words).says("agent:main:a --list");
    let _ = world.line("sessions undo --yes").exits(3).says(words);
    assert_eq!(main.keys(), ["agent:main:main", "agent:main:b"]);
    assert!(!std::fs::read_to_string(main.index()).unwrap().contains("inputTokenz"));
}

/// Rows that an older program recorded have no sum: they are taken as they are.
#[test]
fn rows_of_an_older_record_come_back() {
    let world = World::new();
    let main = world.agent("main");
    main.session("agent:main:main", 1, HOUR).session("agent:main:a", 2, HOUR).save();
    let before = std::fs::read(main.index()).unwrap();
    let report = world.line("sessions rm agent:main:a --yes --json").exits(0).json();
    let run = report.pointer("/stores/0/runId").unwrap().as_str().unwrap().to_owned();
    let rows = main.dir().join(".clawkeep/runs").join(&run).join("rows.jsonl");
    let text = std::fs::read_to_string(&rows).unwrap();
    let (row, _) = text.split_once(",\"sum\":").unwrap();
    std::fs::write(&rows, format!("{row}}}\n")).unwrap();
    let _ = world.line("sessions undo --yes").exits(0);
    assert_eq!(std::fs::read(main.index()).unwrap(), before);
}
