//! Files and folders that nobody planned for: a clear error or a skipped item with its reason, exact counts, no hang
//! (the harness ends a run that does).

#![cfg(unix)]

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Command;

use serde_json::json;

use crate::common::{DAY, Folder, HOUR, Tree, World, body, id, names};

/// A store with one stale row, so that each run has something to do beside the trouble.
fn world() -> (World, Folder) {
    let world = World::new();
    world.maintenance(&json!({"pruneAfter": "7d"}));
    let main = world.agent("main");
    main.session("agent:main:main", 1, HOUR).session("agent:main:subagent:o", 2, 40 * DAY).save();
    (world, main)
}

fn chmod(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

fn mkfifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// Whether this process may do anything to any file; modes then prove nothing.
fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

#[test]
fn fifos_sockets_and_links_under_transcript_names_are_left_alone() {
    let (world, main) = world();
    mkfifo(&main.path(&format!("{}.jsonl", id(10))));
    mkfifo(&main.path(&format!("{}.jsonl.lock", id(2))));
    let _socket = UnixListener::bind(main.path("s.jsonl")).unwrap();
    let target = world.home().join("target.jsonl");
    std::fs::write(&target, body(&id(11), 0, 1, 0)).unwrap();
    symlink(&target, main.path(&format!("{}.jsonl", id(11)))).unwrap();
    symlink("nowhere", main.path(&format!("{}.jsonl", id(12)))).unwrap();
    std::fs::create_dir(main.path(&format!("{}.jsonl", id(13)))).unwrap();
    let before: Vec<_> = names(main.dir()).into_iter().filter(|n| !n.starts_with(&id(2))).collect();
    let _ = world.enforce("").ends();
    for name in before {
        assert!(main.has(&name), "{name}");
    }
    assert!(target.exists());
    let _ = world.line("disk").exits(0);
}

#[test]
fn an_index_that_is_a_fifo_or_a_folder_is_an_error_and_no_hang() {
    for make in [mkfifo as fn(&Path), |path: &Path| std::fs::create_dir(path).unwrap()] {
        let (world, main) = world();
        std::fs::remove_file(main.index()).unwrap();
        make(&main.index());
        let _ = world.enforce("").fails().silent().says("sessions.json");
        let _ = world.line("sessions --store {store}").fails();
        assert!(main.is_live(2));
    }
}

#[test]
fn a_configuration_that_is_a_fifo_is_an_error_and_no_hang() {
    let (world, main) = world();
    std::fs::remove_file(world.config_path()).unwrap();
    mkfifo(&world.config_path());
    let _ = world.enforce("").exits(1).says("openclaw.json");
    assert!(main.is_live(2));
}

#[test]
fn a_nesting_bomb_is_an_error_and_no_abort() {
    let bomb = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
    let (world, main) = world();
    world.config_text(&format!("{{\"session\": {bomb}}}"));
    let _ = world.enforce("").exits(1).says("openclaw.json");
    assert!(main.is_live(2));
    world.config_text("{}");
    main.file("sessions.json", format!("{{\"agent:main:main\": {bomb}}}"), 0);
    let _ = world.enforce("").exits(1).says("deep");
    assert!(main.is_live(2));
}

#[test]
fn a_configuration_that_includes_itself_is_an_error() {
    let (world, main) = world();
    world.config_text("{ \"$include\": \"./openclaw.json\" }");
    let _ = world.enforce("").exits(1).says("include");
    assert!(main.is_live(2));
}

#[test]
fn names_that_are_not_utf8_or_look_like_options_are_only_names() {
    let (world, main) = world();
    for raw in [
        &b"\xff\xfe.jsonl"[..],
        b"-rf.jsonl",
        b"..hidden.jsonl",
        b" .jsonl",
        b"a\nb.jsonl",
        b"\x1b[2J.jsonl",
        b".jsonl",
    ] {
        let path = main.dir().join(OsStr::from_bytes(raw));
        std::fs::write(&path, body("custom", 0, 1, 0)).unwrap();
        std::fs::File::open(&path).unwrap().set_modified(std::time::UNIX_EPOCH).unwrap();
    }
    let count =
        || std::fs::read_dir(main.dir()).unwrap().filter(|e| e.as_ref().unwrap().file_name() != ".clawkeep").count();
    let before = count();
    let _ = world.line("sessions cleanup --dry-run -v").exits(0);
    let out = world.enforce("").ends();
    let _ = out.json();
    assert_eq!(count(), before, "renamed or left, never lost");
    let _ = world.line("disk --top 20").exits(0);
}

#[test]
fn a_name_too_long_for_an_archive_stamp_is_reported_and_stays() {
    let (world, main) = world();
    let name = format!("{}.jsonl", "n".repeat(245));
    main.file(&name, body("n", 0, 1, 0), 40 * DAY);
    let _ = world.enforce("").ends();
    assert!(main.has(&name));
    assert!(main.is_archived(2), "the others are done");
}

#[test]
fn a_transcript_with_a_second_hard_link_loses_no_name_in_silence() {
    let (world, main) = world();
    let outside = world.home().join("backup.jsonl");
    std::fs::hard_link(main.path(&format!("{}.jsonl", id(2))), &outside).unwrap();
    let _ = world.enforce("").ends();
    assert!(outside.exists());
    assert_eq!(main.of_session(2, ".jsonl").len(), 1);
}

#[test]
fn a_sparse_gigabyte_is_judged_by_its_head() {
    let (world, main) = world();
    let name = format!("{}.jsonl", id(20));
    main.file(&name, body(&id(20), world.now() - 40 * DAY, 1, 0), 40 * DAY);
    let file = std::fs::File::options().write(true).open(main.path(&name)).unwrap();
    file.set_len(1 << 30).unwrap();
    file.set_modified(std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_700_000_000)).unwrap();
    main.file(&format!("{}.jsonl", id(21)), "", 40 * DAY);
    let _ = world.plan("").exits(0);
    let _ = world.enforce("").exits(0);
    assert!(main.is_archived(20));
    let _ = world.line("disk --json").exits(0);
}

