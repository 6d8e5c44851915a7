//! Unix: everything relative to an open folder.

#![expect(clippy::disallowed_methods, reason = "this is where the disk is changed")]

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

use rustix::fs::{AtFlags, FileType, FlockOperation, Gid, Mode, OFlags, RawMode, Stat, Uid};
use rustix::io::Errno;

use crate::model::fingerprint::{Fingerprint, Kind};

pub(super) type Handle = OwnedFd;
type Entry<'a> = (&'a Handle, &'a Path, &'a OsStr);

const DIR_FLAGS: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

fn raw_mode(mode: u32) -> Mode {
    Mode::from_bits_truncate(RawMode::try_from(mode & 0o7777).unwrap_or(0o600))
}

pub(super) fn open_dir(path: &Path) -> io::Result<Handle> {
    Ok(rustix::fs::open(path, DIR_FLAGS, Mode::empty())?)
}

pub(super) fn open_sub(dir: &Handle, _path: &Path, name: &OsStr) -> io::Result<Handle> {
    Ok(rustix::fs::openat(dir, name, DIR_FLAGS, Mode::empty())?)
}

pub(super) fn stat_self(dir: &Handle) -> io::Result<Fingerprint> {
    Ok(fingerprint(&rustix::fs::fstat(dir)?))
}

pub(super) fn stat_file(file: &File) -> io::Result<Fingerprint> {
    Ok(fingerprint(&rustix::fs::fstat(file)?))
}

pub(super) fn stat(dir: &Handle, _path: &Path, name: &OsStr) -> io::Result<Fingerprint> {
    Ok(fingerprint(&rustix::fs::statat(dir, name, AtFlags::SYMLINK_NOFOLLOW)?))
}

pub(super) fn names(dir: &Handle, _path: &Path) -> io::Result<Vec<OsString>> {
    let mut out = Vec::new();
    for entry in rustix::fs::Dir::read_from(dir)? {
        let entry = entry?;
        let name = entry.file_name().to_bytes();
        if name != b"." && name != b".." {
            out.push(OsString::from_vec(name.to_vec()));
        }
    }
    Ok(out)
}

pub(super) fn open_file(dir: &Handle, _path: &Path, name: &OsStr) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    Ok(File::from(rustix::fs::openat(dir, name, flags, Mode::empty())?))
}

pub(super) fn open_write(dir: &Handle, _path: &Path, name: &OsStr, append: bool) -> io::Result<File> {
    let mut flags = OFlags::RDWR | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    if append {
        flags |= OFlags::APPEND;
    }
    Ok(File::from(rustix::fs::openat(dir, name, flags, Mode::empty())?))
}

pub(super) fn link(from: Entry<'_>, to: Entry<'_>) -> io::Result<()> {
    Ok(rustix::fs::linkat(from.0, from.2, to.0, to.2, AtFlags::empty())?)
}

pub(super) fn set_dir_mode(dir: &Handle, mode: u32) -> io::Result<()> {
    Ok(rustix::fs::fchmod(dir, raw_mode(mode))?)
}

pub(super) fn symlink(dir: &Handle, target: &Path, name: &OsStr) -> io::Result<()> {
    Ok(rustix::fs::symlinkat(target, dir, name)?)
}

pub(super) fn unlink(dir: &Handle, _path: &Path, name: &OsStr) -> io::Result<()> {
    Ok(rustix::fs::unlinkat(dir, name, AtFlags::empty())?)
}

