//! `--files-only`: what can be done while a gateway is writing.

use std::io::Write as _;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use serde_json::{Value, json};

use crate::common::{DAY, Folder, HOUR, MINUTE, Output, World, body, id, iso, names};

/// A world in whose port somebody sits who says nothing.
fn beside_somebody() -> (World, Folder, TcpListener) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let world = World::new().var("OPENCLAW_GATEWAY_PORT", listener.local_addr().unwrap().port().to_string());
    let main = world.agent("main");
    (world, main, listener)
}

const TEMP: &str = "sessions.json.77.0000000a-0000-4000-8000-00000000000a.tmp";
const RUN: &str = "sessions cleanup --files-only --enforce --json";
/// Mostly orphans, and no earlier run that vouches for the index.
const DOUBTFUL: &str = "sessions cleanup --files-only --enforce --json --override suspect-index";

fn populate(main: &Folder) {
    main.session("agent:main:main", 1, HOUR)
        .session("agent:main:subagent:stale", 2, 60 * DAY)
        .transcript(3, 60 * DAY)
        .archive(4, "deleted", 60 * DAY)
        .checkpoint(1, 5, 60 * DAY)
        .trajectory(6, 60 * DAY)
        .file(TEMP, "{}", 2 * DAY)
        .save();
}

#[cfg(unix)]
fn identity(path: &Path) -> (u64, std::time::SystemTime, Vec<u8>) {
    use std::os::unix::fs::MetadataExt as _;
    let meta = std::fs::metadata(path).unwrap();
    (meta.ino(), meta.modified().unwrap(), std::fs::read(path).unwrap())
}

#[cfg(unix)]
#[test]
fn files_go_and_the_index_is_not_even_rewritten() {
    let (world, main, _somebody) = beside_somebody();
    populate(&main);
    let index = identity(&main.index());
    let _ = world.line("sessions cleanup --enforce --json").exits(11).silent();
    let out = world.line(RUN).exits(0).has("/pruned", 0).has("/applied", true);
    assert!(main.is_archived(3), "{}", out.picture());
    for gone in [&*id(4), "checkpoint", "trajectory", TEMP] {
        assert!(!names(main.dir()).iter().any(|n| n.contains(gone)), "{gone} is still there\n{}", out.picture());
    }
    assert!(main.is_live(1) && main.is_live(2), "files of rows stay");
    assert!(identity(&main.index()) == index, "the index was written");
    // Nothing is left to do.
    let _ = world.line(RUN).exits(0).has("/wouldMutate", false);
    // And back, while somebody sits there still.
    let _ = world.line("sessions undo").exits(3).says("removed for good");
    assert!(main.is_live(3) && !main.is_archived(3));
    assert!(identity(&main.index()) == index, "the index was written");
}

#[test]
fn an_undo_that_brings_rows_back_is_refused_beside_a_gateway() {
    let (world, main, somebody) = beside_somebody();
    populate(&main);
    drop(somebody);
    let _ = world.line("sessions cleanup --enforce --json").exits(0).has("/pruned", 1);
    let port: u16 = world.port();
    let _somebody = TcpListener::bind(("127.0.0.1", port)).unwrap();
    let _ = world.line("sessions undo --yes").exits(11).says("live-gateway");
    assert_eq!(main.keys(), ["agent:main:main"]);
}

#[test]
fn what_was_touched_within_half_an_hour_is_not_taken_whatever_grace_says() {
    let (world, main, _somebody) = beside_somebody();
    main.session("agent:main:main", 1, HOUR).transcript(3, 20 * MINUTE).transcript(4, 40 * MINUTE).save();
    let _ = world.line(&format!("{RUN} --grace 0 --max-disk 1kb --high-water 1b")).ends();
    assert!(main.is_live(3), "a file that was written to twenty minutes ago may be in use");
    assert!(!main.is_live(4));
    assert_eq!(main.keys(), ["agent:main:main"], "no budget takes a row");
}

#[test]
fn room_is_made_beside_a_gateway_too() {
    let (world, main, _somebody) = beside_somebody();
    populate(&main);
    let keys = main.keys();
    let _ = world.line("disk free --need 1kb --yes --json").exits(0);
    assert!(main.of_session(4, "").is_empty(), "the expired archive went");
    world.maintenance(&json!({"maxDiskBytes": "2kb", "highWaterBytes": "1b"}));
    let out = world.line("disk free --to-budget --yes --json").ends();
    assert_eq!(main.keys(), keys, "no row goes\n{}", out.picture());
    assert!(out.stdout.contains("only files go, and no row"), "{}", out.picture());
}

