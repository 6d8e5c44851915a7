//! A file as it will be after its edits, as a reader: what is going to be written can be judged before it is.

use std::io::{self, Read};

use crate::model::mend::Edit;

use super::lines::Bytes;

/// Reads the edited file from its beginning.
pub struct Edited<'a, B: ?Sized> {
    bytes: &'a B,
    edits: std::slice::Iter<'a, Edit>,
    /// The edit that comes next.
    next: Option<&'a Edit>,
    /// What is left of the text that an edit puts in.
    put: &'a [u8],
    at: u64,
}

impl<'a, B: Bytes + ?Sized> Edited<'a, B> {
    /// The edits are ascending, none overlapping another.
    pub fn new(bytes: &'a B, edits: &'a [Edit]) -> Self {
        let mut edits = edits.iter();
        let next = edits.next();
        Self { bytes, edits, next, put: &[], at: 0 }
    }
}

impl<B: Bytes + ?Sized> Read for Edited<'_, B> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if !self.put.is_empty() {
                let len = self.put.len().min(buffer.len());
                buffer[..len].copy_from_slice(&self.put[..len]);
                self.put = &self.put[len..];
                return Ok(len);
            }
            let Some(edit) = self.next else {
                let got = self.bytes.read_at(buffer, self.at)?;
                self.at += got as u64;
                return Ok(got);
            };
            let before = edit.at.saturating_sub(self.at);
            if before > 0 {
                let room = usize::try_from(before).map_or(buffer.len(), |n| n.min(buffer.len()));
                let got = self.bytes.read_at(&mut buffer[..room], self.at)?;
                self.at += got as u64;
                return Ok(got);
            }
            self.at = edit.at + edit.cut;
            self.put = &edit.put;
            self.next = self.edits.next();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::mend::controls::apply;

    #[test]
    fn reading_gives_what_writing_will() {
        let edit = |at, cut, put: &str| Edit { at, cut, put: put.as_bytes().into() };
        let edits = [edit(0, 0, "head "), edit(2, 3, ""), edit(6, 1, "long text"), edit(10, 0, "\n")];
        let text = b"0123456789";
        for size in [1, 3, 100] {
            let mut out = Vec::new();
            let mut reader = Edited::new(&text[..], &edits);
            let mut buffer = vec![0; size];
            loop {
                match reader.read(&mut buffer).unwrap() {
                    0 => break,
                    got => out.extend_from_slice(&buffer[..got]),
                }
            }
            assert_eq!(out, apply(text, &edits), "{size}");
        }
    }
}
