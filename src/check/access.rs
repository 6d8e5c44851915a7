//! Who can read what (report K11), and files of another user (report B15).
//!
//! Rights of a file count only as far as the folders above let anybody through. A folder with the setgid bit is shared by
//! intent: its group is meant to read.

use std::collections::BTreeMap;

use crate::model::check::CheckFacts;
use crate::model::finding::{Finding, FindingId, Place};
use crate::model::folder::{Artefact, Class};

/// Reports them, one finding a kind and folder.
pub fn findings(facts: &CheckFacts, found: &mut Vec<Finding>) {
    let folder = facts.seen.folder();
    let place = || Place::file(&folder.path);
    let files = || folder.entries.iter().filter(|f| f.is_file() && holds_history(f.class));
    let reach = if facts.exposure.world { 0o004 } else { 0 } | if facts.exposure.group { 0o040 } else { 0 };
    let open: Vec<&Artefact> = files().filter(|f| f.fp.mode & reach != 0).collect();
    if !open.is_empty() {
        let world = open.iter().any(|f| f.fp.mode & reach & 0o004 != 0);
        let who = if world { "everybody" } else { "the group" };
        let modes = tally(open.iter().map(|f| format!("{:03o}", f.fp.mode & 0o777)));
        let evidence = format!("{who} can read {} files (mode {modes})", open.len());
        let bytes = open.iter().map(|f| f.fp.size).sum();
        let finding = Finding::new(FindingId::ReadableByOthers, place(), evidence);
        found.push(finding.count(open.len() as u64).bytes(bytes));
    }
    let foreign: Vec<&Artefact> = files().filter(|f| f.fp.uid != facts.exposure.owner).collect();
    if !foreign.is_empty() {
        let users = tally(foreign.iter().map(|f| f.fp.uid.to_string()));
        let evidence =
            format!("the folder is of user {}, {} files are of user {users}", facts.exposure.owner, foreign.len());
        found.push(Finding::new(FindingId::ForeignOwner, place(), evidence).count(foreign.len() as u64));
    }
}

fn holds_history(class: Class) -> bool {
    !matches!(class, Class::Lock | Class::Own | Class::Foreign)
}

/// `644 x 12, 664 x 3`; a single kind without its number.
fn tally(words: impl Iterator<Item = String>) -> String {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    words.for_each(|word| *counts.entry(word).or_default() += 1);
    if counts.len() == 1 {
        return counts.into_keys().collect();
    }
    counts.iter().map(|(word, n)| format!("{word} x {n}")).collect::<Vec<_>>().join(", ")
}
