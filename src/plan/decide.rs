//! The decision run: every policy in its order, then the plan.

use std::path::{Component, Path};

use crate::model::Ms;
use crate::model::decision::{Decision, Reason, Verdict};
use crate::model::facts::Facts;
use crate::model::folder::Class;
use crate::model::index::Row;
use crate::model::plan::Plan;
use crate::model::policy::Policy;
use crate::model::probe::{OutsideState, Probes};
use crate::model::stores::MemberState;

use super::draft::{Draft, index32};
use super::{
    age, archives, budget, cap, cron, dm_scope, effects, leftovers, max_remove, missing, orphans, release, suspect,
};

/// Makes the plan. Deterministic, and independent of the order in which rows and files were found.
pub fn decide(facts: &Facts, probes: &Probes, policy: &Policy, now: Ms) -> Plan {
    run(facts, probes, policy, now, false)
}

/// [`decide`] where no age rule is in force: checkpoints and trajectories leave with the rows that led to them.
pub(super) fn without_age(facts: &Facts, probes: &Probes, policy: &Policy, now: Ms) -> Plan {
    run(facts, probes, policy, now, true)
}

fn run(facts: &Facts, probes: &Probes, policy: &Policy, now: Ms, with_sidecars: bool) -> Plan {
    let mut draft = Draft::new(facts, probes, policy, now);
    let suspicion = suspect::check(&draft);
    if suspicion.is_some() && !policy.override_suspect {
        draft.files_frozen = Some(Reason::SuspectIndex);
    }
    let mut cap_shortfall = 0;
    if !policy.files_only {
        missing::apply(&mut draft);
        dm_scope::apply(&mut draft);
        age::apply(&mut draft);
        cron::apply(&mut draft);
        cap_shortfall = cap::apply(&mut draft);
    }
    release::apply(&mut draft);
    if with_sidecars {
        orphans::of_leaving_rows(&mut draft);
    }
    archives::apply(&mut draft);
    leftovers::apply(&mut draft);
    orphans::apply(&mut draft);
    let mut ledger = budget::apply(&mut draft);
    // Rows taken by the budget may have left checkpoints behind that the age rule wants.
    orphans::apply(&mut draft);
    name_the_rest(&mut draft);
    let max_remove_hit = max_remove::apply(&mut draft);
    if let Some(ledger) = &mut ledger {
        budget::settle(&draft, ledger);
    }
    remark(&mut draft);
    finish(draft, ledger, cap_shortfall, suspicion, max_remove_hit)
}

/// The gateway takes such an index for an empty store and then deletes the history (spec/cleanup.md 2.1).
const BOM: &str = "the index begins with a byte order mark, with which the gateway cannot read it and takes it for empty; \
                   clawkeep sessions repair takes the mark away";

/// Turns a draft into a plan.
pub(super) fn finish(
    draft: Draft<'_>,
    budget: Option<crate::model::plan::BudgetLedger>,
    cap_shortfall: u64,
    suspicion: Option<crate::model::plan::Suspicion>,
    max_remove_hit: Option<u64>,
) -> Plan {
    let facts = draft.facts;
    let rows_after = draft.standing_rows().count() as u64;
    let ownership_incomplete = facts.members.iter().filter_map(|m| match &m.state {
        MemberState::Failed(why) => Some((m.path.clone(), why.clone())),
        _ => None,
    });
    // The peak of memory is here: what the policies worked with goes before the effects come.
    let Draft { policy, now, mut rows, files, warnings, ownership, traits, order, .. } = draft;
    drop((ownership, traits, order));
    let files_from = rows.len();
    rows.reserve_exact(files.len());
    rows.extend(files);
    let decisions = rows;
    let (rows, files) = decisions.split_at(files_from);
    Plan {
        folder: facts.folder.path.clone(),
        now,
        effects: effects::of(facts, policy, rows, files, now),
        rows_before: facts.index.live_rows() as u64,
        rows_after,
        budget,
        cap_shortfall,
        suspicion,
        ownership_incomplete: ownership_incomplete.collect(),
        max_remove_hit,
        warnings,
        decisions,
    }
}

