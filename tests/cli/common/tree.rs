//! A folder as a value: names, kinds, modes, times and content, to tell whether a run changed anything.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// One entry. Symlinks are not followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Permission bits and kind.
    pub mode: u32,
    /// Modification time in ns.
    pub mtime: i128,
    /// Content of a file (large ones by length alone), target of a link.
    pub content: Vec<u8>,
}

/// Every entry below a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree(pub BTreeMap<PathBuf, Entry>);

/// Files larger than this are compared by length.
const LARGE: u64 = 8 << 20;

impl Tree {
    /// Reads everything below `root`, `root` itself included.
    pub fn of(root: &Path) -> Self {
        let mut entries = BTreeMap::new();
        for item in walkdir::WalkDir::new(root).sort_by_file_name() {
            let item = item.unwrap();
            let meta = std::fs::symlink_metadata(item.path()).unwrap();
            let content = if meta.is_symlink() {
                std::fs::read_link(item.path()).unwrap().into_os_string().into_encoded_bytes()
            } else if meta.is_file() && meta.len() <= LARGE {
                std::fs::read(item.path()).unwrap_or_else(|_| meta.len().to_le_bytes().into())
            } else if meta.is_file() {
                meta.len().to_le_bytes().into()
            } else {
                Vec::new()
            };
            let path = item.path().strip_prefix(root).unwrap().to_owned();
            let since = meta.modified().unwrap().duration_since(std::time::UNIX_EPOCH);
            let mtime = since.map_or_else(
                |e| -i128::try_from(e.duration().as_nanos()).unwrap(),
                |d| i128::try_from(d.as_nanos()).unwrap(),
            );
            entries.insert(path, Entry { mode: mode(&meta), mtime, content });
        }
        Self(entries)
    }

    /// Nothing below `root` differs from this tree: no byte, name, mode or time.
    #[track_caller]
    pub fn is_still(&self, root: &Path) {
        let now = Self::of(root);
        let differs: Vec<_> = self
            .0
            .keys()
            .chain(now.0.keys())
            .filter(|path| self.0.get(*path) != now.0.get(*path))
            .map(|path| path.display().to_string())
            .collect();
        assert!(differs.is_empty(), "changed, appeared or gone: {differs:#?}");
    }
}

#[cfg(unix)]
fn mode(meta: &std::fs::Metadata) -> u32 {
    std::os::unix::fs::MetadataExt::mode(meta)
}

#[cfg(not(unix))]
fn mode(meta: &std::fs::Metadata) -> u32 {
    u32::from(meta.is_dir())
}

/// Sorted names in a folder, without our own `.clawkeep`.
pub fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .filter(|name| name != ".clawkeep")
        .collect();
    names.sort();
    names
}
