//! The plan while it is being made: one verdict for every row and every file.

use crate::model::Ms;
use crate::model::decision::{Decision, Finality, Reason, Subject, Verdict};
use crate::model::facts::Facts;
use crate::model::folder::{Artefact, Class};
use crate::model::policy::Policy;
use crate::model::probe::Probes;

use super::ownership::{Owner, Ownership, folder_is_proven};
use super::traits::{self, RowTraits};

/// Working state of one decision run.
pub struct Draft<'a> {
    /// What is known.
    pub facts: &'a Facts,
    /// What was looked into.
    pub probes: &'a Probes,
    /// The policy in force.
    pub policy: &'a Policy,
    /// Time of the run.
    pub now: Ms,
    /// Who leads to which file.
    pub ownership: Ownership,
    /// Traits of every row.
    pub traits: Vec<RowTraits>,
    /// Decision for every row.
    pub rows: Vec<Decision>,
    /// Decision for every file.
    pub files: Vec<Decision>,
    /// Rows in the order in which the gateway sees them.
    pub order: Vec<u32>,
    /// Transcripts held by a lock, by name.
    pub locked: std::collections::HashMap<&'a [u8], Reason>,
    /// The folder is proven to be a sessions folder.
    pub proven: bool,
    /// Unowned files and archives must stay, for this reason.
    pub files_frozen: Option<Reason>,
    /// Remarks for people.
    pub warnings: Vec<String>,
}

impl<'a> Draft<'a> {
    /// A draft in which everything stays.
    pub fn new(facts: &'a Facts, probes: &'a Probes, policy: &'a Policy, now: Ms) -> Self {
        let ownership = Ownership::of(facts, probes);
        let traits = traits::of_rows(facts, probes, policy, &ownership, now);
        let proven = folder_is_proven(facts, &ownership);
        let rows = facts
            .index
            .rows
            .iter()
            .zip(&traits)
            .enumerate()
            .map(|(ix, (row, traits))| Decision {
                subject: Subject::Row(index32(ix)),
                verdict: Verdict::Keep,
                reason: traits.shield().unwrap_or(Reason::WithinLimits),
                bytes: (row.key.span.len() + row.value.len()) as u64,
                finality: Finality::None,
                goes_at: None,
            })
            .collect();
        let files = facts
            .folder
            .entries
            .iter()
            .enumerate()
            .map(|(ix, file)| Decision {
                subject: Subject::File(index32(ix)),
                verdict: Verdict::Keep,
                reason: if file.is_file() { Reason::NotOurs } else { Reason::NotRegular },
                bytes: if file.is_file() { file.fp.size } else { 0 },
                finality: Finality::None,
                goes_at: None,
            })
            .collect();
        Self {
            facts,
            probes,
            policy,
            now,
            ownership,
            traits,
            rows,
            files,
            order: crate::store::order::js_order(&facts.index),
            locked: traits::held_transcripts(facts, probes),
            proven,
            files_frozen: None,
            warnings: Vec::new(),
        }
    }

