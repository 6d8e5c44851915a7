//! Compressed snapshots of the index that each enforcing run read.
//!
//! They are the last resort after an index was lost to something other than us, and the memory of how many rows it had.
//! Limits: the 7 newest, 30 days, 200 MB; the newest good one always stays. A snapshot of a doubted index is marked, does
//! not count, and never displaces a good one. A snapshot gets its name when it is whole and durable, so whatever has the
//! name of one can be read.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;

use sha2::{Digest, Sha256};

use super::layout::{INDEX, OwnDir, is_run_id, run_id};
use crate::fsx::fault::Faults;
use crate::fsx::mutate::Dir;
use crate::model::{DAY, Ms};
use crate::units::time::parse_iso;

const SUFFIX: &str = ".json.zst";
const KEEP: usize = 7;
const MAX_AGE: Ms = 30 * DAY;
const MAX_BYTES: u64 = 200 * 1000 * 1000;
const LEVEL: i32 = 3;
/// Length of the time and tag that a name begins with.
const ID_LEN: usize = 21;

/// One snapshot, from its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// Name in `.clawkeep/index`.
    pub name: OsString,
    /// When it was taken.
    pub at: Ms,
    /// Rows.
    pub rows: u64,
    /// First 8 hex digits of the SHA-256 of the index.
    pub hash: String,
    /// Which index of the folder; see [`tag`].
    pub store: String,
    /// The index was doubted.
    pub suspect: bool,
    /// Bytes on disk.
    pub bytes: u64,
}

/// Snapshots of a folder, oldest first.
///
/// # Errors
/// I/O errors.
pub fn list(own_dir: &Path) -> io::Result<Vec<Snapshot>> {
    match OwnDir::open(own_dir, &Faults::none())?.map_or(Ok(None), |o| o.sub(INDEX))? {
        Some(dir) => list_in(&dir),
        None => Ok(Vec::new()),
    }
}

/// The text of a snapshot.
///
/// # Errors
/// I/O errors, and a snapshot that is damaged after all.
pub fn read(own_dir: &Path, snapshot: &Snapshot) -> io::Result<Vec<u8>> {
    let own = OwnDir::open(own_dir, &Faults::none())?.ok_or(io::ErrorKind::NotFound)?;
    zstd::decode_all(own.dir().sub(INDEX)?.open_file(&snapshot.name)?)
}

fn list_in(dir: &Dir) -> io::Result<Vec<Snapshot>> {
    let of = |name: OsString| {
        let fp = dir.stat(&name).ok()?;
        parse(&name).filter(|_| fp.size > 0).map(|s| Snapshot { bytes: fp.size, ..s })
    };
    Ok(dir.names()?.into_iter().filter_map(of).collect())
}

/// Short mark for the name of an index: several can share a folder.
pub fn tag(store: &Path) -> String {
    let name = store.file_name().unwrap_or_default();
    Sha256::digest(name.as_encoded_bytes()).iter().take(2).map(|b| format!("{b:02x}")).collect()
}

/// `20261130T091500Z-3f2a-500-0a1b2c3d[-suspect].json.zst`; the four digits are the [`tag`].
fn parse(name: &OsString) -> Option<Snapshot> {
    let stem = name.to_str()?.strip_suffix(SUFFIX)?;
    let (stem, suspect) = stem.strip_suffix("-suspect").map_or((stem, false), |s| (s, true));
    let (rest, hash) = stem.rsplit_once('-')?;
    let (id, rows) = rest.rsplit_once('-')?;
    if !is_run_id(id.as_bytes()) || hash.len() != 8 {
        return None;
    }
    let d = |r: std::ops::Range<usize>| id.get(r);
    let iso = format!("{}-{}-{}T{}:{}:{}Z", d(0..4)?, d(4..6)?, d(6..8)?, d(9..11)?, d(11..13)?, d(13..15)?);
    Some(Snapshot {
        name: name.clone(),
        at: parse_iso(&iso)?,
        rows: rows.parse().ok()?,
        store: d(17..21)?.to_owned(),
        hash: hash.to_owned(),
        suspect,
        bytes: 0,
    })
}

