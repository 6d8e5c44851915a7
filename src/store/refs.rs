//! Which files of a folder a row leads to (SAFETY 1).
//!
//! Generous on purpose: a file that is called owned by mistake is kept, one that is called an orphan by mistake is
//! somebody's history. A row leads to
//!
//! * the file its `sessionFile` names, by the last component of the path wherever that path points (the state may have
//!   been moved, or come from another system: `/` and `\` both separate);
//! * every transcript of its session id: `<id>.jsonl`, every topic `<id>-topic-*.jsonl` and every fork `<time>_<id>.jsonl`,
//!   so that no topic has to be worked out from the key;
//! * the same for each of its `usageFamilySessionIds`;
//! * the files its compaction checkpoints name, on either side;
//! * the trajectory and the pointer beside each of these, also where the transcript itself is gone.
//!
//! Ids are compared whole and exactly: two ids that share a prefix, or differ in case, are two sessions.
//!
//! # Performance
//!
//! One table per folder answers every question in constant time; it takes about 16 bytes a file.

use std::hash::BuildHasher;

use foldhash::fast::RandomState;

use crate::model::facts::RowFile;
use crate::model::folder::{Artefact, Class, FolderFacts};
use crate::model::index::{IndexFacts, Reference, Row, Text, Via};
use crate::transcript::names;

/// No further link.
const END: u32 = u32::MAX;

/// Lookup of the files of one folder by the session they belong to.
pub struct FolderIndex<'a> {
    folder: &'a FolderFacts,
    hasher: RandomState,
    /// First link of each bucket; the length is a power of two.
    buckets: Vec<u32>,
    /// `(entry, next link)`.
    links: Vec<(u32, u32)>,
}

impl<'a> FolderIndex<'a> {
    /// Builds the table.
    pub fn new(folder: &'a FolderFacts) -> Self {
        let size = folder.entries.len().next_power_of_two().max(16);
        let links = Vec::with_capacity(folder.entries.len());
        let mut table = Self { folder, hasher: RandomState::default(), buckets: vec![END; size], links };
        for (entry, artefact) in (0..).zip(&folder.entries) {
            match artefact.class {
                Class::Transcript | Class::Trajectory | Class::TrajectoryPointer => {
                    names::ids(artefact.stem()).for_each(|id| table.link(id, entry));
                }
                Class::Checkpoint => table.link(artefact.name.as_encoded_bytes(), entry),
                _ => {}
            }
        }
        table
    }

    /// The folder this is about.
    pub fn folder(&self) -> &'a FolderFacts {
        self.folder
    }

    fn link(&mut self, key: &[u8], entry: u32) {
        let bucket = self.bucket(key);
        let link = u32::try_from(self.links.len()).unwrap_or(END);
        self.links.push((entry, self.buckets[bucket]));
        self.buckets[bucket] = link;
    }

    fn bucket(&self, key: &[u8]) -> usize {
        usize::try_from(self.hasher.hash_one(key)).unwrap_or_default() & (self.buckets.len() - 1)
    }

    /// Entries that may be filed under `key`; callers check that they are.
    fn filed(&self, key: &[u8]) -> impl Iterator<Item = (u32, &'a Artefact)> {
        let mut next = self.buckets[self.bucket(key)];
        std::iter::from_fn(move || {
            let (entry, after) = *self.links.get(next as usize)?;
            next = after;
            Some((entry, &self.folder.entries[entry as usize]))
        })
    }

    /// Transcripts, trajectories and pointers of the session `id`, forks and topics included.
    pub fn of_session(&self, id: &[u8]) -> impl Iterator<Item = u32> {
        self.filed(id)
            .filter(move |(_, artefact)| {
                artefact.class != Class::Checkpoint && names::ids(artefact.stem()).any(|own| own == id)
            })
            .map(|(entry, _)| entry)
    }

    /// The entry with this name, whatever it is.
    pub fn named(&self, name: &[u8]) -> Option<u32> {
        // The usual case costs one look into the table instead of a binary search.
        let key = match name.strip_suffix(b".jsonl") {
            Some(stem) => stem,
            None => return self.search(name),
        };
        let is_it = |(_, artefact): &(u32, &Artefact)| artefact.name.as_encoded_bytes() == name;
        self.filed(key)
            .find(is_it)
            .or_else(|| self.filed(name).find(is_it))
            .map(|(entry, _)| entry)
            .or_else(|| self.search(name))
    }

    fn search(&self, name: &[u8]) -> Option<u32> {
        let found = self.folder.entries.binary_search_by(|a| a.name.as_encoded_bytes().cmp(name)).ok()?;
        u32::try_from(found).ok()
    }

    /// Trajectory and pointer of the transcript with exactly this stem.
    pub fn sidecars(&self, stem: &[u8]) -> impl Iterator<Item = u32> {
        self.filed(stem)
            .filter(move |(_, artefact)| {
                matches!(artefact.class, Class::Trajectory | Class::TrajectoryPointer) && artefact.stem() == stem
            })
            .map(|(entry, _)| entry)
    }
}

