//! What a file looked like when the plan was made.

use super::Ms;

/// Kind of a directory entry. Only [`Kind::File`] is ever changed; the rest is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Kind {
    /// Regular file.
    File,
    /// Directory.
    Dir,
    /// Symbolic link (never followed when something is removed).
    Symlink,
    /// FIFO, socket or device.
    Other,
}

/// Identity and state of one directory entry, taken without following links.
///
/// On systems without these notions (Windows) `dev`, `ino`, `uid`, `gid` and `mode` are 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Fingerprint {
    /// Device number.
    pub dev: u64,
    /// Inode number.
    pub ino: u64,
    /// Length in bytes.
    pub size: u64,
    /// Modification time, nanoseconds since the epoch.
    pub mtime_ns: i64,
    /// Status change time, nanoseconds since the epoch.
    pub ctime_ns: i64,
    /// Allocated 512-byte blocks.
    pub blocks: u64,
    /// Number of hard links.
    pub nlink: u32,
    /// Owner.
    pub uid: u32,
    /// Group.
    pub gid: u32,
    /// Permission bits (07777).
    pub mode: u32,
    /// What it is.
    pub kind: Kind,
}

impl Fingerprint {
    /// State of a text that is no file of its own, and of an index that is not there.
    pub const NONE: Self = Self {
        dev: 0,
        ino: 0,
        size: 0,
        mtime_ns: 0,
        ctime_ns: 0,
        blocks: 0,
        nlink: 0,
        uid: 0,
        gid: 0,
        mode: 0,
        kind: Kind::File,
    };

    /// Modification time in milliseconds since the epoch, rounded down.
    pub fn mtime_ms(&self) -> Ms {
        self.mtime_ns.div_euclid(1_000_000)
    }

    /// Bytes of the allocated blocks: what the volume gains when the last name goes. The length where a file system
    /// does not say.
    pub fn allocated(&self) -> u64 {
        if self.blocks == 0 { self.size } else { self.blocks * 512 }
    }

    /// Same inode and same content as far as size, mtime and ctime can tell.
    ///
    /// `nlink` and `ctime` change when we add our own hard link, so callers compare after linking with
    /// [`Fingerprint::same_file`] instead.
    pub fn unchanged(&self, now: &Self) -> bool {
        self.same_file(now) && self.ctime_ns == now.ctime_ns
    }

    /// Same inode, length and modification time: the content was not touched since.
    pub fn same_file(&self, now: &Self) -> bool {
        self.dev == now.dev
            && self.ino == now.ino
            && self.size == now.size
            && self.mtime_ns == now.mtime_ns
            && self.kind == now.kind
    }
}
