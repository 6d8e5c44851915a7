//! Copies elsewhere before anything is removed for good.

use serde_json::{Value, json};

use crate::common::{DAY, HOUR, World, names};

#[test]
fn what_goes_for_good_is_in_the_archive_first_under_the_id_of_its_run() {
    let world = World::new();
    world.maintenance(&json!({"pruneAfter": "30d"}));
    let main = world.agent("main");
    main.session("agent:main:main", 1, HOUR).session("agent:main:subagent:o", 2, 40 * DAY);
    // More than one batch.
    for n in 100..170 {
        main.archive(n, "deleted", 60 * DAY);
    }
    main.save();
    let _ = world.line("archive init attic").exits(0);
    let report = world.enforce("--archive-to attic").exits(0).json();
    assert_eq!(report["expiredArchives"], 70);
    assert!((100..170).all(|n| main.of_session(n, "").is_empty()));
    assert_eq!(names(&world.home().join("attic/main")).len(), 70);
    let manifest = std::fs::read_to_string(world.home().join("attic/manifest.jsonl")).unwrap();
    let lines: Vec<Value> = manifest.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(lines.len(), 70);
    assert!(lines.iter().all(|l| l["runId"] == report["runId"]), "{}\n{manifest}", report["runId"]);
}

#[test]
fn an_archive_that_cannot_be_written_keeps_every_original() {
    let world = World::new();
    let main = world.agent("main");
    main.session("agent:main:main", 1, HOUR);
    for n in 100..103 {
        main.archive(n, "deleted", 60 * DAY);
    }
    main.save();
    let _ = world.line("archive init attic").exits(0);
    // The folder of the copies is something else.
    std::fs::write(world.home().join("attic/main"), "in the way").unwrap();
    let _ = world.enforce("--archive-to attic").exits(3).has("/expiredArchives", 0);
    assert!((100..103).all(|n| main.is_archived(n)));
}
