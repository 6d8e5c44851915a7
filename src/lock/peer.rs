//! Lock files that the gateway leaves, and whether their owner lives (SAFETY 5).
//!
//! The rule is one-sided on purpose. A lock is **live** if the process lives and its start time is the recorded one, or
//! either start time is not known; no command line and no age overrules that. It is **dead** only with proof. What lies
//! between is **unknown** and counts as live: in a container, or beside other hosts, a process that we do not see may
//! be there.
//!
//! The transcript lock holds `{pid, createdAt, starttime}`; the gateway's own locks hold `startTime` and more
//! (spec/transcripts.md 2, spec/gateway.md 8). A file without a usable pid is being written, or is the form that the
//! gateway does not steal (no pid, touched each second): live while its modification time is fresh.
//!
//! [`judge`] is pure; [`state`] reads the file and the process table for it. Removing a dead lock is an effect like any
//! other: [`remove_dead`] gives what must still be true of the file.

use std::io;
use std::path::Path;

use serde_json::Value;

use crate::fsx::read as fsx;
use crate::model::fingerprint::Fingerprint;
use crate::model::probe::LockState;
use crate::model::{MINUTE, Ms, SECOND};
use crate::units::{duration, time};

use super::container::HostView;
use super::process::{self, Process};

/// How long a transcript lock without a usable pid is believed, by its modification time.
pub const NO_PID_GRACE: Ms = 5 * SECOND;
/// The same for the locks of a gateway process (spec/sqlite.md 4).
pub const NO_PID_GRACE_GATEWAY: Ms = 30 * SECOND;
/// How long a process that we cannot see is believed to live.
pub const FOREIGN_BELIEVED: Ms = 30 * MINUTE;
/// No lock file is larger than this.
const MAX_BYTES: usize = 64 * 1024;

/// What a lock file says. Everything is optional: a lock that is being written says nothing yet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LockRecord {
    /// Process id of the owner; only positive integers that a process can have.
    pub pid: Option<u32>,
    /// `createdAt`, epoch ms.
    pub created_at: Option<Ms>,
    /// `starttime` or `startTime`: clock ticks since boot.
    pub start_ticks: Option<u64>,
    /// `configPath` (locks of a gateway).
    pub config_path: Option<String>,
    /// `stateDir` (locks of a gateway, 2026.9).
    pub state_dir: Option<String>,
    /// `port` (locks of a gateway, 2026.9).
    pub port: Option<u16>,
    /// `role` (2026.9); absent means gateway.
    pub role: Option<String>,
    /// `hostname` or `host`: no gateway that we know writes it, but a pid of another host says nothing here.
    pub host: Option<String>,
}

impl LockRecord {
    /// Reads the content of a lock file. White space may follow the JSON value; anything that is not an object gives an
    /// empty record.
    pub fn parse(bytes: &[u8]) -> Self {
        let Ok(Value::Object(fields)) = serde_json::from_slice::<Value>(bytes) else { return Self::default() };
        let text = |name: &str| fields.get(name).and_then(Value::as_str).map(str::to_owned);
        let number = |name: &str| fields.get(name).and_then(whole_number);
        Self {
            pid: number("pid").filter(|p| *p > 0 && *p <= i32::MAX as u64).and_then(|p| u32::try_from(p).ok()),
            created_at: text("createdAt").and_then(|t| time::parse_iso(&t)),
            start_ticks: number("starttime").or_else(|| number("startTime")),
            config_path: text("configPath"),
            state_dir: text("stateDir"),
            port: number("port").and_then(|p| u16::try_from(p).ok()),
            role: text("role"),
            host: text("hostname").or_else(|| text("host")).filter(|host| !host.trim().is_empty()),
        }
    }
}

/// A number as JavaScript understands it: `12.0` is an integer.
fn whole_number(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| {
        let f = value.as_f64().filter(|f| f.fract() == 0.0 && (0.0..9_007_199_254_740_992.0).contains(f))?;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "range checked just before")]
        Some(f as u64)
    })
}

