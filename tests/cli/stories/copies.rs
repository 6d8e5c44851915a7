//! The state was copied, or moved: what is done in the copy never touches the original, and what was moved has lost nothing.

#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::common::{DAY, Folder, HOUR, Output, Tree, World, id, names};
use crate::doctor::old_state;

/// Sessions that a cleanup takes.
const OLD: std::ops::Range<u64> = 2..6;

fn state() -> World {
    let world = World::new();
    world.maintenance(&json!({"pruneAfter": "30d", "mode": "warn"}));
    let main = world.agent("main");
    main.session("agent:main:main", 1, HOUR);
    for n in OLD {
        main.session(&key(n), n, 40 * DAY);
    }
    main.trajectory(3, 40 * DAY).save();
    world
}

fn key(n: u64) -> String {
    format!("agent:main:telegram:direct:{n}")
}

/// The same state under another path.
fn copy(world: &World, more: &[&str]) -> PathBuf {
    let to = world.home().join("copy");
    let done = Command::new("cp").args(more).arg(world.state()).arg(&to).status().unwrap();
    assert!(done.success());
    to
}

fn moved(world: &World) -> PathBuf {
    let to = world.home().join("moved");
    std::fs::rename(world.state(), &to).unwrap();
    to
}

fn at(world: &World, state: &Path, line: &str) -> Output {
    let mut command = world.command(line.split_whitespace());
    command.env("OPENCLAW_STATE_DIR", state);
    world.finish(command)
}

fn main_of(world: &World, state: &Path) -> Folder {
    Folder::create(&state.join("agents/main/sessions"), world.now())
}

/// A cleanup that is killed at its first operation of this kind.
fn killed_cleanup(world: &World, kind: &str) {
    let mut command = world.command(["sessions", "cleanup", "--enforce"]);
    command.env("CLAWKEEP_FAULT", format!("{kind}:kill"));
    assert_eq!(world.finish(command).code, None, "it was not killed");
}

/// Takes out of every record what older programs did not write.
fn as_older_programs_wrote(state: &Path) {
    for item in walkdir::WalkDir::new(state).into_iter().flatten().filter(|item| item.file_name() == "meta.json") {
        let mut meta: Value = serde_json::from_slice(&std::fs::read(item.path()).unwrap()).unwrap();
        assert!(meta.as_object_mut().unwrap().remove("base").is_some());
        std::fs::write(item.path(), meta.to_string()).unwrap();
    }
}

fn all_live(main: &Folder) -> bool {
    OLD.chain([1]).all(|n| main.is_live(n)) && main.keys().len() == 5
}

fn all_taken(main: &Folder) -> bool {
    OLD.into_iter().all(|n| main.is_archived(n) && !main.is_live(n)) && main.keys() == ["agent:main:main"]
}

#[test]
fn an_interrupted_run_in_a_copy_is_finished_in_the_copy() {
    // Before the swap, before its temporary file goes, and between two renames.
    for (kind, swapped) in [("exchange", false), ("unlink", true), ("rename", true)] {
        for older in [false, true] {
            for how in [&["-a"][..], &["-r"]] {
                let world = state();
                killed_cleanup(&world, kind);
                if older {
                    as_older_programs_wrote(&world.state());
                }
                let there = copy(&world, how);
                let main = world.agent("main");
                if swapped && !older {
                    let _ = world.line("sessions undo --yes").exits(0);
                    assert!(all_live(&main), "{kind}");
                }
                let before = Tree::of(&world.state());
                let _ = at(&world, &there, "sessions cleanup --enforce").ends();
                before.is_still(&world.state());
                let copied = main_of(&world, &there);
                match (how, swapped) {
                    (["-a"], _) => assert!(all_taken(&copied), "{kind}: {:?}", names(copied.dir())),
                    // Every file is as young as the copy: nothing of it is known to be old, and nothing goes.
                    (_, false) => assert!(all_live(&copied), "{kind}: {:?}", names(copied.dir())),
                    (_, true) => assert!(copied.keys() == ["agent:main:main"] && copied.is_live(1), "{kind}"),
                }
                assert!(names(copied.dir()).iter().all(|name| !name.contains(".tmp")), "{:?}", names(copied.dir()));
                let _ = at(&world, &there, "sessions cleanup --enforce").exits(0);
                before.is_still(&world.state());
            }
        }
    }
}

