//! One pass over a transcript: what is kept, what goes, what changes.

use std::io;

use crate::model::index::DamageKind;
use crate::model::mend::{Edit, HeaderFields, HeaderSeen, MendKind, Mended, Piece, Survey};
use crate::model::transcript::{IdKind, Kind, Role};
use crate::order::Order as _;
use crate::transcript::lines::{Body, LONG, Lines};
use crate::transcript::long_line::{Ended, LongLine};
use crate::transcript::record::{self, IdHash, Line, Record};
use crate::transcript::slim::Slim;
use crate::units::json_text::unescape;

use super::counted::{self, Counted};
use super::dissect::{Part, PartKind, dissect, dissect_long, each_piece};
use super::fields::Fields;
use super::join::Pending;
use super::lines::{Bytes, Place, RawLine, Reader};
use super::remains;
use super::tree::{self, Lost, Tree};
use super::unicode::Fixer;
use super::words::{Truth, Words};

/// Most changes of one run. A file with more is mended by several.
pub const MOST_EDITS: usize = 1_000_000;
/// Reads the whole file. `went_on` hears of bytes as they are read, and stops the reading by answering no: nothing is
/// mended then.
///
/// # Errors
/// What reading gives. Content never is an error.
pub fn survey(file: &(impl Bytes + ?Sized), went_on: &dyn Fn(u64) -> bool) -> io::Result<Survey> {
    survey_above(file, went_on, LONG)
}

/// As [`survey`], of a file that is known to be of one of these sessions: a header of another one that is not in front is
/// none of its own. Without any every header may be.
///
/// # Errors
/// What reading gives.
pub fn survey_of(ids: &[String], file: &(impl Bytes + ?Sized), went_on: &dyn Fn(u64) -> bool) -> io::Result<Survey> {
    surveyed(Work { long: LONG, ids: ids.to_vec(), ..Work::default() }, file, went_on)
}

/// As [`survey`]; lines of more than `long` bytes are not kept.
///
/// # Errors
/// What reading gives.
fn survey_above(file: &(impl Bytes + ?Sized), went_on: &dyn Fn(u64) -> bool, long: usize) -> io::Result<Survey> {
    surveyed(Work { long, ..Work::default() }, file, went_on)
}

fn surveyed(mut work: Work, file: &(impl Bytes + ?Sized), went_on: &dyn Fn(u64) -> bool) -> io::Result<Survey> {
    let long = work.long;
    let mut reader = Reader::new(file, went_on);
    let mut lines = Lines::new(&mut reader, 0).long_above(long);
    let mut number = 0;
    while let Some(line) = lines.next_line()? {
        number += 1;
        let (at, len, newline) = (line.at, line.len, line.newline);
        match line.body {
            Body::Short(bytes) => work.line(file, RawLine::of(bytes, number, at, newline))?,
            Body::Long(long) => work.long(file, &long, Place { number, offset: at, len, newline })?,
        }
        work.out.size = at + len + u64::from(newline);
        work.out.lines = number;
    }
    if reader.stopped {
        return Ok(Survey::default());
    }
    work.flush(file)?;
    work.finish(file)
}

#[derive(Debug, Default)]
pub(super) struct Work {
    pub(super) out: Survey,
    tree: Tree,
    lost: Vec<Lost>,
    counted: Counted,
    header_id: Option<IdHash>,
    /// Sessions that it may be of; any, if there are none.
    ids: Vec<String>,
    /// Lines that together may be one record with raw newlines in it.
    pub(super) pending: Option<Pending>,
    /// Lines of more bytes are not kept.
    pub(super) long: usize,
    /// The last edit may grow by the next one.
    mergeable: bool,
    full: bool,
}

impl Work {
    /// Judges one line.
    fn line(&mut self, file: &(impl Bytes + ?Sized), line: RawLine) -> io::Result<()> {
        if line.noise {
            self.flush(file)?;
            self.fragment_line(&line, &line.text);
            return Ok(());
        }
        let judged = record::line(&line.text);
        match judged {
            Line::Record(found) if line.nuls.is_empty() => {
                self.flush(file)?;
                self.whole(&found, &line);
                Ok(())
            }
            Line::Blank if line.nuls.is_empty() && self.pending.is_none() => Ok(()),
            _ => self.judged(file, line, &judged),
        }
    }

    /// A line that is no record as it stands.
    fn judged(&mut self, file: &(impl Bytes + ?Sized), line: RawLine, judged: &Line) -> io::Result<()> {
        if self.pending.is_some() {
            return self.continued(file, line, judged);
        }
        if self.may_begin(file, &line, judged)? {
            return self.keep_back(file, &line);
        }
        self.lone(file, line, judged)
    }

