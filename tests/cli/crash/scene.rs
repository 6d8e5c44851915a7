//! The state that faults are injected into, the commands, and the invariants.
//!
//! All cases of one command run in one world, whose state is put back byte for byte (names, modes, times, content) before
//! each of them: paths and times are the same in every case, so end states can be compared.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::common::{DAY, Folder, HOUR, Output, Tree, World, body, id, stamp};

/// A command under proof. To prove another one, add a line.
#[derive(Debug, Clone, Copy)]
pub struct Command {
    /// Name in messages.
    pub name: &'static str,
    /// Command lines that come before it (see [`World::line`]).
    pub before: &'static [&'static str],
    /// The command line.
    pub line: &'static str,
    /// Exit codes of an undisturbed run, and of a run that finds nothing left to do.
    pub codes: &'static [i32],
    /// The next run that writes, where the same command may find that it has nothing to write.
    pub closer: &'static str,
}

const CLEANUP: &str = "sessions cleanup --store {store} --enforce --json";

/// Swap, moves, stows, unlinks, packing.
pub const COMMANDS: &[Command] = &[
    Command {
        name: "cleanup",
        before: &[],
        line: "sessions cleanup --store {store} --enforce --json --archive-to archive",
        codes: &[0],
        closer: "",
    },
    // Restores.
    Command {
        name: "undo",
        before: &[CLEANUP],
        line: "sessions undo --store {store} --yes",
        // Nothing is left to undo.
        codes: &[0, 1, 3],
        closer: "",
    },
    Command {
        name: "disk free",
        before: &[CLEANUP],
        line: "disk free --need 100mb --yes --take-archives",
        codes: &[0, 4],
        closer: CLEANUP,
    },
    // No swap; removals that can be taken back for a moment.
    Command {
        name: "files only",
        before: &[],
        line: "sessions cleanup --store {store} --enforce --json --files-only",
        codes: &[0],
        closer: "",
    },
    // A swap, and a rewrite in a run of its own.
    Command { name: "cron prune", before: &[], line: "cron prune --enforce", codes: &[0], closer: "" },
    // A row, its transcript out of an archive, and the rest of its family.
    Command {
        name: "restore",
        before: &[CLEANUP],
        line: "sessions restore agent:main:telegram:direct:10 --store {store} --yes",
        // Live, since the interrupted run was finished.
        codes: &[0, 1, 3],
        closer: CLEANUP,
    },
    // A new row in the index, and leftovers that go.
    Command {
        name: "repair",
        before: &[],
        line: "sessions repair --store {store} --yes --adopt 00000017-0000-4000-8000-000000000017",
        codes: &[0, 3, 4],
        closer: CLEANUP,
    },
];

/// One world with everything in it.
pub struct Scene {
    /// The world.
    pub world: World,
    /// The command.
    pub command: Command,
    fresh: Tree,
    /// What must exist somewhere whatever happens, by a name for messages.
    precious: BTreeMap<String, Vec<u8>>,
    /// Value of every row ever seen in the index.
    rows: BTreeMap<String, String>,
    /// Keys of the index before the command.
    at_start: BTreeSet<String>,
    /// A power cut may keep the name of our temporary file and lose the run folder that tells of it: it then goes as
    /// every temporary file does, after a day.
    pub temp_may_stay: bool,
    /// The last fault was an error, not a kill.
    after_error: std::cell::Cell<bool>,
    /// The run with the last fault ended as partial: it closed itself and said what was not done.
    reported: std::cell::Cell<bool>,
    /// Final state of an undisturbed run.
    pub end: Picture,
    /// Operations of an undisturbed run.
    pub operations: u64,
}

/// How the next run ended after a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recovered {
    /// In the state of an undisturbed run.
    Whole,
    /// Closed with a reason for what is different.
    WithReason,
}

/// Names (stamps left out) and contents of everything but our own folders.
pub type Picture = BTreeSet<(String, Vec<u8>)>;

impl Scene {
    /// Builds the state and runs the command once undisturbed.
    pub fn new(command: Command) -> Self {
        let world = World::new();
        populate(&world);
        let _ = world.line("archive init archive").exits(0);
        let fresh = Tree::of(&world.home());
        let mut scene = Self {
            world,
            command,
            fresh,
            precious: BTreeMap::new(),
            rows: BTreeMap::new(),
            at_start: BTreeSet::new(),
            temp_may_stay: false,
            after_error: std::cell::Cell::new(false),
            reported: std::cell::Cell::new(false),
            end: Picture::new(),
            operations: 0,
        };
        scene.rows = scene.index_rows();
        let before = scene.contents();
        scene.reset();
        scene.at_start = scene.index_rows().into_keys().collect();
        scene.operations = scene.log_of(|vars| scene.run(vars)).lines().count() as u64;
        scene.end = scene.picture();
        // What an undisturbed run makes final may be gone; everything else must be somewhere.
        let after: BTreeSet<Vec<u8>> = scene.contents().into_values().collect();
        scene.precious = before.into_iter().filter(|(_, content)| after.contains(content)).collect();
        let transcripts = scene.precious.keys().filter(|name| name.contains(".jsonl")).count();
        assert!(transcripts >= 9, "only {transcripts} contents are watched: {:?}", scene.precious.keys());
        scene
    }