/// Everything beside the content that decides about a lock.
#[derive(Debug, Clone)]
pub struct PeerFacts<'a> {
    /// Modification time of the lock file, epoch ms.
    pub mtime: Ms,
    /// Now, epoch ms.
    pub now: Ms,
    /// The process that the lock names, as we see it.
    pub process: Process,
    /// A process of a pid namespace below ours has the recorded pid and start time.
    pub nested: bool,
    /// Why a process may live unseen, if it may.
    pub doubt: Option<&'a str>,
    /// Name of this host; `None` if it is not known.
    pub here: Option<&'a str>,
    /// Other hosts may write to the folder: even file times may be theirs.
    pub network_fs: bool,
    /// When the kernel booted.
    pub boot: Option<Ms>,
    /// How long a lock without a pid is believed.
    pub no_pid_grace: Ms,
}

impl PeerFacts<'_> {
    /// Age by modification time. A time in the future is age 0.
    fn age(&self) -> Ms {
        (self.now - self.mtime).max(0)
    }
}

/// Decides about one lock. Pure.
pub fn judge(record: &LockRecord, facts: &PeerFacts<'_>) -> LockState {
    // Whose process it is can be looked up on that host only.
    if let Some(host) = record.host.as_deref().filter(|host| !facts.here.is_some_and(|here| is_same_host(host, here))) {
        return LockState::Unknown { why: format!("was taken on the host {host}") };
    }
    let Some(pid) = record.pid else { return judge_without_pid(facts) };
    match facts.process {
        Process::Alive { start_ticks: Some(now) } => match record.start_ticks {
            Some(then) if then == now => LockState::Live { pid: Some(pid) },
            Some(_) => unless_unseen(pid, facts, format!("process {pid} is another one (start times differ)")),
            None if before_boot(record, facts) => {
                unless_unseen(pid, facts, "it is older than the last boot".to_owned())
            }
            None => LockState::Live { pid: Some(pid) },
        },
        Process::Alive { start_ticks: None } => LockState::Live { pid: Some(pid) },
        // Seen dead with the recorded identity: proof in every view.
        Process::Zombie { start_ticks: Some(now) } if record.start_ticks == Some(now) && !facts.network_fs => {
            dead(pid, format!("process {pid} has ended"))
        }
        Process::Zombie { .. } => unless_unseen(pid, facts, format!("process {pid} has ended")),
        Process::Gone => unless_unseen(pid, facts, format!("process {pid} does not exist")),
    }
}

/// With or without the domain.
fn is_same_host(a: &str, b: &str) -> bool {
    let bare = |name: &str| name.trim().split('.').next().unwrap_or_default().to_ascii_lowercase();
    bare(a) == bare(b)
}

/// A lock that names no process: fresh means that somebody is about to write it, or touches it.
fn judge_without_pid(facts: &PeerFacts<'_>) -> LockState {
    let age = facts.age();
    if age <= facts.no_pid_grace {
        return LockState::Live { pid: None };
    }
    // File times of another host cannot be compared with our clock to the second.
    if facts.network_fs && age < FOREIGN_BELIEVED {
        return LockState::Unknown {
            why: format!("names no process; {} old on a shared volume", duration::human(age)),
        };
    }
    LockState::Dead { pid: None, why: format!("names no process and is {} old", duration::human(age)) }
}

/// Dead for the given reason, unless the owner may be a process that we do not see.
fn unless_unseen(pid: u32, facts: &PeerFacts<'_>, why: String) -> LockState {
    if facts.nested {
        return LockState::Live { pid: Some(pid) };
    }
    match facts.doubt {
        Some(doubt) if facts.age() < FOREIGN_BELIEVED => LockState::Unknown {
            why: format!(
                "process {pid} may be out of sight ({doubt}); the lock is {} old",
                duration::human(facts.age())
            ),
        },
        _ => dead(pid, why),
    }
}

fn dead(pid: u32, why: String) -> LockState {
    LockState::Dead { pid: Some(pid), why }
}

