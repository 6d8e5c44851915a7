//! Index of one transcript: every entry with its place, its parent, its type and its time.
//!
//! Built in one pass, in pieces of [`CHUNK`] bytes on all cores; the result does not depend on how the file was cut up. What
//! is on a damaged line and proves to be a whole record is indexed too, marked as [`RECOVERED`]: the gateway does not see it.
//!
//! # Memory
//!
//! 40 bytes an entry, for the newest ones ([`super::entries::MOST`]); what the threads hold beside that is bounded by
//! [`PART`].

use std::io::{self, Read as _};

use super::entries::{Entries, Entry, NON_OBJECT, NULL, Place, RECOVERED, SCALAR};
use super::inside::{self, Inside};
use super::lines::{Body, Line as RawLine, Lines};
use super::mend::lines::Bytes;
use super::parallel;
use super::record::{self, IdHash, Line, Record, hash};
use super::source::Source;

/// Bytes that one thread reads at a time.
pub const CHUNK: u64 = 4 << 20;
/// Entries that one thread collects before it hands them over.
const PART: usize = 1 << 14;

/// What the first JSON value of the file is. It decides whether the gateway reads the file or starts it anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum First {
    /// There is none.
    #[default]
    Nothing,
    /// A session header.
    Header(Header),
    /// Something else: the gateway discards every entry and writes the file anew.
    Other(Place),
}

/// A session header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// Where it is.
    pub place: Place,
    /// Its version; absent is 1.
    pub version: u32,
}

/// A compaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Compaction {
    /// Its position among all entries of the file, those let go included.
    pub at: u64,
    /// The entry from which on messages are kept.
    pub kept: Option<IdHash>,
    /// The same as a position, in the first version.
    pub kept_index: Option<u32>,
}

/// Lines that are no record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Faults {
    /// Lines that are not JSON.
    pub bad: u64,
    /// Number of the first of them.
    pub first_bad: u64,
    /// Whole records found on them.
    pub recovered: u64,
    /// Values that are no object.
    pub non_objects: u64,
    /// Number of the first line that is `null`; 0 if there is none.
    pub first_null: u64,
    /// Headers after the first value.
    pub more_headers: u64,
    /// The last line is not whole.
    pub torn_tail: bool,
    /// The last line is whole and lacks its newline.
    pub no_newline: bool,
}

/// The index of one transcript.
#[derive(Debug, Clone, Default)]
pub struct Index {
    /// Bytes that it covers.
    pub size: u64,
    /// Physical lines.
    pub lines: u64,
    /// JSON values, headers included.
    pub values: u64,
    /// The first of them.
    pub first: First,
    /// Everything that is no header.
    pub entries: Entries,
    /// All compactions.
    pub compactions: Vec<Compaction>,
    /// Headers, by how many entries of the file come before.
    pub headers: Vec<u64>,
    /// What is wrong.
    pub faults: Faults,
}

impl Index {
    /// Indexes what lies behind the part that is indexed already. `went_on` hears of bytes as they are read, and stops it by
    /// answering no; then the index is of no use.
    ///
    /// # Errors
    /// What reading gives.
    pub fn extend(&mut self, source: &Source, went_on: &mut dyn FnMut(u64) -> bool) -> io::Result<bool> {
        self.extend_in(source, CHUNK, went_on)
    }

