//! The one numbered hook before every change to the disk.
//!
//! Crash safety is proved by failing or killing the program at each operation in turn, so every mutator of
//! [`super::mutate`] announces itself here first. A [`Faults`] value without configuration is a `None` and costs one
//! branch. The configuration comes from the environment snapshot of the context:
//!
//! - `CLAWKEEP_FAULT=7:ENOSPC` fails operation 7, `7+:EIO` that one and all later ones, `rename:EXDEV` every rename,
//!   `7:kill` kills the process, `7:crash` fails everything from 7 on without the chance to clean up (what a kill
//!   looks like from inside the same process, for unit tests);
//! - `CLAWKEEP_FAULT_LOG=path` appends one line per operation: number, kind, path, source, detail, with tabs between. The
//!   detail of a write is its offset (`end` for a file open for appending) and its bytes in hex, `17:0aff`; of a change of
//!   length or a reservation the new length. With it the whole run can be replayed on a model of a disk;
//! - `CLAWKEEP_PAUSE_AT=name:path` waits at the pause point `name` until `path` exists, having made `path.reached`.
//!
//! These variables are for tests and are not documented to users.

#![expect(clippy::disallowed_methods, reason = "its log and its pause file are for tests")]

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::context::Env;

/// Kinds of operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Op {
    /// Hard link.
    Link,
    /// Removal of a name.
    Unlink,
    /// Removal of an empty folder.
    Rmdir,
    /// Rename that never replaces.
    Rename,
    /// Rename that replaces.
    Replace,
    /// Atomic exchange of two names.
    Exchange,
    /// Creation of a file.
    Create,
    /// Creation of a folder.
    Mkdir,
    /// Write of bytes.
    Write,
    /// Reservation of space.
    Allocate,
    /// Change of length.
    Truncate,
    /// Mode, owner, times or extended attributes.
    Attributes,
    /// fsync of a file.
    SyncFile,
    /// fsync of a folder.
    SyncDir,
}

impl Op {
    /// The word used in `CLAWKEEP_FAULT` and in the log.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Link => "link",
            Self::Unlink => "unlink",
            Self::Rmdir => "rmdir",
            Self::Rename => "rename",
            Self::Replace => "replace",
            Self::Exchange => "exchange",
            Self::Create => "create",
            Self::Mkdir => "mkdir",
            Self::Write => "write",
            Self::Allocate => "allocate",
            Self::Truncate => "truncate",
            Self::Attributes => "attributes",
            Self::SyncFile => "sync-file",
            Self::SyncDir => "sync-dir",
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
enum At {
    Nth(u64),
    From(u64),
    Kind(String),
}

#[derive(Debug, PartialEq, Eq)]
enum What {
    Fail(String),
    Kill,
    Crash,
}

#[derive(Debug)]
struct Inner {
    count: AtomicU64,
    rule: Option<(At, What)>,
    log: Option<PathBuf>,
    pause: Option<(String, PathBuf)>,
}

/// Fault configuration of one run. Clones share the operation counter.
#[derive(Debug, Clone, Default)]
pub struct Faults(Option<Arc<Inner>>);

impl Faults {
    /// No faults.
    pub fn none() -> Self {
        Self(None)
    }

    /// What the environment asks for; a rule that does not parse is no rule.
    pub fn from_env(env: &Env) -> Self {
        let rule = env.text("CLAWKEEP_FAULT").and_then(parse_rule);
        let log = env.text("CLAWKEEP_FAULT_LOG").map(PathBuf::from);
        let pause = env.text("CLAWKEEP_PAUSE_AT").and_then(|t| t.split_once(':'));
        let pause = pause.map(|(name, path)| (name.to_owned(), PathBuf::from(path)));
        if rule.is_none() && log.is_none() && pause.is_none() {
            return Self::none();
        }
        Self(Some(Arc::new(Inner { count: AtomicU64::new(0), rule, log, pause })))
    }

    /// A rule in the syntax of `CLAWKEEP_FAULT`.
    pub fn of(rule: &str) -> Self {
        Self::from_env(&Env::of([("CLAWKEEP_FAULT", rule)]))
    }

    /// Operations announced so far.
    pub fn count(&self) -> u64 {
        self.0.as_ref().map_or(0, |i| i.count.load(Ordering::SeqCst))
    }

    /// Announces the next operation.
    ///
    /// # Errors
    /// The configured fault.
    pub fn op(&self, op: Op, path: &Path) -> io::Result<()> {
        match &self.0 {
            None => Ok(()),
            Some(inner) => inner.op(op, path, None, String::new),
        }
    }

    /// Announces an operation on the content of a file; `detail` is only made for the log.
    ///
    /// # Errors
    /// The configured fault.
    pub fn op_with(&self, op: Op, path: &Path, detail: impl FnOnce() -> String) -> io::Result<()> {
        match &self.0 {
            None => Ok(()),
            Some(inner) => inner.op(op, path, None, detail),
        }
    }

    /// Announces an operation that has a source beside the `path` it changes.
    ///
    /// # Errors
    /// The configured fault.
    pub fn op_from(&self, op: Op, from: impl FnOnce() -> PathBuf, path: impl FnOnce() -> PathBuf) -> io::Result<()> {
        match &self.0 {
            None => Ok(()),
            Some(inner) => inner.op(op, &path(), Some(&from()), String::new),
        }
    }

