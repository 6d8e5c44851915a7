//! The entries of one transcript as numbers: 40 bytes each, the newest [`MOST`].
//!
//! Texts are not kept. An entry knows where its record lies in the file, and whoever shows it reads it again.

use std::collections::VecDeque;

use super::record::{IdHash, Parent, Record};
use crate::model::Ms;
use crate::model::transcript::{IdKind, Kind, Role};

/// Most entries that are held; of more the oldest go. 36 MB, with a tree over them 50.
pub const MOST: usize = 700_000;
/// Bytes of one entry.
pub const ENTRY: usize = 40;
/// Entries in one block.
pub(crate) const BLOCK: usize = 1 << 14;
/// Time of an entry without one.
const NO_TIME: i64 = i64::MIN >> 16;

/// The value is no object.
pub const NON_OBJECT: u16 = 1;
/// It stands on a line that the gateway cannot read.
pub const RECOVERED: u16 = 1 << 1;
/// The record is of type `message` and `message` is no object.
pub const NO_MESSAGE: u16 = 1 << 2;
/// There is a field `parentId`.
pub const HAS_PARENT: u16 = 1 << 3;
/// `null`: the gateway stops with an error where it stands.
pub const NULL: u16 = 1 << 4;
/// Text, a number or `true`/`false`: the gateway stops with an error when it brings a first-version file up to date.
pub const SCALAR: u16 = 1 << 5;
const ID_SHIFT: u16 = 8;

/// One entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// Its id as a number; 0 if it has none that can be looked up.
    pub id: IdHash,
    /// The id of its parent; 0: a root.
    pub parent: IdHash,
    /// Offset of the record, and flags above it.
    place: u64,
    /// Time, kind and role.
    nature: u64,
    /// Bytes of the record, at most 4 GiB.
    pub len: u32,
    /// Physical line, from 1.
    pub line: u32,
}

/// Where a record lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Offset of its first byte.
    pub at: u64,
    /// Bytes.
    pub len: u64,
    /// Physical line, from 1.
    pub line: u64,
}

impl Entry {
    /// An entry from a record. `flags` are those that the record does not say.
    pub fn new(record: &Record, place: Place, flags: u16) -> Self {
        let mut flags = flags | (record.named as u16) << ID_SHIFT;
        if record.kind == Kind::Message && !record.message {
            flags |= NO_MESSAGE;
        }
        if record.parent != Parent::Absent {
            flags |= HAS_PARENT;
        }
        let parent = if let Parent::Id(id) = record.parent { id } else { 0 };
        let role = if record.kind == Kind::Message { record.role } else { Role::None };
        let mut entry = Self {
            id: record.key,
            parent,
            place: place.at & 0xFFFF_FFFF_FFFF | u64::from(flags) << 48,
            nature: (record.kind as u64) << 48 | (role as u64) << 56,
            len: u32::try_from(place.len).unwrap_or(u32::MAX),
            line: u32::try_from(place.line).unwrap_or(u32::MAX),
        };
        entry.nature |= (record.at.unwrap_or(NO_TIME) as u64) & 0xFFFF_FFFF_FFFF;
        entry
    }

    /// Offset of the record in the file.
    pub fn offset(&self) -> u64 {
        self.place & 0xFFFF_FFFF_FFFF
    }

    /// `timestamp`, epoch ms.
    pub fn at(&self) -> Option<Ms> {
        let ms = ((self.nature << 16) as i64) >> 16;
        (ms != NO_TIME).then_some(ms)
    }

    /// `type`.
    pub fn kind(&self) -> Kind {
        Kind::from_number((self.nature >> 48) as u8)
    }

    /// `message.role`.
    pub fn role(&self) -> Role {
        Role::from_number((self.nature >> 56) as u8)
    }

    /// Whether a flag is set.
    pub fn is(&self, flag: u16) -> bool {
        (self.place >> 48) as u16 & flag != 0
    }

    /// What its `id` is.
    pub fn named(&self) -> IdKind {
        match (self.place >> (48 + ID_SHIFT)) as u8 & 3 {
            0 => IdKind::Missing,
            1 => IdKind::Null,
            2 => IdKind::Empty,
            _ => IdKind::Usable,
        }
    }

    /// Gives the entry another id and parent, as the migration of the first version does.
    pub fn relink(&mut self, id: IdHash, parent: IdHash) {
        (self.id, self.parent) = (id, parent);
        self.place |= u64::from((IdKind::Usable as u16) << ID_SHIFT) << 48;
    }

