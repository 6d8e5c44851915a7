//! The only code that changes state or configuration.
//!
//! A [`Dir`] is a folder opened once, without following a link in its last component. Every change names an entry of
//! that folder by its bare name, so no path is resolved twice and nobody can put a symlink between the check and the
//! act. Each mutator announces itself to [`Faults`] first; nothing here retries, decides or cleans up.
//!
//! # File systems
//! Exchange and no-replace renames are asked of the kernel. Where it refuses (NFS, old overlays), a no-replace rename
//! becomes link + unlink, which cannot replace either, and [`Dir::exchange`] answers `false`. Elsewhere than on Unix
//! the same interface works by paths.

#![expect(clippy::disallowed_methods, reason = "this is where the disk is changed")]

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use super::fault::{self, Faults, Op};
use crate::model::fingerprint::Fingerprint;
use crate::order::Order as _;

pub mod preserve;
#[cfg_attr(unix, path = "mutate/unix.rs")]
#[cfg_attr(not(unix), path = "mutate/portable.rs")]
mod sys;

/// A folder whose entries can be changed.
#[derive(Debug)]
pub struct Dir {
    handle: sys::Handle,
    path: PathBuf,
    faults: Faults,
    /// Owner and group that new entries get, when we are root and the folder is somebody else's.
    give: Option<(u32, u32)>,
}

impl Dir {
    /// Opens `path`. A symlink in the last component is refused: pass the canonical path.
    ///
    /// # Errors
    /// If it is not a folder, or cannot be opened.
    pub fn open(path: &Path, faults: &Faults) -> io::Result<Self> {
        Ok(Self { handle: sys::open_dir(path)?, path: path.to_owned(), faults: faults.clone(), give: None })
    }

    /// Opens the folder `name` inside this one, without following a link.
    ///
    /// # Errors
    /// If it is not a folder, or cannot be opened.
    pub fn sub(&self, name: impl AsRef<OsStr>) -> io::Result<Self> {
        let name = bare(name.as_ref())?;
        let path = self.path.join(name);
        let handle = sys::open_sub(&self.handle, &path, name)?;
        Ok(Self { handle, path, faults: self.faults.clone(), give: self.give })
    }

    /// New entries get this owner and group (only root can do that).
    pub fn give_new_entries_to(&mut self, uid: u32, gid: u32) {
        self.give = Some((uid, gid));
    }

    /// The path it was opened by, for messages.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The fault hook, for handing on.
    pub fn faults(&self) -> &Faults {
        &self.faults
    }

    /// State of the folder itself.
    ///
    /// # Errors
    /// I/O errors.
    pub fn stat_self(&self) -> io::Result<Fingerprint> {
        sys::stat_self(&self.handle)
    }

    /// State of an entry, links not followed.
    ///
    /// # Errors
    /// I/O errors; `NotFound` if there is none.
    pub fn stat(&self, name: impl AsRef<OsStr>) -> io::Result<Fingerprint> {
        let name = bare(name.as_ref())?;
        sys::stat(&self.handle, &self.path, name)
    }

    /// Names of the entries, sorted by bytes.
    ///
    /// # Errors
    /// I/O errors.
    pub fn names(&self) -> io::Result<Vec<OsString>> {
        let mut names = sys::names(&self.handle, &self.path)?;
        names.order_by(|a, b| a.as_encoded_bytes().cmp(b.as_encoded_bytes()));
        Ok(names)
    }

    /// Opens a regular file for reading, without following a link and without waiting on a FIFO.
    ///
    /// # Errors
    /// I/O errors; `InvalidInput` if it is not a regular file.
    pub fn open_file(&self, name: impl AsRef<OsStr>) -> io::Result<File> {
        let name = bare(name.as_ref())?;
        let file = sys::open_file(&self.handle, &self.path, name)?;
        if file.metadata()?.is_file() { Ok(file) } else { Err(io::ErrorKind::InvalidInput.into()) }
    }

    /// Reads a whole regular file.
    ///
    /// # Errors
    /// As [`Dir::open_file`].
    pub fn read(&self, name: impl AsRef<OsStr>) -> io::Result<Vec<u8>> {
        let mut out = Vec::new();
        self.open_file(name)?.read_to_end(&mut out)?;
        Ok(out)
    }

