//! What earlier runs of this program keep in the `.clawkeep` of a folder, as far as making room is concerned.

use std::collections::HashMap;
use std::ffi::OsString;

use super::Ms;

/// A run folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptRun {
    /// Run id, also the name of the folder.
    pub id: String,
    /// It was closed and this program can read it. An unfinished run, or one of a newer program, is never taken.
    pub closed: bool,
    /// Last change of the folder.
    pub at: Ms,
    /// Files in it.
    pub files: u64,
    /// Allocated bytes of files that have no other name: what removing the folder frees.
    pub frees: u64,
}

/// A snapshot of an index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptSnapshot {
    /// Name in `.clawkeep/index`.
    pub name: OsString,
    /// Which index of the folder: several can share one.
    pub store: String,
    /// When it was made.
    pub at: Ms,
    /// The index was doubted when it was made.
    pub suspect: bool,
    /// Allocated bytes.
    pub frees: u64,
}

impl KeptSnapshot {
    /// For each of `snapshots` (oldest first), each as its index and whether that was doubted: whether it stays whatever is
    /// wanted. The newest good one of each index does, or the newest, if none is good.
    pub fn stay<'a>(snapshots: &[(&'a str, bool)]) -> Vec<bool> {
        let mut last: HashMap<&'a str, usize> = HashMap::new();
        for (at, (store, suspect)) in snapshots.iter().enumerate() {
            let other = last.get(store).copied();
            if !suspect || other.is_none_or(|other| snapshots[other].1) {
                last.insert(store, at);
            }
        }
        let mut out = vec![false; snapshots.len()];
        last.into_values().for_each(|at| out[at] = true);
        out
    }
}

/// Everything kept in one folder.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Kept {
    /// Run folders, oldest first.
    pub runs: Vec<KeptRun>,
    /// Index snapshots, oldest first.
    pub snapshots: Vec<KeptSnapshot>,
    /// How many names of ours lead to an inode, by device and inode.
    pub links: HashMap<(u64, u64), u32>,
}
