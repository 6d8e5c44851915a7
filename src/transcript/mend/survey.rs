//! One pass over a transcript: what is kept, what goes, what changes.

use std::io;

use crate::model::index::DamageKind;
use crate::model::mend::{Edit, HeaderSeen, MendKind, Mended, Piece, Survey};
use crate::model::transcript::{IdKind, Kind, Role};
use crate::order::Order as _;
use crate::store::parse::BOM;
use crate::transcript::lines::{Body, Lines};
use crate::transcript::long_line::Ended;
use crate::transcript::record::{self, IdHash, Line, Record};
use crate::units::json_text::unescape;

use super::controls;
use super::counted::{self, Counted};
use super::dissect::{PartKind, dissect, dissect_long, each_piece};
use super::fields::Fields;
use super::lines::{Bytes, RawLine, Reader};
use super::tree::{self, Lost, Tree};
use super::unicode::Fixer;

/// Most changes of one run. A file with more is mended by several.
pub const MOST_EDITS: usize = 1_000_000;
/// Most physical lines that can belong to one record with raw newlines in it.
const JOIN_LINES: usize = 256;
/// Most bytes of such a record.
const JOIN_BYTES: u64 = 1 << 20;

/// Reads the whole file. `went_on` hears of bytes as they are read, and stops the reading by answering no: nothing is
/// mended then.
///
/// # Errors
/// What reading gives. Content never is an error.
pub fn survey(file: &(impl Bytes + ?Sized), went_on: &dyn Fn(u64) -> bool) -> io::Result<Survey> {
    let mut work = Work::default();
    let mut reader = Reader::new(file, went_on);
    let mut lines = Lines::new(&mut reader, 0);
    let mut number = 0;
    while let Some(line) = lines.next_line()? {
        number += 1;
        let (at, len, newline) = (line.at, line.len, line.newline);
        match line.body {
            Body::Short(bytes) => work.line(RawLine::of(bytes, number, at, newline)),
            Body::Long(long) => work.long(file, &long.0, (number, at, len, newline))?,
        }
        work.out.size = at + len + u64::from(newline);
        work.out.lines = number;
    }
    if reader.stopped {
        return Ok(Survey::default());
    }
    work.flush();
    work.finish(file)
}

#[derive(Debug, Default)]
pub(super) struct Work {
    pub(super) out: Survey,
    tree: Tree,
    lost: Vec<Lost>,
    counted: Counted,
    header_id: Option<IdHash>,
    /// Lines that together may be one record with raw newlines in it.
    pending: Vec<RawLine>,
    /// The last edit may grow by the next one.
    mergeable: bool,
    full: bool,
}

impl Work {
    /// Judges one line.
    fn line(&mut self, line: RawLine) {
        if line.noise {
            self.flush();
            return self.fragment_line(&line);
        }
        let judged = record::line(&line.text);
        match judged {
            Line::Record(found) if line.nuls.is_empty() => {
                self.flush();
                self.whole(&found, &line);
            }
            Line::Blank if line.nuls.is_empty() && self.pending.is_empty() => {}
            _ if !self.pending.is_empty() => self.continued(line, &judged),
            Line::Bad(fault)
                if fault.kind == DamageKind::Truncated && line.newline && line.nuls.is_empty() && begins(&line) =>
            {
                self.pending.push(line);
            }
            _ => self.bad(&line, &judged),
        }
    }

    /// A line that is too long to keep. It is read again if something is wrong with it.
    fn long(
        &mut self,
        file: &(impl Bytes + ?Sized),
        ended: &Ended,
        (number, at, len, newline): (u64, u64, u64, bool),
    ) -> io::Result<()> {
        self.flush();
        if let Line::Record(found) = ended.line
            && !ended.bad_unicode
        {
            let line = RawLine { number, offset: at, len, newline, text_len: len, long: true, ..RawLine::default() };
            self.record(&found, None, &line, (0, len_of(&line)), true);
            self.final_newline(&line);
            return Ok(());
        }
        let line = RawLine::read(file, number, at, len, newline)?;
        if !line.long || line.noise {
            self.line(line);
            return Ok(());
        }
        if matches!(ended.line, Line::Bad(fault) if fault.kind == DamageKind::TooDeep) {
            self.too_deep(&line);
            return Ok(());
        }
        self.long_line(file, line)
    }

    fn too_deep(&mut self, line: &RawLine) {
        let why = format!("nested deeper than {} levels", crate::store::lexer::MAX_DEPTH);
        self.out.leave(line.number, line.offset, why);
        self.final_newline(line);
    }

