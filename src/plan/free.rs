//! `disk free`: make room, taking only what policy allows, what is final already first.
//!
//! An archive within its retention is a promise that it can still come back: it goes only when that is asked for, last of
//! all. What could be gained that way is counted.
//!
//! Works on the decisions of an ordinary plan in which no row may change. Every file that may go is an *offer* in one
//! tier; tiers go in order, oldest first within each over all stores, until the goal is met. What is taken is unlinked
//! for good in the phase that needs no byte, so this works on a full disk. Old transcripts that hold what a user wrote
//! are not taken: a rename frees nothing. They are counted as what a cleanup gives back later.
//!
//! # What is never offered
//! Rows and their files; whatever the plan keeps for another reason than a retention that still runs; archives whose
//! retention is switched off; anything that frees no byte because a name of somebody else leads to it.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;

use crate::model::Ms;
use crate::model::decision::{Decision, Finality, Reason, Subject, Verdict};
use crate::model::effect::{Effect, FileRef};
use crate::model::facts::Facts;
use crate::model::folder::{ArchiveReason, Artefact, Class};
use crate::model::kept::{Kept, KeptSnapshot};
use crate::model::plan::{Plan, PlannedEffect};
use crate::model::policy::Policy;
use crate::model::probe::Probes;
use crate::model::sourced::Limit;
use crate::order::Order as _;

use super::decide;
use super::draft::{index32, packable};

/// How much room is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// Free this many bytes.
    Need(u64),
    /// Go on until this many bytes of the volume are free.
    KeepFree(u64),
    /// Go on until this share of the volume is free, in percent.
    KeepFreePercent(u64),
}

impl Goal {
    /// Bytes to free on a volume with `free` of `total` bytes left; `None` if the goal needs a figure that is not
    /// known.
    pub fn bytes(self, free: Option<u64>, total: Option<u64>) -> Option<u64> {
        match self {
            Self::Need(bytes) => Some(bytes),
            Self::KeepFree(wanted) => free.map(|free| wanted.saturating_sub(free)),
            Self::KeepFreePercent(percent) => {
                // Percent first of hundredths, then of the rest: no overflow, nothing lost.
                let wanted = total? / 100 * percent + (total? % 100 * percent).div_ceil(100);
                free.map(|free| wanted.saturating_sub(free))
            }
        }
    }
}

/// Kinds of victims, in the order in which they go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tier {
    /// Run folders of ours: what `sessions undo` would need.
    Undo,
    /// Index snapshots of ours, except the newest good one of each index.
    Snapshot,
    /// Archives past their retention.
    ExpiredArchive,
    /// Temp files of interrupted writes.
    Temp,
    /// Superseded copies of the gateway's transcript repair.
    RepairBackup,
    /// What our repairs kept of damaged indexes, past the retention of archives, except the newest of each index.
    DamagedIndex,
    /// Old unowned transcripts without a message of a user.
    OrphanJunk,
    /// Old unowned checkpoints and trajectories.
    OrphanSidecar,
    /// Archives whose retention still runs.
    Archive,
}

/// What about archives whose retention still runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Archives {
    /// They stay.
    Keep,
    /// They go after everything else.
    Take,
}

impl Tier {
    /// Every tier, in order.
    pub const ALL: [Self; 9] = [
        Self::Undo,
        Self::Snapshot,
        Self::ExpiredArchive,
        Self::Temp,
        Self::RepairBackup,
        Self::DamagedIndex,
        Self::OrphanJunk,
        Self::OrphanSidecar,
        Self::Archive,
    ];

    /// Stable id, as used in JSON.
    pub fn id(self) -> &'static str {
        match self {
            Self::Undo => "undo",
            Self::Snapshot => "snapshot",
            Self::ExpiredArchive => "expired-archive",
            Self::Temp => "temp",
            Self::RepairBackup => "repair-backup",
            Self::DamagedIndex => "damaged-index",
            Self::Archive => "archive",
            Self::OrphanJunk => "orphan-junk",
            Self::OrphanSidecar => "orphan-sidecar",
        }
    }

    /// What it is, for people.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Undo => "undo data of earlier runs",
            Self::Snapshot => "older index snapshots",
            Self::ExpiredArchive => "archives past their retention",
            Self::Temp => "leftover temp files",
            Self::RepairBackup => "superseded repair backups",
            Self::DamagedIndex => "older damaged indexes that a repair kept",
            Self::Archive => "archives within their retention",
            Self::OrphanJunk => "orphans without a user message",
            Self::OrphanSidecar => "orphaned checkpoints and trajectories",
        }
    }
}

