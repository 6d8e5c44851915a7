//! Changes to the disk, as data. One executor runs them in phase order; a plan cannot choose the order.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use crate::units::time;

use super::Ms;
use super::fingerprint::Fingerprint;
use super::mend::{Edit, Piece};

/// Order of effects (SAFETY 2). Rows on disk stay a subset of files on disk at every instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Phase {
    /// Reclaim what policy already made final.
    Reclaim,
    /// Create or restore files.
    Create,
    /// Swap the index.
    Swap,
    /// Rename and remove files.
    Remove,
}

/// A file of the folder as it was when the plan was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRef {
    /// Name inside the folder of the plan.
    pub name: OsString,
    /// What must still be true of it.
    pub fp: Fingerprint,
}

/// A row to put into the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowInsert {
    /// Raw key bytes between the quotes, escapes included.
    pub key: Vec<u8>,
    /// Raw bytes of the value.
    pub value: Vec<u8>,
    /// Raw key bytes of the row that came before it, if any; the row is put after that one, else at the end.
    pub after: Option<Vec<u8>>,
}

impl RowInsert {
    /// Value of `after` for a row that comes before all others. No key can be this: a raw NUL is not JSON.
    pub const FIRST: &'static [u8] = b"\0";
}

/// A new index made of the old one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwapIndex {
    /// The index (real path).
    pub path: PathBuf,
    /// Its state when planned from; the bytes are compared as well.
    pub fp: Fingerprint,
    /// Rows that leave, ascending, as positions in [`super::index::IndexFacts::rows`].
    pub drop: Vec<u32>,
    /// Rows that come (back).
    pub insert: Vec<RowInsert>,
}

/// A new index that is not made of the old one's rows: the old text is damaged, or comes back damaged (undo).
///
/// The old text is compared before and after the exchange like any other; what becomes of its copy is a matter of other
/// effects of the same plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplaceIndex {
    /// The index, its state, and the change of rows as the run folder records it.
    pub swap: SwapIndex,
    /// The whole new text.
    pub text: Vec<u8>,
    /// Name in the folder under which the old text stays, if it does; undo takes it from there.
    pub kept_as: Option<OsString>,
}

/// One change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Replace the index.
    SwapIndex(SwapIndex),
    /// Replace the index by a text of its own.
    ReplaceIndex(Box<ReplaceIndex>),
    /// Rename inside the folder, never over another file; our hard link is made first.
    Move {
        /// The file.
        file: FileRef,
        /// New name. If taken, the stamp in it grows by 1 ms.
        to: NewName,
    },
    /// Take the name away but keep our hard link in the run folder.
    Stow {
        /// The file.
        file: FileRef,
    },
    /// Remove for good. Our own links to the same inode in older run folders go too.
    Unlink {
        /// The file.
        file: FileRef,
        /// Policy made it final before this pass: runs in [`Phase::Reclaim`], before the journal.
        already_final: bool,
    },
    /// Compress into the archive folder, verify, then unlink.
    PackThenUnlink {
        /// The file.
        file: FileRef,
        /// Archive folder (with the marker).
        dest: PathBuf,
        /// As for `Unlink`.
        already_final: bool,
    },
    /// Replace the content of a file that is not an index (run log, config).
    Rewrite {
        /// The file.
        file: FileRef,
        /// Its new content.
        content: Vec<u8>,
    },
    /// Keep the old text of a file beside it as `<name>.bak`, once the same plan has rewritten it; earlier ones move on to
    /// `.bak.1` and so on, up to [`Effect::BACKUPS`] in all. Nothing that undo takes back: a backup is there to stay.
    Backup {
        /// The file, before the same plan rewrites it.
        file: FileRef,
    },
    /// Replace the content of a file by itself with changes, streamed; what no edit names is copied. The old content stays
    /// in the run folder.
    Splice {
        /// The file.
        file: FileRef,
        /// Where the bytes come from; the file itself if nothing is said.
        source: Option<PathBuf>,
        /// Changes, ascending, none overlapping another.
        edits: Vec<Edit>,
    },
    /// Make a new file of pieces of another one of the folder.
    Extract {
        /// The other file.
        file: FileRef,
        /// Its pieces.
        pieces: Vec<Piece>,
        /// Name in the folder; must be free.
        to: OsString,
    },
    /// Give a file other permission bits. Its content, and so who owns it, does not matter.
    SetMode {
        /// The file.
        file: FileRef,
        /// New permission bits.
        mode: u32,
    },
    /// Keep a hard link of a file that another program may take. Nothing in the folder changes.
    Guard {
        /// The file.
        file: FileRef,
    },
    /// Bring a file back from a run folder by hard link.
    Restore {
        /// Link in the run folder.
        from: PathBuf,
        /// Name in the folder; must be free.
        to: OsString,
        /// Archive name that the same inode has now and that goes away, if any.
        replaces: Option<OsString>,
    },
    /// Bring a file back from a verified compressed copy; the copy stays where it is.
    Unpack {
        /// The compressed copy.
        copy: PathBuf,
        /// What it must hold.
        content: PackedContent,
        /// Name in the folder; must be free.
        to: OsString,
    },
    /// Write a file that is not there yet.
    Create {
        /// Name in the folder; must be free.
        to: OsString,
        /// Its content.
        content: Vec<u8>,
        /// Its permission bits.
        mode: u32,
    },
    /// Make an empty folder.
    MakeDir {
        /// Name in the folder; must be free.
        name: OsString,
        /// Its permission bits.
        mode: u32,
    },
    /// Remove a folder, if it is empty.
    RemoveDir {
        /// The folder; only its permission bits are remembered.
        dir: FileRef,
    },
    /// Rename a folder with all that is in it, never over anything. Both places must be on one volume.
    MoveDir(MoveDir),
}

