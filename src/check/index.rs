//! The index as a file: whole, doubted, or not usable, and what copies of it are at hand.

use crate::model::check::{Broken, CheckFacts};
use crate::model::finding::{Finding, FindingId, Place};
use crate::model::folder::{ArchiveReason, Class, FolderFacts};
use crate::model::plan::Suspicion;
use crate::plan::draft::Draft;
use crate::plan::suspect;
use crate::report::plural::count;
use crate::units::{bytes, time};

/// A whole index.
pub fn whole(facts: &CheckFacts, draft: &Draft<'_>, found: &mut Vec<Finding>) {
    let index = &draft.facts.index;
    let place = || Place::file(&index.path);
    if index.layout.bom {
        found.push(Finding::new(FindingId::IndexBom, place(), "3 bytes of a byte order mark before the first brace"));
    }
    let Some(suspicion) = suspect::check(draft) else { return };
    let evidence = match suspicion {
        Suspicion::Shrunk { recorded, now, at } => {
            format!("{}; {recorded} were recorded on {}", count(now, "row"), time::iso(at))
        }
        Suspicion::YoungHistory { files, rows } => {
            format!("{rows} rows beside {files} unowned transcripts of the last 7 days")
        }
        Suspicion::MostlyUnowned { files, rows } => {
            format!("{rows} rows beside {files} unowned transcripts with history, and no record of an earlier run")
        }
        Suspicion::OddRows { odd, rows } => format!("{odd} of {rows} rows are no session entries"),
        Suspicion::NoTranscripts { rows } => format!("none of {rows} rows has its transcript"),
    };
    let finding = Finding::new(FindingId::IndexSuspect, place(), evidence).bytes(index.fp.size);
    found.push(match source(facts, draft) {
        Some(Source::Snapshots) => finding,
        Some(Source::Other(operand)) => finding.operand(operand),
        None => finding.without_repair(),
    });
    copies(facts, &draft.facts.folder, found);
}

/// Where the rows that a doubted index lacks can come from.
enum Source {
    Snapshots,
    /// Operand of `--from`.
    Other(String),
}

fn source(facts: &CheckFacts, draft: &Draft<'_>) -> Option<Source> {
    let index = &draft.facts.index;
    if facts.snapshots.iter().any(|s| !s.suspect && s.rows > index.live_rows() as u64) {
        return Some(Source::Snapshots);
    }
    let copy = draft.facts.folder.fuller_copy(&facts.copies, &index.path, index.live_rows() as u64);
    let headers = || {
        let mut transcripts = draft.files_where(|c| c == Class::Transcript).into_iter();
        transcripts.any(|f| draft.ownership.links(f).is_empty()).then(|| "headers".to_owned())
    };
    copy.map(|path| path.to_string_lossy().into_owned()).or_else(headers).map(Source::Other)
}

/// An index that cannot be used.
pub fn broken(facts: &CheckFacts, broken: &Broken, folder: &FolderFacts, found: &mut Vec<Finding>) {
    let path = &facts.target.store_path;
    match broken {
        Broken::Absent => {
            let (transcripts, archives) = history(folder);
            if transcripts + archives == 0 {
                return;
            }
            let evidence = format!("missing beside {transcripts} transcripts and {archives} archives");
            let finding = Finding::new(FindingId::IndexMissing, Place::file(path), evidence).count(transcripts);
            // What a database holds now needs none.
            found.push(if facts.database().is_none() { finding } else { finding.without_repair() });
        }
        Broken::Damaged { damage, size, salvageable } => {
            let evidence = format!(
                "{} at line {}, column {}; {salvageable} rows can be salvaged ({} before the damage)",
                damage.kind.describe(),
                damage.line,
                damage.column,
                damage.whole_rows,
            );
            let place = Place::line(path, damage.line, damage.offset);
            found.push(Finding::new(FindingId::IndexDamaged, place, evidence).bytes(*size).count(*salvageable));
        }
        Broken::Unreadable(why) => {
            found.push(Finding::new(FindingId::IndexUnreadable, Place::file(path), why.clone()));
        }
    }
    copies(facts, folder, found);
}

/// Live transcripts and archives: history that the index should lead to.
fn history(folder: &FolderFacts) -> (u64, u64) {
    let count =
        |wanted: fn(Class) -> bool| folder.entries.iter().filter(|f| f.is_file() && wanted(f.class)).count() as u64;
    let archive = |c: Class| matches!(c, Class::Archive(ArchiveReason::Reset | ArchiveReason::Deleted));
    (count(|c| c == Class::Transcript), count(archive))
}

/// Where an earlier text of the index may be.
fn copies(facts: &CheckFacts, folder: &FolderFacts, found: &mut Vec<Finding>) {
    for (ix, rows) in facts.copies.iter().filter(|(_, rows)| *rows > 0) {
        let file = &folder.entries[*ix as usize];
        let (size, at) = (bytes::human(file.fp.size), time::iso(file.fp.mtime_ms()));
        let evidence = format!("{} can be read in it, {size}, of {at}", count(*rows, "row"));
        let place = Place::file(folder.path.join(&*file.name));
        found.push(Finding::new(FindingId::IndexCopy, place, evidence).bytes(file.fp.size).count(*rows));
    }
    for snapshot in &facts.snapshots {
        let doubted = if snapshot.suspect { ", doubted at the time" } else { "" };
        let evidence = format!("snapshot of {} rows, of {}{doubted}", snapshot.rows, time::iso(snapshot.at));
        let place = Place::file(&snapshot.path);
        found.push(Finding::new(FindingId::IndexCopy, place, evidence).bytes(snapshot.bytes));
    }
}
