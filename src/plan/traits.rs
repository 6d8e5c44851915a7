//! What every policy asks about a row, worked out once.

use std::collections::HashMap;

use crate::model::decision::Reason;
use crate::model::facts::Facts;
use crate::model::folder::{Artefact, Class};
use crate::model::index::{Row, TimeField, Via};
use crate::model::policy::{Policy, RUNNING_BELIEVED};
use crate::model::probe::{OutsideState, Probes};
use crate::model::{MINUTE, Ms};
use crate::units::glob;

use super::effects;
use super::keys::{self, Standing};
use super::ownership::Ownership;

/// A time further ahead than this is not a clock that is slightly off but a wrong value.
const FUTURE_TOLERANCE: Ms = 5 * MINUTE;

/// The age of a row, as far as it can be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Age {
    /// `updatedAt` is not there: no age rule applies, the cap and the budget take it first.
    Unknown,
    /// `updatedAt` is not believable: nothing takes the row.
    Suspect,
    /// `updatedAt` in epoch ms.
    At(Ms),
}

/// Facts about one row that do not depend on what was decided for others.
#[derive(Debug, Clone, Copy)]
pub struct RowTraits {
    /// Conversation kind.
    pub standing: Standing,
    /// Age.
    pub age: Age,
    /// Named by `--active-key`.
    pub active: bool,
    /// Matches a keep pattern.
    pub kept: bool,
    /// What holds the row back from every policy, if anything does.
    pub held: Option<Reason>,
    /// Says `running`, but for longer than is believed.
    pub stuck_run: bool,
}

impl RowTraits {
    /// Why age, cap and budget may not take the row. Nothing is held back where no rule wants the row anyway: a lock on
    /// a protected row is nobody's business.
    pub fn shield(&self) -> Option<Reason> {
        let lasting = match self.standing {
            Standing::Main => Some(Reason::MainSession),
            Standing::Protected => Some(Reason::Protected),
            _ => None,
        };
        match self.shield_from_cron() {
            Some(held) if held.is_a_hold() => lasting.or(Some(held)),
            shield => shield.or(lasting),
        }
    }

    /// Why `--fix-dm-scope` may not take the row.
    pub fn shield_from_dm_scope(&self) -> Option<Reason> {
        self.shield_from_missing().or((self.standing == Standing::Main).then_some(Reason::MainSession))
    }

    /// Why cron retention may not take the row.
    pub fn shield_from_cron(&self) -> Option<Reason> {
        self.shield_from_missing().or((self.age == Age::Suspect).then_some(Reason::SuspectTime))
    }

    /// Why `--fix-missing` may not take the row.
    pub fn shield_from_missing(&self) -> Option<Reason> {
        match self.held {
            Some(held) if held.is_a_hold() => self.user_shield().or(Some(held)),
            held => held.or(self.user_shield()),
        }
    }

    fn user_shield(&self) -> Option<Reason> {
        if self.active {
            Some(Reason::ActiveKey)
        } else if self.kept {
            Some(Reason::KeepPattern)
        } else {
            None
        }
    }
}

/// Traits of every row of the index.
pub fn of_rows(facts: &Facts, probes: &Probes, policy: &Policy, ownership: &Ownership, now: Ms) -> Vec<RowTraits> {
    let locks = held_transcripts(facts, probes);
    let view = View { facts, probes, policy, ownership, locks, now };
    facts.index.rows.iter().enumerate().map(|(ix, row)| view.row(ix, row)).collect()
}

/// Names of transcripts that a lock holds, with the reason to print.
pub fn held_transcripts<'a>(facts: &'a Facts, probes: &Probes) -> HashMap<&'a [u8], Reason> {
    use crate::model::probe::LockState;
    probes
        .locks
        .iter()
        .filter(|(_, state)| state.holds())
        .map(|(entry, state)| {
            let lock: &Artefact = &facts.folder.entries[*entry as usize];
            let name = lock.name.as_encoded_bytes();
            let reason = if matches!(state, LockState::Live { .. }) { Reason::LiveLock } else { Reason::UnknownLock };
            (name.strip_suffix(b".lock").unwrap_or(name), reason)
        })
        .collect()
}

