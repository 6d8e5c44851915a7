//! Other stores of the set: only what they refer to in the folder at hand is kept.

use std::path::Path;

use crate::model::index::{IndexFacts, IndexState};
use crate::model::stores::{MemberRef, MemberState};

use super::read;
use super::refs::{FolderIndex, row_files};

/// Reads the index at `path` and keeps its references into the folder of `lookup`. Its text is dropped again.
pub fn read(path: &Path, lookup: &FolderIndex<'_>) -> MemberState {
    match read::read(path) {
        IndexState::Whole(index) => MemberState::Read { rows: index.rows.len(), refs: references(&index, lookup) },
        IndexState::Absent => MemberState::Absent,
        IndexState::Damaged(damage) => MemberState::Failed(format!(
            "{}: {} (byte {}, line {})",
            path.display(),
            damage.kind.describe(),
            damage.offset,
            damage.line
        )),
        IndexState::Unreadable(why) => MemberState::Failed(why),
    }
}

/// References of every row, shadowed ones included, in file order.
fn references(index: &IndexFacts, lookup: &FolderIndex<'_>) -> Vec<MemberRef> {
    let mut refs = Vec::new();
    let mut files = Vec::new();
    for row in &index.rows {
        row_files(lookup, index, row, &mut files);
        refs.extend(files.iter().map(|(file, via)| MemberRef { file: *file, key: index.key(row).into(), via: *via }));
    }
    refs
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use crate::model::index::Via;
    use crate::scan::folder::scan;

    use super::*;

    #[test]
    fn a_member_says_what_it_refers_to_and_a_damaged_one_that_it_failed() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("a.jsonl"), "").unwrap();
        std::fs::write(dir.path().join("b.jsonl"), "").unwrap();
        let facts = scan(dir.path(), None).unwrap();
        let lookup = FolderIndex::new(&facts);
        let path = dir.path().join("other.json");
        assert!(matches!(read(&path, &lookup), MemberState::Absent));
        std::fs::write(&path, r#"{"x":{"sessionId":"zz","sessionFile":"/gone/b.jsonl"},"y":7}"#).unwrap();
        let MemberState::Read { rows, refs } = read(&path, &lookup) else { panic!("not read") };
        assert_eq!(rows, 2);
        assert_eq!(refs.len(), 1);
        assert_eq!(&*facts.entries[refs[0].file as usize].name, OsStr::new("b.jsonl"));
        assert_eq!((&*refs[0].key, refs[0].via), ("x", Via::SessionFile));
        std::fs::write(&path, r#"{"x":{"sessionId":"#).unwrap();
        assert!(matches!(read(&path, &lookup), MemberState::Failed(why) if why.contains("other.json")));
    }
}
