//! The tree of a transcript: who is whose parent, where the active branch ends, what leads there.
//!
//! As the gateway sees it (spec/transcripts.md 1.5 to 1.7): of entries with one id the last counts; the leaf is the last
//! entry of the file, whatever it is; a parent that is missing ends the walk without a word. Where the gateway would walk in
//! a circle for ever, the walk here ends and says so. Nothing here recurses.

use super::entries::RECOVERED;
use super::index::{Faults, First, Index};
use super::record::IdHash;
use crate::model::transcript::{IdKind, Kind};

/// No entry.
pub const NONE: u32 = u32::MAX;
/// Bits of a key that hold the position.
const POSITION_BITS: u32 = 21;

/// Which records count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum View {
    /// Those that the gateway reads.
    #[default]
    Gateway,
    /// Also those that were found whole on damaged lines.
    Recovered,
}

/// A tree over an index.
#[derive(Debug)]
pub struct Tree<'a> {
    /// The index.
    pub index: &'a Index,
    view: View,
    /// Positions of entries that can be found, sorted by their ids, then by place.
    order: Vec<u32>,
    /// Position of the parent, or [`NONE`].
    parents: Vec<u32>,
    /// Entries that a later one with the same id hides, one bit each; empty if there is none.
    hidden: Vec<u64>,
}

/// Where the active branch ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leaf {
    /// There is no entry.
    Nothing,
    /// The last entry, which has an id.
    At(u32),
    /// The last entry has no id to be found by: the gateway has no branch, and builds the context from the entry itself.
    Unnamed(u32),
    /// The id of the last entry is `null`: the gateway has no branch and an empty context.
    Null(u32),
}

impl Leaf {
    /// Where the context begins its walk.
    pub fn context(self) -> Option<u32> {
        match self {
            Self::At(at) | Self::Unnamed(at) => Some(at),
            Self::Nothing | Self::Null(_) => None,
        }
    }

    /// Where the branch begins its walk.
    pub fn branch(self) -> Option<u32> {
        if let Self::At(at) = self { Some(at) } else { None }
    }

    /// The last entry, whatever its id.
    pub fn entry(self) -> Option<u32> {
        match self {
            Self::At(at) | Self::Unnamed(at) | Self::Null(at) => Some(at),
            Self::Nothing => None,
        }
    }
}

/// A way from a root to an entry.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Path {
    /// Positions, the root first.
    pub entries: Vec<u32>,
    /// The walk came back to this entry: the gateway never returns.
    pub cycle: Option<u32>,
    /// The first entry names a parent that is not there.
    pub dangling: bool,
    /// Older entries were let go, so the beginning may be missing.
    pub cut: bool,
}

/// What the gateway does with the file when it opens it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opening {
    /// It reads it.
    Reads,
    /// It discards every entry and writes a new header over the file.
    Wipes,
    /// It stops with an error: a `null` line.
    Throws,
}

/// What the gateway does with the file when it opens it.
pub fn opening(first: First, faults: &Faults) -> Opening {
    match first {
        First::Header(_) if faults.first_null > 0 => Opening::Throws,
        First::Header(_) => Opening::Reads,
        First::Other(place) if faults.first_null == place.line => Opening::Throws,
        First::Other(_) | First::Nothing => Opening::Wipes,
    }
}

impl<'a> Tree<'a> {
    /// Builds the tree.
    pub fn of(index: &'a Index, view: View) -> Self {
        let mut keys: Vec<u64> = Vec::with_capacity(index.entries.len());
        for (entry, at) in index.entries.iter().zip(0u64..) {
            if entry.id != 0 && entry.named() == IdKind::Usable && (view == View::Recovered || !entry.is(RECOVERED)) {
                keys.push(entry.id >> POSITION_BITS << POSITION_BITS | at);
            }
        }
        keys.sort_unstable();
        let same = |w: &[u64]| w[0] >> POSITION_BITS == w[1] >> POSITION_BITS;
        let position = |key: u64| (key & ((1 << POSITION_BITS) - 1)) as u32;
        let mut hidden = Vec::new();
        for pair in keys.windows(2).filter(|w| same(w)) {
            let (at, next) = (position(pair[0]), position(pair[1]));
            if index.entries.get(at).id == index.entries.get(next).id {
                hidden.resize(index.entries.len().div_ceil(64), 0);
                hidden[at as usize / 64] |= 1u64 << (at % 64);
            }
        }
        let order = keys.iter().map(|key| position(*key)).collect();
        drop(keys);
        let mut tree = Self { index, view, order, parents: Vec::new(), hidden };
        let mut parents = Vec::with_capacity(index.entries.len());
        for (entry, at) in index.entries.iter().zip(0u32..) {
            // Nearly every parent stands right before its child: looking there first saves a search.
            let before = at.checked_sub(1).filter(|before| {
                !tree.hidden(*before) && index.entries.get(*before).id == entry.parent && tree.counts(*before)
            });
            parents.push(match (entry.parent, before) {
                (0, _) => NONE,
                (_, Some(before)) => before,
                (id, None) => tree.find(id).unwrap_or(NONE),
            });
        }
        tree.parents = parents;
        tree
    }

