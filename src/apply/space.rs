//! Making room on a full disk, and saying what is missing when that fails.
//!
//! Room may be made only where a budget is in force, and only with files that need no index change: what the plan
//! unlinks or packs anyway, then proven orphans that it would only rename. A rename that fails later, in phase 3, never
//! comes here: it is retried and then reported.

use std::io;
use std::path::Path;

use super::phase0::{Early, take};
use super::state::{Exec, needs_no_index_change};
use crate::error::Error;
use crate::model::decision::Reason;
use crate::model::effect::Effect;
use crate::order::Order as _;
use crate::units::bytes::human;

/// New files of one run: its folder, the small files in it, the new index, and the folders around them.
const NEW_INODES: u64 = 12;

/// Files that may go to make room, in the order in which they go, asked for ownership once.
pub(super) struct Victims {
    left: Option<std::collections::VecDeque<usize>>,
}

impl Victims {
    pub(super) fn new() -> Self {
        Self { left: None }
    }

    /// Removes victims until one of them freed something. `false` if there is none left, or none may be taken.
    pub(super) fn take_one(&mut self, run: &mut Exec<'_>, early: &mut Early) -> bool {
        if !run.input.reclaim_by_unlink {
            return false;
        }
        if self.left.is_none() {
            let mut batch = candidates(run);
            run.drop_owned(&mut batch);
            self.left = Some(batch.into());
        }
        while let Some(ix) = self.left.as_mut().and_then(std::collections::VecDeque::pop_front) {
            if run.cancelled() {
                return false;
            }
            take(run, early, ix);
            if run.outcomes[ix].as_ref().and_then(crate::model::outcome::Outcome::freed).is_some_and(|freed| freed > 0)
            {
                early.sync();
                return true;
            }
        }
        false
    }
}

/// What may go: planned removals first, then orphans that were to be renamed, those without history before the others;
/// each group in plan order.
fn candidates(run: &Exec<'_>) -> Vec<usize> {
    let mut batch =
        run.open_effects(|e| matches!(e, Effect::Unlink { .. } | Effect::PackThenUnlink { .. } | Effect::Move { .. }));
    let rank = |ix: &usize| match (&run.effect(*ix).effect, run.decision(*ix).map(|d| d.reason)) {
        (Effect::Unlink { .. } | Effect::PackThenUnlink { .. }, _) => {
            needs_no_index_change(run.decision(*ix)).then_some(0)
        }
        (_, Some(Reason::OrphanJunk)) => Some(1),
        (_, Some(Reason::OrphanHistory | Reason::BudgetOrphan | Reason::BudgetPredecessor)) => Some(2),
        _ => None,
    };
    batch.retain(|ix| rank(ix).is_some());
    batch.order_by_key(rank);
    batch
}

/// The error of a run that found no room: what is needed, what is free, what could go, who holds deleted files open.
pub(super) fn no_room(run: &Exec<'_>, needed: u64, source: &io::Error) -> Error {
    let folder = run.folder.path();
    let could_go = candidates(run);
    if let Some(free) = run.folder.free_inodes().filter(|free| *free < NEW_INODES) {
        return no_inode(run, free, could_go.len(), source);
    }
    let mut error = Error::failed(format!(
        "no room in {} for the record and the new index: {}{} ({source}); nothing was renamed",
        folder.display(),
        human(needed),
        reported(needed, run.folder.free_bytes())
    ));
    // What `disk free` may take: it renames nothing.
    let final_only = |ix: &&usize| !matches!(run.effect(**ix).effect, Effect::Move { .. });
    let files = could_go.iter().filter(final_only).filter_map(|ix| super::state::file_of(&run.effect(*ix).effect));
    let could_go: u64 = files.map(|file| file.fp.size).sum();
    if could_go >= needed {
        error = error.hint(format!("clawkeep disk free --need {needed}  (policy allows {} to go)", human(could_go)));
    } else {
        let allowed = if could_go == 0 { "none".to_owned() } else { format!("{} of it", human(could_go)) };
        error = error.hint(format!(
            "free {} on this volume, then run the same command again (policy allows {allowed} to go from here)",
            human(needed)
        ));
    }
    for held in deleted_but_open(folder) {
        error = error.hint(format!(
            "process {} holds {} of deleted files open; they are freed when it is restarted",
            held.pid,
            human(held.bytes)
        ));
    }
    error
}

