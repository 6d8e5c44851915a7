//! Our run lock: one mutating run of this program per artefact folder.
//!
//! On Unix the folder itself is locked (`flock`): that works on a full disk, creates nothing and cannot be deleted under
//! us. `.clawkeep/lock` only says who holds it. Where a folder cannot be locked (NFS, Windows) that file is locked
//! instead. The gateway knows neither lock; see `lock::peer` and `lock::owner` for what keeps us apart from it.
//!
//! Several folders are locked in (dev, ino) order, so that two runs cannot wait for each other.

use std::fs::{File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::context::{Context, Level};
use crate::error::{Error, Kind, Result};
use crate::fsx::mutate::{Dir, NewFile};
use crate::journal::layout::{LOCK, OwnDir};
use crate::model::Ms;
use crate::units::time::iso;

/// Pause between two attempts.
const RETRY: Duration = Duration::from_millis(100);

/// Who holds a lock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Holder {
    /// Process id.
    pub pid: u32,
    /// What it runs.
    pub command: String,
    /// Since when, ISO 8601.
    pub since: String,
}

/// The lock on one folder. Released when dropped.
#[derive(Debug)]
pub struct RunLock {
    folder: PathBuf,
    dir: Dir,
    id: (u64, u64),
    info: Option<NewFile>,
}

/// One attempt.
enum Attempt {
    Got(RunLock),
    Busy(Option<Holder>),
}

impl RunLock {
    /// Takes the lock on `folder`, waiting as long as the context allows. `command` tells others what we do.
    ///
    /// # Errors
    /// [`Kind::Busy`] if another run holds it; [`Kind::Failed`] if there is no lock service or the folder is unusable.
    pub fn acquire(ctx: &Context, folder: &Path, command: &str) -> Result<Self> {
        let real = folder.canonicalize().map_err(|e| Error::io("open", folder, e))?;
        let deadline = ctx.wait.map(|w| ctx.now() + w);
        let mut told = false;
        loop {
            let holder = match Self::attempt(ctx, &real, command)? {
                Attempt::Got(lock) => return Ok(lock),
                Attempt::Busy(holder) => holder,
            };
            if let Some(code) = ctx.cancel.get() {
                return Err(Error::new(
                    Kind::Interrupted,
                    format!("interrupted (exit {code}) while waiting for a lock"),
                ));
            }
            if deadline.is_none_or(|d: Ms| ctx.now() >= d) {
                return Err(busy(&real, holder.as_ref()));
            }
            if !told {
                ctx.log(Level::Info, &format!("waiting: {}", busy(&real, holder.as_ref()).message));
                told = true;
            }
            std::thread::sleep(RETRY);
        }
    }

    /// Takes the locks of several folders in an order that all runs share. Folders named twice are locked once.
    ///
    /// # Errors
    /// As [`RunLock::acquire`]; on failure none is held.
    pub fn acquire_all(ctx: &Context, folders: &[PathBuf], command: &str) -> Result<Vec<Self>> {
        let mut ordered = Vec::new();
        for folder in folders {
            let real = folder.canonicalize().map_err(|e| Error::io("open", folder, e))?;
            let dir = Dir::open(&real, &ctx.faults).map_err(|e| Error::io("open", folder, e))?;
            let fp = dir.stat_self().map_err(|e| Error::io("open", folder, e))?;
            ordered.push(((fp.dev, fp.ino), real));
        }
        ordered.sort();
        ordered.dedup();
        ordered.iter().map(|(_, folder)| Self::acquire(ctx, folder, command)).collect()
    }

    /// Canonical path of the locked folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether this lock is the one on `folder`, whatever path leads there.
    pub fn covers(&self, folder: &Path) -> bool {
        let same = |real: PathBuf| {
            real == self.folder
                || (self.id != (0, 0)
                    && Dir::open(&real, self.dir.faults())
                        .and_then(|d| d.stat_self())
                        .is_ok_and(|fp| (fp.dev, fp.ino) == self.id))
        };
        folder.canonicalize().is_ok_and(same)
    }

    fn attempt(ctx: &Context, real: &Path, command: &str) -> Result<Attempt> {
        let dir = Dir::open(real, &ctx.faults).map_err(|e| Error::io("lock", real, e))?;
        let fp = dir.stat_self().map_err(|e| Error::io("lock", real, e))?;
        let mut lock = Self { folder: real.to_owned(), dir, id: (fp.dev, fp.ino), info: None };
        match lock.dir.try_lock() {
            Ok(true) => {
                // Only a courtesy to others: on a full disk it may fail.
                lock.info = info_file(ctx, real).ok();
            }
            Ok(false) => return Ok(Attempt::Busy(holder(ctx, real))),
            Err(e) if e.kind() == io::ErrorKind::Unsupported => {
                let info = info_file(ctx, real).map_err(|e| no_service(real, &e))?;
                match File::try_lock(info.file()) {
                    Ok(()) => lock.info = Some(info),
                    Err(TryLockError::WouldBlock) => return Ok(Attempt::Busy(holder(ctx, real))),
                    Err(TryLockError::Error(e)) => return Err(no_service(real, &e)),
                }
            }
            Err(e) => return Err(no_service(real, &e)),
        }
        lock.announce(ctx, command);
        Ok(Attempt::Got(lock))
    }

