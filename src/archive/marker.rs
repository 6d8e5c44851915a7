//! The marker that makes a folder an archive.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::path::{Path, PathBuf};

use crate::error::{Error, Kind, Result};
use crate::fsx::read as fsx;
use crate::fsx::scratch::copies;
use crate::model::Ms;
use crate::units::time;

/// Name of the marker file.
pub const NAME: &str = ".clawkeep-archive";
/// Format that this program writes, and the highest one that it reads.
pub const FORMAT: u64 = 1;
/// No marker is larger.
const MAX_BYTES: usize = 64 * 1024;

/// Content of the marker.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Marker {
    /// Format version of the archive.
    pub format: u64,
    /// Id of this archive, in the shape of a UUID.
    pub id: String,
    /// When it was made (ISO time).
    pub created: String,
}

/// What [`init`] found or did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Initialised {
    /// Canonical path of the archive.
    pub path: PathBuf,
    /// The marker.
    pub marker: Marker,
    /// `false`: it was an archive already and nothing was changed.
    pub created: bool,
}

/// Makes `dir` an archive. The folder is created if only its last component is missing. Does nothing to an archive.
///
/// # Errors
/// The folder cannot be made or written, or holds a marker that cannot be read.
pub fn init(dir: &Path, now: Ms) -> Result<Initialised> {
    let existing = if dir.exists() { dir } else { dir.parent().unwrap_or(dir) };
    if !existing.exists() {
        return Err(explain("create", dir, &std::io::ErrorKind::NotFound.into()));
    }
    copies::refuse_live(existing)?;
    copies::make_dir(dir).map_err(|e| explain("create", dir, &e))?;
    let path = dir.canonicalize().map_err(|e| Error::io("open", dir, e))?;
    if path.join(NAME).symlink_metadata().is_ok() {
        let marker = load(&path)?;
        return Ok(Initialised { path, marker, created: false });
    }
    let marker = Marker { format: FORMAT, id: new_id(now), created: time::iso(now) };
    let mut text = serde_json::to_vec_pretty(&marker).map_err(|e| Error::failed(format!("cannot write JSON: {e}")))?;
    text.push(b'\n');
    copies::write_new(&path.join(NAME), &text).map_err(|e| explain("write to", &path, &e))?;
    copies::sync_dir(&path).map_err(|e| Error::io("sync", &path, e))?;
    Ok(Initialised { path, marker, created: true })
}

/// Reads the marker of the archive at `dir`.
///
/// # Errors
/// There is no such folder or no marker in it, the marker is damaged, or its format is newer than this program.
pub fn load(dir: &Path) -> Result<Marker> {
    let path = dir.join(NAME);
    let bytes = match fsx::read_head(&path, MAX_BYTES) {
        Ok(head) => head.bytes,
        Err(e) if matches!(e.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory) => {
            return Err(no_marker(dir));
        }
        Err(e) => return Err(Error::io("read", &path, e)),
    };
    let damaged = |why: String| Error::failed(format!("the archive marker {} is damaged: {why}", path.display()));
    let marker: Marker = serde_json::from_slice(&bytes).map_err(|e| damaged(e.to_string()))?;
    match marker.format {
        0 => Err(damaged("format 0 does not exist".to_owned())),
        1..=FORMAT => Ok(marker),
        newer => Err(Error::new(
            Kind::TooNew,
            format!("the archive {} has format {newer}; this program writes {FORMAT}", dir.display()),
        )
        .hint("update clawkeep")),
    }
}

fn no_marker(dir: &Path) -> Error {
    let what = if dir.is_dir() { "has no archive marker" } else { "is not a folder" };
    Error::failed(format!("{} {what}: is the disk mounted?", dir.display()))
        .hint(format!("make it an archive, once: clawkeep archive init {}", quoted(dir)))
}

/// Words the errors of a disk that cannot take more.
pub(super) fn explain(what: &str, path: &Path, error: &std::io::Error) -> Error {
    use std::io::ErrorKind;
    let at = path.display();
    match error.kind() {
        ErrorKind::ReadOnlyFilesystem => Error::failed(format!("the archive disk at {at} is read-only: {error}")),
        ErrorKind::PermissionDenied => {
            Error::failed(format!("cannot {what} {at}: {error}")).hint("give this user write access to the archive")
        }
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            Error::failed(format!("the archive disk at {at} is full: {error}"))
                .hint("free space there, or give another folder: clawkeep archive init DIR")
        }
        ErrorKind::NotFound => Error::failed(format!("cannot {what} {at}: its parent folder does not exist"))
            .hint("mount the disk, or create the folder above it first"),
        _ => Error::failed(format!("cannot {what} {at}: {error}")),
    }
}

