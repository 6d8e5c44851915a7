//! Space set aside for the record of what a run does before it can have a run folder.
//!
//! On a full disk the first thing a run does is to unlink what policy made final, and not a byte can be allocated for a
//! record of that. `.clawkeep/reserve` was written in full by an earlier run, so its bytes can be overwritten in place.
//! Records are lines; the first NUL ends them.

use std::io::{self, Seek, SeekFrom, Write};

use super::layout::{OwnDir, RESERVE};
use super::write::write_whole;
use crate::fsx::mutate::NewFile;

/// Bytes set aside: about 400 records.
pub const SIZE: usize = 64 * 1024;

/// The open reserve of a run.
#[derive(Debug)]
pub struct Reserve {
    file: NewFile,
    used: usize,
}

impl Reserve {
    /// Opens the reserve and forgets what an earlier run recorded. `None` if there is none yet.
    pub fn open(own: &OwnDir) -> Option<Self> {
        let file = own.dir().open_write(RESERVE, false).ok()?;
        if file.stat().ok()?.size < SIZE as u64 {
            return None;
        }
        Some(Self { file, used: 0 })
    }

    /// Adds a line. `false` if it does not fit or cannot be written.
    pub fn record(&mut self, line: &[u8]) -> bool {
        let mut text = line.to_vec();
        text.extend_from_slice(b"\n\0");
        if self.used + text.len() > SIZE {
            return false;
        }
        let at = SeekFrom::Start(self.used as u64);
        let written = self.file.file().seek(at).and_then(|_| self.file.write_all(&text));
        // The next line overwrites the NUL.
        self.used += text.len() - 1;
        written.is_ok()
    }

    /// Makes the lines durable.
    ///
    /// # Errors
    /// I/O errors.
    pub fn sync(&self) -> io::Result<()> {
        if self.used == 0 { Ok(()) } else { self.file.sync() }
    }
}

/// Sets the space aside for the next run, unless it is there. Real bytes, not a hole: a hole needs room when written.
///
/// # Errors
/// I/O errors; nothing is left behind then.
pub fn ensure(own: &OwnDir) -> io::Result<()> {
    match own.dir().stat(RESERVE) {
        Ok(fp) if fp.size >= SIZE as u64 => return Ok(()),
        Ok(_) => own.dir().unlink(RESERVE)?,
        Err(_) => {}
    }
    write_whole(own.dir(), RESERVE, own.file_mode(), &vec![0; SIZE]).inspect_err(|_| {
        let _ = own.dir().unlink(RESERVE);
    })
}

/// Lines recorded by the last run that used the reserve.
pub fn lines(own: &OwnDir) -> Vec<Vec<u8>> {
    let bytes = own.dir().read(RESERVE).unwrap_or_default();
    let text = bytes.split(|b| *b == 0).next().unwrap_or_default();
    text.split(|b| *b == b'\n').filter(|l| !l.is_empty()).map(<[u8]>::to_vec).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fsx::fault::Faults;

    #[test]
    fn lines_are_written_in_place_and_read_back() {
        let temp = tempfile::tempdir().unwrap();
        let own = OwnDir::create(temp.path(), &Faults::none()).unwrap();
        assert!(Reserve::open(&own).is_none());
        ensure(&own).unwrap();
        let mut reserve = Reserve::open(&own).unwrap();
        assert!(reserve.record(b"one") && reserve.record(b"two"));
        assert_eq!(lines(&own), [b"one", b"two"]);
        assert!(!reserve.record(&vec![b'x'; SIZE]));
        assert_eq!(own.dir().stat(RESERVE).unwrap().size, SIZE as u64);
        let mut again = Reserve::open(&own).unwrap();
        assert!(again.record(b"3"));
        assert_eq!(lines(&own), [b"3"]);
    }
}
