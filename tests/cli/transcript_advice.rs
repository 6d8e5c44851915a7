//! What is said about a repair before it is run: a check names one only where it mends, and a dry run refuses what the run
//! would refuse.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::common::{DAY, Tree, World, body, id};

const TORN: &str = "{\"type\":\"message\",\"id\":\"00000009\",\"par";

/// A kind of damage: what it is called, and what it makes of the lines of a transcript.
type Damage = (&'static str, fn(&mut Vec<Vec<u8>>));

/// Every kind of damage that transcripts were seen with.
const DAMAGES: &[Damage] = &[
    ("none", |_| {}),
    ("torn tail", |lines| lines.push(TORN.into())),
    ("no final newline", |lines| {
        let _ = lines.last_mut().map(Vec::pop);
    }),
    ("blank lines", |lines| lines.insert(2, b"\n\n".to_vec())),
    ("no header", |lines| drop(lines.remove(0))),
    ("late header", |lines| lines.swap(0, 2)),
    ("torn header", |lines| lines[0] = b"{\"type\":\"session\",\"vers\n".to_vec()),
    ("header with a number for an id", |lines| swap(&mut lines[0], &format!("\"id\":\"{}\"", id(1)), "\"id\":7")),
    ("header with odd bytes", |lines| lines[0].insert(12, 0xff)),
    ("second header", |lines| lines.push(lines[0].clone())),
    ("carriage returns", |lines| {
        for line in lines {
            let _ = line.pop();
            line.extend(b"\r\n");
        }
    }),
    ("byte order mark", |lines| drop(lines[0].splice(0..0, *b"\xef\xbb\xbf"))),
    ("byte order mark later", |lines| drop(lines[3].splice(0..0, *b"\xef\xbb\xbf"))),
    ("zeros at the end", |lines| lines.push(vec![0; 600])),
    ("zeros before a line", |lines| drop(lines[3].splice(0..0, [0; 40]))),
    ("zeros in a line", |lines| zeros(&mut lines[3])),
    ("only zeros", |lines| *lines = vec![vec![0; 5000]]),
    ("empty", Vec::clear),
    ("only blank lines", |lines| *lines = vec![b"\n\n\n".to_vec()]),
    ("only text", |lines| *lines = vec![b"hello\n".to_vec(), b"there\n".to_vec()]),
    ("header alone", |lines| lines.truncate(1)),
    ("id twice", |lines| lines.insert(4, lines[3].clone())),
    ("its own parent", |lines| swap(&mut lines[3], "\"parentId\":\"00000002\"", "\"parentId\":\"00000003\"")),
    ("a ring", |lines| swap(&mut lines[1], "\"parentId\":null", "\"parentId\":\"00000004\"")),
    ("no such parent", |lines| swap(&mut lines[3], "\"parentId\":\"00000002\"", "\"parentId\":\"0000000f\"")),
    ("a null line", |lines| lines.insert(3, b"null\n".to_vec())),
    ("lines that are no objects", |lines| {
        drop(lines.splice(3..3, [b"7\n".to_vec(), b"\"a\"\n".to_vec(), b"[1]\n".to_vec()]))
    }),
    ("no role", |lines| swap(&mut lines[3], "\"role\":\"user\"", "\"role\":null")),
    ("no message", |lines| {
        lines.insert(3, b"{\"type\":\"message\",\"id\":\"0000000e\",\"parentId\":\"00000002\"}\n".to_vec())
    }),
    ("no parents at all", |lines| lines.iter_mut().for_each(|line| cut(line, "\"parentId\":", ","))),
    ("glued records", |lines| {
        let _ = lines[2].pop();
    }),
    ("torn and glued", |lines| drop(lines[3].splice(0..0, TORN.bytes()))),
    ("cut line", |lines| {
        lines[3].truncate(40);
        lines[3].push(b'\n');
    }),
    ("text between", |lines| lines.insert(3, b"Killed\n".to_vec())),
    ("broken unicode", |lines| swap_bytes(&mut lines[3], b"question", b"que\xff\xfeion")),
    ("control characters", |lines| swap_bytes(&mut lines[3], b"question", b"ques\x01ion")),
    ("too deep", |lines| lines.push(format!("{}{}\n", "[".repeat(10_001), "]".repeat(10_001)).into_bytes())),
    ("version 1", |lines| {
        swap(&mut lines[0], "\"version\":3", "\"a\":3");
        lines.iter_mut().skip(1).for_each(|line| cut(line, "\"parentId\":", ","));
    }),
    ("version 2", |lines| swap(&mut lines[0], "\"version\":3", "\"version\":2")),
    ("version 9", |lines| swap(&mut lines[0], "\"version\":3", "\"version\":9")),
];

fn swap(line: &mut Vec<u8>, from: &str, to: &str) {
    swap_bytes(line, from.as_bytes(), to.as_bytes());
}

fn zeros(line: &mut [u8]) {
    line.iter_mut().skip(30).take(10).for_each(|byte| *byte = 0);
}

/// Where another damage took it away already, there is nothing to swap.
fn swap_bytes(line: &mut Vec<u8>, from: &[u8], to: &[u8]) {
    if let Some(at) = line.windows(from.len()).position(|part| part == from) {
        line.splice(at..at + from.len(), to.iter().copied());
    }
}

fn cut(line: &mut Vec<u8>, from: &str, to: &str) {
    let text = String::from_utf8_lossy(line).into_owned();
    if let Some(at) = text.find(from)
        && let Some(len) = text[at..].find(to)
    {
        line.drain(at..at + len + to.len());
    }
}

/// A transcript with two kinds of damage, one after the other.
fn damaged(n: u64, first: &Damage, second: &Damage) -> Vec<u8> {
    let text = body(&id(n), 1_777_622_400_000, 3, 0).replace(&id(n), &id(1)).replacen(&id(1), &id(n), 1);
    let mut lines: Vec<Vec<u8>> = text.split_inclusive('\n').map(Vec::from).collect();
    (first.1)(&mut lines);
    // The second needs lines to work on.
    if lines.len() > 4 {
        (second.1)(&mut lines);
    }
    lines.concat()
}

/// Findings about transcripts by file: id, how many, and the command that is named.
fn findings(checked: &Value) -> BTreeMap<String, Vec<(String, u64, Option<String>)>> {
    let mut files: BTreeMap<String, Vec<_>> = BTreeMap::new();
    let all = checked["findings"].as_array().unwrap();
    for finding in all.iter().filter(|f| f["group"] == "transcripts") {
        let text = |name: &str| finding[name].as_str().map(str::to_owned);
        let one = (text("id").unwrap(), finding["count"].as_u64().unwrap_or(1), text("command"));
        files.entry(text("path").unwrap()).or_default().push(one);
    }
    files
}

#[test]
fn every_repair_that_a_check_names_mends_what_it_is_named_for() {
    let world = World::new();
    let main = world.agent("main");
    let mut what = BTreeMap::new();
    let pairs =
        (0..DAMAGES.len()).flat_map(|a| [(a, 0), (a, (a * 7 + 3) % DAMAGES.len()), (a, (a * 11 + 20) % DAMAGES.len())]);
    for (n, (first, second)) in (1..).zip(pairs) {
        let file = format!("{}.jsonl", id(n));
        main.row(&format!("agent:main:x{n}"), n, DAY, json!({}));
        main.file(&file, damaged(n, &DAMAGES[first], &DAMAGES[second]), DAY);
        what.insert(main.path(&file).to_string_lossy().into_owned(), (DAMAGES[first].0, DAMAGES[second].0));
    }
    main.save();
    let before = findings(&world.line("sessions check --full --json").exits(4).json());
    let mut advised = 0;
    for (path, found) in &before {
        let commands: std::collections::BTreeSet<_> =
            found.iter().filter_map(|(_, _, command)| command.as_ref()).collect();
        let closely = world.run(["transcript", "check", path, "--json"]).ends().json();
        for (finding, _, command) in found {
            let same = closely["findings"].as_array().unwrap().iter().find(|f| f["id"] == finding.as_str()).unwrap();
            assert_eq!(
                same["command"].is_null(),
                command.is_none(),
                "{:?}: {finding}: both checks say the same",
                what[path]
            );
        }
        let was = std::fs::read(path).unwrap();
        for command in &commands {
            let _ = world.line(command.strip_prefix("clawkeep ").unwrap()).ends();
        }
        assert_eq!(std::fs::read(path).unwrap() != was, !commands.is_empty(), "{:?}: {commands:?}", what[path]);
        advised += commands.len();
    }
    assert!(advised > 60, "{advised} repairs were named");
    let after = findings(&world.line("sessions check --full --json").ends().json());
    for (path, found) in &before {
        let left = after.get(path).map_or(&[][..], Vec::as_slice);
        for (finding, count, _) in found.iter().filter(|(_, _, command)| command.is_some()) {
            let now = left.iter().find(|(id, ..)| id == finding).map_or(0, |(_, count, _)| *count);
            assert!(now < *count, "{:?}: {finding} was {count} and is {now}", what[path]);
        }
        assert!(left.iter().all(|(_, _, command)| command.is_none()), "{:?}: {left:?}", what[path]);
    }
}

#[cfg(target_os = "linux")]
mod permissions {
    use std::os::unix::fs::{PermissionsExt as _, chown};
    use std::os::unix::process::CommandExt as _;
    use std::path::Path;
    use std::process::Command;

    use super::*;
    use crate::common::{Folder, Output};

    const NOBODY: u32 = 65_534;

    fn torn() -> (World, Folder, String) {
        let world = World::new();
        let main = world.agent("main");
        let name = format!("{}.jsonl", id(1));
        let text = format!("{}{TORN}", body(&id(1), 1_777_622_400_000, 3, 0));
        main.row("agent:main:main", 1, DAY, json!({})).file(&name, text, DAY);
        main.session("agent:main:old", 2, 90 * DAY).save();
        (world, main, name)
    }

    /// Runs as another user if this one may do everything.
    fn as_nobody(world: &World, line: &str) -> Output {
        let mut command = world.command(line.split(' '));
        if rustix::process::geteuid().is_root() {
            command.uid(NOBODY).gid(NOBODY);
        }
        world.finish(command)
    }

    /// What a failure says, without the time.
    fn said(output: &Output) -> (Option<i32>, String) {
        let untimed = |line: &str| line.split_once("Z ").map_or(line, |(_, rest)| rest).to_owned();
        (output.code, output.stderr.lines().map(untimed).collect())
    }

    fn give(world: &World, to: u32) {
        for entry in walkdir::WalkDir::new(world.home()).into_iter().map(Result::unwrap) {
            chown(entry.path(), Some(to), Some(to)).unwrap();
        }
    }

    #[test]
    fn a_dry_run_refuses_a_transcript_of_somebody_else_as_the_run_does() {
        if !rustix::process::geteuid().is_root() {
            println!("skipped: needs root, to become another user");
            return;
        }
        let (world, main, name) = torn();
        give(&world, NOBODY);
        chown(main.path(&name), Some(1234), Some(1234)).unwrap();
        std::fs::set_permissions(main.path(&name), std::fs::Permissions::from_mode(0o644)).unwrap();
        let still = Tree::of(&world.state());
        let dry = as_nobody(&world, "transcript repair agent:main:main --dry-run").exits(1);
        let dry = dry.says("could not keep its owner 1234:1234; nothing was changed").says("--override owner-change");
        let run = as_nobody(&world, "transcript repair agent:main:main --yes");
        assert_eq!(said(&run), said(&dry), "{}", run.picture());
        still.is_still(&world.state());
        let _ = as_nobody(&world, "transcript repair agent:main:main --dry-run --override owner-change").exits(0);
        let _ = as_nobody(&world, "transcript repair agent:main:main --yes --override owner-change").exits(0);
        let _ = as_nobody(&world, "transcript check agent:main:main").exits(0);
    }

    /// In a user namespace of one user everybody else is the same stranger, to whom nothing can be given.
    #[test]
    fn root_of_a_user_namespace_is_refused_by_the_dry_run_too() {
        let alone = ["-U", "-r"];
        let possible = Command::new("unshare").args(alone).arg("true").status().is_ok_and(|status| status.success());
        if !rustix::process::geteuid().is_root() || !possible {
            println!("skipped: needs root and user namespaces");
            return;
        }
        let (world, main, name) = torn();
        chown(main.path(&name), Some(1234), Some(1234)).unwrap();
        std::fs::set_permissions(main.path(&name), std::fs::Permissions::from_mode(0o644)).unwrap();
        let still = Tree::of(&world.state());
        let inside = |more: &str| {
            let program = world.command([""; 0]).get_program().to_owned();
            let mut command = world.hermetic(Path::new("unshare"));
            command.args(alone).arg(program).args(["transcript", "repair", "agent:main:main", more]);
            world.finish(command)
        };
        let dry = inside("--dry-run").exits(1).says("could not keep its owner").says("nothing was changed");
        let run = inside("--yes");
        assert_eq!(said(&run), said(&dry), "{}", run.picture());
        still.is_still(&world.state());
    }

    #[test]
    fn a_dry_run_says_that_nothing_can_be_written_in_the_folder() {
        let (world, main, _) = torn();
        if rustix::process::geteuid().is_root() {
            give(&world, NOBODY);
        }
        std::fs::set_permissions(main.dir(), std::fs::Permissions::from_mode(0o555)).unwrap();
        let words = "nothing can be written in";
        let dry = as_nobody(&world, "transcript repair agent:main:main --dry-run").exits(1).says(words);
        let run = as_nobody(&world, "transcript repair agent:main:main --yes");
        assert_eq!(said(&run), said(&dry), "{}", run.picture());
        let planned = as_nobody(&world, "sessions cleanup --enforce --dry-run --json").exits(0);
        let planned = planned.says("the run would fail: nothing can be written in").json();
        assert_eq!(planned["warnings"].as_array().map(Vec::len), Some(1), "{planned}");
        let _ = as_nobody(&world, "sessions cleanup --enforce").exits(1);

        std::fs::set_permissions(main.dir(), std::fs::Permissions::from_mode(0o755)).unwrap();
        let index = std::fs::read_to_string(main.index()).unwrap();
        std::fs::write(main.index(), &index[..index.len() - 2]).unwrap();
        let _ = as_nobody(&world, "sessions repair --dry-run").hides(words);
        std::fs::set_permissions(main.dir(), std::fs::Permissions::from_mode(0o555)).unwrap();
        let _ = as_nobody(&world, "sessions repair --dry-run").says("the repair would fail: nothing can be written in");
        let _ = as_nobody(&world, "sessions repair --yes").exits(1);
        std::fs::set_permissions(main.dir(), std::fs::Permissions::from_mode(0o755)).unwrap();
    }
}
