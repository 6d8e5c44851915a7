//! A line that holds more than one record, or more than a record: what stays, what goes, where newlines come.

use std::io;

use crate::model::mend::{Edit, MendKind, Piece};
use crate::order::Order as _;

use super::dissect::{Part, PartKind, is_space};
use super::fields::Fields;
use super::lines::RawLine;
use super::survey::{Work, may_lack_role};
use super::words::Words;

impl Work {
    /// Keeps the records of a line and takes out the rest.
    ///
    /// # Errors
    /// What `words`, which gives the text of a part, gives.
    pub(super) fn parts<'a>(
        &mut self,
        line: &RawLine,
        mut parts: Vec<Part>,
        words: &dyn Fn(&Part) -> io::Result<Words<'a>>,
    ) -> io::Result<()> {
        for part in &mut parts {
            if lacks_role(part, words)? {
                part.kind = PartKind::Fragment;
            }
        }
        let records = parts.iter().filter(|p| matches!(p.kind, PartKind::Record(_))).count();
        if records == 0 {
            if line.text_len == 0 || parts.iter().all(|p| p.kind == PartKind::Nothing) {
                let kind = if line.nuls.is_empty() { MendKind::Bom } else { MendKind::Nuls };
                self.cut_line(line, kind, false, None);
                return Ok(());
            }
            // A part without a role is one of several: what it says about itself counts as for a line of its own.
            let all =
                Part { from: 0, to: usize::try_from(line.text_len).unwrap_or(usize::MAX), kind: PartKind::Fragment };
            self.fragment_line(line, &words(&all)?.text);
            return Ok(());
        }
        let parts = &parts;
        let mut cuts: Vec<(u64, u64)> = Vec::new();
        for (run, start) in nul_spans(line) {
            cuts.push((start, start + run));
        }
        if !line.nuls.is_empty() {
            let bytes = line.nuls.iter().map(|r| r.len).sum();
            self.note(MendKind::Nuls, line, line.offset, bytes, Some("records beside them stay".to_owned()));
        }
        let mut starts = Vec::new();
        let mut seen = false;
        for (ix, part) in parts.iter().enumerate() {
            let (from, to) = (line.start(part.from), line.end(part.to));
            match part.kind {
                PartKind::Nothing => {
                    let blank = words(part)?.text.iter().all(|b| is_space(*b));
                    if !blank {
                        cuts.push((from, to));
                        self.note(MendKind::Bom, line, from, to - from, None);
                    }
                }
                PartKind::Fragment => {
                    cuts.push((from, to));
                    let more = parts[ix + 1..].iter().any(|p| matches!(p.kind, PartKind::Record(_)));
                    self.take(line, part, &words(part)?, (seen, more));
                }
                PartKind::Record(found) => {
                    if seen {
                        starts.push(from);
                    }
                    seen = true;
                    let alone = records == 1 && parts.iter().all(|p| p.kind != PartKind::Fragment);
                    self.record(&found, &words(part)?, line, (part.from, part.to), alone);
                }
            }
        }
        if !starts.is_empty() {
            let detail = Some(format!("{records} records on one line"));
            self.note(MendKind::Split, line, line.offset, line.len, detail);
        }
        if !line.newline {
            starts.push(line.offset + line.len);
            self.note(MendKind::FinalNewline, line, line.offset + line.len, 0, None);
        }
        for edit in cuts_and_newlines(cuts, &starts) {
            self.edit(edit, false);
        }
        Ok(())
    }

    /// A fragment between records goes to the `.torn` file. `beside`: a record comes before it, one comes after it.
    fn take(&mut self, line: &RawLine, part: &Part, words: &Words<'_>, beside: (bool, bool)) {
        let (from, to) = (line.start(part.from), line.end(part.to));
        self.out.torn.push(Piece { at: from, len: to - from, newline: true });
        self.note(MendKind::Fragment, line, from, to - from, None);
        self.header_remains(&words.text);
        self.lose(&Fields::of(&words.text), line, (from, to), beside);
    }
}

fn lacks_role<'a>(part: &Part, words: &dyn Fn(&Part) -> io::Result<Words<'a>>) -> io::Result<bool> {
    match part.kind {
        PartKind::Record(found) if may_lack_role(&found) => Ok(Fields::of(&words(part)?.text).is_roleless()),
        _ => Ok(false),
    }
}

/// Length and file offset of each run of NUL bytes.
fn nul_spans(line: &RawLine) -> impl Iterator<Item = (u64, u64)> {
    let mut before = 0;
    line.nuls.iter().map(move |run| {
        let start = line.offset + run.after + before;
        before += run.len;
        (run.len, start)
    })
}

/// Cuts, joined where they touch, and newlines at `starts`.
fn cuts_and_newlines(mut cuts: Vec<(u64, u64)>, starts: &[u64]) -> Vec<Edit> {
    cuts.sort_unstable();
    let mut edits: Vec<Edit> = Vec::new();
    for (from, to) in cuts {
        match edits.last_mut() {
            Some(last) if from <= last.at + last.cut => last.cut = last.cut.max(to.saturating_sub(last.at)),
            _ => edits.push(Edit { at: from, cut: to - from, put: Box::default() }),
        }
    }
    for start in starts {
        match edits.iter_mut().find(|e| e.at <= *start && *start <= e.at + e.cut) {
            Some(edit) => edit.put = b"\n".as_slice().into(),
            None => edits.push(Edit { at: *start, cut: 0, put: b"\n".as_slice().into() }),
        }
    }
    edits.order_by_key(|e| e.at);
    edits
}
