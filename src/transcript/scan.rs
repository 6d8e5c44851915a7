//! A transcript line by line, whatever is wrong with it.
//!
//! Every line stands for itself: a bad one is noted and the next one is read (reports C). Line numbers are physical ones,
//! offsets count bytes. Reading never fails on content, only on I/O.
//!
//! # Memory
//!
//! One line of at most [`LONG`] bytes is held; a longer one is checked piece by piece ([`super::long_line`]), and read
//! once more if it is damaged. Beside that an
//! entry costs 32 bytes, up to a limit ([`super::links`]).

use std::io::{self, Read};

use crate::model::finding::FindingId;
use crate::model::index::DamageKind;
use crate::model::transcript::{Kind, Reading, Role};
use crate::store::parse::BOM;

pub use super::lines::LONG;
use super::lines::{Body, Lines};
use super::links::Links;
use super::long_line::Ended;
use super::mend::dissect::{Part, PartKind, dissect, dissect_long};
use super::mend::fields::Fields;
use super::mend::lines::{Bytes, Place, RawLine};
use super::pairs::Pairs;
use super::record::{self, IdHash, Line, Parent, Record};
use super::source::Source;

/// Bytes read at once.
const PIECE: usize = 64 * 1024;
/// Bytes read from each end when a file is not read whole.
pub const WINDOW: usize = 64 * 1024;

/// Lines longer than this are shown as a placeholder by the gateway's own reader (spec/transcripts.md 6).
const HUGE: u64 = 262_144;
/// The version that the gateway at hand writes.
const CURRENT: u32 = 3;

/// Reads everything. `file` is what `reader` gives, to look once more at what is damaged and too long to keep. `size`: how
/// many bytes there should be, so that a short file asks for little memory. `went_on` hears of bytes as they are read, and
/// stops the reading by answering no.
///
/// # Errors
/// What reading gives.
pub fn whole(
    reader: &mut impl Read,
    file: &(impl Bytes + ?Sized),
    size: u64,
    went_on: &dyn Fn(u64) -> bool,
) -> io::Result<Reading> {
    // One byte more than there is: then one call finds all, and the next one the end.
    let piece = usize::try_from(size).map_or(PIECE, |size| size.saturating_add(1).min(PIECE));
    read(reader, file, piece, went_on, Scan::default())
}

/// Reads everything and looks closer: each place of a kind of damage, up to `most`, and what only a look into messages can
/// tell.
///
/// # Errors
/// What reading gives.
pub fn closely(source: &Source, went_on: &dyn Fn(u64) -> bool, most: usize) -> io::Result<Reading> {
    let reading = Reading { most, ..Reading::default() };
    let scan = Scan { reading, pairs: Some(Pairs::default()), ..Scan::default() };
    read(&mut source.range(0, source.size), source, PIECE, went_on, scan)
}

fn read(
    reader: &mut impl Read,
    file: &(impl Bytes + ?Sized),
    piece: usize,
    went_on: &dyn Fn(u64) -> bool,
    mut scan: Scan,
) -> io::Result<Reading> {
    let mut lines = Lines::in_pieces(reader, 0, piece);
    let mut told = 0;
    while let Some(line) = lines.next_line()? {
        let (end, newline) = (line.end(), line.newline);
        match line.body {
            Body::Short(bytes) => scan.short(bytes, newline),
            Body::Long(long) => {
                let bad = matches!(long.0.line, Line::Bad(_));
                let place = Place { number: scan.reading.lines + 1, offset: line.at, len: line.len, newline };
                let inside = if bad { Inside::again(file, place)? } else { Inside::default() };
                scan.judge(long.0, &inside, &long.1.text, newline);
            }
        }
        scan.reading.size = end;
        if end - told >= PIECE as u64 {
            if !went_on(end - told) {
                return Ok(scan.unfinished());
            }
            told = end;
        }
    }
    went_on(scan.reading.size - told);
    Ok(scan.finished())
}