    /// One folder entry.
    pub fn file(&self, ix: u32) -> &'a Artefact {
        &self.facts.folder.entries[ix as usize]
    }

    /// Whether a row that leaves with this pass leads to the file, or one led to it that an earlier run took: undo must be
    /// able to bring both back.
    pub fn was_owned(&self, ix: u32) -> bool {
        !self.ownership.links(ix).is_empty() || self.is_left_behind(ix)
    }

    /// Whether an earlier run took the row of the file and could not take the file.
    pub fn is_left_behind(&self, ix: u32) -> bool {
        !self.facts.left_behind.is_empty() && self.facts.left_behind.contains(&*self.file(ix).name)
    }

    /// Whether the row still stands (visible to the gateway and not dropped so far).
    pub fn stands(&self, row: u32) -> bool {
        !self.facts.index.rows[row as usize].shadowed && self.rows[row as usize].verdict != Verdict::Drop
    }

    /// Rows that still stand, in the gateway's order.
    pub fn standing_rows(&self) -> impl Iterator<Item = u32> + '_ {
        self.order.iter().copied().filter(|row| self.stands(*row))
    }

    /// Drops a row and, with it, the earlier rows of the same key that it shadows.
    pub fn drop_row(&mut self, row: u32, reason: Reason) {
        let decision = &mut self.rows[row as usize];
        decision.verdict = Verdict::Drop;
        decision.reason = reason;
        decision.finality = Finality::Reversible;
        decision.goes_at = None;
    }

    /// Marks a row that a policy wants but may not take now.
    pub fn hold_row(&mut self, row: u32, reason: Reason) {
        let decision = &mut self.rows[row as usize];
        if decision.verdict == Verdict::Keep {
            decision.verdict = Verdict::Hold;
            decision.reason = reason;
        }
    }

    /// Decides about a row that a policy wants: dropped, or kept for the reason of its shield. A live lock is a hold,
    /// because the wish remains, and so is a name that cannot be renamed.
    pub fn take_row(&mut self, row: u32, shield: Option<Reason>, reason: Reason) -> bool {
        match shield {
            None => {
                self.drop_row(row, reason);
                true
            }
            Some(held) if held.is_a_hold() => {
                self.hold_row(row, held);
                false
            }
            Some(other) => {
                self.rows[row as usize].reason = other;
                false
            }
        }
    }

    /// Decides that a file goes.
    pub fn take_file(&mut self, file: u32, verdict: Verdict, reason: Reason) {
        if verdict == Verdict::Archive && super::effects::name_too_long(&self.file(file).name) {
            let decision = &mut self.files[file as usize];
            (decision.verdict, decision.reason, decision.goes_at) = (Verdict::Hold, Reason::NameTooLong, None);
            return;
        }
        let finality = match verdict {
            Verdict::Archive => Finality::Archived,
            Verdict::Stow => Finality::Reversible,
            Verdict::Unlink if self.policy.archive_to.is_some() && packable(self.file(file)) => Finality::Packed,
            _ => Finality::Final,
        };
        let decision = &mut self.files[file as usize];
        decision.verdict = verdict;
        decision.reason = reason;
        decision.finality = finality;
        decision.goes_at = None;
    }

    /// Decides that a file stays.
    pub fn keep_file(&mut self, file: u32, reason: Reason, goes_at: Option<Ms>) {
        let decision = &mut self.files[file as usize];
        decision.reason = reason;
        decision.goes_at = goes_at;
    }

    /// Whether the file already has a verdict that changes it.
    pub fn file_acts(&self, file: u32) -> bool {
        self.files[file as usize].verdict.acts()
    }

    /// Whether anything that stays leads to the file.
    pub fn is_owned(&self, file: u32) -> bool {
        self.ownership.links(file).iter().any(|link| match link.owner {
            Owner::Member(_) => true,
            // A shadowed row still names its file; it goes only together with the row that shadows it.
            Owner::Row(row) => self.rows[row as usize].verdict != Verdict::Drop,
        })
    }

    /// Whether the transcript is held by a lock.
    pub fn lock_on(&self, file: u32) -> Option<Reason> {
        self.locked.get(self.file(file).name.as_encoded_bytes()).copied()
    }

    /// Time since a file was last written, by the clock of its file system.
    pub fn file_age(&self, file: u32) -> Ms {
        self.now + self.facts.folder.clock_skew_ms - self.file(file).fp.mtime_ms()
    }

    /// Whether the file was written within the grace window, or in the future.
    pub fn is_young(&self, file: u32) -> bool {
        self.file_age(file) < self.policy.file_grace()
    }

    /// Positions of the regular files that satisfy `wanted`.
    pub fn files_where(&self, wanted: impl Fn(Class) -> bool) -> Vec<u32> {
        let entries = self.facts.folder.entries.iter().enumerate();
        entries.filter(|(_, f)| f.is_file() && wanted(f.class)).map(|(ix, _)| index32(ix)).collect()
    }
}

/// Only history is worth packing; temp files and empty files are not.
pub fn packable(file: &Artefact) -> bool {
    file.fp.size > 0 && file.class != Class::Temp
}

/// Positions fit 32 bits: an index is below 4 GiB and a row takes more than one byte.
pub fn index32(ix: usize) -> u32 {
    u32::try_from(ix).unwrap_or(u32::MAX)
}
