//! Whether an index behind a link is this folder's to change.
//!
//! A link may lead to an index on another volume, and then it is ours like any other. But who copies a folder copies the
//! link, and the index it leads to stays that of the original: a row that is put into it, or taken out of it, from the copy
//! is put in or taken out over there. Two things tell: records here that say they were made in another folder, which is
//! still there; and transcripts of its rows that lie in another folder, as other files than those here. One rule for every
//! command that changes rows; undo and recovery have refused what leads out of a copy before they come here.

use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::fsx::read::lstat;
use crate::journal::read;
use crate::model::fingerprint::{Fingerprint, Kind};
use crate::model::index::{IndexFacts, Row};
use crate::report::command::quote;
use crate::report::escape;

/// Why the rows of this index are not to be changed from `folder`; `None` if nothing speaks against it. `own_dir` keeps the
/// records.
pub fn refusal(folder: &Path, own_dir: &Path, index: &IndexFacts) -> Option<Error> {
    let home = index.path.parent()?;
    if is_same(home, folder) {
        return None;
    }
    let why = match (copied_from(own_dir), lies_elsewhere(folder, home, index)) {
        (Some(original), _) => {
            format!("{} is a copy of {}, and the index is not part of it", shown(folder), shown(&original))
        }
        (None, Some(file)) => {
            format!("{}, the transcript of one of its rows, is not in {}", shown(&file), shown(folder))
        }
        (None, None) => return None,
    };
    let real = word(&index.path);
    let mut error = Error::failed(format!(
        "the index here is a link to {}, which is that of another folder: {why}; nothing was changed",
        shown(&index.path)
    ));
    if let Some(way) = own_index(folder, &index.path) {
        error = error.hint(way);
    }
    Some(error.hint(format!("clawkeep sessions list --store {real}  (works on the other one)")))
}

/// The command that puts a copy of the index in the place of the link in `folder`; `None` if there is no such link.
pub fn own_index(folder: &Path, index: &Path) -> Option<String> {
    let link = link_to(folder, index).filter(|link| lstat(link).is_ok_and(|fp| fp.kind == Kind::Symlink))?;
    let (real, link) = (word(index), word(&link));
    Some(format!("cp -p --remove-destination {real} {link}  (gives this folder an index of its own)"))
}

fn shown(path: &Path) -> String {
    escape::path(path)
}

fn word(path: &Path) -> String {
    quote(&path.to_string_lossy()).into_owned()
}

fn is_same(a: &Path, b: &Path) -> bool {
    let id = |fp: Fingerprint| (fp.dev, fp.ino);
    a == b || lstat(a).ok().zip(lstat(b).ok()).is_some_and(|(a, b)| a.ino != 0 && id(a) == id(b))
}

/// The folder in which the last recorded change of an index was made, if that is another one and still there.
fn copied_from(own_dir: &Path) -> Option<PathBuf> {
    let runs = read::list(own_dir).ok()?;
    let last = runs.iter().rev().find(|run| run.meta.as_ref().is_some_and(|meta| meta.store.is_some()))?;
    let was = last.meta.as_ref()?.base.as_ref()?.folder.to_path();
    let is_there = lstat(&was).is_ok_and(|fp| fp.kind != Kind::Symlink);
    (last.copied && is_there && !is_same(&was, own_dir)).then_some(was)
}

/// A transcript of a row that is not the file of that name in `folder`: one beside the index, or one where the row says
/// although there is one here as well.
fn lies_elsewhere(folder: &Path, home: &Path, index: &IndexFacts) -> Option<PathBuf> {
    index.rows.iter().filter(|row| !row.shadowed).find_map(|row| {
        let path = path_of(index, row)?;
        let name = path.file_name()?;
        let here = lstat(&folder.join(name)).ok();
        let is_other = |path: &PathBuf| {
            let same = |here: Fingerprint, there: Fingerprint| (here.dev, here.ino) == (there.dev, there.ino);
            lstat(path).is_ok_and(|there| there.kind == Kind::File && !here.is_some_and(|here| same(here, there)))
        };
        let beside = Some(home.join(name)).filter(is_other);
        beside.or_else(|| Some(path.clone()).filter(|path| path.is_absolute() && here.is_some() && is_other(path)))
    })
}

/// The path of a row, or the name that its id stands for.
fn path_of(index: &IndexFacts, row: &Row) -> Option<PathBuf> {
    let text = |text: crate::model::index::Text| text.get(&index.bytes).trim().to_owned();
    match row.session_file.map(text).filter(|path| !path.is_empty()) {
        Some(path) => Some(PathBuf::from(path)),
        None => row.session_id.map(text).map(|id| PathBuf::from(format!("{id}.jsonl"))),
    }
}

/// The link in `folder` that leads there.
fn link_to(folder: &Path, index: &Path) -> Option<PathBuf> {
    let names = ["sessions.json".into(), index.file_name()?.to_owned()];
    let is_it = |path: &PathBuf| path.canonicalize().is_ok_and(|real| real == index);
    names.map(|name| folder.join(name)).into_iter().find(is_it)
}
