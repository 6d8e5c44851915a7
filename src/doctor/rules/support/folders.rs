//! Fixes that concern folders.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::model::doctor::FolderFix;
use crate::model::effect::{DirLink, Effect, FileRef, MoveDir};
use crate::model::fingerprint::{Fingerprint, Kind};

/// Bits of a folder that is made: history is nobody else's business.
const MODE: u32 = 0o700;

/// A fix of files in `folder` that is recorded in the state folder.
pub fn fix(folder: &Path, effects: Vec<Effect>) -> FolderFix {
    FolderFix { folder: folder.to_owned(), effects, store: None }
}

/// Makes folders, the outer ones first.
pub fn make(absent: &[PathBuf]) -> Vec<FolderFix> {
    let one = |path: &PathBuf| {
        let name = path.file_name()?.to_owned();
        Some(fix(path.parent()?, vec![Effect::MakeDir { name, mode: MODE }]))
    };
    absent.iter().filter_map(one).collect()
}

/// Takes an emptied folder away.
pub fn remove(path: &Path, fp: Fingerprint) -> Option<FolderFix> {
    let dir = FileRef { name: path.file_name()?.to_owned(), fp };
    Some(fix(path.parent()?, vec![Effect::RemoveDir { dir }]))
}

/// Gives a folder another path.
pub fn rename(from: &Path, fp: Fingerprint, to: PathBuf) -> Option<FolderFix> {
    let moved = MoveDir { from: from.to_owned(), fp, to, link: DirLink::None };
    Some(fix(from.parent()?, vec![Effect::MoveDir(moved)]))
}

/// What stays behind where only files are brought.
pub fn no_file(kind: Kind) -> &'static str {
    match kind {
        Kind::File => "it is a file of another program",
        Kind::Dir => "it is a folder",
        Kind::Symlink => "it is a link",
        _ => "it is no regular file",
    }
}

/// Brings a file of another folder in, under its own name.
pub fn bring(from: &Path, name: &OsString) -> Effect {
    Effect::Restore { from: from.join(name), to: name.clone(), replaces: None }
}