pub(super) fn rmdir(dir: &Handle, _path: &Path, name: &OsStr) -> io::Result<()> {
    Ok(rustix::fs::unlinkat(dir, name, AtFlags::REMOVEDIR)?)
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
pub(super) fn rename_noreplace(from: Entry<'_>, to: Entry<'_>) -> io::Result<()> {
    let flags = rustix::fs::RenameFlags::NOREPLACE;
    match rustix::fs::renameat_with(from.0, from.2, to.0, to.2, flags) {
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => link_then_unlink(from, to),
        other => Ok(other?),
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
pub(super) fn rename_noreplace(from: Entry<'_>, to: Entry<'_>) -> io::Result<()> {
    link_then_unlink(from, to)
}

/// A rename that cannot replace, for file systems without one. A crash in between leaves two names, never none.
fn link_then_unlink(from: Entry<'_>, to: Entry<'_>) -> io::Result<()> {
    link(from, to)?;
    unlink(from.0, from.1, from.2)
}

pub(super) fn replace(dir: &Handle, _path: &Path, name: &OsStr, to: &OsStr) -> io::Result<()> {
    Ok(rustix::fs::renameat(dir, name, dir, to)?)
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
pub(super) fn exchange(dir: &Handle, a: &OsStr, b: &OsStr) -> io::Result<bool> {
    match rustix::fs::renameat_with(dir, a, dir, b, rustix::fs::RenameFlags::EXCHANGE) {
        Ok(()) => Ok(true),
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => Ok(false),
        Err(e) => Err(e.into()),
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
pub(super) fn exchange(_dir: &Handle, _a: &OsStr, _b: &OsStr) -> io::Result<bool> {
    Ok(false)
}

pub(super) fn create(dir: &Handle, _path: &Path, name: &OsStr, mode: u32) -> io::Result<File> {
    let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::openat(dir, name, flags, raw_mode(mode & 0o777))?);
    // The process mask may have taken bits away.
    if stat_file(&file)?.mode != mode {
        set_mode(&file, mode)?;
    }
    Ok(file)
}

pub(super) fn mkdir(dir: &Handle, _path: &Path, name: &OsStr, mode: u32, give: Option<(u32, u32)>) -> io::Result<()> {
    rustix::fs::mkdirat(dir, name, raw_mode(mode & 0o777))?;
    let new = rustix::fs::openat(dir, name, DIR_FLAGS, Mode::empty())?;
    if let Some((uid, gid)) = give {
        rustix::fs::fchown(&new, Some(Uid::from_raw(uid)), Some(Gid::from_raw(gid)))?;
    }
    if stat_self(&new)?.mode != mode {
        rustix::fs::fchmod(&new, raw_mode(mode))?;
    }
    Ok(())
}

pub(super) fn sync_dir(dir: &Handle) -> io::Result<()> {
    Ok(rustix::fs::fsync(dir)?)
}

pub(super) fn free_bytes(dir: &Handle) -> Option<u64> {
    let volume = rustix::fs::fstatvfs(dir).ok()?;
    Some(volume.f_bavail.saturating_mul(volume.f_frsize))
}

pub(super) fn free_inodes(dir: &Handle) -> Option<u64> {
    let volume = rustix::fs::fstatvfs(dir).ok()?;
    // File systems without a fixed number of inodes report none at all.
    (volume.f_files > 0).then_some(volume.f_favail)
}

pub(super) fn try_lock(dir: &Handle) -> io::Result<bool> {
    match rustix::fs::flock(dir, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(true),
        Err(Errno::WOULDBLOCK) => Ok(false),
        // NFS turns flock into a byte-range lock, which a folder cannot have.
        Err(Errno::BADF | Errno::INVAL | Errno::NOTSUP | Errno::ISDIR) => Err(io::ErrorKind::Unsupported.into()),
        Err(e) => Err(e.into()),
    }
}

#[cfg(any(target_os = "linux", target_os = "android"))]
pub(super) fn allocate(file: &File, len: u64, keep_size: bool) -> io::Result<()> {
    use rustix::fs::FallocateFlags;
    let flags = if keep_size { FallocateFlags::KEEP_SIZE } else { FallocateFlags::empty() };
    match rustix::fs::fallocate(file, flags, 0, len) {
        Err(Errno::NOTSUP | Errno::NOSYS | Errno::INVAL) => Ok(()),
        other => Ok(other?),
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(super) fn allocate(_file: &File, _len: u64, _keep_size: bool) -> io::Result<()> {
    Ok(())
}

pub(super) fn set_mode(file: &File, mode: u32) -> io::Result<()> {
    Ok(rustix::fs::fchmod(file, raw_mode(mode))?)
}

/// The clock is that of the file system: other hosts compare with it.
pub(super) fn touch(file: &File) -> io::Result<()> {
    let now = rustix::fs::Timespec { tv_sec: 0, tv_nsec: rustix::fs::UTIME_NOW };
    let unchanged = rustix::fs::Timespec { tv_sec: 0, tv_nsec: rustix::fs::UTIME_OMIT };
    let times = rustix::fs::Timestamps { last_access: unchanged, last_modification: now };
    Ok(rustix::fs::futimens(file, &times)?)
}

pub(super) fn set_owner(file: &File, uid: u32, gid: u32) -> io::Result<()> {
    Ok(rustix::fs::fchown(file, Some(Uid::from_raw(uid)), Some(Gid::from_raw(gid)))?)
}

/// Extended attributes of an open file, ACLs included. A file system without them has none.
pub(super) fn xattrs(file: &File) -> io::Result<Vec<(OsString, Vec<u8>)>> {
    let list = match sized(|buf| rustix::fs::flistxattr(file, buf)) {
        Err(Errno::NOTSUP | Errno::NOSYS) => return Ok(Vec::new()),
        other => other?,
    };
    let mut out = Vec::new();
    for name in list.split(|b| *b == 0).filter(|n| !n.is_empty()) {
        match sized(|buf| rustix::fs::fgetxattr(file, name, buf)) {
            Ok(value) => out.push((OsStr::from_bytes(name).to_owned(), value)),
            // Listed but not ours to read, or gone in between.
            Err(Errno::NOTSUP | Errno::NODATA) => {}
            Err(e) => return Err(e.into()),
        }
    }
    Ok(out)
}

/// Calls with a growing buffer until the answer fits.
fn sized(call: impl Fn(&mut [u8]) -> rustix::io::Result<usize>) -> rustix::io::Result<Vec<u8>> {
    let mut buf = vec![0; 1024];
    loop {
        match call(&mut buf) {
            Ok(n) => {
                buf.truncate(n);
                return Ok(buf);
            }
            Err(Errno::RANGE) if buf.len() < 1 << 20 => buf.resize(buf.len() * 8, 0),
            Err(e) => return Err(e),
        }
    }
}

pub(super) fn set_xattr(file: &File, name: &OsStr, value: &[u8]) -> io::Result<()> {
    Ok(rustix::fs::fsetxattr(file, name, value, rustix::fs::XattrFlags::empty())?)
}

pub(super) fn remove_xattr(file: &File, name: &OsStr) -> io::Result<()> {
    Ok(rustix::fs::fremovexattr(file, name)?)
}

pub(super) fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

fn fingerprint(s: &Stat) -> Fingerprint {
    let kind = match FileType::from_raw_mode(s.st_mode) {
        FileType::RegularFile => Kind::File,
        FileType::Directory => Kind::Dir,
        FileType::Symlink => Kind::Symlink,
        _ => Kind::Other,
    };
    Fingerprint {
        dev: wide(s.st_dev),
        ino: wide(s.st_ino),
        size: wide(s.st_size),
        mtime_ns: nanos(signed(s.st_mtime), signed(s.st_mtime_nsec)),
        ctime_ns: nanos(signed(s.st_ctime), signed(s.st_ctime_nsec)),
        blocks: wide(s.st_blocks),
        nlink: u32::try_from(wide(s.st_nlink)).unwrap_or(u32::MAX),
        uid: s.st_uid,
        gid: s.st_gid,
        mode: u32::try_from(wide(s.st_mode)).unwrap_or(0) & 0o7777,
        kind,
    }
}

// The widths of these fields differ between systems.
fn wide<T: TryInto<u64>>(v: T) -> u64 {
    v.try_into().unwrap_or(0)
}

fn signed<T: TryInto<i64>>(v: T) -> i64 {
    v.try_into().unwrap_or(0)
}

fn nanos(seconds: i64, nanos: i64) -> i64 {
    seconds.saturating_mul(1_000_000_000).saturating_add(nanos)
}