    fn hook(&self, op: Op, name: &OsStr) -> io::Result<()> {
        self.faults.op(op, &self.path.join(name))
    }

    fn hook_from(&self, op: Op, name: &OsStr, to: &Self, to_name: &OsStr) -> io::Result<()> {
        to.faults.op_from(op, || self.path.join(name), || to.path.join(to_name))
    }

    /// Hard link of `name` as `to_name` in `to`. Never replaces.
    ///
    /// # Errors
    /// I/O errors; `AlreadyExists` if the name is taken.
    pub fn link(&self, name: impl AsRef<OsStr>, to: &Self, to_name: impl AsRef<OsStr>) -> io::Result<()> {
        let (name, to_name) = (bare(name.as_ref())?, bare(to_name.as_ref())?);
        self.hook_from(Op::Link, name, to, to_name)?;
        sys::link((&self.handle, &self.path, name), (&to.handle, &to.path, to_name))
    }

    /// Removes the name of a file.
    ///
    /// # Errors
    /// I/O errors.
    pub fn unlink(&self, name: impl AsRef<OsStr>) -> io::Result<()> {
        let name = bare(name.as_ref())?;
        self.hook(Op::Unlink, name)?;
        sys::unlink(&self.handle, &self.path, name)
    }

    /// Removes an empty folder.
    ///
    /// # Errors
    /// I/O errors.
    pub fn rmdir(&self, name: impl AsRef<OsStr>) -> io::Result<()> {
        let name = bare(name.as_ref())?;
        self.hook(Op::Rmdir, name)?;
        sys::rmdir(&self.handle, &self.path, name)
    }

    /// Renames `name` to `to_name` in `to`. Never replaces.
    ///
    /// # Errors
    /// I/O errors; `AlreadyExists` if the name is taken.
    pub fn rename(&self, name: impl AsRef<OsStr>, to: &Self, to_name: impl AsRef<OsStr>) -> io::Result<()> {
        let (name, to_name) = (bare(name.as_ref())?, bare(to_name.as_ref())?);
        self.hook_from(Op::Rename, name, to, to_name)?;
        sys::rename_noreplace((&self.handle, &self.path, name), (&to.handle, &to.path, to_name))
    }

    /// Renames over whatever is called `to_name` in this folder.
    ///
    /// # Errors
    /// I/O errors.
    pub fn replace(&self, name: impl AsRef<OsStr>, to_name: impl AsRef<OsStr>) -> io::Result<()> {
        let (name, to_name) = (bare(name.as_ref())?, bare(to_name.as_ref())?);
        self.hook_from(Op::Replace, name, self, to_name)?;
        sys::replace(&self.handle, &self.path, name, to_name)
    }

    /// Exchanges two entries in one step. `false` if this file system or kernel cannot.
    ///
    /// # Errors
    /// I/O errors.
    pub fn exchange(&self, a: impl AsRef<OsStr>, b: impl AsRef<OsStr>) -> io::Result<bool> {
        let (a, b) = (bare(a.as_ref())?, bare(b.as_ref())?);
        self.hook_from(Op::Exchange, a, self, b)?;
        sys::exchange(&self.handle, a, b)
    }

    /// Creates a file that must not exist, with exactly this mode.
    ///
    /// # Errors
    /// I/O errors; `AlreadyExists` if the name is taken, by a dangling link too.
    pub fn create(&self, name: impl AsRef<OsStr>, mode: u32) -> io::Result<NewFile> {
        let name = bare(name.as_ref())?;
        self.hook(Op::Create, name)?;
        let file = sys::create(&self.handle, &self.path, name, mode)?;
        let new = NewFile { file, path: self.path.join(name), faults: self.faults.clone(), append: false };
        if let Some((uid, gid)) = self.give {
            new.set_owner(uid, gid)?;
        }
        Ok(new)
    }

