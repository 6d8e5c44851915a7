//! A power cut after every operation: what the disk may hold then is put on a real disk, and the next run has to cope.
//!
//! Run folders record inode numbers. Those of the files that are put back differ, so they are translated in what the
//! records say, exactly as a restored image of the disk would have kept them.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::disk_model::{Bytes, Disk, Found, Ino};
use super::scene::{COMMANDS, Command, Scene, set_mtime};

/// A run to be cut short: the disk before it, its log, and the real inodes at its end.
struct Recording {
    before: Disk,
    log: Vec<String>,
    /// Real inode number and time by model inode.
    real: BTreeMap<Ino, (u64, i128)>,
}

impl Recording {
    /// Runs the command on the state that is there.
    fn of(scene: &Scene) -> Self {
        let root = scene.world.home();
        let before = Disk::of(&root);
        let log: Vec<String> = scene.log_of(|vars| scene.run(vars)).lines().map(str::to_owned).collect();
        let mut disk = before.clone();
        for line in &log {
            disk.replay(line);
        }
        // The model is right only if it ends where the disk ended.
        let there: BTreeMap<PathBuf, Vec<u8>> = files(&root);
        let now = disk.now();
        let model: BTreeMap<PathBuf, Vec<u8>> =
            now.files.iter().map(|(path, (_, content, _))| (path.clone(), content.clone())).collect();
        let differ: Vec<&PathBuf> =
            there.keys().chain(model.keys()).filter(|p| there.get(*p) != model.get(*p)).collect();
        assert!(differ.is_empty(), "the model is wrong about {differ:?}");
        let mut real: BTreeMap<Ino, (u64, i128)> = BTreeMap::new();
        for (path, (ino, _, _)) in &now.files {
            let meta = std::fs::metadata(root.join(path)).unwrap();
            real.insert(*ino, (meta.ino(), mtime(&meta)));
        }
        for (number, ino) in &before.real {
            real.entry(*ino).or_insert((*number, 0));
        }
        Self { before, log, real }
    }
}

fn mtime(meta: &std::fs::Metadata) -> i128 {
    i128::from(meta.mtime()) * 1_000_000_000 + i128::from(meta.mtime_nsec())
}

fn files(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let entries = walkdir::WalkDir::new(root).into_iter().map(Result::unwrap).filter(|e| e.file_type().is_file());
    entries.map(|e| (e.path().strip_prefix(root).unwrap().to_owned(), std::fs::read(e.path()).unwrap())).collect()
}

/// Puts what was found on the disk below `root`.
fn put(root: &Path, found: &Found, recording: &Recording) {
    for entry in std::fs::read_dir(root).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { std::fs::remove_dir_all(path).unwrap() } else { std::fs::remove_file(path).unwrap() }
    }
    for dir in &found.dirs {
        std::fs::create_dir_all(root.join(dir)).unwrap();
    }
    let mut made: BTreeMap<Ino, PathBuf> = BTreeMap::new();
    let mut numbers: BTreeMap<u64, u64> = BTreeMap::new();
    for (path, (ino, content, first)) in &found.files {
        let path = root.join(path);
        if let Some(same) = made.get(ino) {
            std::fs::hard_link(same, &path).unwrap();
            continue;
        }
        std::fs::write(&path, content).unwrap();
        let known = recording.real.get(ino);
        if let Some(time) = first.or(known.map(|(_, time)| *time)) {
            set_mtime(&path, time);
        }
        if let Some((number, _)) = known {
            numbers.insert(*number, std::fs::metadata(&path).unwrap().ino());
        }
        made.insert(*ino, path);
    }
    let records = made.values().filter(|p| p.to_string_lossy().contains("/.clawkeep/runs/"));
    for path in records.filter(|p| p.extension().is_some_and(|e| e == "json" || e == "jsonl")) {
        let bytes = std::fs::read(path).unwrap();
        std::fs::write(path, translated(&bytes, &numbers)).unwrap();
    }
}

/// Replaces inode numbers in a record.
fn translated(bytes: &[u8], numbers: &BTreeMap<u64, u64>) -> Vec<u8> {
    let (mut out, mut rest) = (Vec::new(), bytes);
    while let Some(at) = memchr::memmem::find(rest, b"\"ino\":") {
        let mut from = at + 6;
        from += rest[from..].iter().take_while(|b| **b == b' ').count();
        let len = rest[from..].iter().take_while(|b| b.is_ascii_digit()).count();
        let text = std::str::from_utf8(&rest[from..from + len]).unwrap();
        let new = text.parse().ok().and_then(|old: u64| numbers.get(&old)).map_or(text.to_owned(), u64::to_string);
        out.extend_from_slice(&rest[..from]);
        out.extend_from_slice(new.as_bytes());
        rest = &rest[from + len..];
    }
    out.extend_from_slice(rest);
    out
}

