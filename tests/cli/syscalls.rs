//! Cost, gated by what the program asks of the system and by how its work grows, never by milliseconds.

#![cfg(target_os = "linux")]

use std::collections::HashMap;
use std::path::Path;
use std::process::Command;

use serde_json::json;

use crate::common::{DAY, Folder, HOUR, World, body, id};

/// What the old orphans of a state hold.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Orphans {
    /// Turns of a user.
    History,
    /// A header alone.
    Junk,
}

/// `rows` sessions of a day, half as many old orphans, some archives.
fn populated(rows: u64) -> (World, Folder) {
    populated_with(rows, Orphans::History)
}

fn populated_with(rows: u64, orphans: Orphans) -> (World, Folder) {
    let world = World::new();
    world.maintenance(&json!({"pruneAfter": "30d", "maxEntries": 1_000_000}));
    let main = world.agent("main");
    main.session("agent:main:main", 1, HOUR);
    for n in 2..=rows {
        main.session(&format!("agent:main:telegram:direct:{n}"), n, DAY);
    }
    for n in 0..rows / 2 {
        let n = 1_000_000 + n;
        match orphans {
            Orphans::History => main.transcript(n, 60 * DAY),
            Orphans::Junk => {
                let header = json!({"type": "session", "version": 3, "id": id(n), "cwd": "/"});
                main.file(&format!("{}.jsonl", id(n)), format!("{header}\n"), 60 * DAY)
            }
        };
    }
    for n in 0..rows / 10 {
        main.archive(2_000_000 + n, "deleted", DAY);
    }
    main.save();
    (world, main)
}

/// System calls of one run, as strace prints them; `None` where strace is missing or may not trace.
fn traced(world: &World, line: &str) -> Option<Vec<String>> {
    let log = world.home().join("strace.log");
    let mut command = world.hermetic(Path::new("strace"));
    command.args(["-f", "-y", "-qq", "-s", "200", "-o"]).arg(&log);
    command.arg(env!("CARGO_BIN_EXE_clawkeep")).args(line.split_whitespace());
    let usable = Command::new("strace").args(["-qq", "-o", "/dev/null", "true"]).status().is_ok_and(|s| s.success());
    if !usable {
        println!("skipped: strace is not installed, or may not trace here");
        return None;
    }
    let _ = world.finish(command).exits(0);
    let text = String::from_utf8_lossy(&std::fs::read(&log).unwrap()).into_owned();
    std::fs::remove_file(log).unwrap();
    Some(joined(&text))
}

/// `123  openat(...) = 3` -> `openat(...) = 3`. A call during which another thread made one stands in two lines.
fn joined(text: &str) -> Vec<String> {
    let (mut calls, mut begun) = (Vec::new(), HashMap::new());
    for line in text.lines() {
        let (thread, call) = line.split_once(' ').map_or((line, ""), |(thread, call)| (thread, call.trim_start()));
        if let Some(start) = call.strip_suffix("<unfinished ...>") {
            begun.insert(thread, start);
        } else if let Some((_, end)) = call.strip_prefix("<... ").and_then(|rest| rest.split_once(" resumed>")) {
            calls.push(format!("{}{end}", begun.remove(thread).unwrap_or_default()));
        } else {
            calls.push(call.to_owned());
        }
    }
    calls
}

fn is(call: &str, names: &[&str]) -> bool {
    names.iter().any(|name| call.strip_prefix(name).is_some_and(|rest| rest.starts_with('(')))
}

/// Calls that succeeded; failed ones (`= -1 ENOENT`) are probes.
fn worked(call: &str) -> bool {
    !call.contains(" = -1 ")
}

const OPEN: &[&str] = &["open", "openat", "openat2"];
const STAT: &[&str] = &["stat", "lstat", "newfstatat", "statx"];

/// Owned transcripts are opened for one reason only: to see whether one of them names an orphan with history as its
/// predecessor.
#[test]
fn a_dry_run_reads_the_folder_once_the_index_once_and_opens_candidates_only() {
    looks_only_as_needed(Orphans::Junk, 0);
    looks_only_as_needed(Orphans::History, 1);
}

/// `per_owned`: how often an owned transcript may be opened.
fn looks_only_as_needed(orphans: Orphans, per_owned: usize) {
    let (world, main) = populated_with(200, orphans);
    let Some(calls) = traced(&world, "sessions cleanup --enforce --dry-run --json") else { return };
    let dir = main.dir().display().to_string();

    let opened = |name: &str| calls.iter().filter(|c| is(c, OPEN) && worked(c) && c.contains(name)).count();
    let index_opens = opened("sessions.json\"");
    assert_eq!(index_opens, 1, "the index is opened once");

    // One pass ends with one empty answer.
    let ends = calls.iter().filter(|c| is(c, &["getdents64"]) && c.contains(&dir) && c.ends_with("= 0")).count();
    assert_eq!(ends, 1, "the folder is listed once");

    for n in 1..=200 {
        let opens = opened(&id(n));
        assert!(opens <= per_owned, "the owned transcript {n} is opened {opens} times");
    }
    let opens: Vec<usize> = (0..100).map(|n| opened(&id(1_000_000 + n))).collect();
    assert!(opens.iter().all(|opens| *opens == 1), "each candidate is opened once: {opens:?}");

    let mut stats: HashMap<&str, usize> = HashMap::new();
    for call in calls.iter().filter(|c| is(c, STAT)) {
        let name = call.split('"').nth(1).unwrap_or_default();
        if name.ends_with(".jsonl") {
            *stats.entry(name).or_default() += 1;
        }
    }
    assert!(stats.values().all(|count| *count <= 1), "each file is looked at once");
}

