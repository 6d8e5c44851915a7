//! What `.clawkeep` of a folder keeps: run folders, index snapshots, and which inodes they hold.
//!
//! Sizes are those of all files in a run folder, not only of the kept links: records of large runs are large too.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::Path;

use walkdir::WalkDir;

use crate::error::{Error, Result};
use crate::fsx::read::{fingerprint, lstat};
use crate::journal::layout::{INDEX, OWN, RUNS};
use crate::journal::{read, snapshot};
use crate::model::fingerprint::Fingerprint;
use crate::model::kept::{Kept, KeptRun, KeptSnapshot};
use crate::model::run::RunState;
use crate::order::Order as _;

/// Reads what is kept in the `.clawkeep` of `folder`.
///
/// # Errors
/// If `.clawkeep` is there but cannot be read.
pub fn read(folder: &Path) -> Result<Kept> {
    let own = folder.join(OWN);
    let mut kept = Kept::default();
    for run in read::list(folder)? {
        let files = files_below(&own.join(RUNS).join(&run.id));
        for file in &files {
            *kept.links.entry((file.dev, file.ino)).or_default() += 1;
        }
        let closed = matches!(run.state, RunState::Done | RunState::RolledBack | RunState::Abandoned);
        let frees = unique_bytes(&files);
        kept.runs.push(KeptRun { id: run.id, closed, at: run.closed_at, files: files.len() as u64, frees });
    }
    for snapshot in snapshot::list(folder).map_err(|e| Error::io("list", &own.join(INDEX), e))? {
        let frees = size_of(&own, &snapshot.name).unwrap_or(snapshot.bytes);
        let snapshot::Snapshot { name, store, at, suspect, .. } = snapshot;
        kept.snapshots.push(KeptSnapshot { name, store, at, suspect, frees });
    }
    kept.runs.order_by(|a, b| (a.at, &a.id).cmp(&(b.at, &b.id)));
    kept.snapshots.order_by(|a, b| (a.at, &a.name).cmp(&(b.at, &b.name)));
    Ok(kept)
}

fn size_of(own: &Path, snapshot: &OsStr) -> Option<u64> {
    lstat(&own.join(INDEX).join(snapshot)).ok().map(|fp| fp.allocated())
}

/// Bytes that go when all of these names go: of inodes that have no other name.
fn unique_bytes(files: &[Fingerprint]) -> u64 {
    let mut names: HashMap<(u64, u64), (u32, &Fingerprint)> = HashMap::new();
    // Without inode numbers every file stands for itself, and there are no hard links of ours.
    let (known, unknown): (Vec<&Fingerprint>, Vec<&Fingerprint>) = files.iter().partition(|fp| fp.ino != 0);
    for fp in known {
        names.entry((fp.dev, fp.ino)).or_insert((0, fp)).0 += 1;
    }
    let last = names.values().filter(|(count, fp)| fp.nlink <= *count).map(|(_, fp)| fp.allocated());
    last.chain(unknown.into_iter().map(|fp| fp.allocated())).sum()
}

fn files_below(dir: &Path) -> Vec<Fingerprint> {
    let all = WalkDir::new(dir).min_depth(1).follow_links(false).into_iter().flatten();
    all.filter(|e| e.file_type().is_file()).filter_map(|e| Some(fingerprint(&e.metadata().ok()?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_run_frees_only_what_has_no_other_name() {
        let temp = tempfile::tempdir().unwrap();
        let run = temp.path().join(".clawkeep/runs/20260501T080000Z-3f2a");
        std::fs::create_dir_all(run.join("files")).unwrap();
        std::fs::write(temp.path().join("a.jsonl.deleted.x"), vec![b'x'; 8192]).unwrap();
        std::fs::hard_link(temp.path().join("a.jsonl.deleted.x"), run.join("files/000000")).unwrap();
        std::fs::write(run.join("files/000001"), vec![b'x'; 8192]).unwrap();
        let kept = read(temp.path()).unwrap();
        assert_eq!(kept.runs.len(), 1);
        assert_eq!(kept.runs[0].files, 2);
        assert_eq!(kept.runs[0].frees, lstat(&run.join("files/000001")).unwrap().allocated());
        assert!(!kept.runs[0].closed, "no marker: it was never closed");
        let archive = lstat(&temp.path().join("a.jsonl.deleted.x")).unwrap();
        assert_eq!(kept.links[&(archive.dev, archive.ino)], 1);
    }

    #[test]
    fn nothing_is_kept_where_we_never_were() {
        let temp = tempfile::tempdir().unwrap();
        assert_eq!(read(temp.path()).unwrap(), Kept::default());
    }
}
