//! `sessions rm`: rows that a person named leave, and with `--purge` every trace of their sessions.
//!
//! A row leaves as in a cleanup: its transcripts are archived and its sidecars stowed once nothing else leads to them.
//! Naming a row is a decision that no policy has made, so neither age nor kind protects it; but a row that is locked,
//! running or named as active is held. A pattern is less than a name: it also spares the main session and keep patterns.
//!
//! A purge unlinks what would be archived, and every archive, checkpoint and copy of the same session ids, as far as no
//! other row leads to them. An id that another row uses is that row's.

use std::collections::{BTreeMap, BTreeSet};

use super::draft::{Draft, index32};
use super::keys::Standing;
use super::ownership::Owner;
use super::{decide, orphans, release};
use crate::model::Ms;
use crate::model::decision::{Reason, Verdict};
use crate::model::facts::Facts;
use crate::model::folder::Class;
use crate::model::index::Via;
use crate::model::plan::Plan;
use crate::model::policy::Policy;
use crate::model::probe::Probes;
use crate::transcript::names;
use crate::units::glob;

/// What becomes of one row, or of one name without a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It leaves.
    Goes,
    /// There is no row, but traces that a purge takes.
    TracesGo,
    /// It is held back.
    Held(Reason),
    /// Nothing here is called that.
    NotFound,
}

/// One row that was named, in the order of the names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// The name or pattern as given.
    pub asked: String,
    /// Decoded key of the row.
    pub key: Option<String>,
    /// Session ids that go with it (purge only).
    pub ids: BTreeSet<String>,
    /// What becomes of it.
    pub fate: Fate,
}

/// What earlier runs and snapshots know of a name: session ids, if there is any trace.
pub type Recorded = BTreeMap<String, BTreeSet<String>>;

/// What to remove.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// Keys, ids or patterns.
    pub names: &'a [String],
    /// `--purge`, with what is recorded of each name.
    pub purge: Option<&'a Recorded>,
}

/// The plan, and what becomes of each name.
#[derive(Debug, Clone)]
pub struct RmPlan {
    /// Decisions and effects.
    pub plan: Plan,
    /// One or more for each name, in order.
    pub items: Vec<Item>,
}

/// Whether a name is a pattern.
pub fn is_pattern(name: &str) -> bool {
    name.contains(['*', '?'])
}

/// Makes the plan.
pub fn plan(facts: &Facts, probes: &Probes, policy: &Policy, now: Ms, wanted: Wanted<'_>) -> RmPlan {
    let mut draft = Draft::new(facts, probes, policy, now);
    let mut items = Vec::new();
    let mut seen = BTreeSet::new();
    for name in wanted.names {
        items.extend(name_one(&mut draft, name, wanted.purge, &mut seen));
    }
    release::apply(&mut draft);
    orphans::of_leaving_rows(&mut draft);
    if wanted.purge.is_some() {
        keep_ids_of_others(&draft, &mut items);
        unlink_traces(&mut draft, &items);
    }
    RmPlan { plan: decide::finish(draft, None, 0, None, None), items }
}

/// Decides about everything that one name means.
fn name_one(draft: &mut Draft<'_>, name: &str, purge: Option<&Recorded>, seen: &mut BTreeSet<u32>) -> Vec<Item> {
    let rows = rows_called(draft, name);
    let recorded = purge.and_then(|p| p.get(name));
    if rows.is_empty() {
        let fate = if recorded.is_some() { Fate::TracesGo } else { Fate::NotFound };
        return vec![Item { asked: name.to_owned(), key: None, ids: recorded.cloned().unwrap_or_default(), fate }];
    }
    let mut items = Vec::new();
    for row in rows.into_iter().filter(|row| seen.insert(*row)) {
        let index = &draft.facts.index;
        let key = index.key(&index.rows[row as usize]).into_owned();
        let fate = match shield(draft, row, is_pattern(name)) {
            Some(reason) => {
                draft.hold_row(row, reason);
                Fate::Held(reason)
            }
            None => {
                draft.drop_row(row, Reason::Asked);
                Fate::Goes
            }
        };
        let mut ids = BTreeSet::new();
        if purge.is_some() && fate == Fate::Goes {
            ids = ids_of_row(draft, row);
            ids.extend(recorded.into_iter().flatten().cloned());
        }
        items.push(Item { asked: name.to_owned(), key: Some(key), ids, fate });
    }
    items
}

