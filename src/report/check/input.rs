//! What both forms of the report are made from.

use std::path::Path;

use crate::hints::Given;
use crate::model::check::CheckedStore;
use crate::model::finding::{Finding, RepairId, Severity};
use crate::model::owner::{Connect, Writer};
use crate::model::probe::LockState;
use crate::model::stores::Agent;
use crate::report::command::quote;

/// A whole check.
#[derive(Debug)]
pub struct Report<'a> {
    /// Stores, in target order.
    pub stores: &'a [CheckedStore],
    /// `--full`.
    pub full: bool,
    /// State folder that was used.
    pub state_dir: &'a Path,
    /// Agents that were not looked at.
    pub not_looked_at: &'a [Agent],
    /// What commands that are named must carry.
    pub given: &'a Given,
    /// `-v`: every finding, however many.
    pub verbose: bool,
}

impl Report<'_> {
    /// How many findings of this gravity there are.
    pub fn count(&self, severity: Severity) -> u64 {
        let all = self.stores.iter().flat_map(|s| &s.findings);
        all.filter(|f| f.severity == severity).count() as u64
    }
}

/// The command that mends a finding, for its store.
pub fn command(given: &Given, store: &CheckedStore, finding: &Finding) -> Option<String> {
    mending(&store.path, finding).map(|command| given.complete(&command))
}

/// The command that mends a finding about the store with this index.
pub fn mending(store: &Path, finding: &Finding) -> Option<String> {
    let repair = finding.repair?;
    let operand = finding.operand.as_deref().unwrap_or_default();
    let command = match repair {
        RepairId::Adopt => repair.command().replace("ID", &quote(operand)),
        RepairId::FromSnapshots if !operand.is_empty() => repair.command().replace("snapshots", &quote(operand)),
        RepairId::StripField => repair.command().replace("FIELD", &quote(operand)),
        RepairId::Transcript | RepairId::UpgradeTranscript => {
            return Some(repair.command().replace("FILE", &quote(&finding.place.path.to_string_lossy())));
        }
        _ => repair.command().to_owned(),
    };
    Some(format!("{command} --store {}", quote(&store.to_string_lossy())))
}

/// The word for who may write.
pub fn writer_word(writer: Writer) -> &'static str {
    match writer {
        Writer::Offline => "offline",
        Writer::Owns => "owns",
        Writer::Foreign => "foreign",
        Writer::Unknown => "unknown",
    }
}

/// The word for what connecting gave.
pub fn connect_word(connect: &Connect) -> &'static str {
    match connect {
        Connect::Accepted => "accepted",
        Connect::Refused => "refused",
        Connect::Unreachable(_) => "unreachable",
        Connect::TimedOut => "timed-out",
        Connect::NotTried(_) => "not-tried",
    }
}

/// The word for a lock.
pub fn lock_word(state: &LockState) -> &'static str {
    match state {
        LockState::Live { .. } => "live",
        LockState::Dead { .. } => "dead",
        LockState::Unknown { .. } => "unknown",
    }
}