/// Every state in which this proof looks for the disk after one operation.
fn states(disk: &Disk, seed: u64) -> BTreeSet<Found> {
    let all: BTreeSet<usize> = (0..disk.unsynced()).collect();
    let none = BTreeSet::new();
    let mut out = BTreeSet::new();
    for bytes in [Bytes::Kept, Bytes::Lost, Bytes::Nul, Bytes::Torn] {
        out.insert(disk.after_power_cut(&none, |_| bytes));
        out.insert(disk.after_power_cut(&all, |_| bytes));
    }
    // The last ones first: a change that is kept although those before it are lost is what reordering means.
    for one in &all {
        let mut others = all.clone();
        others.remove(one);
        out.insert(disk.after_power_cut(&BTreeSet::from([*one]), |_| Bytes::Lost));
        out.insert(disk.after_power_cut(&others, |_| Bytes::Nul));
    }
    let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random
    };
    for _ in 0..if super::full() { 16 } else { 2 } {
        let kept = all.iter().copied().filter(|_| next() % 2 == 0).collect();
        let mix = next();
        let kinds = [Bytes::Kept, Bytes::Lost, Bytes::Nul, Bytes::Torn];
        out.insert(disk.after_power_cut(&kept, |ino| kinds[(mix >> (ino % 30 * 2)) as usize % 4]));
    }
    out
}

/// Cuts the power after each operation of the recording.
fn cut_everywhere(scene: &Scene, recording: &Recording, name: &str, quick: usize) {
    let mut disk = recording.before.clone();
    let mut seen = BTreeSet::new();
    let mut places = Vec::new();
    for (n, line) in recording.log.iter().enumerate() {
        disk.replay(line);
        for found in states(&disk, n as u64) {
            if seen.insert(found.clone()) {
                places.push((n + 1, found));
            }
        }
    }
    let possible = places.len();
    let step = if super::full() { 1 } else { possible.div_ceil(quick) };
    let mut looked_at = 0;
    for (n, found) in places.into_iter().step_by(step.max(1)) {
        put(&scene.world.home(), &found, recording);
        let context = format!(
            "{name}: power cut after operation {n} ({})",
            recording.log[n - 1].chars().take(200).collect::<String>()
        );
        scene.holds(&context);
        scene.recovers(&context);
        looked_at += 1;
    }
    println!(
        "power cuts: {name}: {} operations, {possible} states of the disk, {looked_at} recovered from",
        recording.log.len()
    );
}

fn command(name: &str) -> Command {
    let mut command = *COMMANDS.iter().find(|c| c.name == name).unwrap();
    // Packed copies are made durable by other means, outside the state.
    if name == "cleanup" {
        command.line = "sessions cleanup --store {store} --enforce --json";
    }
    command
}

fn power_cut(name: &str, quick: usize) {
    let mut scene = Scene::new(command(name));
    scene.temp_may_stay = true;
    scene.reset();
    let recording = Recording::of(&scene);
    cut_everywhere(&scene, &recording, name, quick);
}

#[test]
fn a_cleanup_survives_a_power_cut_after_any_operation() {
    power_cut("cleanup", 250);
}

#[test]
fn an_undo_survives_a_power_cut_after_any_operation() {
    power_cut("undo", 200);
}

#[test]
fn a_disk_free_survives_a_power_cut_after_any_operation() {
    power_cut("disk free", 60);
}

#[test]
fn a_cron_prune_survives_a_power_cut_after_any_operation() {
    power_cut("cron prune", 100);
}

/// A kill, and then a power cut while that is being recovered from.
fn power_cut_in_recovery(name: &str, quick: usize) {
    let mut scene = Scene::new(command(name));
    scene.temp_may_stay = true;
    scene.reset();
    let log = scene.log_of(|vars| scene.run(vars));
    let after_swap = log.lines().position(|line| line.contains("\texchange\t")).unwrap() as u64 + 2;
    let kills: Vec<u64> = match super::full() {
        true => (1..=scene.operations).step_by(7).collect(),
        false => vec![after_swap, (after_swap + scene.operations) / 2],
    };
    for at in kills {
        scene.reset();
        let _ = scene.run_with(&format!("{at}:kill"));
        let recording = Recording::of(&scene);
        cut_everywhere(&scene, &recording, &format!("recovery of {name} killed at {at}"), quick);
    }
}

#[test]
fn the_recovery_of_a_cleanup_survives_a_power_cut_after_any_operation() {
    power_cut_in_recovery("cleanup", 80);
}

#[test]
fn the_recovery_of_an_undo_survives_a_power_cut_after_any_operation() {
    power_cut_in_recovery("undo", 80);
}
