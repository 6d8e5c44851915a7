//! Records with raw control characters in them: on one line, or, if they hold newlines, on several.
//!
//! Lines are kept back from one that ends in the middle of a string on, and read as one text with what should have been
//! escaped escaped ([`Escaping`]). As soon as that is a whole record they are one; as soon as it can be none, or a line
//! comes that is a record of its own, each stands for itself. Only where the lines lie is kept: those that turn out to be
//! no record are read again.

use std::io;

use crate::model::index::DamageKind;
use crate::model::mend::{Edit, MendKind};
use crate::store::parse::BOM;
use crate::transcript::record::{self, Line};

use super::controls::{self, Escaped, Escaping};
use super::dissect::each_piece;
use super::lines::{Bytes, Place, RawLine};
use super::survey::Work;
use super::words::{Truth, Words};

/// Most physical lines that can belong to one record with raw newlines in it.
const JOIN_LINES: usize = 256;

/// Lines that together may be one record.
#[derive(Debug, Default)]
pub struct Pending {
    lines: Vec<Place>,
    text: Escaping,
}

impl Work {
    /// Whether a line may begin a record with raw newlines in it.
    ///
    /// # Errors
    /// What reading gives.
    pub(super) fn may_begin(&self, file: &(impl Bytes + ?Sized), line: &RawLine, judged: &Line) -> io::Result<bool> {
        let Line::Bad(fault) = judged else { return Ok(false) };
        if !line.newline || !line.nuls.is_empty() || !begins(file, line)? {
            return Ok(false);
        }
        Ok(match fault.kind {
            DamageKind::Truncated => true,
            // A control character that comes first, as the other half of a line break: it ends too early all the same.
            DamageKind::Syntax => {
                let mut text = Escaping::default();
                feed(&mut text, file, line)?;
                !text.is_bad() && !text.is_whole()
            }
            _ => false,
        })
    }

    /// Keeps a line back. Gives it back as one record with those before it if it completes one.
    ///
    /// # Errors
    /// What reading gives.
    pub(super) fn keep_back(&mut self, file: &(impl Bytes + ?Sized), line: &RawLine) -> io::Result<()> {
        let pending = self.pending.get_or_insert_default();
        if !pending.lines.is_empty() {
            pending.text.feed(b"\n");
        }
        pending.lines.push(line.place());
        feed(&mut pending.text, file, line)?;
        if pending.text.is_bad() || !(pending.text.is_whole() || line.newline) {
            return self.flush(file);
        }
        if !pending.text.is_whole() {
            return Ok(());
        }
        let Some(Pending { lines, text }) = self.pending.take() else { return Ok(()) };
        match text.end() {
            Some(escaped) => self.joined(file, &lines, &escaped),
            None => self.alone(file, &lines),
        }
    }

    /// A line after one that was kept back.
    ///
    /// # Errors
    /// What reading gives.
    pub(super) fn continued(&mut self, file: &(impl Bytes + ?Sized), line: RawLine, judged: &Line) -> io::Result<()> {
        let room = self.pending.as_ref().is_some_and(|p| p.lines.len() < JOIN_LINES);
        let may = matches!(judged, Line::Bad(_) | Line::Blank | Line::Null | Line::NonObject);
        if may && room && line.nuls.is_empty() {
            return self.keep_back(file, &line);
        }
        self.flush(file)?;
        self.lone(file, line, judged)
    }

    /// The lines that were kept back are no record: each stands for itself.
    ///
    /// # Errors
    /// What reading gives.
    pub(super) fn flush(&mut self, file: &(impl Bytes + ?Sized)) -> io::Result<()> {
        match self.pending.take() {
            Some(pending) => self.alone(file, &pending.lines),
            None => Ok(()),
        }
    }

    fn alone(&mut self, file: &(impl Bytes + ?Sized), lines: &[Place]) -> io::Result<()> {
        for place in lines {
            let line = RawLine::read(file, *place, self.long)?;
            let judged = if line.long { None } else { Some(record::line(&line.text)) };
            match judged {
                Some(judged) => self.lone(file, line, &judged)?,
                None => self.long_alone(file, line)?,
            }
        }
        Ok(())
    }

    fn joined(&mut self, file: &(impl Bytes + ?Sized), lines: &[Place], escaped: &Escaped) -> io::Result<()> {
        let (Some(first), Some(last)) = (lines.first(), lines.last()) else { return Ok(()) };
        let len = last.offset + last.len - first.offset;
        let whole = RawLine {
            number: first.number,
            offset: first.offset,
            len,
            newline: last.newline,
            text_len: len,
            long: true,
            ..RawLine::default()
        };
        self.escaped(file, &whole, escaped)
    }

    /// A line with raw control characters in it, if that is all that is wrong with it.
    ///
    /// # Errors
    /// What reading gives.
    pub(super) fn controls(&mut self, file: &(impl Bytes + ?Sized), line: &RawLine) -> io::Result<bool> {
        let mut text = Escaping::default();
        feed(&mut text, file, line)?;
        let Some(escaped) = text.end() else { return Ok(false) };
        self.escaped(file, line, &escaped)?;
        Ok(true)
    }

    fn escaped(&mut self, file: &(impl Bytes + ?Sized), line: &RawLine, escaped: &Escaped) -> io::Result<()> {
        let mut words = Words::shortened(&escaped.text);
        if line.text_len <= self.long as u64 {
            let mut text = line.text.clone();
            if line.long {
                each_piece(file, line, 0, usize::try_from(line.text_len).unwrap_or(usize::MAX), |_, piece| {
                    text.extend_from_slice(piece);
                    true
                })?;
            }
            words = Words {
                text: controls::apply(&text, &escaped.edits).into(),
                truth: Truth::Escaped,
                unicode: Vec::new(),
            };
        }
        let whole = (0, usize::try_from(line.text_len).unwrap_or(usize::MAX));
        if self.record(&escaped.found, &words, line, whole, false) {
            for edit in &escaped.edits {
                let at = usize::try_from(edit.at).unwrap_or(usize::MAX);
                self.edit(Edit { at: line.start(at), cut: edit.cut, put: edit.put.clone() }, false);
            }
            let count = escaped.edits.len() as u64;
            let detail = Some(crate::report::plural::count(count, "character"));
            self.note(MendKind::Control, line, line.offset, count, detail);
            // The two never meet: one is about single bytes below a space, the other about anything but those.
            self.unicode(line, 0, escaped.unicode.clone());
            self.final_newline(line);
        }
        Ok(())
    }
}

fn feed(text: &mut Escaping, file: &(impl Bytes + ?Sized), line: &RawLine) -> io::Result<()> {
    if !line.long {
        text.feed(&line.text);
        return Ok(());
    }
    each_piece(file, line, 0, usize::try_from(line.text_len).unwrap_or(usize::MAX), |_, piece| {
        text.feed(piece);
        !text.is_bad()
    })
}

fn begins(file: &(impl Bytes + ?Sized), line: &RawLine) -> io::Result<bool> {
    /// White space before it that is looked through.
    const LOOK: usize = 4096;
    let mut head = Vec::new();
    if line.long {
        each_piece(file, line, 0, usize::try_from(line.text_len).map_or(LOOK, |len| len.min(LOOK)), |_, piece| {
            head.extend_from_slice(piece);
            true
        })?;
    }
    let text = if line.long { &head } else { &line.text };
    let text = text.trim_ascii_start();
    Ok(text.strip_prefix(BOM).unwrap_or(text).starts_with(b"{\""))
}
