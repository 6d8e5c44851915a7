//! The repair of a transcript, and its undo, with an error or a kill at every operation: the transcript is always the old
//! one or the new one, byte for byte, the next run ends in the state of an undisturbed one, and undo brings the old one back.

use crate::common::{DAY, Folder, Output, World, body, id, names};
use serde_json::json;

const ERRORS: &[&str] = &["EIO", "ENOSPC", "EDQUOT", "EACCES", "EXDEV", "ENOENT", "EINTR"];
const LINE: &str = "transcript repair agent:main:main";
/// In the quick form, one in so many operations gets an error, another one each time.
const EVERY: u64 = 3;

struct Scene {
    world: World,
    main: Folder,
    name: String,
    old: Vec<u8>,
    new: Vec<u8>,
}

impl Scene {
    fn new() -> Self {
        let world = World::new();
        let main = world.agent("main");
        let name = format!("{}.jsonl", id(1));
        let good = body(&id(1), 1_777_622_400_000, 3, 100);
        let mut old = good.replacen('\n', "\0\0\0\n", 1).into_bytes();
        old.extend_from_slice(b"null\n{\"type\":\"message\",\"id\":\"0000");
        main.row("agent:main:main", 1, DAY, json!({})).save();
        Self { world, main, name, old, new: good.into_bytes() }
    }

    /// The damaged file, and nothing of ours.
    fn reset(&self) {
        let _ = std::fs::remove_dir_all(self.main.path(".clawkeep"));
        for name in names(self.main.dir()).into_iter().filter(|n| n != "sessions.json") {
            let path = self.main.path(&name);
            let _ = std::fs::remove_file(&path).or_else(|_| std::fs::remove_dir_all(&path));
        }
        self.main.file(&self.name, &self.old, DAY);
    }

    fn run(&self, line: &str, rule: &str) -> Output {
        let mut command = self.world.command(line.split_whitespace());
        command.env("CLAWKEEP_FAULT", rule);
        self.world.finish(command)
    }

    fn operations(&self, line: &str) -> u64 {
        let log = self.world.home().join("operations");
        let mut command = self.world.command(line.split_whitespace());
        command.env("CLAWKEEP_FAULT_LOG", &log);
        let _ = self.world.finish(command).ends();
        let count = std::fs::read_to_string(&log).unwrap_or_default().lines().count();
        let _ = std::fs::remove_file(&log);
        count as u64
    }

    fn content(&self) -> Option<Vec<u8>> {
        std::fs::read(self.main.path(&self.name)).ok()
    }

    #[track_caller]
    fn holds(&self, context: &str) {
        let now = self.content().unwrap_or_else(|| panic!("{context}: the transcript is gone"));
        assert!(
            now == self.old || now == self.new,
            "{context}: neither old nor new: {}",
            String::from_utf8_lossy(&now)
        );
        let old_is_kept = now == self.old || self.copies().contains(&self.old);
        assert!(old_is_kept, "{context}: the old bytes are nowhere");
    }

    /// Every file of the folder and of our own folder.
    fn copies(&self) -> Vec<Vec<u8>> {
        let files = walkdir::WalkDir::new(self.main.dir()).into_iter().filter_map(Result::ok);
        files.filter(|f| f.file_type().is_file()).map(|f| std::fs::read(f.path()).unwrap()).collect()
    }

    /// A killed run leaves its lock, which nobody touches any more: six seconds pass.
    fn time_passes(&self) {
        let lock = format!("{}.lock", self.name);
        if let Ok(content) = std::fs::read(self.main.path(&lock)) {
            // The clock of the program has moved on since the world was made.
            self.main.file(&lock, content, 60_000);
        }
    }

    /// Runs again until nothing is to be done, then undoes.
    #[track_caller]
    fn recovers(&self, context: &str) {
        self.time_passes();
        let again = self.world.line(LINE).ends();
        let told = format!("{context}\nthen:\n{}", again.picture());
        assert!(matches!(again.code, Some(0)), "{told}");
        assert!(self.content() == Some(self.new.clone()), "{told}: not mended");
        let _ = self.world.line(LINE).exits(0).says("Nothing is to be mended");
        for name in names(self.main.dir()) {
            assert!(!name.ends_with(".tmp") && !name.ends_with(".lock"), "{told}: {name} is left");
        }
        let runs = std::fs::read_dir(self.main.path(".clawkeep/runs")).unwrap();
        for run in runs {
            let dir = run.unwrap().path();
            // Killed before its first word, a run leaves an empty folder.
            let bare = names(&dir).is_empty();
            assert!(bare || dir.join("done").exists(), "{told}: a run is open");
        }
    }
}

