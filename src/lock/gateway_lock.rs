//! Lock files of gateway processes, of both generations.
//!
//! | generation | file | content |
//! |---|---|---|
//! | 2026.5 | `<temp>/openclaw-<uid>/gateway.<h>.lock`, h of the config path | `pid`, `startTime`, `configPath` |
//! | 2026.9 | `<state>/tmp/openclaw-<uid>/gateway.state.lock`, `gateway.<h>.lock` | also `stateDir`, `port`, `role` |
//! | 2026.9 | `/tmp/openclaw-state-locks-<uid>/gateway-lifecycle.<h>.lock.sqlite` and `<lock>.sqlite` | none: an OS lock |
//!
//! `h` is the first 8 hex digits of a SHA-256. The user id may be ours or that of the owner of the state: root often
//! maintains the state of a service user. The SQLite files stay behind and mean nothing by being there; the lock on
//! their bytes, which the kernel drops when the owner ends, is what counts.
//!
//! A copied state folder carries the lock file of the original. If it provably names another state it is marked
//! `foreign` and says nothing about the copy.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::context::Env;
use crate::fsx::read as fsx;
use crate::model::Ms;
use crate::model::owner::GatewayLock;
use crate::model::stores::Roots;
use crate::order::Order as _;

use super::container::HostView;
use super::peer::{self, LockRecord, NO_PID_GRACE_GATEWAY};
use super::process::{self, Process};

/// Generation with locks in the temp folder.
pub const IN_TEMP: &str = "2026.5";
/// Generation with locks in the state folder.
pub const IN_STATE: &str = "2026.9";

/// Every lock file that exists for one of `states` (the state folder of the run, and that of the store at hand), and
/// every SQLite coordinator that is held or cannot be told. Sorted by path.
pub fn find(env: &Env, roots: &Roots, states: &[PathBuf], view: &HostView, now: Ms) -> Vec<GatewayLock> {
    let uids = user_ids(states);
    let temps = temp_dirs(env);
    let hashes = config_hashes(&roots.config_path);
    let mut found = Vec::new();
    for temp in &temps {
        for folder in uids.iter().map(|uid| temp.join(owned_name("openclaw", *uid))) {
            for path in hashes.iter().map(|h| folder.join(format!("gateway.{h}.lock"))) {
                found.extend(lock_file(&path, IN_TEMP, None, view, now));
            }
        }
    }
    for state in states {
        for folder in uids.iter().map(|uid| state.join("tmp").join(owned_name("openclaw", *uid))) {
            let names = hashes.iter().map(|h| format!("gateway.{h}.lock"));
            for name in names.chain(["gateway.state.lock".to_owned()]) {
                found.extend(lock_file(&folder.join(&name), IN_STATE, Some(state), view, now));
                found.extend(coordinator(&folder.join(format!("{name}.sqlite"))));
            }
        }
        for folder in temps.iter().flat_map(|t| uids.iter().map(|u| t.join(owned_name("openclaw-state-locks", *u)))) {
            for hash in database_hashes(state) {
                found.extend(coordinator(&folder.join(format!("gateway-lifecycle.{hash}.lock.sqlite"))));
            }
        }
    }
    found.order_by(|a, b| a.path.cmp(&b.path));
    found.dedup_by(|a, b| a.path == b.path);
    found
}

/// Newest write of a 2026.9 gateway to its control database, epoch ms: a running one renews a lease there every 30 s.
pub fn newest_heartbeat(states: &[PathBuf]) -> Option<Ms> {
    let files = states.iter().flat_map(|s| ["openclaw.sqlite", "openclaw.sqlite-wal"].map(|n| s.join("state").join(n)));
    files.filter_map(|path| fsx::lstat(&path).ok()).map(|fp| fp.mtime_ms()).max()
}

/// One JSON lock file, if it exists.
fn lock_file(
    path: &Path,
    generation: &'static str,
    state: Option<&Path>,
    view: &HostView,
    now: Ms,
) -> Option<GatewayLock> {
    if !exists(path) {
        return None;
    }
    let (record, lock) = peer::look(path, view, now, NO_PID_GRACE_GATEWAY);
    let foreign = state.is_some_and(|state| names_another_state(&record, state, view));
    Some(GatewayLock { path: path.to_owned(), generation, pid: record.pid, state: lock, port: record.port, foreign })
}

/// Whether the file is there, or may be: a folder that we may not search hides it.
fn exists(path: &Path) -> bool {
    match path.symlink_metadata() {
        Ok(_) => true,
        Err(e) => !matches!(e.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory),
    }
}

