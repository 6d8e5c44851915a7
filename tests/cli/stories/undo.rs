//! What a run took can be put back.

use serde_json::json;

use crate::common::{DAY, Folder, HOUR, World, body, id, names};

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

/// Three old sessions, taken by one run; the second has a trajectory.
fn three_taken(world: &World) -> crate::common::Folder {
    world.maintenance(&json!({"pruneAfter": "30d", "mode": "warn"}));
    let main = world.agent("main");
    main.session("agent:main:main", 1, HOUR);
    for n in 2..5 {
        main.session(&format!("agent:main:telegram:direct:{n}"), n, 40 * DAY);
    }
    main.trajectory(3, 40 * DAY).save();
    let _ = world.enforce("").exits(0).has("/pruned", 3);
    main
}

#[test]
fn a_part_comes_back_and_the_rest_can_follow() {
    let world = World::new();
    let main = three_taken(&world);
    let run = world.line("sessions runs --json").json()["runs"][0]["id"].as_str().unwrap().to_owned();
    let _ = world.line("sessions undo --key nobody").exits(1).says("took nothing");
    let out = world.line("sessions undo --key agent:main:telegram:direct:3 --json").exits(0).has("/partly", true);
    let _ = out.has("/rowsRestored", json!(["agent:main:telegram:direct:3"]));
    assert!(main.is_live(3) && main.has(&format!("{}.trajectory.jsonl", id(3))));
    assert!(!main.is_live(2) && main.is_archived(2));
    let _ = world.line("sessions runs --json").exits(0).has("/runs/1/state", "done").has("/runs/1/undoable", true);

    // A file alone, by the name it has now.
    let archive = main.of_session(2, ".jsonl.deleted.").remove(0);
    let _ = world.line(&format!("sessions undo {run} --file {archive} --json")).exits(0).has("/partly", true);
    assert!(main.is_live(2) && !main.is_archived(2));
    assert_eq!(main.keys().len(), 2, "its row did not come");

    let _ = world.line(&format!("sessions undo {run} --json")).exits(0).has("/partly", false);
    assert_eq!(main.keys().len(), 4);
    assert!((1..5).all(|n| main.is_live(n)));
    let _ = world.line(&format!("sessions undo {run}")).exits(1).says("already");
}

/// Half a record does not tell which files belong to the rows: they would come back without them.
#[test]
fn a_run_whose_record_is_cut_is_not_undone() {
    for file in ["plan.jsonl", "outcome.jsonl"] {
        let world = World::new();
        let main = three_taken(&world);
        let run = std::fs::read_dir(main.dir().join(".clawkeep/runs")).unwrap().next().unwrap().unwrap();
        let path = run.path().join(file);
        let whole = std::fs::read(&path).unwrap();
        std::fs::write(&path, &whole[..whole.len() / 2]).unwrap();
        let (index, files) = (std::fs::read(main.index()).unwrap(), names(main.dir()));
        let id = run.file_name().into_string().unwrap();
        let _ = world.line(&format!("sessions undo {id} --yes")).fails().says(file);
        assert_eq!((std::fs::read(main.index()).unwrap(), names(main.dir())), (index, files), "{file}");
        let _ = world.line("sessions undo --yes").fails();
        std::fs::write(&path, whole).unwrap();
        let _ = world.line(&format!("sessions undo {id} --yes")).exits(0);
    }
}

#[test]
fn parts_that_make_the_whole_count_as_the_whole() {
    let world = World::new();
    let main = three_taken(&world);
    let keys =
        "--key agent:main:telegram:direct:2 --key agent:main:telegram:direct:3 --key agent:main:telegram:direct:4";
    let _ = world.line(&format!("sessions undo {keys} --json")).exits(0).has("/partly", false);
    assert_eq!(main.keys().len(), 4);
    let _ = world.line("sessions undo").exits(1).says("no run to undo");
}