    /// As bytes, for the cache.
    pub fn to_bytes(self) -> [u8; ENTRY] {
        let mut out = [0; ENTRY];
        for (slot, word) in out.chunks_exact_mut(8).zip([self.id, self.parent, self.place, self.nature]) {
            slot.copy_from_slice(&word.to_le_bytes());
        }
        out[32..36].copy_from_slice(&self.len.to_le_bytes());
        out[36..].copy_from_slice(&self.line.to_le_bytes());
        out
    }

    /// Back from bytes.
    pub fn from_bytes(bytes: &[u8; ENTRY]) -> Self {
        let long = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
        let short = |at: usize| u32::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
        Self { id: long(0), parent: long(8), place: long(16), nature: long(24), len: short(32), line: short(36) }
    }
}

/// The entries in file order.
#[derive(Debug, Clone, Default)]
pub struct Entries {
    blocks: VecDeque<Vec<Entry>>,
    len: usize,
    /// How many older ones were let go.
    pub dropped: u64,
    most: Option<usize>,
}

impl Entries {
    /// Holds at most so many (rounded up to whole blocks).
    pub fn with_most(most: usize) -> Self {
        Self { most: Some(most), ..Self::default() }
    }

    /// How many are held.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether none is held.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds the next one.
    pub fn push(&mut self, entry: Entry) {
        if self.blocks.back().is_none_or(|block| block.len() == BLOCK) {
            if self.len >= self.most.unwrap_or(MOST)
                && let Some(mut oldest) = self.blocks.pop_front()
            {
                self.len -= oldest.len();
                self.dropped += oldest.len() as u64;
                oldest.clear();
                self.blocks.push_back(oldest);
            } else {
                self.blocks.push_back(Vec::with_capacity(BLOCK));
            }
        }
        if let Some(block) = self.blocks.back_mut() {
            block.push(entry);
            self.len += 1;
        }
    }

    /// The entry at a position.
    pub fn get(&self, at: u32) -> &Entry {
        let at = at as usize;
        &self.blocks[at / BLOCK][at % BLOCK]
    }

    /// The entry at a position, to be changed.
    pub fn get_mut(&mut self, at: u32) -> &mut Entry {
        let at = at as usize;
        &mut self.blocks[at / BLOCK][at % BLOCK]
    }

    /// All, in file order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Entry> {
        self.blocks.iter().flatten()
    }

    /// Positions, in file order.
    pub fn positions(&self) -> std::ops::Range<u32> {
        0..u32::try_from(self.len).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::record::{Line, line};

    fn entry(text: &str, at: u64) -> Entry {
        let Line::Record(record) = line(text.as_bytes()) else { panic!("{text}") };
        Entry::new(&record, Place { at, len: text.len() as u64, line: 7 }, RECOVERED)
    }

    #[test]
    fn an_entry_keeps_what_it_was_made_of() {
        let text = r#"{"type":"message","id":"a","parentId":"b","timestamp":"2026-05-01T08:00:00.001Z","message":{"role":"toolResult"}}"#;
        let e = entry(text, 0x7FFF_FFFF_FFFF);
        assert_eq!((e.offset(), e.at(), e.line), (0x7FFF_FFFF_FFFF, Some(1_777_622_400_001), 7));
        assert_eq!((e.kind(), e.role(), e.named()), (Kind::Message, Role::ToolResult, IdKind::Usable));
        assert!(e.is(RECOVERED) && e.is(HAS_PARENT) && !e.is(NO_MESSAGE) && !e.is(NON_OBJECT));
        assert_eq!(Entry::from_bytes(&e.to_bytes()), e);
        let old = entry(r#"{"type":"message","id":null,"timestamp":"1969-12-31T23:59:59.999Z"}"#, 0);
        assert_eq!(
            (old.at(), old.named(), old.is(NO_MESSAGE), old.is(HAS_PARENT)),
            (Some(-1), IdKind::Null, true, false)
        );
        assert_eq!(entry("{}", 0).at(), None);
    }

    #[test]
    fn of_too_many_the_oldest_go() {
        let mut entries = Entries::with_most(2 * BLOCK);
        for n in 0..(2 * BLOCK as u64 + 5) {
            entries.push(entry("{}", n));
        }
        assert_eq!((entries.len(), entries.dropped), (BLOCK + 5, BLOCK as u64));
        assert_eq!(entries.get(0).offset(), BLOCK as u64);
        assert_eq!(entries.iter().count(), entries.len());
    }
}