fn rules(scene: &Scene, line: &str) -> Vec<String> {
    let mut rules = Vec::new();
    for n in 1..=scene.operations(line) {
        rules.push(format!("{n}:kill"));
        for (at, error) in ERRORS.iter().enumerate() {
            if super::full() || (n % EVERY == 0 && (n / EVERY) as usize % ERRORS.len() == at) {
                rules.push(format!("{n}:{error}"));
            }
        }
    }
    rules
}

#[test]
fn repair_survives_a_fault_at_any_operation() {
    let scene = Scene::new();
    scene.reset();
    let rules = rules(&scene, LINE);
    assert!(rules.len() > 20, "only {} faults", rules.len());
    for rule in &rules {
        scene.reset();
        let out = scene.run(LINE, rule);
        let context = format!("repair with {rule}:\n{}", out.picture());
        scene.holds(&context);
        let copies = |name: &String| name.contains(".bak-") || name.contains(".torn");
        let useless = scene.content() == Some(scene.old.clone()) && !rule.ends_with(":kill");
        let left: Vec<String> = names(scene.main.dir()).into_iter().filter(|name| useless && copies(name)).collect();
        assert!(left.is_empty(), "{context}: {left:?} are left of a repair that failed");
        scene.recovers(&context);
        // One that failed says so and ends; one that was killed is taken back, and leaves no second copy of what was taken out.
        let left = names(scene.main.dir()).into_iter().any(|name| name.contains(".torn-"));
        assert!(!(left && rule.ends_with(":kill")), "{context}: what the killed run left is still there");
    }
    println!("fault matrix: transcript repair: {} faults, all survived", rules.len());
}

#[test]
fn undo_of_a_repair_survives_a_fault_at_any_operation() {
    let scene = Scene::new();
    let undo = "sessions undo --yes";
    scene.reset();
    let _ = scene.world.line(LINE).exits(0);
    let rules = rules(&scene, undo);
    for rule in &rules {
        scene.reset();
        let _ = scene.world.line(LINE).exits(0);
        let out = scene.run(undo, rule);
        let context = format!("undo with {rule}:\n{}", out.picture());
        scene.holds(&context);
        scene.time_passes();
        // The same until it has nothing left to do.
        let mut context = context;
        for _ in 0..4 {
            let again = scene.world.line(undo).ends();
            context = format!("{context}\nthen:\n{}", again.picture());
            scene.holds(&context);
            if again.code == Some(1) {
                break;
            }
        }
        assert!(scene.content() == Some(scene.old.clone()), "{context}: not undone");
        scene.recovers(&context);
    }
    println!("fault matrix: undo of a transcript repair: {} faults, all survived", rules.len());
}

#[test]
fn recovery_of_a_repair_survives_a_fault_at_any_operation() {
    let scene = Scene::new();
    scene.reset();
    let operations = scene.operations(LINE);
    let step = if super::full() { 1 } else { 11 };
    let mut faults = 0;
    for killed in (1..=operations).step_by(step) {
        let interrupted = || {
            scene.reset();
            let _ = scene.run(LINE, &format!("{killed}:kill"));
            scene.time_passes();
        };
        interrupted();
        let left = scene.operations(LINE);
        for n in (1..=left).step_by(step) {
            let error = ERRORS[usize::try_from(killed + n).unwrap() % ERRORS.len()];
            for rule in [format!("{n}:kill"), format!("{n}:{error}")] {
                interrupted();
                let out = scene.run(LINE, &rule);
                let context = format!("killed at {killed}, then {rule}:\n{}", out.picture());
                scene.holds(&context);
                scene.recovers(&context);
                faults += 1;
            }
        }
    }
    assert!(faults >= 10, "only {faults} faults");
    println!("fault matrix: recovery of a transcript repair: {faults} faults, all survived");
}