#[test]
fn an_undo_is_undone_and_what_was_written_since_stays() {
    let world = World::new();
    let main = three_taken(&world);
    let taken = names(main.dir());
    let out = world.line("sessions undo --json").exits(0);
    let undo = out.json()["runId"].as_str().unwrap().to_owned();
    let redo = world.line(&format!("sessions undo {undo} --json")).exits(0);
    assert_eq!(redo.json()["filesRemoved"].as_array().unwrap().len(), 5);
    assert_eq!(names(main.dir()), taken);
    assert_eq!(main.keys(), ["agent:main:main"]);

    // The first run stands again; this time one conversation goes on after the undo.
    let out = world.line("sessions undo --json").exits(0);
    let undo = out.json()["runId"].as_str().unwrap().to_owned();
    let index = std::fs::read_to_string(main.index()).unwrap();
    let at = index.find("direct:2").unwrap();
    let used = index[..at].to_owned() + &index[at..].replacen("\"updatedAt\"", "\"used\": true, \"updatedAt\"", 1);
    std::fs::write(main.index(), used).unwrap();
    let name = format!("{}.jsonl", id(2));
    main.file(&name, body(&id(2), world.now(), 2, 0), -HOUR);
    let out = world.line(&format!("sessions undo {undo} --json")).exits(3);
    assert_eq!(out.json()["conflicts"].as_array().unwrap().len(), 2, "{}", out.picture());
    assert!(main.is_live(2) && main.keys().contains(&"agent:main:telegram:direct:2".to_owned()));
    assert!(main.is_archived(3) && main.is_archived(4));
}

#[test]
fn a_run_is_forgotten_only_with_a_word() {
    let world = World::new();
    let main = three_taken(&world);
    let run = world.line("sessions runs --json").json()["runs"][0]["id"].as_str().unwrap().to_owned();
    let folder = main.path(".clawkeep/runs").join(&run);
    let _ = world.line(&format!("sessions runs --forget {run}")).exits(1).says("--yes");
    let _ = world.line("sessions runs --forget 20260101T000000Z-0000 --yes").exits(1);
    assert!(folder.exists());

    // An interrupted run keeps its record: it is needed to finish it.
    std::fs::rename(folder.join("done"), folder.join("open")).unwrap();
    let _ = world.line(&format!("sessions runs --forget {run} --yes")).exits(1).says("interrupted");
    std::fs::rename(folder.join("open"), folder.join("done")).unwrap();

    // Whoever may not write there is told what stands in the way, and what to do.
    let mut command = world.command(["sessions", "runs", "--forget", &run, "--yes"]);
    command.env("CLAWKEEP_FAULT", "unlink:EACCES");
    let _ =
        world.finish(command).exits(3).says("cannot remove").says(&run).says("Permission denied").says("as the user");
    assert!(folder.join("done").exists());

    let _ = world.line(&format!("sessions runs --forget {run} --yes")).exits(0).says("3 rows").says("no longer");
    assert!(!folder.exists() && main.is_archived(2));
    let _ = world.line("sessions undo").exits(1).says("no run to undo");
}

#[test]
fn the_copies_of_a_repair_stay_if_the_transcript_cannot_go_back() {
    let world = World::new();
    let main = world.agent("main");
    main.session("agent:main:main", 1, HOUR).save();
    let file = main.path(&format!("{}.jsonl", id(1)));
    let damaged = [std::fs::read(&file).unwrap(), b"{\"torn".to_vec()].concat();
    std::fs::write(&file, &damaged).unwrap();
    let _ = world.line("transcript repair agent:main:main --yes").exits(0);
    let copies = || -> Vec<String> {
        names(main.dir()).into_iter().filter(|n| n.contains(".bak-") || n.ends_with(".torn")).collect()
    };
    assert_eq!(copies().len(), 2, "{:?}", copies());
    std::fs::remove_file(&file).unwrap();
    let _ = world.line("sessions undo --yes").ends();
    assert_eq!(copies().len(), 2, "{:?}", copies());
    assert!(
        copies().iter().any(|n| std::fs::read(main.path(n)).unwrap() == damaged),
        "the damaged text is still there"
    );
}

/// What was asked for is back, and the rest of the run is not: neither is said of the other.
#[test]
fn a_file_that_is_back_does_not_stand_for_its_run() {
    let world = World::new();
    let main = three_taken(&world);
    let run = world.line("sessions runs --json").json()["runs"][0]["id"].as_str().unwrap().to_owned();
    let undo = format!("sessions undo {run} --file {}.jsonl", id(2));
    let _ = world.line(&undo).exits(0);
    let out = world.line(&undo).exits(1).says(&format!("{}.jsonl is as it was", id(2)));
    let out = out.says("3 rows and 4 files").says(&format!("clawkeep sessions undo {run}"));
    assert!(!out.stderr.contains("everything"), "{}", out.picture());
    let _ = world.line(&format!("sessions undo {run}")).exits(0);
    assert!(main.is_live(3) && main.is_live(4));
    let _ = world.line(&undo).exits(1).says("already");
}