/// A path that can be pasted into a POSIX shell.
pub(super) fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+@:,".contains(c);
    let text = if text.starts_with('-') { format!("./{text}") } else { text };
    if !text.is_empty() && text.chars().all(plain) { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

/// A random id in the shape of a version 4 UUID. It only has to differ from the ids of other archives.
fn new_id(now: Ms) -> String {
    // The standard library seeds every RandomState from the system's random source.
    let word = |salt: u64| {
        let mut hasher = RandomState::new().build_hasher();
        hasher.write_i64(now);
        hasher.write_u64(salt);
        hasher.finish()
    };
    let high = word(1) & !0xF000 | 0x4000;
    let low = word(2) & !(0xC << 60) | 0x8 << 60;
    format!(
        "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
        high >> 32,
        high >> 16 & 0xFFFF,
        high & 0xFFFF,
        low >> 48,
        low & 0xFFFF_FFFF_FFFF
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Ms = 1_777_622_400_000;

    #[test]
    fn init_makes_the_last_folder_and_is_idempotent() {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join("attic");
        let first = init(&dir, NOW).unwrap();
        assert!(first.created);
        assert_eq!(load(&dir).unwrap(), first.marker);
        let bytes = std::fs::read(dir.join(NAME)).unwrap();
        let second = init(&dir, NOW + 1).unwrap();
        assert!(!second.created);
        assert_eq!(second.marker, first.marker);
        assert_eq!(std::fs::read(dir.join(NAME)).unwrap(), bytes);
    }

    #[test]
    fn a_missing_parent_is_a_disk_that_is_not_mounted() {
        let home = tempfile::tempdir().unwrap();
        let error = init(&home.path().join("mnt/attic"), NOW).unwrap_err();
        assert!(error.message.contains("parent folder does not exist"), "{error}");
        assert!(!home.path().join("mnt").exists());
    }

    #[test]
    fn a_folder_without_marker_is_refused_with_the_command_that_helps() {
        let home = tempfile::tempdir().unwrap();
        let error = load(home.path()).unwrap_err();
        assert!(error.message.contains("is the disk mounted?"), "{error}");
        assert!(error.hints[0].contains("clawkeep archive init "), "{:?}", error.hints);
        assert!(load(&home.path().join("absent")).unwrap_err().message.contains("is not a folder"));
    }

    #[test]
    fn damaged_and_newer_markers_are_told_apart() {
        let home = tempfile::tempdir().unwrap();
        let write = |text: &str| std::fs::write(home.path().join(NAME), text).unwrap();
        write("{");
        assert!(load(home.path()).unwrap_err().message.contains("damaged"));
        write(r#"{"format":0,"id":"x","created":"y"}"#);
        assert!(load(home.path()).unwrap_err().message.contains("damaged"));
        write(r#"{"format":2,"id":"x","created":"y"}"#);
        assert_eq!(load(home.path()).unwrap_err().kind, Kind::TooNew);
    }

    #[test]
    fn a_sessions_folder_never_becomes_an_archive() {
        let home = tempfile::tempdir().unwrap();
        std::fs::write(home.path().join("sessions.json"), "{}").unwrap();
        assert!(init(home.path(), NOW).is_err());
        assert!(init(&home.path().join("attic"), NOW).is_err());
        assert!(!home.path().join("attic").exists());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_no_marker() {
        let home = tempfile::tempdir().unwrap();
        let real = home.path().join("real");
        std::fs::write(&real, r#"{"format":1,"id":"x","created":"y"}"#).unwrap();
        std::os::unix::fs::symlink(&real, home.path().join(NAME)).unwrap();
        assert!(load(home.path()).is_err());
    }

    #[test]
    fn disks_that_cannot_take_more_are_named_as_such() {
        let text = |kind| explain("write to", Path::new("/a"), &std::io::Error::from(kind)).message;
        assert!(text(std::io::ErrorKind::ReadOnlyFilesystem).contains("read-only"));
        assert!(text(std::io::ErrorKind::StorageFull).contains("full"));
        assert!(text(std::io::ErrorKind::QuotaExceeded).contains("full"));
    }

    #[test]
    fn ids_look_like_uuids_and_differ() {
        let (a, b) = (new_id(NOW), new_id(NOW));
        assert_ne!(a, b);
        assert_eq!(a.len(), 36);
        assert_eq!(&a[14..15], "4");
        assert!("89ab".contains(&a[19..20]), "{a}");
    }

    #[test]
    fn hints_can_be_pasted() {
        assert_eq!(quoted(Path::new("/mnt/attic")), "/mnt/attic");
        assert_eq!(quoted(Path::new("/my disk/it's")), r"'/my disk/it'\''s'");
        assert_eq!(quoted(Path::new("-x")), "./-x");
    }
}