/// Each file is looked at once, whatever the number of rules; opened are orphans, for what they are, and the transcripts that
/// are looked into.
#[test]
fn the_doctor_looks_at_each_file_once() {
    let (world, main) = populated(300);
    let Some(calls) = traced(&world, "doctor --json") else { return };
    let dir = main.dir().display().to_string();
    let count = |names: &[&str], text: &str| calls.iter().filter(|c| is(c, names) && c.contains(text)).count();
    // One pass ends with one empty answer.
    let ends = calls.iter().filter(|c| is(c, &["getdents64"]) && c.contains(&format!("{dir}>")) && c.ends_with("= 0"));
    assert_eq!(ends.count(), 1, "the folder is listed once");
    assert_eq!(count(OPEN, "sessions.json\""), 1, "the index is opened once");
    let files = std::fs::read_dir(main.dir()).unwrap().count();
    let stats = calls.iter().filter(|c| is(c, STAT) && c.contains(&dir)).count();
    assert!(stats <= files * 6 / 5, "{stats} looks at {files} files");
    let opens: Vec<usize> = (1..=300).map(|n| count(OPEN, &id(n))).collect();
    // For what went before it, for damage, and the main session for who spoke in it.
    assert!(opens[0] <= 3 && opens[1..].iter().all(|opens| *opens <= 2), "{opens:?}");
    for n in 0..150 {
        assert!(count(OPEN, &id(1_000_000 + n)) <= 2, "the orphan {n}");
    }
}

#[test]
fn a_list_looks_only_at_the_files_of_the_rows_it_prints() {
    let (world, _main) = populated(300);
    let Some(calls) = traced(&world, "sessions --limit 10") else { return };
    let transcripts = calls.iter().filter(|c| is(c, STAT) && c.contains(".jsonl")).count();
    assert!(transcripts <= 40, "{transcripts} looks for 10 rows");
    let opens = calls.iter().filter(|c| is(c, OPEN) && c.contains(".jsonl")).count();
    assert_eq!(opens, 0, "no transcript is opened for a list");
}

#[test]
fn a_preview_and_a_list_make_no_call_that_changes_anything() {
    const CHANGES: &[&str] = &[
        "rename",
        "renameat",
        "renameat2",
        "unlink",
        "unlinkat",
        "mkdir",
        "mkdirat",
        "link",
        "linkat",
        "symlink",
        "symlinkat",
        "chmod",
        "fchmod",
        "fchmodat",
        "chown",
        "fchown",
        "lchown",
        "fchownat",
        "truncate",
        "ftruncate",
        "utimensat",
        "setxattr",
        "fsetxattr",
        "fallocate",
    ];
    let (world, _main) = populated(20);
    for line in ["sessions cleanup --enforce --dry-run", "sessions cleanup", "sessions", "disk", "cron status"] {
        let Some(calls) = traced(&world, line) else { return };
        for call in calls.iter().filter(|c| worked(c)) {
            assert!(!is(call, CHANGES), "{line}: {call}");
            let writes = is(call, OPEN) && ["O_WRONLY", "O_RDWR", "O_CREAT"].iter().any(|flag| call.contains(flag));
            assert!(!writes || call.contains("/dev/") || call.contains("/proc/"), "{line}: {call}");
        }
    }
}

/// Instructions of one run under callgrind; `None` where valgrind is missing.
fn instructions(world: &World, line: &str) -> Option<u64> {
    let log = world.home().join("callgrind.log");
    let usable = Command::new("valgrind").arg("--version").output().is_ok_and(|done| done.status.success());
    if !usable {
        println!("skipped: valgrind is not installed");
        return None;
    }
    let mut command = world.hermetic(Path::new("valgrind"));
    command.arg("--tool=callgrind").arg("--callgrind-out-file=/dev/null").arg(format!("--log-file={}", log.display()));
    command.arg(env!("CARGO_BIN_EXE_clawkeep")).args(line.split_whitespace());
    let _ = world.finish(command).exits(0);
    let text = std::fs::read_to_string(log).unwrap();
    let line = text.lines().find(|l| l.contains("Collected :")).unwrap_or_else(|| panic!("{text}"));
    line.rsplit(' ').next()?.parse().ok()
}

/// Ten times the sessions may cost at most eleven times the work.
#[test]
fn work_grows_with_the_number_of_sessions_and_no_faster() {
    let lines = ["sessions cleanup --enforce --dry-run --json", "sessions --limit all --json"];
    let (small, _) = populated(100);
    let (large, _) = populated(1000);
    for line in lines {
        let (Some(few), Some(many)) = (instructions(&small, line), instructions(&large, line)) else { return };
        println!("{line}: {few} instructions for 100 sessions, {many} for 1000");
        assert!(many <= few * 11, "{line}: {few} -> {many}");
    }
}

/// The last messages, the header and the leaf of a transcript of any size cost a handful of reads.
#[test]
fn the_end_of_a_large_transcript_is_shown_by_a_few_reads() {
    let world = World::new();
    let main = world.agent("main");
    main.file(&format!("{}.jsonl", id(1)), body(&id(1), world.now(), 2000, 10_000), HOUR);
    let path = main.path(&format!("{}.jsonl", id(1))).display().to_string();
    let Some(calls) = traced(&world, &format!("transcript show --json --no-pager --tail 20 {path}")) else { return };
    let reads = calls.iter().filter(|c| is(c, &["read", "pread64", "readv", "preadv"]) && c.contains(".jsonl")).count();
    assert!((1..=8).contains(&reads), "{reads} reads");
    let maps = calls.iter().filter(|c| is(c, &["mmap"]) && c.contains(".jsonl")).count();
    assert_eq!(maps, 0, "a file that shrinks would kill the program");
}