    /// Opens an existing regular file of ours for writing; nothing is truncated.
    ///
    /// # Errors
    /// I/O errors; `InvalidInput` if it is not a regular file.
    pub fn open_write(&self, name: impl AsRef<OsStr>, append: bool) -> io::Result<NewFile> {
        let name = bare(name.as_ref())?;
        let file = sys::open_write(&self.handle, &self.path, name, append)?;
        if !file.metadata()?.is_file() {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        Ok(NewFile { file, path: self.path.join(name), faults: self.faults.clone(), append })
    }

    /// Creates a folder with exactly this mode.
    ///
    /// # Errors
    /// I/O errors; `AlreadyExists` if the name is taken.
    pub fn mkdir(&self, name: impl AsRef<OsStr>, mode: u32) -> io::Result<()> {
        let name = bare(name.as_ref())?;
        self.hook(Op::Mkdir, name)?;
        sys::mkdir(&self.handle, &self.path, name, mode, self.give)
    }

    /// Sets the permission bits of this folder itself.
    ///
    /// # Errors
    /// I/O errors.
    pub fn set_mode(&self, mode: u32) -> io::Result<()> {
        self.faults.op(Op::Attributes, &self.path)?;
        sys::set_dir_mode(&self.handle, mode)
    }

    /// Makes a symbolic link called `name` that leads to `target`. Never replaces.
    ///
    /// # Errors
    /// I/O errors; `AlreadyExists` if the name is taken; `Unsupported` where there are no links.
    pub fn symlink(&self, target: &Path, name: impl AsRef<OsStr>) -> io::Result<()> {
        let name = bare(name.as_ref())?;
        self.hook(Op::Link, name)?;
        sys::symlink(&self.handle, target, name)
    }

    /// Makes the names of this folder durable.
    ///
    /// # Errors
    /// I/O errors.
    pub fn sync(&self) -> io::Result<()> {
        self.faults.op(Op::SyncDir, &self.path)?;
        sys::sync_dir(&self.handle)
    }

    /// Bytes that are free for this user on the volume; `None` if that cannot be told.
    pub fn free_bytes(&self) -> Option<u64> {
        sys::free_bytes(&self.handle)
    }

    /// Files that can still be made on the volume; `None` if it has no such limit or it cannot be told.
    pub fn free_inodes(&self) -> Option<u64> {
        sys::free_inodes(&self.handle)
    }

    /// Takes an exclusive advisory lock on the folder itself: it needs no byte and creates nothing.
    /// `Ok(false)` if somebody else holds it. The lock lives as long as this value.
    ///
    /// # Errors
    /// `Unsupported` where a folder cannot be locked; other I/O errors (no lock service).
    pub fn try_lock(&self) -> io::Result<bool> {
        sys::try_lock(&self.handle)
    }
}

/// A file of ours that is open for writing.
#[derive(Debug)]
pub struct NewFile {
    file: File,
    path: PathBuf,
    faults: Faults,
    /// Every write goes to the end.
    append: bool,
}

impl NewFile {
    /// The open file.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// The path it was opened by, for messages.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reserves `len` bytes; the file gets that length. Does nothing where the file system cannot.
    ///
    /// # Errors
    /// `StorageFull` or `QuotaExceeded` if there is no room.
    pub fn allocate(&self, len: u64) -> io::Result<()> {
        self.reserve(len, false)
    }

    /// Reserves `len` bytes without changing the length.
    ///
    /// # Errors
    /// As [`NewFile::allocate`].
    pub fn allocate_beyond_end(&self, len: u64) -> io::Result<()> {
        self.reserve(len, true)
    }

    fn reserve(&self, len: u64, keep_size: bool) -> io::Result<()> {
        self.faults.op_with(Op::Allocate, &self.path, || if keep_size { String::new() } else { len.to_string() })?;
        if len == 0 { Ok(()) } else { sys::allocate(&self.file, len, keep_size) }
    }

    /// Cuts or extends to `len`.
    ///
    /// # Errors
    /// I/O errors.
    pub fn truncate(&self, len: u64) -> io::Result<()> {
        self.faults.op_with(Op::Truncate, &self.path, || len.to_string())?;
        self.file.set_len(len)
    }

