//! A repair to its end: what mending one kind of damage brings to light is mended too.
//!
//! Damage hides other damage. Bytes that are not UTF-8 become the same character in two ids, and then the ids are one; a
//! placeholder brings a parent back, and with it a circle. So the file as it will be is surveyed again until nothing new
//! is found, a few times at most, and the changes become one list against the old file: what nobody names is still copied
//! by offset from it.

use std::io;

use crate::model::mend::{Edit, HeaderSeen, LeftAlone, Mended, Piece, Survey};
use crate::order::Order as _;

use super::lines::Bytes;
use super::survey::survey;

/// Surveys of what comes of a repair. Each kind of damage can hide another one; no file was seen that needs more than four.
pub const ROUNDS: usize = 8;
/// Bytes read at once to count lines.
const PIECE: usize = 64 * 1024;

/// A file as it will be after its edits, at any offset.
pub struct After<'a, B: ?Sized> {
    bytes: &'a B,
    edits: &'a [Edit],
    /// Where what each edit puts in begins in the new file.
    starts: Vec<u64>,
    size: u64,
}

impl<'a, B: Bytes + ?Sized> After<'a, B> {
    /// The edits are ascending, none overlapping another.
    pub fn new(bytes: &'a B, edits: &'a [Edit]) -> Self {
        let (mut starts, mut old, mut new) = (Vec::with_capacity(edits.len()), 0, 0);
        for edit in edits {
            new += edit.at - old;
            starts.push(new);
            new += edit.put.len() as u64;
            old = edit.at + edit.cut;
        }
        Self { bytes, edits, starts, size: new + bytes.size().saturating_sub(old) }
    }

    /// Where a byte comes from: an offset of the old file, and true if it is one of the old bytes.
    fn origin(&self, at: u64) -> (u64, bool) {
        let ix = self.starts.partition_point(|start| *start <= at);
        let Some((edit, start)) = ix.checked_sub(1).map(|ix| (&self.edits[ix], self.starts[ix])) else {
            return (at, true);
        };
        let inside = at - start;
        match inside.checked_sub(edit.put.len() as u64) {
            Some(behind) => (edit.at + edit.cut + behind, true),
            None => (edit.at, false),
        }
    }
}

impl<B: Bytes + ?Sized> Bytes for After<'_, B> {
    fn size(&self) -> u64 {
        self.size
    }

    fn read_at(&self, buffer: &mut [u8], at: u64) -> io::Result<usize> {
        let mut done = 0;
        while done < buffer.len() {
            let pos = at + done as u64;
            let ix = self.starts.partition_point(|start| *start <= pos);
            let room = buffer.len() - done;
            if let Some(ix) = ix.checked_sub(1) {
                let inside = usize::try_from(pos - self.starts[ix]).unwrap_or(usize::MAX);
                let put = self.edits[ix].put.get(inside..).unwrap_or_default();
                if !put.is_empty() {
                    let len = put.len().min(room);
                    buffer[done..done + len].copy_from_slice(&put[..len]);
                    done += len;
                    continue;
                }
            }
            let until = self.starts.get(ix).copied().unwrap_or(u64::MAX) - pos;
            let want = usize::try_from(until).map_or(room, |n| n.min(room));
            match self.bytes.read_at(&mut buffer[done..done + want], self.origin(pos).0)? {
                0 => break,
                got => done += got,
            }
        }
        Ok(done)
    }
}

/// Adds to the survey of a file what is still to be mended in what comes of it. `head` makes a header where one is needed;
/// if it cannot, nothing more is looked at. `went_on` is asked before each round.
///
/// # Errors
/// What reading gives.
pub fn settle(
    found: &mut Survey,
    file: &(impl Bytes + ?Sized),
    head: &mut dyn FnMut(&mut Survey) -> bool,
    went_on: &dyn Fn() -> bool,
) -> io::Result<()> {
    if !head(found) {
        return Ok(());
    }
    for _ in 0..ROUNDS {
        if found.is_clean() || !went_on() {
            return Ok(());
        }
        let after = After::new(file, &found.edits);
        let mut next = survey(&after, &|_| went_on())?;
        if !went_on() || !head(&mut next) {
            return Ok(());
        }
        // Nothing more to mend, but what is left alone may have come to light only now.
        let is_last = next.is_clean();
        if is_last && next.left.len() <= found.left.len() {
            return Ok(());
        }
        let joined = absorb(found, next, &after)?;
        *found = joined;
        if is_last {
            return Ok(());
        }
    }
    Ok(())
}