    /// The state before the command: the fresh one, and whatever has to run before.
    pub fn reset(&self) {
        restore(&self.world.home(), &self.fresh);
        for line in self.command.before {
            let _ = self.world.line(line).exits(0);
        }
    }

    /// Runs the command with more variables.
    pub fn run(&self, vars: &[(&str, &str)]) -> Output {
        let store = self.world.state().join("agents/main/sessions/sessions.json");
        let args = self.command.line.split_whitespace().map(|word| match word {
            "{store}" => store.clone().into_os_string(),
            word => word.into(),
        });
        let mut command = self.world.command(args);
        command.envs(vars.iter().copied());
        self.world.finish(command)
    }

    /// The log of the operations of a run that gets these variables.
    pub fn log_of(&self, run: impl FnOnce(&[(&str, &str)]) -> Output) -> String {
        let log = self.world.home().join("operations");
        let _ = run(&[("CLAWKEEP_FAULT_LOG", log.to_str().unwrap())]).ends();
        let text = std::fs::read_to_string(&log).unwrap_or_default();
        let _ = std::fs::remove_file(&log);
        text
    }

    /// Runs the command with this rule.
    pub fn run_with(&self, rule: &str) -> Output {
        let out = self.run(&[("CLAWKEEP_FAULT", rule)]);
        self.after_error.set(!rule.ends_with("kill"));
        self.reported.set(out.code == Some(3));
        out
    }

    /// What must hold after any fault, before and after it was recovered from.
    #[track_caller]
    pub fn holds(&self, context: &str) {
        let rows = self.index_rows();
        let ends: BTreeMap<String, String> = self.end_rows();
        for (key, value) in &rows {
            let known = self.rows.get(key).or_else(|| ends.get(key));
            assert_eq!(Some(value), known, "{context}: the row {key} changed");
            let session: Value = serde_json::from_str(value).unwrap();
            let name = format!("{}.jsonl", session["sessionId"].as_str().unwrap());
            let path = self.sessions().join(&name);
            let content = std::fs::read(&path).unwrap_or_else(|e| panic!("{context}: the row {key} has no file: {e}"));
            // A transcript of the fresh state, byte for byte.
            let fresh = &self.fresh.0[path.strip_prefix(self.world.home()).unwrap()].content;
            assert!(content == *fresh, "{context}: {name} changed");
        }
        for (key, value) in &self.rows {
            let stays = self.end.iter().any(|(name, content)| {
                name.ends_with("sessions/sessions.json") && memchr_find(content, value.as_bytes())
            });
            assert!(
                !stays || !self.at_start.contains(key) || rows.contains_key(key),
                "{context}: the row {key} is lost"
            );
        }
        let now: BTreeSet<Vec<u8>> = self.contents().into_values().collect();
        // After an error a run is over, and the next one may find a trajectory or checkpoint that no session needs.
        let by_rule =
            |name: &str| self.after_error.get() && (name.contains(".trajectory") || name.contains(".checkpoint."));
        for (name, content) in self.precious.iter().filter(|(name, _)| !by_rule(name)) {
            assert!(now.contains(content), "{context}: the content of {name} is lost");
        }
    }

    /// After a fault: the command is simply run again. Then the state is the undisturbed one, no run is open, and once
    /// more changes nothing.
    #[track_caller]
    pub fn recovers(&self, context: &str) -> Recovered {
        let mut again = self.run(&[]).ends();
        // A run that was killed before it had said what it is for is only taken back: nothing older is undone in its place.
        if again.stdout.contains("it had not changed anything") {
            again = self.run(&[]).ends();
        }
        if !self.command.closer.is_empty() && self.is_open() {
            let _ = self.world.line(self.command.closer).ends();
        }
        let said = || format!("{context}; the next run:\n{}", again.picture());
        self.holds(&said());
        self.is_closed(&said());
        let picture = self.picture();
        let with_a_reason = self.reported.get() || self.closed_with_a_reason();
        if picture != self.end && !with_a_reason {
            panic!("{}", difference(&said(), &picture, &self.end));
        }
        assert!(again.code.is_some_and(|c| self.command.codes.contains(&c)), "{}", said());
        let once_more = self.run(&[]).ends();
        let said = format!("{context}; twice:\n{}", once_more.picture());
        self.holds(&said);
        self.is_closed(&said);
        // What was given up by a recovery is the work of the next run.
        if picture == self.end {
            assert!(self.picture() == picture, "{}", difference(&said, &self.picture(), &picture));
            return Recovered::Whole;
        }
        Recovered::WithReason
    }

