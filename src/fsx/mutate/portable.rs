//! Systems without folder handles: the same interface by paths. Links are told apart by a look just before.

use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use crate::model::fingerprint::{Fingerprint, Kind};

pub(super) type Handle = PathBuf;
type Entry<'a> = (&'a Handle, &'a Path, &'a OsStr);

/// Its first byte is written once more: that is what modifies a file everywhere.
pub(super) fn touch(mut file: &File) -> io::Result<()> {
    use std::io::{Read, Seek, SeekFrom, Write};
    let mut first = [b'{'];
    file.seek(SeekFrom::Start(0))?;
    // A file that is open for writing alone is one of ours, which begins with a brace.
    let _ = file.read(&mut first);
    file.seek(SeekFrom::Start(0))?;
    file.write_all(&first)
}

pub(super) fn open_dir(path: &Path) -> io::Result<Handle> {
    if std::fs::symlink_metadata(path)?.is_dir() {
        Ok(path.to_owned())
    } else {
        Err(io::ErrorKind::NotADirectory.into())
    }
}

pub(super) fn open_sub(_dir: &Handle, path: &Path, _name: &OsStr) -> io::Result<Handle> {
    open_dir(path)
}

pub(super) fn stat_self(dir: &Handle) -> io::Result<Fingerprint> {
    Ok(fingerprint(&std::fs::symlink_metadata(dir)?))
}

pub(super) fn stat_file(file: &File) -> io::Result<Fingerprint> {
    Ok(fingerprint(&file.metadata()?))
}

pub(super) fn stat(_dir: &Handle, path: &Path, name: &OsStr) -> io::Result<Fingerprint> {
    Ok(fingerprint(&std::fs::symlink_metadata(path.join(name))?))
}

pub(super) fn names(_dir: &Handle, path: &Path) -> io::Result<Vec<OsString>> {
    std::fs::read_dir(path)?.map(|e| e.map(|e| e.file_name())).collect()
}

fn not_a_link(path: &Path) -> io::Result<()> {
    if std::fs::symlink_metadata(path)?.is_file() { Ok(()) } else { Err(io::ErrorKind::InvalidInput.into()) }
}

pub(super) fn open_file(_dir: &Handle, path: &Path, name: &OsStr) -> io::Result<File> {
    let path = path.join(name);
    not_a_link(&path)?;
    File::open(path)
}

pub(super) fn open_write(_dir: &Handle, path: &Path, name: &OsStr, append: bool) -> io::Result<File> {
    let path = path.join(name);
    not_a_link(&path)?;
    OpenOptions::new().read(true).write(!append).append(append).open(path)
}

pub(super) fn link(from: Entry<'_>, to: Entry<'_>) -> io::Result<()> {
    std::fs::hard_link(from.1.join(from.2), to.1.join(to.2))
}

pub(super) fn set_dir_mode(_dir: &Handle, _mode: u32) -> io::Result<()> {
    Ok(())
}

pub(super) fn symlink(_dir: &Handle, _target: &Path, _name: &OsStr) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

pub(super) fn unlink(_dir: &Handle, path: &Path, name: &OsStr) -> io::Result<()> {
    std::fs::remove_file(path.join(name))
}

pub(super) fn rmdir(_dir: &Handle, path: &Path, name: &OsStr) -> io::Result<()> {
    std::fs::remove_dir(path.join(name))
}

pub(super) fn rename_noreplace(from: Entry<'_>, to: Entry<'_>) -> io::Result<()> {
    link(from, to)?;
    unlink(from.0, from.1, from.2)
}

pub(super) fn replace(_dir: &Handle, path: &Path, name: &OsStr, to: &OsStr) -> io::Result<()> {
    std::fs::rename(path.join(name), path.join(to))
}

pub(super) fn exchange(_dir: &Handle, _a: &OsStr, _b: &OsStr) -> io::Result<bool> {
    Ok(false)
}

pub(super) fn create(_dir: &Handle, path: &Path, name: &OsStr, _mode: u32) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create_new(true).open(path.join(name))
}

pub(super) fn mkdir(_dir: &Handle, path: &Path, name: &OsStr, _mode: u32, _give: Option<(u32, u32)>) -> io::Result<()> {
    std::fs::create_dir(path.join(name))
}

pub(super) fn sync_dir(_dir: &Handle) -> io::Result<()> {
    Ok(())
}

pub(super) fn free_bytes(_dir: &Handle) -> Option<u64> {
    None
}

pub(super) fn free_inodes(_dir: &Handle) -> Option<u64> {
    None
}

pub(super) fn try_lock(_dir: &Handle) -> io::Result<bool> {
    Err(io::ErrorKind::Unsupported.into())
}

pub(super) fn allocate(_file: &File, _len: u64, _keep_size: bool) -> io::Result<()> {
    Ok(())
}

pub(super) fn set_mode(_file: &File, _mode: u32) -> io::Result<()> {
    Ok(())
}

pub(super) fn set_owner(_file: &File, _uid: u32, _gid: u32) -> io::Result<()> {
    Ok(())
}

pub(super) fn xattrs(_file: &File) -> io::Result<Vec<(OsString, Vec<u8>)>> {
    Ok(Vec::new())
}

pub(super) fn set_xattr(_file: &File, _name: &OsStr, _value: &[u8]) -> io::Result<()> {
    Ok(())
}

pub(super) fn remove_xattr(_file: &File, _name: &OsStr) -> io::Result<()> {
    Ok(())
}

pub(super) fn is_root() -> bool {
    false
}

fn fingerprint(m: &Metadata) -> Fingerprint {
    let kind = match m.file_type() {
        t if t.is_symlink() => Kind::Symlink,
        t if t.is_dir() => Kind::Dir,
        t if t.is_file() => Kind::File,
        _ => Kind::Other,
    };
    let since = |t: io::Result<std::time::SystemTime>| {
        t.ok().and_then(|t| t.duration_since(UNIX_EPOCH).ok()).map_or(0, |d| i64::try_from(d.as_nanos()).unwrap_or(0))
    };
    Fingerprint {
        dev: 0,
        ino: 0,
        size: m.len(),
        mtime_ns: since(m.modified()),
        ctime_ns: since(m.created()),
        blocks: m.len().div_ceil(512),
        nlink: 1,
        uid: 0,
        gid: 0,
        mode: 0,
        kind,
    }
}
