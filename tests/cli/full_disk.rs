//! The case people come for: the disk is full. On a real ext4 image with no free byte, and on one with no free inode.

#![cfg(target_os = "linux")]

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;

use crate::common::{DAY, Folder, HOUR, World, body, id, names};

/// A mounted image; unmounted and removed at the end.
struct Volume {
    mount: PathBuf,
    _dir: tempfile::TempDir,
}

impl Volume {
    /// `None`, with the reason on stdout, where images cannot be made or mounted.
    fn mount(inodes: u32) -> Option<Self> {
        if !rustix::process::geteuid().is_root() {
            println!("skipped: needs root to mount an image");
            return None;
        }
        let dir = tempfile::tempdir().unwrap();
        let (image, mount) = (dir.path().join("image"), dir.path().join("mnt"));
        std::fs::File::create(&image).unwrap().set_len(32 << 20).unwrap();
        std::fs::create_dir(&mount).unwrap();
        let inodes = inodes.to_string();
        let image = image.as_os_str();
        let made = run(
            "mkfs.ext4",
            &["-q".as_ref(), "-F".as_ref(), "-m".as_ref(), "0".as_ref(), "-N".as_ref(), inodes.as_ref(), image],
        );
        if !made || !run("mount", &["-o".as_ref(), "loop".as_ref(), image, mount.as_os_str()]) {
            println!("skipped: no mkfs.ext4, or loop mounts are not allowed here");
            return None;
        }
        Some(Self { mount, _dir: dir })
    }

    /// One in memory that is too small for anything: `None` where none can be mounted.
    fn tiny() -> Option<Self> {
        let dir = tempfile::tempdir().unwrap();
        let mount = dir.path().join("mnt");
        std::fs::create_dir(&mount).unwrap();
        let args = ["-t", "tmpfs", "-o", "size=96k", "tmpfs"].map(std::ffi::OsStr::new);
        let args: Vec<_> = args.into_iter().chain([mount.as_os_str()]).collect();
        if !rustix::process::geteuid().is_root() || !run("mount", &args) {
            println!("skipped: mounts are not allowed here");
            return None;
        }
        Some(Self { mount, _dir: dir })
    }

    /// Fills the volume: to the last byte, or to the last inode.
    fn fill(&self, what: Fill) {
        match what {
            Fill::Bytes => {
                // Blocks first, then what is left of the last ones.
                for (name, chunk) in [("big", 1 << 16), ("small", 512)] {
                    let file = std::fs::File::create(self.mount.join(name));
                    let Ok(mut file) = file else { continue };
                    while std::io::Write::write_all(&mut file, &vec![b'x'; chunk]).is_ok() {}
                    let _ = file.sync_all();
                }
                assert!(std::fs::write(self.mount.join("probe"), "x".repeat(4096)).is_err(), "still room");
                let _ = std::fs::remove_file(self.mount.join("probe"));
            }
            Fill::Inodes => {
                for n in 0.. {
                    if std::fs::File::create(self.mount.join(format!("inode-{n}"))).is_err() {
                        break;
                    }
                }
            }
        }
    }
}

impl Drop for Volume {
    fn drop(&mut self) {
        run("umount", &[self.mount.as_os_str()]);
    }
}

#[derive(Clone, Copy)]
enum Fill {
    Bytes,
    Inodes,
}

fn run(program: &str, args: &[&std::ffi::OsStr]) -> bool {
    Command::new(program).args(args).output().is_ok_and(|done| done.status.success())
}

