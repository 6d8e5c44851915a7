//! `maxDiskBytes`: bring the folder below the high-water mark, least valuable first (SAFETY 4).
//!
//! Order: archives, junk and unowned copies; history orphans; predecessors; `.bak` archives; then rows, oldest first.
//! What this pass merely renames is still on disk, and so is what a pass within the grace window renamed. Such bytes are
//! *pending*: they are subtracted before another orphan or row is taken, because they will go by themselves, and they are
//! never unlinked in the pass that renamed them.
//!
//! Files that are not ours count in the total, as they do for the gateway, and archives and orphans are taken down to it.
//! No row is: when rows are looked at, the folder is measured without them. A database that somebody put into the folder
//! would otherwise cost every session, and the budget would still not be met (reports F9).

use crate::model::Ms;
use crate::model::decision::{Reason, Verdict};
use crate::model::folder::{ArchiveReason, Class};
use crate::model::plan::{BudgetLedger, ForeignFiles};
use crate::model::sourced::Limit;

use super::archives;
use super::draft::Draft;
use super::orphans::{self, OrphanKind};
use super::release;
use super::traits::Age;

/// Applies the budget, if there is one, and returns its arithmetic.
pub fn apply(draft: &mut Draft<'_>) -> Option<BudgetLedger> {
    let (Limit::At(max), Limit::At(high_water)) = (draft.policy.max_disk.value, draft.policy.high_water.value) else {
        return None;
    };
    let mut pass = Pass { ledger: start(draft, max, high_water), on_disk: 0, pending: 0 };
    pass.measure(draft);
    if pass.on_disk > max && draft.files_frozen.is_none() {
        pass.archives_and_junk(draft);
        pass.history(draft);
        pass.predecessors(draft);
        pass.baks(draft);
        let sessions_fit = pass.ledger.before.saturating_sub(pass.ledger.foreign.bytes) <= max;
        if !draft.policy.files_only && !draft.ownership.incomplete && !sessions_fit {
            pass.rows(draft);
        }
    }
    Some(pass.ledger)
}

/// Fills in the totals once every policy has spoken.
pub fn settle(draft: &Draft<'_>, ledger: &mut BudgetLedger) {
    let mut pass = Pass { ledger: *ledger, on_disk: 0, pending: 0 };
    pass.measure(draft);
    ledger.pending = pass.pending;
    ledger.after = pass.on_disk.saturating_sub(pass.pending);
}

fn start(draft: &Draft<'_>, max: u64, high_water: u64) -> BudgetLedger {
    let before = counted_bytes(draft);
    BudgetLedger {
        before,
        max,
        high_water,
        after: before,
        pending: 0,
        removed_files: 0,
        removed_rows: 0,
        freed: 0,
        foreign: foreign(draft),
    }
}

/// Files that nobody's sessions have to answer for: no name of the gateway's and no row that leads there, or not proven
/// to be a transcript.
fn foreign(draft: &Draft<'_>) -> ForeignFiles {
    let mut all = ForeignFiles::default();
    for file in draft.files_where(|c| matches!(c, Class::Foreign | Class::Transcript | Class::Archive(_))) {
        let entry = draft.file(file);
        let size = entry.fp.size;
        let counts = match entry.class {
            Class::Foreign => true,
            Class::Transcript => draft.files[file as usize].reason == Reason::NotProven,
            _ => entry.is_packed(),
        };
        if size == 0 || draft.is_owned(file) || !counts {
            continue;
        }
        let larger = all.largest.is_none_or(|largest| draft.file(largest).fp.size < size);
        all = ForeignFiles {
            files: all.files + 1,
            bytes: all.bytes + size,
            largest: if larger { Some(file) } else { all.largest },
        };
    }
    all
}

/// Bytes the gateway counts: regular files directly in the folder. Not our own folder, not `.migrated` leftovers.
fn counted_bytes(draft: &Draft<'_>) -> u64 {
    let counted = draft.facts.folder.entries.iter().filter(|f| f.is_file() && f.class != Class::Migrated);
    counted.map(|f| f.fp.size).sum()
}

