//! Reading without following links and without hanging.
//!
//! Every file is opened with "no follow" and "non-blocking" and is then looked at through its descriptor: a link put
//! in place of a transcript is an error, a FIFO cannot make us wait for a writer, and what was checked is what is
//! read. Nothing is mapped into memory: a mapped file that the gateway truncates would kill the process.
//!
//! # File systems
//!
//! Where a system has no such flags (anything but Unix) the kind is looked at before the file is opened; the window
//! in between is accepted there.

use std::ffi::OsStr;
use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::model::fingerprint::{Fingerprint, Kind};

/// How often a file that changes while it is being read is read again.
const ATTEMPTS: usize = 3;

/// State of `path` itself; a link is not followed.
pub fn lstat(path: &Path) -> io::Result<Fingerprint> {
    std::fs::symlink_metadata(path).map(|meta| fingerprint(&meta))
}

/// State of an open file.
pub fn fstat(file: &File) -> io::Result<Fingerprint> {
    file.metadata().map(|meta| fingerprint(&meta))
}

/// Opens a regular file. Links, directories, FIFOs, sockets and devices are errors, and none of them blocks.
pub fn open_regular(path: &Path) -> io::Result<(File, Fingerprint)> {
    regular(open_no_follow(path)?)
}

/// Reads a whole regular file. The state is the one before reading; callers that need the two to agree use
/// [`read_shared`].
pub fn read_regular(path: &Path) -> io::Result<(Vec<u8>, Fingerprint)> {
    let (mut file, fp) = open_regular(path)?;
    let mut bytes = Vec::with_capacity(usize::try_from(fp.size).unwrap_or(0));
    file.read_to_end(&mut bytes)?;
    Ok((bytes, fp))
}

/// The beginning of a file.
#[derive(Debug, Clone)]
pub struct Head {
    /// At most as many bytes as were asked for.
    pub bytes: Vec<u8>,
    /// State of the file.
    pub fp: Fingerprint,
    /// The bytes are the whole file.
    pub whole: bool,
}

/// Reads at most `max` bytes from the start of a regular file.
pub fn read_head(path: &Path, max: usize) -> io::Result<Head> {
    let (file, fp) = open_regular(path)?;
    let mut bytes = Vec::with_capacity(max.min(usize::try_from(fp.size).unwrap_or(max)) + 1);
    file.take(max as u64 + 1).read_to_end(&mut bytes)?;
    let whole = bytes.len() <= max;
    bytes.truncate(max);
    Ok(Head { bytes, fp, whole })
}

/// Reads a whole regular file that another process may replace or append to, once (what is shared is
/// the buffer it was read into). The state belongs to exactly these bytes: if the file changed meanwhile it is read again,
/// three times at most.
///
/// # Errors
///
/// [`io::ErrorKind::FileTooLarge`] above `max` bytes; [`io::ErrorKind::ResourceBusy`] if it never held still.
pub fn read_shared(path: &Path, max: u64) -> io::Result<(Arc<Vec<u8>>, Fingerprint)> {
    for _ in 0..ATTEMPTS {
        let (mut file, before) = open_regular(path)?;
        let size = match usize::try_from(before.size) {
            Ok(size) if before.size <= max => size,
            _ => return Err(io::Error::new(io::ErrorKind::FileTooLarge, "the file is too large")),
        };
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(size)?;
        fill(&mut file, &mut bytes, size)?;
        if bytes.len() < size {
            continue;
        }
        if before == fstat(&file)? {
            return Ok((Arc::new(bytes), before));
        }
    }
    Err(io::Error::new(io::ErrorKind::ResourceBusy, "the file changes while it is being read"))
}

/// Reads until `bytes` holds `size` or the file ends, into memory that nobody has to clear first.
fn fill(file: &mut File, bytes: &mut Vec<u8>, size: usize) -> io::Result<()> {
    #[cfg(unix)]
    while bytes.len() < size {
        match rustix::io::read(&*file, rustix::buffer::spare_capacity(bytes)) {
            Ok(0) => break,
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(e) => return Err(e.into()),
        }
    }
    #[cfg(not(unix))]
    file.take(size as u64).read_to_end(bytes)?;
    bytes.truncate(size);
    Ok(())
}

/// A folder held open, so that all its entries are reached through the same directory whatever happens to its path.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    #[cfg(unix)]
    fd: std::os::fd::OwnedFd,
}

impl Folder {
    /// Opens `path`, which must be a directory and no link.
    pub fn open(path: &Path) -> io::Result<Self> {
        #[cfg(unix)]
        {
            use rustix::fs::{Mode, OFlags};
            let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            let fd = rustix::fs::open(path, flags, Mode::empty())?;
            Ok(Self { path: path.to_owned(), fd })
        }
        #[cfg(not(unix))]
        {
            if !std::fs::symlink_metadata(path)?.is_dir() {
                return Err(io::Error::new(io::ErrorKind::NotADirectory, "not a directory"));
            }
            Ok(Self { path: path.to_owned() })
        }
    }