#[test]
fn in_remote_mode_the_files_here_are_meant_only_if_they_are_named() {
    let (world, main, _somebody) = beside_somebody();
    populate(&main);
    world.config(&json!({"gateway": {"mode": "remote", "remote": {"url": "wss://gateway.example:443"}}}));
    let _ = world.line(RUN).exits(11).says("remote").says("--store");
    assert!(main.is_live(3));
    let _ = world.line(&format!("{RUN} --store {{store}}")).exits(0);
    assert!(main.is_archived(3));
}

#[test]
fn run_logs_that_nobody_writes_to_are_trimmed() {
    let (world, main, _somebody) = beside_somebody();
    world.config(&json!({"cron": {"runLog": {"keepLines": 5}}}));
    main.session("agent:main:main", 1, HOUR).session("agent:main:cron:j:run:1", 2, 60 * DAY).save();
    let logs = world.folder(".openclaw/cron/runs");
    let lines: String = (0..9).map(|n| format!("{n}\n")).collect();
    logs.file("idle.jsonl", &lines, DAY).file("busy.jsonl", &lines, MINUTE);
    let _ = world.line("cron prune --enforce").exits(11);
    let _ = world.line("cron prune --enforce --files-only").exits(0).says("written to within half an hour");
    assert_eq!(std::fs::read_to_string(logs.path("idle.jsonl")).unwrap(), "4\n5\n6\n7\n8\n");
    assert_eq!(std::fs::read_to_string(logs.path("busy.jsonl")).unwrap(), lines);
    assert_eq!(main.keys().len(), 2);
}

/// Starts a run that stops before it takes files, does `meanwhile`, and lets it go on.
fn paused(world: &World, line: &str, meanwhile: impl FnOnce()) -> Output {
    paused_at(world, line, "before-renames", meanwhile)
}

fn paused_at(world: &World, line: &str, point: &str, meanwhile: impl FnOnce()) -> Output {
    let gate = world.home().join("gate");
    let reached = world.home().join("gate.reached");
    std::thread::scope(|scope| {
        let run = scope.spawn(|| {
            let mut command = world.command(line.split_whitespace());
            command.env("CLAWKEEP_PAUSE_AT", format!("{point}:{}", gate.display()));
            world.finish(command)
        });
        while !reached.exists() {
            assert!(!run.is_finished(), "{}", run.join().unwrap().picture());
            std::thread::yield_now();
        }
        meanwhile();
        std::fs::write(&gate, "").unwrap();
        run.join().unwrap()
    })
}

/// Writes the index as a gateway does: a temporary file, renamed over the old one.
fn add_row(dir: &Path, key: &str, session: u64, at: i64) {
    let index = dir.join("sessions.json");
    let mut root: Value = serde_json::from_slice(&std::fs::read(&index).unwrap()).unwrap();
    root[key] = json!({"sessionId": id(session), "updatedAt": at});
    let temp = dir.join("sessions.json.1.0000000b-0000-4000-8000-00000000000b.tmp");
    std::fs::write(&temp, serde_json::to_string_pretty(&root).unwrap()).unwrap();
    std::fs::rename(temp, index).unwrap();
}

#[test]
fn a_file_that_a_row_has_come_to_lead_to_stays() {
    let (world, main, _somebody) = beside_somebody();
    populate(&main);
    main.transcript(7, 60 * DAY);
    let out = paused(&world, RUN, || add_row(main.dir(), "agent:main:webchat:3", 3, world.now()));
    let _ = out.clone().exits(3);
    assert!(main.is_live(3) && !main.is_archived(3), "{}", out.picture());
    assert!(main.is_archived(7), "{}", out.picture());
    assert!(main.keys().contains(&"agent:main:webchat:3".to_owned()), "the gateway's row is lost");
}

/// A writer that adopts an orphan between the last question who owns it and the taking of its name.
#[test]
fn a_file_that_a_row_has_come_to_lead_to_once_it_was_taken_gets_its_name_back() {
    let (world, main, _somebody) = beside_somebody();
    populate(&main);
    main.transcript(7, 60 * DAY).trajectory(3, 60 * DAY);
    let trajectory = format!("{}.trajectory.jsonl", id(3));
    let before = std::fs::read(main.path(&trajectory)).unwrap();
    let out = paused_at(&world, RUN, "before-last-look", || {
        assert!(main.is_archived(3) && !main.has(&trajectory), "both were taken");
        add_row(main.dir(), "agent:main:webchat:3", 3, world.now());
    });
    let _ = out.clone().exits(3);
    assert!(main.is_live(3) && !main.is_archived(3), "{}", out.picture());
    assert_eq!(std::fs::read(main.path(&trajectory)).unwrap(), before);
    assert!(main.is_archived(7), "{}", out.picture());
    assert!(main.keys().contains(&"agent:main:webchat:3".to_owned()), "the gateway's row is lost");
}

