//! What is forgotten on purpose: `sessions rm --purge` and `sessions runs --forget`, with an error or a kill at every
//! operation. Whatever happens, no other session loses a row, a file or its way back, and the same command, given again,
//! finishes the work: then nothing of the session is left anywhere.

use std::path::Path;

use serde_json::{Value, json};

use super::fault_matrix::ERRORS;
use super::scene::restore;
use crate::common::{DAY, Folder, HOUR, Output, Tree, World, body, id};

const KEY: &str = "agent:main:telegram:direct:2";
/// Stands in the transcript and in the row of the session that goes.
const MARKER: &str = "the-words-that-must-go";
/// In the quick form, a kill at one in so many operations; the two scenes of a purge take different ones.
const KILLS: u64 = 3;
/// In the quick form, one in so many operations gets an error, another one each time.
const EVERY: u64 = 5;

struct Scene {
    world: World,
    main: Folder,
    fresh: Tree,
    line: &'static str,
    /// Index snapshots are there, which know the session as well.
    snapshots: bool,
}

impl Scene {
    /// Runs that took, and brought back, the session and another one; a snapshot; an archive and a repair copy.
    fn new(line: &'static str, snapshots: bool) -> Self {
        let world = World::new();
        world.maintenance(&json!({"mode": "warn"}));
        let main = world.agent("main");
        main.session("agent:main:main", 1, HOUR)
            .row(KEY, 2, HOUR, json!({"label": MARKER}))
            .file(&format!("{}.jsonl", id(2)), said(), HOUR)
            .trajectory(2, HOUR)
            .session("agent:main:other", 3, HOUR)
            .session("agent:main:stays", 4, HOUR)
            .file(&format!("{}.jsonl.reset.2026-01-01T00-00-00.000Z", id(2)), said(), DAY)
            .file(&format!("{}.jsonl.bak-1-1777622400000", id(2)), said(), DAY)
            .save();
        let fresh = Tree::of(&world.home());
        Self { world, main, fresh, line, snapshots }
    }

    /// The fresh state, and the run that took both sessions.
    fn reset(&self) -> String {
        restore(&self.world.home(), &self.fresh);
        if self.snapshots {
            let _ = self.world.line("sessions cleanup --enforce").exits(0);
        }
        let rm = self.world.run(["sessions", "rm", "--json", KEY, "agent:main:other"]).exits(0).json();
        let run = rm["stores"][0]["runId"].as_str().unwrap().to_owned();
        let _ = self.world.run(["sessions", "undo", "--key", KEY, &run]).exits(0);
        if !self.snapshots {
            std::fs::remove_dir_all(self.main.path(".clawkeep/index")).unwrap();
        }
        run
    }

    fn run(&self, first: &str, vars: &[(&str, &str)]) -> Output {
        let words = self.line.split_whitespace().map(|word| match word {
            "{key}" => KEY,
            "{run}" => first,
            word => word,
        });
        let mut command = self.world.command(words);
        command.envs(vars.iter().copied());
        self.world.finish(command)
    }

    fn operations(&self) -> u64 {
        let first = self.reset();
        let log = self.world.home().join("operations");
        let _ = self.run(&first, &[("CLAWKEEP_FAULT_LOG", log.to_str().unwrap())]).exits(0);
        std::fs::read_to_string(&log).unwrap().lines().count() as u64
    }

    /// Every row that is there is in its own bytes and has its file in its own bytes; the rows that nobody named are there.
    #[track_caller]
    fn holds(&self, context: &str) {
        let text = std::fs::read_to_string(self.main.index()).unwrap();
        let rows: Value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{context}: the index: {e}"));
        let rows = rows.as_object().unwrap();
        for (key, n) in [("agent:main:main", 1), ("agent:main:stays", 4)] {
            assert_eq!(rows[key]["sessionId"], id(n), "{context}");
        }
        for row in rows.values() {
            let name = format!("{}.jsonl", row["sessionId"].as_str().unwrap());
            let at = self.main.path(&name);
            let now = std::fs::read(&at).unwrap_or_else(|e| panic!("{context}: a row without {name}: {e}"));
            let before = &self.fresh.0[at.strip_prefix(self.world.home()).unwrap()].content;
            assert!(now == *before, "{context}: {name} changed");
        }
    }

