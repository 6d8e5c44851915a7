//! Every change that is made to an archive folder. Nothing here knows what is packed.
//!
//! An archive is neither state nor cache: it lies outside the state, and what is in it is not made again. So nothing is
//! ever replaced here, every file is private to its user, and what was written can be made durable.

#![expect(clippy::disallowed_methods, reason = "changes of an archive folder, never of state")]

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use crate::error::Result;

/// Refuses a folder that is a sessions folder or lies in one: a cleanup of its own would count and take the copies.
///
/// # Errors
/// Such a folder, or one that cannot be resolved.
pub fn refuse_live(folder: &Path) -> Result<()> {
    super::refuse_sessions_folder(folder)
}

/// Creates a folder for this user alone, unless it exists.
#[cfg_attr(not(unix), expect(unused_mut, reason = "there is no mode to set"))]
pub fn make_dir(path: &Path) -> io::Result<()> {
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
#[cfg_attr(not(unix), expect(unused_mut, reason = "there is no mode to set"))]
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
pub fn create_new(path: &Path) -> io::Result<File> {
    private().write(true).create_new(true).open(path)
}

/// Writes and syncs a file that must not exist; leaves nothing behind on failure.
pub fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = create_new(path)?;
    file.write_all(bytes).and_then(|()| file.sync_all()).inspect_err(|_| {
        let _ = remove(path);
    })
}

/// Opens a log for appending, creating it.
pub fn open_log(path: &Path) -> io::Result<File> {
    let mut options = private();
    options.append(true).read(true).create(true);
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC).bits().cast_signed());
    }
    options.open(path)
}

/// Removes a file; one that is gone already is no error.
pub fn remove(path: &Path) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

/// Gives `from` the name `to`, which must be free ([`io::ErrorKind::AlreadyExists`] otherwise).
pub fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
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
pub fn sync_dir(path: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(path)?.sync_all() } else { Ok(()) }
}

/// Asks the kernel to forget cached pages, so that a read comes from the device. Best effort.
pub fn forget_cache(file: &File) {
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
pub fn free_bytes(path: &Path) -> Option<u64> {
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
