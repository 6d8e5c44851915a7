//! Files: locks of dead processes and temp files of interrupted work go to the run folder, where undo finds them;
//! permissions that let others read history are narrowed when asked.

use crate::model::DAY;
use crate::model::effect::{Effect, FileRef};
use crate::model::finding::RepairId;
use crate::model::folder::{Artefact, Class};
use crate::model::probe::LockState;
use crate::model::repair::{Repair, RepairFacts, RepairPlan, Undecided};

/// Locks whose owner is proven dead (SAFETY 5). The executor looks at the file again before it takes it.
pub fn locks(facts: &RepairFacts, plan: &mut RepairPlan) {
    for (file, state) in &facts.locks {
        let entry = &facts.folder.entries[*file as usize];
        match state {
            LockState::Dead { why, .. } => stow(entry, RepairId::StaleLocks, why.clone(), plan),
            LockState::Unknown { why } => plan.undecided.push(Undecided {
                subject: entry.name.to_string_lossy().into_owned(),
                why: format!("it cannot be told whether the lock is held: {why}"),
                hint: None,
            }),
            LockState::Live { .. } => {}
        }
    }
}

/// Temp files older than a day. Beside a damaged index they may be the rescue and stay.
pub fn leftovers(facts: &RepairFacts, plan: &mut RepairPlan) {
    if facts.damage.is_some() {
        return;
    }
    let old =
        |entry: &&Artefact| entry.is_file() && entry.class == Class::Temp && facts.now - entry.fp.mtime_ms() > DAY;
    for entry in facts.folder.entries.iter().filter(old) {
        stow(entry, RepairId::Leftovers, "left by interrupted work".to_owned(), plan);
    }
}

/// `--modes`: index, transcripts, archives and sidecars that others than their owner can read or write.
pub fn modes(facts: &RepairFacts, plan: &mut RepairPlan) {
    let swaps = plan.effects.iter().any(|e| e.swap().is_some());
    let history = |entry: &&Artefact| {
        !matches!(entry.class, Class::Foreign | Class::Own | Class::Lock)
            && entry.is_file()
            && entry.fp.mode & 0o077 != 0
    };
    for entry in facts.folder.entries.iter().filter(history) {
        let subject = entry.name.to_string_lossy().into_owned();
        if entry.class == Class::Index && swaps {
            plan.undecided.push(Undecided {
                subject,
                why: "its mode can be changed once it is whole".to_owned(),
                hint: Some("clawkeep sessions repair --modes".to_owned()),
            });
            continue;
        }
        let mode = entry.fp.mode & 0o700;
        let detail = format!("mode {:04o} becomes {mode:04o}", entry.fp.mode & 0o7777);
        let effect = u32::try_from(plan.effects.len()).ok();
        plan.repairs.push(Repair { kind: RepairId::Modes, subject, detail, effect });
        let file = FileRef { name: entry.name.to_os_string(), fp: entry.fp };
        plan.effects.push(Effect::SetMode { file, mode });
    }
}

fn stow(entry: &Artefact, kind: RepairId, detail: String, plan: &mut RepairPlan) {
    let effect = u32::try_from(plan.effects.len()).ok();
    plan.repairs.push(Repair { kind, subject: entry.name.to_string_lossy().into_owned(), detail, effect });
    plan.effects.push(Effect::Stow { file: FileRef { name: entry.name.to_os_string(), fp: entry.fp } });
}