#[test]
fn a_group_writable_folder_of_another_user_keeps_owner_and_modes() {
    if !is_root() {
        println!("skipped: needs root to give files away");
        return;
    }
    let (world, main) = world();
    for path in std::iter::once(main.dir().to_owned()).chain(names(main.dir()).iter().map(|n| main.path(n))) {
        std::os::unix::fs::chown(&path, Some(4321), Some(4322)).unwrap();
        chmod(&path, if path == main.dir() { 0o2770 } else { 0o660 });
    }
    let _ = world.enforce("").exits(0).has("/pruned", 1);
    for item in walkdir::WalkDir::new(main.dir()) {
        let item = item.unwrap();
        let meta = item.metadata().unwrap();
        assert_eq!((meta.uid(), meta.gid()), (4321, 4322), "{}", item.path().display());
    }
    assert_eq!(std::fs::metadata(main.dir()).unwrap().mode() & 0o7777, 0o2770);
    assert_eq!(std::fs::metadata(main.index()).unwrap().mode() & 0o7777, 0o660);
}

/// Runs the program as nobody in a world that belongs to nobody.
fn as_nobody(world: &World, line: &str) -> crate::common::Output {
    use std::os::unix::process::CommandExt as _;
    const NOBODY: u32 = 65_534;
    for item in walkdir::WalkDir::new(world.home()) {
        let path = item.unwrap().into_path();
        std::os::unix::fs::lchown(&path, Some(NOBODY), Some(NOBODY)).unwrap();
    }
    let mut command = world.command(line.split_whitespace());
    command.uid(NOBODY).gid(NOBODY);
    world.finish(command)
}

