//! Files that no row leads to any more: transcripts, checkpoints, trajectories.
//!
//! An orphan transcript needs proof that it is one (SAFETY 1): a session header, or a generated name in a proven
//! folder. Then it is renamed, never unlinked, unless it has no byte. Checkpoints and trajectories are copies: they are
//! unlinked for good, except a checkpoint that is the last copy of its session, and so a shorter limit on the command line
//! takes them no earlier than the configured one.

use std::collections::{HashMap, HashSet};

use crate::model::Ms;
use crate::model::decision::{Reason, Verdict};
use crate::model::folder::Class;
use crate::model::probe::{HeaderState, UserTurns};
use crate::model::sourced::Limit;
use crate::transcript::names;

use super::draft::Draft;

/// Decides about every transcript, checkpoint and trajectory without a verdict so far.
pub fn apply(draft: &mut Draft<'_>) {
    for file in draft.files_where(|c| c == Class::Transcript) {
        transcript(draft, file);
    }
    let last_copies = last_copies(draft);
    for file in draft.files_where(|c| matches!(c, Class::Checkpoint | Class::Trajectory | Class::TrajectoryPointer)) {
        sidecar(draft, file, last_copies.contains(&file));
    }
}

/// What an unowned transcript is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OrphanKind {
    /// Holds, or may hold, what a user wrote.
    History,
    /// Proven to hold no user message.
    Junk,
    /// No byte at all.
    Empty,
}

/// What is known about an unowned transcript; `None` if it is not proven to be a session's.
pub fn kind(draft: &Draft<'_>, file: u32) -> Option<OrphanKind> {
    let name = &draft.file(file).name;
    let generated = draft.proven && names::generated_id(name.as_encoded_bytes()).is_some();
    match draft.probes.orphans.get(&file) {
        // A row that leaves with this pass led here: that is proof, and nothing was looked into.
        None if !draft.ownership.links(file).is_empty() => Some(OrphanKind::History),
        None => None,
        Some(probe) => match (&probe.header, probe.turns) {
            (HeaderState::Unreadable(_), _) => None,
            (HeaderState::Empty, _) => generated.then_some(OrphanKind::Empty),
            (HeaderState::NotAHeader, _) if !generated => None,
            (_, UserTurns::None) => Some(OrphanKind::Junk),
            (_, UserTurns::Seen | UserTurns::Unknown) => Some(OrphanKind::History),
        },
    }
}

/// Why an unowned file must stay whatever its age, if it must.
pub fn shield(draft: &Draft<'_>, file: u32) -> Option<Reason> {
    if draft.probes.unfinished.contains(&file) {
        Some(Reason::UnfinishedRun)
    } else if draft.ownership.incomplete {
        Some(Reason::OwnershipIncomplete)
    } else if draft.files_frozen.is_some() {
        draft.files_frozen
    } else if draft.is_young(file) {
        Some(Reason::Young)
    } else {
        None
    }
}

fn transcript(draft: &mut Draft<'_>, file: u32) {
    if draft.file_acts(file) {
        return;
    }
    if draft.is_owned(file) {
        draft.keep_file(file, Reason::Owned, None);
    } else if draft.ownership.is_predecessor(file) {
        // Also if its session leaves with this pass: who leaves is not settled before the budget has spoken, and a pass
        // that follows finds a plain orphan. A day later is no harm; a chain of doubtful headers taken at once may be one.
        draft.keep_file(file, Reason::Predecessor, None);
    } else {
        match old_enough(draft, file) {
            Err((reason, goes_at)) => draft.keep_file(file, reason, goes_at),
            Ok(()) => old_transcript(draft, file),
        }
    }
}

fn old_transcript(draft: &mut Draft<'_>, file: u32) {
    let Some(kind) = kind(draft, file) else {
        draft.keep_file(file, Reason::NotProven, None);
        return;
    };
    if let Some(lock) = draft.lock_on(file) {
        draft.files[file as usize].verdict = Verdict::Hold;
        draft.keep_file(file, lock, None);
        return;
    }
    match kind {
        _ if draft.is_left_behind(file) => draft.take_file(file, Verdict::Archive, Reason::LeftBehind),
        OrphanKind::Empty => draft.take_file(file, Verdict::Unlink, Reason::OrphanEmpty),
        OrphanKind::Junk => draft.take_file(file, Verdict::Archive, Reason::OrphanJunk),
        OrphanKind::History => draft.take_file(file, Verdict::Archive, Reason::OrphanHistory),
    }
}

