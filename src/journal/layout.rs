//! `.clawkeep/` beside the index: where the run lock, run folders and index snapshots live.
//!
//! The folder takes mode, setgid and group of its parent, less every bit for others: it holds copies of private
//! conversations. If root creates it for somebody else's state, everything in it belongs to the owner of that state, so
//! that the owner's own later runs can write there.

use std::io;
use std::path::Path;

use crate::fsx::fault::Faults;
use crate::fsx::mutate::{Dir, hand_over};

/// Name of our folder.
pub const OWN: &str = ".clawkeep";
/// Folder of run folders.
pub const RUNS: &str = "runs";
/// Folder of index snapshots.
pub const INDEX: &str = "index";
/// Holder of the run lock.
pub const LOCK: &str = "lock";
/// Space set aside for the record of a run that starts on a full disk.
pub const RESERVE: &str = "reserve";
/// Audit log.
pub const AUDIT: &str = "audit.jsonl";

/// Our folder, open.
#[derive(Debug)]
pub struct OwnDir {
    dir: Dir,
    mode: u32,
}

impl OwnDir {
    /// Opens the `.clawkeep` of `parent`; `None` if there is none.
    ///
    /// # Errors
    /// I/O errors; a symlink in place of the folder is one.
    pub fn open(parent: &Path, faults: &Faults) -> io::Result<Option<Self>> {
        Self::open_in(&open_parent(parent, faults)?)
    }

    fn open_in(parent: &Dir) -> io::Result<Option<Self>> {
        match parent.sub(OWN) {
            Ok(mut dir) => {
                let fp = dir.stat_self()?;
                if let Some((uid, gid)) = hand_over(&fp) {
                    dir.give_new_entries_to(uid, gid);
                }
                Ok(Some(Self { dir, mode: fp.mode & 0o7770 }))
            }
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(e) => Err(e),
        }
    }

    /// Opens the `.clawkeep` of `parent`, creating it if necessary.
    ///
    /// # Errors
    /// I/O errors.
    pub fn create(parent: &Path, faults: &Faults) -> io::Result<Self> {
        let mut parent = open_parent(parent, faults)?;
        if let Some(own) = Self::open_in(&parent)? {
            return Ok(own);
        }
        let fp = parent.stat_self()?;
        if let Some((uid, gid)) = hand_over(&fp) {
            parent.give_new_entries_to(uid, gid);
        }
        // Whoever made a folder that only others may enter: we still need to enter ours. Sticky is dropped.
        let mode = (fp.mode & 0o2770) | 0o700;
        match parent.mkdir(OWN, mode) {
            Err(e) if e.kind() != io::ErrorKind::AlreadyExists => return Err(e),
            // A record is worth nothing if the folder that holds it can vanish.
            _ => parent.sync()?,
        }
        Self::open_in(&parent)?.ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// The folder.
    pub fn dir(&self) -> &Dir {
        &self.dir
    }

    /// Mode of folders in here.
    pub fn dir_mode(&self) -> u32 {
        self.mode
    }

    /// Mode of files in here.
    pub fn file_mode(&self) -> u32 {
        self.mode & 0o660
    }

    /// Opens a folder in here; `None` if there is none.
    ///
    /// # Errors
    /// I/O errors.
    pub fn sub(&self, name: &str) -> io::Result<Option<Dir>> {
        match self.dir.sub(name) {
            Ok(dir) => Ok(Some(dir)),
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(e) => Err(e),
        }
    }

    /// Opens a folder in here, creating it if necessary.
    ///
    /// # Errors
    /// I/O errors.
    pub fn sub_or_create(&self, name: &str) -> io::Result<Dir> {
        match self.dir.mkdir(name, self.mode) {
            Err(e) if e.kind() != io::ErrorKind::AlreadyExists => Err(e),
            _ => self.dir.sub(name),
        }
    }
}

fn open_parent(parent: &Path, faults: &Faults) -> io::Result<Dir> {
    Dir::open(&parent.canonicalize()?, faults)
}

/// Whether `name` looks like a run id (`20261130T091500Z-3f2a`): anything else in `runs/` is not ours.
pub fn is_run_id(name: &[u8]) -> bool {
    const SHAPE: &[u8] = b"ddddddddTddddddZ-hhhh";
    name.len() == SHAPE.len()
        && name.iter().zip(SHAPE).all(|(c, s)| match s {
            b'd' => c.is_ascii_digit(),
            b'h' => c.is_ascii_digit() || (b'a'..=b'f').contains(c),
            _ => c == s,
        })
}

/// Run id for a start time; `salt` tells runs of one second apart.
pub fn run_id(started_at: crate::model::Ms, salt: u32) -> String {
    let stamp: String =
        crate::units::time::iso(started_at).chars().take(19).filter(|c| !matches!(c, '-' | ':')).collect();
    let id = format!("{stamp}Z-{:04x}", salt & 0xffff);
    // A clock that no calendar can show still has to give a name that is recognised.
    if is_run_id(id.as_bytes()) { id } else { format!("00000000T000000Z-{:04x}", salt & 0xffff) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn run_ids_sort_by_time_and_are_recognised() {
        let id = run_id(1_777_622_400_123, 0x1_3f2a);
        assert_eq!(id, "20260501T080000Z-3f2a");
        assert!(is_run_id(id.as_bytes()));
        assert!(id < run_id(1_777_622_401_000, 0));
        assert!(is_run_id(run_id(i64::MAX, 7).as_bytes()));
        for bad in ["", "20260501T080000Z", "20260501T080000Z-3F2A", "x0260501T080000Z-3f2a", ".."] {
            assert!(!is_run_id(bad.as_bytes()), "{bad}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn the_folder_takes_mode_from_its_parent_but_nothing_for_others() {
        use std::os::unix::fs::PermissionsExt;
        let temp = tempfile::tempdir().unwrap();
        for (parent, own) in [(0o2775, 0o2770), (0o755, 0o750), (0o700, 0o700)] {
            let folder = temp.path().join(format!("{parent:o}"));
            std::fs::create_dir(&folder).unwrap();
            std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(parent)).unwrap();
            let dir = OwnDir::create(&folder, &Faults::none()).unwrap();
            assert_eq!(dir.dir().stat_self().unwrap().mode, own);
            assert_eq!(dir.file_mode(), own & 0o660);
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_in_its_place_is_an_error() {
        let temp = tempfile::tempdir().unwrap();
        std::fs::create_dir(temp.path().join("elsewhere")).unwrap();
        std::os::unix::fs::symlink("elsewhere", temp.path().join(OWN)).unwrap();
        assert!(OwnDir::create(temp.path(), &Faults::none()).is_err());
    }
}