/// Looks at the beginning and the end of a file of `size` bytes. `head` is its first bytes, `tail` its last ones.
pub fn ends(head: &[u8], tail: &[u8], size: u64) -> Reading {
    let mut scan = Scan::default();
    scan.reading.size = size;
    let mut rest = head;
    while let Some(end) = memchr::memchr(b'\n', rest) {
        scan.short(&rest[..end], true);
        rest = &rest[end + 1..];
    }
    if scan.reading.lines == 0 {
        scan.cut_first_line(head);
    }
    // A line that began before the end was read cannot be judged by its end alone.
    if let Some(first) = memchr::memchr(b'\n', tail) {
        scan.number_known = false;
        scan.offset = size - (tail.len() - first - 1) as u64;
        let mut rest = &tail[first + 1..];
        while let Some(end) = memchr::memchr(b'\n', rest) {
            scan.short(&rest[..end], true);
            rest = &rest[end + 1..];
        }
        if !rest.is_empty() {
            scan.short(rest, false);
        }
    }
    scan.judge_header();
    scan.reading
}

/// Working state of one reading.
#[derive(Debug)]
struct Scan {
    reading: Reading,
    links: Links,
    /// Offset of the line at hand.
    offset: u64,
    /// Lines are counted from the start of the file.
    number_known: bool,
    header: Header,
    pairs: Option<Pairs>,
    tally: Tally,
}

/// What is told by all entries together.
#[derive(Debug, Default)]
struct Tally {
    header_id: Option<IdHash>,
    version: Option<u32>,
    /// Line and offset of the first message of a user.
    user: Option<(u64, u64)>,
    answers: u64,
    with_id: u64,
    with_parent: u64,
}

/// What is known about the first record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Header {
    /// No record was seen so far.
    Unseen,
    /// A session header.
    Good {
        /// Of a version whose entries have ids of their own.
        linked: bool,
    },
    /// Something else.
    Bad { line: u64, offset: u64 },
    /// It could not be read in full.
    Unknown,
}

impl Default for Scan {
    fn default() -> Self {
        Self {
            reading: Reading::default(),
            links: Links::default(),
            offset: 0,
            number_known: true,
            header: Header::Unseen,
            pairs: None,
            tally: Tally::default(),
        }
    }
}

impl Scan {
    /// A line that is at hand as a whole.
    fn short(&mut self, bytes: &[u8], newline: bool) {
        let mut text = bytes;
        if self.offset == 0 && text.starts_with(BOM) {
            self.reading.note(FindingId::TranscriptBom, Some(1), 0, BOM.len() as u64, None);
            text = &text[BOM.len()..];
        }
        let line = record::line(text);
        let object = matches!(line, Line::Record(_));
        let bad_unicode = object && (std::str::from_utf8(text).is_err() || record::has_lone_surrogate(text));
        let nuls = memchr::memchr_iter(0, text).count() as u64;
        let inside = if matches!(line, Line::Bad(_)) { Inside::of(text, nuls > 0) } else { Inside::default() };
        self.judge(Ended { line, len: bytes.len() as u64, nuls, bad_unicode }, &inside, text, newline);
    }

    /// Judges a line: what was found in it if it is bad, and what can be shown of it.
    fn judge(&mut self, ended: Ended, inside: &Inside, shown: &[u8], newline: bool) {
        self.reading.lines += 1;
        match ended.line {
            Line::Blank if newline => self.note(FindingId::BlankLines, ended.len, None),
            Line::Blank => {}
            Line::Record(record) => {
                self.record(&record, shown);
                if ended.len > HUGE && self.pairs.is_some() {
                    self.note(FindingId::HugeLine, ended.len, None);
                }
                if ended.bad_unicode {
                    self.note(FindingId::BadUnicode, ended.len, None);
                }
            }
            Line::Null => {
                self.first_value();
                self.note(FindingId::NullLine, ended.len, None);
            }
            Line::NonObject => {
                self.first_value();
                self.note(FindingId::NonObjectLine, ended.len, None);
            }
            Line::Bad(fault) => self.bad(fault.kind, &ended, inside, newline),
        }
        if !newline && matches!(ended.line, Line::Record(_) | Line::Null | Line::NonObject) {
            self.note(FindingId::NoFinalNewline, ended.len, None);
        }
        self.offset += ended.len + u64::from(newline);
    }