/// Whether both times of the lock lie before the boot of the kernel.
fn before_boot(record: &LockRecord, facts: &PeerFacts<'_>) -> bool {
    // btime is computed from the uptime and moves by a second.
    facts.boot.is_some_and(|boot| {
        let boot = boot - 2 * SECOND;
        facts.mtime < boot && record.created_at.is_none_or(|at| at < boot)
    })
}

/// Whether the lock at `path` is held, now. Never follows a link, never waits.
///
/// A lock that is gone by now is dead; what cannot be read is unknown.
pub fn state(path: &Path, view: &HostView, now: Ms) -> LockState {
    look(path, view, now, NO_PID_GRACE).1
}

/// Reads a lock and decides about it; `no_pid_grace` in ms.
pub(super) fn look(path: &Path, view: &HostView, now: Ms, no_pid_grace: Ms) -> (LockRecord, LockState) {
    let (bytes, mtime) = match read(path) {
        Ok((bytes, fp)) => (bytes, fp.mtime_ms()),
        Err(e) if e.kind() == io::ErrorKind::NotFound => {
            return (LockRecord::default(), LockState::Dead { pid: None, why: "it was released".to_owned() });
        }
        Err(e) => return (LockRecord::default(), LockState::Unknown { why: format!("cannot be read: {e}") }),
    };
    let record = LockRecord::parse(&bytes);
    let process = record.pid.map_or(Process::Gone, process::look);
    let state = judge(
        &record,
        &PeerFacts {
            mtime,
            now,
            process,
            nested: nested(&record, process, view, mtime, now),
            doubt: view.doubt(),
            here: view.name.as_deref(),
            network_fs: view.network_fs,
            boot: view.boot,
            no_pid_grace,
        },
    );
    (record, state)
}

/// Looks for the owner in pid namespaces below ours, unless it was found in our own.
fn nested(record: &LockRecord, process: Process, view: &HostView, mtime: Ms, now: Ms) -> bool {
    let (Some(pid), Some(ticks)) = (record.pid, record.start_ticks) else { return false };
    if process == (Process::Alive { start_ticks: Some(ticks) }) {
        return false;
    }
    let mut table = view.nested.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    table.holds(pid, ticks, mtime, now)
}

/// A dead lock, for its removal: the unlink takes [`DeadLock::fp`], and [`DeadLock::is_still`] must hold right before it.
#[derive(Debug, Clone)]
pub struct DeadLock {
    /// State of the file.
    pub fp: Fingerprint,
    /// Its content.
    pub bytes: Vec<u8>,
}

impl DeadLock {
    /// The same file with the same content: nobody took the lock in between. Times are left out on purpose, inode and
    /// bytes are what the gateway itself compares.
    pub fn is_still(&self, now: &Self) -> bool {
        (self.fp.dev, self.fp.ino) == (now.fp.dev, now.fp.ino) && self.bytes == now.bytes
    }
}

/// Reads a lock for removal: `Some` only if it is dead *and* the file did not change while it was judged. Call it again
/// right before the unlink and compare.
///
/// # Errors
/// The lock cannot be read, or is gone.
pub fn remove_dead(path: &Path, view: &HostView, now: Ms) -> io::Result<Option<DeadLock>> {
    let before = identify(path)?;
    let dead = matches!(state(path, view, now), LockState::Dead { .. });
    let after = identify(path)?;
    Ok((dead && before.is_still(&after)).then_some(after))
}

fn identify(path: &Path) -> io::Result<DeadLock> {
    read(path).map(|(bytes, fp)| DeadLock { fp, bytes })
}

/// Content and state of a lock file.
fn read(path: &Path) -> io::Result<(Vec<u8>, Fingerprint)> {
    let head = fsx::read_head(path, MAX_BYTES)?;
    if head.whole { Ok((head.bytes, head.fp)) } else { Err(io::Error::other("larger than any lock file")) }
}

#[cfg(test)]
#[path = "peer_tests.rs"]
mod tests;
