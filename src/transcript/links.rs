//! Whether the entries of a transcript hang together: ids that come twice, parents that are not there, circles, and
//! compactions that keep messages from an entry on that is not on their branch.
//!
//! An entry costs 32 bytes while its file is read, and 8 more when it is judged. A file with more than [`MOST`] entries is not followed, and that is
//! said. No walk goes further than the number of entries, so a circle, which the gateway never leaves (spec/transcripts.md
//! 1.7), ends here.

use crate::model::finding::FindingId;
use crate::model::transcript::Reading;

use super::record::{IdHash, Parent, Record};

/// Most entries whose parents are followed.
pub const MOST: usize = 1_000_000;
/// No entry.
const NONE: u32 = u32::MAX;
/// Most entries without an id whose places are kept.
const UNNAMED: usize = 1_000;
/// Steps that all compactions of a file together may walk.
const STEPS: usize = 4_000_000;

#[derive(Debug, Clone, Copy)]
struct Entry {
    id: IdHash,
    /// 0: a root.
    parent: IdHash,
    line: u64,
    offset: u64,
}

/// Ids and parents of one file, collected while it is read.
#[derive(Debug, Default)]
pub struct Links {
    entries: Vec<Entry>,
    /// Position in `entries`, and the entry from which on messages are kept.
    compactions: Vec<(usize, IdHash)>,
    /// Line and offset of entries without an id, of the first [`UNNAMED`] and of the last entry of the file.
    unnamed: Vec<(u64, u64)>,
    ends_unnamed: bool,
    too_many: bool,
}

impl Links {
    /// Takes one entry. Entries without an id are nobody's parent and have no place in the tree.
    pub fn add(&mut self, record: &Record, line: u64, offset: u64) {
        if std::mem::take(&mut self.ends_unnamed) && self.unnamed.len() > UNNAMED {
            self.unnamed.pop();
        }
        let Some(id) = record.id else {
            self.unnamed.push((line, offset));
            self.ends_unnamed = true;
            return;
        };
        if self.entries.len() == MOST {
            self.too_many = true;
            return;
        }
        if let Some(kept) = record.kept.filter(|_| record.compaction) {
            self.compactions.push((self.entries.len(), kept));
        }
        let parent = if let Parent::Id(parent) = record.parent { parent } else { 0 };
        self.entries.push(Entry { id, parent, line, offset });
    }

    /// Notes what is wrong.
    pub fn judge(&self, reading: &mut Reading) {
        if self.too_many {
            let what = format!("more than {MOST} entries");
            reading.note(FindingId::TreeNotChecked, None, 0, 0, Some(what));
            return;
        }
        for (at, (line, offset)) in (1..).zip(&self.unnamed) {
            let last = self.ends_unnamed && at == self.unnamed.len();
            let detail = last.then(|| "as the last entry it leaves no active branch".to_owned());
            reading.note(FindingId::EntryWithoutId, Some(*line), *offset, 0, detail);
        }
        let tree = Tree::of(&self.entries);
        tree.duplicates(reading);
        tree.dangling(reading, self.ends_unnamed);
        tree.cycles(reading);
        tree.compactions(&self.compactions, reading);
    }
}

/// Entries by id.
struct Tree<'a> {
    entries: &'a [Entry],
    /// Positions, sorted by id, then by place in the file.
    sorted: Vec<u32>,
    /// Position of the parent, or [`NONE`]: walks come by many times.
    parents: Vec<u32>,
}

impl<'a> Tree<'a> {
    fn of(entries: &'a [Entry]) -> Self {
        let mut sorted: Vec<u32> = (0..).take(entries.len()).collect();
        sorted.sort_unstable_by_key(|at| (entries[*at as usize].id, *at));
        let mut tree = Self { entries, sorted, parents: Vec::new() };
        let parent = |entry: &Entry| if entry.parent == 0 { None } else { tree.find(entry.parent) };
        tree.parents = entries.iter().map(|entry| parent(entry).unwrap_or(NONE)).collect();
        tree
    }

