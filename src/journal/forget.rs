//! Letting go of run folders and index snapshots before their time, because room is wanted.
//!
//! Each is looked at again right before it goes: a run that is open now (another program of ours, or an interrupted
//! one) stays, and so does the newest good snapshot of each index. Needs no byte, so it works on a full disk.

use std::ffi::OsString;
use std::io;
use std::path::Path;

use super::layout::{INDEX, OwnDir, RUNS, is_run_id};
use super::write::{DONE, Stuck, remove_folder};
use super::{read, snapshot};
use crate::fsx::fault::Faults;
use crate::model::kept::KeptSnapshot;

/// What became of one of them: gone, or why not.
pub type Forgotten = Result<(), String>;

/// Removes these run folders of `own_dir`. One outcome for each, in order.
///
/// # Errors
/// If `.clawkeep` cannot be opened.
pub fn runs(own_dir: &Path, faults: &Faults, ids: &[String]) -> io::Result<Vec<Forgotten>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let dir = OwnDir::open(own_dir, faults)?.map_or(Ok(None), |own| own.sub(RUNS))?.ok_or(io::ErrorKind::NotFound)?;
    let forget = |id: &String| {
        let run = dir.sub(id).ok().filter(|_| is_run_id(id.as_bytes()));
        // An empty folder is what an interrupted removal leaves.
        if !run.is_some_and(|run| run.stat(DONE).is_ok() || read::is_bare(&run)) {
            return Err(format!("run {id} is not closed"));
        }
        remove_folder(&dir, id).map_err(|stuck| not_removed(&stuck))
    };
    Ok(ids.iter().map(forget).collect())
}

/// What keeps a record here, and what to do: what is gone of it by then is gone, and the rest goes the next time.
fn not_removed(stuck: &Stuck) -> String {
    let way = match stuck.why.kind() {
        io::ErrorKind::PermissionDenied => "do it as the user that owns the folder",
        _ => "do it again when that is mended",
    };
    format!("cannot remove {}: {}; {way}", stuck.path.display(), stuck.why)
}

/// Removes these index snapshots of `own_dir`. One outcome for each, in order.
///
/// # Errors
/// If `.clawkeep` cannot be opened.
pub fn snapshots(own_dir: &Path, faults: &Faults, names: &[OsString]) -> io::Result<Vec<Forgotten>> {
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let all = snapshot::list(own_dir)?;
    let marks: Vec<(&str, bool)> = all.iter().map(|s| (s.store.as_str(), s.suspect)).collect();
    let stay = KeptSnapshot::stay(&marks);
    let may_go = |name: &OsString| all.iter().zip(&stay).any(|(s, stays)| s.name == *name && !stays);
    let dir = OwnDir::open(own_dir, faults)?.map_or(Ok(None), |own| own.sub(INDEX))?.ok_or(io::ErrorKind::NotFound)?;
    let forget = |name: &OsString| {
        if !may_go(name) {
            return Err(format!("{} is not a snapshot that may go", name.to_string_lossy()));
        }
        dir.unlink(name).map_err(|e| format!("cannot remove {}: {e}", name.to_string_lossy()))
    };
    Ok(names.iter().map(forget).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: crate::model::Ms = crate::model::DAY;
    const NOW: crate::model::Ms = 1_777_622_400_000;

    #[test]
    fn only_closed_runs_go() {
        let temp = tempfile::tempdir().unwrap();
        let runs_dir = temp.path().join(".clawkeep/runs");
        for (id, marker) in [("20260501T080000Z-0001", "done"), ("20260501T080000Z-0002", "open")] {
            std::fs::create_dir_all(runs_dir.join(id).join("files")).unwrap();
            std::fs::write(runs_dir.join(id).join(marker), b"").unwrap();
            std::fs::write(runs_dir.join(id).join("files/000000"), b"x").unwrap();
        }
        let ids: Vec<String> = ["20260501T080000Z-0001", "20260501T080000Z-0002", "../../x", "20260501T080000Z-0003"]
            .map(String::from)
            .into();
        let outcomes = runs(temp.path(), &Faults::none(), &ids).unwrap();
        let gone: Vec<bool> = outcomes.iter().map(Result::is_ok).collect();
        assert_eq!(gone, [true, false, false, false]);
        assert!(!runs_dir.join("20260501T080000Z-0001").exists());
        assert!(runs_dir.join("20260501T080000Z-0002/files/000000").exists());
    }

    #[test]
    fn the_newest_good_snapshot_of_each_index_stays() {
        let temp = tempfile::tempdir().unwrap();
        for (n, store, suspect) in [
            (0, "/s/old.json", false),
            (1, "/s/sessions.json", false),
            (2, "/s/sessions.json", false),
            (3, "/s/sessions.json", true),
        ] {
            let text = format!("{{\"k\":{n}}}");
            let index = snapshot::Keep {
                store: std::path::Path::new(store),
                bytes: text.as_bytes(),
                rows: 1,
                now: NOW + n * DAY,
                suspect,
            };
            snapshot::keep(temp.path(), &Faults::none(), &index).unwrap();
        }
        let names: Vec<OsString> = snapshot::list(temp.path()).unwrap().into_iter().map(|s| s.name).collect();
        let outcomes = snapshots(temp.path(), &Faults::none(), &names).unwrap();
        assert_eq!(outcomes.iter().map(Result::is_ok).collect::<Vec<_>>(), [false, true, false, true]);
        assert_eq!(snapshot::list(temp.path()).unwrap().len(), 2);
    }
}