struct Pass {
    ledger: BudgetLedger,
    /// Bytes in the folder after everything decided so far, renamed files included.
    on_disk: u64,
    /// Bytes of files renamed by this pass.
    pending: u64,
}

impl Pass {
    /// Works out both figures from the decisions made so far.
    fn measure(&mut self, draft: &Draft<'_>) {
        let bytes = |wanted: fn(Verdict) -> bool| -> u64 {
            draft.files.iter().filter(|d| wanted(d.verdict)).map(|d| d.bytes).sum()
        };
        let dropped: u64 = draft.rows.iter().filter(|d| d.verdict == Verdict::Drop).map(row_bytes).sum();
        let gone = bytes(|v| matches!(v, Verdict::Unlink | Verdict::Stow)) + dropped;
        self.on_disk = self.ledger.before.saturating_sub(gone);
        self.pending = bytes(|v| v == Verdict::Archive) + young_archives(draft);
    }

    fn above(&self) -> bool {
        self.on_disk > self.ledger.high_water
    }

    /// Still above once the renamed bytes are gone.
    fn above_without_pending(&self) -> bool {
        self.on_disk.saturating_sub(self.pending) > self.ledger.high_water
    }

    /// Still above by what belongs to sessions.
    fn sessions_above(&self) -> bool {
        self.on_disk.saturating_sub(self.pending + self.ledger.foreign.bytes) > self.ledger.high_water
    }

    fn unlink(&mut self, draft: &mut Draft<'_>, file: u32, reason: Reason) {
        let bytes = draft.file(file).fp.size;
        draft.take_file(file, Verdict::Unlink, reason);
        self.on_disk = self.on_disk.saturating_sub(bytes);
        self.ledger.removed_files += 1;
        self.ledger.freed += bytes;
    }

    fn archive(&mut self, draft: &mut Draft<'_>, file: u32, reason: Reason) {
        draft.take_file(file, Verdict::Archive, reason);
        self.pending += draft.file(file).fp.size;
        self.ledger.removed_files += 1;
    }

    fn archives_and_junk(&mut self, draft: &mut Draft<'_>) {
        let last_copies = orphans::last_copies(draft);
        let victims = oldest_first(draft, |draft, file| match draft.file(file).class {
            Class::Archive(ArchiveReason::Deleted | ArchiveReason::Reset) => {
                !archives::is_young(draft, file) && !draft.file(file).is_packed()
            }
            Class::Transcript => {
                is_free(draft, file) && matches!(orphans::kind(draft, file), Some(OrphanKind::Junk | OrphanKind::Empty))
            }
            Class::Checkpoint => draft.proven && is_free(draft, file) && !last_copies.contains(&file),
            Class::Trajectory | Class::TrajectoryPointer => draft.proven && is_free(draft, file),
            _ => false,
        });
        for file in victims {
            if !self.above() {
                return;
            }
            match draft.file(file).class {
                Class::Archive(_) => self.unlink(draft, file, Reason::BudgetArchive),
                _ if draft.was_owned(file) => self.release(draft, file),
                _ => self.unlink(draft, file, Reason::BudgetOrphan),
            }
        }
    }

    /// Takes a file whose row leaves with this pass: undo must be able to bring both back.
    fn release(&mut self, draft: &mut Draft<'_>, file: u32) {
        if draft.file(file).class == Class::Transcript {
            self.archive(draft, file, reason_of(draft, file));
        } else {
            let bytes = draft.file(file).fp.size;
            draft.take_file(file, Verdict::Stow, Reason::SidecarRemoved);
            self.on_disk = self.on_disk.saturating_sub(bytes);
            self.ledger.removed_files += 1;
        }
    }

    fn history(&mut self, draft: &mut Draft<'_>) {
        let last_copies = orphans::last_copies(draft);
        let victims = oldest_first(draft, |draft, file| match draft.file(file).class {
            Class::Transcript => {
                is_free(draft, file)
                    && !draft.ownership.is_predecessor(file)
                    && orphans::kind(draft, file) == Some(OrphanKind::History)
            }
            Class::Checkpoint => draft.proven && is_free(draft, file) && last_copies.contains(&file),
            _ => false,
        });
        for file in victims {
            if !self.above_without_pending() {
                return;
            }
            self.archive(draft, file, reason_of(draft, file));
        }
    }

