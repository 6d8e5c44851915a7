//! What is to be expected of undoing several runs, one after the other.
//!
//! Each run was planned on what the ones before it left, so the undo of an older one is planned on what the undo of the
//! newer ones leaves. That is worked out here, in memory, so that what is in the way of any of them is known before the
//! first file moves. The executor looks at everything again.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::undo::UndoPlan;
use crate::model::effect::{DirLink, Effect, MoveDir, SwapIndex};
use crate::model::fingerprint::{Fingerprint, Kind};
use crate::model::folder::{Artefact, FolderFacts};
use crate::model::index::IndexFacts;
use crate::scan::names::classify;
use crate::store::parse::parse;
use crate::store::write::render_into;

/// Folders and indexes as they will be.
#[derive(Debug, Default)]
pub struct Foreseen {
    folders: BTreeMap<PathBuf, FolderFacts>,
    indexes: BTreeMap<PathBuf, Option<IndexFacts>>,
    /// Folders that an undo gives their old path back: the path they will have, and the one they have now.
    moved: Vec<(PathBuf, PathBuf)>,
}

impl Foreseen {
    /// The folder, as it will be; read by `read`, from where it is now, if no undo before has touched it.
    ///
    /// # Errors
    /// Those of `read`.
    pub fn folder<E>(
        &mut self,
        path: &Path,
        read: impl FnOnce(&Path) -> Result<FolderFacts, E>,
    ) -> Result<&FolderFacts, E> {
        use std::collections::btree_map::Entry;
        let now = self.now(path);
        match self.folders.entry(path.to_owned()) {
            Entry::Occupied(known) => Ok(known.into_mut()),
            Entry::Vacant(new) => Ok(new.insert(FolderFacts { path: path.to_owned(), ..read(&now)? })),
        }
    }

    /// Where the folder that will have this path is now.
    fn now(&self, path: &Path) -> PathBuf {
        let mut now = path.to_owned();
        for (to, from) in self.moved.iter().rev() {
            if let Ok(below) = now.strip_prefix(to) {
                now = if below.as_os_str().is_empty() { from.clone() } else { from.join(below) };
            }
        }
        now
    }

    /// The index, as it will be; `None` if it will be one that cannot be read.
    ///
    /// # Errors
    /// Those of `read`.
    pub fn index<E>(
        &mut self,
        path: &Path,
        read: impl FnOnce() -> Result<IndexFacts, E>,
    ) -> Result<Option<IndexFacts>, E> {
        if let Some(known) = self.indexes.get(path) {
            return Ok(known.clone());
        }
        let index = read()?;
        self.indexes.insert(path.to_owned(), Some(index.clone()));
        Ok(Some(index))
    }