    fn announce(&mut self, ctx: &Context, command: &str) {
        let holder = Holder { pid: std::process::id(), command: command.to_owned(), since: iso(ctx.now()) };
        let (Some(info), Ok(mut text)) = (self.info.as_mut(), serde_json::to_vec(&holder)) else { return };
        text.push(b'\n');
        // The old text is overwritten before it is cut, which needs no new block.
        let _ = info.write_all(&text).and_then(|()| info.truncate(text.len() as u64));
    }
}

impl Drop for RunLock {
    fn drop(&mut self) {
        if let Some(info) = &self.info {
            let _ = info.truncate(0);
        }
    }
}

/// Who holds the lock of `folder`, as far as that was written down.
pub fn holder(ctx: &Context, folder: &Path) -> Option<Holder> {
    let own = OwnDir::open(folder, &ctx.faults).ok()??;
    serde_json::from_slice(&own.dir().read(LOCK).ok()?).ok()
}

fn info_file(ctx: &Context, real: &Path) -> io::Result<NewFile> {
    let own = OwnDir::create(real, &ctx.faults)?;
    match own.dir().open_write(LOCK, false) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => match own.dir().create(LOCK, own.file_mode()) {
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => own.dir().open_write(LOCK, false),
            other => other,
        },
        other => other,
    }
}

fn busy(folder: &Path, holder: Option<&Holder>) -> Error {
    let who = match holder {
        Some(h) => format!("`{}` (pid {}, since {})", h.command, h.pid, h.since),
        None => "another run".to_owned(),
    };
    Error::new(Kind::Busy, format!("{} is locked by {who}", folder.display())).hint("--wait 60s")
}

/// Folders cannot be locked here (NFS without a lock service).
#[derive(Debug)]
struct NoService(io::ErrorKind);

impl std::fmt::Display for NoService {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "there is no lock service ({})", self.0)
    }
}

impl std::error::Error for NoService {}

fn no_service(folder: &Path, e: &io::Error) -> Error {
    let mut error = Error::failed(format!("cannot lock {}: {e}", folder.display()))
        .hint("--files-only leaves the index alone and works without a lock");
    error.source = Some(Box::new(NoService(e.kind())));
    error
}

/// Whether a lock could not be had because there are none here, and not because somebody holds it.
pub fn is_no_service(error: &Error) -> bool {
    error.source.as_ref().is_some_and(|source| source.is::<NoService>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fsx::fault::Faults;

    fn ctx(path: &Path) -> Context {
        Context::for_tests(1_777_622_400_000, path)
    }

    #[test]
    fn a_second_run_is_kept_out_and_told_who_is_there() {
        let temp = tempfile::tempdir().unwrap();
        let ctx = ctx(temp.path());
        let first = RunLock::acquire(&ctx, temp.path(), "sessions cleanup").unwrap();
        let error = RunLock::acquire(&ctx, temp.path(), "sessions undo").unwrap_err();
        assert_eq!(error.kind, Kind::Busy);
        assert!(error.message.contains("`sessions cleanup` (pid "), "{error}");
        assert_eq!(error.hints, ["--wait 60s"]);
        drop(first);
        RunLock::acquire(&ctx, temp.path(), "sessions undo").unwrap();
        assert_eq!(holder(&ctx, temp.path()), None);
    }

    #[test]
    fn a_long_name_of_an_earlier_holder_does_not_shine_through() {
        let temp = tempfile::tempdir().unwrap();
        let ctx = ctx(temp.path());
        std::fs::create_dir(temp.path().join(".clawkeep")).unwrap();
        std::fs::write(temp.path().join(".clawkeep/lock"), "x".repeat(500)).unwrap();
        let _lock = RunLock::acquire(&ctx, temp.path(), "a").unwrap();
        assert_eq!(holder(&ctx, temp.path()).unwrap().command, "a");
    }

    #[test]
    fn a_folder_named_twice_is_locked_once() {
        let temp = tempfile::tempdir().unwrap();
        std::fs::create_dir(temp.path().join("b")).unwrap();
        let ctx = ctx(temp.path());
        let folders = [temp.path().to_owned(), temp.path().join("b"), temp.path().join("b/..")];
        let locks = RunLock::acquire_all(&ctx, &folders, "x").unwrap();
        assert_eq!(locks.len(), 2);
        assert!(locks.iter().any(|l| l.covers(&temp.path().join("b"))));
    }

    #[cfg(unix)]
    #[test]
    fn it_can_be_had_where_nothing_can_be_written() {
        let temp = tempfile::tempdir().unwrap();
        let mut ctx = ctx(temp.path());
        ctx.faults = Faults::of("1+:ENOSPC");
        let first = RunLock::acquire(&ctx, temp.path(), "a").unwrap();
        assert!(!temp.path().join(".clawkeep").exists());
        assert_eq!(RunLock::acquire(&ctx, temp.path(), "b").unwrap_err().kind, Kind::Busy);
        drop(first);
    }
}
