//! How long run folders are kept.
//!
//! A folder is let go when there are more than [`KEEP`] newer ones, when it is older than [`MAX_AGE`], or when the bytes
//! that only run folders hold exceed [`MAX_BYTES`]; oldest first. While an archive it made still exists, neither number
//! nor age removes it (its links cost nothing then). An unfinished run, or one of a newer format, is never removed. A run
//! that was rolled back has nothing to undo and goes after a day, and so does a folder in which nothing was written down.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use super::layout::{OwnDir, RUNS, is_run_id};
use super::read;
use super::write::{FILES, remove_folder};
use crate::error::Result;
use crate::fsx::fault::Faults;
use crate::fsx::mutate::Dir;
use crate::model::fingerprint::Fingerprint;
use crate::model::run::{RunRecord, RunState};
use crate::model::{DAY, Ms};

/// Newest runs that are kept.
pub const KEEP: usize = 50;
/// Age at which a run goes.
pub const MAX_AGE: Ms = 90 * DAY;
/// Bytes that all run folders together may hold by themselves.
pub const MAX_BYTES: u64 = 1 << 30;
const ROLLED_BACK_AGE: Ms = DAY;

/// Bytes that go if this folder goes: files of which it holds the last link.
pub fn own_bytes(run: &RunRecord) -> u64 {
    run.kept.iter().filter(|(_, fp)| fp.nlink <= 1).map(|(_, fp)| fp.size).sum()
}

/// Ids of runs to let go. `runs` oldest first.
pub fn expired(runs: &[RunRecord], now: Ms) -> Vec<String> {
    let mut out = Vec::new();
    let (mut count, mut bytes) = (0, 0);
    for run in runs.iter().rev() {
        let age = now - run.meta.as_ref().map_or(run.closed_at, |m| m.started_at.max(run.closed_at.min(now)));
        let over = match run.state {
            RunState::Unfinished | RunState::TooNew(_) => continue,
            RunState::RolledBack => age > ROLLED_BACK_AGE,
            // One that holds nothing may be another run's that is being made: not every run holds the lock.
            RunState::Unreadable(_) => {
                let empty = run.kept.is_empty() && run.rows.is_empty();
                age > if empty { ROLLED_BACK_AGE } else { MAX_AGE }
            }
            RunState::Done | RunState::Abandoned => {
                count += 1;
                bytes += own_bytes(run);
                let lives_on = run.kept.iter().any(|(_, fp)| fp.nlink > 1);
                bytes > MAX_BYTES || (!lives_on && (count > KEEP || age > MAX_AGE))
            }
        };
        if over {
            out.push(run.id.clone());
        }
    }
    out.reverse();
    out
}

/// When a run goes by age at the latest.
pub fn expires_at(run: &RunRecord) -> Option<Ms> {
    match run.state {
        RunState::Unfinished | RunState::TooNew(_) => None,
        RunState::RolledBack => Some(run.closed_at + ROLLED_BACK_AGE),
        RunState::Unreadable(_) if run.kept.is_empty() && run.rows.is_empty() => Some(run.closed_at + ROLLED_BACK_AGE),
        _ => Some(run.closed_at + MAX_AGE),
    }
}

/// Removes expired run folders. Returns how many went and the bytes that were freed.
///
/// # Errors
/// If the run folders cannot be listed.
pub fn expire(own_dir: &Path, faults: &Faults, now: Ms) -> Result<(u64, u64)> {
    let runs = read::list(own_dir)?;
    let gone = expired(&runs, now);
    if gone.is_empty() {
        return Ok((0, 0));
    }
    let failed = |e| crate::error::Error::io("open", own_dir, e);
    let Some(own) = OwnDir::open(own_dir, faults).map_err(failed)? else { return Ok((0, 0)) };
    let dir = own.dir().sub(RUNS).map_err(failed)?;
    let (mut count, mut freed) = (0, 0);
    for run in runs.iter().filter(|r| gone.contains(&r.id)) {
        if remove_folder(&dir, &run.id).is_ok() {
            count += 1;
            freed += own_bytes(run);
        }
    }
    Ok((count, freed))
}

/// Our hard links, by the inode they keep.
#[derive(Debug, Default)]
pub struct KeptLinks {
    by_inode: BTreeMap<(u64, u64), Vec<(String, std::ffi::OsString)>>,
    runs: Option<Dir>,
}