    /// A line that is too long to keep. It is read again if something is wrong with it.
    fn long(&mut self, file: &(impl Bytes + ?Sized), (ended, slim): &(Ended, Slim), place: Place) -> io::Result<()> {
        if let Line::Record(found) = ended.line
            && !ended.bad_unicode
        {
            self.flush(file)?;
            let Place { number, offset, len, newline } = place;
            let line = RawLine { number, offset, len, newline, text_len: len, long: true, ..RawLine::default() };
            let words = match self.may_be_header(&found) {
                // What may be left of a header is looked at as it is.
                true => Words {
                    text: RawLine::read(file, place, LONG)?.text.into(),
                    truth: Truth::Exact,
                    unicode: Vec::new(),
                },
                false => Words::shortened(&slim.text),
            };
            let words = if words.text.is_empty() { Words::shortened(&slim.text) } else { words };
            if self.record(&found, &words, &line, (0, len_of(&line)), true) {
                self.final_newline(&line);
            }
            return Ok(());
        }
        let line = RawLine::read(file, place, self.long)?;
        if !line.long || line.noise {
            return self.line(file, line);
        }
        if matches!(ended.line, Line::Record(_)) {
            self.flush(file)?;
            return self.long_line(file, &line);
        }
        self.judged(file, line, &ended.line)
    }

    /// A long line that was kept back.
    pub(super) fn long_alone(&mut self, file: &(impl Bytes + ?Sized), line: RawLine) -> io::Result<()> {
        let mut long = LongLine::default();
        each_piece(file, &line, 0, len_of(&line), |_, piece| {
            long.feed(piece);
            !long.is_bad()
        })?;
        self.lone(file, line, &long.end().0.line)
    }

    fn too_deep(&mut self, line: &RawLine) {
        let why = format!("nested deeper than {} levels", crate::store::lexer::MAX_DEPTH);
        self.out.leave(line.number, line.offset, why);
        self.final_newline(line);
    }

    /// A line that is a record.
    fn whole(&mut self, found: &Record, line: &RawLine) {
        if self.record(found, &Words::exact(&line.text), line, (0, line.text.len()), true) {
            self.final_newline(line);
        }
    }

    pub(super) fn final_newline(&mut self, line: &RawLine) {
        if !line.newline {
            let at = line.offset + line.len;
            self.edit(Edit { at, cut: 0, put: b"\n".as_slice().into() }, false);
            self.note(MendKind::FinalNewline, line, at, 0, None);
        }
    }

    /// A line that is no record, or has NUL bytes, and belongs to no other.
    pub(super) fn lone(&mut self, file: &(impl Bytes + ?Sized), line: RawLine, judged: &Line) -> io::Result<()> {
        match judged {
            Line::Blank if line.nuls.is_empty() => {}
            Line::Blank => self.cut_line(&line, MendKind::Nuls, false, None),
            Line::Null | Line::NonObject => {
                self.counted.gone(line.start(0));
                let what = if *judged == Line::Null { "null" } else { "a value that is no object" };
                self.cut_line(&line, MendKind::NotARecord, true, Some(what.to_owned()));
            }
            Line::Bad(fault) if fault.kind == DamageKind::TooDeep => self.too_deep(&line),
            Line::Bad(_) if line.nuls.is_empty() && self.controls(file, &line)? => {}
            _ if line.long => self.long_line(file, &line)?,
            _ => {
                let text = &line.text;
                let words = |part: &Part| Ok(Words::exact(&text[part.from..part.to]));
                self.parts(&line, dissect(text), &words)?;
            }
        }
        Ok(())
    }

    fn long_line(&mut self, file: &(impl Bytes + ?Sized), line: &RawLine) -> io::Result<()> {
        let parts = dissect_long(file, line)?;
        let long = if self.in_front() { LONG } else { self.long };
        let words = |part: &Part| Words::read(file, line, part, long);
        if let ([Part { kind: PartKind::Record(found), from, to }], true) = (&parts[..], line.nuls.is_empty()) {
            if self.record(found, &words(&parts[0])?, line, (*from, *to), true) {
                self.final_newline(line);
            }
            return Ok(());
        }
        self.parts(line, parts, &words)
    }

    /// A line without a record.
    pub(super) fn fragment_line(&mut self, line: &RawLine, text: &[u8]) {
        let kind = if line.newline { MendKind::Fragment } else { MendKind::TornTail };
        self.header_remains(text);
        self.cut_line(line, kind, true, None);
        self.lose(&Fields::of(text), line, (line.offset, line.after()), (false, true));
    }

