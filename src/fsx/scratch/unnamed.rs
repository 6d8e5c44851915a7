//! A file without a name: it is gone when nobody holds it open, whatever happens to the process.

#![expect(clippy::disallowed_methods, reason = "scratch space, never state")]

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Creates one in `folder`, readable for this user alone.
///
/// # Errors
/// What creating or unlinking gives. Where a file in use cannot be unlinked its name stays until the folder is cleaned.
pub fn create(folder: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    for attempt in 0..100u32 {
        let path = folder.join(format!(".clawkeep-{}-{attempt}.tmp", std::process::id()));
        match options.open(&path) {
            Ok(file) => {
                let _ = std::fs::remove_file(&path);
                return Ok(file);
            }
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
            Err(e) => return Err(e),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}
