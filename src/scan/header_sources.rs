//! What a lost session header must have said, from everything around the transcript: its name, the row that leads to it,
//! its trajectory pointer, copies and checkpoints of it, and neighbours of the same agent.

use std::path::Path;

use crate::fsx::read as fsx;
use crate::model::fingerprint::Fingerprint;
use crate::model::folder::{Artefact, Class, FolderFacts};
use crate::model::index::{IndexFacts, Row};
use crate::model::transcript_repair::HeaderSources;
use crate::order::Order as _;
use crate::transcript::mend::fields::Fields;
use crate::transcript::{header, locate, names};
use crate::units::json_text::unescape;
use crate::units::time::{iso, parse_iso};

/// Bytes of a file in which its header is looked for.
const HEAD: usize = 64 * 1024;
/// Most neighbours whose headers are read.
const NEIGHBOURS: usize = 20;

/// Gathers it. Of several answers to one question the first stands, in the order above.
pub fn gather(folder: &FolderFacts, file: &Artefact, index: Option<&IndexFacts>) -> HeaderSources {
    let mut out = HeaderSources::default();
    from_name(file, &mut out);
    if let Some((index, row)) = index.and_then(|index| Some((index, row_of(folder, file, index)?))) {
        out.proven = true;
        from_row(index, row, &mut out);
    }
    from_pointer(folder, file, &mut out);
    from_copies(folder, file, &mut out);
    from_stem(file, &mut out);
    if out.fields.cwd.is_none() {
        from_neighbours(folder, file, &mut out);
    }
    out
}

impl HeaderSources {
    fn id(&mut self, id: Option<String>, from: &str) {
        let Some(id) = id.filter(|id| !id.trim().is_empty()) else { return };
        if !self.ids.contains(&id) {
            self.ids.push(id.clone());
        }
        self.chosen_id(id, from);
    }

    /// An id that proves nothing.
    fn chosen_id(&mut self, id: String, from: &str) {
        if self.fields.id.is_none() {
            self.fields.id = Some(id);
            self.origins.insert("id", from.to_owned());
        }
    }

    fn time(&mut self, time: Option<String>, from: &str) {
        if let Some(time) = time.filter(|_| self.fields.timestamp.is_none()) {
            self.fields.timestamp = Some(time);
            self.origins.insert("time", from.to_owned());
        }
    }

    fn cwd(&mut self, cwd: Option<String>, from: &str) {
        if let Some(cwd) = cwd.filter(|_| self.fields.cwd.is_none()) {
            self.fields.cwd = Some(cwd);
            self.origins.insert("folder", from.to_owned());
        }
    }

    fn parent(&mut self, parent: Option<String>, from: &str) {
        if let Some(parent) = parent.filter(|_| self.fields.parent.is_none()) {
            self.fields.parent = Some(parent);
            self.origins.insert("parent", from.to_owned());
        }
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn from_name(file: &Artefact, out: &mut HeaderSources) {
    let stem = file.stem();
    let generated = names::generated_id(stem);
    out.proven |= generated.is_some();
    out.id(generated.map(text), "its name");
    // `2026-05-01T08-00-00-000Z_<id>`: the time with `:` and `.` as `-`.
    if let Some(id) = names::fork_ids(stem).last() {
        let time = &stem[..stem.len() - id.len() - 1];
        out.time(time_of_name(time), "its name");
    }
}

fn time_of_name(time: &[u8]) -> Option<String> {
    let time = std::str::from_utf8(time).ok()?;
    let (date, clock) = time.split_once('T')?;
    let parts: Vec<&str> = clock.trim_end_matches('Z').split('-').collect();
    let iso = match parts.as_slice() {
        [h, m, s] => format!("{date}T{h}:{m}:{s}.000Z"),
        [h, m, s, ms] => format!("{date}T{h}:{m}:{s}.{ms}Z"),
        _ => return None,
    };
    parse_iso(&iso).map(|_| iso)
}

/// The row whose transcript this is.
fn row_of<'i>(folder: &FolderFacts, file: &Artefact, index: &'i IndexFacts) -> Option<&'i Row> {
    let path = folder.path.join(&*file.name);
    let leads = |row: &&Row| locate::locate(&folder.path, index, row).is_some_and(|found| found.path == path);
    index.rows.iter().filter(|row| !row.shadowed).find(leads)
}