    /// Remembers an entry that is lost but still says who it was.
    pub(super) fn lose(
        &mut self,
        fields: &Fields,
        line: &RawLine,
        (from, to): (u64, u64),
        (before, after): (bool, bool),
    ) {
        let (Some(id), Some(parent)) = (&fields.id, &fields.parent) else { return };
        if fields.kind.as_deref() == Some(b"session") || self.lost.len() == tree::MOST_LOST {
            return;
        }
        self.mergeable = false;
        self.lost.push(Lost {
            id: id.clone(),
            parent: parent.clone(),
            timestamp: fields.timestamp.clone(),
            at: from,
            bytes: to - from,
            line: line.number,
            newline_before: before,
            newline_after: after,
        });
    }

    /// Nothing stands before what is read now that would make it anything but the beginning of the file.
    fn in_front(&self) -> bool {
        self.out.header == HeaderSeen::Missing && self.out.entries == 0 && self.lost.is_empty()
    }

    /// A record that may be the header with its type damaged.
    fn may_be_header(&self, found: &Record) -> bool {
        found.kind == Kind::Unknown && self.in_front() && self.out.remains == HeaderFields::default()
    }

    /// Remembers what a text that is no header says of one. One of another session further down says nothing.
    pub(super) fn header_remains(&mut self, text: &[u8]) {
        if self.out.remains != HeaderFields::default() {
            return;
        }
        let in_front = self.in_front();
        if let Some(found) = remains::of(text, in_front)
            && (in_front || self.ids.is_empty() || found.id.as_ref().is_some_and(|id| self.ids.contains(id)))
        {
            self.out.remains = found;
        }
    }

    /// Whether a header that is not the first record is the one of this transcript: what is left of the first one says so,
    /// else what is known about the file.
    fn is_own(&self, fields: &Fields) -> bool {
        let id = fields.id.as_ref().map(|raw| unescape(raw));
        match &self.out.remains.id {
            Some(own) => id.as_ref() == Some(own),
            None => self.ids.is_empty() || id.is_some_and(|id| self.ids.contains(&id)),
        }
    }

    /// Takes a whole line out.
    pub(super) fn cut_line(&mut self, line: &RawLine, kind: MendKind, keep: bool, detail: Option<String>) {
        let text = (line.start(0), line.end(len_of(line)));
        if keep {
            let newline = kind != MendKind::TornTail;
            self.out.torn.push(Piece { at: text.0, len: text.1.saturating_sub(text.0), newline });
        }
        let (offset, bytes) = if keep { (text.0, text.1 - text.0) } else { (line.offset, line.len) };
        self.note(kind, line, offset, bytes, detail);
        self.edit(Edit { at: line.offset, cut: line.after() - line.offset, put: Box::default() }, true);
    }

    /// A record that is whole. `alone`: nothing else is on its line. False if the line goes.
    pub(super) fn record(
        &mut self,
        found: &Record,
        words: &Words<'_>,
        line: &RawLine,
        (from, to): (usize, usize),
        alone: bool,
    ) -> bool {
        let at = line.start(from);
        let span = if alone && line.nuls.is_empty() { (at, line.after() - at) } else { (at, line.end(to) - at) };
        if self.out.with_id == 0 {
            self.counted.add(found, line.number, at, alone && line.nuls.is_empty());
        }
        if found.session {
            return self.session(found, words, line, (span, line.end(to)));
        }
        let text = &words.text;
        if alone && self.may_be_header(found) && words.truth == Truth::Exact {
            self.header_remains(text);
            if self.out.remains != HeaderFields::default() {
                self.counted.goes();
                let detail = Some("a session header whose type is damaged".to_owned());
                self.cut_line(line, MendKind::Fragment, true, detail);
                return false;
            }
        }
        if may_lack_role(found) {
            let fields = Fields::of(text);
            if fields.is_roleless() {
                self.counted.goes();
                self.roleless(&fields, line, (at, line.end(to)));
                return false;
            }
        }
        if self.out.first_time.is_none() && found.at.is_some() {
            self.out.first_time = Fields::of(text).timestamp.as_ref().map(|raw| unescape(raw));
        }
        if words.truth == Truth::Exact && (std::str::from_utf8(text).is_err() || record::has_lone_surrogate(text)) {
            self.unicode(line, from, Fixer::of(text));
        }
        self.unicode(line, from, words.unicode.clone());
        self.out.entries += 1;
        self.out.with_id += u64::from(found.named == IdKind::Usable);
        self.tree.add(found, line.number, at);
        true
    }

    /// A message without a role: the gateway drops it before its next run. It has a line of its own.
    fn roleless(&mut self, fields: &Fields, line: &RawLine, (from, to): (u64, u64)) {
        self.cut_line(line, MendKind::NoRole, true, None);
        self.lose(fields, line, (from, to), (false, true));
    }

