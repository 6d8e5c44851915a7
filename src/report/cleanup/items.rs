//! Decisions with what came of them.

use crate::model::decision::{Decision, Finality, Subject, Verdict};
use crate::model::facts::Facts;
use crate::model::outcome::{Applied, Outcome, Skip};
use crate::model::plan::Plan;

/// What came of a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate<'a> {
    /// Nothing was executed: the plan is all there is.
    Planned,
    /// Done.
    Done {
        /// Bytes that are gone for good.
        freed: u64,
    },
    /// Unlinked instead of renamed: the disk was too full.
    UnlinkedForSpace {
        /// Bytes that are gone for good.
        freed: u64,
    },
    /// Not done, and rightly so.
    Skipped(&'a Skip),
    /// Not done because of an error.
    Failed(&'a str),
    /// Never reached.
    NotReached,
}

impl Fate<'_> {
    /// Whether the decision counts: it was carried out, or there was nothing but a plan.
    pub fn counts(self) -> bool {
        matches!(self, Self::Planned | Self::Done { .. } | Self::UnlinkedForSpace { .. })
    }

    /// What became of a planned verdict.
    pub fn verdict(self, planned: Verdict) -> Verdict {
        if matches!(self, Self::UnlinkedForSpace { .. }) { Verdict::Unlink } else { planned }
    }

    /// What became of a planned finality.
    pub fn finality(self, planned: Finality) -> Finality {
        if matches!(self, Self::UnlinkedForSpace { .. }) { Finality::Final } else { planned }
    }

    /// The word in JSON (`outcome`); `None` for a plan.
    pub fn word(self) -> Option<&'static str> {
        match self {
            Self::Planned => None,
            Self::Done { .. } => Some("done"),
            Self::UnlinkedForSpace { .. } => Some("unlinked-for-space"),
            Self::Skipped(Skip::Changed) => Some("skipped-changed"),
            Self::Skipped(Skip::Gone) => Some("skipped-gone"),
            Self::Skipped(Skip::OwnedNow) => Some("skipped-owned-now"),
            Self::Skipped(Skip::LockedNow) => Some("skipped-locked-now"),
            Self::Skipped(Skip::OwnerNow) => Some("skipped-owner-now"),
            Self::Failed(_) => Some("failed"),
            Self::NotReached => Some("not-reached"),
        }
    }

    /// Why a decision was not carried out, or not as planned, for people.
    pub fn explain(self) -> Option<String> {
        match self {
            Self::Planned | Self::Done { .. } => None,
            Self::UnlinkedForSpace { .. } => Some("the disk was too full to rename it".to_owned()),
            Self::Skipped(skip) => Some(skip.explain().to_owned()),
            Self::Failed(text) => Some(text.to_owned()),
            Self::NotReached => Some("not reached".to_owned()),
        }
    }
}

/// Looks up the outcome of each decision.
#[derive(Debug)]
pub struct Fates<'a> {
    plan: &'a Plan,
    applied: Option<&'a Applied>,
    /// Effect of each decision, `u32::MAX` for none; empty for a plan that was not executed.
    effect_of: Vec<u32>,
    swap: Option<u32>,
}

impl<'a> Fates<'a> {
    /// Fates of a plan; `applied` is `None` if it was not executed.
    pub fn new(plan: &'a Plan, applied: Option<&'a Applied>) -> Self {
        let mut effect_of = Vec::new();
        let mut swap = None;
        if applied.is_some() {
            effect_of.resize(plan.decisions.len(), u32::MAX);
            for (at, planned) in (0u32..).zip(&plan.effects) {
                if let Some(slot) = planned.decision.and_then(|d| effect_of.get_mut(d as usize)) {
                    *slot = at;
                } else if planned.effect.swap().is_some() {
                    swap = Some(at);
                }
            }
        }
        Self { plan, applied, effect_of, swap }
    }

    /// What came of the decision at `at`. A row shares the fate of the index swap.
    pub fn of(&self, at: usize) -> Fate<'a> {
        let Some(applied) = self.applied else { return Fate::Planned };
        let own = self.effect_of.get(at).copied().filter(|e| *e != u32::MAX);
        let is_row = matches!(self.plan.decisions.get(at), Some(d) if matches!(d.subject, Subject::Row(_)));
        let effect = own.or(if is_row { self.swap } else { None });
        match effect.and_then(|e| applied.outcomes.get(e as usize)) {
            Some(Outcome::Done { freed }) => Fate::Done { freed: *freed },
            Some(Outcome::UnlinkedForSpace { freed }) => Fate::UnlinkedForSpace { freed: *freed },
            Some(Outcome::Skipped(skip)) => Fate::Skipped(skip),
            Some(Outcome::Failed(text)) => Fate::Failed(text),
            Some(Outcome::NotReached) | None => Fate::NotReached,
        }
    }

    /// Decisions that act, with their fates, in plan order.
    pub fn acting(&self) -> impl Iterator<Item = (&'a Decision, Fate<'a>)> {
        let decisions = &self.plan.decisions;
        decisions.iter().enumerate().filter(|(_, d)| d.verdict.acts()).map(|(at, d)| (d, self.of(at)))
    }

    /// Decisions that act or are held back, with their fates, in plan order.
    pub fn notable(&self) -> impl Iterator<Item = (&'a Decision, Fate<'a>)> {
        let decisions = &self.plan.decisions;
        decisions
            .iter()
            .enumerate()
            .filter(|(_, d)| d.verdict.acts() || d.verdict == Verdict::Hold)
            .map(|(at, d)| (d, if d.verdict == Verdict::Hold { Fate::Planned } else { self.of(at) }))
    }
}

/// Key of a row or name of a file, and what kind of thing it is, unescaped.
pub fn name_of(facts: &Facts, subject: Subject) -> (String, &'static str) {
    match subject {
        Subject::Row(ix) => match facts.index.rows.get(ix as usize) {
            Some(row) => {
                let key = facts.index.key(row).into_owned();
                let chat = row.chat_type.map(|t| t.get(&facts.index.bytes));
                let kind = crate::report::kind::fine(&key, chat.as_deref());
                (key, kind)
            }
            None => (format!("row {ix}"), "row"),
        },
        Subject::File(ix) => match facts.folder.entries.get(ix as usize) {
            Some(file) => (crate::report::escape::name(&file.name), class_word(file.class)),
            None => (format!("file {ix}"), "file"),
        },
    }
}

/// The word for a class of files.
pub fn class_word(class: crate::model::folder::Class) -> &'static str {
    use crate::model::folder::{ArchiveReason, Class};
    match class {
        Class::Index => "index",
        Class::Transcript => "transcript",
        Class::Checkpoint => "checkpoint",
        Class::Trajectory => "trajectory",
        Class::TrajectoryPointer => "trajectory pointer",
        Class::Archive(ArchiveReason::Deleted) => "deleted archive",
        Class::Archive(ArchiveReason::Reset) => "reset archive",
        Class::Archive(ArchiveReason::Bak) => "bak archive",
        Class::IndexBackup => "index backup",
        Class::RepairBackup => "repair backup",
        Class::DoctorBackup => "doctor backup",
        Class::Temp => "temp file",
        Class::Lock => "lock",
        Class::Damaged => "damaged index",
        Class::Migrated => "migrated file",
        Class::Own => "own folder",
        Class::Foreign => "other file",
    }
}

/// The word for a verdict, for programs.
pub fn verdict_word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Keep => "keep",
        Verdict::Hold => "hold",
        Verdict::Drop => "drop",
        Verdict::Archive => "archive",
        Verdict::Stow => "stow",
        Verdict::Unlink => "unlink",
    }
}
