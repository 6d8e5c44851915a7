//! Writing of caches and exports: everything that is not state or configuration.
//!
//! A file written here can be thrown away at any time, so it must never land where the gateway, or a later run of ours,
//! would take it for session data. A folder that holds an index, or lies inside one, is refused.

#![expect(clippy::disallowed_methods, reason = "caches and exports, never state")]

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

pub mod copies;
pub mod tree;
pub mod unnamed;

/// Writes `content` to `path` as a whole: temp file beside it, then rename over it.
///
/// # Errors
/// A folder that holds a session index (or lies below one), and I/O errors.
pub fn write(path: &Path, content: &[u8]) -> Result<()> {
    write_with(path, |out| out.write_all(content))
}

/// As [`write()`], with content that is made while it is written.
///
/// # Errors
/// As [`write()`].
pub fn write_with(path: &Path, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let folder = folder_of(path);
    refuse_place_of_sessions(&folder)?;
    refuse_sessions_folder(&folder)?;
    let mut temp = path.as_os_str().to_owned();
    temp.push(format!(".{}.tmp", std::process::id()));
    let temp = PathBuf::from(temp);
    let written = write_new(&temp, content).and_then(|()| std::fs::rename(&temp, path));
    written.map_err(|e| {
        let _ = std::fs::remove_file(&temp);
        Error::io("write", path, e)
    })
}

/// Creates `path` for an export; it must not exist.
///
/// # Errors
/// As [`write()`]; an existing file is an error.
pub fn create_new(path: &Path) -> Result<std::fs::File> {
    refuse_sessions_folder(&folder_of(path))?;
    std::fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(path)
        .map_err(|e| Error::io("create", path, e).hint("choose a name that does not exist yet"))
}

/// Creates a folder (and its parents) for a cache, private to the user.
///
/// # Errors
/// As [`write()`].
pub fn create_dir(path: &Path) -> Result<()> {
    let mut existing = path;
    while !existing.exists() {
        let Some(parent) = existing.parent() else { break };
        existing = parent;
    }
    refuse_sessions_folder(existing)?;
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path).map_err(|e| Error::io("create", path, e))
}

/// Removes a file that [`write()`] made.
///
/// # Errors
/// As [`write()`].
pub fn remove(path: &Path) -> Result<()> {
    refuse_sessions_folder(&folder_of(path))?;
    std::fs::remove_file(path).map_err(|e| Error::io("remove", path, e))
}

fn write_new(path: &Path, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut out = io::BufWriter::with_capacity(256 * 1024, options.open(path)?);
    content(&mut out)?;
    out.flush()
}

fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(p) if !p.as_os_str().is_empty() => p.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// Refuses a folder that is, or lies in, one where an index belongs: without an index it has lost it, or will have it.
/// (Not for what a demonstration makes: such folders.)
fn refuse_place_of_sessions(folder: &Path) -> Result<()> {
    let real = folder.canonicalize().map_err(|e| Error::io("open", folder, e))?;
    match real.ancestors().find(|a| is_place_of_sessions(a)) {
        None => Ok(()),
        Some(at) => Err(Error::failed(format!("{} is a sessions folder; nothing else is written there", at.display()))
            .hint("name a folder outside of the sessions folder")),
    }
}

/// Refuses a folder that is, or lies in, an artefact folder: one with an index.
fn refuse_sessions_folder(folder: &Path) -> Result<()> {
    let real = folder.canonicalize().map_err(|e| Error::io("open", folder, e))?;
    match real.ancestors().find(|a| a.join("sessions.json").symlink_metadata().is_ok()) {
        None => Ok(()),
        Some(at) => {
            Err(Error::failed(format!("{} holds a session index; nothing else is written there", at.display()))
                .hint("name a folder outside of the sessions folder"))
        }
    }
}

/// `agents/<id>/sessions`, where every gateway keeps an agent's sessions.
fn is_place_of_sessions(folder: &Path) -> bool {
    let mut names = folder.iter().rev();
    names.next().is_some_and(|name| name == "sessions") && names.nth(1).is_some_and(|name| name == "agents")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_whole_files_and_replaces_them() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("cache");
        write(&path, b"one").unwrap();
        write(&path, b"two").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        assert_eq!(std::fs::read_dir(temp.path()).unwrap().count(), 1);
        assert!(create_new(&path).is_err());
    }

    #[test]
    fn a_sessions_folder_and_what_lies_in_it_is_refused() {
        let temp = tempfile::tempdir().unwrap();
        std::fs::write(temp.path().join("sessions.json"), "{}").unwrap();
        std::fs::create_dir(temp.path().join("sub")).unwrap();
        assert!(write(&temp.path().join("x"), b"").is_err());
        assert!(create_new(&temp.path().join("sub/x")).is_err());
        assert!(create_dir(&temp.path().join("sub/deep/er")).is_err());
        assert!(!temp.path().join("sub/deep").exists());
    }

    #[test]
    fn a_sessions_folder_without_an_index_is_one() {
        let temp = tempfile::tempdir().unwrap();
        let sessions = temp.path().join("agents/new/sessions");
        std::fs::create_dir_all(sessions.join(".clawkeep/runs")).unwrap();
        for name in ["x", ".clawkeep/x", ".clawkeep/runs/x"] {
            let refused = write(&sessions.join(name), b"").unwrap_err();
            assert!(refused.message.contains("is a sessions folder"), "{}", refused.message);
            assert!(!sessions.join(name).exists());
        }
        std::fs::create_dir(temp.path().join("sessions")).unwrap();
        for name in ["x", "agents/x", "agents/new/x", "sessions/x"] {
            write(&temp.path().join(name), b"").unwrap();
        }
    }
}