    fn bad(&mut self, kind: DamageKind, ended: &Ended, inside: &Inside, newline: bool) {
        if ended.nuls > 0 {
            let place = if newline { "" } else { " at the end of the file" };
            let detail = if inside.beside_nuls {
                format!("a whole record beside it{place}")
            } else {
                place.trim_start().to_owned()
            };
            self.note(FindingId::NulRun, ended.nuls, Some(detail).filter(|d| !d.is_empty()));
            return;
        }
        let Inside { whole, behind, .. } = *inside;
        if whole > 1 || behind || (whole == 1 && kind == DamageKind::TrailingData) {
            let detail = match whole {
                1 => "1 whole record and a fragment".to_owned(),
                n => format!("{n} whole records"),
            };
            self.note(FindingId::GluedRecords, ended.len, Some(detail));
        } else if newline || kind == DamageKind::TooDeep {
            self.note(FindingId::BadLine, ended.len, Some(kind_text(kind).to_owned()));
            if !newline {
                self.note(FindingId::NoFinalNewline, ended.len, None);
            }
        } else {
            self.note(FindingId::TornTail, ended.len, None);
        }
    }

    fn record(&mut self, record: &Record, text: &[u8]) {
        if self.header == Header::Unseen {
            let good = record.session && record.id.is_some();
            self.tally.version = Some(record.version.unwrap_or(1)).filter(|_| good);
            self.tally.header_id = record.id.filter(|_| good);
            self.header = if good {
                Header::Good { linked: record.linked }
            } else {
                Header::Bad { line: self.reading.lines, offset: self.offset }
            };
        } else if record.session {
            let same = record.id.is_some() && record.id == self.tally.header_id;
            let of = if same { "of the same session" } else { "of another session" };
            self.note(FindingId::DuplicateHeader, text.len() as u64, Some(of.to_owned()));
        }
        if !record.session {
            self.entry(record, text);
            self.reading.entries += 1;
            self.links.add(record, self.reading.lines, self.offset);
        }
    }

    fn entry(&mut self, record: &Record, text: &[u8]) {
        let place = (self.reading.lines, self.offset);
        self.tally.with_id += u64::from(record.id.is_some());
        self.tally.with_parent += u64::from(record.parent != Parent::Absent);
        match record.role {
            Role::User => drop(self.tally.user.get_or_insert(place)),
            Role::Assistant => self.tally.answers += 1,
            Role::None | Role::Other if record.kind == Kind::Message && Fields::of(text).is_roleless() => {
                self.note(FindingId::MessageWithoutRole, text.len() as u64, None);
            }
            _ => {}
        }
        if let Some(pairs) = &mut self.pairs {
            pairs.add(record, text, place.0, place.1);
        }
    }

    fn first_value(&mut self) {
        if self.header == Header::Unseen {
            self.header = Header::Bad { line: self.reading.lines, offset: self.offset };
        }
    }

    fn note(&mut self, id: FindingId, bytes: u64, detail: Option<String>) {
        let line = self.number_known.then_some(self.reading.lines);
        self.reading.note(id, line, self.offset, bytes, detail);
    }

    /// The first line is longer than the part that was read: its beginning decides, if it can.
    fn cut_first_line(&mut self, head: &[u8]) {
        use crate::model::probe::HeaderState;
        self.header = match super::header::header(head, false) {
            HeaderState::Valid { .. } => Header::Good { linked: false },
            _ => Header::Unknown,
        };
    }

    fn judge_header(&mut self) {
        match self.header {
            Header::Good { .. } | Header::Unknown => {}
            Header::Bad { line, offset } => self.reading.note(FindingId::DamagedHeader, Some(line), offset, 0, None),
            Header::Unseen if self.reading.size == 0 => {
                self.reading.note(FindingId::EmptyTranscript, None, 0, 0, None);
            }
            Header::Unseen => {
                let detail = Some("no record at all".to_owned());
                self.reading.note(FindingId::DamagedHeader, Some(1), 0, 0, detail);
            }
        }
    }

