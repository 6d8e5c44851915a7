//! Rows of a key that comes twice, of which the gateway sees the last.
//!
//! A run may have taken the hidden one out, or rewritten either of them. What comes back must never hide the row that is
//! in force: a hidden row comes back in the place of its own copy, or before the row that hides it, or not at all.

use std::collections::BTreeSet;

use super::undo::{UndoPlan, key_text, row_left, value_of};
use crate::model::effect::{RowInsert, SwapIndex};
use crate::model::index::{IndexFacts, Row};
use crate::model::run::{RowChange, RunRecord, RunRow};
use crate::store::identity::{identity, identity_of};

/// Plans what the run rewrote of keys that came twice. Gives those keys: there is no more to do about them.
pub(super) fn rewritten(
    run: &RunRecord,
    index: &IndexFacts,
    swap: &mut SwapIndex,
    out: &mut UndoPlan,
) -> BTreeSet<Vec<u8>> {
    let of = |change| move |row: &&RunRow| row.change == change;
    let key = |row: &RunRow| identity_of(&row.key.0).into_owned();
    let new: BTreeSet<Vec<u8>> = run.rows.iter().filter(of(RowChange::Inserted)).map(key).collect();
    let hidden = run.rows.iter().filter(of(RowChange::Dropped)).filter(|row| is_hidden(row));
    let keys: BTreeSet<Vec<u8>> = hidden.map(key).filter(|key| new.contains(key)).collect();
    for key in &keys {
        Key::of(run, index, key).back(swap, out);
    }
    keys
}

/// One key that came twice.
struct Key<'a> {
    run: &'a RunRecord,
    index: &'a IndexFacts,
    /// Rows that the run took, each with the row now that it wrote in its place.
    old: Vec<(&'a RunRow, Option<u32>)>,
    /// The row in force now.
    live: Option<u32>,
}

impl<'a> Key<'a> {
    fn of(run: &'a RunRecord, index: &'a IndexFacts, key: &[u8]) -> Self {
        let is_it = |row: &&RunRow| identity_of(&row.key.0) == key;
        let mut new: Vec<&RunRow> =
            run.rows.iter().filter(|row| row.change == RowChange::Inserted).filter(is_it).collect();
        let mut now: Vec<u32> = (0..)
            .zip(&index.rows)
            .filter(|(_, row)| identity(row.key, &index.bytes) == key)
            .map(|(ix, _)| ix)
            .collect();
        let live = now.last().copied();
        // The last ones belong together: a row that only left is one of those that were hidden.
        let mut old: Vec<(&RunRow, Option<u32>)> = Vec::new();
        for row in run.rows.iter().rev().filter(|row| row.change == RowChange::Dropped).filter(is_it) {
            let written = new.pop().map(|row| &*row.value.0);
            let at = now.iter().rposition(|ix| Some(value_of(index, *ix)) == written);
            old.push((row, at.map(|at| now.remove(at))));
        }
        old.reverse();
        Self { run, index, old, live }
    }

    fn back(&self, swap: &mut SwapIndex, out: &mut UndoPlan) {
        let winner = self.old.iter().find(|(row, _)| !is_hidden(row)).map(|(row, _)| *row);
        let is_written = |ix: u32| self.old.iter().any(|(_, at)| *at == Some(ix));
        match (self.live, winner) {
            // Used since, or as it was: hidden rows may still be the run's, and change nothing then.
            (Some(live), Some(winner)) if !is_written(live) => {
                if value_of(self.index, live) != winner.value.0 {
                    out.conflicts.push(row_left(winner, "the row was used since; it stays"));
                }
                return;
            }
            _ => {}
        }
        // The row that is in force after this one: the run's own, or one that it left alone.
        let rules = match winner {
            Some(_) => self.live,
            None => (0..)
                .zip(&self.index.rows)
                .filter(|(ix, row)| self.is_same(row) && !is_written(*ix))
                .last()
                .map(|(ix, _)| ix),
        };
        for (row, at) in &self.old {
            let is_back = |(ix, now): (u32, &Row)| {
                !is_written(ix) && self.is_same(now) && now.value.of(&self.index.bytes) == row.value.0
            };
            if (0..).zip(&self.index.rows).any(is_back) {
                continue;
            }
            let in_place = at.filter(|at| rules.is_none_or(|rules| *at <= rules));
            let after = match (in_place, rules) {
                (Some(_), _) => row.key.0.clone(),
                (None, _) if self.is_replaced(rules) => {
                    out.conflicts.push(row_left(row, REPLACED));
                    continue;
                }
                (None, Some(rules)) if !lands_before(self.run, self.index, row, rules) => {
                    out.conflicts.push(row_left(row, GONE));
                    continue;
                }
                (None, _) => row.after.as_ref().map_or(RowInsert::FIRST.to_vec(), |key| key.0.clone()),
            };
            swap.drop.extend(at);
            out.rows_back.push(key_text(row));
            swap.insert.push(RowInsert { key: row.key.0.clone(), value: row.value.0.clone(), after: Some(after) });
            out.rows_out.extend(at.map(|_| key_text(row)));
        }
    }

