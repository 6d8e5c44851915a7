//! What interrupted work left behind, and what has a name of the gateway but is no file.
//!
//! Leftovers are only called so beside a whole index: beside a damaged one a temp file may be the rescue.

use std::collections::BTreeMap;

use crate::model::Ms;
use crate::model::check::CheckFacts;
use crate::model::finding::{Finding, FindingId, Place};
use crate::model::fingerprint::Kind;
use crate::model::folder::{Artefact, Class};
use crate::model::policy::TEMP_AGE;
use crate::order::Order as _;
use crate::units::{bytes, time};

/// Old temp files, damaged texts that were repaired, and superseded repair copies.
pub fn findings(facts: &CheckFacts, found: &mut Vec<Finding>) {
    let folder = facts.seen.folder();
    let path = |file: &Artefact| folder.path.join(&*file.name);
    let clock = facts.now + folder.clock_skew_ms;
    let files = || folder.entries.iter().filter(|f| f.is_file());
    for file in files().filter(|f| f.class == Class::Temp && clock - f.fp.mtime_ms() > TEMP_AGE) {
        let evidence = format!("{}, last written {}", bytes::human(file.fp.size), time::iso(file.fp.mtime_ms()));
        found.push(Finding::new(FindingId::LeftoverTemp, Place::file(path(file)), evidence).bytes(file.fp.size));
    }
    for file in files().filter(|f| f.class == Class::Damaged) {
        let (size, at) = (bytes::human(file.fp.size), time::iso(file.stamp.unwrap_or_else(|| file.fp.mtime_ms())));
        let word = crate::report::command::quote(&path(file).to_string_lossy()).into_owned();
        let evidence =
            format!("{size}, kept by the repair of {at}; once you are sure that nothing is missed: rm {word}");
        found.push(Finding::new(FindingId::DamagedCopy, Place::file(path(file)), evidence).bytes(file.fp.size));
    }
    let mut copies: BTreeMap<&[u8], Vec<&Artefact>> = BTreeMap::new();
    for file in files().filter(|f| f.class == Class::RepairBackup) {
        copies.entry(file.stem()).or_default().push(file);
    }
    for mut of_one in copies.into_values().filter(|copies| copies.len() > 1) {
        of_one.order_by_key(|file| (file.stamp.unwrap_or(Ms::MIN), &file.name));
        let Some(newest) = of_one.pop() else { continue };
        let total: u64 = of_one.iter().map(|f| f.fp.size).sum();
        let evidence = format!("{} older copies, {}; this is the newest", of_one.len(), bytes::human(total));
        let finding = Finding::new(FindingId::LeftoverBackups, Place::file(path(newest)), evidence);
        found.push(finding.bytes(total).count(of_one.len() as u64));
    }
}

/// Links, folders and devices under names of the gateway, and entries that cannot be looked at.
pub fn irregular(facts: &CheckFacts, found: &mut Vec<Finding>) {
    let folder = facts.seen.folder();
    for file in folder.entries.iter().filter(|f| !f.is_file()) {
        let what = match (file.fp.kind, file.class) {
            (_, Class::Foreign | Class::Own) => continue,
            (Kind::Symlink, Class::Index) => "a symbolic link, which the gateway replaces by a file when it saves",
            (Kind::Symlink, _) => "a symbolic link",
            (Kind::Dir, _) => "a folder",
            _ => "a FIFO, socket or device",
        };
        found.push(Finding::new(FindingId::NotRegular, Place::file(folder.path.join(&*file.name)), what));
    }
    for (name, why) in &folder.unreadable {
        found.push(Finding::new(FindingId::FileUnreadable, Place::file(folder.path.join(name)), why.clone()));
    }
}
