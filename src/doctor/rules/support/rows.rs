//! Changes of an index, row by row, in the exact bytes of the rows.

use std::collections::BTreeMap;

use crate::model::effect::{RowInsert, SwapIndex};
use crate::model::index::{IndexFacts, Row, TimeField};
use crate::model::{HOUR, Ms};
use crate::store::splice;

/// A row as it will be.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Wanted {
    key: String,
    value: Vec<u8>,
}

/// The changes of one index while they are being made.
#[derive(Debug)]
pub struct Changes<'a> {
    index: &'a IndexFacts,
    changed: BTreeMap<u32, Option<Wanted>>,
    new: Vec<Wanted>,
}

impl<'a> Changes<'a> {
    /// None yet.
    pub fn of(index: &'a IndexFacts) -> Self {
        Self { index, changed: BTreeMap::new(), new: Vec::new() }
    }

    /// Gives the row a new key and value.
    pub fn set(&mut self, row: u32, key: String, value: Vec<u8>) {
        self.changed.insert(row, Some(Wanted { key, value }));
    }

    /// Takes the row out.
    pub fn drop_row(&mut self, row: u32) {
        self.changed.insert(row, None);
    }

    /// Puts a row at the end.
    pub fn add(&mut self, key: String, value: Vec<u8>) {
        self.new.push(Wanted { key, value });
    }

    /// Nothing changes.
    pub fn is_empty(&self) -> bool {
        self.changed.is_empty() && self.new.is_empty()
    }

    /// As a change of the index; every row keeps its place.
    pub fn into_swap(self) -> SwapIndex {
        let index = self.index;
        let raw_key = |ix: u32| index.rows[ix as usize].key.span.of(&index.bytes).to_vec();
        let mut insert = Vec::new();
        for (ix, wanted) in &self.changed {
            let Some(Wanted { key, value }) = wanted else { continue };
            // Its own key: rows that leave keep their place for those that follow them.
            insert.push(RowInsert { key: quoted(key), value: value.clone(), after: Some(raw_key(*ix)) });
        }
        insert.extend(self.new.into_iter().map(|w| RowInsert { key: quoted(&w.key), value: w.value, after: None }));
        SwapIndex { path: index.path.clone(), fp: index.fp, drop: self.changed.keys().copied().collect(), insert }
    }
}

/// The bytes between the quotes of a JSON string.
fn quoted(text: &str) -> Vec<u8> {
    let quoted = serde_json::to_vec(text).unwrap_or_default();
    quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default().to_vec()
}

/// Bytes of the value of a row.
pub fn value<'a>(index: &'a IndexFacts, row: &Row) -> &'a [u8] {
    row.value.of(&index.bytes)
}

/// `updatedAt` as the gateway compares it: any number counts, and what is none is 0.
pub fn updated(index: &IndexFacts, row: &Row) -> Ms {
    #[expect(clippy::cast_possible_truncation, reason = "saturating, and only compared")]
    row.updated_at.ms().unwrap_or_else(|| number(index, row).map_or(0, |n| n as Ms))
}

fn number(index: &IndexFacts, row: &Row) -> Option<f64> {
    let entry = serde_json::from_slice::<serde_json::Value>(value(index, row)).unwrap_or_default();
    entry.get("updatedAt").and_then(serde_json::Value::as_f64)
}

/// Whether the first row was used after the second, as far as their times can be believed. A time in the future, or one
/// that is none, decides nothing: the second stays, and that is said.
pub fn is_later(now: Ms, one: (&IndexFacts, &Row), other: (&IndexFacts, &Row), lines: &mut Vec<String>) -> bool {
    let differ = updated(one.0, one.1) != updated(other.0, other.1);
    if differ && !are_comparable(&[one, other], now) {
        let doubt = [one, other].into_iter().find(|(_, row)| !is_believable(row, now)).unwrap_or(one);
        let (key, stays) = (doubt.0.key(doubt.1), other.0.key(other.1));
        lines.push(format!("the time of {key} is not to be believed, so {stays} stays: compare the two conversations"));
        return false;
    }
    updated(one.0, one.1) > updated(other.0, other.1)
}

/// Whether the times of rows can decide which was used last: each can be believed, or each is a number that is too small
/// for milliseconds, so that all are of one unit.
pub fn are_comparable(rows: &[(&IndexFacts, &Row)], now: Ms) -> bool {
    let small = |(index, row): &(&IndexFacts, &Row)| match row.updated_at {
        TimeField::Missing => true,
        TimeField::Suspect => number(index, row).is_some_and(|n| (0.0..1e12).contains(&n)),
        TimeField::Ms(_) => false,
    };
    rows.iter().all(|(_, row)| is_believable(row, now)) || rows.iter().all(small)
}

/// Whether the time of a row can decide which of two was used last. Rows without one are as old as can be.
fn is_believable(row: &Row, now: Ms) -> bool {
    match row.updated_at {
        TimeField::Ms(at) => at <= now + HOUR,
        TimeField::Missing => true,
        TimeField::Suspect => false,
    }
}

/// A row of the time before `groupChannel`: `room` is called that now, unless both are there.
pub fn with_group_channel(value: &[u8]) -> Vec<u8> {
    let has = |name| splice::without_member(value, name).is_some();
    match (has("room"), has("groupChannel")) {
        (true, false) => splice::renamed_member(value, "room", "groupChannel").unwrap_or_else(|| value.to_vec()),
        (true, true) => splice::without_member(value, "room").unwrap_or_else(|| value.to_vec()),
        (false, _) => value.to_vec(),
    }
}