/// One survey of the old file for two: `next` is one of what comes of the first.
///
/// # Errors
/// What reading gives.
pub fn absorb<B: Bytes + ?Sized>(found: &Survey, next: Survey, after: &After<'_, B>) -> io::Result<Survey> {
    let mut out = Survey {
        edits: composed(found.size, &found.edits, &next.edits),
        header: match next.header {
            // Its place is one in the new file, where it is good.
            HeaderSeen::Late { version, .. } | HeaderSeen::WithoutId { version, .. } => HeaderSeen::Good { version },
            other => other,
        },
        entries: next.entries,
        with_id: next.with_id,
        left: Vec::new(),
        ..found.clone()
    };
    for piece in next.torn {
        out.torn.extend(old_pieces(piece, after));
    }
    out.torn.order_by_key(|p| p.at);
    let offsets = next.mended.iter().map(|m| m.offset).chain(next.left.iter().map(|l| l.offset));
    let mut places: Vec<u64> = offsets.map(|at| after.origin(at).0).collect();
    places.sort_unstable();
    let lines = lines_of(after.bytes, &places)?;
    let line = |at: u64| places.binary_search(&at).map_or(0, |ix| lines[ix]);
    for (kind, count) in next.counts {
        *out.counts.entry(kind).or_default() += count;
    }
    for left in next.left {
        let offset = after.origin(left.offset).0;
        // 0 stands for the file as a whole.
        let line = if left.line == 0 { 0 } else { line(offset) };
        out.left.push(LeftAlone { line, offset, ..left });
    }
    for mended in next.mended {
        let offset = after.origin(mended.offset).0;
        out.mended.push(Mended { line: line(offset), offset, ..mended });
    }
    out.mended.order_by_key(|m| (m.offset, m.kind));
    Ok(out)
}

/// The parts of a piece of the new file that are bytes of the old one.
fn old_pieces<B: Bytes + ?Sized>(piece: Piece, after: &After<'_, B>) -> Vec<Piece> {
    let mut out: Vec<Piece> = Vec::new();
    let (mut at, end) = (piece.at, piece.at + piece.len);
    while at < end {
        let (origin, old) = after.origin(at);
        let ix = after.starts.partition_point(|start| *start <= at);
        let run = if old {
            after.starts.get(ix).copied().unwrap_or(u64::MAX).min(end) - at
        } else {
            // The rest of what an edit put in: nobody wrote it.
            let put = after.edits[ix - 1].put.len() as u64;
            (after.starts[ix - 1] + put).min(end) - at
        };
        if old {
            out.push(Piece { at: origin, len: run, newline: false });
        }
        at += run;
    }
    if let Some(last) = out.last_mut() {
        last.newline = piece.newline;
    }
    out
}

/// What is left of the old file, and what was put in, while edits are joined.
enum Part {
    Old(u64, u64),
    New(Box<[u8]>),
}

impl Part {
    fn len(&self) -> u64 {
        match self {
            Self::Old(from, to) => to - from,
            Self::New(text) => text.len() as u64,
        }
    }

    /// The first `at` bytes, and the rest.
    fn split(self, at: u64) -> (Self, Self) {
        match self {
            Self::Old(from, to) => (Self::Old(from, from + at), Self::Old(from + at, to)),
            Self::New(text) => {
                let (a, b) = text.split_at(usize::try_from(at).unwrap_or(usize::MAX).min(text.len()));
                (Self::New(a.into()), Self::New(b.into()))
            }
        }
    }
}

