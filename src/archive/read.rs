//! Reading copies back: decompression, and the digest that decides whether a copy is whole.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;

use sha2::{Digest as _, Sha256};

use crate::error::{Error, Result};
use crate::fsx::read as fsx;

/// Window of a zstd frame that we accept, as a power of two: 128 MiB. A hostile frame cannot make us allocate more.
const MAX_WINDOW_LOG: u32 = 27;
/// Size of one read.
pub(super) const CHUNK: usize = 128 * 1024;

/// Size, lines and SHA-256 of a content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Digest {
    /// Bytes.
    pub bytes: u64,
    /// Lines; a last one without a line feed counts.
    pub lines: u64,
    /// SHA-256, lower-case hex.
    pub sha256: String,
}

/// Builds a [`Digest`] of what is fed to it.
#[derive(Debug, Default)]
pub(super) struct Digester {
    hash: Sha256,
    bytes: u64,
    feeds: u64,
    open_line: bool,
}

impl Digester {
    pub(super) fn feed(&mut self, chunk: &[u8]) {
        let Some(last) = chunk.last() else { return };
        self.hash.update(chunk);
        self.bytes += chunk.len() as u64;
        self.feeds += memchr::memchr_iter(b'\n', chunk).count() as u64;
        self.open_line = *last != b'\n';
    }

    pub(super) fn finish(self) -> Digest {
        let sha256 = self.hash.finalize().iter().map(|b| format!("{b:02x}")).collect();
        Digest { bytes: self.bytes, lines: self.feeds + u64::from(self.open_line), sha256 }
    }
}

/// Feeds `from` to `sink` chunk by chunk until its end.
pub(super) fn pump(from: &mut impl Read, mut sink: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
    let mut buffer = vec![0; CHUNK];
    loop {
        match from.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(n) => sink(&buffer[..n])?,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
}

/// Decompresses a copy into `out` and gives the digest of what was written. Compare it with the manifest before using
/// the result.
///
/// # Errors
/// The copy cannot be read or is damaged (its own checksum fails, it is cut), or `out` fails.
pub fn read(path: &Path, out: &mut impl Write) -> Result<Digest> {
    let (file, _) = fsx::open_regular(path).map_err(|e| Error::io("open", path, e))?;
    unpack(file, out).map_err(|e| Error::io("unpack", path, e))
}

/// The first `max` bytes of what a copy holds, and whether that is all of it.
///
/// # Errors
/// As [`read`], as far as the beginning is concerned.
pub fn head(path: &Path, max: usize) -> Result<(Vec<u8>, bool)> {
    let (file, _) = fsx::open_regular(path).map_err(|e| Error::io("open", path, e))?;
    let failed = |e| Error::io("unpack", path, e);
    let mut decoder =
        zstd::stream::read::Decoder::with_buffer(BufReader::with_capacity(CHUNK, file)).map_err(failed)?;
    decoder.window_log_max(MAX_WINDOW_LOG).map_err(failed)?;
    let mut bytes = Vec::new();
    decoder.take(max as u64 + 1).read_to_end(&mut bytes).map_err(failed)?;
    let whole = bytes.len() <= max;
    bytes.truncate(max);
    Ok((bytes, whole))
}

/// Decompresses every frame of `file` into `out`.
pub(super) fn unpack(file: File, out: &mut impl Write) -> io::Result<Digest> {
    // An empty file would decompress to nothing without complaint; even the copy of an empty file has a frame.
    if file.metadata()?.len() == 0 {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    let mut decoder = zstd::stream::read::Decoder::with_buffer(BufReader::with_capacity(CHUNK, file))?;
    decoder.window_log_max(MAX_WINDOW_LOG)?;
    let mut digester = Digester::default();
    pump(&mut decoder, |chunk| {
        digester.feed(chunk);
        out.write_all(chunk)
    })?;
    Ok(digester.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(chunks: &[&[u8]]) -> Digest {
        let mut digester = Digester::default();
        chunks.iter().for_each(|c| digester.feed(c));
        digester.finish()
    }

    #[test]
    fn lines_count_as_people_count_them() {
        for (chunks, lines) in [
            (&[&b""[..]][..], 0),
            (&[b"a"], 1),
            (&[b"a\n"], 1),
            (&[b"a\nb"], 2),
            (&[b"a", b"\n", b"b\n"], 2),
            (&[b"a\n", b""], 1),
            (&[b"\n\n"], 2),
        ] {
            assert_eq!(digest(chunks).lines, lines, "{chunks:?}");
        }
    }

    #[test]
    fn the_hash_is_sha256() {
        let d = digest(&[b"ab", b"c"]);
        assert_eq!(d.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(d.bytes, 3);
    }

    #[test]
    fn a_cut_or_foreign_copy_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x.zst");
        let whole = zstd::encode_all(&b"hello\n".repeat(1000)[..], 3).unwrap();
        std::fs::write(&path, &whole).unwrap();
        assert_eq!(read(&path, &mut Vec::new()).unwrap().lines, 1000);
        std::fs::write(&path, &whole[..whole.len() - 1]).unwrap();
        assert!(read(&path, &mut Vec::new()).is_err());
        std::fs::write(&path, b"plain text").unwrap();
        assert!(read(&path, &mut Vec::new()).is_err());
    }
}