    /// A named point between operations at which interop tests stop the program.
    pub fn pause(&self, name: &str) {
        if let Some((at, path)) = self.0.as_ref().and_then(|i| i.pause.as_ref())
            && at == name
        {
            let mut reached = path.clone().into_os_string();
            reached.push(".reached");
            let _ = OpenOptions::new().create(true).append(true).open(&reached);
            while !path.exists() {
                std::thread::sleep(Duration::from_millis(5));
            }
        }
    }
}

impl Inner {
    fn op(&self, op: Op, path: &Path, from: Option<&Path>, detail: impl FnOnce() -> String) -> io::Result<()> {
        let n = self.count.fetch_add(1, Ordering::SeqCst) + 1;
        if let Some(log) = &self.log {
            let from = from.map_or_else(String::new, |f| f.display().to_string());
            let line = format!("{n}\t{}\t{}\t{from}\t{}\n", op.as_str(), path.display(), detail());
            OpenOptions::new().create(true).append(true).open(log)?.write_all(line.as_bytes())?;
        }
        let Some((at, what)) = &self.rule else { return Ok(()) };
        let hit = match (at, what) {
            (At::Nth(at), What::Crash) | (At::From(at), _) => n >= *at,
            (At::Nth(at), _) => n == *at,
            (At::Kind(kind), _) => kind == op.as_str(),
        };
        match what {
            _ if !hit => Ok(()),
            What::Fail(name) => Err(errno(name)),
            What::Crash => Err(io::Error::other("crashed here (test)")),
            What::Kill => kill(),
        }
    }
}

fn parse_rule(text: &str) -> Option<(At, What)> {
    let (at, what) = text.split_once(':')?;
    let at = if let Some(n) = at.strip_suffix('+') {
        At::From(n.parse().ok()?)
    } else if let Ok(n) = at.parse() {
        At::Nth(n)
    } else {
        At::Kind(at.to_owned())
    };
    let what = match what {
        "kill" => What::Kill,
        "crash" => What::Crash,
        name => What::Fail(name.to_owned()),
    };
    Some((at, what))
}

#[cfg(unix)]
fn errno(name: &str) -> io::Error {
    use rustix::io::Errno;
    match name {
        "ENOSPC" => Errno::NOSPC,
        "EDQUOT" => Errno::DQUOT,
        "EACCES" => Errno::ACCESS,
        "EPERM" => Errno::PERM,
        "EXDEV" => Errno::XDEV,
        "ENOENT" => Errno::NOENT,
        "EEXIST" => Errno::EXIST,
        "EINTR" => Errno::INTR,
        "ENOLCK" => Errno::NOLCK,
        "EINVAL" => Errno::INVAL,
        "EMLINK" => Errno::MLINK,
        "ENOTSUP" => Errno::NOTSUP,
        "EROFS" => Errno::ROFS,
        _ => Errno::IO,
    }
    .into()
}

#[cfg(not(unix))]
fn errno(name: &str) -> io::Error {
    match name {
        "ENOSPC" => io::ErrorKind::StorageFull,
        "EDQUOT" => io::ErrorKind::QuotaExceeded,
        "EACCES" | "EPERM" => io::ErrorKind::PermissionDenied,
        "EXDEV" => io::ErrorKind::CrossesDevices,
        "ENOENT" => io::ErrorKind::NotFound,
        "EEXIST" => io::ErrorKind::AlreadyExists,
        "EINTR" => io::ErrorKind::Interrupted,
        "EINVAL" => io::ErrorKind::InvalidInput,
        "ENOTSUP" => io::ErrorKind::Unsupported,
        _ => io::ErrorKind::Other,
    }
    .into()
}

/// The detail of a write: where (`None`: at the end) and what.
pub fn write_detail(offset: Option<u64>, bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    let mut out = offset.map_or_else(|| "end:".to_owned(), |at| format!("{at}:"));
    for byte in bytes {
        let _ = write!(out, "{byte:02x}");
    }
    out
}

/// Ends the process the hard way: no destructor, no buffer, no signal handler runs.
fn kill() -> io::Result<()> {
    #[cfg(unix)]
    rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL)?;
    std::process::abort()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(rule: &str, ops: u64) -> Vec<bool> {
        let faults = Faults::of(rule);
        (0..ops).map(|i| faults.op(if i == 1 { Op::Rename } else { Op::Link }, Path::new("x")).is_ok()).collect()
    }

    #[test]
    fn a_rule_hits_once_from_there_on_or_by_kind() {
        assert_eq!(run("2:EIO", 3), [true, false, true]);
        assert_eq!(run("2+:EIO", 3), [true, false, false]);
        assert_eq!(run("2:crash", 3), [true, false, false]);
        assert_eq!(run("rename:EXDEV", 3), [true, false, true]);
        assert_eq!(run("nonsense", 3), [true, true, true]);
    }

    #[test]
    fn the_error_is_the_one_asked_for() {
        let e = Faults::of("1:ENOSPC").op(Op::Create, Path::new("x")).unwrap_err();
        assert_eq!(e.kind(), io::ErrorKind::StorageFull);
        let e = Faults::of("1:EDQUOT").op(Op::Create, Path::new("x")).unwrap_err();
        assert_eq!(e.kind(), io::ErrorKind::QuotaExceeded);
    }
}
