//! Where the index of an interrupted run stands: told by the disk alone.

use std::ffi::OsStr;
use std::io;

use crate::fsx::mutate::Dir;
use crate::journal::write::{BEFORE, Journal};
use crate::model::run::{RunMeta, RunRecord};

/// Where the index of an interrupted run stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Index {
    /// As before the run.
    Old,
    /// The run's, or written by the gateway after it.
    Swapped,
    /// The run's, but what it displaced was not what was planned from: that writer's text must come back.
    Displaced,
}

/// Looks at the index and our temporary file beside it.
pub(super) fn index_state(
    dir: &Dir,
    name: &OsStr,
    temp: &OsStr,
    (record, meta): (&RunRecord, &RunMeta),
    journal: &Journal,
) -> io::Result<Index> {
    let look = |name: &OsStr| match dir.stat(name) {
        Ok(fp) => Ok(Some(fp)),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(e),
    };
    let (index, temp) = (look(name)?, look(temp)?);
    let (old, new) = (meta.index.as_ref(), meta.new_index.as_ref());
    Ok(if record.is_inode(index.as_ref(), new) {
        match &temp {
            // The exchange left something under the temp name that is not the old index.
            Some(_) if !record.is_inode(temp.as_ref(), old) => Index::Displaced,
            _ => Index::Swapped,
        }
    } else if record.is_inode(index.as_ref(), old) || record.is_inode(temp.as_ref(), new) {
        Index::Old
    } else if record.copied && same_text(dir, name, journal) {
        // A copy that kept neither inodes nor times.
        Index::Old
    } else {
        // Somebody wrote the index since. Rows that lead to files keep them, whichever it was.
        Index::Swapped
    })
}

/// Whether the index has the text that the run had read.
fn same_text(dir: &Dir, name: &OsStr, journal: &Journal) -> bool {
    let old = journal.dir().read(BEFORE);
    old.is_ok_and(|old| dir.read(name).is_ok_and(|now| now == old))
}
