//! The old text comes back.

use crate::common::World;

const TEXT: &str = "{ session: { parentForkMaxTokens: 5 } } // mine\n";

fn fixed() -> (World, String) {
    let world = World::new();
    world.config_text(TEXT);
    let report = world.line("doctor --fix --config-only --json").exits(0).json();
    let run = report["runIds"][0].as_str().unwrap().to_owned();
    (world, run)
}

#[test]
fn a_run_is_undone_by_its_name_and_the_undo_as_well() {
    let (world, run) = fixed();
    let read = || std::fs::read_to_string(world.config_path()).unwrap();
    assert_ne!(read(), TEXT);
    let _ = world.line(&format!("sessions undo {run} --dry-run")).exits(0).says("openclaw.json");
    assert_ne!(read(), TEXT);
    let undone = world.line(&format!("sessions undo {run} --json")).exits(0).json();
    assert_eq!(read(), TEXT);
    let again = undone["runId"].as_str().unwrap();
    let _ = world.line(&format!("sessions undo {again}")).exits(0);
    assert_ne!(read(), TEXT);
}

#[test]
fn what_was_written_since_stays() {
    let (world, run) = fixed();
    let later = world.now() / 1000 + 3600;
    world.config_text("{ session: { scope: 'global' } }");
    let file = std::fs::File::options().write(true).open(world.config_path()).unwrap();
    file.set_modified(std::time::UNIX_EPOCH + std::time::Duration::from_secs(later.unsigned_abs())).unwrap();
    let _ = world.line(&format!("sessions undo {run}")).exits(1).says("written since").says("partial-undo");
    assert_eq!(std::fs::read_to_string(world.config_path()).unwrap(), "{ session: { scope: 'global' } }");
}