    fn finished(mut self) -> Reading {
        self.reading.whole = true;
        self.judge_header();
        // Older versions get their ids when they are opened.
        if !matches!(self.header, Header::Good { linked: false }) {
            self.links.judge(&mut self.reading);
        }
        if let Some(pairs) = self.pairs.take() {
            self.judge_whole();
            pairs.judge(&mut self.reading);
        }
        self.reading
    }

    /// What only a closer look at the whole file tells.
    fn judge_whole(&mut self) {
        let tally = &self.tally;
        if let Some(version) = tally.version.filter(|v| *v != CURRENT) {
            let id = if version < CURRENT { FindingId::OldVersion } else { FindingId::NewerVersion };
            self.reading.note(id, Some(1), 0, 0, Some(format!("version {version}")));
        }
        if let Some((line, offset)) = tally.user.filter(|_| tally.answers == 0 && tally.version.is_some()) {
            self.reading.note(FindingId::NoAnswer, Some(line), offset, 0, None);
        }
        let linked = tally.version.is_some_and(|v| v > 1);
        if linked && tally.with_id > 0 && tally.with_parent == 0 {
            self.reading.note(FindingId::NoParents, None, 0, 0, None);
        }
    }

    /// Stopped by the user: what was found stands, what was not looked at is not judged.
    fn unfinished(self) -> Reading {
        self.reading
    }
}

fn kind_text(kind: DamageKind) -> &'static str {
    match kind {
        DamageKind::Truncated => "it ends in the middle of a value",
        DamageKind::TrailingData => "something follows the value",
        DamageKind::TooDeep => "nested too deeply",
        DamageKind::TooLarge => "larger than 4 GiB",
        _ => "not JSON",
    }
}

/// What is whole in a bad line.
#[derive(Debug, Default)]
struct Inside {
    /// Records.
    whole: usize,
    /// The first of them is not at the start.
    behind: bool,
    /// There are NUL bytes before or after a record, and nothing else.
    beside_nuls: bool,
}

impl Inside {
    /// Of a line that is at hand.
    fn of(text: &[u8], nuls: bool) -> Self {
        let records = if nuls { Vec::new() } else { record::glued(text) };
        let behind = records.first().is_some_and(|at| *at > 0);
        let beside = || matches!(record::line(without_nuls(text.trim_ascii())), Line::Record(_));
        Self { whole: records.len(), behind, beside_nuls: nuls && beside() }
    }

    /// Of a line too long to keep, as a repair takes it apart.
    fn again(file: &(impl Bytes + ?Sized), place: Place) -> io::Result<Self> {
        let parts = RawLine::read(file, place, LONG).and_then(|line| {
            let parts = if line.long { dissect_long(file, &line)? } else { dissect(&line.text) };
            Ok((line, parts))
        });
        let (line, parts) = match parts {
            // It was cut off meanwhile.
            Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => return Ok(Self::default()),
            found => found?,
        };
        let mut parts = parts.iter().filter(|part| part.kind != PartKind::Nothing);
        let first = parts.clone().next();
        let is_record = |part: &&Part| matches!(part.kind, PartKind::Record(_));
        let whole = parts.clone().filter(is_record).count();
        let alone = parts.all(|part| is_record(&part)) && whole == 1;
        let ends = |part: &Part, after: u64| after <= part.from as u64 || after >= part.to as u64;
        Ok(Self {
            whole,
            behind: whole > 0 && first.is_some_and(|part| !is_record(&part)),
            beside_nuls: alone && first.is_some_and(|part| line.nuls.iter().all(|run| ends(part, run.after))),
        })
    }
}

/// Without the NUL bytes at either end.
fn without_nuls(bytes: &[u8]) -> &[u8] {
    let start = bytes.iter().position(|b| *b != 0).unwrap_or(bytes.len());
    let end = bytes.iter().rposition(|b| *b != 0).map_or(start, |at| at + 1);
    &bytes[start..end]
}

#[cfg(test)]
#[path = "scan_tests.rs"]
mod tests;
