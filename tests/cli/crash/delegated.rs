//! A fault at every operation of a cleanup that the gateway does: whatever it took can still be put back.
//!
//! The gateway answers after it has taken a row with its files, an orphan and a checkpoint for good. What it took is in
//! the run folder or in an archive at every instant, and once the gateway is stopped one more command settles what was
//! interrupted and brings it back.

use std::collections::BTreeSet;
use std::path::Path;

use super::fault_matrix::ERRORS;
use super::scene::restore;
use crate::common::{DAY, Folder, HOUR, Output, Tree, World, closed_port, id};
use crate::gateway::scripted::{Reply, Says, Scripted, clean_up, owned};

const STALE: &str = "agent:main:subagent:stale";

struct Scene {
    world: World,
    main: Folder,
    gateway: Scripted,
    fresh: Tree,
    contents: BTreeSet<Vec<u8>>,
}

impl Scene {
    fn new() -> Self {
        let (world, main) = owned(|main| {
            main.session("agent:main:main", 1, HOUR)
                .session(STALE, 2, 60 * DAY)
                .trajectory(2, 60 * DAY)
                .transcript(3, 60 * DAY)
                .checkpoint(4, 44, 60 * DAY)
                .archive(5, "deleted", DAY);
        });
        let (dir, now) = (main.dir().to_owned(), world.now());
        let gateway = Scripted::start(Says::of(&world), world.port(), move |_, _| {
            let gone = [
                format!("{}.jsonl", id(3)),
                format!("{}.trajectory.jsonl", id(2)),
                format!("{}.checkpoint.{}.jsonl", id(4), id(44)),
            ];
            Reply::Result(clean_up(&dir, now, &[STALE], &gone))
        });
        let fresh = Tree::of(&world.home());
        let contents = contents(main.dir()).into_iter().collect();
        Self { world, main, gateway, fresh, contents }
    }

    fn run(&self, vars: &[(&str, &str)]) -> Output {
        let mut command = self.world.command(["sessions", "cleanup", "--enforce", "--json"]);
        command.envs(vars.iter().copied());
        self.world.finish(command)
    }

    fn operations(&self) -> u64 {
        let log = self.world.home().join("operations");
        let _ = self.run(&[("CLAWKEEP_FAULT_LOG", log.to_str().unwrap())]).exits(0);
        let lines = std::fs::read_to_string(&log).unwrap().lines().count() as u64;
        restore(&self.world.home(), &self.fresh);
        lines
    }

    /// Rows have their files, and every content is somewhere.
    #[track_caller]
    fn holds(&self, context: &str) {
        assert!(self.main.is_live(1), "{context}: a file of a row is gone");
        for key in self.main.keys() {
            assert!(["agent:main:main", STALE].contains(&key.as_str()), "{context}: {key}");
        }
        let now: BTreeSet<Vec<u8>> = contents(self.main.dir()).into_iter().collect();
        assert!(self.contents.is_subset(&now), "{context}: something is lost for good");
    }

    /// The gateway is stopped: one command settles and undoes.
    #[track_caller]
    fn comes_back(&self, context: &str) {
        let mut undo = self.world.command(["sessions", "undo", "--yes", "--json"]);
        undo.env("OPENCLAW_GATEWAY_PORT", closed_port().to_string());
        let undo = self.world.finish(undo).ends();
        let context = format!("{context}\nthen: {}", undo.picture());
        self.holds(&context);
        let open = clawkeep::journal::read::unfinished(self.main.dir()).unwrap();
        assert!(open.is_empty(), "{context}: open runs {open:?}");
        let taken = self.gateway_took();
        assert!(taken.is_empty() || undo.code != Some(0), "{context}: not put back: {taken:?}");
        if undo.code != Some(0) {
            // Nothing had begun, or it was taken back before the gateway was asked.
            assert!(taken.is_empty(), "{context}: taken and not put back: {taken:?}");
        }
    }