    /// The other session of the run comes back.
    #[track_caller]
    fn other_comes_back(&self, context: &str) {
        let out = self.world.run(["sessions", "restore", "agent:main:other"]).ends();
        assert_eq!(out.code, Some(0), "{context}\nthe other session:\n{}", out.picture());
        self.holds(context);
        assert!(self.main.is_live(3) && self.main.keys().contains(&"agent:main:other".to_owned()), "{context}");
    }

    fn every_operation(&self, name: &str, finished: impl Fn(&str, &str)) {
        let operations = self.operations();
        assert!(operations > 5, "only {operations} operations");
        let mut faults = 0;
        for n in (1..=operations).filter(|n| super::full() || n % KILLS == u64::from(self.snapshots)) {
            let sampled = |at: usize| n % EVERY == 0 && (n / EVERY) as usize % ERRORS.len() == at;
            let errors = ERRORS.iter().enumerate().filter(|(at, _)| super::full() || sampled(*at));
            for what in std::iter::once("kill").chain(errors.map(|(_, error)| *error)) {
                let first = self.reset();
                let rule = format!("{n}:{what}");
                let faulty = self.run(&first, &[("CLAWKEEP_FAULT", &rule)]);
                let context = format!("{name} with {rule}:\n{}", faulty.picture());
                assert_eq!(faulty.code.is_none(), what == "kill", "{context}");
                self.holds(&context);
                let again = self.run(&first, &[]).ends();
                let context = format!("{context}\nthe next run:\n{}", again.picture());
                self.holds(&context);
                finished(&first, &context);
                faults += 1;
            }
        }
        println!("fault matrix: {name}: {operations} operations, {faults} faults, all survived");
    }
}

fn said() -> String {
    let text = body(&id(2), 1_777_622_400_000, 1, 0);
    text.replacen("question 0", MARKER, 1)
}

/// Files below `root` that hold the text, compressed ones unpacked.
fn holders(root: &Path) -> Vec<String> {
    let mut out = Vec::new();
    for item in walkdir::WalkDir::new(root).into_iter().map(Result::unwrap).filter(|e| e.file_type().is_file()) {
        let bytes = std::fs::read(item.path()).unwrap();
        let plain = match item.path().extension().is_some_and(|e| e == "zst") {
            true => zstd::decode_all(&bytes[..]).unwrap(),
            false => bytes,
        };
        if memchr::memmem::find(&plain, MARKER.as_bytes()).is_some() {
            out.push(item.path().strip_prefix(root).unwrap().display().to_string());
        }
    }
    out
}

#[test]
fn a_purge_survives_a_fault_at_any_operation() {
    for snapshots in [true, false] {
        let scene = Scene::new("sessions rm --purge --yes {key}", snapshots);
        scene.every_operation("sessions rm --purge", |_, context| {
            assert_eq!(holders(&scene.world.state()), [""; 0], "{context}");
            assert!(!scene.main.keys().contains(&KEY.to_owned()), "{context}");
            scene.other_comes_back(context);
        });
    }
}

#[test]
fn forgetting_a_run_survives_a_fault_at_any_operation() {
    let scene = Scene::new("sessions runs --forget {run} --yes", true);
    scene.every_operation("sessions runs --forget", |first, context| {
        let runs = scene.world.line("sessions runs").exits(0);
        assert!(!runs.stdout.contains(first), "{context}\n{}", runs.picture());
        assert!(!scene.main.path(".clawkeep/runs").join(first).exists(), "{context}");
        // What it took is an archive of the gateway's still, and every other session is what it was.
        assert!(scene.main.is_archived(3) && scene.main.is_live(2), "{context}");
        scene.other_comes_back(context);
    });
}
