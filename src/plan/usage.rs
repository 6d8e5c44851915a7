//! What `disk` says about a store: which class every file has once the index is known, and what the plan of the policy
//! in force would give back, now and later.

use std::collections::BTreeMap;

use crate::model::Ms;
use crate::model::decision::{Decision, Reason, Subject, Verdict};
use crate::model::facts::Facts;
use crate::model::folder::{ArchiveReason, Class, FolderFacts};
use crate::model::plan::Plan;
use crate::model::policy::Policy;
use crate::model::probe::{ProbeNeeds, Probes};
use crate::model::usage::{Headroom, Reclaim, ReclaimWhen, UsageClass};
use crate::scan::usage::class_of;

use super::draft::{Draft, index32};
use super::orphans::{self, OrphanKind};
use super::ownership::Ownership;

/// How many unowned transcripts are looked into beyond those that the policy asks about.
pub const MOST_PROBES: usize = 20_000;

/// Adds to `needs` the unowned transcripts that the policy does not ask about, so that junk and history can be told
/// apart. At most [`MOST_PROBES`]; returns how many are left out.
pub fn widen(facts: &Facts, needs: &mut ProbeNeeds) -> u64 {
    let ownership = Ownership::of(facts, &Probes::default());
    if ownership.incomplete {
        return 0;
    }
    let asked: std::collections::HashSet<u32> = needs.orphans.iter().copied().collect();
    let transcripts =
        facts.folder.entries.iter().enumerate().filter(|(_, f)| f.is_file() && f.class == Class::Transcript);
    let mut more: Vec<u32> = transcripts
        .map(|(ix, _)| index32(ix))
        .filter(|ix| !asked.contains(ix) && ownership.links(*ix).is_empty())
        .collect();
    let left_out = more.len().saturating_sub(MOST_PROBES) as u64;
    more.truncate(MOST_PROBES);
    needs.orphans.extend(more);
    left_out
}

/// Class of every entry of the folder, index and probes considered.
pub fn classes(facts: &Facts, probes: &Probes, policy: &Policy, now: Ms) -> Vec<UsageClass> {
    let draft = Draft::new(facts, probes, policy, now);
    let entries = facts.folder.entries.iter().enumerate();
    entries
        .map(|(ix, file)| {
            if file.class == Class::Transcript && file.is_file() {
                transcript(&draft, index32(ix))
            } else {
                class_of(file.class)
            }
        })
        .collect()
}

fn transcript(draft: &Draft<'_>, file: u32) -> UsageClass {
    if draft.is_owned(file) || draft.ownership.is_predecessor(file) {
        return UsageClass::Live;
    }
    if draft.ownership.incomplete {
        return UsageClass::Transcript;
    }
    match orphans::kind(draft, file) {
        Some(OrphanKind::Junk | OrphanKind::Empty) => UsageClass::OrphanJunk,
        Some(OrphanKind::History) => UsageClass::OrphanHistory,
        // Too many to look into: what is not known counts as history. Looked into and not proven: not a session's.
        None if draft.probes.orphans.contains_key(&file) => UsageClass::Other,
        None => UsageClass::OrphanHistory,
    }
}

/// Class of every entry by its name alone, for a folder whose index cannot be used.
pub fn classes_by_name(folder: &FolderFacts) -> Vec<UsageClass> {
    folder.entries.iter().map(|file| class_of(file.class)).collect()
}

/// Bytes that a budget counts, and the budget.
pub fn headroom(folder: &FolderFacts, policy: &Policy) -> Headroom {
    let counted = folder.entries.iter().filter(|f| f.is_file() && f.class != Class::Migrated);
    let limits = policy.max_disk.value.at().zip(policy.high_water.value.at());
    Headroom { used: counted.map(|f| f.fp.size).sum(), limits }
}

/// What the plan gives back, and what the rules will take once it is old enough; one line for each reason and class.
pub fn reclaim(plan: &Plan, folder: &FolderFacts, classes: &[UsageClass], policy: &Policy) -> Vec<Reclaim> {
    let mut lines: BTreeMap<(ReclaimWhen, Option<UsageClass>, Reason), Reclaim> = BTreeMap::new();
    for decision in &plan.decisions {
        let Some(when) = when(decision) else { continue };
        let (class, rule) = match decision.subject {
            Subject::Row(_) => (None, row_rule(decision, policy)),
            Subject::File(ix) => {
                let entry = &folder.entries[ix as usize];
                (Some(classes[ix as usize]), file_rule(decision, entry.class, policy))
            }
        };
        let line = lines.entry((when, class, decision.reason)).or_insert(Reclaim {
            when,
            class,
            reason: decision.reason,
            rule,
            count: 0,
            bytes: 0,
            first_at: None,
        });
        line.count += 1;
        line.bytes += decision.bytes;
        if when == ReclaimWhen::WhenOld {
            line.first_at = line.first_at.min(decision.goes_at).or(decision.goes_at);
        }
    }
    lines.into_values().collect()
}

fn when(decision: &Decision) -> Option<ReclaimWhen> {
    match decision.verdict {
        Verdict::Drop | Verdict::Unlink => Some(ReclaimWhen::Now),
        Verdict::Archive | Verdict::Stow => Some(ReclaimWhen::AfterRetention),
        Verdict::Keep | Verdict::Hold => decision.goes_at.map(|_| ReclaimWhen::WhenOld),
    }
}

/// Key behind a decision about a row that stays for now: the reason names why it stays, not what will take it.
fn row_rule(decision: &Decision, policy: &Policy) -> &'static str {
    if decision.verdict.acts() || !decision.reason.rule().is_empty() {
        decision.reason.rule()
    } else {
        policy.prune_after.key
    }
}

/// Key of the limit that governs a file.
fn file_rule(decision: &Decision, class: Class, policy: &Policy) -> &'static str {
    match (decision.reason, class) {
        (Reason::WithinRetention, Class::Archive(ArchiveReason::Deleted)) => policy.deleted_retention.key,
        (Reason::WithinRetention, Class::Archive(ArchiveReason::Reset)) => policy.reset_retention.key,
        (Reason::WithinRetention, _) => policy.prune_after.key,
        (reason, _) => reason.rule(),
    }
}
