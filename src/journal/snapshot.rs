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

/// `20261130T091500Z-3f2a-500-0a1b2c3d[-suspect].json.zst`
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
        hash: hash.to_owned(),
        suspect,
        bytes: 0,
    })
}

/// Keeps a snapshot of the index with these bytes, unless the newest one is the same, and lets old ones go.
///
/// # Errors
/// I/O errors; nothing is left half-written.
pub fn keep(own_dir: &Path, faults: &Faults, bytes: &[u8], rows: u64, now: Ms, suspect: bool) -> io::Result<()> {
    let hash: String = Sha256::digest(bytes).iter().take(4).map(|b| format!("{b:02x}")).collect();
    let newest = list(own_dir)?.pop();
    if newest.is_some_and(|s| s.hash == hash && s.rows == rows && s.suspect == suspect) {
        return Ok(());
    }
    let own = OwnDir::create(own_dir, faults)?;
    let dir = own.sub_or_create(INDEX)?;
    let mark = if suspect { "-suspect" } else { "" };
    let name = format!("{}-{rows}-{hash}{mark}{SUFFIX}", run_id(now, u32::from(u8::from(suspect))));
    let temp = format!("{name}.tmp");
    let _ = dir.unlink(&temp);
    let written = write(&dir, &temp, own.file_mode(), bytes).and_then(|()| dir.replace(&temp, &name));
    if let Err(e) = written {
        let _ = dir.unlink(&temp);
        return Err(e);
    }
    for old in expired(&list_in(&dir)?, now) {
        dir.unlink(&old)?;
    }
    Ok(())
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

    #[test]
    fn an_index_comes_back_and_the_same_one_is_kept_once() {
        let temp = tempfile::tempdir().unwrap();
        let none = Faults::none();
        keep(temp.path(), &none, b"{\"a\":1}", 1, NOW, false).unwrap();
        keep(temp.path(), &none, b"{\"a\":1}", 1, NOW + DAY, false).unwrap();
        let all = list(temp.path()).unwrap();
        assert_eq!(all.len(), 1);
        assert_eq!((all[0].rows, all[0].at), (1, NOW));
        assert_eq!(read(temp.path(), &all[0]).unwrap(), b"{\"a\":1}");
    }

    #[test]
    fn a_doubted_index_never_displaces_a_good_one() {
        let temp = tempfile::tempdir().unwrap();
        let none = Faults::none();
        keep(temp.path(), &none, b"good", 9, NOW, false).unwrap();
        for n in 0..12 {
            keep(temp.path(), &none, format!("{n}").as_bytes(), n, NOW + (n as Ms) * 60_000, true).unwrap();
        }
        let all = list(temp.path()).unwrap();
        assert_eq!(all.iter().filter(|s| !s.suspect).count(), 1);
        assert_eq!(all.iter().filter(|s| s.suspect).count(), KEEP);
        assert_eq!(super::super::record::last_rows(temp.path()).unwrap().rows, 9);
    }

    #[test]
    fn the_newest_good_one_stays_however_old() {
        let temp = tempfile::tempdir().unwrap();
        let none = Faults::none();
        keep(temp.path(), &none, b"old", 9, NOW - 90 * DAY, false).unwrap();
        keep(temp.path(), &none, b"older?", 1, NOW, true).unwrap();
        assert!(list(temp.path()).unwrap().iter().any(|s| s.rows == 9));
        keep(temp.path(), &none, b"new", 3, NOW, false).unwrap();
        assert!(!list(temp.path()).unwrap().iter().any(|s| s.rows == 9));
    }

    #[test]
    fn a_failed_write_leaves_nothing() {
        let temp = tempfile::tempdir().unwrap();
        assert!(keep(temp.path(), &Faults::of("write:ENOSPC"), b"x", 1, NOW, false).is_err());
        assert_eq!(std::fs::read_dir(temp.path().join(".clawkeep/index")).unwrap().count(), 0);
    }
}