/// Rows of that key; else of that key in another letter case; else of that session id; else those a pattern matches.
fn rows_called(draft: &Draft<'_>, name: &str) -> Vec<u32> {
    let index = &draft.facts.index;
    let rows_where = |wanted: &dyn Fn(&crate::model::index::Row) -> bool| -> Vec<u32> {
        let rows = index.rows.iter().enumerate().filter(|(_, row)| !row.shadowed && wanted(row));
        rows.map(|(ix, _)| index32(ix)).collect()
    };
    let exact = rows_where(&|row| index.key(row) == name);
    if !exact.is_empty() {
        return exact;
    }
    if is_pattern(name) {
        return rows_where(&|row| glob::matches(name, &index.key(row)));
    }
    let folded = rows_where(&|row| index.key(row).eq_ignore_ascii_case(name));
    if !folded.is_empty() {
        return folded;
    }
    rows_where(&|row| row.session_id.is_some_and(|id| id.get(&index.bytes) == name))
}

fn shield(draft: &Draft<'_>, row: u32, by_pattern: bool) -> Option<Reason> {
    let traits = &draft.traits[row as usize];
    // What is odd or has an unbelievable time is just what a person may want to be rid of.
    let held = traits.held.filter(|r| !matches!(r, Reason::OddRow | Reason::SuspectTime));
    held.or(traits.active.then_some(Reason::ActiveKey)).or(match traits.standing {
        _ if !by_pattern => None,
        Standing::Main => Some(Reason::MainSession),
        _ if traits.kept => Some(Reason::KeepPattern),
        _ => None,
    })
}

/// The session of the row and those before it.
fn ids_of_row(draft: &Draft<'_>, row: u32) -> BTreeSet<String> {
    let index = &draft.facts.index;
    let row = &index.rows[row as usize];
    let family = index.refs_of(row).iter().filter(|r| r.via == Via::UsageFamily).map(|r| r.text);
    row.session_id.into_iter().chain(family).map(|t| t.get(&index.bytes).into_owned()).collect()
}

fn keep_ids_of_others(draft: &Draft<'_>, items: &mut [Item]) {
    let index = &draft.facts.index;
    let of_row = |row: u32| index.rows[row as usize].session_id.map(|t| t.get(&index.bytes).into_owned());
    let others: BTreeSet<String> = draft.standing_rows().filter_map(of_row).collect();
    for item in items {
        item.ids.retain(|id| !others.contains(id));
    }
}

/// Files of the sessions go for good.
fn unlink_traces(draft: &mut Draft<'_>, items: &[Item]) {
    if draft.ownership.incomplete {
        return;
    }
    let ids: BTreeSet<&[u8]> = items.iter().flat_map(|i| &i.ids).map(String::as_bytes).collect();
    for file in draft.files_where(is_trace) {
        let entry = draft.file(file);
        let released = draft.files[file as usize].verdict.acts();
        let of_session = names::ids(stem(entry.name.as_encoded_bytes(), entry.stem())).any(|id| ids.contains(id));
        let of_row = draft.ownership.links(file).iter().any(|l| {
            matches!((l.owner, l.via), (Owner::Row(row), Via::Checkpoint | Via::UsageFamily)
                if draft.rows[row as usize].verdict == Verdict::Drop)
        });
        if (released || of_session || of_row) && !draft.is_owned(file) {
            match draft.lock_on(file) {
                Some(reason) => {
                    draft.files[file as usize].verdict = Verdict::Hold;
                    draft.files[file as usize].reason = reason;
                }
                None => draft.take_file(file, Verdict::Unlink, Reason::Asked),
            }
        }
    }
}

/// Copies of other kinds carry the name of the transcript in front.
fn stem<'a>(name: &'a [u8], stem: &'a [u8]) -> &'a [u8] {
    let whole = stem.len() == name.len();
    match memchr::memmem::find(name, b".jsonl").filter(|_| whole) {
        Some(at) => &name[..at],
        None => stem,
    }
}

/// Classes that can hold a session's words.
fn is_trace(class: Class) -> bool {
    matches!(
        class,
        Class::Transcript
            | Class::Checkpoint
            | Class::Trajectory
            | Class::TrajectoryPointer
            | Class::Archive(_)
            | Class::RepairBackup
            | Class::DoctorBackup
            | Class::Temp
            | Class::Migrated
    )
}
