//! Which files have to be looked into before deciding. Only candidates are ever opened.

use std::path::{Component, Path, PathBuf};

use crate::model::Ms;
use crate::model::facts::Facts;
use crate::model::folder::{Artefact, Class, FolderFacts};
use crate::model::index::Via;
use crate::model::policy::Policy;
use crate::model::probe::{ProbeNeeds, Probes};
use crate::model::sourced::Limit;
use crate::transcript::names;

use super::draft::index32;
use super::ownership::{Link, Owner, Ownership};
use super::suspect;

/// Up to this many transcripts, every header is looked at for a `parentSession`.
const FEW: usize = 4096;

/// The gateway writes `parentSession` only into forks and successors, which it names `<time>_<id>.jsonl`
/// (spec/transcripts.md 3.3, 3.5, 3.6); a file with a name of somebody's own may say anything. In a large store only
/// these are opened.
fn may_name_a_parent(file: &Artefact) -> bool {
    let name = file.name.as_encoded_bytes();
    names::fork_ids(file.stem()).next().is_some() || names::generated_id(name).is_none()
}

/// Of these transcripts, those that have to be opened to learn what went before them.
pub fn with_parents(folder: &FolderFacts, mut files: Vec<u32>) -> Vec<u32> {
    if files.len() > FEW {
        files.retain(|ix| may_name_a_parent(&folder.entries[*ix as usize]));
    }
    files
}

/// What to look into for the given policy.
pub fn needs(facts: &Facts, policy: &Policy, now: Ms) -> ProbeNeeds {
    let ownership = Ownership::of(facts, &Probes::default());
    let locks = files(facts, |f| f.class == Class::Lock);
    let mut outside = if policy.fix_missing { paths_outside(facts, &ownership) } else { Vec::new() };
    outside.extend(paths_below(facts));
    // With a store of the set unread nothing unowned is touched: no need to look.
    if ownership.incomplete {
        return ProbeNeeds { locks, outside, ..ProbeNeeds::default() };
    }
    let unowned = |ix: &u32| ownership.links(*ix).is_empty();
    let mut orphans = candidates(facts, policy, now);
    orphans.retain(|ix| ownership.links(*ix).iter().all(is_remote));
    if orphans.is_empty() {
        return ProbeNeeds { locks, outside, ..ProbeNeeds::default() };
    }
    let mut is_candidate = vec![false; facts.folder.entries.len()];
    for ix in &orphans {
        is_candidate[*ix as usize] = true;
    }
    let mut parents = files(facts, |f| f.class == Class::Transcript && f.fp.size > 0);
    parents.retain(|ix| !is_candidate[*ix as usize]);
    let parents = with_parents(&facts.folder, parents);
    let mut pointers = files(facts, |f| f.class == Class::TrajectoryPointer);
    pointers.retain(|ix| !unowned(ix));
    ProbeNeeds { orphans, parents, pointers, locks, outside }
}

/// A family member or checkpoint of a row: the file stays only as long as the row does, and then its content matters.
fn is_remote(link: &Link) -> bool {
    matches!(link.owner, Owner::Row(_)) && matches!(link.via, Via::UsageFamily | Via::Checkpoint | Via::Pointer)
}

fn files(facts: &Facts, wanted: impl Fn(&Artefact) -> bool) -> Vec<u32> {
    let entries = facts.folder.entries.iter().enumerate();
    entries.filter(|(_, f)| f.is_file() && wanted(f)).map(|(ix, _)| index32(ix)).collect()
}

/// Transcripts that a policy would take if nothing owns them. Over budget that is every one; else those past the age
/// limit, and recent ones where their number alone is suspicious.
fn candidates(facts: &Facts, policy: &Policy, now: Ms) -> Vec<u32> {
    let clock = now + facts.folder.clock_skew_ms;
    let age = |f: &Artefact| clock - f.fp.mtime_ms();
    let total: u64 = facts.folder.entries.iter().filter(|f| f.is_file()).map(|f| f.fp.size).sum();
    let over_budget = matches!(policy.max_disk.value, Limit::At(max) if total > max);
    let limit = suspect::age_limit(policy);
    let recent = files(facts, |f| f.class == Class::Transcript && age(f) < suspect::RECENT).len();
    let look_at_recent = suspect::wants_a_look(facts, recent);
    files(facts, |f| {
        f.class == Class::Transcript
            && (over_budget
                || limit.is_some_and(|limit| age(f) >= limit)
                || (look_at_recent && age(f) < suspect::RECENT))
    })
}

/// Transcript paths of rows that lead into a folder below the sessions folder, whatever else the row has here.
fn paths_below(facts: &Facts) -> Vec<(u32, PathBuf)> {
    let folder = &facts.folder.path;
    let rows = facts.index.rows.iter().enumerate();
    rows.filter_map(|(ix, row)| {
        let path = row.session_file?.get(&facts.index.bytes);
        let path = Path::new(path.trim());
        // Most rows have a bare name, or the path of a file right here.
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty() && parent != folder)?;
        let climbs = path.components().any(|c| matches!(c, Component::ParentDir));
        let below = !climbs && (path.is_relative() || parent.starts_with(folder));
        below.then(|| (index32(ix), folder.join(path)))
    })
    .collect()
}

/// Transcript paths of rows that have nothing directly in the folder: absolute ones, and those that lead into a folder
/// below. A relative path that climbs out leads nowhere (spec/cleanup.md 4.6).
pub fn paths_outside(facts: &Facts, ownership: &Ownership) -> Vec<(u32, PathBuf)> {
    let rows = facts.index.rows.iter().enumerate();
    rows.filter_map(|(ix, row)| {
        let ix = index32(ix);
        let path = row.session_file?.get(&facts.index.bytes).into_owned();
        let nothing_here = ownership.files_of(ix).next().is_none();
        let path = Path::new(path.trim());
        let climbs = path.components().any(|c| matches!(c, Component::ParentDir));
        let below = path.components().count() > 1 && !climbs;
        (nothing_here && (path.is_absolute() || below)).then(|| (ix, facts.folder.path.join(path)))
    })
    .collect()
}
