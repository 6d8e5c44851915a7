//! Builders for a sessions folder: rows, transcripts, archives, checkpoints, trajectories, locks, with their ages.

use std::cell::RefCell;
use std::fmt::Write as _;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

/// Milliseconds.
pub const MINUTE: i64 = 60_000;
/// Milliseconds.
pub const HOUR: i64 = 60 * MINUTE;
/// Milliseconds.
pub const DAY: i64 = 24 * HOUR;

/// Session id number `n`: a version 4 uuid that begins with `n` in hexadecimal.
pub fn id(n: u64) -> String {
    format!("{n:08x}-0000-4000-8000-{n:012x}")
}

/// `2026-05-01T08:00:00.123Z`.
pub fn iso(ms: i64) -> String {
    clawkeep::units::time::iso(ms)
}

/// `2026-05-01T08-00-00.123Z`, as in names of archives.
pub fn stamp(ms: i64) -> String {
    clawkeep::units::time::stamp(ms)
}

/// A transcript: a header and `turns` pairs of question and answer, each question with `pad` more bytes.
pub fn body(session: &str, at: i64, turns: usize, pad: usize) -> String {
    let mut text = line(&json!({"type": "session", "version": 3, "id": session, "timestamp": iso(at), "cwd": "/work"}));
    let mut parent = Value::Null;
    for turn in 0..turns {
        for (role, words) in
            [("user", format!("question {turn} {}", "x".repeat(pad))), ("assistant", "fine".to_owned())]
        {
            let entry = format!("{:08x}", 2 * turn + usize::from(role == "assistant") + 1);
            text += &line(&json!({
                "type": "message", "id": entry, "parentId": parent, "timestamp": iso(at),
                "message": {"role": role, "content": [{"type": "text", "text": words}], "timestamp": at},
            }));
            parent = entry.into();
        }
    }
    text
}

fn line(value: &Value) -> String {
    let mut text = value.to_string();
    text.push('\n');
    text
}

/// A sessions folder under construction. Rows collect until [`Folder::save`] writes the index.
pub struct Folder {
    dir: PathBuf,
    now: i64,
    rows: RefCell<Vec<(String, Value)>>,
}

impl Folder {
    /// Makes the folder.
    pub fn create(dir: &Path, now: i64) -> Self {
        std::fs::create_dir_all(dir).unwrap();
        Self { dir: dir.to_owned(), now, rows: RefCell::default() }
    }

