//! Where the transcript of a row is, for commands that show one file per row.
//!
//! The first of these that exists: the row's `sessionFile` as written, the same name in the sessions folder (the state
//! may have been moved), `<id>.jsonl`, `<id>-topic-<t>.jsonl` for a key with a topic or thread. Ownership is more
//! generous (see [`crate::store::refs`]); nothing is removed because of what is found here.

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
    candidates(folder, index, row).into_iter().find_map(|path| regular(&path).map(|fp| Located { path, fp }))
}

/// Whether the row names a session at all, so that a transcript should exist.
pub fn expected(row: &Row) -> bool {
    row.session_id.is_some() || row.session_file.is_some()
}

fn candidates(folder: &Path, index: &IndexFacts, row: &Row) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    if let Some(file) = row.session_file {
        let text = file.get(&index.bytes);
        let text = text.trim();
        let path = Path::new(text);
        if path.is_absolute() {
            paths.push(path.to_owned());
        } else if path.components().all(|c| matches!(c, Component::Normal(_) | Component::CurDir)) {
            paths.push(folder.join(path));
        }
        if let Some(name) = text.rsplit(['/', '\\']).next().filter(|n| !n.is_empty() && *n != "..") {
            paths.push(folder.join(name));
        }
    }
    if let Some(id) = row.session_id {
        let id = id.get(&index.bytes);
        let id = id.trim();
        if names::is_session_id(id.as_bytes()) {
            paths.push(folder.join(format!("{id}.jsonl")));
            if let Some(topic) = topic(&index.key(row)) {
                paths.push(folder.join(format!("{id}-topic-{topic}.jsonl")));
            }
        }
    }
    paths
}

/// What follows the last `:topic:` or `:thread:` of a key, if it can be part of a file name.
fn topic(key: &str) -> Option<&str> {
    let at = [":topic:", ":thread:"].iter().filter_map(|mark| key.rfind(mark).map(|at| at + mark.len())).max()?;
    let topic = &key[at..];
    (!topic.is_empty() && topic.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-%".contains(&b))).then_some(topic)
}

fn regular(path: &Path) -> Option<Fingerprint> {
    let fp = lstat(path).ok()?;
    let fp = if fp.kind == Kind::Symlink { lstat(&path.canonicalize().ok()?).ok()? } else { fp };
    (fp.kind == Kind::File).then_some(fp)
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
        std::fs::write(
            &index,
            r#"{"moved": {"sessionId": "z", "sessionFile": "/former/home/a.jsonl"},
                "id": {"sessionId": "b"},
                "t:topic:5": {"sessionId": "c"},
                "escape": {"sessionId": "d", "sessionFile": "../../etc/passwd"},
                "none": {}}"#,
        )
        .unwrap();
        let IndexState::Whole(index) = crate::store::read::read(&index) else { panic!() };
        let found: Vec<Option<PathBuf>> =
            index.rows.iter().map(|row| locate(&folder, &index, row).map(|l| l.path)).collect();
        let at = |name: &str| Some(folder.join(name));
        assert_eq!(found, [at("a.jsonl"), at("b.jsonl"), at("c-topic-5.jsonl"), None, None]);
        assert!(expected(&index.rows[3]) && !expected(&index.rows[4]));
    }
}
