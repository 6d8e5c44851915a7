//! Reading one configuration file whole.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;

use crate::error::{Error, Result};

/// Largest configuration that is read. The gateway has no limit for the main file; real ones are a few kilobytes.
pub const MAX_BYTES: u64 = 16 * 1024 * 1024;

/// A file that was read.
#[derive(Debug)]
pub struct Content {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// What the open file said about itself.
    pub meta: Metadata,
}

/// Reads a file of at most `max` bytes; links are followed (a configuration often lives in a dotfiles folder). `None`
/// only if there is no such name: a link that leads nowhere is an error, because something was meant to be there.
///
/// # Errors
/// Not readable, not a regular file, or larger than `max`.
pub fn read(path: &Path, max: u64) -> Result<Option<Content>> {
    match path.symlink_metadata() {
        Ok(_) => read_existing(path, max).map(Some),
        Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(None),
        Err(e) => Err(Error::io("read", path, e)),
    }
}

fn read_existing(path: &Path, max: u64) -> Result<Content> {
    let failed = |e| Error::io("read", path, e);
    // Looked at before it is opened: opening a FIFO would wait for a writer.
    require_regular(path, &path.metadata().map_err(failed)?)?;
    let file = File::open(path).map_err(failed)?;
    let meta = file.metadata().map_err(failed)?;
    require_regular(path, &meta)?;
    let mut bytes = Vec::new();
    file.take(max + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > max {
        return Err(Error::failed(format!("cannot read {}: larger than {max} bytes", path.display())));
    }
    Ok(Content { bytes, meta })
}

fn require_regular(path: &Path, meta: &Metadata) -> Result<()> {
    if meta.is_file() {
        return Ok(());
    }
    Err(Error::failed(format!("cannot read {}: not a regular file", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_is_not_the_same_as_unreadable() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("c.json");
        assert!(read(&path, 10).unwrap().is_none());
        assert!(read(dir.path(), 10).unwrap_err().message.contains("not a regular file"));
        std::fs::write(&path, "{}").unwrap();
        assert_eq!(read(&path, 2).unwrap().unwrap().bytes, b"{}");
        assert!(read(&path, 1).unwrap_err().message.contains("larger than 1 bytes"));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_a_dangling_one_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let link = dir.path().join("link");
        std::os::unix::fs::symlink(dir.path().join("real"), &link).unwrap();
        assert!(read(&link, 10).is_err());
        std::fs::write(dir.path().join("real"), "{}").unwrap();
        assert!(read(&link, 10).unwrap().is_some());
    }
}