fn from_row(index: &IndexFacts, row: &Row, out: &mut HeaderSources) {
    out.id(row.session_id.map(|id| id.get(&index.bytes).trim().to_owned()), "the index");
    out.time(row.session_started_at.ms().map(iso), "the index");
}

fn from_pointer(folder: &FolderFacts, file: &Artefact, out: &mut HeaderSources) {
    #[derive(serde::Deserialize)]
    struct Pointer {
        #[serde(rename = "sessionId")]
        session_id: Option<String>,
    }
    for entry in sidecars(folder, file).filter(|e| e.class == Class::TrajectoryPointer) {
        let pointer = head(folder, entry).and_then(|bytes| serde_json::from_slice::<Pointer>(&bytes).ok());
        out.id(pointer.and_then(|p| p.session_id), "its trajectory pointer");
    }
}

/// Checkpoints, copies and archives of the same stem, the newest first.
fn from_copies(folder: &FolderFacts, file: &Artefact, out: &mut HeaderSources) {
    let copy = |class: Class| {
        matches!(class, Class::Checkpoint | Class::RepairBackup | Class::DoctorBackup | Class::Archive(_))
    };
    let mut copies: Vec<&Artefact> = sidecars(folder, file).filter(|e| copy(e.class)).collect();
    copies.order_by_key(|e| std::cmp::Reverse(e.fp.mtime_ns));
    for entry in copies.into_iter().take(NEIGHBOURS) {
        let Some((fields, id)) = header_of(folder, entry) else { continue };
        let from = entry.name.display().to_string();
        out.id(Some(id), &from);
        out.cwd(fields.cwd.map(|raw| unescape(&raw)), &from);
        // A checkpoint has a header of its own only if it was branched off; a plain copy has that of the session.
        out.time(fields.timestamp.map(|raw| unescape(&raw)), &from);
        out.parent(fields.parent_session.map(|raw| unescape(&raw)), &from);
    }
}

/// A name that somebody chose is the id of its session.
fn from_stem(file: &Artefact, out: &mut HeaderSources) {
    let stem = file.stem();
    if file.class == Class::Transcript && names::is_session_id(stem) {
        out.chosen_id(text(stem), "its name");
    }
}

fn from_neighbours(folder: &FolderFacts, file: &Artefact, out: &mut HeaderSources) {
    let other = |e: &&Artefact| e.class == Class::Transcript && e.is_file() && e.name != file.name;
    let mut others: Vec<&Artefact> = folder.entries.iter().filter(other).collect();
    let distance = |fp: &Fingerprint| (fp.mtime_ns - file.fp.mtime_ns).unsigned_abs();
    others.order_by_key(|e| distance(&e.fp));
    for entry in others.into_iter().take(NEIGHBOURS) {
        if let Some((Fields { cwd: Some(cwd), .. }, _)) = header_of(folder, entry) {
            out.cwd(Some(unescape(&cwd)), &format!("its neighbour {}", entry.name.display()));
            return;
        }
    }
}

fn sidecars<'f>(folder: &'f FolderFacts, file: &'f Artefact) -> impl Iterator<Item = &'f Artefact> {
    folder.entries.iter().filter(move |e| e.is_file() && e.stem() == file.stem() && e.name != file.name)
}

/// The header of another file, and its session id.
fn header_of(folder: &FolderFacts, entry: &Artefact) -> Option<(Fields, String)> {
    use crate::model::probe::HeaderState;
    let bytes = head(folder, entry)?;
    let HeaderState::Valid { id, .. } = header::header(&bytes, entry.fp.size <= HEAD as u64) else { return None };
    let line = bytes.split(|b| *b == b'\n').find(|line| !line.trim_ascii().is_empty())?;
    Some((Fields::of(line), id))
}

fn head(folder: &FolderFacts, entry: &Artefact) -> Option<Vec<u8>> {
    let path: &Path = &folder.path.join(&*entry.name);
    fsx::read_head(path, HEAD).ok().map(|head| head.bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_in_names() {
        assert_eq!(time_of_name(b"2026-05-01T08-00-00-123Z").as_deref(), Some("2026-05-01T08:00:00.123Z"));
        assert_eq!(time_of_name(b"2026-05-01T08-00-00Z").as_deref(), Some("2026-05-01T08:00:00.000Z"));
        assert_eq!(time_of_name(b"2026-05-01T08-00").as_deref(), None);
        assert_eq!(time_of_name(b"nothing"), None);
    }
}