/// What may be taken.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Take {
    /// A run folder.
    Run(String),
    /// An index snapshot.
    Snapshot(OsString),
    /// An entry of the folder.
    File(u32),
}

/// Something that may be taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// Kind.
    pub tier: Tier,
    /// Its age counts from here.
    pub at: Ms,
    /// What.
    pub take: Take,
    /// Bytes the volume gains.
    pub bytes: u64,
}

/// Files that stay, by reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InTheWay {
    /// Why they stay.
    pub reason: Reason,
    /// Files.
    pub files: u64,
    /// Allocated bytes.
    pub bytes: u64,
}

/// Everything a store has to offer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Offers {
    /// In the order in which they are taken.
    pub offers: Vec<Offer>,
    /// Bytes a cleanup renames; they come back when the archives expire.
    pub later: u64,
    /// Archives that stay because their retention still runs, and could go.
    pub held_archives: u64,
    /// Bytes the volume would gain by them.
    pub held_bytes: u64,
    /// What stays, most bytes first.
    pub in_the_way: Vec<InTheWay>,
}

/// How a goal is spread over stores.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Share {
    /// Bytes to take from each store.
    pub quotas: Vec<u64>,
    /// Bytes all of them together give.
    pub planned: u64,
    /// Bytes that are missing to the goal.
    pub missing: u64,
}

/// The plan for one store.
#[derive(Debug, Clone)]
pub struct Freeing {
    /// Unlinks in the folder.
    pub plan: Plan,
    /// Run folders to let go, oldest first.
    pub runs: Vec<String>,
    /// Index snapshots to let go, oldest first.
    pub snapshots: Vec<OsString>,
    /// What is taken, in order.
    pub taken: Vec<Offer>,
    /// Everything there was to take, and what stays.
    pub offers: Offers,
}

impl Freeing {
    /// Bytes the volume gains.
    pub fn bytes(&self) -> u64 {
        self.taken.iter().map(|o| o.bytes).sum()
    }

    /// Whether carrying it out changes anything.
    pub fn would_mutate(&self) -> bool {
        !self.taken.is_empty()
    }
}

/// The policy under which room is made: as configured, but no row may change and the budget is not in force.
#[must_use]
pub fn policy(base: &Policy) -> Policy {
    let mut policy = base.clone();
    policy.files_only = true;
    policy.max_disk.value = Limit::Off;
    policy.high_water.value = Limit::Off;
    policy
}

/// The policy of `--to-budget`: rows and files go by the budget alone, down to its high-water mark, even if the folder
/// is below the budget itself. `None` if no budget is set.
pub fn budget_policy(base: &Policy) -> Option<Policy> {
    let mark = base.max_disk.value.at().and(base.high_water.value.at())?;
    let mut policy = base.clone();
    policy.max_disk.value = Limit::At(mark);
    policy.prune_after.value = Limit::Off;
    policy.max_entries.value = Limit::Off;
    policy.cron_retention.value = Limit::Off;
    policy.fix_missing = false;
    policy.fix_dm_scope = false;
    Some(policy)
}