/// Gives files that no policy speaks about their reason to stay.
fn name_the_rest(draft: &mut Draft<'_>) {
    for file in draft.files_where(|_| true) {
        let reason = match draft.file(file).class {
            _ if draft.files[file as usize].reason != Reason::NotOurs => continue,
            Class::Index => Reason::StoreIndex,
            Class::Lock => Reason::LockFile,
            Class::Migrated => Reason::Migrated,
            Class::Own => Reason::OwnFolder,
            _ if draft.is_owned(file) => Reason::Owned,
            _ => continue,
        };
        draft.keep_file(file, reason, None);
    }
    for (ix, entry) in draft.facts.folder.entries.iter().enumerate() {
        if entry.class == Class::Own {
            draft.files[ix].reason = Reason::OwnFolder;
        }
    }
}

/// Rows that go and name a path out of the folder: it is said, because whoever wrote that path may want to know, and
/// nothing there is touched (reports K1).
fn escaping(draft: &Draft<'_>) -> Option<String> {
    let buf = &draft.facts.index.bytes;
    let path = |row: &Row| row.session_file.map(|path| path.get(buf).into_owned());
    let mut rows = draft.rows.iter().zip(&draft.facts.index.rows).enumerate().filter(|(ix, (decision, row))| {
        let climbs = |path: String| Path::new(path.trim()).components().any(|c| c == Component::ParentDir);
        let other = draft.probes.outside.get(&index32(*ix)) == Some(&OutsideState::Other);
        decision.verdict == Verdict::Drop && (other || path(row).is_some_and(climbs))
    });
    let (_, (_, row)) = rows.next()?;
    let more = match rows.count() {
        0 => String::new(),
        n => format!(", and {n} more such rows"),
    };
    let (key, path) = (draft.facts.index.key(row), path(row).unwrap_or_default());
    Some(format!(
        "{key} goes; its path {path} leads out of the sessions folder, and nothing there is touched{more} (path-escapes)"
    ))
}

fn remark(draft: &mut Draft<'_>) {
    if draft.facts.index.layout.bom {
        draft.warnings.push(BOM.to_owned());
    }
    let stuck: Vec<String> = draft
        .standing_rows()
        .filter(|row| draft.traits[*row as usize].stuck_run)
        .map(|row| draft.facts.index.key(&draft.facts.index.rows[row as usize]).into_owned())
        .collect();
    if let Some(first) = stuck.first() {
        let more = if stuck.len() > 1 { format!(" and {} more", stuck.len() - 1) } else { String::new() };
        draft
            .warnings
            .push(format!("{first}{more} says that it is running, but was not touched for a day (stuck-run)"));
    }
    if let Some(line) = escaping(draft) {
        draft.warnings.push(line);
    }
    let below = |d: &&Decision| d.verdict == Verdict::Hold && d.reason == Reason::BelowFolder;
    let mut held = draft.rows.iter().enumerate().filter(|(_, d)| below(d));
    if let Some((ix, _)) = held.next() {
        let row = &draft.facts.index.rows[ix];
        let path = row.session_file.map_or_else(String::new, |path| path.get(&draft.facts.index.bytes).into_owned());
        let more = match held.count() {
            0 => String::new(),
            n => format!(", and {n} more such rows"),
        };
        draft.warnings.push(format!(
            "{}: its transcript {path} lies in a folder below the sessions folder, where nothing is renamed, so the row \
             stays{more} (below-folder)",
            draft.facts.index.key(row)
        ));
    }
    let unreadable = &draft.facts.folder.unreadable;
    if let Some((name, why)) = unreadable.first() {
        let more = if unreadable.len() > 1 { format!(" and {} more", unreadable.len() - 1) } else { String::new() };
        draft.warnings.push(format!("{}{more} could not be looked at: {why}", name.to_string_lossy()));
    }
    let held = draft.files.iter().filter(|d| d.verdict == Verdict::Hold && d.reason == Reason::UnknownLock).count();
    if held > 0 {
        draft.warnings.push(format!("{held} locks whose owner cannot be told count as held"));
    }
}