struct View<'a> {
    facts: &'a Facts,
    probes: &'a Probes,
    policy: &'a Policy,
    ownership: &'a Ownership,
    locks: HashMap<&'a [u8], Reason>,
    now: Ms,
}

impl View<'_> {
    fn row(&self, ix: usize, row: &Row) -> RowTraits {
        let ix = u32::try_from(ix).unwrap_or(u32::MAX);
        let buf = &self.facts.index.bytes;
        let key = row.key.get(buf);
        let chat_type = row.chat_type.map(|t| t.get(buf));
        let age = self.age(row);
        let newest = self.newest(ix, row);
        let says_running = row.status.is_some_and(|s| s.get(buf) == "running");
        let running = says_running && newest.is_some_and(|t| self.now - t < RUNNING_BELIEVED);
        let held = if row.odd.is_some() {
            Some(Reason::OddRow)
        } else if let Some(reason) = self.lock_on(ix, row) {
            Some(reason)
        } else if newest.is_some_and(|t| self.now - t < self.policy.grace.value) {
            Some(if age == Age::Suspect { Reason::SuspectTime } else { Reason::Young })
        } else if running {
            Some(Reason::Running)
        } else if self.cannot_be_renamed(ix) {
            Some(Reason::NameTooLong)
        } else if self.probes.outside.get(&ix) == Some(&OutsideState::Below) {
            Some(Reason::BelowFolder)
        } else {
            None
        };
        RowTraits {
            standing: keys::standing(&key, chat_type.as_deref(), &self.policy.main_key),
            age,
            active: !self.policy.active_keys.is_empty() && self.policy.active_keys.contains(&key.trim().to_lowercase()),
            kept: self.policy.keep.iter().any(|p| glob::matches(&p.value, &key)),
            held,
            stuck_run: says_running && !running,
        }
    }

    fn age(&self, row: &Row) -> Age {
        match row.updated_at {
            TimeField::Missing => Age::Unknown,
            TimeField::Suspect => Age::Suspect,
            TimeField::Ms(at) if at > self.now + FUTURE_TOLERANCE => Age::Suspect,
            TimeField::Ms(at) => Age::At(at),
        }
    }

    /// The newest sign of life: times of the row and of its transcripts.
    fn newest(&self, ix: u32, row: &Row) -> Option<Ms> {
        let times = [row.updated_at, row.last_interaction_at, row.session_started_at];
        let transcripts = self.ownership.files_of(ix).filter_map(|link| {
            let file = &self.facts.folder.entries[link.file as usize];
            (file.class == Class::Transcript && file.is_file()).then(|| file.fp.mtime_ms())
        });
        times.into_iter().filter_map(TimeField::ms).chain(transcripts).max()
    }

    /// A row whose transcript cannot become an archive stays: without it the transcript would be an orphan that stays
    /// too, and nobody would know whose it is.
    fn cannot_be_renamed(&self, ix: u32) -> bool {
        self.ownership.files_of(ix).any(|link| {
            let file = &self.facts.folder.entries[link.file as usize];
            file.class == Class::Transcript
                && matches!(link.via, Via::SessionFile | Via::SessionId)
                && effects::name_too_long(&file.name)
        })
    }

    /// A lock on any transcript the row leads to, also on one that does not exist yet.
    fn lock_on(&self, ix: u32, row: &Row) -> Option<Reason> {
        if self.locks.is_empty() {
            return None;
        }
        let buf = &self.facts.index.bytes;
        let by_id = row.session_id.map(|id| format!("{}.jsonl", id.get(buf)));
        let by_path = row.session_file.map(|path| path.get(buf).into_owned());
        let named = by_path.as_deref().and_then(|p| p.rsplit(['/', '\\']).next());
        let direct = by_id.as_deref().into_iter().chain(named).find_map(|n| self.locks.get(n.as_bytes()));
        direct.copied().or_else(|| {
            self.ownership.files_of(ix).find_map(|link| {
                let name = self.facts.folder.entries[link.file as usize].name.as_encoded_bytes();
                self.locks.get(name).copied()
            })
        })
    }
}