    /// Takes in what a plan for `folder` does. `kept` gives the state of a file of a run folder by its path.
    pub fn undone(&mut self, folder: &Path, plan: &UndoPlan, kept: &dyn Fn(&Path) -> Option<Fingerprint>) {
        for planned in &plan.effects {
            match &planned.effect {
                Effect::SwapIndex(swap) => {
                    self.swap(swap);
                    if let Some(name) = swap.path.file_name().filter(|_| swap.path.parent() == Some(folder)) {
                        self.put(folder, name, Fingerprint { ino: swap.fp.ino, dev: swap.fp.dev, ..blank() });
                    }
                }
                Effect::ReplaceIndex(replace) => {
                    let path = &replace.swap.path;
                    let text = Arc::new(replace.text.clone());
                    self.indexes.insert(path.clone(), parse(path.clone(), replace.swap.fp, text).ok());
                }
                Effect::MakeDir { name, mode } => {
                    let path = folder.join(name);
                    self.folders.insert(path.clone(), FolderFacts { path, ..FolderFacts::default() });
                    self.put(folder, name, Fingerprint { kind: Kind::Dir, mode: *mode, ..blank() });
                }
                Effect::Restore { from, to, replaces } => {
                    let archived = replaces.as_ref().and_then(|name| self.take(folder, name));
                    self.put(folder, to, kept(from).or(archived).unwrap_or_else(blank));
                }
                Effect::Move { file, to } => {
                    if let Some(fp) = self.take(folder, &file.name) {
                        self.put(folder, &to.of(&file.name), fp);
                    }
                }
                Effect::Splice { file, .. } | Effect::Rewrite { file, .. } => {
                    // As old as the run it was in: nobody used it since.
                    self.put(folder, &file.name, Fingerprint { ino: file.fp.ino, dev: file.fp.dev, ..blank() });
                }
                Effect::SetMode { file, mode } => {
                    self.put(folder, &file.name, Fingerprint { mode: *mode, ..file.fp });
                }
                Effect::Create { to, .. } | Effect::Unpack { to, .. } | Effect::Extract { to, .. } => {
                    self.put(folder, to, blank());
                }
                Effect::Stow { file } | Effect::Unlink { file, .. } | Effect::RemoveDir { dir: file } => {
                    self.take(folder, &file.name);
                }
                // Where a link leads from one name to the other, the folder is the same under both.
                Effect::MoveDir(dir) if dir.link == DirLink::None => self.rename(folder, dir),
                Effect::MoveDir(_) | Effect::Backup { .. } | Effect::PackThenUnlink { .. } | Effect::Guard { .. } => {}
            }
        }
    }

    fn rename(&mut self, folder: &Path, dir: &MoveDir) {
        for (path, name) in [(&dir.from, None), (&dir.to, Some(dir.fp))] {
            let Some(last) = path.file_name().filter(|_| path.parent() == Some(folder)) else { continue };
            match name {
                None => drop(self.take(folder, last)),
                Some(fp) => self.put(folder, last, fp),
            }
        }
        // What was foreseen of it goes with it.
        let known: Vec<PathBuf> = self.folders.keys().filter(|path| path.starts_with(&dir.from)).cloned().collect();
        for path in known {
            let to = path.strip_prefix(&dir.from).map_or_else(|_| dir.to.clone(), |below| dir.to.join(below));
            if let Some(facts) = self.folders.remove(&path) {
                self.folders.insert(to.clone(), FolderFacts { path: to, ..facts });
            }
        }
        self.moved.push((dir.to.clone(), dir.from.clone()));
    }

    fn swap(&mut self, swap: &SwapIndex) {
        let Some(Some(index)) = self.indexes.get(&swap.path) else { return };
        let mut text = Vec::with_capacity(index.bytes.len());
        let written = render_into(index, &swap.drop, &swap.insert, &mut text);
        let new = written.ok().and_then(|_| parse(swap.path.clone(), index.fp, Arc::new(text)).ok());
        self.indexes.insert(swap.path.clone(), new);
    }

    fn take(&mut self, folder: &Path, name: &OsStr) -> Option<Fingerprint> {
        let facts = self.folders.get_mut(folder)?;
        let at = facts.find(name)?;
        Some(facts.entries.remove(at).fp)
    }

    fn put(&mut self, folder: &Path, name: &OsStr, fp: Fingerprint) {
        let Some(facts) = self.folders.get_mut(folder) else { return };
        if let Some(at) = facts.find(name) {
            facts.entries[at].fp = fp;
            return;
        }
        let named = classify(name, None);
        let key = name.as_encoded_bytes();
        let at = facts.entries.partition_point(|entry| entry.name.as_encoded_bytes() < key);
        let (class, stem_len, stamp) = (named.class, named.stem_len, named.stamp);
        facts.entries.insert(at, Artefact { name: name.into(), class, stem_len, stamp, fp });
    }
}

/// A file of which nothing is known but that it is there, and old.
fn blank() -> Fingerprint {
    Fingerprint { nlink: 1, ..Fingerprint::NONE }
}