impl KeptLinks {
    /// Looks through all run folders.
    ///
    /// # Errors
    /// I/O errors.
    pub fn scan(own_dir: &Path, faults: &Faults) -> io::Result<Self> {
        let Some(runs) = OwnDir::open(own_dir, faults)?.map_or(Ok(None), |own| own.sub(RUNS))? else {
            return Ok(Self::default());
        };
        let mut by_inode = BTreeMap::<_, Vec<_>>::new();
        for name in runs.names()? {
            let Some(id) = name.to_str().filter(|n| is_run_id(n.as_bytes())) else { continue };
            let Ok(files) = runs.sub(id).and_then(|r| r.sub(FILES)) else { continue };
            for kept in files.names()? {
                if let Ok(fp) = files.stat(&kept) {
                    by_inode.entry((fp.dev, fp.ino)).or_default().push((id.to_owned(), kept));
                }
            }
        }
        Ok(Self { by_inode, runs: Some(runs) })
    }

    /// Gives up our links to a file that is gone for good. Returns how many went.
    pub fn release(&mut self, fp: &Fingerprint) -> u32 {
        let Some(runs) = &self.runs else { return 0 };
        // Without inode numbers nothing can be told apart.
        let links = if fp.ino == 0 { None } else { self.by_inode.remove(&(fp.dev, fp.ino)) };
        let mut gone = 0;
        for (run, name) in links.into_iter().flatten() {
            let unlinked = runs.sub(&run).and_then(|r| r.sub(FILES)).and_then(|f| {
                let same = f.stat(&name).is_ok_and(|now| (now.dev, now.ino) == (fp.dev, fp.ino));
                if same { f.unlink(&name) } else { Err(io::ErrorKind::NotFound.into()) }
            });
            gone += u32::from(unlinked.is_ok());
        }
        gone
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::fingerprint::Kind;

    const NOW: Ms = 1_777_622_400_000;

    fn run(n: usize, age: Ms, state: RunState, kept: &[(u64, u32)]) -> RunRecord {
        let fp = |(size, nlink): &(u64, u32)| Fingerprint {
            dev: 1,
            ino: 1,
            size: *size,
            mtime_ns: 0,
            ctime_ns: 0,
            blocks: 0,
            nlink: *nlink,
            uid: 0,
            gid: 0,
            mode: 0,
            kind: Kind::File,
        };
        RunRecord {
            id: format!("{n}"),
            dir: "/".into(),
            state,
            meta: None,
            lines: vec![],
            rows: vec![],
            outcomes: vec![],
            kept: kept.iter().map(|k| ("x".into(), fp(k))).collect(),
            rows_missing: 0,
            undone_by: None,
            undone_in_part: false,
            closed_at: NOW - age,
            copied: false,
            astray: None,
        }
    }

    #[test]
    fn number_age_and_bytes_count_but_not_while_an_archive_lives() {
        let many: Vec<_> = (0..52).map(|n| run(n, DAY, RunState::Done, &[(1, 1)])).collect();
        assert_eq!(expired(&many, NOW), ["0", "1"]);
        let old = [
            run(0, 91 * DAY, RunState::Done, &[(1, 1)]),
            run(1, 91 * DAY, RunState::Done, &[(1, 2)]),
            run(2, 91 * DAY, RunState::Unfinished, &[]),
            run(3, 91 * DAY, RunState::TooNew(9), &[]),
            run(4, 2 * DAY, RunState::RolledBack, &[]),
            run(5, DAY, RunState::Done, &[]),
            run(6, 2 * DAY, RunState::Unreadable("no record".into()), &[]),
            run(7, 0, RunState::Unreadable("no record yet".into()), &[]),
            run(8, 2 * DAY, RunState::Unreadable("cut".into()), &[(1, 1)]),
        ];
        assert_eq!(expired(&old, NOW), ["0", "4", "6"]);
        let big = [run(0, 2, RunState::Done, &[(1, 1)]), run(1, 1, RunState::Done, &[(MAX_BYTES, 1)])];
        assert_eq!(expired(&big, NOW), ["0"]);
    }

    #[test]
    fn links_to_a_file_that_goes_for_good_are_given_up() {
        let temp = tempfile::tempdir().unwrap();
        let files = super::super::write::run_path(temp.path(), "20260501T080000Z-0001").join(FILES);
        std::fs::create_dir_all(&files).unwrap();
        std::fs::write(temp.path().join("a"), "a").unwrap();
        std::fs::hard_link(temp.path().join("a"), files.join("000001")).unwrap();
        std::fs::write(files.join("000002"), "other").unwrap();
        let mut links = KeptLinks::scan(temp.path(), &Faults::none()).unwrap();
        let dir = Dir::open(&temp.path().canonicalize().unwrap(), &Faults::none()).unwrap();
        assert_eq!(links.release(&dir.stat("a").unwrap()), 1);
        assert_eq!(links.release(&dir.stat("a").unwrap()), 0);
        assert_eq!(std::fs::read_dir(&files).unwrap().count(), 1);
    }
}
