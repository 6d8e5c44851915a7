//! From decisions to effects.

use crate::model::Ms;
use crate::model::decision::{Decision, Finality, Reason, Verdict};
use crate::model::effect::{Effect, FileRef, NewName, SwapIndex};
use crate::model::facts::Facts;
use crate::model::plan::PlannedEffect;
use crate::model::policy::Policy;
use crate::units::time;

use super::draft::index32;

/// The effects that carry out `rows` and `files` (decisions in folder order; `files` come after `rows` in the plan).
pub fn of(facts: &Facts, policy: &Policy, rows: &[Decision], files: &[Decision], now: Ms) -> Vec<PlannedEffect> {
    let acts = |d: &&Decision| !matches!(d.verdict, Verdict::Keep | Verdict::Hold | Verdict::Drop);
    let mut effects = Vec::with_capacity(1 + files.iter().filter(acts).count());
    let dropped: Vec<u32> =
        rows.iter().enumerate().filter(|(_, d)| d.verdict == Verdict::Drop).map(|(ix, _)| index32(ix)).collect();
    if !dropped.is_empty() {
        let drop = crate::store::write::with_duplicates(&facts.index, &dropped);
        let swap = SwapIndex { path: facts.index.path.clone(), fp: facts.index.fp, drop, insert: Vec::new() };
        effects.push(PlannedEffect { decision: None, effect: Effect::SwapIndex(swap) });
    }
    for (ix, decision) in files.iter().enumerate() {
        if let Some(effect) = file_effect(facts, policy, ix, decision, now) {
            effects.push(PlannedEffect { decision: Some(index32(rows.len() + ix)), effect });
        }
    }
    effects
}

fn file_effect(facts: &Facts, policy: &Policy, ix: usize, decision: &Decision, now: Ms) -> Option<Effect> {
    let entry = &facts.folder.entries[ix];
    let file = FileRef { name: entry.name.clone().into(), fp: entry.fp };
    match decision.verdict {
        Verdict::Keep | Verdict::Hold | Verdict::Drop => None,
        Verdict::Archive => Some(Effect::Move { file, to: NewName::Deleted(now) }),
        Verdict::Stow => Some(Effect::Stow { file }),
        Verdict::Unlink => {
            let already_final = is_already_final(decision.reason);
            match &policy.archive_to {
                Some(dest) if decision.finality == Finality::Packed => {
                    Some(Effect::PackThenUnlink { file, dest: dest.value.clone(), already_final })
                }
                _ => Some(Effect::Unlink { file, already_final }),
            }
        }
    }
}

/// What policy had made final before this pass looked at anything else (SAFETY 2, phase 0).
fn is_already_final(reason: Reason) -> bool {
    matches!(reason, Reason::DeletedExpired | Reason::ResetExpired | Reason::TempLeftover | Reason::RepairBackupExpired)
}

/// Longest name of a file, in bytes, on every file system we know.
const NAME_MAX: usize = 255;

/// Whether a file could not be renamed to its archive.
pub fn name_too_long(name: &std::ffi::OsStr) -> bool {
    name.len() + ".deleted.".len() + time::STAMP_LENGTH > NAME_MAX
}