    /// As [`Index::extend`], in pieces of so many bytes.
    ///
    /// # Errors
    /// What reading gives.
    pub fn extend_in(&mut self, source: &Source, chunk: u64, went_on: &mut dyn FnMut(u64) -> bool) -> io::Result<bool> {
        let from = self.size;
        let starts = (from..source.size).step_by(usize::try_from(chunk.max(1)).unwrap_or(usize::MAX));
        let jobs: Vec<(u64, u64)> = starts.map(|start| (start, (start + chunk).min(source.size))).collect();
        let lead = lead(source)?;
        let mut failed = None;
        let mut whole = true;
        parallel::ordered(
            &jobs,
            |(start, end)| part(source, *start, *end, from, lead),
            |result| {
                let mut next = Some(result);
                while let Some(result) = next.take() {
                    match result {
                        Ok(piece) => {
                            next = piece.rest.map(|(start, end)| part(source, start, end, start, lead));
                            whole &= went_on(piece.bytes);
                            self.take(piece);
                        }
                        Err(e) => failed = Some(e),
                    }
                }
                whole && failed.is_none()
            },
        );
        self.size = source.size;
        failed.map_or(Ok(whole), Err)
    }

    /// The index of the end of a file: `bytes` begin at offset `at`, which need not begin a line. Entries have line 0
    /// then, unless it is all of the file.
    ///
    /// # Errors
    /// None: the bytes are at hand.
    pub fn of_end(bytes: &[u8], at: u64) -> io::Result<Self> {
        let mut index = Self { size: at + bytes.len() as u64, ..Self::default() };
        let mut lines = Lines::in_pieces(bytes, at, bytes.len().clamp(1, super::lines::PIECE));
        if at > 0 {
            // What came before is not known, and stands for entries that were let go.
            index.entries.dropped = 1;
            lines.skip_line()?;
        }
        let mut part = Part { blank_so_far: at == 0, ..Part::default() };
        while let Some(line) = lines.next_line()? {
            part.line(line, &End { bytes, at })?;
        }
        if at > 0 {
            part.entries.iter_mut().for_each(|entry| entry.line = 0);
        }
        index.take(part);
        Ok(index)
    }

    fn take(&mut self, part: Part) {
        let before = self.entries.dropped + self.entries.len() as u64;
        for mut entry in part.entries {
            entry.line = entry.line.saturating_add(u32::try_from(self.lines).unwrap_or(u32::MAX));
            self.entries.push(entry);
        }
        self.compactions.extend(part.compactions.into_iter().map(|c| Compaction { at: before + c.at, ..c }));
        self.headers.extend(part.headers.into_iter().map(|at| before + at));
        if self.first == First::Nothing {
            self.first = part.first;
            if let First::Header(Header { place, .. }) | First::Other(place) = &mut self.first {
                place.line += self.lines;
            }
        } else if matches!(part.first, First::Header(_)) {
            self.faults.more_headers += 1;
        }
        let (mine, theirs) = (&mut self.faults, part.faults);
        let shifted = |line: u64| if line == 0 { 0 } else { line + self.lines };
        for (mine, theirs) in [(&mut mine.first_bad, theirs.first_bad), (&mut mine.first_null, theirs.first_null)] {
            if *mine == 0 {
                *mine = shifted(theirs);
            }
        }
        mine.bad += theirs.bad;
        mine.recovered += theirs.recovered;
        mine.non_objects += theirs.non_objects;
        mine.more_headers += theirs.more_headers;
        mine.torn_tail |= theirs.torn_tail;
        mine.no_newline |= theirs.no_newline;
        self.lines += part.lines;
        self.values += part.values;
    }

    /// The version that the entries have; a file without a header has the current one.
    pub fn version(&self) -> u32 {
        match self.first {
            First::Header(header) => header.version,
            _ => 3,
        }
    }

