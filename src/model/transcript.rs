//! What reading a transcript line by line found.

use super::finding::FindingId;

/// How many line numbers of one kind of damage are remembered.
pub const LINES_SHOWN: usize = 10;

/// One kind of damage in one file: its first place, and how often it is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spot {
    /// What it is.
    pub id: FindingId,
    /// Physical line of the first one, from 1; `None` where only the end of the file was read.
    pub line: Option<u64>,
    /// Byte offset of the first one.
    pub offset: u64,
    /// How many there are.
    pub count: u64,
    /// Bytes of all of them.
    pub bytes: u64,
    /// Line numbers, the first [`LINES_SHOWN`].
    pub lines: Vec<u64>,
    /// What is known about the first one.
    pub detail: Option<String>,
}

/// A transcript as read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reading {
    /// Bytes of the file.
    pub size: u64,
    /// Every byte was looked at; otherwise only the beginning and the end.
    pub whole: bool,
    /// Physical lines seen.
    pub lines: u64,
    /// Entries seen: objects that are no header.
    pub entries: u64,
    /// Damage, one item a kind.
    pub spots: Vec<Spot>,
    /// The file was appended to while it was read: its end says nothing.
    pub moving: bool,
}

impl Reading {
    /// The damage of this kind, if there is any.
    pub fn spot(&self, id: FindingId) -> Option<&Spot> {
        self.spots.iter().find(|spot| spot.id == id)
    }

    /// Notes one more place of a kind of damage.
    pub fn note(&mut self, id: FindingId, line: Option<u64>, offset: u64, bytes: u64, detail: Option<String>) {
        let at = match self.spots.iter().position(|spot| spot.id == id) {
            Some(at) => at,
            None => {
                self.spots.push(Spot { id, line, offset, count: 0, bytes: 0, lines: Vec::new(), detail });
                self.spots.len() - 1
            }
        };
        let spot = &mut self.spots[at];
        spot.count += 1;
        spot.bytes += bytes;
        if let Some(line) = line.filter(|_| spot.lines.len() < LINES_SHOWN) {
            spot.lines.push(line);
        }
    }
}