/// Finds every file of the folder that `row` leads to. `out` is cleared first and then holds each `(entry, via)` once, in
/// ascending order; an entry comes more than once if more than one field leads there.
pub fn row_files(lookup: &FolderIndex<'_>, index: &IndexFacts, row: &Row, out: &mut Vec<(u32, Via)>) {
    out.clear();
    if let Some(text) = row.session_file {
        by_path(lookup, &text.get(&index.bytes), Via::SessionFile, out);
    }
    if let Some(text) = row.session_id {
        by_id(lookup, text, index, Via::SessionId, out);
    }
    for Reference { via, text } in index.refs_of(row) {
        match via {
            Via::Checkpoint => by_path(lookup, &text.get(&index.bytes), Via::Checkpoint, out),
            via => by_id(lookup, *text, index, *via, out),
        }
    }
    out.sort_unstable();
    out.dedup();
}

/// [`row_files`] of every row.
pub fn all_row_files(lookup: &FolderIndex<'_>, index: &IndexFacts) -> Vec<RowFile> {
    let mut all = Vec::with_capacity(index.rows.len() * 2);
    let mut found = Vec::new();
    for (row, entry) in (0..).zip(&index.rows) {
        row_files(lookup, index, entry, &mut found);
        all.extend(found.iter().map(|(file, via)| RowFile { file: *file, row, via: *via }));
    }
    all
}

fn by_id(lookup: &FolderIndex<'_>, text: Text, index: &IndexFacts, via: Via, out: &mut Vec<(u32, Via)>) {
    let id = text.get(&index.bytes);
    let id = id.trim();
    if id.is_empty() {
        return;
    }
    for entry in lookup.of_session(id.as_bytes()) {
        let transcript = lookup.folder.entries[entry as usize].class == Class::Transcript;
        out.push((entry, if transcript { via } else { Via::Sidecar }));
    }
}

fn by_path(lookup: &FolderIndex<'_>, path: &str, via: Via, out: &mut Vec<(u32, Via)>) {
    let path = path.trim();
    // A name may hold a backslash of its own where `/` is the only separator.
    for name in [last_component(path, &['/', '\\']), last_component(path, &['/'])].into_iter().flatten() {
        if let Some(entry) = lookup.named(name.as_bytes()) {
            out.push((entry, via));
        }
        if via == Via::SessionFile {
            let stem = name.strip_suffix(".jsonl").unwrap_or(name);
            out.extend(lookup.sidecars(stem.as_bytes()).map(|entry| (entry, Via::Sidecar)));
        }
    }
}

fn last_component<'p>(path: &'p str, separators: &[char]) -> Option<&'p str> {
    path.rsplit(separators).next().filter(|name| !matches!(*name, "" | "." | ".."))
}

#[cfg(test)]
#[path = "refs_tests.rs"]
mod tests;