    /// The path it was opened by.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// State of the entry `name`; a link is not followed.
    pub fn lstat(&self, name: &OsStr) -> io::Result<Fingerprint> {
        #[cfg(target_os = "linux")]
        {
            use rustix::fs::{AtFlags, StatxFlags};
            let flags = AtFlags::SYMLINK_NOFOLLOW | AtFlags::NO_AUTOMOUNT;
            match rustix::fs::statx(&self.fd, name, flags, StatxFlags::BASIC_STATS) {
                Ok(stat) => return Ok(from_statx(&stat)),
                // Kernels before 4.11, and container filters older than statx.
                Err(rustix::io::Errno::NOSYS | rustix::io::Errno::PERM) => {}
                Err(e) => return Err(e.into()),
            }
        }
        lstat(&self.path.join(name))
    }

    /// Opens the regular file `name`, as [`open_regular`] does.
    pub fn open_regular(&self, name: &OsStr) -> io::Result<(File, Fingerprint)> {
        #[cfg(unix)]
        {
            let fd = rustix::fs::openat(&self.fd, name, open_flags(), rustix::fs::Mode::empty());
            regular(File::from(fd.map_err(link_error)?))
        }
        #[cfg(not(unix))]
        open_regular(&self.path.join(name))
    }

    /// Opens `name`, which a listing of this folder showed as a regular file, without asking again what it is. A FIFO or
    /// device that took its place does not block, a link is an error; what is read of them proves nothing, and whoever
    /// acts on it compares the fingerprint first.
    pub fn open_listed(&self, name: &OsStr) -> io::Result<File> {
        #[cfg(unix)]
        {
            let fd = rustix::fs::openat(&self.fd, name, open_flags(), rustix::fs::Mode::empty());
            Ok(File::from(fd.map_err(link_error)?))
        }
        #[cfg(not(unix))]
        open_regular(&self.path.join(name)).map(|(file, _)| file)
    }

    /// Names of all entries but `.` and `..`, in the order of the directory.
    pub fn names(&self) -> io::Result<Vec<Box<OsStr>>> {
        #[cfg(unix)]
        {
            use std::os::unix::ffi::OsStrExt;
            let mut names = Vec::new();
            for entry in rustix::fs::Dir::read_from(&self.fd)? {
                let entry = entry?;
                let name = entry.file_name().to_bytes();
                if name != b"." && name != b".." {
                    names.push(OsStr::from_bytes(name).into());
                }
            }
            Ok(names)
        }
        #[cfg(not(unix))]
        std::fs::read_dir(&self.path)?.map(|e| e.map(|e| e.file_name().into_boxed_os_str())).collect()
    }
}

#[cfg(unix)]
fn open_flags() -> rustix::fs::OFlags {
    use rustix::fs::OFlags;
    OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC
}

#[cfg(unix)]
fn open_no_follow(path: &Path) -> io::Result<File> {
    rustix::fs::open(path, open_flags(), rustix::fs::Mode::empty()).map(File::from).map_err(link_error)
}

#[cfg(not(unix))]
fn open_no_follow(path: &Path) -> io::Result<File> {
    if std::fs::symlink_metadata(path)?.is_symlink() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "is a symbolic link, which is not followed"));
    }
    File::open(path)
}

/// Says what ELOOP means here.
#[cfg(unix)]
fn link_error(e: rustix::io::Errno) -> io::Error {
    match e {
        rustix::io::Errno::LOOP => {
            io::Error::new(io::ErrorKind::InvalidInput, "is a symbolic link, which is not followed")
        }
        other => other.into(),
    }
}

fn regular(file: File) -> io::Result<(File, Fingerprint)> {
    let fp = fstat(&file)?;
    if fp.kind == Kind::File {
        Ok((file, fp))
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidInput, "is not a regular file"))
    }
}

/// A fingerprint made of metadata that was taken without following links.
pub fn fingerprint(meta: &Metadata) -> Fingerprint {
    let file_type = meta.file_type();
    let kind = if file_type.is_file() {
        Kind::File
    } else if file_type.is_dir() {
        Kind::Dir
    } else if file_type.is_symlink() {
        Kind::Symlink
    } else {
        Kind::Other
    };
    of_metadata(meta, kind)
}

