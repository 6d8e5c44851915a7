//! Every change that is made to an archive folder, and the careful opens. Nothing here knows what is packed.

#![expect(clippy::disallowed_methods, reason = "changes of an archive folder, never of state")]

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

use crate::model::fingerprint::{Fingerprint, Kind};

/// Creates a folder for this user alone, unless it exists.
pub(super) fn make_dir(path: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    match builder.create(path) {
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => Ok(()),
        other => other,
    }
}

/// Options of a file that only this user may read: transcripts are private.
fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options
}

/// Creates a file that must not exist.
pub(super) fn create_new(path: &Path) -> io::Result<File> {
    private().write(true).create_new(true).open(path)
}

/// Writes and syncs a file that must not exist; leaves nothing behind on failure.
pub(super) fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = create_new(path)?;
    file.write_all(bytes).and_then(|()| file.sync_all()).inspect_err(|_| {
        let _ = remove(path);
    })
}

/// Opens a log for appending, creating it.
pub(super) fn open_log(path: &Path) -> io::Result<File> {
    let mut options = private();
    options.append(true).read(true).create(true);
    no_follow(&mut options);
    options.open(path)
}

/// Removes a file; one that is gone already is no error.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

/// Gives `from` the name `to`, which must be free ([`io::ErrorKind::AlreadyExists`] otherwise).
pub(super) fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        use rustix::io::Errno;
        match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
            Ok(()) => return Ok(()),
            // File systems without the flag (NFS, SMB, FUSE).
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {}
            Err(e) => return Err(e.into()),
        }
    }
    claim_and_rename(from, to)
}

/// The portable form: an exclusive create claims the name, the rename replaces our own claim.
fn claim_and_rename(from: &Path, to: &Path) -> io::Result<()> {
    drop(create_new(to)?);
    std::fs::rename(from, to).inspect_err(|_| {
        let _ = remove(to);
    })
}

/// Makes names in a folder durable.
pub(super) fn sync_dir(path: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(path)?.sync_all() } else { Ok(()) }
}

/// Asks the kernel to forget cached pages, so that a read comes from the device. Best effort.
pub(super) fn forget_cache(file: &File) {
    #[cfg(target_os = "linux")]
    {
        let _ = rustix::fs::fadvise(file, 0, None, rustix::fs::Advice::DontNeed);
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = file;
    }
}

/// Bytes that this user can still write on the volume; `None` if unknown.
pub(super) fn free_bytes(path: &Path) -> Option<u64> {
    #[cfg(unix)]
    {
        rustix::fs::statvfs(path).ok().map(|v| v.f_bavail.saturating_mul(v.f_frsize))
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        None
    }
}

fn no_follow(options: &mut OpenOptions) {
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC).bits().cast_signed());
    }
    #[cfg(not(unix))]
    {
        let _ = options;
    }
}

/// Opens a regular file for reading: no link is followed, a FIFO does not block.
pub(super) fn open_regular(path: &Path) -> io::Result<(File, Fingerprint)> {
    let mut options = OpenOptions::new();
    options.read(true);
    no_follow(&mut options);
    let file = options.open(path)?;
    let fp = fingerprint(&file)?;
    if fp.kind != Kind::File || path.symlink_metadata()?.file_type().is_symlink() {
        return Err(io::Error::other("not a regular file"));
    }
    Ok((file, fp))
}

/// Reads a small regular file whole.
pub(super) fn read_small(path: &Path, max: u64) -> io::Result<Vec<u8>> {
    let (file, _) = open_regular(path)?;
    let mut bytes = Vec::new();
    file.take(max + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max { Err(io::Error::other("unexpectedly large")) } else { Ok(bytes) }
}

/// State of an open file.
#[cfg(unix)]
pub(super) fn fingerprint(file: &File) -> io::Result<Fingerprint> {
    use std::os::unix::fs::MetadataExt;
    let meta = file.metadata()?;
    let ns = |seconds: i64, nanos: i64| seconds.saturating_mul(1_000_000_000).saturating_add(nanos);
    Ok(Fingerprint {
        dev: meta.dev(),
        ino: meta.ino(),
        size: meta.size(),
        mtime_ns: ns(meta.mtime(), meta.mtime_nsec()),
        ctime_ns: ns(meta.ctime(), meta.ctime_nsec()),
        blocks: meta.blocks(),
        nlink: u32::try_from(meta.nlink()).unwrap_or(u32::MAX),
        uid: meta.uid(),
        gid: meta.gid(),
        mode: meta.mode() & 0o7777,
        kind: kind(&meta),
    })
}

/// State of an open file.
#[cfg(not(unix))]
pub(super) fn fingerprint(file: &File) -> io::Result<Fingerprint> {
    let meta = file.metadata()?;
    let mtime = meta.modified()?.duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let mtime_ns = i64::try_from(mtime.as_nanos()).unwrap_or(i64::MAX);
    let size = meta.len();
    let kind = kind(&meta);
    Ok(Fingerprint {
        dev: 0,
        ino: 0,
        size,
        mtime_ns,
        ctime_ns: mtime_ns,
        blocks: size.div_ceil(512),
        nlink: 1,
        uid: 0,
        gid: 0,
        mode: 0,
        kind,
    })
}

fn kind(meta: &std::fs::Metadata) -> Kind {
    let t = meta.file_type();
    match (t.is_file(), t.is_dir(), t.is_symlink()) {
        (true, ..) => Kind::File,
        (_, true, _) => Kind::Dir,
        (.., true) => Kind::Symlink,
        _ => Kind::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_taken_name_stays_as_it_is() {
        let dir = tempfile::tempdir().unwrap();
        let (from, to) = (dir.path().join("from"), dir.path().join("to"));
        for rename in [rename_new, claim_and_rename] {
            std::fs::write(&from, "new").unwrap();
            std::fs::write(&to, "old").unwrap();
            assert_eq!(rename(&from, &to).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
            assert_eq!(std::fs::read(&to).unwrap(), b"old");
            std::fs::remove_file(&to).unwrap();
            rename(&from, &to).unwrap();
            assert_eq!(std::fs::read(&to).unwrap(), b"new");
            assert!(!from.exists());
            std::fs::remove_file(&to).unwrap();
        }
    }

    #[test]
    fn a_failed_claim_is_taken_back() {
        let dir = tempfile::tempdir().unwrap();
        let to = dir.path().join("to");
        assert!(claim_and_rename(&dir.path().join("absent"), &to).is_err());
        assert!(!to.exists());
    }
}