/// `second`, which changes what comes of `first`, as changes of a file of `size` bytes together with it.
fn composed(size: u64, first: &[Edit], second: &[Edit]) -> Vec<Edit> {
    let mut parts: Vec<Part> = Vec::with_capacity(2 * first.len() + 1);
    let mut at = 0;
    for edit in first {
        parts.push(Part::Old(at, edit.at));
        parts.push(Part::New(edit.put.clone()));
        at = edit.at + edit.cut;
    }
    parts.push(Part::Old(at, size));
    let mut rest = parts.into_iter().filter(|p| p.len() > 0);
    let mut pending = rest.next();
    let mut out: Vec<Part> = Vec::new();
    let mut pos = 0;
    // Moves on to an offset of the new file; what is passed stays or goes.
    let mut pass = |to: u64, pos: &mut u64, keep: Option<&mut Vec<Part>>| {
        let mut kept = Vec::new();
        while *pos < to {
            let Some(part) = pending.take() else { break };
            let room = to - *pos;
            if part.len() > room {
                let (head, tail) = part.split(room);
                *pos += room;
                kept.push(head);
                pending = Some(tail);
            } else {
                *pos += part.len();
                kept.push(part);
                pending = rest.next();
            }
        }
        if let Some(out) = keep {
            out.append(&mut kept);
        }
    };
    for edit in second {
        pass(edit.at, &mut pos, Some(&mut out));
        out.push(Part::New(edit.put.clone()));
        pass(edit.at + edit.cut, &mut pos, None);
    }
    pass(u64::MAX, &mut pos, Some(&mut out));
    edits_of(size, out)
}

fn edits_of(size: u64, parts: Vec<Part>) -> Vec<Edit> {
    let mut edits: Vec<Edit> = Vec::new();
    let (mut at, mut put) = (0, Vec::new());
    let mut change = |at: u64, cut: u64, put: &mut Vec<u8>| {
        if cut > 0 || !put.is_empty() {
            edits.push(Edit { at, cut, put: std::mem::take(put).into() });
        }
    };
    for part in parts {
        match part {
            Part::New(text) => put.extend_from_slice(&text),
            Part::Old(from, to) if from < to => {
                change(at, from - at, &mut put);
                at = to;
            }
            Part::Old(..) => {}
        }
    }
    change(at, size - at, &mut put);
    edits
}

/// The physical line of each of some ascending offsets.
fn lines_of(file: &(impl Bytes + ?Sized), places: &[u64]) -> io::Result<Vec<u64>> {
    let mut out = Vec::with_capacity(places.len());
    let (mut at, mut line) = (0, 1);
    let mut buffer = vec![0; PIECE];
    for place in places {
        while at < *place {
            let want = usize::try_from(place - at).map_or(PIECE, |n| n.min(PIECE));
            let got = file.read_at(&mut buffer[..want], at)?;
            if got == 0 {
                break;
            }
            line += memchr::memchr_iter(b'\n', &buffer[..got]).count() as u64;
            at += got as u64;
        }
        out.push(line);
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::mend::controls::apply;
    use proptest::prelude::*;

    fn edits(raw: Vec<(u64, u64, String)>, size: u64) -> Vec<Edit> {
        let mut at = 0;
        let mut out = Vec::new();
        for (skip, cut, put) in raw {
            let start = at + skip;
            if start + cut > size {
                break;
            }
            out.push(Edit { at: start, cut, put: put.into_bytes().into() });
            // Two that touch would be one.
            at = start + cut + 1;
        }
        out
    }

    proptest! {
        #[test]
        fn two_lists_of_changes_become_one(
            text in "[a-z\n]{0,40}",
            first in prop::collection::vec((0u64..6, 0u64..5, "[A-Z]{0,3}"), 0..6),
            second in prop::collection::vec((0u64..6, 0u64..5, "[0-9]{0,3}"), 0..6),
            piece in (0u64..40, 0u64..20),
        ) {
            let old = text.as_bytes();
            let first = edits(first, old.len() as u64);
            let between = apply(old, &first);
            let second = edits(second, between.len() as u64);
            let after = After::new(old, &first);
            let mut read = vec![0; between.len() + 5];
            let got = after.read_at(&mut read, 0).unwrap();
            prop_assert_eq!(&read[..got], &between[..]);
            prop_assert_eq!(after.size() as usize, between.len());
            let joined = composed(old.len() as u64, &first, &second);
            prop_assert_eq!(apply(old, &joined), apply(&between, &second));
            for pair in joined.windows(2) {
                prop_assert!(pair[0].at + pair[0].cut <= pair[1].at);
            }
            // A piece is what is left of the old bytes in it.
            let at = piece.0.min(between.len() as u64);
            let len = piece.1.min(between.len() as u64 - at);
            let pieces = old_pieces(Piece { at, len, newline: true }, &after);
            let kept: Vec<u8> = pieces.iter().flat_map(|p| old[p.at as usize..(p.at + p.len) as usize].to_vec()).collect();
            let want: Vec<u8> = between[at as usize..(at + len) as usize].iter().copied().filter(|b| !b.is_ascii_uppercase()).collect();
            prop_assert_eq!(kept, want);
        }
    }
}