    /// Whether a recovery gave something up and said why.
    fn closed_with_a_reason(&self) -> bool {
        let abandoned = |run: &clawkeep::model::run::RunRecord| {
            let given_up = run.state == clawkeep::model::run::RunState::Abandoned;
            given_up && run.outcomes.iter().any(|o| o.why.is_some())
        };
        self.own_dirs().iter().any(|dir| clawkeep::journal::read::list(dir).unwrap().iter().any(abandoned))
    }

    #[track_caller]
    fn is_closed(&self, context: &str) {
        for dir in self.own_dirs() {
            let open = clawkeep::journal::read::unfinished(&dir).unwrap();
            // A run that needs nothing of that folder does not look into it.
            assert!(open.is_empty(), "{context}: open runs in {}: {open:?}", dir.display());
            let temp: Vec<_> = crate::common::names(&dir).into_iter().filter(|n| is_our_temp(n)).collect();
            // After an error it is reported, and goes as every temporary file does.
            assert!(
                self.temp_may_stay || self.after_error.get() || temp.is_empty(),
                "{context}: {temp:?} was left in {}",
                dir.display()
            );
        }
    }

    fn is_open(&self) -> bool {
        self.own_dirs().iter().any(|dir| !clawkeep::journal::read::unfinished(dir).unwrap().is_empty())
    }

    fn own_dirs(&self) -> [PathBuf; 2] {
        [self.sessions(), self.world.state()]
    }

    /// `agents/main/sessions`.
    pub fn sessions(&self) -> PathBuf {
        self.world.state().join("agents/main/sessions")
    }

    fn index_rows(&self) -> BTreeMap<String, String> {
        rows_of(&std::fs::read_to_string(self.sessions().join("sessions.json")).unwrap())
    }

    /// Rows after an undisturbed run: a repair makes new ones.
    fn end_rows(&self) -> BTreeMap<String, String> {
        let index = self.end.iter().find(|(name, _)| name == "agents/main/sessions/sessions.json");
        index.map(|(_, text)| rows_of(std::str::from_utf8(text).unwrap())).unwrap_or_default()
    }

    /// Everything below the state folder but `.clawkeep`, archive stamps left out.
    pub fn picture(&self) -> Picture {
        let state = self.world.state();
        let files = walkdir::WalkDir::new(&state).into_iter().filter_entry(|e| e.file_name() != ".clawkeep");
        let files = files
            .map(Result::unwrap)
            .filter(|e| e.file_type().is_file() && !is_our_temp(&e.file_name().to_string_lossy()));
        let name = |path: &Path| without_stamp(&path.strip_prefix(&state).unwrap().to_string_lossy());
        files.map(|e| (name(e.path()), std::fs::read(e.path()).unwrap())).collect()
    }

    /// Contents of all files anywhere below home by path, unpacked; our own records are left out, what they keep is not.
    fn contents(&self) -> BTreeMap<String, Vec<u8>> {
        let mut out = BTreeMap::new();
        for entry in walkdir::WalkDir::new(self.world.home()).into_iter().map(Result::unwrap) {
            let path = entry.path().strip_prefix(self.world.home()).unwrap().to_string_lossy().into_owned();
            let own =
                path.contains(".clawkeep/") && !path.contains("/files/") || path.contains("sessions/sessions.json");
            if !entry.file_type().is_file() || own {
                continue;
            }
            let bytes = std::fs::read(entry.path()).unwrap();
            let bytes = match path.ends_with(".zst") {
                true => zstd::decode_all(&bytes[..]).unwrap_or(bytes),
                false => bytes,
            };
            out.insert(path, bytes);
        }
        out
    }
}

fn rows_of(index: &str) -> BTreeMap<String, String> {
    let rows: BTreeMap<String, Box<serde_json::value::RawValue>> =
        serde_json::from_str(index).unwrap_or_else(|e| panic!("the index does not parse: {e}\n{index}"));
    rows.into_iter().map(|(key, value)| (key, value.get().to_owned())).collect()
}

fn is_our_temp(name: &str) -> bool {
    name.starts_with(".clawkeep-") && name.ends_with(".tmp")
}

fn memchr_find(haystack: &[u8], needle: &[u8]) -> bool {
    memchr::memmem::find(haystack, needle).is_some()
}