    /// The entry with this id; of several the last one.
    pub fn find(&self, id: IdHash) -> Option<u32> {
        let prefix = id >> POSITION_BITS;
        let entry = |at: u32| self.index.entries.get(at).id;
        let mut after = self.order.partition_point(|at| entry(*at) >> POSITION_BITS <= prefix);
        while let Some(before) = after.checked_sub(1) {
            let at = self.order[before];
            if entry(at) >> POSITION_BITS != prefix {
                return None;
            }
            if entry(at) == id {
                return Some(at);
            }
            after = before;
        }
        None
    }

    /// Whether an entry counts in this view.
    pub fn counts(&self, at: u32) -> bool {
        self.view == View::Recovered || !self.index.entries.get(at).is(RECOVERED)
    }

    /// Whether another entry with the same id comes later and hides this one.
    pub fn hidden(&self, at: u32) -> bool {
        self.hidden.get(at as usize / 64).is_some_and(|word| word & (1u64 << (at % 64)) != 0)
    }

    /// The parent of an entry.
    pub fn parent(&self, at: u32) -> Option<u32> {
        Some(self.parents[at as usize]).filter(|parent| *parent != NONE)
    }

    /// Whether an entry names a parent that is not there.
    pub fn dangling(&self, at: u32) -> bool {
        self.index.entries.get(at).parent != 0 && self.parents[at as usize] == NONE
    }

    /// The leaf: the last entry of the file.
    pub fn leaf(&self) -> Leaf {
        let last = self.index.entries.positions().rev().find(|at| self.counts(*at));
        let Some(at) = last else { return Leaf::Nothing };
        match self.index.entries.get(at).named() {
            IdKind::Usable => Leaf::At(at),
            IdKind::Null => Leaf::Null(at),
            IdKind::Missing | IdKind::Empty => Leaf::Unnamed(at),
        }
    }

    /// The way to an entry, or from as near as the walk gets.
    pub fn path(&self, to: Option<u32>) -> Path {
        let mut path = Path::default();
        let mut next = to;
        // One bit an entry: a list of what was passed would cost more than the walk.
        let mut passed = vec![0u64; self.parents.len().div_ceil(64)];
        while let Some(at) = next {
            let (word, bit) = (at as usize / 64, 1u64 << (at % 64));
            if passed[word] & bit != 0 {
                path.cycle = Some(at);
                break;
            }
            passed[word] |= bit;
            path.entries.push(at);
            next = self.parent(at);
        }
        path.entries.reverse();
        if let (Some(root), None) = (path.entries.first(), path.cycle) {
            path.dangling = self.dangling(*root);
            path.cut = path.dangling && self.index.entries.dropped > 0;
        }
        path
    }

    /// The active branch.
    pub fn active(&self) -> Path {
        self.path(self.leaf().branch())
    }

    /// Children of every entry, and the roots, in file order.
    pub fn children(&self) -> Children {
        Children::of(self)
    }

    /// Entries that begin a branch: no parent, or one that is not there. An entry that is its own parent is one too.
    pub fn roots(&self) -> Vec<u32> {
        let positions = self.index.entries.positions().filter(|at| self.counts(*at) && !self.hidden(*at));
        positions.filter(|at| self.parent(*at).is_none_or(|parent| parent == *at)).collect()
    }

    /// The newest entry of a kind in file order.
    pub fn last_of(&self, kind: Kind) -> Option<u32> {
        self.index.entries.positions().rev().find(|at| self.index.entries.get(*at).kind() == kind && self.counts(*at))
    }
}

/// Children of every entry, as one list.
#[derive(Debug)]
pub struct Children {
    starts: Vec<u32>,
    list: Vec<u32>,
}

impl Children {
    fn of(tree: &Tree<'_>) -> Self {
        let len = tree.parents.len();
        let mut starts = vec![0u32; len + 1];
        let child = |at: u32| tree.parent(at).filter(|parent| *parent != at && tree.counts(at) && !tree.hidden(at));
        let positions = tree.index.entries.positions();
        for at in positions.clone() {
            if let Some(parent) = child(at) {
                starts[parent as usize + 1] += 1;
            }
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut list = vec![0; starts[len] as usize];
        let mut filled = starts.clone();
        for at in positions {
            if let Some(parent) = child(at) {
                let slot = &mut filled[parent as usize];
                list[*slot as usize] = at;
                *slot += 1;
            }
        }
        Self { starts, list }
    }

    /// The children of one entry, in file order.
    pub fn of_entry(&self, at: u32) -> &[u32] {
        let at = at as usize;
        &self.list[self.starts[at] as usize..self.starts[at + 1] as usize]
    }
}

#[cfg(test)]
#[path = "tree_tests.rs"]
mod tests;