/// Wherever a run is killed, also before its record says where it was made: the next run in a copy leaves the original alone.
#[test]
fn a_run_killed_anywhere_is_no_business_of_a_copy() {
    for operation in 1..=40 {
        let world = state();
        let mut command = world.command(["sessions", "cleanup", "--enforce"]);
        command.env("CLAWKEEP_FAULT", format!("{operation}:kill"));
        if world.finish(command).code.is_some() {
            assert!(operation > 20, "the run had {operation} operations only");
            break;
        }
        let there = copy(&world, &["-a"]);
        let before = Tree::of(&world.state());
        let _ = at(&world, &there, "sessions cleanup --enforce").ends();
        before.is_still(&world.state());
        let left = names(main_of(&world, &there).dir());
        assert!(left.iter().all(|name| !name.contains(".tmp")), "killed at {operation}: {left:?}");
    }
}

#[test]
fn what_is_put_back_in_a_copy_is_put_back_there() {
    let parts = format!("sessions undo --key {} --yes", key(3));
    let restored = format!("sessions restore {} --yes", key(3));
    for older in [false, true] {
        for (line, back) in [("sessions undo --yes", 5), (&*parts, 2), (&*restored, 2)] {
            let world = state();
            let _ = world.enforce("").exits(0);
            if older {
                as_older_programs_wrote(&world.state());
            }
            let there = copy(&world, &["-a"]);
            let before = Tree::of(&world.state());
            let _ = at(&world, &there, line).exits(0);
            before.is_still(&world.state());
            let copied = main_of(&world, &there);
            assert!(copied.is_live(3) && copied.has(&format!("{}.trajectory.jsonl", id(3))), "{line}");
            assert_eq!(copied.keys().len(), back, "{line}");
            // And the other way round.
            let before = Tree::of(&there);
            let _ = world.line("sessions undo --yes").exits(0);
            before.is_still(&there);
            assert!(all_live(&world.agent("main")));
        }
    }
}

#[test]
fn what_goes_for_good_in_a_copy_goes_there_alone() {
    let world = state();
    let _ = world.enforce("").exits(0);
    let there = copy(&world, &["-a"]);
    let before = Tree::of(&world.state());
    let _ = at(&world, &there, &format!("sessions restore {} --yes", key(3))).exits(0);
    let _ = at(&world, &there, &format!("sessions rm {} --purge --yes", key(3))).exits(0);
    let run = at(&world, &there, "sessions runs --json").json();
    let runs = run["runs"].as_array().unwrap();
    let _ = at(&world, &there, &format!("sessions runs --forget {} --yes", runs[0]["id"].as_str().unwrap())).exits(0);
    // What was taken out of the oldest record must not have made its paths those of nobody.
    let again = world.home().join("again");
    std::fs::rename(&there, &again).unwrap();
    let oldest = runs.last().unwrap()["id"].as_str().unwrap();
    let _ = at(&world, &again, &format!("sessions undo {oldest} --yes")).ends();
    before.is_still(&world.state());
    let copied = main_of(&world, &again);
    assert!(copied.is_live(2) && copied.is_live(4) && copied.of_session(3, "").is_empty(), "{:?}", names(copied.dir()));
}

#[test]
fn a_moved_state_has_lost_nothing() {
    for older in [false, true] {
        let world = state();
        let before = std::fs::read(world.agent("main").index()).unwrap();
        let _ = world.enforce("").exits(0);
        if older {
            as_older_programs_wrote(&world.state());
        }
        let there = moved(&world);
        let _ = at(&world, &there, "sessions cleanup --enforce").exits(0).hides("suspect");
        let _ = at(&world, &there, "sessions undo --yes").exits(0);
        let main = main_of(&world, &there);
        assert!(all_live(&main), "{:?}", names(main.dir()));
        assert_eq!(std::fs::read(main.index()).unwrap(), before);
        assert!(!world.state().exists());
    }
}

