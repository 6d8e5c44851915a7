//! Stores that only a look into the folder can find: copies, and stores that were used with `--store`.
//!
//! A sibling counts if its root is an object with a row that holds a `sessionId`. One that does not parse but begins
//! like a store, or cannot be read at all, counts too: it then makes ownership incomplete, which stops the removal of
//! orphans. Other JSON in the folder must not do that.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::fsx::read::read_head;
use crate::model::folder::{Artefact, Class, FolderFacts};
use crate::model::index::IndexState;

use super::lexer::Lexer;
use super::parse::BOM;
use super::read::read;

/// How much of a file decides whether it begins like a store.
const HEAD: usize = 64 * 1024;

/// Index paths in the folder beside `store_name`, in name order.
pub fn siblings(folder: &FolderFacts, store_name: &OsStr) -> Vec<PathBuf> {
    let candidates = folder.entries.iter().filter(|artefact| is_candidate(artefact, store_name));
    candidates
        .filter_map(|artefact| {
            let path = folder.path.join(&*artefact.name);
            (artefact.class == Class::Index || is_store(&path)).then_some(path)
        })
        .collect()
}

fn is_candidate(artefact: &Artefact, store_name: &OsStr) -> bool {
    artefact.is_file()
        && matches!(artefact.class, Class::Index | Class::Foreign)
        && artefact.name.as_encoded_bytes().ends_with(b".json")
        && *artefact.name != *store_name
}

fn is_store(path: &Path) -> bool {
    let head = match read_head(path, HEAD) {
        Ok(head) => head,
        // Gone meanwhile: refers to nothing. Anything else may be a store.
        Err(e) => return e.kind() != std::io::ErrorKind::NotFound,
    };
    if !begins_with_an_object_of_objects(&head.bytes) {
        return false;
    }
    match read(path) {
        IndexState::Whole(index) => index.rows.iter().any(|row| row.session_id.is_some()),
        IndexState::Absent => false,
        IndexState::Damaged(_) | IndexState::Unreadable(_) => {
            memchr::memmem::find(&head.bytes, b"\"sessionId\"").is_some()
        }
    }
}

/// `{`, a key, `:` and a value that is an object, or `null`, as a broken first row may be.
fn begins_with_an_object_of_objects(head: &[u8]) -> bool {
    let mut lexer = Lexer::new(head, if head.starts_with(BOM) { BOM.len() } else { 0 });
    lexer.space();
    if lexer.take(b'{').is_err() {
        return false;
    }
    lexer.space();
    lexer.key().is_ok() && matches!(lexer.peek(), Some(b'{' | b'n'))
}

#[cfg(test)]
mod tests {
    use crate::scan::folder::scan;

    use super::*;

    #[test]
    fn stores_are_found_and_other_json_is_not() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).unwrap();
        write("sessions.json", "");
        write("work.json", r#"{"agent:work:main":{"sessionId":"a"}}"#);
        write("torn.json", r#"{"agent:work:main":{"sessionId":"a"},"#);
        write("null-first.json", "\u{feff}{\"x\":null,\"y\":{\"sessionId\":\"a\"}}");
        write("empty.json", "{}");
        write("config.json", r#"{"a":{"b":1},"sessionId":"x"}"#);
        write("broken-config.json", r#"{"a":{"b":1},"#);
        write("list.json", r#"[{"sessionId":"a"}]"#);
        write("flat.json", r#"{"sessionId":"a"}"#);
        write("a.trajectory-path.json", r#"{"x":{"sessionId":"a"}}"#);
        write("work.json.bak.1", r#"{"x":{"sessionId":"a"}}"#);
        std::fs::create_dir(dir.path().join("folder.json")).unwrap();
        let names = |store: &str| {
            let facts = scan(dir.path(), Some(OsStr::new(store))).unwrap();
            let found = siblings(&facts, OsStr::new(store));
            found.iter().map(|p| p.file_name().unwrap().to_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(names("sessions.json"), ["null-first.json", "torn.json", "work.json"]);
        assert_eq!(names("work.json"), ["null-first.json", "sessions.json", "torn.json"], "sessions.json by its name");
    }
}