    /// Makes content and attributes durable.
    ///
    /// # Errors
    /// I/O errors.
    pub fn sync(&self) -> io::Result<()> {
        self.faults.op(Op::SyncFile, &self.path)?;
        self.file.sync_all()
    }

    /// Sets the permission bits.
    ///
    /// # Errors
    /// I/O errors.
    pub fn set_mode(&self, mode: u32) -> io::Result<()> {
        self.faults.op(Op::Attributes, &self.path)?;
        sys::set_mode(&self.file, mode)
    }

    /// Sets owner and group.
    ///
    /// # Errors
    /// I/O errors; `PermissionDenied` unless root (or a group we are in).
    pub fn set_owner(&self, uid: u32, gid: u32) -> io::Result<()> {
        self.faults.op(Op::Attributes, &self.path)?;
        sys::set_owner(&self.file, uid, gid)
    }

    /// Sets the modification time.
    ///
    /// # Errors
    /// I/O errors.
    pub fn set_mtime_ns(&self, ns: i64) -> io::Result<()> {
        self.faults.op(Op::Attributes, &self.path)?;
        let span = std::time::Duration::from_nanos(ns.unsigned_abs());
        let epoch = std::time::UNIX_EPOCH;
        self.file.set_modified(if ns < 0 { epoch - span } else { epoch + span })
    }

    /// Sets the modification time to now.
    ///
    /// # Errors
    /// I/O errors.
    pub fn touch(&self) -> io::Result<()> {
        self.faults.op(Op::Attributes, &self.path)?;
        sys::touch(&self.file)
    }

    /// Sets an extended attribute.
    ///
    /// # Errors
    /// I/O errors.
    pub fn set_xattr(&self, name: &OsStr, value: &[u8]) -> io::Result<()> {
        self.faults.op(Op::Attributes, &self.path)?;
        sys::set_xattr(&self.file, name, value)
    }

    /// Removes an extended attribute.
    ///
    /// # Errors
    /// I/O errors.
    pub fn remove_xattr(&self, name: &OsStr) -> io::Result<()> {
        self.faults.op(Op::Attributes, &self.path)?;
        sys::remove_xattr(&self.file, name)
    }

    /// State of the open file.
    ///
    /// # Errors
    /// I/O errors.
    pub fn stat(&self) -> io::Result<Fingerprint> {
        sys::stat_file(&self.file)
    }
}

impl Write for NewFile {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        self.faults.op_with(Op::Write, &self.path, || {
            let at = if self.append { None } else { (&self.file).stream_position().ok() };
            fault::write_detail(at, buf)
        })?;
        self.file.write(buf)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// State of an open file.
///
/// # Errors
/// I/O errors.
pub fn stat_file(file: &File) -> io::Result<Fingerprint> {
    sys::stat_file(file)
}

/// Whether new entries of a folder with this owner must be handed over because we are root: `(uid, gid)`.
pub fn hand_over(folder: &Fingerprint) -> Option<(u32, u32)> {
    (sys::is_root() && (folder.uid, folder.gid) != (0, 0)).then_some((folder.uid, folder.gid))
}

/// Whether the error says that there is no room.
pub fn is_full(e: &io::Error) -> bool {
    matches!(e.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

/// Whether a hard link failed because none can be made here (file system, other device, link limit, foreign owner), so
/// that another way of keeping the bytes has to be found.
pub fn cannot_link(e: &io::Error) -> bool {
    use io::ErrorKind as K;
    matches!(e.kind(), K::Unsupported | K::CrossesDevices | K::TooManyLinks | K::PermissionDenied)
}

/// A name must be one plain component: this is what keeps every change inside its folder.
fn bare(name: &OsStr) -> io::Result<&OsStr> {
    let bytes = name.as_encoded_bytes();
    let separator = |b: &u8| *b == b'/' || *b == 0 || (cfg!(windows) && matches!(*b, b'\\' | b':'));
    if bytes.is_empty() || bytes == b"." || bytes == b".." || bytes.iter().any(separator) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a plain file name"));
    }
    Ok(name)
}

#[cfg(test)]
mod tests;
