//! Transcript locks whose owner is dead, or cannot be told.

use crate::model::check::CheckFacts;
use crate::model::finding::{Finding, FindingId, Place};
use crate::model::probe::LockState;

/// Reports them. A live lock is no finding.
pub fn findings(facts: &CheckFacts, found: &mut Vec<Finding>) {
    for (file, state) in &facts.probes.locks {
        let (id, why) = match state {
            LockState::Live { .. } => continue,
            LockState::Dead { why, .. } => (FindingId::StaleLock, why),
            LockState::Unknown { why } => (FindingId::UnknownLock, why),
        };
        found.push(Finding::new(id, Place::file(facts.path_of(*file)), why.clone()));
    }
}