#[test]
fn an_interrupted_run_is_finished_after_a_move() {
    for (kind, undone) in [("exchange", false), ("unlink", true), ("rename", true)] {
        let world = state();
        killed_cleanup(&world, kind);
        let there = moved(&world);
        let main = main_of(&world, &there);
        if undone {
            let _ = at(&world, &there, "sessions undo --yes").exits(0);
            assert!(all_live(&main), "{kind}: {:?}", names(main.dir()));
        }
        let _ = at(&world, &there, "sessions cleanup --enforce").exits(0);
        assert!(all_taken(&main), "{kind}: {:?}", names(main.dir()));
    }
}

#[test]
fn a_sessions_folder_behind_a_link_is_copied_with_its_target() {
    let world = state();
    std::fs::rename(world.state().join("agents/main/sessions"), world.state().join("real")).unwrap();
    std::os::unix::fs::symlink("../../real", world.state().join("agents/main/sessions")).unwrap();
    let _ = world.enforce("").exits(0);
    let there = copy(&world, &["-a"]);
    let before = Tree::of(&world.state());
    let _ = at(&world, &there, "sessions undo --yes").exits(0);
    before.is_still(&world.state());
    assert!(all_live(&main_of(&world, &there)));
}

/// Names and texts, without records and backups of ours.
fn content(state: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let tree = Tree::of(state).0.into_iter().map(|(path, entry)| (path, entry.content));
    let ours =
        |path: &Path| path.to_string_lossy().contains(".clawkeep") || path.extension().is_some_and(|e| e == "bak");
    tree.filter(|(path, content)| !content.is_empty() && !ours(path)).collect()
}

#[test]
fn a_fix_of_the_doctor_goes_back_in_a_copy_and_after_a_move() {
    for older in [false, true] {
        let world = old_state();
        world.config_text("{ session: { maintenance: { mode: \"warn\", rotateBytes: 1 } } } // mine\n");
        let before = content(&world.state());
        let _ = world.line("doctor --fix").ends();
        let fixed = content(&world.state());
        assert!(fixed != before);
        if older {
            as_older_programs_wrote(&world.state());
        }
        let there = copy(&world, &["-a"]);
        let original = Tree::of(&world.state());
        let _ = at(&world, &there, "sessions undo --yes").exits(0);
        original.is_still(&world.state());
        assert!(content(&there) == before, "in the copy");
        let there = moved(&world);
        let _ = at(&world, &there, "sessions undo --yes").exits(0);
        assert!(content(&there) == before, "after the move");
    }
}

#[test]
fn a_copy_leaves_a_configuration_outside_of_it_alone() {
    let world = old_state();
    let config = world.home().join("etc/openclaw.json");
    std::fs::create_dir(config.parent().unwrap()).unwrap();
    std::fs::write(&config, "{ session: { parentForkMaxTokens: 5 } }").unwrap();
    let world = world.var("OPENCLAW_CONFIG_PATH", config.clone());
    let _ = world.line("doctor --fix --config-only").exits(0);
    let there = copy(&world, &["-a"]);
    let before = Tree::of(&world.home());
    let _ = at(&world, &there, "sessions undo --yes").exits(1).says("is a copy").says("not part of the copy");
    before.is_still(&world.home());
    let _ = world.line("sessions undo --yes").exits(0);
    assert_eq!(std::fs::read_to_string(&config).unwrap(), "{ session: { parentForkMaxTokens: 5 } }");
}