    /// Gives the entries of a first-version file the ids and parents that the gateway would give them: each is the child of
    /// the one before. `firstKeptEntryIndex` counts all values, the header being 0, and leads only backwards.
    pub fn migrate(&mut self) {
        if self.version() >= 2 {
            return;
        }
        let id = |at: u64| hash(&at.to_le_bytes());
        let dropped = self.entries.dropped;
        let mut parent = 0;
        for at in self.entries.positions() {
            let entry = self.entries.get_mut(at);
            if !entry.is(RECOVERED) {
                entry.relink(id(dropped + u64::from(at)), parent);
                parent = entry.id;
            }
        }
        // Positions of the entries that the gateway has: what stands on damaged lines is none of its values.
        let entries = &self.entries;
        let live: Vec<u64> = entries
            .positions()
            .filter(|at| !entries.get(*at).is(RECOVERED))
            .map(|at| dropped + u64::from(at))
            .collect();
        // Values before each header, the headers among them counted.
        let headers: Vec<u64> = (0..)
            .zip(&self.headers)
            .map(|(number, before)| live.partition_point(|at| at < before) as u64 + number)
            .collect();
        for compaction in &mut self.compactions {
            let Some(index) = compaction.kept_index.map(u64::from) else { continue };
            if headers.contains(&index) {
                continue;
            }
            let before = headers.iter().filter(|header| **header < index).count() as u64;
            let target = live.get(usize::try_from(index - before).unwrap_or(usize::MAX)).copied();
            compaction.kept = target.filter(|at| *at < compaction.at).map(id).or(compaction.kept);
        }
    }
}

/// What one thread found in one piece.
#[derive(Debug, Default)]
struct Part {
    entries: Vec<Entry>,
    compactions: Vec<Compaction>,
    headers: Vec<u64>,
    first: First,
    faults: Faults,
    lines: u64,
    values: u64,
    bytes: u64,
    /// What is left of the piece.
    rest: Option<(u64, u64)>,
    /// Nothing but white space comes before, from the beginning of the file.
    blank_so_far: bool,
}

/// Reads the lines that begin between `start` and `end`. A piece that does not begin where the whole reading does
/// (`from`) leaves the line that it begins in to its neighbour. The file begins with `lead` bytes of white space.
fn part(source: &Source, start: u64, end: u64, from: u64, lead: u64) -> io::Result<Part> {
    let mut part = Part::default();
    let begin = if start == from { start } else { start - 1 };
    let mut lines = Lines::new(source.range(begin, source.size), begin);
    if start != from {
        let (_, ended) = lines.skip_line()?;
        if !ended {
            part.bytes = end - start;
            return Ok(part);
        }
    }
    part.blank_so_far = lines.offset() <= lead;
    while lines.offset() < end {
        let Some(line) = lines.next_line()? else { break };
        part.line(line, source)?;
        let at = lines.offset();
        if part.entries.len() >= PART && at < end {
            part.rest = Some((at, end));
            part.bytes = at - start;
            return Ok(part);
        }
    }
    part.bytes = end - start;
    Ok(part)
}

/// Bytes of white space that the file begins with; seldom any.
fn lead(source: &Source) -> io::Result<u64> {
    let mut lead = 0;
    loop {
        let mut bytes = Vec::new();
        io::Read::take(source.range(lead, source.size), 4096).read_to_end(&mut bytes)?;
        match white_space(&bytes) as u64 {
            0 => return Ok(lead),
            // Again from there: a character may lie across the end of these bytes.
            some => lead += some,
        }
    }
}

/// Bytes of leading white space as JavaScript has it.
fn white_space(bytes: &[u8]) -> usize {
    let text = bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    text.len() - text.trim_start_matches(|c: char| c == '\u{feff}' || c.is_whitespace() && c != '\u{85}').len()
}

impl Part {
    /// A line of `file`, which is read once more if it is damaged and too long to keep.
    fn line(&mut self, line: RawLine<'_>, file: &(impl Bytes + ?Sized)) -> io::Result<()> {
        self.lines += 1;
        let place = Place { at: line.at, len: line.len, line: self.lines };
        match line.body {
            Body::Long(ref long) => {
                self.judged(long.0.line, place, line.newline, false);
                if matches!(long.0.line, Line::Bad(_)) {
                    let mut found = false;
                    for Inside { at, len, record } in inside::records(file, &line)? {
                        found |= self.recovered(&record, Place { at, len, ..place });
                    }
                    self.faults.torn_tail |= !line.newline && !found;
                }
            }
            Body::Short(bytes) => {
                // The gateway trims the whole text before it splits it: a byte order mark counts as white space there.
                let lead = if self.blank_so_far { white_space(bytes) } else { 0 };
                let text = &bytes[lead..];
                let place = Place { at: place.at + lead as u64, len: text.len() as u64, ..place };
                let judged = record::line(text);
                self.blank_so_far &= matches!(judged, Line::Blank);
                self.judged(judged, place, line.newline, text.trim_ascii_start().first() == Some(&b'['));
                if matches!(judged, Line::Bad(_)) {
                    let found = self.recover(text, place);
                    self.faults.torn_tail |= !line.newline && !found;
                }
            }
        }
        Ok(())
    }

