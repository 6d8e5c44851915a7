//! The end of a transcript by a few reads, however large it is.
//!
//! The leaf is the last line and parents mostly stand right before their children, so the last messages of the active branch
//! are nearly always in the last [`FIRST`] bytes. If they are not the window grows fourfold, [`TRIES`] times at most; after
//! that the whole file has to be indexed. What is found in a window is exact: of two entries with one id the later one counts,
//! and it is the later one that is in the window.

use std::io;

use super::index::Index;
use super::source::Source;

/// Bytes of the first window.
pub const FIRST: usize = 128 * 1024;
/// Windows that are tried.
pub const TRIES: u32 = 5;

/// The end of a file.
#[derive(Debug)]
pub struct Tail {
    /// What is in the window.
    pub index: Index,
    /// Offset of the window.
    pub start: u64,
    /// The window.
    pub bytes: Vec<u8>,
}

/// Reads windows of growing size until one is enough. `None`: none was, short of the whole file.
///
/// # Errors
/// What reading gives.
pub fn read(source: &Source, enough: impl Fn(&Index) -> bool) -> io::Result<Option<Tail>> {
    let mut len = FIRST as u64;
    for _ in 0..TRIES {
        let start = source.size.saturating_sub(len);
        let bytes = source.bytes(start, usize::try_from(source.size - start).unwrap_or(usize::MAX))?;
        let index = Index::of_end(&bytes, start)?;
        if start == 0 || enough(&index) {
            return Ok(Some(Tail { index, start, bytes }));
        }
        len *= 4;
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::tree::{Tree, View};

    #[test]
    fn the_window_grows_until_the_branch_is_long_enough() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("t.jsonl");
        let line = |n: usize, parent: usize| {
            format!("{{\"id\":\"{n}\",\"parentId\":\"{parent}\",\"x\":\"{}\"}}\n", "y".repeat(1000))
        };
        // The last entry goes on where the file began, behind 2 MB of another branch.
        let text: String = (1..2000).map(|n| line(n, n - 1)).chain([line(3000, 5)]).collect();
        std::fs::write(&path, text).unwrap();
        let source = Source::open(&path, &[]).unwrap();
        let branch = |index: &Index| Tree::of(index, View::Gateway).active().entries.len();
        let tail = read(&source, |index| branch(index) >= 1).unwrap().unwrap();
        assert_eq!((tail.bytes.len(), branch(&tail.index)), (FIRST, 1));
        let tail = read(&source, |index| branch(index) >= 3).unwrap().unwrap();
        assert_eq!((tail.start, branch(&tail.index)), (0, 6));
    }
}