    /// A line after one that ends in the middle of a string.
    fn continued(&mut self, line: RawLine, judged: &Line) {
        let size: u64 = self.pending.iter().map(|l| l.len + 1).sum();
        let fits = self.pending.len() < JOIN_LINES && size + line.len < JOIN_BYTES && line.nuls.is_empty();
        let may = matches!(judged, Line::Bad(_) | Line::Blank | Line::Null | Line::NonObject) && fits;
        if !may {
            self.flush();
            let judged = *judged;
            return self.bad(&line, &judged);
        }
        let ends = line.text.trim_ascii_end().ends_with(b"}");
        self.pending.push(line);
        if ends {
            self.join();
        } else if !self.pending.last().is_some_and(|l| l.newline) {
            self.flush();
        }
    }

    /// Whether the lines that were kept back are one record.
    fn join(&mut self) {
        let mut text = Vec::new();
        for line in &self.pending {
            text.extend_from_slice(&line.text);
            text.push(b'\n');
        }
        text.pop();
        let Some(edits) = controls::escaped(&text) else {
            if !self.pending.last().is_some_and(|l| l.newline) {
                self.flush();
            }
            return;
        };
        let lines = std::mem::take(&mut self.pending);
        let (Some(first), Some(last)) = (lines.first(), lines.last()) else { return };
        let fixed = controls::apply(&text, &edits);
        let Line::Record(found) = record::line(&fixed) else { return };
        let whole = RawLine {
            number: first.number,
            offset: first.offset,
            len: text.len() as u64,
            newline: last.newline,
            text_len: text.len() as u64,
            ..RawLine::default()
        };
        if self.record(&found, Some(&fixed), &whole, (0, text.len()), false) {
            self.control(&whole, &edits);
            // The two never meet: one is about single bytes below a space, the other about anything but those.
            self.unicode(&whole, 0, Fixer::of(&text));
            self.final_newline(&whole);
        }
    }

    fn control(&mut self, line: &RawLine, edits: &[Edit]) {
        for edit in edits {
            let at = usize::try_from(edit.at).unwrap_or(usize::MAX);
            self.edit(Edit { at: line.start(at), cut: edit.cut, put: edit.put.clone() }, false);
        }
        let detail = Some(crate::report::plural::count(edits.len() as u64, "character"));
        self.note(MendKind::Control, line, line.offset, edits.len() as u64, detail);
    }

    /// The lines that were kept back are no record: each stands for itself.
    fn flush(&mut self) {
        for line in std::mem::take(&mut self.pending) {
            let judged = record::line(&line.text);
            if judged != Line::Blank {
                self.bad(&line, &judged);
            }
        }
    }

