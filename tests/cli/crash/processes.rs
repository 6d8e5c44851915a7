//! Several runs of the program at once on one store, beside a writer that behaves like a gateway.
//!
//! The writer appends to transcripts under the lock that gateways use (`<id>.jsonl.lock`, created exclusively, removed
//! after), and rewrites the index as they do: read, change, write a temporary file, rename it over the old one. It knows
//! nothing of our lock. The owner refusals are overridden: this is the case in which somebody insisted.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use serde_json::{Value, json};

use crate::common::{DAY, Folder, HOUR, World, id, iso, names};

const OVERRIDES: &str = "--override live-gateway --override owner-unknown";
/// Sessions of the writer are numbered from here.
const WRITTEN: u64 = 1000;
/// Sessions past their age.
const STALE: std::ops::Range<u64> = 100..120;

/// What the writer did, to be found again at the end.
#[derive(Debug, Default)]
struct Written {
    /// Index rewrites.
    rewrites: u64,
    /// Lines appended by session.
    lines: BTreeMap<u64, Vec<String>>,
}

struct Writer<'a> {
    dir: &'a Path,
    now: i64,
    done: Written,
}

impl Writer<'_> {
    /// Adds a session (transcript first), then says something in it and in an older one.
    fn round(&mut self) {
        let session = WRITTEN + self.done.rewrites;
        self.append(session, json!({"type": "session", "version": 3, "id": id(session), "timestamp": iso(self.now)}));
        self.rewrite_index(session);
        for n in [session, WRITTEN + self.done.rewrites / 2] {
            let text = format!("line {} of {n}", self.done.lines.get(&n).map_or(0, Vec::len));
            self.append(n, json!({"type": "message", "message": {"role": "user", "content": text}}));
        }
    }

    fn append(&mut self, session: u64, value: Value) {
        let path = self.dir.join(format!("{}.jsonl", id(session)));
        let lock = self.dir.join(format!("{}.jsonl.lock", id(session)));
        let held = json!({"pid": std::process::id(), "createdAt": iso(self.now)}).to_string();
        while std::fs::File::create_new(&lock).map(|mut f| f.write_all(held.as_bytes())).is_err() {
            std::thread::yield_now();
        }
        let line = value.to_string();
        let mut file = std::fs::File::options().create(true).append(true).open(path).unwrap();
        file.write_all(format!("{line}\n").as_bytes()).unwrap();
        std::fs::remove_file(lock).unwrap();
        self.done.lines.entry(session).or_default().push(line);
    }

    fn rewrite_index(&mut self, session: u64) {
        let index = self.dir.join("sessions.json");
        let mut root: Value = serde_json::from_slice(&std::fs::read(&index).unwrap()).unwrap();
        root[format!("agent:main:webchat:{session}")] = json!({"sessionId": id(session), "updatedAt": self.now});
        let temp = self.dir.join(format!("sessions.json.{}.{}.tmp", std::process::id(), id(session)));
        std::fs::write(&temp, serde_json::to_string_pretty(&root).unwrap()).unwrap();
        std::fs::rename(temp, index).unwrap();
        self.done.rewrites += 1;
    }
}

fn populate(world: &World) -> Folder {
    world.maintenance(&json!({"mode": "enforce", "pruneAfter": "30d", "maxEntries": 0}));
    let main = world.agent("main");
    main.session("agent:main:main", 1, HOUR).session("agent:main:telegram:direct:2", 2, DAY);
    for n in STALE {
        main.session(&format!("agent:main:telegram:direct:{n}"), n, 40 * DAY);
    }
    main.save();
    for n in 200..205 {
        main.transcript(n, 60 * DAY);
    }
    main
}

