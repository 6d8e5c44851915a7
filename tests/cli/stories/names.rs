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

/// Commands that a report or a failure names, as a shell would get them.
fn commands(text: &str) -> Vec<String> {
    let of_line = |line: &str| {
        let at = line.find("clawkeep ")?;
        let words = line[at..].split("  (").next()?.trim_end_matches(['.', ')']).to_owned();
        (!words.contains("KEY") && !words.contains(" ID") && !line[..at].ends_with('`')).then_some(words)
    };
    text.lines().filter_map(of_line).collect()
}

/// What the program says when a shell runs the command.
fn shell(world: &World, command: &str) -> crate::common::Output {
    let program = world.command::<&str>([]).get_program().to_owned();
    let mut sh = world.hermetic(std::path::Path::new("/bin/sh"));
    let script = command.replacen("clawkeep ", &format!("{} ", program.to_string_lossy()), 1);
    sh.arg("-c").arg(script);
    world.finish(sh)
}

/// Two folders that differ in letter case are two agents to a file system that tells them apart, and one id.
#[cfg(target_os = "linux")]
#[test]
fn a_command_that_is_printed_works_as_printed() {
    let world = World::new();
    let maintenance = json!({"maintenance": {"pruneAfter": "30d", "mode": "warn"}});
    world.config(&json!({"session": maintenance, "agents": {"list": [{"id": "main"}, {"id": "work"}]}}));
    let mut n = 0;
    let folders = ["main", "work", "Work", "Ops", "ops", "MAIN"].map(|agent| {
        n += 1;
        let folder = world.agent(agent);
        let id = agent.to_lowercase();
        folder.session(&format!("agent:{id}:main"), 10 + n, HOUR);
        folder.session(&format!("agent:{id}:old"), n, 40 * DAY).save();
        (agent, folder, n)
    });
    let report = world.line("sessions cleanup --all-agents --include-unconfigured --enforce").exits(0).stdout;
    let undo: Vec<String> = commands(&report).into_iter().filter(|line| line.contains(" undo ")).collect();
    assert_eq!(undo.len(), folders.len(), "{report}");
    for (nr, command) in undo.iter().enumerate() {
        let before = folders.iter().filter(|(_, folder, n)| folder.is_live(*n)).count();
        assert_eq!(before, nr, "{undo:?}");
        let out = shell(&world, &format!("{command} --yes"));
        assert_eq!(out.code, Some(0), "{command}: {}", out.picture());
    }
    assert!(folders.iter().all(|(_, folder, n)| folder.is_live(*n)));

    // A damaged index of any of them: the way out that is named leads to it, also from the undo of all.
    let _ = world.line("sessions cleanup --all-agents --include-unconfigured --enforce").exits(0);
    let name = listed(&world, "sessions runs --all-agents --include-unconfigured");
    for (agent, folder, _) in &folders {
        let whole = std::fs::read(folder.index()).unwrap();
        std::fs::write(folder.index(), &whole[..whole.len() - 5]).unwrap();
        for line in ["sessions undo --yes".to_owned(), format!("sessions undo {name} --yes")] {
            let out = world.line(&line).fails();
            let named = commands(&out.stderr);
            let repair =
                named.iter().find(|line| line.contains(" repair ")).unwrap_or_else(|| panic!("{}", out.stderr));
            let done = shell(&world, repair);
            let here = format!("agents/{agent}/");
            assert!(done.stdout.contains(&here), "{agent}: {repair}\n{}", done.picture());
        }
        std::fs::write(folder.index(), whole).unwrap();
    }
    for line in
        ["sessions list", "sessions runs", "sessions check", "sessions show nobody", "sessions list --agent OPS"]
    {
        let out = world.line(line).ends();
        for command in commands(&format!("{}{}", out.stdout, out.stderr)).iter().filter(|line| !line.contains(" undo "))
        {
            let done = shell(&world, &format!("{command} --help"));
            assert_eq!(done.code, Some(0), "{line}: {command}\n{}", done.picture());
        }
    }
}

#[test]
fn a_run_that_is_back_already_says_so_and_names_the_one_before_it() {
    let (world, folders) = cleaned();
    let name = listed(&world, "sessions runs --all-agents");
    let main = &folders[0];
    main.session("agent:main:more", 30, HOUR).save();
    let _ = world.line("sessions rm agent:main:more --yes").exits(0);
    let last = listed(&world, "sessions runs");
    // Brought back by another command: there is nothing left to undo, and an undo without a name must not stop there for ever.
    let _ = world.line("sessions restore agent:main:more --yes").exits(0);
    let undone = listed(&world, "sessions runs");
    let _ = world.line(&format!("sessions runs --forget {undone} --yes")).exits(0);
    for line in
        ["sessions undo --dry-run".to_owned(), "sessions undo --yes".to_owned(), format!("sessions undo {last}")]
    {
        let out = world.line(&line).exits(1).says(&format!("everything that run {last} changed is as it was before"));
        let hint = out.stderr.lines().find_map(|line| line.trim().strip_prefix("try: ")).unwrap().to_owned();
        assert!(hint.starts_with(&format!("clawkeep sessions undo {name}")), "{hint}");
        assert_eq!(shell(&world, &format!("{} --dry-run", hint.split("  (").next().unwrap())).code, Some(0), "{hint}");
    }
    let _ = world.line("sessions runs --limit 0").exits(0).hides("No runs are recorded");
}

#[test]
fn a_damaged_index_of_another_agent_does_not_keep_a_session_lost() {
    let (world, folders) = cleaned();
    std::fs::write(folders[0].index(), "{ torn").unwrap();
    let _ = world.line("sessions restore agent:qa:old --dry-run").exits(0).says("is damaged").says("Would restore");
    let _ = world.line("sessions restore agent:qa:old --yes").exits(0).says("is damaged");
    assert_eq!(live(&folders), [false, false, true]);
    let _ = world.line("sessions restore agent:main:old --yes").exits(1).says("is damaged").says("repair");
    assert_eq!(std::fs::read(folders[0].index()).unwrap(), b"{ torn");
}
