//! Whether an archive holds what came back under its live name, so that it can go.
//!
//! Where the run was made, both are one file with two names. A state that was copied without its hard links has two files
//! instead, and only their bytes tell. An archive that holds anything else is somebody's, and stays.

use std::ffi::OsStr;
use std::io::{self, Read};

use crate::fsx::mutate::{Dir, stat_file};

/// Bytes compared at once.
const PIECE: usize = 1 << 18;

/// Whether both names lead to the same file, or to the same bytes. What cannot be read is taken for something else.
pub(super) fn is_one(folder: &Dir, live: &OsStr, archive: &OsStr) -> bool {
    let (Ok(a), Ok(b)) = (folder.stat(live), folder.stat(archive)) else { return false };
    let same_file = (a.dev, a.ino) == (b.dev, b.ino) && a.ino != 0;
    same_file || a.kind == b.kind && a.size == b.size && same_bytes(folder, live, archive).unwrap_or(false)
}

fn same_bytes(folder: &Dir, live: &OsStr, archive: &OsStr) -> io::Result<bool> {
    let (mut a, mut b) = (folder.open_file(live)?, folder.open_file(archive)?);
    let before = (stat_file(&a)?, stat_file(&b)?);
    let (mut of_a, mut of_b) = (Vec::with_capacity(PIECE), Vec::with_capacity(PIECE));
    loop {
        of_a.clear();
        of_b.clear();
        a.by_ref().take(PIECE as u64).read_to_end(&mut of_a)?;
        b.by_ref().take(PIECE as u64).read_to_end(&mut of_b)?;
        if of_a != of_b {
            return Ok(false);
        }
        if of_a.is_empty() {
            // Neither was written while it was read, and the names lead to what was read.
            let after = (folder.stat(live)?, folder.stat(archive)?);
            return Ok(before.0.same_file(&after.0) && before.1.same_file(&after.1));
        }
    }
}