/// What a renamed file is called afterwards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NewName {
    /// `<name>.deleted.<stamp>`, an archive of this time. Not written out: a plan holds one for every file that goes.
    Deleted(Ms),
    /// As given.
    Given(OsString),
}

impl NewName {
    /// The new name of the file `name`.
    pub fn of<'a>(&'a self, name: &OsStr) -> Cow<'a, OsStr> {
        match self {
            Self::Deleted(at) => {
                let mut to = name.to_owned();
                to.push(".deleted.");
                to.push(time::stamp(*at));
                Cow::Owned(to)
            }
            Self::Given(to) => Cow::Borrowed(to),
        }
    }
}

/// A folder that gets another name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveDir {
    /// Its path.
    pub from: PathBuf,
    /// What it must still be (device and inode count).
    pub fp: Fingerprint,
    /// Its new path.
    pub to: PathBuf,
    /// What happens to links that lead from one path to the other.
    pub link: DirLink,
}

/// A symbolic link between the old and the new path of a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DirLink {
    /// None.
    None,
    /// The old path becomes a link to the new one.
    Leave,
    /// The new path is such a link; it goes first.
    Replace,
}

/// What a compressed copy holds, as its manifest says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackedContent {
    /// Length in bytes.
    pub bytes: u64,
    /// SHA-256, lower-case hex.
    pub sha256: String,
    /// Modification time of the original, epoch ms; the file gets it back.
    pub mtime_ms: super::Ms,
    /// Permission bits of the original.
    pub mode: u32,
}

impl Effect {
    /// Backups of one file, as the gateway keeps them: `.bak`, `.bak.1` to `.bak.4`.
    pub const BACKUPS: usize = 5;

    /// The change of the index, if this is one.
    pub fn swap(&self) -> Option<&SwapIndex> {
        match self {
            Self::SwapIndex(swap) => Some(swap),
            Self::ReplaceIndex(replace) => Some(&replace.swap),
            _ => None,
        }
    }

    /// The phase this kind of effect belongs to.
    pub fn phase(&self) -> Phase {
        match self {
            Self::SwapIndex(_) | Self::ReplaceIndex(_) => Phase::Swap,
            Self::Restore { .. }
            | Self::Unpack { .. }
            | Self::Create { .. }
            | Self::MakeDir { .. }
            | Self::Extract { .. }
            | Self::Guard { .. } => Phase::Create,
            Self::Unlink { already_final: true, .. } | Self::PackThenUnlink { already_final: true, .. } => {
                Phase::Reclaim
            }
            Self::Move { .. }
            | Self::Stow { .. }
            | Self::Unlink { .. }
            | Self::PackThenUnlink { .. }
            | Self::Rewrite { .. }
            | Self::Backup { .. }
            | Self::Splice { .. }
            | Self::SetMode { .. }
            | Self::RemoveDir { .. }
            | Self::MoveDir(_) => Phase::Remove,
        }
    }
}