#[test]
fn what_this_user_may_not_read_stops_what_it_would_have_justified() {
    if !is_root() {
        println!("skipped: needs root to become another user");
        return;
    }
    if !Path::new(env!("CARGO_BIN_EXE_clawkeep")).starts_with("/tmp") && !others_can_run() {
        println!("skipped: other users cannot reach the program");
        return;
    }
    let (world, main) = world();
    main.transcript(30, 40 * DAY);
    chmod(&main.index(), 0o000);
    let _ = as_nobody(&world, "sessions cleanup --enforce --json").exits(1).silent().says("sessions.json");
    chmod(&main.index(), 0o600);

    chmod(&world.config_path(), 0o000);
    let _ = as_nobody(&world, "sessions cleanup --enforce --json").exits(1).silent().says("openclaw.json");
    chmod(&world.config_path(), 0o600);
    assert!(main.is_live(2) && main.is_live(30));

    chmod(&main.path(&format!("{}.jsonl", id(30))), 0o000);
    let _ = as_nobody(&world, "sessions cleanup --enforce --json").ends().has("/pruned", 1);
    assert!(main.is_live(30), "an orphan that cannot be read has no proof");
}

#[test]
fn a_read_only_folder_is_an_error_that_names_it() {
    if !is_root() || !others_can_run() {
        println!("skipped: needs root to become another user, and a program that others can reach");
        return;
    }
    let (world, main) = world();
    chmod(main.dir(), 0o500);
    let before = Tree::of(main.dir()).0.keys().cloned().collect::<Vec<_>>();
    let _ = as_nobody(&world, "sessions cleanup --enforce --json").exits(1).says("sessions");
    chmod(main.dir(), 0o700);
    assert_eq!(Tree::of(main.dir()).0.keys().cloned().collect::<Vec<_>>(), before);
    chmod(main.dir(), 0o500);
    let _ = as_nobody(&world, "sessions cleanup --enforce --dry-run --json").exits(0).has("/pruned", 1);
    chmod(main.dir(), 0o700);
}

/// Whether every folder above the program may be entered by anybody.
fn others_can_run() -> bool {
    let program = Path::new(env!("CARGO_BIN_EXE_clawkeep"));
    let open = |dir: &Path| std::fs::metadata(dir).is_ok_and(|m| m.mode() & 0o001 != 0);
    program.ancestors().all(open)
}

#[test]
fn unlinks_that_fail_are_counted_as_failed() {
    let (world, main) = world();
    let stuck: Vec<String> = (0x100..0x11e_u64)
        .map(|n| {
            main.archive(n, "deleted", 40 * DAY);
            main.of_session(n, "").pop().unwrap()
        })
        .step_by(3)
        .collect();
    let set = |flag: &str| {
        stuck.iter().all(|name| {
            Command::new("chattr").arg(flag).arg(main.path(name)).output().is_ok_and(|done| done.status.success())
        })
    };
    if !set("+i") {
        set("-i");
        println!("skipped: chattr +i does not work here");
        return;
    }
    let out = world.enforce("");
    set("-i");
    let out = out.exits(3).has("/expiredArchives", 20).has("/pruned", 1);
    let left = (0x100..0x11e).filter(|n| !main.of_session(*n, "").is_empty()).count();
    assert_eq!(left, 10, "{}", out.picture());
    let freed = out.number("/bytesFreedNow");
    let size = std::fs::metadata(main.path(&stuck[0])).unwrap().len();
    assert!(freed >= 20 * size && freed < 21 * size, "{freed} for 20 x {size}");
    assert!(out.stdout.contains(&stuck[0]), "names what failed\n{}", out.picture());
}

#[test]
fn a_store_that_vanishes_under_the_run_or_was_never_a_folder_is_an_error() {
    let world = World::new();
    std::fs::create_dir_all(world.state().join("agents")).unwrap();
    std::fs::write(world.state().join("agents/main"), "a file").unwrap();
    let _ = world.line("sessions cleanup --enforce").fails();
    let _ = world.line("sessions").ends();
    let _ = world.line("disk").ends();
    assert_eq!(std::fs::read_to_string(world.state().join("agents/main")).unwrap(), "a file");
}

#[test]
fn every_command_ends_in_an_empty_home() {
    let world = World::new();
    std::fs::remove_dir(world.state()).unwrap();
    for line in [
        "sessions",
        "sessions cleanup",
        "sessions cleanup --all-agents --enforce",
        "sessions runs",
        "sessions undo",
        "sessions show nobody",
        "disk",
        "disk free --need 1mb",
        "cron status",
        "cron prune",
        "config path",
        "config get",
        "config validate",
    ] {
        let out = world.line(line).ends();
        assert!(!out.stdout.is_empty() || !out.stderr.is_empty(), "{line} says nothing");
        assert_eq!(std::fs::read_dir(world.home()).unwrap().count(), 0, "{line} wrote something");
    }
}

