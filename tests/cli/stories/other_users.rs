//! Files of another user, and files that nobody can rename: what a run could take, its undo brings back, and what it
//! cannot is said before and after.

#![cfg(target_os = "linux")]

use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;

use crate::common::{DAY, Folder, HOUR, Output, World, id, names};

const NOBODY: u32 = 65_534;
const KEY: &str = "agent:main:telegram:direct:7";

/// A state of `nobody` in which one transcript belongs to root. `None` where that cannot be made.
fn of_two_users(mode: u32) -> Option<(World, Folder)> {
    let guarded = std::fs::read_to_string("/proc/sys/fs/protected_hardlinks").is_ok_and(|on| on.trim() == "1");
    if !rustix::process::geteuid().is_root() || !guarded {
        println!("skipped: needs root, to become another user, and protected hard links");
        return None;
    }
    let world = World::new();
    let folder = world.agent("main");
    folder.session("agent:main:main", 1, HOUR).session(KEY, 7, 2 * DAY).save();
    for entry in walkdir::WalkDir::new(world.home()).into_iter().map(Result::unwrap) {
        if entry.path() == folder.path(&format!("{}.jsonl", id(7))) {
            std::fs::set_permissions(entry.path(), std::fs::Permissions::from_mode(mode)).unwrap();
        } else {
            chown(entry.path(), Some(NOBODY), Some(NOBODY)).unwrap();
        }
    }
    Some((world, folder))
}

fn as_nobody(world: &World, line: &str) -> Output {
    let mut command = world.command(line.split_whitespace());
    command.uid(NOBODY).gid(NOBODY);
    world.finish(command)
}

/// The archive name is all there is where no second name can be made; it goes back as it came, whoever may read the file.
#[test]
fn a_file_of_another_user_comes_back_as_it_was() {
    for mode in [0o600, 0o644] {
        let Some((world, folder)) = of_two_users(mode) else { return };
        let file = folder.path(&format!("{}.jsonl", id(7)));
        let before = std::fs::metadata(&file).unwrap();
        let _ = as_nobody(&world, &format!("sessions rm {KEY} --yes")).exits(0).says("can be undone");
        assert!(!folder.is_live(7) && folder.is_archived(7));
        let _ = as_nobody(&world, "sessions undo --dry-run --yes").exits(0);
        let _ = as_nobody(&world, "sessions undo --yes").exits(0);
        let after = std::fs::metadata(&file).unwrap();
        let seen = |m: &std::fs::Metadata| (m.ino(), m.uid(), m.mode(), m.mtime(), m.mtime_nsec());
        assert_eq!(seen(&after), seen(&before), "mode {mode:o}");
        assert!(!folder.is_archived(7) && folder.keys().contains(&KEY.to_owned()), "{:?}", names(folder.dir()));
    }
}

/// An undo that was killed before the index changed gives the archive its name back, and can be done again.
#[test]
fn an_undo_by_rename_that_was_killed_is_done_again() {
    let Some((world, folder)) = of_two_users(0o600) else { return };
    let _ = as_nobody(&world, &format!("sessions rm {KEY} --yes")).exits(0);
    let world = world.var("CLAWKEEP_FAULT", "exchange:kill");
    let _ = as_nobody(&world, "sessions undo --yes");
    let world = world.var("CLAWKEEP_FAULT", "");
    let _ = as_nobody(&world, "sessions undo --yes").exits(0);
    assert!(folder.is_live(7) && folder.keys().contains(&KEY.to_owned()), "{:?}", names(folder.dir()));
}

/// What a program put under the name of a file that was renamed back is not taken for it when the killed undo is settled.
#[test]
fn a_file_put_in_the_place_of_one_that_was_renamed_back_stays() {
    let Some((world, folder)) = of_two_users(0o600) else { return };
    let _ = as_nobody(&world, &format!("sessions rm {KEY} --yes")).exits(0);
    let world = world.var("CLAWKEEP_FAULT", "exchange:kill");
    let _ = as_nobody(&world, "sessions undo --yes");
    assert!(folder.is_live(7) && !folder.is_archived(7), "{:?}", names(folder.dir()));
    let (file, aside) = (folder.path(&format!("{}.jsonl", id(7))), world.home().join("aside"));
    std::fs::rename(&file, &aside).unwrap();
    std::fs::write(&file, "of another program\n").unwrap();
    let world = world.var("CLAWKEEP_FAULT", "");
    let _ = as_nobody(&world, "sessions cleanup --enforce --yes").exits(0).says("taken back");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "of another program\n", "{:?}", names(folder.dir()));
    assert!(!folder.is_archived(7), "{:?}", names(folder.dir()));
}

/// A session whose file is alone in not being movable stays out whole, the others come back, and it follows later.
#[test]
fn a_file_that_cannot_be_renamed_keeps_only_its_own_session() {
    let world = World::new();
    let folder = world.agent("main");
    folder.session("agent:main:main", 1, HOUR).session(KEY, 7, 2 * DAY).session(
        "agent:main:telegram:direct:8",
        8,
        2 * DAY,
    );
    folder.save();
    let _ = world.line(&format!("sessions rm {KEY} agent:main:telegram:direct:8 --yes")).exits(0);
    let archive = folder.of_session(7, "").into_iter().find(|name| name.contains(".deleted.")).unwrap();
    let archive = folder.path(&archive);
    let flag = |flag: &str| {
        std::process::Command::new("chattr").arg(flag).arg(&archive).output().is_ok_and(|done| done.status.success())
    };
    if !flag("+i") {
        println!("skipped: files cannot be made immutable here");
        return;
    }
    let dry = world.line("sessions undo --dry-run --yes").ends();
    let done = world.line("sessions undo --yes").ends();
    let _ = flag("-i");
    assert_eq!((dry.code, done.code), (Some(3), Some(3)), "{}{}", dry.picture(), done.picture());
    let _ = done.says("immutable");
    assert!(folder.is_live(8) && !folder.is_live(7));
    assert!(!folder.keys().contains(&KEY.to_owned()), "no row without its file");
    let _ = world.line("sessions undo --yes").exits(0);
    assert!(folder.is_live(7) && folder.keys().contains(&KEY.to_owned()));
}