    /// A line that is a record.
    fn whole(&mut self, found: &Record, line: &RawLine) {
        if self.record(found, Some(&line.text), line, (0, line.text.len()), true) {
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

    /// A line that is no record, or has NUL bytes.
    fn bad(&mut self, line: &RawLine, judged: &Line) {
        match judged {
            Line::Blank if line.nuls.is_empty() => {}
            Line::Blank => self.cut_line(line, MendKind::Nuls, false, None),
            Line::Null | Line::NonObject => {
                self.counted.gone(line.start(0));
                let what = if *judged == Line::Null { "null" } else { "a value that is no object" };
                self.cut_line(line, MendKind::NotARecord, true, Some(what.to_owned()));
            }
            Line::Bad(fault) if fault.kind == DamageKind::TooDeep => {
                self.too_deep(line);
            }
            Line::Bad(_) if line.nuls.is_empty() && self.escaped(line) => {}
            _ => {
                let parts = dissect(&line.text);
                self.parts(line, &parts, Some(&line.text));
            }
        }
    }

    /// One line with raw control characters in it.
    fn escaped(&mut self, line: &RawLine) -> bool {
        let Some(edits) = controls::escaped(&line.text) else { return false };
        let fixed = controls::apply(&line.text, &edits);
        let Line::Record(found) = record::line(&fixed) else { return false };
        if self.record(&found, Some(&fixed), line, (0, line.text.len()), false) {
            self.control(line, &edits);
            self.unicode(line, 0, Fixer::of(&line.text));
            self.final_newline(line);
        }
        true
    }

    fn long_line(&mut self, file: &(impl Bytes + ?Sized), line: RawLine) -> io::Result<()> {
        let parts = dissect_long(file, &line)?;
        for part in parts.iter().filter(|p| matches!(p.kind, PartKind::Record(_))) {
            let mut fixer = Fixer::default();
            each_piece(file, &line, part.from, part.to, |_, piece| {
                fixer.feed(piece);
                true
            })?;
            self.unicode(&line, part.from, fixer.end());
        }
        let damaged = parts.len() > 1 || !line.nuls.is_empty() || !matches!(parts[0].kind, PartKind::Record(_));
        if damaged {
            self.parts(&line, &parts, None);
        } else if let PartKind::Record(found) = parts[0].kind {
            self.record(&found, None, &line, (parts[0].from, parts[0].to), true);
            self.final_newline(&line);
        }
        Ok(())
    }

    /// A line without a record.
    pub(super) fn fragment_line(&mut self, line: &RawLine) {
        let fields = Fields::of(&line.text);
        let (kind, detail) = if line.newline { (MendKind::Fragment, None) } else { (MendKind::TornTail, None) };
        self.header_remains(&fields);
        self.cut_line(line, kind, true, detail);
        self.lose(&fields, line, (line.offset, line.after()), (false, true));
    }

    /// Remembers an entry that is lost but still says who it was.
    pub(super) fn lose(
        &mut self,
        fields: &Fields,
        line: &RawLine,
        (from, to): (u64, u64),
        (before, after): (bool, bool),
    ) {
        self.header_remains(fields);
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

    fn header_remains(&mut self, fields: &Fields) {
        let remains = &mut self.out.remains;
        if fields.kind.as_deref() != Some(b"session") || remains.id.is_some() {
            return;
        }
        let text = |raw: &Option<Vec<u8>>| raw.as_ref().map(|raw| unescape(raw));
        remains.id = text(&fields.id).filter(|id| !id.is_empty());
        remains.timestamp = text(&fields.timestamp);
        remains.cwd = text(&fields.cwd);
        remains.parent = text(&fields.parent_session);
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
        text: Option<&[u8]>,
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
            let exact = text.is_some_and(|text| text.len() == to - from);
            return self.session(found, (text.unwrap_or_default(), exact), line, span);
        }
        if let Some(text) = text {
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
            if text.len() == to - from && (std::str::from_utf8(text).is_err() || record::has_lone_surrogate(text)) {
                self.unicode(line, from, Fixer::of(text));
            }
        }
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

    fn unicode(&mut self, line: &RawLine, from: usize, edits: Vec<Edit>) {
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

    fn session(&mut self, found: &Record, (text, exact): (&[u8], bool), line: &RawLine, (at, cut): (u64, u64)) -> bool {
        let fields = Fields::of(text);
        let version = fields.version.unwrap_or(1);
        let first = self.out.entries == 0 && self.lost.is_empty() && self.header_id.is_none();
        match (&self.out.header, found.id) {
            (HeaderSeen::Missing, None) => {
                self.header_remains(&fields);
                // What is escaped lies elsewhere in the file than in the text.
                if self.out.entries == 0 && exact {
                    self.out.header = HeaderSeen::WithoutId { at, text: text.to_vec(), version };
                } else {
                    self.out.leave(line.number, at, "a header without an id, after the first entry");
                }
            }
            (HeaderSeen::Missing, Some(id)) if first => {
                self.header_id = Some(id);
                self.out.header = HeaderSeen::Good { version };
            }
            (HeaderSeen::Missing, Some(id)) if text.len() as u64 <= JOIN_BYTES => {
                self.header_id = Some(id);
                // What was lost before it may leave a placeholder there.
                let late = self.out.entries > 0 || !self.lost.is_empty();
                self.out.header = if late {
                    HeaderSeen::Late { at, cut, text: text.to_vec(), version }
                } else {
                    HeaderSeen::Good { version }
                };
                if late {
                    self.note(MendKind::MoveHeader, line, at, cut, None);
                }
            }
            (_, id) if id.is_some() && id == self.header_id => {
                self.out.torn.push(Piece { at, len: text.len() as u64, newline: true });
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
            tree::mend(&mut self.out, &self.tree, &self.lost, file)?;
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

fn begins(line: &RawLine) -> bool {
    let text = line.text.trim_ascii_start();
    text.strip_prefix(BOM).unwrap_or(text).starts_with(b"{\"")
}

fn len_of(line: &RawLine) -> usize {
    usize::try_from(line.text_len).unwrap_or(usize::MAX)
}

#[cfg(test)]
#[path = "survey_tests.rs"]
mod tests;