/// A job with a mistyped path must see it.
#[test]
fn a_state_folder_that_was_named_and_is_not_there_is_no_good_news() {
    let (world, _) = world();
    let nowhere = world.home().join("nowhere");
    let empty = world.home().join("empty");
    std::fs::create_dir(&empty).unwrap();
    for (line, of_empty) in [
        ("sessions list", 0),
        ("sessions show x", 1),
        ("sessions cleanup", 0),
        ("sessions cleanup --enforce", 0),
        ("sessions check", 0),
        ("sessions repair", 0),
        ("sessions repair --dry-run", 0),
        ("sessions runs", 0),
        ("sessions undo", 1),
        ("sessions restore x", 1),
        ("sessions rm x", 1),
        ("cron status", 0),
        ("cron prune", 0),
        ("transcript stats", 0),
        ("disk free --need 1", 4),
    ] {
        let at = |dir: &std::path::Path| {
            let words = ["--state-dir", dir.to_str().unwrap()].into_iter().chain(line.split(' '));
            world.run(words)
        };
        let _ = at(&nowhere).exits(10).silent().says("nowhere does not exist").says("config path");
        // An installation without sessions yet is no failure.
        let _ = at(&empty).exits(of_empty);
    }
    assert!(!nowhere.exists());
    // A store that is named needs no state folder.
    let store = world.agent("main").index();
    let words = ["--state-dir", nowhere.to_str().unwrap(), "sessions", "list", "--store", store.to_str().unwrap()];
    let _ = world.run(words).exits(0);
}

/// A signal that came before anything was changed: no half report, and a reason on stderr.
#[test]
fn a_report_that_a_signal_cut_short_is_a_failure() {
    let (world, _) = world();
    let state = world.state();
    for line in ["sessions check --full", "disk", "sessions cleanup --dry-run", "doctor --full"] {
        let mut words: Vec<std::ffi::OsString> = vec!["clawkeep".into(), "--state-dir".into(), state.clone().into()];
        words.extend(line.split(' ').map(Into::into));
        let clawkeep::cli::usage::Parsed::Run(cli) = clawkeep::cli::usage::parse(&words) else { panic!("{line}") };
        let mut ctx = clawkeep::context::Context::real();
        ctx.cancel.set(143);
        let result = clawkeep::cmd::dispatch::dispatch(&mut ctx, *cli);
        let error = result.expect_err(line);
        assert_eq!(error.kind, clawkeep::error::Kind::Interrupted, "{line}: {error}");
    }
}

/// `ulimit -f` stops a write with a signal whose default ends the program without a word.
#[test]
#[cfg(target_os = "linux")]
fn a_limit_on_the_size_of_files_is_an_error_with_words() {
    let world = World::new();
    world.config(&json!({"session": {"maintenance": {"pruneAfter": "30d"}}}));
    let main = world.agent("main");
    for n in 1..40 {
        let fields = json!({"skillsSnapshot": {"prompt": "x".repeat(2000)}});
        main.row(&format!("agent:main:telegram:direct:{n}"), n, if n < 20 { 60 * DAY } else { DAY }, fields)
            .transcript(n, DAY);
    }
    main.save();
    let before = (std::fs::read(main.index()).unwrap(), names(main.dir()));
    let mut shell = world.hermetic("sh".as_ref());
    shell.args(["-c", "ulimit -f 8; exec \"$0\" sessions cleanup --enforce --yes"]);
    shell.arg(world.command(["x"]).get_program());
    let out = world.finish(shell).exits(1);
    assert!(out.stderr.contains("too large"), "{}", out.picture());
    assert!((std::fs::read(main.index()).unwrap(), names(main.dir())) == before, "{}", out.picture());
    let _ = world.line("sessions cleanup --enforce --yes").exits(0);
}