    fn predecessors(&mut self, draft: &mut Draft<'_>) {
        let victims = oldest_first(draft, |draft, file| {
            draft.file(file).class == Class::Transcript && is_free(draft, file) && draft.ownership.is_predecessor(file)
        });
        for file in victims {
            if !self.above_without_pending() {
                return;
            }
            self.archive(draft, file, Reason::BudgetPredecessor);
        }
    }

    /// `.bak` archives and index backups, but never the newest index backup.
    fn baks(&mut self, draft: &mut Draft<'_>) {
        let newest_backup =
            draft.files_where(|c| c == Class::IndexBackup).into_iter().max_by_key(|f| draft.file(*f).fp.mtime_ns);
        let victims = oldest_first(draft, |draft, file| match draft.file(file).class {
            Class::Archive(ArchiveReason::Bak) => !draft.is_young(file),
            Class::IndexBackup => Some(file) != newest_backup && !draft.is_young(file),
            _ => false,
        });
        for file in victims {
            if !self.above_without_pending() {
                return;
            }
            self.unlink(draft, file, Reason::BudgetArchive);
        }
    }

    fn rows(&mut self, draft: &mut Draft<'_>) {
        let mut rows: Vec<u32> =
            draft.standing_rows().filter(|row| draft.traits[*row as usize].shield().is_none()).collect();
        rows.sort_by_key(|row| match draft.traits[*row as usize].age {
            Age::At(at) => at,
            Age::Unknown | Age::Suspect => Ms::MIN,
        });
        for row in rows {
            if !self.sessions_above() {
                return;
            }
            draft.drop_row(row, Reason::OverBudget);
            let released = release::row_files(draft, row);
            self.on_disk = self.on_disk.saturating_sub(row_bytes(&draft.rows[row as usize]) + released.stowed);
            self.pending += released.renamed;
            self.ledger.removed_rows += 1;
            self.ledger.removed_files += released.files;
            let freed: Vec<u32> = draft.ownership.files_of(row).map(|link| link.file).collect();
            for file in freed {
                let class = draft.file(file).class;
                let copy = matches!(class, Class::Checkpoint | Class::Trajectory | Class::TrajectoryPointer);
                if (copy || class == Class::Transcript) && draft.file(file).is_file() && is_free(draft, file) {
                    self.release(draft, file);
                }
            }
        }
    }
}

fn reason_of(draft: &Draft<'_>, file: u32) -> Reason {
    if draft.is_left_behind(file) { Reason::LeftBehind } else { Reason::BudgetOrphan }
}

/// Bytes of archives that a pass made a moment ago: still in the folder, not to be unlinked yet, and already on their way
/// out. Without counting them a second pass would take rows for what the first one has renamed.
fn young_archives(draft: &Draft<'_>) -> u64 {
    let young = draft.files_where(|c| c == Class::Archive(ArchiveReason::Deleted));
    let ours = |f: &u32| archives::is_young(draft, *f) && !draft.file(*f).is_packed();
    young.into_iter().filter(ours).map(|f| draft.file(f).fp.size).sum()
}

/// Bytes that leave the index with a row: key, value, quotes, colon, separator and indentation.
fn row_bytes(row: &crate::model::decision::Decision) -> u64 {
    row.bytes + 8
}

/// Unowned, without a verdict, not young, not locked, and ownership is known.
fn is_free(draft: &Draft<'_>, file: u32) -> bool {
    !draft.file_acts(file)
        && !draft.is_owned(file)
        && draft.lock_on(file).is_none()
        && orphans::shield(draft, file).is_none()
}

/// Files that satisfy `wanted`, oldest first, ties by name.
fn oldest_first(draft: &Draft<'_>, wanted: impl Fn(&Draft<'_>, u32) -> bool) -> Vec<u32> {
    let mut files = draft.files_where(|_| true);
    files.retain(|file| !draft.file_acts(*file) && !draft.is_owned(*file) && wanted(draft, *file));
    files.sort_by_key(|file| draft.file(*file).fp.mtime_ns);
    files
}