/// What a store has to offer, given its plan under [`policy`].
pub fn offers(facts: &Facts, plan: &Plan, kept: &Kept, policy: &Policy, archives: Archives) -> Offers {
    let doubted = plan.suspicion.is_some() && !policy.override_suspect;
    let mut out = Offers { offers: own_offers(kept), ..Offers::default() };
    let newest_damaged = newest_damaged(&facts.folder.entries);
    let mut in_the_way: BTreeMap<Reason, InTheWay> = BTreeMap::new();
    for decision in &plan.decisions {
        let Subject::File(ix) = decision.subject else { continue };
        let file = &facts.folder.entries[ix as usize];
        if !file.is_file() {
            continue;
        }
        let bytes = gain(file, kept);
        let stays = doubted || decision.reason != Reason::BackupKept || newest_damaged.contains(&ix);
        let mut tier = match file.class {
            Class::Damaged => (!stays && is_past(file, policy, plan.now)).then_some(Tier::DamagedIndex),
            _ => tier(file, decision, policy, plan.now, doubted),
        };
        if tier == Some(Tier::Archive) && archives == Archives::Keep {
            tier = None;
            out.held_archives += u64::from(bytes > 0);
            out.held_bytes += bytes;
        }
        match tier {
            Some(tier) if bytes > 0 => {
                let at = file.stamp.unwrap_or_else(|| file.fp.mtime_ms());
                out.offers.push(Offer { tier, at, take: Take::File(ix), bytes });
            }
            Some(_) => {}
            None if decision.verdict == Verdict::Archive => out.later += bytes,
            None => {
                let line = in_the_way.entry(decision.reason).or_insert(InTheWay {
                    reason: decision.reason,
                    files: 0,
                    bytes: 0,
                });
                line.files += 1;
                line.bytes += file.fp.allocated();
            }
        }
    }
    out.offers.order_by(|a, b| (a.tier, a.at, &a.take).cmp(&(b.tier, b.at, &b.take)));
    out.in_the_way = in_the_way.into_values().collect();
    out.in_the_way.order_by_key(|line| std::cmp::Reverse(line.bytes));
    out
}

/// Run folders that are closed, and snapshots except those that stay whatever is wanted.
fn own_offers(kept: &Kept) -> Vec<Offer> {
    let runs = kept.runs.iter().filter(|run| run.closed).map(|run| Offer {
        tier: Tier::Undo,
        at: run.at,
        take: Take::Run(run.id.clone()),
        bytes: run.frees,
    });
    let marks: Vec<(&str, bool)> = kept.snapshots.iter().map(|s| (s.store.as_str(), s.suspect)).collect();
    let stay = KeptSnapshot::stay(&marks);
    let snapshots = kept.snapshots.iter().zip(stay).filter(|(_, stays)| !stays).map(|(s, _)| Offer {
        tier: Tier::Snapshot,
        at: s.at,
        take: Take::Snapshot(s.name.clone()),
        bytes: s.frees,
    });
    runs.chain(snapshots).filter(|offer| offer.bytes > 0).collect()
}

/// Bytes the volume gains when the name goes; our own links go with it, other names keep the bytes.
fn gain(file: &Artefact, kept: &Kept) -> u64 {
    let ours = kept.links.get(&(file.fp.dev, file.fp.ino)).copied().unwrap_or(0);
    if file.fp.nlink > 1 + ours { 0 } else { file.fp.allocated() }
}

/// Of what repairs kept of each index: the last one.
fn newest_damaged(entries: &[Artefact]) -> BTreeSet<u32> {
    let mut newest: BTreeMap<&str, (Option<Ms>, u32)> = BTreeMap::new();
    for (ix, file) in (0..).zip(entries).filter(|(_, file)| file.class == Class::Damaged) {
        let Some((index, _)) = file.name.to_str().and_then(|name| name.rsplit_once(".damaged.")) else { continue };
        let best = newest.entry(index).or_insert((file.stamp, ix));
        *best = (*best).max((file.stamp, ix));
    }
    newest.into_values().map(|(_, ix)| ix).collect()
}

/// Whether the retention of archives is over for it.
fn is_past(file: &Artefact, policy: &Policy, now: Ms) -> bool {
    match (policy.deleted_retention.value, file.stamp) {
        (Limit::At(limit), Some(stamp)) => now - stamp > limit.max(policy.grace.value),
        _ => false,
    }
}

