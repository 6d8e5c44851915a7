//! Paths in rows that do not lead into the folder: of a former home, of an absent volume, or out of it on purpose
//! (reports A5, K1). Nothing outside is ever touched because of them.

use std::path::{Component, Path, PathBuf};

use crate::model::check::{CheckFacts, PathSeen};
use crate::model::finding::{Finding, FindingId};
use crate::model::probe::OutsideState;
use crate::plan::draft::{Draft, index32};
use crate::plan::ownership::entry_of_last_component;

use super::rows;

/// Reports them.
pub fn findings(facts: &CheckFacts, draft: &Draft<'_>, found: &mut Vec<Finding>) {
    let index = &draft.facts.index;
    for (ix, row) in index.rows.iter().enumerate() {
        let ix = index32(ix);
        let place = || rows::place(facts, index, ix, row);
        if rows::escapes(row, index) {
            let id = row.session_id.map(|id| id.get(&index.bytes).into_owned()).unwrap_or_default();
            found.push(Finding::new(FindingId::PathEscapes, place(), format!("sessionId is a path: {id}")));
        }
        let Some(text) = row.session_file else { continue };
        let text = text.get(&index.bytes);
        let Some((id, evidence, operand)) = judge(facts, draft, ix, text.trim()) else { continue };
        let mut finding = Finding::new(id, place(), evidence);
        finding.operand = operand;
        found.push(finding);
    }
}

type Judged = Option<(FindingId, String, Option<String>)>;

fn judge(facts: &CheckFacts, draft: &Draft<'_>, row: u32, text: &str) -> Judged {
    let folder = &draft.facts.folder;
    let path = Path::new(text);
    if !is_absolute(text) {
        let climbs = path.components().any(|c| matches!(c, Component::ParentDir));
        return climbs.then(|| (FindingId::PathEscapes, format!("sessionFile climbs out of the folder: {text}"), None));
    }
    match facts.paths.get(&row) {
        // The folder itself under this or another name, or a file that is where the row says.
        None | Some(PathSeen::Here) => return None,
        Some(PathSeen::There) => {}
        Some(PathSeen::Gone) => {
            if let Some(file) = entry_of_last_component(folder, text) {
                let new: PathBuf = folder.path.join(&*folder.entries[file as usize].name);
                let evidence = format!("sessionFile is {text}; the file of that name is here");
                return Some((FindingId::MovedPath, evidence, Some(new.to_string_lossy().into_owned())));
            }
        }
    }
    let uses_another = draft.ownership.files_of(row).next().is_some();
    match draft.probes.outside.get(&row)? {
        OutsideState::Elsewhere if uses_another => None,
        OutsideState::Transcript | OutsideState::Below => None,
        OutsideState::Elsewhere => {
            Some((FindingId::PathElsewhere, format!("sessionFile is {text}, and its folder is not there"), None))
        }
        OutsideState::Other => {
            Some((FindingId::PathEscapes, format!("sessionFile leads to {text}, which is no transcript"), None))
        }
        // Missing is reported with the row.
        OutsideState::Missing => None,
    }
}

/// Absolute on this or another system: `C:\\...` was written on Windows.
pub fn is_absolute(text: &str) -> bool {
    let drive = text.as_bytes().get(1..3).is_some_and(|b| b[0] == b':' && matches!(b[1], b'\\' | b'/'));
    Path::new(text).is_absolute() || text.starts_with(['/', '\\']) || drive
}
