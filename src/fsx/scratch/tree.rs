//! A tree of new files with given ages, in a folder of its own: the demo state.
//!
//! The folder must be new or empty, and nothing that exists is ever written to.

use std::fs::{File, FileTimes};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use crate::error::{Error, Result};
use crate::model::Ms;

/// One file of a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeFile {
    /// Path below the folder.
    pub path: PathBuf,
    /// Content.
    pub content: Vec<u8>,
    /// Modification time.
    pub modified: Ms,
}

/// Writes all files below `root`. Folders are private to the user.
///
/// # Errors
/// `root` exists and is not an empty folder, lies in a sessions folder, or cannot be written.
pub fn create(root: &Path, files: &[TreeFile]) -> Result<()> {
    if root.symlink_metadata().is_ok() && !is_empty_folder(root) {
        return Err(Error::failed(format!("{} exists and is not an empty folder", root.display()))
            .hint("name a folder that does not exist yet"));
    }
    super::create_dir(root)?;
    for file in files {
        let path = root.join(&file.path);
        if let Some(parent) = path.parent() {
            super::create_dir(parent)?;
        }
        let at = UNIX_EPOCH + Duration::from_millis(u64::try_from(file.modified).unwrap_or(0));
        super::create_new(&path).and_then(|mut out: File| {
            let done = out.write_all(&file.content).and_then(|()| out.set_times(FileTimes::new().set_modified(at)));
            done.map_err(|e| Error::io("write", &path, e))
        })?;
    }
    Ok(())
}

/// Removes a tree that [`create`] made.
///
/// # Errors
/// I/O errors; what is left is named.
pub fn remove(root: &Path) -> Result<()> {
    std::fs::remove_dir_all(root).map_err(|e| Error::io("remove", root, e))
}

fn is_empty_folder(path: &Path) -> bool {
    let real = path.symlink_metadata().is_ok_and(|m| m.is_dir());
    real && path.read_dir().is_ok_and(|mut entries| entries.next().is_none())
}