/// A state on the volume: living rows, expired and young archives, old orphans.
fn populate(volume: &Volume, maintenance: &serde_json::Value) -> (World, Folder) {
    let world = World::new();
    let state = volume.mount.join("state");
    std::fs::create_dir(&state).unwrap();
    let config = json!({"session": {"maintenance": maintenance}}).to_string();
    std::fs::write(state.join("openclaw.json"), config).unwrap();
    let folder = Folder::create(&state.join("agents/main/sessions"), world.now());
    folder.session("agent:main:main", 1, HOUR).session("agent:main:telegram:group:-1", 2, 90 * DAY);
    for n in 10..20_u32 {
        let age = i64::from(n) * DAY;
        folder.row(&format!("agent:main:telegram:direct:{n}"), n.into(), age, json!({})).fat_transcript(
            n.into(),
            age,
            100_000,
        );
    }
    folder.save();
    for n in 30..34 {
        folder.archive(n, "deleted", 50 * DAY).archive(n + 10, "deleted", 5 * DAY);
        folder.fat_transcript(n + 20, 60 * DAY, 50_000);
    }
    (world.var("OPENCLAW_STATE_DIR", state), folder)
}

fn used(dir: &Path) -> u64 {
    names(dir).iter().map(|name| std::fs::metadata(dir.join(name)).unwrap().len()).sum()
}

fn ends_below_the_mark(fill: Fill, inodes: u32) {
    let Some(volume) = Volume::mount(inodes) else { return };
    let maintenance = json!({"pruneAfter": "30d", "maxDiskBytes": 900_000, "highWaterBytes": 700_000});
    let (world, folder) = populate(&volume, &maintenance);
    volume.fill(fill);
    let out = world.line("sessions cleanup --enforce --json").ends();
    assert!(matches!(out.code, Some(0 | 3 | 4)), "{}", out.picture());
    // A rename that became an unlink is said, and counted as what it is.
    let report = out.json();
    let decisions = report["decisions"].as_array().unwrap();
    let for_space: Vec<_> = decisions.iter().filter(|d| d["outcome"] == "unlinked-for-space").collect();
    assert_eq!(report["unlinkedForSpace"], for_space.len(), "{}", out.picture());
    assert!(for_space.iter().all(|d| d["finality"] == "final"), "{}", out.picture());
    assert_eq!(report["warnings"].to_string().contains("cannot come back"), !for_space.is_empty());
    // What a run renamed is not yet gone, but it is counted, and the next run may take it.
    let pending = out.json()["diskBudget"]["pendingBytes"].as_u64().unwrap_or(0);
    assert!(used(folder.dir()) - pending.min(used(folder.dir())) <= 700_000, "{}", out.picture());
    let keys = folder.keys();
    for key in ["agent:main:main", "agent:main:telegram:group:-1"] {
        assert!(keys.contains(&key.to_owned()), "{keys:?}");
    }
    assert!(folder.is_live(1) && folder.is_live(2));
    for n in 10..20 {
        let row = keys.contains(&format!("agent:main:telegram:direct:{n}"));
        assert!(!row || folder.is_live(n), "rows are a subset of files: {n}");
    }
}

fn frees_what_is_final_and_says_what_it_lacks(fill: Fill, inodes: u32) {
    let Some(volume) = Volume::mount(inodes) else { return };
    let (world, folder) = populate(&volume, &json!({"pruneAfter": "30d"}));
    let index = std::fs::read(folder.index()).unwrap();
    volume.fill(fill);
    let out = world.line("sessions cleanup --enforce --json").ends();
    assert!((30..34).all(|n| folder.of_session(n, "").is_empty()), "expired archives went\n{}", out.picture());
    assert!((40..44).all(|n| folder.is_archived(n)), "young archives stay");
    for n in [1, 2].into_iter().chain(10..20) {
        assert!(folder.is_live(n), "{n}");
    }
    assert_eq!(std::fs::read(folder.index()).unwrap(), index, "no row is stale, none went");
    for n in 50..54 {
        assert_eq!(folder.of_session(n, "").len(), 1, "renamed or left, never lost: {}", id(n));
    }
}

#[test]
fn no_free_byte_with_a_budget_ends_below_the_mark() {
    ends_below_the_mark(Fill::Bytes, 8192);
}

#[test]
fn no_free_inode_with_a_budget_ends_below_the_mark() {
    ends_below_the_mark(Fill::Inodes, 256);
}

#[test]
fn no_free_byte_without_a_budget_frees_expired_archives() {
    frees_what_is_final_and_says_what_it_lacks(Fill::Bytes, 8192);
}

