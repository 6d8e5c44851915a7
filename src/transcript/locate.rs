//! Where the transcript of a row is, for commands that show one file per row.
//!
//! The first of these that exists: the row's `sessionFile` as written if that is in the sessions folder, the same name in
//! the folder (the state may have been moved), `<id>.jsonl`, `<id>-topic-<t>.jsonl` for a key with a topic or thread, and
//! only then a `sessionFile` elsewhere: the gateway does not follow it (spec/transcripts.md 4), and in a copy of a state it
//! leads to the original. Ownership is more generous (see [`crate::store::refs`]); nothing is removed because of what is
//! found here.

use std::path::{Component, Path, PathBuf};

use super::names;
use crate::fsx::read::lstat;
use crate::model::fingerprint::{Fingerprint, Kind};
use crate::model::index::{IndexFacts, Row};

/// A transcript that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// Its path; for a link, the path of the link.
    pub path: PathBuf,
    /// State of the regular file there, links followed.
    pub fp: Fingerprint,
}

/// Finds the transcript of `row`. `None` if there is none, or the row names no session.
pub fn locate(folder: &Path, index: &IndexFacts, row: &Row) -> Option<Located> {
    let file = row.session_file.map(|file| file.get(&index.bytes));
    let file = file.as_deref().map(str::trim);
    let id = row.session_id.map(|id| id.get(&index.bytes));
    let id = id.as_deref().map(str::trim).filter(|id| names::is_session_id(id.as_bytes()));
    // One after the other: nearly always the first of them exists.
    let written = file.and_then(|file| as_written(folder, file));
    let here = written.as_ref().is_some_and(|path| path.starts_with(folder));
    written
        .clone()
        .filter(|_| here)
        .and_then(regular)
        .or_else(|| file.and_then(|file| in_folder(folder, file)).and_then(regular))
        .or_else(|| regular(folder.join(format!("{}.jsonl", id?))))
        .or_else(|| regular(folder.join(format!("{}-topic-{}.jsonl", id?, topic(&index.key(row))?))))
        .or_else(|| written.filter(|_| !here).and_then(regular))
}

/// Whether the row names a session at all, so that a transcript should exist.
pub fn expected(row: &Row) -> bool {
    row.session_id.is_some() || row.session_file.is_some()
}

fn as_written(folder: &Path, file: &str) -> Option<PathBuf> {
    let path = Path::new(file);
    let inside = || path.components().all(|c| matches!(c, Component::Normal(_) | Component::CurDir));
    (path.is_absolute() || inside()).then(|| folder.join(path))
}

fn in_folder(folder: &Path, file: &str) -> Option<PathBuf> {
    let name = file.rsplit(['/', '\\']).next().filter(|n| !n.is_empty() && *n != "..")?;
    Some(folder.join(name))
}

/// What follows the last `:topic:` or `:thread:` of a key, if it can be part of a file name.
fn topic(key: &str) -> Option<&str> {
    let at = [":topic:", ":thread:"].iter().filter_map(|mark| key.rfind(mark).map(|at| at + mark.len())).max()?;
    let topic = &key[at..];
    (!topic.is_empty() && topic.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-%".contains(&b))).then_some(topic)
}

fn regular(path: PathBuf) -> Option<Located> {
    let fp = lstat(&path).ok()?;
    let fp = if fp.kind == Kind::Symlink { lstat(&path.canonicalize().ok()?).ok()? } else { fp };
    (fp.kind == Kind::File).then_some(Located { path, fp })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::index::IndexState;

    #[test]
    fn the_first_place_that_exists_wins() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().canonicalize().unwrap();
        for name in ["a.jsonl", "b.jsonl", "c-topic-5.jsonl"] {
            std::fs::write(folder.join(name), "x").unwrap();
        }
        let index = folder.join("sessions.json");
        let elsewhere = tempfile::tempdir().unwrap();
        for name in ["a.jsonl", "e.jsonl"] {
            std::fs::write(elsewhere.path().join(name), "x").unwrap();
        }
        std::fs::write(
            &index,
            r#"{"moved": {"sessionId": "z", "sessionFile": "/former/home/a.jsonl"},
                "id": {"sessionId": "b"},
                "original": {"sessionId": "z", "sessionFile": "ELSEWHERE/a.jsonl"},
                "only there": {"sessionId": "z", "sessionFile": "ELSEWHERE/e.jsonl"},
                "t:topic:5": {"sessionId": "c"},
                "escape": {"sessionId": "d", "sessionFile": "../../etc/passwd"},
                "none": {}}"#
                .replace("ELSEWHERE", elsewhere.path().to_str().unwrap()),
        )
        .unwrap();
        let IndexState::Whole(index) = crate::store::read::read(&index) else { panic!() };
        let found: Vec<Option<PathBuf>> =
            index.rows.iter().map(|row| locate(&folder, &index, row).map(|l| l.path)).collect();
        let at = |name: &str| Some(folder.join(name));
        let there = Some(elsewhere.path().join("e.jsonl"));
        assert_eq!(found, [at("a.jsonl"), at("b.jsonl"), at("a.jsonl"), there, at("c-topic-5.jsonl"), None, None]);
        assert!(expected(&index.rows[5]) && !expected(&index.rows[6]));
    }
}