    fn judged(&mut self, line: Line, place: Place, newline: bool, list: bool) {
        if !newline && matches!(line, Line::Record(_) | Line::Null | Line::NonObject) {
            self.faults.no_newline = true;
        }
        match line {
            Line::Blank => {}
            Line::Record(record) => self.record(&record, place),
            Line::Null => {
                if self.faults.first_null == 0 {
                    self.faults.first_null = self.lines;
                }
                self.other(place, NON_OBJECT | NULL);
            }
            Line::NonObject => self.other(place, if list { NON_OBJECT } else { NON_OBJECT | SCALAR }),
            Line::Bad(_) => {
                self.faults.bad += 1;
                if self.faults.first_bad == 0 {
                    self.faults.first_bad = self.lines;
                }
            }
        }
    }

    fn other(&mut self, place: Place, flags: u16) {
        self.values += 1;
        self.faults.non_objects += 1;
        self.seen(First::Other(place));
        self.entries.push(Entry::new(&Record::default(), place, flags));
    }

    fn seen(&mut self, first: First) {
        if self.first == First::Nothing {
            self.first = first;
        } else if matches!(first, First::Header(_)) {
            self.faults.more_headers += 1;
        }
    }

    fn record(&mut self, record: &Record, place: Place) {
        self.values += 1;
        let version = record.version.unwrap_or(1);
        match (record.session, record.id) {
            (true, Some(_)) => self.seen(First::Header(Header { place, version })),
            _ => self.seen(First::Other(place)),
        }
        if record.session {
            self.headers.push(self.entries.len() as u64);
            return;
        }
        self.compaction(record);
        self.entries.push(Entry::new(record, place, 0));
    }

    fn compaction(&mut self, record: &Record) {
        if record.compaction {
            let at = self.entries.len() as u64;
            self.compactions.push(Compaction { at, kept: record.kept, kept_index: record.kept_index });
        }
    }

    /// Looks for whole records on a line that is not JSON.
    fn recover(&mut self, text: &[u8], place: Place) -> bool {
        let mut found = false;
        for (start, end) in record::whole_records(text) {
            if let Line::Record(record) = record::line(&text[start..end]) {
                let place = Place { at: place.at + start as u64, len: (end - start) as u64, ..place };
                found |= self.recovered(&record, place);
            }
        }
        found
    }

    /// A whole record on a line that is not JSON; `false` if it is a header, which is none of the entries.
    fn recovered(&mut self, record: &Record, place: Place) -> bool {
        if record.session {
            return false;
        }
        self.compaction(record);
        self.entries.push(Entry::new(record, place, RECOVERED));
        self.faults.recovered += 1;
        true
    }
}

/// The end of a file, from offset `at` on.
struct End<'a> {
    bytes: &'a [u8],
    at: u64,
}

impl Bytes for End<'_> {
    fn size(&self) -> u64 {
        self.at + self.bytes.len() as u64
    }

    fn read_at(&self, buffer: &mut [u8], at: u64) -> io::Result<usize> {
        at.checked_sub(self.at).map_or(Ok(0), |at| self.bytes.read_at(buffer, at))
    }
}

#[cfg(test)]
#[path = "index_tests.rs"]
pub(super) mod tests;