/// A fix that is killed while its files are on their way (in the full form: anywhere), and whose state is moved or copied before
/// anything else happens: taken back there, all of it is as it was before the fix, and the original of a copy is left alone.
#[test]
fn a_killed_fix_is_taken_back_where_the_state_is_by_then() {
    let full = crate::crash::full();
    let kills = if full { 1..=400 } else { 31..=36 };
    let mut met = 0;
    for operation in kills.step_by(if full { 1 } else { 4 }) {
        for how in [None, Some("-a"), Some("-dR")] {
            let world = old_state();
            let before = content(&world.state());
            let mut command = world.command(["doctor", "--fix"]);
            command.env("CLAWKEEP_FAULT", format!("{operation}:kill"));
            if world.finish(command).code.is_some() {
                assert!(met > 300, "the fix was over at {operation}");
                return;
            }
            met += 1;
            assert!(full || content(&world.state()) != before, "nothing was on its way at {operation}");
            let there = how.map_or_else(|| moved(&world), |how| copy(&world, &[how, "--preserve=timestamps,links"]));
            let original = how.map(|_| Tree::of(&world.state()));
            let _ = at(&world, &there, "sessions undo --yes").ends();
            let _ = at(&world, &there, "sessions undo --yes").ends();
            assert!(content(&there) == before, "{operation}, {how:?}: {:?}", names(main_of(&world, &there).dir()));
            original.iter().for_each(|original| original.is_still(&world.state()));
        }
    }
}

/// An index behind a link to another place, in a copy: it is that of the original, and no command changes it from the copy.
#[test]
fn an_index_that_a_copy_only_has_a_link_to_is_not_changed_from_there() {
    for (recorded, beside) in [(true, false), (false, false), (false, true)] {
        let world = state();
        let main = world.agent("main");
        let real = match beside {
            true => main.dir().join("real.json"),
            false => world.home().join("indexes/real.json"),
        };
        std::fs::create_dir_all(real.parent().unwrap()).unwrap();
        std::fs::rename(main.index(), &real).unwrap();
        std::os::unix::fs::symlink(&real, main.index()).unwrap();
        if recorded {
            let _ = world.line(&format!("sessions rm {} --yes", key(2))).exits(0);
        } else if !beside {
            // The rows say where their transcripts are.
            let mut index: Value = serde_json::from_slice(&std::fs::read(&real).unwrap()).unwrap();
            for (_, row) in index.as_object_mut().unwrap() {
                row["sessionFile"] = json!(main.path(&format!("{}.jsonl", row["sessionId"].as_str().unwrap())));
            }
            std::fs::write(&real, index.to_string()).unwrap();
        }
        let there = copy(&world, &["-a"]);
        if beside {
            let link = there.join("agents/main/sessions/sessions.json");
            std::fs::remove_file(&link).unwrap();
            std::os::unix::fs::symlink(&real, &link).unwrap();
        }
        let copied = main_of(&world, &there);
        copied.transcript(9, HOUR);
        let before = (Tree::of(&world.state()), std::fs::read(&real).unwrap());
        for line in [
            format!("sessions rm {} --yes", key(3)),
            "sessions cleanup --enforce".to_owned(),
            format!("sessions restore {} --as agent:main:x --yes", id(9)),
            format!("sessions repair --adopt {} --yes", id(9)),
        ] {
            let out = at(&world, &there, &line).exits(1).says("is a link to").says("cp -p --remove-destination");
            assert!((Tree::of(&world.state()), std::fs::read(&real).unwrap()) == before, "{line}: {}", out.stderr);
        }
        assert!(copied.is_live(3));
        // With an index of its own the copy is a store like any other.
        let out = at(&world, &there, &format!("sessions rm {} --yes", key(3))).exits(1);
        let hint = out.stderr.lines().find_map(|line| line.trim().strip_prefix("try: cp ")).unwrap();
        let words = hint.split("  (").next().unwrap().split(' ');
        assert!(Command::new("cp").args(words).status().unwrap().success());
        let _ = at(&world, &there, &format!("sessions rm {} --yes", key(3))).exits(0);
        assert!((Tree::of(&world.state()), std::fs::read(&real).unwrap()) == before);
        assert!(!copied.keys().contains(&key(3)));
        // And the original goes on as ever.
        let _ = world.line(&format!("sessions rm {} --yes", key(4))).exits(0);
        let link = main.index().symlink_metadata().unwrap();
        assert!(link.is_symlink() && !main.is_live(4));
    }
}

