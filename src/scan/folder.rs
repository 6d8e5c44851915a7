//! One pass over an artefact folder.
//!
//! Names are read, sorted, and looked at once each through the open directory, links not followed. Nothing is opened.
//! The result is in name order, so the order of the directory never reaches a plan. An entry that cannot be looked at is
//! listed as unreadable and does not stop the pass.

use std::ffi::OsStr;
use std::io::{self, ErrorKind};
use std::path::Path;

use crate::error::{Error, Kind, Result};
use crate::fsx::read::Folder;
use crate::model::folder::{Artefact, FolderFacts};

use super::names::classify;
use super::volume;

/// Reads the folder `dir`; a link to it is followed. `store_name` is the base name of the index of this run.
///
/// # Errors
///
/// [`Kind::Absent`] if there is no such folder; [`Kind::Failed`] if it cannot be read.
pub fn scan(dir: &Path, store_name: Option<&OsStr>) -> Result<FolderFacts> {
    let (folder, names) = open(dir).map_err(|e| match e.kind() {
        ErrorKind::NotFound => Error::new(Kind::Absent, format!("no such folder: {}", dir.display())),
        _ => Error::io("read the folder", dir, e),
    })?;
    let mut facts = FolderFacts {
        path: folder.path().to_owned(),
        entries: Vec::with_capacity(names.len()),
        unreadable: Vec::new(),
        volume: volume::facts(folder.path()),
        clock_skew_ms: 0,
    };
    for name in names {
        match folder.lstat(&name) {
            Ok(fp) => {
                let named = classify(&name, store_name);
                let (class, stem_len, stamp) = (named.class, named.stem_len, named.stamp);
                facts.entries.push(Artefact { name, class, stem_len, stamp, fp });
            }
            // Beside a writer names come and go: a lock, a temporary file.
            Err(e) if e.kind() == ErrorKind::NotFound => {}
            Err(e) => facts.unreadable.push((name.into_os_string(), e.to_string())),
        }
    }
    Ok(facts)
}

fn open(dir: &Path) -> io::Result<(Folder, Vec<Box<OsStr>>)> {
    let folder = Folder::open(&dir.canonicalize()?)?;
    let mut names = folder.names()?;
    names.sort_unstable_by(|a, b| a.as_encoded_bytes().cmp(b.as_encoded_bytes()));
    Ok((folder, names))
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use crate::model::fingerprint::Kind as FileKind;
    use crate::model::folder::Class;

    use super::*;

    #[test]
    fn entries_are_sorted_classified_and_not_followed() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["b.jsonl", "a.jsonl", "a.jsonl.lock", "-x.jsonl", "..y.jsonl", "my.json", "sessions.json"] {
            std::fs::write(dir.path().join(name), name).unwrap();
        }
        std::fs::create_dir(dir.path().join(".clawkeep")).unwrap();
        std::fs::create_dir(dir.path().join("dir.jsonl")).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink("a.jsonl", dir.path().join("z.jsonl")).unwrap();
        let facts = scan(dir.path(), Some(OsStr::new("my.json"))).unwrap();
        assert!(facts.entries.is_sorted_by(|a, b| a.name.as_encoded_bytes() < b.name.as_encoded_bytes()));
        let get = |name: &str| &facts.entries[facts.find(OsStr::new(name)).unwrap()];
        assert_eq!(get("my.json").class, Class::Index);
        assert_eq!(get("sessions.json").class, Class::Index);
        assert_eq!(get(".clawkeep").class, Class::Own);
        assert_eq!((get("-x.jsonl").class, get("-x.jsonl").stem()), (Class::Transcript, &b"-x"[..]));
        assert_eq!(get("..y.jsonl").stem(), b"..y");
        assert_eq!(get("dir.jsonl").fp.kind, FileKind::Dir);
        assert_eq!(get("a.jsonl").fp.size, 7);
        #[cfg(unix)]
        assert_eq!(get("z.jsonl").fp.kind, FileKind::Symlink);
        assert_eq!(facts.path, dir.path().canonicalize().unwrap());
    }

    #[test]
    fn a_missing_folder_is_absent_and_a_file_is_a_failure() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x");
        assert_eq!(scan(&path, None).unwrap_err().kind, Kind::Absent);
        std::fs::write(&path, "").unwrap();
        assert_eq!(scan(&path, None).unwrap_err().kind, Kind::Failed);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn names_that_are_not_utf8_survive() {
        use std::os::unix::ffi::OsStringExt;
        let dir = tempfile::tempdir().unwrap();
        let name = OsString::from_vec(b"\xff\xfe.jsonl".to_vec());
        std::fs::write(dir.path().join(&name), "").unwrap();
        let facts = scan(dir.path(), None).unwrap();
        assert_eq!(&*facts.entries[0].name, &*name);
        assert_eq!(facts.entries[0].stem(), b"\xff\xfe");
    }
}
