//! Both vocabularies of a cleanup, the gateway's and ours, derived in one place from decisions and outcomes.
//!
//! A plan that was not executed counts what it would do; an executed one counts only what was done. The gateway's
//! names keep their meaning: `removedFiles` left the live names, `freedBytes` were unlinked, `overBudget` was true at
//! the start.

use std::collections::BTreeMap;

use super::input::StoreReport;
use super::items::{Fate, Fates};
use crate::model::Ms;
use crate::model::decision::{Decision, Finality, Reason, Subject, Verdict};
use crate::model::folder::{Artefact, Class};
use crate::model::plan::Plan;

/// Rows, files and bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Count {
    /// Rows.
    pub rows: u64,
    /// Files.
    pub files: u64,
    /// Bytes of the files.
    pub bytes: u64,
}

impl Count {
    fn add(&mut self, d: &Decision) {
        match d.subject {
            Subject::Row(_) => self.rows += 1,
            Subject::File(_) => {
                self.files += 1;
                self.bytes += d.bytes;
            }
        }
    }
}

/// Disk budget in the gateway's words, and what our renames add to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// Bytes at the start.
    pub before: u64,
    /// Bytes after, less what this pass renamed to archives.
    pub after: u64,
    /// Bytes renamed by this pass.
    pub pending: u64,
    /// Files the budget took.
    pub removed_files: u64,
    /// Rows the budget took.
    pub removed_rows: u64,
    /// Bytes the budget took.
    pub freed: u64,
    /// The limit.
    pub max: u64,
    /// The mark.
    pub high_water: u64,
}

impl Budget {
    /// Over the limit at the start.
    pub fn over_before(&self) -> bool {
        self.before > self.max
    }

    /// Whether the files on disk, renamed ones included, are still over the limit.
    pub fn over_after(&self) -> bool {
        self.after + self.pending > self.max
    }

    /// Bytes above the mark that no rule may take.
    pub fn shortfall(&self) -> u64 {
        if self.over_before() { self.after.saturating_sub(self.high_water) } else { 0 }
    }
}

/// Something that kept a limit from being met.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HeldBy {
    /// `same-pass-archives`, or the id of a [`Reason`].
    pub reason: &'static str,
    /// What it concerns.
    #[serde(flatten)]
    pub count: Count,
    /// How long after this pass it ends by itself, in ms, if it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retention_ms: Option<Ms>,
    /// Of files that are not ours, the largest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub largest: Option<LargestFile>,
}

impl HeldBy {
    fn new(reason: &'static str, count: Count) -> Self {
        Self { reason, count, retention_ms: None, largest: None }
    }
}

/// A file that is named because of its size.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct LargestFile {
    /// Its name in the folder.
    pub name: String,
    /// Its size.
    pub bytes: u64,
}

/// Every number of a report.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// Rows before anything.
    pub before: u64,
    /// Rows after.
    pub after: u64,
    /// Rows without a transcript.
    pub missing: u64,
    /// Rows of a former direct-message scope.
    pub dm_scope: u64,
    /// Rows past the age limit.
    pub stale: u64,
    /// Rows beyond the highest number.
    pub capped: u64,
    /// Rows of cron runs and of cron jobs that are gone.
    pub cron: u64,
    /// Regular files seen.
    pub scanned_files: u64,
    /// Unowned transcripts, checkpoints and trajectories that left the live names by age.
    pub orphan_files: u64,
    /// Bytes of those that were unlinked.
    pub orphan_freed: u64,
    /// Files renamed to archive names.
    pub archived: Count,
    /// Files kept in the run folder only.
    pub stowed: Count,
    /// Files unlinked.
    pub unlinked: Count,
    /// Of those, files that were to be renamed and for which the disk was too full.
    pub for_space: Count,
    /// Archives unlinked because their retention ended.
    pub expired: Count,
    /// Temp leftovers removed.
    pub temp: Count,
    /// Bytes free now.
    pub freed_now: u64,
    /// Bytes that become free when archives and run folders end.
    pub freed_later: u64,
    /// What stays, by reason.
    pub kept: BTreeMap<&'static str, Count>,
    /// What a policy wanted and something holds back, by reason.
    pub held: BTreeMap<&'static str, Count>,
    /// Decisions that were not carried out although the plan was executed.
    pub undone: u64,
    /// Of those, the failed ones.
    pub failed: u64,
    /// Disk budget, if there is one.
    pub budget: Option<Budget>,
    /// What kept a limit from being met.
    pub held_by: Vec<HeldBy>,
}

