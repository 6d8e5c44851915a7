//! What a check has to look into: every lock, every transcript that nothing owns, and paths of rows that lead elsewhere.

use std::path::PathBuf;

use crate::model::facts::Facts;
use crate::model::folder::{Class, FolderFacts};
use crate::model::probe::{ProbeNeeds, Probes};
use crate::plan::draft::index32;
use crate::plan::needs::{paths_outside, with_parents};
use crate::plan::ownership::Ownership;

/// For a whole index.
pub fn of_facts(facts: &Facts) -> ProbeNeeds {
    let ownership = Ownership::of(facts, &Probes::default());
    let owned = |ix: u32| !ownership.links(ix).is_empty();
    let mut orphans = files(&facts.folder, |c| c == Class::Transcript);
    orphans.retain(|ix| !owned(*ix));
    let mut parents = files(&facts.folder, |c| c == Class::Transcript);
    parents.retain(|ix| owned(*ix) && facts.folder.entries[*ix as usize].fp.size > 0);
    let parents = with_parents(&facts.folder, parents);
    let mut pointers = files(&facts.folder, |c| c == Class::TrajectoryPointer);
    pointers.retain(|ix| owned(*ix));
    let mut outside = paths_outside(facts, &ownership);
    outside.extend(absolute_paths(facts, &ownership));
    ProbeNeeds { orphans, parents, pointers, locks: locks(&facts.folder), outside }
}

/// Absolute paths of rows that have a file here all the same: the gateway falls back to it, and the path still has to be
/// told if it leads out (reports K1).
fn absolute_paths(facts: &Facts, ownership: &Ownership) -> Vec<(u32, PathBuf)> {
    let folder = &facts.folder.path;
    let rows = (0..).zip(&facts.index.rows).filter(|(ix, _)| ownership.files_of(*ix).next().is_some());
    rows.filter_map(|(ix, row)| {
        let path = PathBuf::from(row.session_file?.get(&facts.index.bytes).trim());
        (path.is_absolute() && path.parent() != Some(folder)).then_some((ix, path))
    })
    .collect()
}

/// Without an index: locks alone.
pub fn of_folder(folder: &FolderFacts) -> ProbeNeeds {
    ProbeNeeds { locks: locks(folder), ..ProbeNeeds::default() }
}

/// Every transcript of the folder that can be read.
pub fn transcripts(folder: &FolderFacts) -> Vec<u32> {
    files(folder, |c| c == Class::Transcript)
}

fn locks(folder: &FolderFacts) -> Vec<u32> {
    files(folder, |c| c == Class::Lock)
}

fn files(folder: &FolderFacts, wanted: impl Fn(Class) -> bool) -> Vec<u32> {
    let entries = folder.entries.iter().enumerate();
    entries.filter(|(_, f)| f.is_file() && wanted(f.class)).map(|(ix, _)| index32(ix)).collect()
}