    fn gateway_took(&self) -> Vec<String> {
        let names = [
            format!("{}.jsonl", id(2)),
            format!("{}.jsonl", id(3)),
            format!("{}.trajectory.jsonl", id(2)),
            format!("{}.checkpoint.{}.jsonl", id(4), id(44)),
        ];
        let mut gone: Vec<String> = names.into_iter().filter(|name| !self.main.has(name)).collect();
        if !self.main.keys().contains(&STALE.to_owned()) {
            gone.push(STALE.to_owned());
        }
        gone
    }
}

/// Contents of everything below the folder that is a session's, archives and run folders included.
fn contents(dir: &Path) -> Vec<Vec<u8>> {
    let files = walkdir::WalkDir::new(dir).into_iter().map(Result::unwrap).filter(|e| e.file_type().is_file());
    let session = |path: &Path| {
        let path = path.to_string_lossy();
        path.contains("/files/") || (path.contains(".jsonl") && !path.contains(".clawkeep/"))
    };
    files.filter(|e| session(e.path())).map(|e| std::fs::read(e.path()).unwrap()).collect()
}

#[test]
fn a_delegated_cleanup_survives_a_fault_at_any_operation() {
    let scene = Scene::new();
    let operations = scene.operations();
    assert!(operations > 10, "only {operations} operations");
    let (mut faults, mut asked) = (0, 0);
    for n in 1..=operations {
        let errors = ERRORS.iter().enumerate().filter(|(at, _)| super::full() || n as usize % ERRORS.len() == *at);
        for what in std::iter::once("kill").chain(errors.map(|(_, error)| *error)) {
            restore(&scene.world.home(), &scene.fresh);
            let before = scene.gateway.cleanups().len();
            let out = scene.run(&[("CLAWKEEP_FAULT", &format!("{n}:{what}"))]);
            let context = format!("{n}:{what}:\n{}", out.picture());
            assert_eq!(out.code.is_none(), what == "kill", "{context}");
            asked += scene.gateway.cleanups().len() - before;
            scene.holds(&context);
            scene.comes_back(&context);
            faults += 1;
        }
    }
    println!(
        "fault matrix: delegated cleanup: {operations} operations, {faults} faults, all survived (the gateway was asked \
         in {asked} of them)"
    );
}

/// Settling what was interrupted is interrupted itself.
#[test]
fn settling_survives_a_kill_at_any_operation() {
    let scene = Scene::new();
    let operations = scene.operations();
    let mut faults = 0;
    // After the question only: before it nothing had gone.
    for at in (operations / 2..=operations).step_by(if super::full() { 1 } else { 4 }) {
        for n in (1..).step_by(if super::full() { 1 } else { 3 }) {
            restore(&scene.world.home(), &scene.fresh);
            let _ = scene.run(&[("CLAWKEEP_FAULT", &format!("{at}:kill"))]);
            let mut undo = scene.world.command(["sessions", "undo", "--yes", "--json"]);
            undo.env("OPENCLAW_GATEWAY_PORT", closed_port().to_string()).env("CLAWKEEP_FAULT", format!("{n}:kill"));
            let out = scene.world.finish(undo);
            if out.code.is_some() {
                break;
            }
            let context = format!("killed at {at}, the undo at {n}:\n{}", out.picture());
            scene.holds(&context);
            // An interrupted undo is finished, or taken back and done again, by the next one.
            for _ in 0..3 {
                let mut again = scene.world.command(["sessions", "undo", "--yes", "--json"]);
                again.env("OPENCLAW_GATEWAY_PORT", closed_port().to_string());
                let out = scene.world.finish(again).ends();
                scene.holds(&format!("{context}\nthen: {}", out.picture()));
                if scene.gateway_took().is_empty() {
                    break;
                }
            }
            assert_eq!(scene.gateway_took(), [] as [String; 0], "{context}");
            assert!(clawkeep::journal::read::unfinished(scene.main.dir()).unwrap().is_empty(), "{context}");
            faults += 1;
        }
    }
    println!("fault matrix: settling a delegated cleanup: {faults} faults, all survived");
}