/// In a copy without hard links an archive and what is kept of it are two files: undo takes the archive away all the same, if
/// it holds the same, also where the undo was killed in between.
#[test]
fn an_undo_in_a_copy_without_hard_links_leaves_no_archive_behind() {
    let archives = |folder: &Folder| names(folder.dir()).iter().filter(|name| name.contains(".deleted.")).count();
    let world = state();
    let _ = world.enforce("").exits(0);
    let there = copy(&world, &["-r"]);
    let before = Tree::of(&world.state());
    let copied = main_of(&world, &there);
    assert!(archives(&copied) > 3);
    let changed =
        copied.path(&copied.of_session(3, "").into_iter().find(|name| name.contains(".jsonl.deleted.")).unwrap());
    let theirs = [std::fs::read(&changed).unwrap(), b"more\n".to_vec()].concat();
    std::fs::write(&changed, &theirs).unwrap();
    let mut command = world.command(["sessions", "undo", "--yes"]);
    command.env("OPENCLAW_STATE_DIR", &there).env("CLAWKEEP_FAULT", "exchange:kill");
    assert_eq!(world.finish(command).code, None, "it was not killed");
    let _ = at(&world, &there, "sessions undo --yes").ends().says("does not hold the same");
    assert!(all_live(&copied), "{:?}", names(copied.dir()));
    assert_eq!(archives(&copied), 1, "{:?}", names(copied.dir()));
    assert_eq!(std::fs::read(&changed).unwrap(), theirs);
    before.is_still(&world.state());
    // And the undo of that takes them again.
    let run = at(&world, &there, "sessions runs --json").json()["runs"][0]["id"].as_str().unwrap().to_owned();
    let _ = at(&world, &there, &format!("sessions undo {run} --yes")).ends();
    assert_eq!(copied.keys(), ["agent:main:main"]);
    assert!(OLD.into_iter().all(|n| !copied.is_live(n)) && archives(&copied) == OLD.count() + 1);
    assert_eq!(std::fs::read(&changed).unwrap(), theirs);
}

/// A run that changed an index behind a link: what is said in a copy can be typed, and then the undo is done.
#[test]
fn what_is_advised_for_a_linked_index_in_a_copy_works() {
    for own in [true, false] {
        let world = state();
        let main = world.agent("main");
        let real = world.home().join("indexes/real.json");
        std::fs::create_dir_all(real.parent().unwrap()).unwrap();
        std::fs::rename(main.index(), &real).unwrap();
        std::os::unix::fs::symlink(&real, main.index()).unwrap();
        let _ = world.enforce("").exits(0);
        let there = copy(&world, &["-a"]);
        let (before, index) = (Tree::of(&world.state()), std::fs::read(&real).unwrap());
        let out = at(&world, &there, "sessions undo --yes").exits(1).says("is a copy");
        let label = if own { "try: cp " } else { "try: clawkeep " };
        let stderr = &out.stderr;
        let hint = stderr.lines().find_map(|line| line.split_once(label)).unwrap_or_else(|| panic!("{stderr}")).1;
        let words = hint.split("  (").next().unwrap().replace("~/", &format!("{}/", world.home().display()));
        let copied = main_of(&world, &there);
        if own {
            assert!(Command::new("cp").args(words.split(' ')).status().unwrap().success());
            let _ = at(&world, &there, "sessions undo --yes").exits(0);
            before.is_still(&world.state());
            assert_eq!(std::fs::read(&real).unwrap(), index);
            assert!(all_live(&copied), "{:?}", names(copied.dir()));
        } else {
            let _ = at(&world, &there, &format!("{words} --yes")).exits(0);
            assert!(all_live(&main) && OLD.into_iter().all(|n| !copied.is_live(n)));
        }
    }
}