#[cfg(unix)]
fn of_metadata(meta: &Metadata, kind: Kind) -> Fingerprint {
    use std::os::unix::fs::MetadataExt;
    Fingerprint {
        dev: meta.dev(),
        ino: meta.ino(),
        size: meta.size(),
        mtime_ns: nanoseconds(meta.mtime(), meta.mtime_nsec()),
        ctime_ns: nanoseconds(meta.ctime(), meta.ctime_nsec()),
        blocks: meta.blocks(),
        nlink: u32::try_from(meta.nlink()).unwrap_or(u32::MAX),
        uid: meta.uid(),
        gid: meta.gid(),
        mode: meta.mode() & 0o7777,
        kind,
    }
}

#[cfg(not(unix))]
fn of_metadata(meta: &Metadata, kind: Kind) -> Fingerprint {
    let mtime_ns = meta.modified().ok().map_or(0, |time| match time.duration_since(std::time::UNIX_EPOCH) {
        Ok(after) => i64::try_from(after.as_nanos()).unwrap_or(i64::MAX),
        Err(before) => i64::try_from(before.duration().as_nanos()).map_or(i64::MIN, |ns| -ns),
    });
    Fingerprint {
        dev: 0,
        ino: 0,
        size: meta.len(),
        mtime_ns,
        ctime_ns: 0,
        blocks: meta.len().div_ceil(512),
        nlink: 1,
        uid: 0,
        gid: 0,
        mode: 0,
        kind,
    }
}

#[cfg(target_os = "linux")]
fn from_statx(stat: &rustix::fs::Statx) -> Fingerprint {
    let mode = u32::from(stat.stx_mode);
    let kind = match rustix::fs::FileType::from_raw_mode(mode) {
        rustix::fs::FileType::RegularFile => Kind::File,
        rustix::fs::FileType::Directory => Kind::Dir,
        rustix::fs::FileType::Symlink => Kind::Symlink,
        _ => Kind::Other,
    };
    Fingerprint {
        dev: rustix::fs::makedev(stat.stx_dev_major, stat.stx_dev_minor),
        ino: stat.stx_ino,
        size: stat.stx_size,
        mtime_ns: nanoseconds(stat.stx_mtime.tv_sec, i64::from(stat.stx_mtime.tv_nsec)),
        ctime_ns: nanoseconds(stat.stx_ctime.tv_sec, i64::from(stat.stx_ctime.tv_nsec)),
        blocks: stat.stx_blocks,
        nlink: stat.stx_nlink,
        uid: stat.stx_uid,
        gid: stat.stx_gid,
        mode: mode & 0o7777,
        kind,
    }
}

/// Times beyond the years 1677 and 2262 stick to the limit.
#[cfg(unix)]
fn nanoseconds(seconds: i64, nanos: i64) -> i64 {
    seconds.saturating_mul(1_000_000_000).saturating_add(nanos)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_to_look_at_an_entry_agree() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.jsonl");
        std::fs::write(&path, b"12345").unwrap();
        let folder = Folder::open(dir.path()).unwrap();
        let fp = folder.lstat(OsStr::new("a.jsonl")).unwrap();
        assert_eq!(fp, lstat(&path).unwrap());
        assert_eq!((fp.size, fp.kind), (5, Kind::File));
        assert_eq!(fp, folder.open_regular(OsStr::new("a.jsonl")).unwrap().1);
    }

    #[test]
    fn a_head_says_whether_it_is_the_whole_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        std::fs::write(&path, b"12345").unwrap();
        let head = read_head(&path, 5).unwrap();
        assert!(head.whole && head.bytes == b"12345");
        let head = read_head(&path, 4).unwrap();
        assert!(!head.whole && head.bytes == b"1234");
    }

    #[test]
    fn shared_reads_respect_their_limit() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        std::fs::write(&path, b"12345").unwrap();
        assert_eq!(&*read_shared(&path, 5).unwrap().0, b"12345");
        assert_eq!(read_shared(&path, 4).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        std::fs::write(&path, b"").unwrap();
        assert!(read_shared(&path, 5).unwrap().0.is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn links_fifos_sockets_and_folders_are_errors_and_do_not_hang() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        std::fs::write(at("file"), b"x").unwrap();
        std::os::unix::fs::symlink(at("file"), at("link")).unwrap();
        std::fs::create_dir(at("folder")).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(at("socket")).unwrap();
        rustix::fs::mknodat(
            rustix::fs::CWD,
            at("fifo"),
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::from_raw_mode(0o600),
            0,
        )
        .unwrap();
        let folder = Folder::open(dir.path()).unwrap();
        for name in ["link", "folder", "socket", "fifo"] {
            assert!(read_regular(&at(name)).is_err(), "{name}");
            assert!(read_head(&at(name), 10).is_err(), "{name}");
            assert!(folder.open_regular(OsStr::new(name)).is_err(), "{name}");
        }
        assert!(Folder::open(&at("file")).is_err());
        let mut names = folder.names().unwrap();
        names.sort();
        assert_eq!(names, ["fifo", "file", "folder", "link", "socket"].map(|n| OsStr::new(n).into()));
    }
}