/// Stows checkpoints and trajectories that only rows that leave lead to, whatever their age: where no age rule looks at them
/// in the same pass, they would stay behind as orphans, and a later cleanup would remove them for good.
pub fn of_leaving_rows(draft: &mut Draft<'_>) {
    for file in draft.files_where(|c| matches!(c, Class::Checkpoint | Class::Trajectory | Class::TrajectoryPointer)) {
        let leaves = !draft.file_acts(file) && !draft.is_owned(file) && !draft.ownership.links(file).is_empty();
        if leaves && draft.proven && shield(draft, file).is_none() {
            draft.take_file(file, Verdict::Stow, Reason::SidecarRemoved);
        }
    }
}

fn sidecar(draft: &mut Draft<'_>, file: u32, last_copy: bool) {
    if draft.file_acts(file) {
        return;
    }
    if draft.is_owned(file) {
        draft.keep_file(file, Reason::Owned, None);
        return;
    }
    if let Err((reason, goes_at)) = old_enough(draft, file) {
        draft.keep_file(file, reason, goes_at);
    } else if !draft.proven {
        draft.keep_file(file, Reason::NotProven, None);
    } else if draft.was_owned(file) {
        // Its row leaves with this pass, or left with an earlier one: undo must be able to bring both back.
        let reason = if draft.is_left_behind(file) { Reason::LeftBehind } else { Reason::SidecarRemoved };
        draft.take_file(file, Verdict::Stow, reason);
    } else if last_copy {
        draft.take_file(file, Verdict::Archive, Reason::LastCheckpoint);
    } else if let Some(goes_at) = is_final_later(draft, file) {
        draft.keep_file(file, Reason::YoungOrphan, goes_at);
    } else if draft.file(file).class == Class::Checkpoint {
        draft.take_file(file, Verdict::Unlink, Reason::OrphanCheckpoint);
    } else {
        draft.take_file(file, Verdict::Unlink, Reason::OrphanTrajectory);
    }
}

/// Whether the file is too young to be unlinked for good, although a shorter limit that is only tried wants it; and when
/// its time comes.
fn is_final_later(draft: &Draft<'_>, file: u32) -> Option<Option<Ms>> {
    let Limit::At(limit) = draft.policy.final_after.value else { return Some(None) };
    let goes_at = draft.file(file).fp.mtime_ms().saturating_add(limit);
    (draft.file_age(file) < limit).then_some(Some(goes_at))
}

/// Whether the age rule wants the file; otherwise why it stays and when its time comes.
fn old_enough(draft: &Draft<'_>, file: u32) -> Result<(), (Reason, Option<Ms>)> {
    let Limit::At(limit) = draft.policy.prune_after.value else { return Err((Reason::AgeOff, None)) };
    if draft.file_age(file) < limit {
        let goes_at = draft.file(file).fp.mtime_ms().saturating_add(limit);
        return Err((Reason::YoungOrphan, Some(goes_at)));
    }
    shield(draft, file).map_or(Ok(()), |reason| Err((reason, None)))
}

/// Unowned checkpoints that are the newest copy of a session of which nothing else is left.
pub fn last_copies(draft: &Draft<'_>) -> HashSet<u32> {
    let mut newest: HashMap<&[u8], (i64, u32)> = HashMap::new();
    for file in draft.files_where(|c| c == Class::Checkpoint) {
        let entry = draft.file(file);
        if entry.fp.size > 0 {
            let made = (entry.fp.mtime_ns, file);
            let best = newest.entry(entry.stem()).or_insert(made);
            *best = (*best).max(made);
        }
    }
    for (ix, file) in draft.facts.folder.entries.iter().enumerate() {
        let stays = draft.files[ix].verdict != Verdict::Unlink;
        if stays && matches!(file.class, Class::Transcript | Class::Archive(_)) && file.fp.size > 0 {
            newest.remove(file.stem());
        }
    }
    newest.into_values().map(|(_, file)| file).collect()
}