/// Runs `processes` at once for so many rounds each.
fn beside_a_writer(processes: usize, rounds: usize) {
    let world = World::new();
    let main = populate(&world);
    let dir = main.dir();
    let before = contents(dir);
    let (stop, runs) = (AtomicBool::new(false), AtomicUsize::new(0));
    let lines = [
        format!("sessions cleanup --store {{store}} --enforce --json --wait 100s {OVERRIDES}"),
        "sessions list --store {store} --json --limit all".to_owned(),
        format!("sessions undo --store {{store}} --yes --wait 100s {OVERRIDES}"),
    ];
    let written = std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let mut writer = Writer { dir, now: world.now(), done: Written::default() };
            while !stop.load(Ordering::SeqCst) {
                writer.round();
            }
            writer.done
        });
        let clients: Vec<_> = (0..processes)
            .map(|first| {
                let (world, lines, runs) = (&world, &lines, &runs);
                scope.spawn(move || {
                    for round in 0..rounds * lines.len() {
                        let line = &lines[(first + round) % lines.len()];
                        let out = world.line(line).ends();
                        // Partial, nothing to undo, or too many writers are honest ends beside them.
                        let fine = match line.contains("list") {
                            true => out.code == Some(0) && out.json().is_object(),
                            false => {
                                let nothing = ["undone by", "no run ", "is as it was before"];
                                matches!(out.code, Some(0 | 3 | 4 | 11))
                                    || nothing.iter().any(|words| out.stderr.contains(words))
                            }
                        };
                        assert!(fine, "{line}\n{}", out.picture());
                        runs.fetch_add(1, Ordering::SeqCst);
                    }
                })
            })
            .collect();
        let ended: Vec<_> = clients.into_iter().map(|client| client.join()).collect();
        stop.store(true, Ordering::SeqCst);
        let written = writer.join().unwrap();
        ended.into_iter().for_each(|end| end.unwrap());
        written
    });
    let came_back = rows_without_file(&main);
    // All is quiet: one more run.
    let _ = world.enforce(OVERRIDES).exits(0);
    nothing_is_lost(&main, &before, &written);
    println!(
        "processes: {processes} at once, {} runs, {} sessions and {} lines written meanwhile; {} rows had come back by \
         a late write before the last run",
        runs.load(Ordering::SeqCst),
        written.rewrites,
        written.lines.values().map(Vec::len).sum::<usize>(),
        came_back.len(),
    );
}

fn nothing_is_lost(main: &Folder, before: &BTreeMap<PathBuf, Vec<u8>>, written: &Written) {
    let keys = main.keys();
    for session in written.lines.keys() {
        let key = format!("agent:main:webchat:{session}");
        assert!(keys.contains(&key), "the row {key} is lost");
    }
    for (session, lines) in &written.lines {
        let text = std::fs::read_to_string(main.path(&format!("{}.jsonl", id(*session)))).unwrap();
        assert!(text.lines().eq(lines.iter()), "lines of session {session} are lost or torn");
    }
    assert!(rows_without_file(main).is_empty(), "rows lead to files that are not there: {:?}", rows_without_file(main));
    let after: Vec<Vec<u8>> = contents(main.dir()).into_values().collect();
    for (path, content) in before.iter().filter(|(path, _)| path.to_string_lossy().ends_with(".jsonl")) {
        assert!(after.contains(content), "the content of {} is lost", path.display());
    }
    let left: Vec<String> = names(main.dir());
    let left: Vec<&String> = left.iter().filter(|n| n.ends_with(".tmp") || n.ends_with(".lock")).collect();
    assert!(left.is_empty(), "left behind: {left:?}");
    assert!(clawkeep::journal::read::unfinished(main.dir()).unwrap().is_empty());
}

fn rows_without_file(main: &Folder) -> Vec<String> {
    let root: Value = serde_json::from_slice(&std::fs::read(main.index()).unwrap()).unwrap();
    let missing = |row: &Value| !main.has(&format!("{}.jsonl", row["sessionId"].as_str().unwrap()));
    root.as_object().unwrap().iter().filter(|(_, row)| missing(row)).map(|(key, _)| key.clone()).collect()
}

fn contents(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let entries = walkdir::WalkDir::new(dir).into_iter().map(Result::unwrap).filter(|e| e.file_type().is_file());
    entries.map(|e| (e.path().to_owned(), std::fs::read(e.path()).unwrap())).collect()
}

#[test]
fn two_processes_beside_a_writer_lose_nothing() {
    beside_a_writer(2, if super::full() { 60 } else { 8 });
}

#[test]
fn eight_processes_beside_a_writer_lose_nothing() {
    beside_a_writer(8, if super::full() { 30 } else { 3 });
}