fn tier(file: &Artefact, decision: &Decision, policy: &Policy, now: Ms, doubted: bool) -> Option<Tier> {
    match (decision.verdict, decision.reason) {
        (Verdict::Unlink, Reason::DeletedExpired | Reason::ResetExpired) => Some(Tier::ExpiredArchive),
        (Verdict::Unlink, Reason::TempLeftover) => Some(Tier::Temp),
        (Verdict::Unlink, Reason::RepairBackupExpired) => Some(Tier::RepairBackup),
        (Verdict::Unlink, Reason::OrphanCheckpoint | Reason::OrphanTrajectory) => Some(Tier::OrphanSidecar),
        (Verdict::Unlink | Verdict::Archive, Reason::OrphanJunk | Reason::OrphanEmpty) => Some(Tier::OrphanJunk),
        (Verdict::Keep, Reason::WithinRetention) if !doubted => {
            let archive = matches!(file.class, Class::Archive(ArchiveReason::Deleted | ArchiveReason::Reset));
            // A stamp in the future is no proof of age.
            let old = file.stamp.is_some_and(|stamp| now - stamp >= policy.grace.value.max(0));
            (archive && old).then_some(Tier::Archive)
        }
        _ => None,
    }
}

/// Spreads `goal` over stores: tier by tier, oldest first over all of them.
pub fn share(stores: &[&Offers], goal: u64) -> Share {
    let mut all: Vec<(&Offer, usize)> =
        stores.iter().enumerate().flat_map(|(store, o)| o.offers.iter().map(move |offer| (offer, store))).collect();
    all.order_by(|(a, s), (b, t)| (a.tier, a.at, s, &a.take).cmp(&(b.tier, b.at, t, &b.take)));
    let mut share = Share { quotas: vec![0; stores.len()], planned: 0, missing: 0 };
    for (offer, store) in all {
        if share.planned >= goal {
            break;
        }
        share.quotas[store] += offer.bytes;
        share.planned += offer.bytes;
    }
    share.missing = goal.saturating_sub(share.planned);
    share
}

/// Plans to free `quota` bytes of one store. `policy` is one made by [`policy`].
pub fn plan(
    facts: &Facts,
    probes: &Probes,
    policy: &Policy,
    kept: &Kept,
    archives: Archives,
    quota: u64,
    now: Ms,
) -> Freeing {
    let base = decide::decide(facts, probes, policy, now);
    let offers = offers(facts, &base, kept, policy, archives);
    let mut freed = 0;
    let mut taken = Vec::new();
    for offer in &offers.offers {
        if freed >= quota {
            break;
        }
        freed += offer.bytes;
        taken.push(offer.clone());
    }
    narrow(facts, policy, base, offers, taken)
}

/// Reduces a plan to what is taken.
fn narrow(facts: &Facts, policy: &Policy, mut plan: Plan, offers: Offers, taken: Vec<Offer>) -> Freeing {
    let rows = plan.decisions.len() - facts.folder.entries.len();
    for decision in plan.decisions.iter_mut().filter(|d| d.verdict.acts()) {
        decision.verdict = Verdict::Keep;
        decision.reason = Reason::NotNeeded;
        decision.finality = Finality::None;
    }
    plan.effects.clear();
    let (mut runs, mut snapshots) = (Vec::new(), Vec::new());
    for offer in &taken {
        match &offer.take {
            Take::Run(id) => runs.push(id.clone()),
            Take::Snapshot(name) => snapshots.push(name.clone()),
            Take::File(ix) => {
                let file = &facts.folder.entries[*ix as usize];
                let at = rows + *ix as usize;
                let packed = policy.archive_to.as_ref().filter(|_| packable(file));
                let decision = &mut plan.decisions[at];
                decision.verdict = Verdict::Unlink;
                decision.reason = Reason::RoomWanted;
                decision.finality = if packed.is_some() { Finality::Packed } else { Finality::Final };
                decision.goes_at = None;
                let file = FileRef { name: file.name.clone().into(), fp: file.fp };
                let effect = match packed {
                    Some(dest) => Effect::PackThenUnlink { file, dest: dest.value.clone(), already_final: true },
                    None => Effect::Unlink { file, already_final: true },
                };
                plan.effects.push(PlannedEffect { decision: Some(index32(at)), effect });
            }
        }
    }
    Freeing { plan, runs, snapshots, taken, offers }
}

#[cfg(test)]
#[path = "free_tests.rs"]
mod tests;