    /// The folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Path of an entry.
    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }

    /// Path of the index.
    pub fn index(&self) -> PathBuf {
        self.path("sessions.json")
    }

    /// A row whose session has id `n`, touched `age` ms ago, with its transcript of the same age.
    pub fn session(&self, key: &str, n: u64, age: i64) -> &Self {
        self.row(key, n, age, json!({})).transcript(n, age)
    }

    /// A row alone; `more` adds or replaces fields.
    pub fn row(&self, key: &str, n: u64, age: i64, more: Value) -> &Self {
        let mut row = json!({"sessionId": id(n), "updatedAt": self.now - age});
        for (name, value) in more.as_object().unwrap() {
            row[name] = value.clone();
        }
        self.raw_row(key, row)
    }

    /// A row of any shape.
    pub fn raw_row(&self, key: &str, value: Value) -> &Self {
        self.rows.borrow_mut().push((key.to_owned(), value));
        self
    }

    /// A transcript with one turn under its generated name.
    pub fn transcript(&self, n: u64, age: i64) -> &Self {
        self.file(&format!("{}.jsonl", id(n)), body(&id(n), self.now - age, 1, 0), age)
    }

    /// A transcript of about `bytes` bytes.
    pub fn fat_transcript(&self, n: u64, age: i64, bytes: usize) -> &Self {
        self.file(&format!("{}.jsonl", id(n)), body(&id(n), self.now - age, 1, bytes), age)
    }

    /// An archive `<id n>.jsonl.<reason>.<stamp>` made `age` ms ago.
    pub fn archive(&self, n: u64, reason: &str, age: i64) -> &Self {
        let name = format!("{}.jsonl.{reason}.{}", id(n), stamp(self.now - age));
        self.file(&name, body(&id(n), self.now - age, 1, 0), age)
    }

    /// A checkpoint number `checkpoint` of session `n`.
    pub fn checkpoint(&self, n: u64, checkpoint: u64, age: i64) -> &Self {
        let name = format!("{}.checkpoint.{}.jsonl", id(n), id(checkpoint));
        self.file(&name, body(&id(n), self.now - age, 1, 0), age)
    }

    /// A trajectory and its pointer.
    pub fn trajectory(&self, n: u64, age: i64) -> &Self {
        let runtime = format!("{}.trajectory.jsonl", id(n));
        let pointer = json!({
            "traceSchema": "openclaw-trajectory-pointer", "schemaVersion": 1, "sessionId": id(n),
            "runtimeFile": self.path(&runtime),
        });
        let first =
            json!({"traceSchema": "openclaw-trajectory", "schemaVersion": 1, "source": "runtime", "sessionId": id(n)});
        self.file(&runtime, line(&first), age).file(&format!("{}.trajectory-path.json", id(n)), line(&pointer), age)
    }

    /// The gateway's lock of the transcript of session `n`, taken `age` ms ago by `pid`.
    pub fn lock(&self, n: u64, pid: u32, age: i64) -> &Self {
        let mut lock = json!({"pid": pid, "createdAt": iso(self.now - age)});
        if let Some(ticks) = start_ticks(pid) {
            lock["starttime"] = ticks.into();
        }
        self.file(&format!("{}.jsonl.lock", id(n)), lock.to_string(), age)
    }

    /// Any file, last modified `age` ms ago.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>, age: i64) -> &Self {
        let path = self.path(name);
        std::fs::write(&path, content).unwrap();
        set_age(&path, self.now - age);
        self
    }

    /// Writes the index: two-space indent, no final newline, as the gateway does.
    pub fn save(&self) -> &Self {
        let mut text = String::from("{");
        for (position, (key, value)) in self.rows.borrow().iter().enumerate() {
            let value = serde_json::to_string_pretty(value).unwrap().replace('\n', "\n  ");
            let comma = if position == 0 { "" } else { "," };
            write!(text, "{comma}\n  {}: {value}", Value::from(key.as_str())).unwrap();
        }
        text.push_str(if text.len() > 1 { "\n}" } else { "}" });
        self.file("sessions.json", text, 0)
    }

    /// Keys of the index as it is now, in order.
    pub fn keys(&self) -> Vec<String> {
        let text = std::fs::read_to_string(self.index()).unwrap();
        let root: Value = serde_json::from_str(&text).unwrap();
        root.as_object().unwrap().keys().cloned().collect()
    }

    /// Whether the entry is there.
    pub fn has(&self, name: &str) -> bool {
        std::fs::symlink_metadata(self.path(name)).is_ok()
    }

    /// Whether the transcript of session `n` is under its live name.
    pub fn is_live(&self, n: u64) -> bool {
        self.has(&format!("{}.jsonl", id(n)))
    }

    /// Names of entries that begin with the id of session `n` and then with `tail`.
    pub fn of_session(&self, n: u64, tail: &str) -> Vec<String> {
        let head = format!("{}{tail}", id(n));
        super::names(&self.dir).into_iter().filter(|name| name.starts_with(&head)).collect()
    }

    /// Whether session `n` has exactly one `.deleted` archive.
    pub fn is_archived(&self, n: u64) -> bool {
        self.of_session(n, ".jsonl.deleted.").len() == 1
    }
}

/// Sets the modification time.
pub fn set_age(path: &Path, at: i64) {
    let time: SystemTime = UNIX_EPOCH + Duration::from_millis(u64::try_from(at).unwrap());
    let file = File::open(path).unwrap();
    file.set_modified(time).unwrap();
}

/// Field 22 of `/proc/<pid>/stat`: when the process started.
fn start_ticks(pid: u32) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit_once(')')?.1.split_whitespace().nth(19)?.parse().ok()
}
