//! Files that no row leads to: history that can be adopted, junk that cleanup takes when its time comes.
//!
//! With a store of the set unread nothing can be called unowned. What is young or locked may get its row in a moment.

use crate::model::check::CheckFacts;
use crate::model::finding::{Finding, FindingId, Place};
use crate::model::folder::Class;
use crate::model::probe::HeaderState;
use crate::plan::draft::Draft;
use crate::plan::orphans::{self, OrphanKind};
use crate::transcript::names;
use crate::units::{bytes, time};

/// Reports them.
pub fn findings(facts: &CheckFacts, draft: &Draft<'_>, found: &mut Vec<Finding>) {
    if draft.ownership.incomplete {
        return;
    }
    for file in draft.files_where(|c| c == Class::Transcript) {
        let unowned = draft.ownership.links(file).is_empty() && !draft.ownership.is_predecessor(file);
        if unowned && draft.file(file).is_file() && !draft.is_young(file) && draft.lock_on(file).is_none() {
            found.push(transcript(facts, draft, file));
        }
    }
    sidecars(draft, found);
}

fn transcript(facts: &CheckFacts, draft: &Draft<'_>, file: u32) -> Finding {
    let entry = draft.file(file);
    let size = bytes::human(entry.fp.size);
    let to = time::iso(entry.fp.mtime_ms());
    let header = draft.probes.orphans.get(&file).map(|p| &p.header);
    let (id, from) = match header {
        Some(HeaderState::Valid { id, at, .. }) => (Some(id.clone()), at.map(time::iso)),
        _ => (None, None),
    };
    let named =
        || names::generated_id(entry.name.as_encoded_bytes()).map(|id| String::from_utf8_lossy(id).into_owned());
    let span = from.map_or_else(|| format!("last written {to}"), |from| format!("from {from} to {to}"));
    let (finding, what) = match orphans::kind(draft, file) {
        Some(OrphanKind::History) => (FindingId::OrphanHistory, "history"),
        Some(OrphanKind::Junk) => (FindingId::OrphanJunk, "no user message"),
        Some(OrphanKind::Empty) => (FindingId::OrphanJunk, "no byte"),
        None => (FindingId::NotProven, "no session header"),
    };
    let place = Place::file(facts.path_of(file));
    let mut finding = Finding::new(finding, place, format!("{what}, {size}, {span}")).bytes(entry.fp.size);
    finding.operand = id.filter(|id| !id.is_empty()).or_else(named).filter(|_| finding.id == FindingId::OrphanHistory);
    finding
}

fn sidecars(draft: &Draft<'_>, found: &mut Vec<Finding>) {
    let mut counts = [("checkpoint", 0u64), ("trajectory", 0), ("trajectory pointer", 0)];
    let (mut count, mut bytes) = (0, 0);
    for file in draft.files_where(|c| matches!(c, Class::Checkpoint | Class::Trajectory | Class::TrajectoryPointer)) {
        let entry = draft.file(file);
        if !entry.is_file() || !draft.ownership.links(file).is_empty() || draft.is_young(file) {
            continue;
        }
        let kind = match entry.class {
            Class::Checkpoint => 0,
            Class::Trajectory => 1,
            _ => 2,
        };
        counts[kind].1 += 1;
        count += 1;
        bytes += entry.fp.size;
    }
    if count == 0 {
        return;
    }
    let parts: Vec<String> = counts.iter().filter(|(_, n)| *n > 0).map(|(what, n)| format!("{n} x {what}")).collect();
    let place = Place::file(&draft.facts.folder.path);
    found.push(Finding::new(FindingId::OrphanSidecars, place, parts.join(", ")).bytes(bytes).count(count));
}