    fn entry(&self, at: u32) -> &'a Entry {
        &self.entries[at as usize]
    }

    /// The entry with this id; of several the last one, as for the gateway.
    fn find(&self, id: IdHash) -> Option<u32> {
        let after = self.sorted.partition_point(|at| self.entry(*at).id <= id);
        let last = *self.sorted.get(after.checked_sub(1)?)?;
        (self.entry(last).id == id).then_some(last)
    }

    fn parent(&self, at: u32) -> Option<u32> {
        Some(self.parents[at as usize]).filter(|parent| *parent != NONE)
    }

    fn duplicates(&self, reading: &mut Reading) {
        let mut again: Vec<u32> =
            self.sorted.windows(2).filter(|w| self.entry(w[0]).id == self.entry(w[1]).id).map(|w| w[1]).collect();
        again.sort_unstable();
        for at in again {
            self.note(reading, FindingId::DuplicateEntry, at, None);
        }
    }

    fn dangling(&self, reading: &mut Reading, ends_unnamed: bool) {
        let (root, length) = if ends_unnamed { (None, 0) } else { self.active() };
        for at in (0..).take(self.entries.len()) {
            if self.entry(at).parent != 0 && self.parent(at).is_none() {
                let reach = || format!("the active branch reaches {length} of {} entries", self.entries.len());
                self.note(reading, FindingId::DanglingParent, at, (root == Some(at)).then(reach));
            }
        }
    }

    /// Where the branch that ends at the last entry begins, and how many entries it has.
    fn active(&self) -> (Option<u32>, usize) {
        let mut root = u32::try_from(self.entries.len()).ok().and_then(|len| len.checked_sub(1));
        for length in 1..=self.entries.len() {
            match root.and_then(|at| self.parent(at)) {
                Some(parent) => root = Some(parent),
                None => return (root, length),
            }
        }
        (None, 0)
    }

    fn note(&self, reading: &mut Reading, id: FindingId, at: u32, detail: Option<String>) {
        let entry = self.entry(at);
        reading.note(id, Some(entry.line), entry.offset, 0, detail);
    }

    /// One note per circle, at its last entry in the file.
    fn cycles(&self, reading: &mut Reading) {
        // 0: not seen; otherwise the number of the walk that came by first.
        let mut seen = vec![0u32; self.entries.len()];
        let mut circles = Vec::new();
        for start in (0..).take(self.entries.len()) {
            let walk = start + 1;
            let mut next = Some(start);
            while let Some(at) = next.filter(|at| seen[*at as usize] == 0) {
                seen[at as usize] = walk;
                next = self.parent(at);
            }
            if let Some(at) = next.filter(|at| seen[*at as usize] == walk) {
                circles.push(self.circle(at));
            }
        }
        circles.sort_unstable();
        for (at, length) in circles {
            let detail = if length == 1 { "it is its own parent".to_owned() } else { format!("{length} entries") };
            self.note(reading, FindingId::ParentCycle, at, Some(detail));
        }
    }

    /// The last entry of a circle, and how many it has.
    fn circle(&self, at: u32) -> (u32, usize) {
        let (mut last, mut length, mut next) = (at, 1, self.parent(at));
        while let Some(other) = next.filter(|other| *other != at) {
            last = last.max(other);
            length += 1;
            next = self.parent(other);
        }
        (last, length)
    }

    fn compactions(&self, compactions: &[(usize, IdHash)], reading: &mut Reading) {
        let mut steps = STEPS;
        for (position, kept) in compactions {
            let Ok(at) = u32::try_from(*position) else { continue };
            // Its own id: nothing before it is kept, on purpose.
            if self.entry(at).id == *kept {
                continue;
            }
            let detail = match self.find(*kept) {
                None => "is not in the file",
                Some(_) if self.is_before(at, *kept, &mut steps) => continue,
                Some(_) => "is not on its branch",
            };
            self.note(reading, FindingId::KeptEntryMissing, at, Some(format!("firstKeptEntryId {detail}")));
        }
    }

    /// Whether the entry with this id is an ancestor of `at`. Doubt, when there are no steps left, says yes.
    fn is_before(&self, at: u32, id: IdHash, steps: &mut usize) -> bool {
        let mut next = self.parent(at);
        for _ in 0..self.entries.len() {
            let Some(here) = next else { return false };
            if self.entry(here).id == id {
                return true;
            }
            *steps = steps.saturating_sub(1);
            if *steps == 0 {
                return true;
            }
            next = self.parent(here);
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::record::{Line, line};

    fn judge(lines: &[&str]) -> Vec<(FindingId, Vec<u64>)> {
        let mut reading = Reading::default();
        judged(lines, &mut reading);
        reading.spots.into_iter().map(|s| (s.id, s.lines)).collect()
    }

    fn judged(lines: &[&str], reading: &mut Reading) {
        let mut links = Links::default();
        for (text, number) in lines.iter().zip(1..) {
            let Some((id, rest)) = text.split_once('<') else {
                let Line::Record(record) = line(text.as_bytes()) else { panic!("{text}") };
                links.add(&record, number, 0);
                continue;
            };
            let (parent, kept) = rest.split_once('!').unwrap_or((rest, ""));
            let kind = if kept.is_empty() { "message" } else { "compaction" };
            let json = format!(r#"{{"type":"{kind}","id":"{id}","parentId":"{parent}","firstKeptEntryId":"{kept}"}}"#);
            let Line::Record(record) = line(json.as_bytes()) else { panic!("{json}") };
            links.add(&record, number, 0);
        }
        links.judge(reading);
    }

    #[test]
    fn a_tree_that_hangs_together_is_fine() {
        assert!(judge(&["a<", "b<a", "c<b", "d<b", "k<d!b", "e<k", "l<e!l"]).is_empty());
    }

    #[test]
    fn what_has_no_id_is_named_and_a_break_says_how_far_the_branch_reaches() {
        let details = |lines: &[&str]| {
            let mut reading = Reading::default();
            judged(lines, &mut reading);
            let shown = reading.spots.into_iter().map(|s| (s.id, s.lines, s.detail));
            shown.collect::<Vec<_>>()
        };
        let reach = Some("the active branch reaches 2 of 4 entries".to_owned());
        assert_eq!(details(&["a<", "b<a", "c<x", "d<c"]), [(FindingId::DanglingParent, vec![3], reach)]);
        let lost = Some("as the last entry it leaves no active branch".to_owned());
        assert_eq!(details(&["a<", "{}"]), [(FindingId::EntryWithoutId, vec![2], lost)]);
        assert_eq!(details(&["a<", "{}", "b<a"]), [(FindingId::EntryWithoutId, vec![2], None)]);
    }

    #[test]
    fn what_is_wrong_has_its_lines() {
        use FindingId::{DanglingParent, DuplicateEntry, KeptEntryMissing, ParentCycle};
        assert_eq!(judge(&["a<", "b<x", "c<b", "d<y"]), [(DanglingParent, vec![2, 4])]);
        assert_eq!(judge(&["a<", "b<a", "b<a", "c<b"]), [(DuplicateEntry, vec![3])]);
        assert_eq!(judge(&["a<a"]), [(ParentCycle, vec![1])]);
        assert_eq!(judge(&["a<c", "b<a", "c<b", "d<c", "e<e"]), [(ParentCycle, vec![3, 5])]);
        // The later entry wins, and so makes the circle.
        assert_eq!(judge(&["a<", "b<a", "a<b"]), [(DuplicateEntry, vec![3]), (ParentCycle, vec![3])]);
        assert_eq!(judge(&["a<", "b<a", "k<b!f", "c<a", "l<c!b"]), [(KeptEntryMissing, vec![3, 5])]);
    }
}