#[test]
fn no_free_inode_without_a_budget_frees_expired_archives() {
    frees_what_is_final_and_says_what_it_lacks(Fill::Inodes, 256);
}

/// What a run could not rename is half of what its undo brings back: no orphan that may go for good to make room.
#[test]
fn what_a_run_left_behind_does_not_go_to_make_room() {
    let Some(volume) = Volume::mount(8192) else { return };
    let (world, folder) = populate(&volume, &json!({"pruneAfter": "15d"}));
    let world = world.var("CLAWKEEP_FAULT", "rename:EPERM");
    let _ = world.line("sessions cleanup --enforce").exits(3);
    let left: Vec<u64> = (16..20).filter(|n| folder.is_live(*n)).collect();
    assert!(!left.is_empty() && !folder.keys().iter().any(|key| key.ends_with(":17")), "{left:?}");
    let world = world.var("CLAWKEEP_FAULT", "");
    volume.fill(Fill::Bytes);
    let out = world.line("sessions cleanup --enforce --max-disk 100mb").ends();
    for n in left {
        assert!(folder.is_live(n) || folder.is_archived(n), "{n} is gone\n{}", out.picture());
    }
    for name in ["big", "small"] {
        let _ = std::fs::remove_file(volume.mount.join(name));
    }
    let _ = world.line("sessions undo --yes --all-agents").ends();
}

#[test]
fn a_full_disk_can_be_looked_at() {
    let Some(volume) = Volume::mount(8192) else { return };
    let (world, _folder) = populate(&volume, &json!({}));
    volume.fill(Fill::Bytes);
    let _ = world.line("disk").exits(0);
    let _ = world.line("sessions").exits(0);
    let _ = world.line("sessions cleanup --dry-run").exits(0);
    let _ = world.line("disk free --need 2kb").exits(0);
}

#[test]
fn a_repair_without_room_says_so_and_leaves_nothing_behind() {
    let Some(volume) = Volume::mount(512) else { return };
    let world = World::new();
    let file = volume.mount.join("t.jsonl");
    let line =
        "{\"type\":\"message\",\"id\":\"a\",\"parentId\":null,\"message\":{\"role\":\"user\",\"content\":\"x\"}}\n";
    let text = format!("{{\"type\":\"session\",\"version\":3,\"id\":\"s\"}}\n{}null\n{{\"torn", line.repeat(100));
    std::fs::write(&file, &text).unwrap();
    volume.fill(Fill::Bytes);
    let before = names(&volume.mount);
    let out = world.run(["transcript", "repair", file.to_str().unwrap()]).exits(1).says("no room to mend");
    assert!(out.stderr.contains("on this volume"), "{}", out.picture());
    assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
    assert_eq!(names(&volume.mount), before);
}

/// `disk free` makes room on the volume of the state folder, so it is named for a transcript there and for no other; as it
/// is named, it is accepted. Nothing is left of a repair that had no room.
#[test]
fn a_repair_without_room_names_what_can_make_it() {
    let Some(volume) = Volume::tiny() else { return };
    let world = World::new();
    let state = volume.mount.join("state");
    let folder = Folder::create(&state.join("agents/main/sessions"), world.now());
    let name = format!("{}.jsonl", id(1));
    folder.file(&name, format!("{}{{\"torn", body(&id(1), 1_777_622_400_000, 3, 0)), DAY);
    let line = format!("transcript repair {}", folder.path(&name).display());

    let _ = world.line(&line).exits(1).says("no room to mend").says("on this volume").hides("disk free");
    let world = world.var("OPENCLAW_STATE_DIR", &state);
    let here = world.line(&line).exits(1).says("no room to mend");
    let hint = here.stderr.lines().find_map(|line| line.split_once("clawkeep disk free --need ")).unwrap().1;
    let _ = world.line(&format!("disk free --need {hint} --dry-run")).ends().hides("invalid value");
    let _ = world.line("disk free --need 148.9KiB --dry-run").ends().hides("invalid value");
    assert_eq!(names(folder.dir()), [name]);
}
