//! What a run took can be put back.

use serde_json::json;

use crate::common::{DAY, HOUR, World, body, id, names};

#[test]
fn a_whole_run_is_put_back_and_later_rows_stay() {
    let world = World::new();
    world.maintenance(&json!({"pruneAfter": "30d"}));
    let main = world.agent("main");
    main.session("agent:main:main", 1, HOUR)
        .session("agent:main:telegram:direct:2", 2, 40 * DAY)
        .session("agent:main:subagent:3", 3, 40 * DAY)
        .trajectory(3, 40 * DAY)
        .transcript(30, 60 * DAY)
        .save();
    let (index, files) = (std::fs::read_to_string(main.index()).unwrap(), names(main.dir()));
    let _ = world.enforce("").exits(0).has("/pruned", 2).says("runId");
    assert!(main.is_archived(2) && main.is_archived(3) && main.is_archived(30));
    let _ = world.line("sessions runs").exits(0).says("2");

    // The gateway adds a row in between.
    let later = std::fs::read_to_string(main.index()).unwrap();
    let added = r#",
  "agent:main:telegram:direct:9": {
    "sessionId": "late",
    "updatedAt": 1
  }
}"#;
    std::fs::write(main.index(), later.strip_suffix("\n}").unwrap().to_owned() + added).unwrap();

    let _ = world.line("sessions undo").fails().says("--yes");
    let _ = world.line("sessions undo --yes").exits(0);
    assert_eq!(names(main.dir()), files);
    let after = std::fs::read_to_string(main.index()).unwrap();
    assert_eq!(main.keys().len(), 4);
    for row in index.trim_start_matches("{\n").trim_end_matches("\n}").split(",\n  \"agent") {
        assert!(after.contains(row), "{row}\nin\n{after}");
    }
    assert!(after.contains(r#""sessionId": "late""#));
}

#[test]
fn nothing_to_undo_is_said_and_not_done() {
    let world = World::new();
    world.agent("main").session("agent:main:main", 1, HOUR).save();
    let _ = world.line("sessions undo").fails().says("run");
    let _ = world.line("sessions runs").exits(0);
}

#[test]
fn show_answers_why_a_session_is_still_here_and_when_it_goes() {
    let world = World::new();
    world.maintenance(&json!({"pruneAfter": "30d"}));
    let main = world.agent("main");
    main.session("agent:main:telegram:group:-1", 1, 90 * DAY)
        .session("agent:main:telegram:direct:2", 2, 3 * DAY)
        .save()
        .transcript(30, 10 * DAY)
        .file("notes.txt", "x", DAY)
        .file(&format!("{}.jsonl", id(31)), body(&id(31), world.now(), 0, 0), DAY);
    let _ = world.run(["sessions", "show", "agent:main:telegram:group:-1"]).exits(0).says("protected");
    let _ = world.run(["sessions", "show", "agent:main:telegram:direct:2"]).exits(0).says("pruneAfter").says(&id(2));
    let _ = world.run(["sessions", "show", &id(2)]).exits(0).says("agent:main:telegram:direct:2");
    let _ = world.run(["sessions", "show", &format!("{}.jsonl", id(30))]).exits(0).says("pruneAfter");
    let _ = world.run(["sessions", "show", "agent:main:nobody"]).fails();
}