/// A command over several stores is one thing: a list of the runs of one store says how many its undo puts back.
#[test]
fn a_list_of_one_store_tells_how_many_runs_go_back() {
    let world = World::new();
    world.maintenance(&json!({"pruneAfter": "30d", "mode": "warn"}));
    for agent in ["main", "ops", "work"] {
        let folder = world.agent(agent);
        folder.session(&format!("agent:{agent}:main"), 1, HOUR);
        folder.session(&format!("agent:{agent}:telegram:direct:2"), 2, 40 * DAY).save();
    }
    let _ = world.line("sessions cleanup --enforce --all-agents --include-unconfigured").exits(0);
    let _ = world.line("sessions runs").exits(0).says("last one back: clawkeep sessions undo").says("(3 runs)");
    let out = world.line("sessions runs --agent main").exits(0);
    assert!(!out.stdout.contains("(3 runs)"), "{}", out.picture());
}

/// Three stale rows whose transcripts a run could not rename: they lie where they were, no row leads to them, and the record
/// says so.
fn left_behind() -> (World, Folder) {
    let world = World::new();
    world.config(&json!({"session": {"maintenance": {"pruneAfter": "30d"}}}));
    let main = world.agent("main");
    main.session("agent:main:main", 1, HOUR);
    for n in 2..5 {
        main.session(&format!("agent:main:telegram:direct:{n}"), n, 60 * DAY);
    }
    main.save();
    let _ = world.enforce("").exits(0);
    assert_eq!(main.keys(), ["agent:main:main"]);
    let run = main.path(".clawkeep/runs").read_dir().unwrap().next().unwrap().unwrap().path();
    for n in 2..5 {
        let [archive] = main.of_session(n, ".jsonl.deleted.").try_into().unwrap();
        std::fs::rename(main.path(&archive), main.path(&format!("{}.jsonl", id(n)))).unwrap();
    }
    let plan = std::fs::read_to_string(run.join("plan.jsonl")).unwrap();
    let plan: Vec<serde_json::Value> = plan.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let moved = |seq: &serde_json::Value| plan.iter().any(|line| line["seq"] == *seq && line["op"] == "move");
    let outcome = |line: &str| {
        let mut line: serde_json::Value = serde_json::from_str(line).unwrap();
        if moved(&line["seq"]) {
            line["result"] = json!("failed");
        }
        format!("{line}\n")
    };
    let text = std::fs::read_to_string(run.join("outcome.jsonl")).unwrap();
    std::fs::write(run.join("outcome.jsonl"), text.lines().map(outcome).collect::<String>()).unwrap();
    let _ = std::fs::remove_dir_all(run.join("files"));
    std::fs::create_dir(run.join("files")).unwrap();
    assert!((2..5).all(|n| main.is_live(n)));
    (world, main)
}

#[test]
fn what_a_run_left_behind_is_never_removed_for_good() {
    let (world, main) = left_behind();
    let out = world.enforce("--max-disk 1").ends();
    assert!(out.stdout.contains("left-behind"), "{}", out.picture());
    assert!((2..5).all(|n| main.is_archived(n)), "{}", out.picture());
    let _ = world.line("sessions undo --yes").exits(0);
    let _ = world.line("sessions undo --yes").exits(0);
    assert_eq!(main.keys().len(), 4);
    assert!((2..5).all(|n| main.is_live(n)));
}

#[test]
fn undo_names_what_was_left_behind_and_has_gone_since() {
    let (world, main) = left_behind();
    std::fs::remove_file(main.path(&format!("{}.jsonl", id(3)))).unwrap();
    let dry = world.line("sessions undo --dry-run").exits(3);
    let out = world.line("sessions undo --yes").exits(3);
    for out in [dry, out] {
        let said = format!("{}{}", out.stdout, out.stderr);
        assert!(said.contains(&id(3)) && said.contains("sessions restore --list"), "{}", out.picture());
    }
    assert_eq!(main.keys().len(), 4);
    assert!(main.is_live(2) && !main.is_live(3) && main.is_live(4));
}