/// `x.jsonl.deleted.2026-05-01T08-00-00.123Z` becomes `x.jsonl.deleted.`.
fn without_stamp(name: &str) -> String {
    for reason in [".deleted.", ".reset."] {
        if let Some(at) = name.rfind(reason) {
            return name[..at + reason.len()].to_owned();
        }
    }
    name.to_owned()
}

/// The differences of two pictures as text.
pub fn difference(context: &str, got: &Picture, want: &Picture) -> String {
    let show = |set: &Picture, other: &Picture| -> Vec<String> {
        set.difference(other).map(|(name, content)| format!("{name} ({} bytes)", content.len())).collect()
    };
    format!("{context}\nonly here: {:#?}\nonly in the undisturbed end: {:#?}", show(got, want), show(want, got))
}

/// Puts a tree back.
pub fn restore(root: &Path, tree: &Tree) {
    for entry in std::fs::read_dir(root).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { std::fs::remove_dir_all(path).unwrap() } else { std::fs::remove_file(path).unwrap() }
    }
    for (path, entry) in tree.0.iter().filter(|(path, _)| !path.as_os_str().is_empty()) {
        let path = root.join(path);
        if entry.mode & 0o170_000 == 0o040_000 {
            std::fs::create_dir_all(&path).unwrap();
        } else {
            std::fs::write(&path, &entry.content).unwrap();
            set_mtime(&path, entry.mtime);
        }
        set_mode(&path, entry.mode);
    }
}

/// Sets the modification time in ns since the epoch.
pub fn set_mtime(path: &Path, ns: i128) {
    let time = std::time::UNIX_EPOCH + std::time::Duration::from_nanos(u64::try_from(ns).unwrap());
    std::fs::File::options().write(true).open(path).unwrap().set_modified(time).unwrap();
}

#[cfg(unix)]
fn set_mode(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode & 0o7777)).unwrap();
}

#[cfg(not(unix))]
fn set_mode(_path: &Path, _mode: u32) {}

/// Every kind of effect has something to do here.
fn populate(world: &World) {
    world.config(&json!({
        "session": {"maintenance": {"mode": "enforce", "pruneAfter": "30d"}},
        "cron": {"sessionRetention": "24h", "runLog": {"keepLines": 20, "maxBytes": "1mb"}},
    }));
    let main = world.agent("main");
    rows(&main);
    orphans(&main, world.now());
    let other = world.agent("other");
    other.session("agent:other:main", 70, DAY).save();
    let cron = world.folder(".openclaw/cron");
    cron.file("jobs.json", r#"{"version":1,"jobs":[{"id":"live","enabled":true}]}"#, DAY);
    let runs = world.folder(".openclaw/cron/runs");
    for job in ["live", "gone"] {
        let log: String = (0..100).map(|n| format!("{{\"ts\":{n},\"jobId\":\"{job}\"}}\n")).collect();
        runs.file(&format!("{job}.jsonl"), log, HOUR);
    }
}

fn rows(main: &Folder) {
    main.session("agent:main:main", 1, HOUR)
        .session("agent:main:telegram:group:-1", 2, 90 * DAY)
        .session("agent:main:telegram:direct:3", 3, 2 * DAY)
        .trajectory(3, 2 * DAY)
        // Stale, with everything that hangs on a session.
        .session("agent:main:telegram:direct:10", 10, 40 * DAY)
        .trajectory(10, 40 * DAY)
        .session("agent:main:telegram:direct:11", 11, 50 * DAY)
        .checkpoint(11, 911, 50 * DAY)
        .session("agent:main:telegram:direct:4", 4, 3 * DAY)
        // Runs of a cron job beyond their retention.
        .session("agent:main:cron:live:run:a", 12, 3 * DAY)
        .session("agent:main:cron:live:run:b", 13, HOUR)
        .save();
}

fn orphans(main: &Folder, now: i64) {
    // History, junk, nothing at all.
    main.transcript(20, 60 * DAY)
        .file(&format!("{}.jsonl", id(21)), body(&id(21), now - 60 * DAY, 0, 0), 60 * DAY)
        .file(&format!("{}.jsonl", id(22)), "", 60 * DAY)
        .transcript(23, 5 * DAY);
    // A last copy, and traces of nothing.
    main.checkpoint(24, 924, 60 * DAY).trajectory(25, 60 * DAY);
    main.archive(30, "deleted", 50 * DAY).archive(31, "reset", 50 * DAY).archive(32, "deleted", 5 * DAY);
    main.file("sessions.json.7.0f0e0d0c-0000-4000-8000-000000000001.tmp", "{", 3 * DAY);
    main.file(&format!("{}.jsonl.bak-7-{}", id(3), now - 50 * DAY), "old repair copy", 50 * DAY);
    main.file(&format!("notes-{}.txt", &stamp(now)[..4]), "not ours", 90 * DAY);
}