/// ` needed` and what the volume says about it: its figure can be above the need although nothing can be written.
fn reported(needed: u64, free: Option<u64>) -> String {
    match free {
        None => " needed".to_owned(),
        Some(free) if free < needed => format!(" needed, the volume reports {} free", human(free)),
        Some(free) => format!(
            " needed and not given, though the volume reports {} free: file systems keep a reserve and give out whole \
             blocks",
            human(free)
        ),
    }
}

/// The same where files, not bytes, are what the volume has no room for.
fn no_inode(run: &Exec<'_>, free: u64, could_go: usize, source: &io::Error) -> Error {
    let error = Error::failed(format!(
        "no free inode in {} for the record and the new index: {NEW_INODES} needed, {free} free ({source}); nothing was \
         renamed",
        run.folder.path().display(),
    ));
    if could_go > 0 && !run.input.reclaim_by_unlink {
        return error.hint(format!(
            "clawkeep sessions cleanup --enforce --max-disk SIZE  (with a budget, {could_go} files that policy allows to go \
             make room)"
        ));
    }
    error.hint(format!("delete {NEW_INODES} files on this volume (df -i tells), then run the same command again"))
}

/// Deleted files below a folder that a process still has open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldOpen {
    /// Process.
    pub pid: u32,
    /// Their bytes.
    pub bytes: u64,
    /// How many.
    pub files: u64,
}

/// Processes that hold deleted files below `folder` open. Linux only, and only processes we may look into.
#[cfg(target_os = "linux")]
pub fn deleted_but_open(folder: &Path) -> Vec<HeldOpen> {
    use std::os::unix::ffi::OsStrExt;
    let Ok(processes) = std::fs::read_dir("/proc") else { return Vec::new() };
    let mut out = Vec::new();
    for process in processes.flatten() {
        let Some(pid) = process.file_name().to_str().and_then(|n| n.parse::<u32>().ok()) else { continue };
        let Ok(fds) = std::fs::read_dir(process.path().join("fd")) else { continue };
        let mut held = HeldOpen { pid, bytes: 0, files: 0 };
        for fd in fds.flatten() {
            let Ok(target) = std::fs::read_link(fd.path()) else { continue };
            let gone = target.as_os_str().as_bytes().ends_with(b" (deleted)");
            if gone && target.starts_with(folder) {
                // Through the link: the deleted file itself.
                held.bytes += std::fs::metadata(fd.path()).map_or(0, |m| m.len());
                held.files += 1;
            }
        }
        if held.files > 0 {
            out.push(held);
        }
    }
    out
}

/// Processes that hold deleted files below `folder` open: cannot be told here.
#[cfg(not(target_os = "linux"))]
pub fn deleted_but_open(_folder: &Path) -> Vec<HeldOpen> {
    Vec::new()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_volume_that_reports_room_and_gives_none_is_no_contradiction() {
        assert_eq!(reported(2048, Some(1024)), " needed, the volume reports 1.0 KiB free");
        let text = reported(1024, Some(2048));
        assert!(text.contains("reports 2.0 KiB free") && text.contains("keep a reserve"), "{text}");
    }

    #[test]
    fn a_deleted_file_that_is_still_open_is_found() {
        let temp = tempfile::tempdir().unwrap();
        let folder = temp.path().canonicalize().unwrap();
        std::fs::write(folder.join("x"), "12345").unwrap();
        let _open = std::fs::File::open(folder.join("x")).unwrap();
        std::fs::remove_file(folder.join("x")).unwrap();
        let held = deleted_but_open(&folder);
        assert_eq!(held, [HeldOpen { pid: std::process::id(), bytes: 5, files: 1 }]);
    }
}