/// Proof that the owner of a lock serves another state: the process is in our own pid namespace with the recorded start
/// time, so its paths are ours too, and the state folder that it recorded exists and is another one.
fn names_another_state(record: &LockRecord, state: &Path, view: &HostView) -> bool {
    let (Some(pid), Some(ticks), Some(recorded)) = (record.pid, record.start_ticks, &record.state_dir) else {
        return false;
    };
    view.container.is_none()
        && process::look(pid) == Process::Alive { start_ticks: Some(ticks) }
        && different_folders(Path::new(recorded), state)
}

#[cfg(unix)]
fn different_folders(a: &Path, b: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (a.metadata(), b.metadata()) {
        (Ok(a), Ok(b)) => a.is_dir() && (a.dev(), a.ino()) != (b.dev(), b.ino()),
        _ => false,
    }
}

#[cfg(not(unix))]
fn different_folders(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a != b)
}

/// A SQLite coordinator: `None` unless somebody holds it, or it cannot be told.
#[cfg(unix)]
fn coordinator(path: &Path) -> Option<GatewayLock> {
    use crate::model::probe::LockState;
    if !exists(path) {
        return None;
    }
    let (pid, state) = match coordinator_holder(path) {
        Ok(None) => return None,
        Ok(Some(pid)) => (pid, LockState::Live { pid }),
        Err(e) => (None, LockState::Unknown { why: format!("cannot be tested: {e}") }),
    };
    Some(GatewayLock { path: path.to_owned(), generation: IN_STATE, pid, state, port: None, foreign: false })
}

#[cfg(not(unix))]
fn coordinator(_path: &Path) -> Option<GatewayLock> {
    None
}

/// Who holds an exclusive SQLite lock: outer `None` nobody, inner `None` a process that we do not see.
///
/// Asks the kernel (`F_GETLK`) about the byte range that SQLite locks (0x40000000, 512 bytes); nothing is locked or
/// written. This process never opens a database itself, so closing the file drops no lock of ours.
#[cfg(unix)]
fn coordinator_holder(path: &Path) -> std::io::Result<Option<Option<u32>>> {
    use rustix::process::{Flock, FlockOffsetType, FlockType};
    const PENDING_BYTE: u64 = 0x4000_0000;
    const RANGE: u64 = 512;
    let (file, _) = match fsx::open_regular(path) {
        Ok(opened) => opened,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(e),
    };
    let wanted = Flock {
        start: PENDING_BYTE,
        length: RANGE,
        pid: None,
        typ: FlockType::WriteLock,
        offset_type: FlockOffsetType::Set,
    };
    let held = rustix::process::fcntl_getlk(&file, &wanted)?;
    Ok(held.map(|lock| lock.pid.and_then(|p| u32::try_from(p.as_raw_nonzero().get()).ok())))
}

/// Temp folders of a gateway that was started from this environment, and the usual one.
fn temp_dirs(env: &Env) -> BTreeSet<PathBuf> {
    let named = ["TMPDIR", "TMP", "TEMP"].into_iter().filter_map(|n| env.raw(n)).map(PathBuf::from);
    let usual = cfg!(unix).then(|| PathBuf::from("/tmp"));
    named.filter(|p| p.is_absolute()).chain(usual).collect()
}

/// Name of a per-user folder; without the notion of a user id there is no suffix.
fn owned_name(base: &str, uid: Option<u32>) -> String {
    uid.map_or_else(|| base.to_owned(), |uid| format!("{base}-{uid}"))
}

/// User ids under which a gateway of these states may run: ours, and the owners of the folders.
#[cfg(unix)]
fn user_ids(states: &[PathBuf]) -> BTreeSet<Option<u32>> {
    use std::os::unix::fs::MetadataExt;
    let owners = states.iter().filter_map(|s| s.metadata().ok()).map(|m| m.uid());
    std::iter::once(rustix::process::getuid().as_raw()).chain(owners).map(Some).collect()
}

#[cfg(not(unix))]
fn user_ids(_states: &[PathBuf]) -> BTreeSet<Option<u32>> {
    std::iter::once(None).collect()
}

/// Hashes of the configuration path as given and with links resolved.
fn config_hashes(config: &Path) -> BTreeSet<String> {
    let real = config.canonicalize().ok();
    std::iter::once(config.to_owned()).chain(real).map(|p| short_hash(&p)).collect()
}

/// Hashes of the control database of a state folder, whose file need not exist.
fn database_hashes(state: &Path) -> BTreeSet<String> {
    let real = state.canonicalize().ok();
    std::iter::once(state.to_owned())
        .chain(real)
        .map(|s| short_hash(&s.join("state").join("openclaw.sqlite")))
        .collect()
}

/// First 8 hex digits of the SHA-256 of a path.
fn short_hash(path: &Path) -> String {
    let digest = Sha256::digest(path.as_os_str().as_encoded_bytes());
    digest.iter().take(4).map(|b| format!("{b:02x}")).collect()
}

#[cfg(test)]
#[path = "gateway_lock_tests.rs"]
mod tests;
