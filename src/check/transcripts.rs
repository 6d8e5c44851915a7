//! Damage inside transcripts.
//!
//! A file that nothing proves to be a transcript is not judged by what transcripts must look like. The end of a file that
//! is being written says nothing.

use std::collections::HashSet;

use crate::model::check::CheckFacts;
use crate::model::finding::{Finding, FindingId, Place};
use crate::model::transcript::{Reading, Spot};
use crate::order::Order as _;
use crate::plan::draft::Draft;
use crate::plan::orphans;
use crate::transcript::names;
use crate::units::bytes;

/// Reports it. Without a draft (the index is not whole) the name of a file must prove what it is.
pub fn findings(facts: &CheckFacts, draft: Option<&Draft<'_>>, found: &mut Vec<Finding>) {
    let locked = locked(facts);
    let folder = facts.seen.folder();
    for (file, reading) in &facts.transcripts {
        let entry = &folder.entries[*file as usize];
        let owned = draft.is_some_and(|d| !d.ownership.links(*file).is_empty());
        let proven = match draft {
            Some(draft) => owned || orphans::kind(draft, *file).is_some(),
            None => names::generated_id(entry.name.as_encoded_bytes()).is_some(),
        };
        let path = facts.path_of(*file);
        match reading {
            Err(why) => found.push(Finding::new(FindingId::FileUnreadable, Place::file(path), why.clone())),
            Ok(reading) if proven => {
                let busy = reading.moving || locked.contains(entry.name.as_encoded_bytes());
                let spots = reading.spots.iter().filter(|spot| is_said(spot, owned || draft.is_none(), busy));
                found.extend(spots.map(|spot| finding(reading, spot, Place::file(path.clone()))));
            }
            Ok(_) => {}
        }
    }
}

/// Findings that are reported only by a closer look at one file.
pub const CLOSELY: [FindingId; 8] = [
    FindingId::NoAnswer,
    FindingId::NoParents,
    FindingId::OldVersion,
    FindingId::NewerVersion,
    FindingId::HugeLine,
    FindingId::CallWithoutResult,
    FindingId::ResultWithoutCall,
    FindingId::DuplicateTurn,
];

/// The findings of one file that was looked at closely. `busy`: somebody writes to it, so its end says nothing.
pub fn of_one(reading: &Reading, path: &std::path::Path, busy: bool) -> Vec<Finding> {
    let busy = busy || reading.moving;
    let said = |spot: &&Spot| !busy || !matches!(spot.id, FindingId::TornTail | FindingId::NoFinalNewline);
    let mut found: Vec<Finding> =
        reading.spots.iter().filter(said).map(|spot| finding(reading, spot, Place::file(path))).collect();
    found.order_by_key(|f| (f.severity, f.id));
    found
}

fn is_said(spot: &Spot, owned: bool, busy: bool) -> bool {
    match spot.id {
        // An empty file that nothing owns is reported as such.
        FindingId::EmptyTranscript => owned && !busy,
        FindingId::TornTail | FindingId::NoFinalNewline => !busy,
        // Worth knowing when looking at one file, a flood over many.
        id => !CLOSELY.contains(&id),
    }
}

fn finding(reading: &Reading, spot: &Spot, place: Place) -> Finding {
    let place = Place { line: spot.line, offset: Some(spot.offset), ..place };
    Finding::new(spot.id, place, evidence(reading, spot)).bytes(spot.bytes).count(spot.count)
}

fn evidence(reading: &Reading, spot: &Spot) -> String {
    let mut parts = Vec::new();
    if spot.lines.len() > 1 {
        let lines: Vec<String> = spot.lines.iter().map(u64::to_string).collect();
        let more = if spot.count > spot.lines.len() as u64 { ", ..." } else { "" };
        parts.push(format!("{} places: lines {}{more}", spot.count, lines.join(", ")));
    } else if spot.count > 1 {
        parts.push(format!("{} places", spot.count));
    }
    if spot.bytes > 0 {
        parts.push(bytes::human(spot.bytes));
    }
    parts.extend(spot.detail.clone());
    if reading.whole {
        parts.push(format!("{} of {} lines are entries", reading.entries, reading.lines));
    } else {
        parts.push("seen at the ends of the file; --full reads all of it".to_owned());
    }
    parts.join("; ")
}

/// Names of transcripts that a lock holds.
fn locked(facts: &CheckFacts) -> HashSet<&[u8]> {
    let folder = facts.seen.folder();
    let held = facts.probes.locks.iter().filter(|(_, state)| state.holds());
    held.map(|(ix, _)| {
        let name = folder.entries[*ix as usize].name.as_encoded_bytes();
        name.strip_suffix(b".lock").unwrap_or(name)
    })
    .collect()
}
