//! An error or a kill at every numbered operation of every command, and of the recovery itself.

use super::scene::{COMMANDS, Command, Recovered, Scene};

/// Errors that a disk gives.
pub const ERRORS: &[&str] = &["EIO", "ENOSPC", "EDQUOT", "EACCES", "EXDEV", "ENOENT", "EINTR"];

/// Quick form: of the errors, one in this many operations, another error each time.
const EVERY: u64 = 5;

fn command(name: &str) -> Command {
    *COMMANDS.iter().find(|c| c.name == name).unwrap()
}

/// One fault in a fresh state.
fn case(scene: &Scene, rule: &str) -> Recovered {
    scene.reset();
    let faulty = scene.run_with(rule);
    let context = format!("{} with {rule}:\n{}", scene.command.name, faulty.picture());
    assert_eq!(faulty.code.is_none(), rule.ends_with("kill"), "{context}");
    scene.holds(&context);
    scene.recovers(&context)
}

fn every_operation(name: &str) {
    let scene = Scene::new(command(name));
    assert!(scene.operations > 10, "only {} operations", scene.operations);
    let (mut faults, mut with_reason) = (0, 0);
    let mut fault = |rule: &str| {
        faults += 1;
        with_reason += u64::from(case(&scene, rule) == Recovered::WithReason);
    };
    for n in 1..=scene.operations {
        fault(&format!("{n}:kill"));
        for (at, error) in ERRORS.iter().enumerate() {
            let sampled = n % EVERY == 0 && (n / EVERY) as usize % ERRORS.len() == at;
            if super::full() || sampled {
                fault(&format!("{n}:{error}"));
            }
        }
    }
    println!(
        "fault matrix: {name}: {} operations, {faults} faults, all survived ({with_reason} closed with a reason)",
        scene.operations
    );
}

#[test]
fn cleanup_survives_a_fault_at_any_operation() {
    every_operation("cleanup");
}

#[test]
fn undo_survives_a_fault_at_any_operation() {
    every_operation("undo");
}

#[test]
fn disk_free_survives_a_fault_at_any_operation() {
    every_operation("disk free");
}

#[test]
fn cron_prune_survives_a_fault_at_any_operation() {
    every_operation("cron prune");
}

#[test]
fn restore_survives_a_fault_at_any_operation() {
    every_operation("restore");
}

#[test]
fn repair_survives_a_fault_at_any_operation() {
    every_operation("repair");
}

/// The second name of a file that came back is the last thing a restore removes: one failure is no reason to leave it.
#[test]
fn a_restored_file_has_one_name_whatever_the_disk_says_once() {
    let scene = Scene::new(command("restore"));
    scene.reset();
    let log = scene.log_of(|vars| scene.run(vars));
    let is_archive = |line: &&str| {
        let fields: Vec<&str> = line.split('\t').collect();
        fields[1] == "unlink" && fields[2].contains(".jsonl.deleted.")
    };
    let line = log.lines().find(is_archive).unwrap_or_else(|| panic!("no archive name goes:\n{log}"));
    let number = line.split('\t').next().unwrap();
    for error in ["EIO", "EINTR"] {
        assert_eq!(case(&scene, &format!("{number}:{error}")), Recovered::Whole);
    }
}

/// Full form: of the work that a run does of its own after a recovery, one operation in this many, others at each kill
/// point. All of it is in the matrix of the command itself.
const OWN_WORK_EVERY: u64 = 7;

/// Kills the command, then the run that recovers from that, at each operation until it begins its own work (full form:
/// also in that).
fn recovery(name: &str, quick_steps: u64) {
    let scene = Scene::new(command(name));
    let step = if super::full() { 1 } else { scene.operations.div_ceil(quick_steps) };
    let (mut faults, mut killed_at, mut broken) = (0, 0, 0);
    for at in (1..=scene.operations).rev().step_by(usize::try_from(step).unwrap()) {
        killed_at += 1;
        scene.reset();
        let _ = scene.run_with(&format!("{at}:kill"));
        let (recovery, all) = operations_of_recovery(&scene);
        let own_work = (recovery + 1..=all).filter(|n| super::full() && (n + at) % OWN_WORK_EVERY == 0);
        for n in (1..=recovery).chain(own_work) {
            let sampled = ERRORS[usize::try_from(n + at).unwrap() % ERRORS.len()];
            for what in if super::full() { vec!["kill", sampled] } else { vec!["kill"] } {
                faults += 1;
                // All that is wrong is worth knowing after a run of an hour; each has said what it is.
                let survived = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                    scene.reset();
                    let _ = scene.run_with(&format!("{at}:kill"));
                    let second = scene.run_with(&format!("{n}:{what}"));
                    let context = format!("{name} killed at {at}, the next run with {n}:{what}:\n{}", second.picture());
                    scene.holds(&context);
                    scene.recovers(&context);
                }));
                broken += u64::from(survived.is_err());
            }
        }
    }
    assert_eq!(broken, 0, "of {faults} faults");
    println!("fault matrix: recovery of {name}: killed at {killed_at} operations, {faults} faults, all survived");
}

/// Operations of the next run: those before it makes a run folder of its own, and all.
fn operations_of_recovery(scene: &Scene) -> (u64, u64) {
    let log = scene.log_of(|vars| scene.run(vars));
    let own_work = |line: &str| {
        let mut fields = line.split('\t').skip(1);
        fields.next() == Some("mkdir") && fields.next().is_some_and(|path| path.contains(".clawkeep/runs/"))
    };
    let all = log.lines().count();
    (log.lines().position(own_work).unwrap_or(all) as u64, all as u64)
}

#[test]
fn recovery_of_a_cleanup_survives_a_kill_at_any_operation() {
    recovery("cleanup", 6);
}

#[test]
fn recovery_of_an_undo_survives_a_kill_at_any_operation() {
    recovery("undo", 6);
}

#[test]
fn files_only_survives_a_fault_at_any_operation() {
    every_operation("files only");
}

#[test]
fn recovery_of_files_only_survives_a_kill_at_any_operation() {
    recovery("files only", 6);
}
