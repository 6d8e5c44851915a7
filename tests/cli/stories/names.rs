//! Every name that a report prints can be given back to the program.

use serde_json::json;

use crate::common::{DAY, Folder, HOUR, Tree, World};

/// Three agents, each with an old session, all cleaned up by one command.
fn cleaned() -> (World, [Folder; 3]) {
    let world = World::new();
    let maintenance = json!({"maintenance": {"pruneAfter": "30d", "mode": "warn"}});
    let agents = json!({"list": [{"id": "main"}, {"id": "ops"}, {"id": "qa"}]});
    world.config(&json!({"session": maintenance, "agents": agents}));
    let mut n = 0;
    let folders = ["main", "ops", "qa"].map(|agent| {
        n += 1;
        let folder = world.agent(agent);
        folder.session(&format!("agent:{agent}:main"), 10 + n, HOUR);
        folder.session(&format!("agent:{agent}:old"), n, 40 * DAY).save();
        folder
    });
    let _ = world.line("sessions cleanup --all-agents --enforce").exits(0);
    assert_eq!(live(&folders), [false; 3]);
    (world, folders)
}

/// Whether the old session of each agent is there.
fn live(folders: &[Folder; 3]) -> [bool; 3] {
    let mut n = 0;
    folders.each_ref().map(|folder| {
        n += 1;
        folder.is_live(n)
    })
}

/// The name that a list gives the newest command.
fn listed(world: &World, line: &str) -> String {
    let text = world.line(line).exits(0).stdout;
    text.lines().nth(1).unwrap().split_whitespace().next().unwrap().to_owned()
}

/// Takes the record of a run away, as age does.
fn gone(folder: &Folder, run: &str) {
    std::fs::remove_dir_all(folder.dir().join(".clawkeep/runs").join(run)).unwrap();
}

#[test]
fn runs_of_one_command_go_back_by_the_name_they_are_listed_under() {
    let (world, folders) = cleaned();
    let name = listed(&world, "sessions runs --all-agents");
    // Also where only one of the others was looked at.
    assert_eq!(listed(&world, "sessions runs --agent ops"), name);
    let _ = world.line(&format!("sessions undo {name} --agent ops --yes")).exits(0);
    assert_eq!(live(&folders), [false, true, false]);
    let _ = world.line(&format!("sessions undo {name} --key agent:qa:old --yes")).exits(0);
    assert_eq!(live(&folders), [false, true, true]);

    // The record of the first is gone: the rest has its name all the same.
    let (world, folders) = cleaned();
    let name = listed(&world, "sessions runs --all-agents");
    gone(&folders[0], &name);
    assert_eq!(listed(&world, "sessions runs --all-agents"), name);
    let _ = world.line(&format!("sessions undo {name} --dry-run")).exits(0).says("1 of the 3 runs");
    let _ = world.line(&format!("sessions undo {name} --yes")).exits(0).says("1 of the 3 runs").says("not put back");
    assert_eq!(live(&folders), [false, true, true]);

    // Of two others one is gone too.
    let (world, folders) = cleaned();
    let name = listed(&world, "sessions runs --all-agents");
    gone(&folders[0], &name);
    let ops = world.line("sessions runs --agent ops --json").json();
    gone(&folders[1], ops["runs"][0]["id"].as_str().unwrap());
    let _ = world.line(&format!("sessions undo {name} --yes")).exits(0).says("2 of the 3 runs");
    assert_eq!(live(&folders), [false, false, true]);
}

#[test]
fn records_of_one_command_are_forgotten_under_the_name_they_are_listed_under() {
    let left = |world: &World| {
        let runs = world.line("sessions runs --all-agents --json").json();
        runs["runs"].as_array().unwrap().len()
    };
    let (world, folders) = cleaned();
    let name = listed(&world, "sessions runs --all-agents");
    let before = Tree::of(&world.state());
    let refused = format!("sessions runs --forget {name}");
    let _ = world.line(&refused).exits(1).says("the records of 3 runs").says(&format!("--forget {name} --yes"));
    before.is_still(&world.state());
    // Those of one agent alone, if that was said.
    let _ = world.line(&format!("sessions runs --forget {name} --agent ops --yes")).exits(0);
    assert_eq!(left(&world), 2);
    gone(&folders[0], &name);
    let _ = world.line(&format!("sessions runs --forget {name} --yes")).exits(0).says("Forgot run");
    assert_eq!(left(&world), 0);
    let _ = world.line(&format!("sessions runs --forget {name} --yes")).exits(1).says("no run");
}

#[test]
fn a_store_that_is_not_there_and_nothing_to_undo_are_told_apart() {
    let world = World::new();
    world.config(&json!({}));
    let _ = world.line("sessions runs --store /none").exits(10).says("/none does not exist");
    let _ = world.line("sessions runs --store /none/sessions.json --json").exits(10);
    let _ = world.line("sessions undo --store /none/sessions.json").exits(10);
    let _ = world.line("sessions runs").exits(0).says("No runs");
    // An agent that has no store yet, or had one only for the time of a fix.
    let _ = world.line("sessions undo").exits(1).says("no run to undo");
    let old = world.folder(".openclaw/sessions");
    old.session("main", 1, DAY).save();
    let _ = world.line("doctor --fix").ends();
    assert!(world.agent("main").is_live(1));
    let _ = world.line("sessions undo --yes").exits(0);
    for line in ["sessions undo", "sessions undo --agent main", "sessions undo --all-agents"] {
        let _ = world.line(line).exits(1).says("run to undo");
    }
    // Records outlive the index they are about.
    let (world, folders) = cleaned();
    std::fs::remove_file(folders[0].index()).unwrap();
    let _ = world.line("sessions runs --store {store}").exits(0).says("sessions cleanup");
}