    pub(super) fn unicode(&mut self, line: &RawLine, from: usize, edits: Vec<Edit>) {
        if edits.is_empty() {
            return;
        }
        let count = edits.len() as u64;
        let first = edits.first().map_or(line.offset, |e| line.start(from + usize::try_from(e.at).unwrap_or(0)));
        for edit in edits {
            let at = from + usize::try_from(edit.at).unwrap_or(usize::MAX);
            let end = at + usize::try_from(edit.cut).unwrap_or(0);
            let start = line.start(at);
            self.edit(Edit { at: start, cut: line.end(end) - start, put: edit.put }, false);
        }
        self.note(MendKind::Unicode, line, first, count, Some(crate::report::plural::count(count, "place")));
    }

    fn session(
        &mut self,
        found: &Record,
        words: &Words<'_>,
        line: &RawLine,
        ((at, cut), end): ((u64, u64), u64),
    ) -> bool {
        let fields = Fields::of(&words.text);
        let version = fields.version.unwrap_or(1);
        let own = self.is_own(&fields);
        // What is left of a header before it may be of another session.
        let first = self.in_front() && (own || self.out.remains == HeaderFields::default());
        match (&self.out.header, found.id) {
            (HeaderSeen::Missing, None) => {
                self.header_remains(&words.text);
                // What is escaped lies elsewhere in the file than in the text.
                if self.out.entries == 0 && words.truth == Truth::Exact {
                    self.out.header = HeaderSeen::WithoutId { at, text: words.text.to_vec(), version };
                } else {
                    self.out.leave(line.number, at, "a header without an id, after the first entry");
                }
            }
            (HeaderSeen::Missing, Some(id)) if first => {
                self.header_id = Some(id);
                self.out.header = HeaderSeen::Good { version };
            }
            (HeaderSeen::Missing, Some(id)) if own && words.truth != Truth::Shortened => {
                self.header_id = Some(id);
                // What was lost before it may leave a placeholder there.
                let late = self.out.entries > 0 || !self.lost.is_empty();
                self.out.header = if late {
                    HeaderSeen::Late { at, cut, text: words.text.to_vec(), version }
                } else {
                    HeaderSeen::Good { version }
                };
                if late {
                    self.note(MendKind::MoveHeader, line, at, cut, None);
                }
            }
            (_, id) if id.is_some() && id == self.header_id => {
                self.out.torn.push(Piece { at, len: end - at, newline: true });
                self.note(MendKind::DuplicateHeader, line, at, cut, None);
                self.edit(Edit { at, cut, put: Box::default() }, true);
                self.counted.goes();
                return false;
            }
            _ => self.out.leave(line.number, at, "a second header, of another session; the gateway ignores it"),
        }
        true
    }

    pub(super) fn note(&mut self, kind: MendKind, line: &RawLine, offset: u64, bytes: u64, detail: Option<String>) {
        self.out.note(Mended { kind, line: line.number, offset, bytes, detail });
    }

    /// Adds a change; `merge` says that it is a plain cut which may become one with the cut before it.
    pub(super) fn edit(&mut self, edit: Edit, merge: bool) {
        if self.full {
            return;
        }
        if let Some(last) = self.out.edits.last_mut()
            && merge
            && self.mergeable
            && last.at + last.cut == edit.at
        {
            last.cut += edit.cut;
            return;
        }
        if self.out.edits.len() == MOST_EDITS {
            self.full = true;
            let why = format!("more than {MOST_EDITS} places; repair again for those after this one");
            return self.out.leave(0, edit.at, why);
        }
        self.mergeable = merge;
        self.out.edits.push(edit);
    }

    fn finish(mut self, file: &(impl Bytes + ?Sized)) -> io::Result<Survey> {
        sort(&mut self.out);
        if self.out.header_version() > 1 || self.out.with_id > 0 {
            tree::mend(&mut self.out, std::mem::take(&mut self.tree), &self.lost, file)?;
        } else {
            counted::mend(&mut self.out, &self.counted, file)?;
        }
        sort(&mut self.out);
        Ok(self.out)
    }
}

/// In order, and none inside another: what goes as a whole needs no change in it.
fn sort(out: &mut Survey) {
    out.edits.order_by_key(|e| (e.at, e.cut > 0, std::cmp::Reverse(e.cut)));
    let mut end = 0;
    out.edits.retain(|e| {
        let inside = e.at < end;
        end = end.max(e.at + e.cut);
        !inside
    });
    out.torn.order_by_key(|p| p.at);
    out.mended.order_by_key(|m| (m.offset, m.kind));
}

pub(super) fn may_lack_role(found: &Record) -> bool {
    found.kind == Kind::Message && matches!(found.role, Role::None | Role::Other)
}

fn len_of(line: &RawLine) -> usize {
    usize::try_from(line.text_len).unwrap_or(usize::MAX)
}

#[cfg(test)]
#[path = "survey_tests.rs"]
mod tests;