    /// Whether a row that is neither the run's, nor one that it took, nor the one in force has come to hide behind that.
    fn is_replaced(&self, rules: Option<u32>) -> bool {
        let is_foreign = |(ix, row): (u32, &Row)| {
            let value = row.value.of(&self.index.bytes);
            self.is_same(row)
                && Some(ix) != rules
                && self.old.iter().all(|(old, at)| *at != Some(ix) && old.value.0 != value)
        };
        (0..).zip(&self.index.rows).any(is_foreign)
    }

    fn is_same(&self, row: &Row) -> bool {
        self.old.first().is_some_and(|(old, _)| identity(row.key, &self.index.bytes) == identity_of(&old.key.0))
    }
}

/// Why a hidden row stays out.
const GONE: &str = "it was hidden by a later row of its key, and its old place is gone";

/// The same, where one more row of the key would be one too many.
const REPLACED: &str = "another row is hidden in its place now; that one stays";

fn is_hidden(row: &RunRow) -> bool {
    row.reason.as_deref() == Some(RunRow::SHADOWED)
}

/// A row that a later one of the same key hid, which the run left alone.
pub(super) fn left_alone(run: &RunRecord, row: &RunRow) -> bool {
    let same_key = |r: &&RunRow| identity_of(&r.key.0) == identity_of(&row.key.0);
    is_hidden(row) && run.rows.iter().filter(same_key).all(|r| r.change == RowChange::Dropped && is_hidden(r))
}

/// Puts a hidden row back before the one that hides it (`live`), so that the gateway goes on seeing that one.
pub(super) fn back(
    run: &RunRecord,
    (index, live): (&IndexFacts, u32),
    row: &RunRow,
    swap: &mut SwapIndex,
    out: &mut UndoPlan,
) {
    let same_key = |r: &Row| identity(r.key, &index.bytes) == identity_of(&row.key.0);
    let is_back = |r: &Row| r.shadowed && same_key(r) && r.value.of(&index.bytes) == row.value.0;
    if index.rows.iter().any(is_back) {
        return;
    }
    let taken =
        |value: &[u8]| run.rows.iter().any(|r| identity_of(&r.key.0) == identity_of(&row.key.0) && r.value.0 == value);
    if index.rows.iter().any(|r| r.shadowed && same_key(r) && !taken(r.value.of(&index.bytes))) {
        out.conflicts.push(row_left(row, REPLACED));
        return;
    }
    if !lands_before(run, index, row, live) {
        out.conflicts.push(row_left(row, GONE));
        return;
    }
    let after = row.after.as_ref().map_or(RowInsert::FIRST.to_vec(), |a| a.0.clone());
    out.rows_back.push(key_text(row));
    swap.insert.push(RowInsert { key: row.key.0.clone(), value: row.value.0.clone(), after: Some(after) });
}

/// Whether the row lands before `live` if it is put after the row that came before it then: that one is there, or comes
/// back itself to such a place.
fn lands_before(run: &RunRecord, index: &IndexFacts, row: &RunRow, live: u32) -> bool {
    let mut before = row.after.as_ref();
    for _ in 0..=run.rows.len() {
        let Some(key) = before.map(|key| identity_of(&key.0)) else { return true };
        // Of a key that comes twice, others come after its last row.
        let there = index.rows.iter().rposition(|r| identity(r.key, &index.bytes) == key);
        if let Some(there) = there {
            return there < live as usize;
        }
        let back = run.rows.iter().find(|r| r.change == RowChange::Dropped && identity_of(&r.key.0) == key);
        let Some(back) = back else { return false };
        before = back.after.as_ref();
    }
    false
}