impl Tally {
    /// Numbers of a store that was planned; all zero for one that was not.
    pub fn of(store: &StoreReport) -> Self {
        let Some(plan) = store.plan else { return Self::default() };
        let mut t = Self { before: plan.rows_before, after: plan.rows_before, ..Self::default() };
        if let Some(facts) = store.facts {
            t.scanned_files =
                facts.folder.entries.iter().filter(|e| e.is_file() && e.class != Class::Own).count() as u64;
        }
        t.budget = plan.budget.map(|b| Budget {
            before: b.before,
            after: b.after,
            pending: b.pending,
            removed_files: b.removed_files,
            removed_rows: b.removed_rows,
            freed: b.freed,
            max: b.max,
            high_water: b.high_water,
        });
        let fates = Fates::new(plan, store.applied);
        for (at, d) in plan.decisions.iter().enumerate() {
            if shadowed(store, d) {
                continue;
            }
            match d.verdict {
                Verdict::Keep => t.kept.entry(d.reason.id()).or_default().add(d),
                Verdict::Hold => t.held.entry(d.reason.id()).or_default().add(d),
                _ => t.act(d, fates.of(at)),
            }
        }
        t.held_by = held_by(&t, plan, store);
        t
    }

    /// Rows and files that left.
    pub fn acted(&self) -> u64 {
        self.before - self.after + self.archived.files + self.stowed.files + self.unlinked.files
    }

    fn act(&mut self, d: &Decision, fate: Fate) {
        if !fate.counts() {
            self.undone += 1;
            self.failed += u64::from(matches!(fate, Fate::Failed(_)));
            self.take_back(d);
            return;
        }
        match d.subject {
            Subject::Row(_) => self.row_gone(d.reason),
            Subject::File(_) => self.file_gone(d, fate),
        }
    }

    fn row_gone(&mut self, reason: Reason) {
        self.after = self.after.saturating_sub(1);
        match reason {
            Reason::MissingTranscript => self.missing += 1,
            Reason::DmScope => self.dm_scope += 1,
            Reason::Stale => self.stale += 1,
            Reason::OverCap => self.capped += 1,
            Reason::CronRun | Reason::CronJobGone | Reason::CronJobDone => self.cron += 1,
            _ => {}
        }
    }

    fn file_gone(&mut self, d: &Decision, fate: Fate) {
        let verdict = fate.verdict(d.verdict);
        let freed = match (verdict, fate) {
            (Verdict::Unlink, Fate::Done { freed } | Fate::UnlinkedForSpace { freed }) => freed,
            (Verdict::Unlink, _) => d.bytes,
            _ => 0,
        };
        if let Fate::UnlinkedForSpace { .. } = fate {
            self.for_space.add(d);
            if let Some(b) = &mut self.budget {
                b.pending = b.pending.saturating_sub(d.bytes);
            }
        }
        match verdict {
            Verdict::Archive => self.archived.add(d),
            Verdict::Stow => self.stowed.add(d),
            _ => self.unlinked.add(d),
        }
        self.freed_now += freed;
        if verdict != Verdict::Unlink {
            self.freed_later += d.bytes;
        }
        match d.reason {
            r if is_aged_orphan(r) => {
                self.orphan_files += 1;
                self.orphan_freed += freed;
            }
            Reason::DeletedExpired | Reason::ResetExpired | Reason::RepairBackupExpired => self.expired.add(d),
            Reason::TempLeftover => self.temp.add(d),
            _ => {}
        }
    }

