//! Other stores of the set: only what they refer to in the folder at hand is kept.
//!
//! A bare session id means the file in the store's own folder. It leads into this folder only where that folder is
//! looked at and proven not to have the file: an agent that was copied shares its ids with the original, and each has a
//! file of its own (reports F14). Paths lead wherever their last component is found.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::fsx::read::lstat;
use crate::model::fingerprint::Kind;
use crate::model::folder::Artefact;
use crate::model::index::{IndexFacts, IndexState, Via};
use crate::model::run::Raw;
use crate::model::stores::{MemberRef, MemberState};

use super::read;
use super::refs::{FolderIndex, row_files};

/// Reads the index at `path` and keeps its references into the folder of `lookup`. Its text is dropped again.
pub fn read(path: &Path, lookup: &FolderIndex<'_>) -> MemberState {
    match read::read(path) {
        IndexState::Whole(index) => {
            let own = own_folder(path, lookup);
            MemberState::Read { rows: index.rows.len(), refs: references(&index, lookup, own.as_deref()) }
        }
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

/// The folder of the store at `path`, where that is another one than the folder at hand and can be told.
fn own_folder(path: &Path, lookup: &FolderIndex<'_>) -> Option<PathBuf> {
    let own = path.parent()?.canonicalize().ok()?;
    (own != lookup.folder().path).then_some(own)
}

/// References of every row, shadowed ones included, in file order. `own`: the folder of the store, if it is another.
fn references(index: &IndexFacts, lookup: &FolderIndex<'_>, own: Option<&Path>) -> Vec<MemberRef> {
    let mut refs = Vec::new();
    let mut files = Vec::new();
    for row in &index.rows {
        row_files(lookup, index, row, &mut files);
        if let Some(own) = own {
            let by_path = row.session_file.is_some();
            files.retain(|(file, via)| {
                !by_bare_id(*via, by_path) || !has_its_own(own, &lookup.folder().entries[*file as usize])
            });
        }
        refs.extend(files.iter().map(|(file, via)| MemberRef { file: *file, key: index.key(row).into(), via: *via }));
    }
    refs
}

/// Whether nothing but an id leads there. The files beside a transcript may be those of a path, if the row has one.
fn by_bare_id(via: Via, row_has_path: bool) -> bool {
    matches!(via, Via::SessionId | Via::UsageFamily) || (via == Via::Sidecar && !row_has_path)
}

/// Whether `own` has the transcript that `file` is, or belongs to. What cannot be looked at is not proven to be there.
fn has_its_own(own: &Path, file: &Artefact) -> bool {
    let there = |name: &OsStr| lstat(&own.join(name)).is_ok_and(|fp| fp.kind == Kind::File);
    if there(&file.name) {
        return true;
    }
    let transcript = Raw([file.stem(), b".jsonl"].concat()).to_os();
    there(&transcript)
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

    #[test]
    fn a_bare_id_means_the_file_in_the_folder_of_its_store() {
        let dir = tempfile::tempdir().unwrap();
        let (here, there) = (dir.path().join("here"), dir.path().join("there"));
        for folder in [&here, &there] {
            std::fs::create_dir(folder).unwrap();
            for name in ["both.jsonl", "path.jsonl"] {
                std::fs::write(folder.join(name), "").unwrap();
            }
        }
        for name in ["both.trajectory.jsonl", "only.jsonl"] {
            std::fs::write(here.join(name), "").unwrap();
        }
        let rows =
            r#"{"a":{"sessionId":"both"},"b":{"sessionId":"only"},"c":{"sessionId":"x","sessionFile":"path.jsonl"}}"#;
        let led_to = |store: &Path| {
            std::fs::write(store, rows).unwrap();
            let facts = scan(&here, None).unwrap();
            let MemberState::Read { refs, .. } = read(store, &FolderIndex::new(&facts)) else { panic!("not read") };
            let name = |r: &MemberRef| facts.entries[r.file as usize].name.to_string_lossy().into_owned();
            refs.iter().map(name).collect::<Vec<_>>()
        };
        assert_eq!(led_to(&there.join("sessions.json")), ["only.jsonl", "path.jsonl"]);
        let beside = ["both.jsonl", "both.trajectory.jsonl", "only.jsonl", "path.jsonl"];
        assert_eq!(led_to(&here.join("other.json")), beside, "one folder, two stores");
        std::fs::remove_file(there.join("both.jsonl")).unwrap();
        assert_eq!(led_to(&there.join("sessions.json")), beside, "the file is nowhere else");
    }
}
