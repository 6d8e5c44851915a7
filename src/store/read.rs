//! The index from disk.

use std::io::{self, ErrorKind};
use std::path::Path;

use crate::fsx::read::{lstat, read_shared};
use crate::model::index::{Damage, DamageKind, IndexState};

use super::parse::parse;

/// Reads the index at `path`. A link is followed to the real file first; from there on nothing is followed.
///
/// Only "no such file" is [`IndexState::Absent`]. A link that leads nowhere, a folder, a FIFO and every other failure are
/// [`IndexState::Unreadable`]: they prove nothing about rows.
pub fn read(path: &Path) -> IndexState {
    let real = match path.canonicalize() {
        Ok(real) => real,
        Err(e) if e.kind() == ErrorKind::NotFound && lstat(path).is_err() => return IndexState::Absent,
        Err(e) => return unreadable(path, &e),
    };
    match read_shared(&real, u64::from(u32::MAX)) {
        Ok((bytes, fp)) => match parse(real, fp, bytes) {
            Ok(index) => IndexState::Whole(index),
            Err(damage) => IndexState::Damaged(damage),
        },
        Err(e) if e.kind() == ErrorKind::FileTooLarge => {
            IndexState::Damaged(Damage { kind: DamageKind::TooLarge, offset: 0, line: 1, column: 1, whole_rows: 0 })
        }
        Err(e) => unreadable(&real, &e),
    }
}

fn unreadable(path: &Path, e: &io::Error) -> IndexState {
    IndexState::Unreadable(format!("{}: {e}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absent_damaged_unreadable_and_whole_are_told_apart() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("sessions.json");
        assert!(matches!(read(&path), IndexState::Absent));
        std::fs::write(&path, "").unwrap();
        assert!(matches!(read(&path), IndexState::Damaged(d) if d.kind == DamageKind::Empty));
        std::fs::write(&path, "{}").unwrap();
        assert!(matches!(read(&path), IndexState::Whole(index) if index.rows.is_empty()));
        assert!(matches!(read(dir.path()), IndexState::Unreadable(_)));
        assert!(matches!(read(&path.join("x")), IndexState::Unreadable(_)));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_followed_once_and_a_dangling_one_is_not_an_absent_index() {
        let dir = tempfile::tempdir().unwrap();
        let (real, link) = (dir.path().join("real.json"), dir.path().join("sessions.json"));
        std::os::unix::fs::symlink(&real, &link).unwrap();
        assert!(matches!(read(&link), IndexState::Unreadable(_)));
        std::fs::write(&real, r#"{"a":{}}"#).unwrap();
        let IndexState::Whole(index) = read(&link) else { panic!("not read") };
        assert_eq!(index.path, real.canonicalize().unwrap());
        assert_eq!(index.rows.len(), 1);
    }
}