    /// A decision that the plan counted on was not carried out: its bytes are still there.
    fn take_back(&mut self, d: &Decision) {
        let Some(b) = &mut self.budget else { return };
        match d.subject {
            Subject::Row(_) if d.reason == Reason::OverBudget => b.removed_rows = b.removed_rows.saturating_sub(1),
            Subject::Row(_) => {}
            Subject::File(_) => {
                b.after += d.bytes;
                if d.verdict == Verdict::Archive {
                    b.pending = b.pending.saturating_sub(d.bytes);
                }
                if is_budget_file(d.reason) {
                    b.removed_files = b.removed_files.saturating_sub(1);
                    b.freed = b.freed.saturating_sub(d.bytes);
                }
            }
        }
    }
}

/// Whether this is a row whose key comes again later: the gateway sees one row, so one is counted.
fn shadowed(store: &StoreReport, d: &Decision) -> bool {
    match (d.subject, store.facts) {
        (Subject::Row(ix), Some(facts)) => facts.index.rows.get(ix as usize).is_some_and(|row| row.shadowed),
        _ => false,
    }
}

/// Unowned transcripts, checkpoints and trajectories that the age rule takes: the gateway's `unreferencedArtifacts`.
fn is_aged_orphan(reason: Reason) -> bool {
    matches!(
        reason,
        Reason::OrphanHistory
            | Reason::OrphanJunk
            | Reason::OrphanEmpty
            | Reason::OrphanCheckpoint
            | Reason::LastCheckpoint
            | Reason::OrphanTrajectory
    )
}

fn is_budget_file(reason: Reason) -> bool {
    matches!(reason, Reason::BudgetArchive | Reason::BudgetOrphan | Reason::BudgetPredecessor)
}

/// Reasons that keep a row from every limit.
const PROTECTIVE: &[Reason] = &[
    Reason::Protected,
    Reason::MainSession,
    Reason::ActiveKey,
    Reason::KeepPattern,
    Reason::Young,
    Reason::Running,
    Reason::SuspectTime,
    Reason::OddRow,
    Reason::BelowFolder,
];

/// What kept the budget or the cap from being met. Made from the plan alone, so that preview and deed agree.
fn held_by(t: &Tally, plan: &Plan, store: &StoreReport) -> Vec<HeldBy> {
    let mut all = Vec::new();
    let ledger = plan.budget.filter(|b| b.over_before());
    if let Some(b) = ledger
        && b.pending > 0
        && b.on_disk_after() > b.high_water
    {
        let archived = |d: &&Decision| d.verdict == Verdict::Archive && d.finality != Finality::None;
        let files = plan.decisions.iter().filter(archived).count() as u64;
        all.push(HeldBy {
            retention_ms: store.policy.deleted_retention.value.at(),
            ..HeldBy::new("same-pass-archives", Count { rows: 0, files, bytes: b.pending })
        });
    }
    if let Some(b) = ledger.filter(|b| b.shortfall() > 0 && b.foreign.bytes > 0) {
        let count = Count { rows: 0, files: b.foreign.files, bytes: b.foreign.bytes };
        let entry = |ix: u32| store.facts?.folder.entries.get(ix as usize);
        let named = |f: &Artefact| LargestFile { name: f.name.to_string_lossy().into_owned(), bytes: f.fp.size };
        all.push(HeldBy {
            largest: b.foreign.largest.and_then(entry).map(named),
            ..HeldBy::new(Reason::NotOurs.id(), count)
        });
    }
    if plan.cap_shortfall > 0 || ledger.is_some_and(|b| b.shortfall() > 0) {
        for reason in PROTECTIVE {
            if let Some(count) = t.kept.get(reason.id()) {
                all.push(HeldBy::new(reason.id(), *count));
            }
        }
    }
    all.extend(t.held.iter().map(|(reason, count)| HeldBy::new(reason, *count)));
    all
}
