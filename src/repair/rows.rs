//! Edits of single rows of a whole index, collected so that several repairs can touch the same row.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::effect::{RowInsert, SwapIndex};
use crate::model::index::IndexFacts;

/// Rows that go, change or come.
#[derive(Debug, Default)]
pub struct RowEdits {
    values: BTreeMap<u32, Vec<u8>>,
    dropped: BTreeSet<u32>,
    new: Vec<RowInsert>,
}

impl RowEdits {
    /// The value of a row as edited so far.
    pub fn value<'a>(&'a self, index: &'a IndexFacts, ix: u32) -> &'a [u8] {
        match self.values.get(&ix) {
            Some(value) => value,
            None => index.rows[ix as usize].value.of(&index.bytes),
        }
    }

    /// Gives a row a new value.
    pub fn set(&mut self, ix: u32, value: Vec<u8>) {
        self.values.insert(ix, value);
    }

    /// Takes a row out.
    pub fn drop_row(&mut self, ix: u32) {
        self.dropped.insert(ix);
    }

    /// Puts a new row at the end.
    pub fn add(&mut self, key: Vec<u8>, value: Vec<u8>) {
        self.new.push(RowInsert { key, value, after: None });
    }

    /// Whether a row goes.
    pub fn is_dropped(&self, ix: u32) -> bool {
        self.dropped.contains(&ix)
    }

    /// Nothing to do.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty() && self.dropped.is_empty() && self.new.is_empty()
    }

    /// The edits as a change of `index`. A row with a new value leaves and comes back to its own place.
    pub fn into_swap(self, index: &IndexFacts) -> SwapIndex {
        let Self { values, dropped, new } = self;
        let mut insert = Vec::with_capacity(values.len() + new.len());
        let mut drop = dropped.clone();
        for (ix, value) in values.into_iter().filter(|(ix, _)| !dropped.contains(ix)) {
            let key = index.rows[ix as usize].key.span.of(&index.bytes).to_vec();
            // Its own key: dropped rows keep their place for those that follow them.
            insert.push(RowInsert { after: Some(key.clone()), key, value });
            drop.insert(ix);
        }
        insert.extend(new);
        SwapIndex { path: index.path.clone(), fp: index.fp, drop: drop.into_iter().collect(), insert }
    }
}