#[test]
fn a_transcript_that_was_locked_meanwhile_stays() {
    let (world, main, _somebody) = beside_somebody();
    populate(&main);
    let out = paused(&world, RUN, || {
        main.lock(3, std::process::id(), 0);
    });
    let _ = out.exits(3);
    assert!(main.is_live(3));
}

#[test]
fn a_file_that_was_written_to_meanwhile_stays() {
    let (world, main, _somebody) = beside_somebody();
    populate(&main);
    let path = main.path(&format!("{}.jsonl", id(3)));
    let out = paused(&world, RUN, || {
        let mut file = std::fs::File::options().append(true).open(&path).unwrap();
        file.write_all(b"{}\n").unwrap();
    });
    let _ = out.exits(3);
    assert!(main.is_live(3) && !main.is_archived(3));
}

#[test]
fn an_index_that_cannot_be_read_any_more_stops_every_removal() {
    let (world, main, _somebody) = beside_somebody();
    populate(&main);
    let out = paused(&world, RUN, || std::fs::write(main.index(), "{\"half\":").unwrap());
    let _ = out.exits(3);
    assert!(main.is_live(3) && main.has(&format!("{}.checkpoint.{}.jsonl", id(1), id(5))));
}

/// A gateway that brings old sessions back to life, as `--session-id` does: lock, look, append, row, unlock.
struct Reviver<'a> {
    dir: &'a Path,
    now: i64,
    revived: Vec<u64>,
}

impl Reviver<'_> {
    fn revive(&mut self, session: u64) {
        let (path, lock) = (self.file(session, ""), self.file(session, ".lock"));
        let held = json!({"pid": std::process::id(), "createdAt": iso(self.now)}).to_string();
        std::fs::File::create_new(&lock).unwrap().write_all(held.as_bytes()).unwrap();
        if let Ok(mut file) = std::fs::File::options().append(true).open(&path) {
            file.write_all(b"{\"late\":true}\n").unwrap();
            add_row(self.dir, &format!("agent:main:webchat:{session}"), session, self.now);
            self.revived.push(session);
        }
        std::fs::remove_file(lock).unwrap();
    }

    fn file(&self, session: u64, tail: &str) -> PathBuf {
        self.dir.join(format!("{}.jsonl{tail}", id(session)))
    }
}

#[test]
fn a_writer_that_brings_old_sessions_back_to_life_never_loses_one() {
    const ORPHANS: std::ops::Range<u64> = 100..700;
    let (world, main, _somebody) = beside_somebody();
    main.session("agent:main:main", 1, HOUR).save();
    for n in ORPHANS {
        main.transcript(n, 60 * DAY);
    }
    // The writer starts from the end that is taken last, so that they meet.
    let dir = main.dir();
    let (done, next) = (AtomicBool::new(false), AtomicU64::new(ORPHANS.end));
    let (revived, runs) = std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let mut reviver = Reviver { dir, now: world.now(), revived: Vec::new() };
            while !done.load(Ordering::SeqCst) && next.load(Ordering::SeqCst) > ORPHANS.start {
                reviver.revive(next.fetch_sub(1, Ordering::SeqCst) - 1);
            }
            reviver.revived
        });
        let runs: Vec<Output> = (0..3).map(|_| world.line(&format!("{DOUBTFUL} --wait 60s"))).collect();
        done.store(true, Ordering::SeqCst);
        (writer.join().unwrap(), runs)
    });
    for run in runs {
        assert!(matches!(run.code, Some(0 | 3)), "{}", run.picture());
    }
    let keys = main.keys();
    for n in ORPHANS {
        let live = std::fs::read_to_string(main.path(&format!("{}.jsonl", id(n))));
        let old = body(&id(n), world.now() - 60 * DAY, 1, 0);
        if revived.contains(&n) {
            assert!(keys.contains(&format!("agent:main:webchat:{n}")), "the row of {n} is lost");
            assert_eq!(live.unwrap(), format!("{old}{{\"late\":true}}\n"), "session {n}");
        } else {
            assert!(live.is_ok() || main.is_archived(n), "the history of {n} is lost");
        }
    }
    assert!(!revived.is_empty(), "they never met");
}

#[test]
fn many_runs_beside_each_other_take_each_file_once() {
    let (world, main, _somebody) = beside_somebody();
    main.session("agent:main:main", 1, HOUR).save();
    for n in 100..400 {
        main.transcript(n, 60 * DAY);
    }
    let runs: Vec<Output> = std::thread::scope(|scope| {
        let start = || scope.spawn(|| world.line(DOUBTFUL));
        [start(), start(), start()].into_iter().map(|run| run.join().unwrap()).collect()
    });
    assert!(runs.iter().all(|run| matches!(run.code, Some(0 | 11))));
    assert!((100..400).all(|n| main.is_archived(n) && !main.is_live(n)));
}