/// An index to keep.
#[derive(Debug, Clone, Copy)]
pub struct Keep<'a> {
    /// Its path.
    pub store: &'a Path,
    /// Its text.
    pub bytes: &'a [u8],
    /// Its rows.
    pub rows: u64,
    /// The time.
    pub now: Ms,
    /// It is doubted.
    pub suspect: bool,
}

/// Keeps a snapshot, unless the newest one of that index is the same, and lets old ones go.
///
/// # Errors
/// I/O errors; nothing is left half-written.
pub fn keep(own_dir: &Path, faults: &Faults, index: &Keep<'_>) -> io::Result<()> {
    let Keep { rows, suspect, .. } = *index;
    let (hash, store) = (hash(index.bytes), tag(index.store));
    let newest = list(own_dir)?.into_iter().rfind(|s| s.store == store);
    if newest.is_some_and(|s| s.hash == hash && s.rows == rows && s.suspect == suspect) {
        return Ok(());
    }
    let own = OwnDir::create(own_dir, faults)?;
    let dir = own.sub_or_create(INDEX)?;
    let mark = if suspect { "-suspect" } else { "" };
    let salt = u32::from_str_radix(&store, 16).unwrap_or(0);
    let name = format!("{}-{rows}-{hash}{mark}{SUFFIX}", run_id(index.now, salt));
    let temp = format!("{name}.tmp");
    // Left by an interrupted run of this very second, if at all.
    if dir.stat(&temp).is_ok() {
        dir.unlink(&temp)?;
    }
    let written = write(&dir, &temp, own.file_mode(), index.bytes).and_then(|()| dir.replace(&temp, &name));
    if let Err(e) = written {
        let _ = dir.unlink(&temp);
        return Err(e);
    }
    let all: Vec<Snapshot> = list_in(&dir)?.into_iter().filter(|s| s.store == store).collect();
    let gone = expired(&all, index.now);
    if !gone.is_empty() {
        // The only other one may be among them: the new name has to outlive a power cut first.
        dir.sync()?;
    }
    for old in gone {
        dir.unlink(&old)?;
    }
    Ok(())
}

/// Replaces a snapshot by one of a text with fewer rows, taken at the same time. The old one goes last.
///
/// # Errors
/// I/O errors; the old snapshot is there then.
pub(super) fn rewrite(own: &OwnDir, old: &Snapshot, bytes: &[u8], rows: u64) -> io::Result<()> {
    let dir = own.sub(INDEX)?.ok_or(io::ErrorKind::NotFound)?;
    let text = old.name.to_string_lossy();
    let id: String = text.chars().take(ID_LEN).collect();
    let mark = if old.suspect { "-suspect" } else { "" };
    let name = format!("{id}-{rows}-{}{mark}{SUFFIX}", hash(bytes));
    let temp = format!("{name}.tmp");
    if dir.stat(&temp).is_ok() {
        dir.unlink(&temp)?;
    }
    let written = write(&dir, &temp, own.file_mode(), bytes).and_then(|()| dir.replace(&temp, &name));
    if let Err(e) = written {
        let _ = dir.unlink(&temp);
        return Err(e);
    }
    if *name != *text {
        dir.sync()?;
        dir.unlink(&old.name)?;
    }
    dir.sync()
}

/// Removes a snapshot.
///
/// # Errors
/// I/O errors.
pub(super) fn remove(own: &OwnDir, old: &Snapshot) -> io::Result<()> {
    own.sub(INDEX)?.ok_or(io::ErrorKind::NotFound)?.unlink(&old.name)
}

fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().take(4).map(|b| format!("{b:02x}")).collect()
}

fn write(dir: &Dir, name: &str, mode: u32, bytes: &[u8]) -> io::Result<()> {
    let mut encoder = zstd::Encoder::new(Vec::new(), LEVEL)?;
    encoder.include_checksum(true)?;
    encoder.write_all(bytes)?;
    let packed = encoder.finish()?;
    super::write::write_whole(dir, name, mode, &packed)
}

