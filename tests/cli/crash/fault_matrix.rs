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

/// Kills the command, then the run that recovers from that, at each operation until it begins its own work (full form:
/// until its end).
fn recovery(name: &str, quick_steps: u64) {
    let scene = Scene::new(command(name));
    let step = if super::full() { 1 } else { scene.operations.div_ceil(quick_steps) };
    let (mut faults, mut killed_at) = (0, 0);
    for at in (1..=scene.operations).rev().step_by(usize::try_from(step).unwrap()) {
        killed_at += 1;
        scene.reset();
        let _ = scene.run_with(&format!("{at}:kill"));
        for n in 1..=operations_of_recovery(&scene) {
            let sampled = ERRORS[usize::try_from(n + at).unwrap() % ERRORS.len()];
            for what in if super::full() { vec!["kill", sampled] } else { vec!["kill"] } {
                scene.reset();
                let _ = scene.run_with(&format!("{at}:kill"));
                let second = scene.run_with(&format!("{n}:{what}"));
                let context = format!("{name} killed at {at}, the next run with {n}:{what}:\n{}", second.picture());
                scene.holds(&context);
                scene.recovers(&context);
                faults += 1;
            }
        }
    }
    println!("fault matrix: recovery of {name}: killed at {killed_at} operations, {faults} faults, all survived");
}

/// Operations of the next run; in the quick form those before it makes a run folder of its own.
fn operations_of_recovery(scene: &Scene) -> u64 {
    let log = scene.log_of(|vars| scene.run(vars));
    let own_work = |line: &str| {
        let mut fields = line.split('\t').skip(1);
        fields.next() == Some("mkdir") && fields.next().is_some_and(|path| path.contains(".clawkeep/runs/"))
    };
    let until = log.lines().position(own_work).filter(|_| !super::full());
    until.unwrap_or_else(|| log.lines().count()) as u64
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
