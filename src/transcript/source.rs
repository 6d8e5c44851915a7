//! An open transcript: bytes at any offset, of a size that does not change while it is read.
//!
//! The size is that of the moment of opening. A gateway may append meanwhile: what comes later is not looked at, so every
//! command reports one state. A file that shrinks reads as ended. Compressed copies are unpacked into a file without a
//! name first, because a tree is read at many places.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::lines::{Body, LONG, Lines};
use super::slim::Cut;
use crate::archive;
use crate::error::{Error, Result};
use crate::fsx::read as fsx;
use crate::model::fingerprint::Fingerprint;

/// First bytes of a zstd frame.
const ZSTD: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

/// An open transcript.
#[derive(Debug)]
pub struct Source {
    /// Path it was opened by.
    pub path: PathBuf,
    /// State of the file when it was opened; of the packed one for a compressed copy.
    pub fp: Fingerprint,
    /// Bytes of the transcript.
    pub size: u64,
    /// It is a compressed copy.
    pub packed: bool,
    file: File,
}

/// One record as read again.
#[derive(Debug, Clone, Default)]
pub struct RecordText {
    /// JSON text, shortened if it is very long.
    pub text: Vec<u8>,
    /// What is missing in it.
    pub cuts: Vec<Cut>,
}

impl Source {
    /// Opens a regular file; links are not followed. `scratch` are folders for unpacked copies; the first that can be
    /// written is used.
    ///
    /// # Errors
    /// No such regular file, a damaged compressed copy, no place to unpack it.
    pub fn open(path: &Path, scratch: &[PathBuf]) -> Result<Self> {
        let (file, fp) = fsx::open_regular(path).map_err(|e| Error::io("open", path, e))?;
        if path.extension().is_some_and(|ext| ext == "zst") {
            let mut first = [0; 4];
            let got = read_at(&file, &mut first, 0).map_err(|e| Error::io("read", path, e))?;
            if got == first.len() && first == ZSTD {
                return Self::unpack(path, fp, scratch);
            }
        }
        Ok(Self { path: path.to_owned(), fp, size: fp.size, packed: false, file })
    }

    fn unpack(path: &Path, fp: Fingerprint, scratch: &[PathBuf]) -> Result<Self> {
        let file = scratch.iter().find_map(|dir| crate::fsx::scratch::unnamed::create(dir).ok());
        let Some(mut file) = file else {
            return Err(Error::failed(format!("there is no folder to unpack {} in", path.display()))
                .hint("set TMPDIR to a folder that you can write to"));
        };
        let digest = archive::read::read(path, &mut file)?;
        Ok(Self { path: path.to_owned(), fp, size: digest.bytes, packed: true, file })
    }

    /// Reads at an offset, up to the size that the file had; gives the bytes read, fewer only at the end.
    ///
    /// # Errors
    /// What reading gives.
    pub fn read_at(&self, buffer: &mut [u8], at: u64) -> io::Result<usize> {
        let room = usize::try_from(self.size.saturating_sub(at)).unwrap_or(usize::MAX).min(buffer.len());
        read_at(&self.file, &mut buffer[..room], at)
    }

    /// Bytes of a range, as far as the file reaches.
    ///
    /// # Errors
    /// What reading gives.
    pub fn bytes(&self, at: u64, len: usize) -> io::Result<Vec<u8>> {
        let room = usize::try_from(self.size.saturating_sub(at)).unwrap_or(usize::MAX).min(len);
        let mut buffer = vec![0; room];
        let got = self.read_at(&mut buffer, at)?;
        buffer.truncate(got);
        Ok(buffer)
    }

    /// Reads from an offset to another, or to the end.
    pub fn range(&self, at: u64, end: u64) -> Range<'_> {
        Range { source: self, at, end: end.min(self.size) }
    }

    /// The record at a place.
    ///
    /// # Errors
    /// What reading gives.
    pub fn record(&self, at: u64, len: u64) -> io::Result<RecordText> {
        if len <= LONG as u64 {
            let len = usize::try_from(len).unwrap_or(LONG);
            return Ok(RecordText { text: self.bytes(at, len)?, cuts: Vec::new() });
        }
        // A length of 4 GiB may stand for more: the newline ends it.
        let end = if len >= u64::from(u32::MAX) { self.size } else { at + len };
        let mut lines = Lines::new(self.range(at, end), at);
        Ok(match lines.next_line()?.map(|line| line.body) {
            Some(Body::Long(long)) => RecordText { text: long.1.text, cuts: long.1.cuts },
            Some(Body::Short(text)) => RecordText { text: text.to_vec(), cuts: Vec::new() },
            None => RecordText::default(),
        })
    }
}

/// A part of a file as a reader.
#[derive(Debug)]
pub struct Range<'a> {
    source: &'a Source,
    at: u64,
    end: u64,
}

impl Read for Range<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let room = usize::try_from(self.end.saturating_sub(self.at)).unwrap_or(usize::MAX).min(buffer.len());
        let got = read_some(&self.source.file, &mut buffer[..room], self.at)?;
        self.at += got as u64;
        Ok(got)
    }
}

/// A file from its beginning as a reader. Where the file itself stands does not matter, so that it can also be read at
/// other places meanwhile.
#[derive(Debug)]
pub struct FromStart<'a> {
    file: &'a File,
    at: u64,
}

impl<'a> FromStart<'a> {
    /// Begins at the first byte.
    pub fn of(file: &'a File) -> Self {
        Self { file, at: 0 }
    }
}

impl Read for FromStart<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let got = read_some(self.file, buffer, self.at)?;
        self.at += got as u64;
        Ok(got)
    }
}

fn read_some(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    loop {
        match once(file, buffer, at) {
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}

/// Reads at an offset of a file; gives the bytes read, fewer only at the end.
///
/// # Errors
/// What reading gives.
pub fn read_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    let mut done = 0;
    while done < buffer.len() {
        match once(file, &mut buffer[done..], at + done as u64) {
            Ok(0) => break,
            Ok(got) => done += got,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(done)
}

#[cfg(unix)]
fn once(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, at)
}

#[cfg(windows)]
fn once(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, at)
}