/// Snapshots to let go. Good and doubted ones have separate quotas, so that neither displaces the other; the newest good
/// one always stays.
fn expired(snapshots: &[Snapshot], now: Ms) -> Vec<OsString> {
    let mut out = Vec::new();
    for suspect in [false, true] {
        let mut bytes = 0;
        for (n, s) in snapshots.iter().rev().filter(|s| s.suspect == suspect).enumerate() {
            bytes += s.bytes;
            let over = n >= KEEP || now - s.at > MAX_AGE || bytes > MAX_BYTES;
            if over && (n > 0 || suspect) {
                out.push(s.name.clone());
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Ms = 1_777_622_400_000;

    fn store() -> &'static Path {
        Path::new("/s/sessions.json")
    }

    fn put(dir: &Path, bytes: &[u8], rows: u64, now: Ms, suspect: bool) {
        keep(dir, &Faults::none(), &Keep { store: store(), bytes, rows, now, suspect }).unwrap();
    }

    #[test]
    fn an_index_comes_back_and_the_same_one_is_kept_once() {
        let temp = tempfile::tempdir().unwrap();
        put(temp.path(), b"{\"a\":1}", 1, NOW, false);
        put(temp.path(), b"{\"a\":1}", 1, NOW + DAY, false);
        let all = list(temp.path()).unwrap();
        assert_eq!(all.len(), 1);
        assert_eq!((all[0].rows, all[0].at), (1, NOW));
        assert_eq!(read(temp.path(), &all[0]).unwrap(), b"{\"a\":1}");
    }

    #[test]
    fn a_doubted_index_never_displaces_a_good_one() {
        let temp = tempfile::tempdir().unwrap();
        put(temp.path(), b"good", 9, NOW, false);
        for n in 0_u8..12 {
            put(temp.path(), &[n], u64::from(n), NOW + Ms::from(n) * 60_000, true);
        }
        let all = list(temp.path()).unwrap();
        assert_eq!(all.iter().filter(|s| !s.suspect).count(), 1);
        assert_eq!(all.iter().filter(|s| s.suspect).count(), KEEP);
        let record = super::super::record::last_rows(temp.path(), store()).unwrap();
        assert_eq!(record.rows, 9);
        assert_eq!(super::super::record::last_rows(temp.path(), Path::new("/s/other.json")), None);
    }

    #[test]
    fn the_newest_good_one_stays_however_old() {
        let temp = tempfile::tempdir().unwrap();
        put(temp.path(), b"old", 9, NOW - 90 * DAY, false);
        put(temp.path(), b"older?", 1, NOW, true);
        assert!(list(temp.path()).unwrap().iter().any(|s| s.rows == 9));
        put(temp.path(), b"new", 3, NOW, false);
        assert!(!list(temp.path()).unwrap().iter().any(|s| s.rows == 9));
    }

    #[test]
    fn an_old_one_goes_only_after_the_new_one_is_durable() {
        let temp = tempfile::tempdir().unwrap();
        put(temp.path(), b"old", 9, NOW - 90 * DAY, false);
        let index = Keep { store: store(), bytes: b"new", rows: 3, now: NOW, suspect: false };
        assert!(keep(temp.path(), &Faults::of("sync-dir:EIO"), &index).is_err());
        assert!(list(temp.path()).unwrap().iter().any(|s| s.rows == 9));
    }

    #[test]
    fn a_failed_write_leaves_nothing() {
        let temp = tempfile::tempdir().unwrap();
        let index = Keep { store: store(), bytes: b"x", rows: 1, now: NOW, suspect: false };
        assert!(keep(temp.path(), &Faults::of("write:ENOSPC"), &index).is_err());
        assert_eq!(std::fs::read_dir(temp.path().join(".clawkeep/index")).unwrap().count(), 0);
    }
}
