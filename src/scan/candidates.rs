//! Looks for what is left of a session: in run folders, archives, compressed copies, unowned transcripts, and, for its row,
//! in recorded rows and index snapshots.
//!
//! Reads only. Content is looked into where the name fits, and only its beginning. A source that cannot be read is a
//! warning: the others may still have the session.
//!
//! # Performance
//! Every kept snapshot is unpacked and parsed once (7 good and 7 doubted ones at most); nothing else grows with the store.

use std::collections::{BTreeSet, HashMap};
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

use super::names::classify;
use crate::archive::{self, manifest};
use crate::error::Result;
use crate::fsx::read::read_head;
use crate::journal::write::FILES;
use crate::journal::{read, snapshot};
use crate::model::candidate::{Candidate, CopySource, Found, Preview, RowSource, RowVersion, Sidecar};
use crate::model::effect::PackedContent;
use crate::model::folder::{ArchiveReason, Artefact, Class, FolderFacts};
use crate::model::index::IndexFacts;
use crate::model::run::{RowChange, RunOp, RunRecord, RunRow, RunState};
use crate::model::session::Session;
use crate::order::Order as _;
use crate::transcript::names;
use crate::transcript::preview::preview;
use crate::units::json_text::unescape;

/// Bytes of a transcript that are looked at.
const LOOK: usize = 4 << 20;

/// Where to look.
#[derive(Clone, Copy)]
pub struct Places<'a> {
    /// The live folder.
    pub folder: &'a FolderFacts,
    /// Whether something leads to an entry of it.
    pub owned: &'a dyn Fn(u32) -> bool,
    /// Name of the index, to tell its snapshots from those of others in the folder.
    pub store: &'a Path,
    /// Archive folders.
    pub archives: &'a [PathBuf],
    /// Label of the store in archive folders.
    pub agent: &'a str,
}

/// Finds everything that is left of the session that `what` names: a session key, a session id, or a file.
///
/// # Errors
/// If the run folders are there but cannot be listed.
pub fn find(places: &Places<'_>, what: &str) -> Result<Found> {
    find_of(places, what, &[])
}

/// [`find`], where `what` is known to be one of the sessions `ids` now.
///
/// # Errors
/// As [`find`].
pub fn find_of(places: &Places<'_>, what: &str, ids: &[String]) -> Result<Found> {
    let runs = read::list(&places.folder.path)?;
    let mut search = Search { places, wanted: Wanted::new(what), found: Found::default() };
    ids.iter().for_each(|id| search.wanted.add(Some(id), None));
    let snapshots = search.snapshots();
    search.rows(&runs, &snapshots);
    search.folder();
    search.runs(&runs);
    search.packed();
    let mut found = search.found;
    found.ids = search.wanted.ids.into_iter().map(|id| String::from_utf8_lossy(&id).into_owned()).collect();
    found.rows.order_by_key(|r| r.at);
    for copy in &mut found.copies {
        match look(copy) {
            Ok(preview) => copy.preview = preview,
            Err(why) => found.warnings.push(format!("a copy cannot be used: {why}")),
        }
    }
    Ok(found)
}

/// What is looked for. Rows of the key add to it.
struct Wanted {
    what: String,
    ids: BTreeSet<Vec<u8>>,
    files: BTreeSet<Vec<u8>>,
}

impl Wanted {
    fn new(what: &str) -> Self {
        let mut wanted = Self { what: what.to_owned(), ids: BTreeSet::new(), files: BTreeSet::new() };
        if names::is_session_id(what.as_bytes()) {
            wanted.ids.insert(what.as_bytes().to_vec());
        }
        if let Some(name) = Path::new(what).file_name() {
            let unpacked = name.as_encoded_bytes().strip_suffix(b".zst").map(<[u8]>::to_vec);
            let name = unpacked.map_or_else(|| name.to_owned(), |n| crate::model::run::Raw(n).to_os());
            let named = classify(&name, None);
            if let Some(live) = live_name(&name, named.class) {
                wanted.files.insert(live.as_encoded_bytes().to_vec());
            }
        }
        wanted
    }

    fn names_key(&self, key: &str) -> bool {
        key == self.what
    }

    fn names_session(&self, id: Option<&str>, file: Option<&str>) -> bool {
        let of_file = |id: &str| self.files.contains(format!("{id}.jsonl").as_bytes());
        id.is_some_and(|id| self.ids.contains(id.as_bytes()) || of_file(id))
            || file.is_some_and(|file| self.files.contains(file.as_bytes()))
    }

    fn add(&mut self, id: Option<&str>, file: Option<&str>) {
        self.ids.extend(id.map(|id| id.as_bytes().to_vec()));
        self.files.extend(file.map(|file| file.as_bytes().to_vec()));
    }

    fn names_file(&self, name: &OsStr, stem: &[u8]) -> bool {
        self.files.contains(name.as_encoded_bytes()) || names::ids(stem).any(|id| self.ids.contains(id))
    }
}

/// Name that a file of this name and class had in the live folder: its own, or that before it was archived. `None` for
/// anything but a transcript.
pub fn live_name(name: &OsStr, class: Class) -> Option<OsString> {
    match class {
        Class::Transcript => Some(name.to_owned()),
        Class::Archive(reason) => {
            let mark = format!(".{}.", reason_word(reason));
            let at = memchr::memmem::rfind(name.as_encoded_bytes(), mark.as_bytes())?;
            let live = crate::model::run::Raw(name.as_encoded_bytes()[..at].to_vec()).to_os();
            (classify(&live, None).class == Class::Transcript).then_some(live)
        }
        _ => None,
    }
}

fn reason_word(reason: ArchiveReason) -> &'static str {
    match reason {
        ArchiveReason::Deleted => "deleted",
        ArchiveReason::Reset => "reset",
        ArchiveReason::Bak => "bak",
    }
}

fn ids_of(name: &OsStr) -> Vec<String> {
    let len = usize::from(classify(name, None).stem_len);
    names::ids(&name.as_encoded_bytes()[..len]).map(|id| String::from_utf8_lossy(id).into_owned()).collect()
}

struct Search<'a> {
    places: &'a Places<'a>,
    wanted: Wanted,
    found: Found,
}

impl Search<'_> {
    /// Every snapshot of this index that can be read.
    fn snapshots(&mut self) -> Vec<(String, i64, IndexFacts)> {
        let own = &self.places.folder.path;
        let all = match snapshot::list(own) {
            Ok(all) => all,
            Err(e) => {
                self.found.warnings.push(format!("index snapshots could not be listed: {e}"));
                return Vec::new();
            }
        };
        let tag = snapshot::tag(self.places.store);
        let mut out = Vec::new();
        for one in all.iter().filter(|s| s.store == tag) {
            let name = one.name.to_string_lossy().into_owned();
            let parsed = snapshot::read(own, one).map_err(|e| e.to_string()).and_then(|bytes| {
                let fp = self.places.folder.entries.first().map(|e| e.fp);
                let fp = fp.ok_or_else(|| "the folder is empty".to_owned())?;
                crate::store::parse::parse(PathBuf::from(&name), fp, bytes.into())
                    .map_err(|d| d.kind.describe().to_owned())
            });
            match parsed {
                Ok(index) => out.push((name, one.at, index)),
                Err(why) => self.found.warnings.push(format!("index snapshot {name} cannot be used: {why}")),
            }
        }
        out
    }

    /// First the ids behind a key, then every row of these sessions.
    fn rows(&mut self, runs: &[RunRecord], snapshots: &[(String, i64, IndexFacts)]) {
        let mut all = Vec::new();
        for run in runs.iter().filter(|r| is_closed(r)) {
            let at = run.meta.as_ref().map_or(run.closed_at, |m| m.started_at);
            for row in run.rows.iter().filter(|r| r.change == RowChange::Dropped) {
                let Session { id, file } = Session::of(row);
                all.push(RowVersion {
                    source: RowSource::Run(run.id.clone()),
                    at,
                    key: row.key.0.clone(),
                    value: row.value.0.clone(),
                    after: row.after.as_ref().map(|a| a.0.clone()),
                    id,
                    file,
                });
            }
        }
        for (name, at, index) in snapshots {
            let mut before: Option<&[u8]> = None;
            for row in &index.rows {
                let key = row.key.span.of(&index.bytes);
                let id = row.session_id.map(|t| t.get(&index.bytes).into_owned());
                let path = row.session_file.map(|t| t.get(&index.bytes).into_owned());
                let file = path.as_deref().and_then(|p| p.rsplit(['/', '\\']).next()).map(str::to_owned);
                let hit = self.wanted.names_key(&unescape(key));
                if hit || self.wanted.names_session(id.as_deref(), file.as_deref()) {
                    all.push(RowVersion {
                        source: RowSource::Snapshot(name.clone()),
                        at: *at,
                        key: key.to_vec(),
                        value: row.value.of(&index.bytes).to_vec(),
                        after: before.map(<[u8]>::to_vec),
                        id,
                        file,
                    });
                }
                before = Some(key);
            }
        }
        for row in &all {
            if self.wanted.names_key(&unescape(&row.key)) {
                self.wanted.add(row.id.as_deref(), row.file.as_deref());
            }
        }
        let wanted = &self.wanted;
        let fits = |r: &RowVersion| {
            wanted.names_key(&unescape(&r.key)) || wanted.names_session(r.id.as_deref(), r.file.as_deref())
        };
        all.retain(fits);
        for row in &all {
            self.wanted.add(row.id.as_deref(), row.file.as_deref());
        }
        self.found.rows = all;
    }

    /// Archives and unowned transcripts.
    fn folder(&mut self) {
        for (ix, entry) in (0..).zip(&self.places.folder.entries) {
            let Some(live) = live_name(&entry.name, entry.class).filter(|_| entry.is_file()) else { continue };
            if !self.wanted.names_file(&live, entry.stem()) || (self.places.owned)(ix) {
                continue;
            }
            match in_folder(self.places.folder, entry, live) {
                Ok(copy) => self.found.copies.push(copy),
                Err(why) => self.found.warnings.push(format!("a copy cannot be used: {why}")),
            }
        }
    }

    /// Links in run folders. A file that still has a name in the live folder is that file's copy, not another one.
    fn runs(&mut self, runs: &[RunRecord]) {
        let live: HashMap<(u64, u64), &Artefact> =
            self.places.folder.entries.iter().map(|e| ((e.fp.dev, e.fp.ino), e)).collect();
        let mut seen = BTreeSet::new();
        for run in runs.iter().rev().filter(|r| is_closed(r)) {
            for line in run
                .lines
                .iter()
                .filter(|l| matches!(l.op, RunOp::Move | RunOp::Stow | RunOp::Guard) && run.reversible(l))
            {
                let name = line.from.to_os();
                let named = classify(&name, None);
                let stem = &name.as_encoded_bytes()[..usize::from(named.stem_len)];
                if named.class != Class::Transcript || !self.wanted.names_file(&name, stem) {
                    continue;
                }
                let Some(fp) = run.kept(line).copied() else { continue };
                let path = run.dir.join(FILES).join(line.kept_name());
                let sidecars = sidecars(run, stem);
                let there = live.get(&(fp.dev, fp.ino)).filter(|_| fp.ino != 0);
                if let Some(entry) = there {
                    let archive = self.found.copies.iter_mut().find(|c| c.archive.as_deref() == Some(&*entry.name));
                    if let Some(copy) = archive.filter(|c| c.link.is_none()) {
                        (copy.link, copy.sidecars) = (Some(path), sidecars);
                    }
                    continue;
                }
                if fp.ino != 0 && !seen.insert((fp.dev, fp.ino)) {
                    continue;
                }
                self.found.copies.push(Candidate {
                    source: CopySource::Run(run.id.clone()),
                    path,
                    link: None,
                    ids: ids_of(&name),
                    name,
                    archive: None,
                    written_at: fp.mtime_ms(),
                    taken_at: run.meta.as_ref().map(|m| m.started_at),
                    bytes: fp.size,
                    fp: Some(fp),
                    packed: None,
                    sidecars,
                    preview: Preview::default(),
                });
            }
        }
    }

    /// Compressed copies.
    fn packed(&mut self) {
        for root in self.places.archives {
            let entries = match manifest::entries(root) {
                Ok(entries) => entries,
                Err(e) => {
                    self.found.warnings.push(format!("the manifest of {} cannot be read: {e}", root.display()));
                    continue;
                }
            };
            for entry in entries {
                let original = original(&entry);
                let Some(file) = original.file_name() else { continue };
                let Some(live) = live_name(file, classify(file, None).class) else { continue };
                let stem = usize::from(classify(&live, None).stem_len);
                let ours = Path::new(&entry.packed).starts_with(self.places.agent)
                    || original.parent() == Some(&self.places.folder.path);
                let path = root.join(&entry.packed);
                let inside =
                    Path::new(&entry.packed).components().all(|c| matches!(c, std::path::Component::Normal(_)));
                if !ours || !inside || !self.wanted.names_file(&live, &live.as_encoded_bytes()[..stem]) {
                    continue;
                }
                if !path.is_file() {
                    self.found.warnings.push(format!("{} is in the manifest but not there", path.display()));
                    continue;
                }
                self.found.copies.push(Candidate {
                    source: CopySource::Packed,
                    path,
                    link: None,
                    ids: ids_of(&live),
                    name: live,
                    archive: None,
                    written_at: entry.mtime_ms,
                    taken_at: crate::units::time::parse_iso(&entry.at),
                    bytes: entry.size,
                    fp: None,
                    packed: Some(PackedContent {
                        bytes: entry.size,
                        sha256: entry.sha256,
                        mtime_ms: entry.mtime_ms,
                        mode: entry.mode,
                    }),
                    sidecars: Vec::new(),
                    preview: Preview::default(),
                });
            }
        }
    }
}

fn is_closed(run: &RunRecord) -> bool {
    matches!(run.state, RunState::Done | RunState::Abandoned)
}

/// An archive or a transcript of the live folder. A compressed one is read as a whole: what it must hold stands nowhere else.
fn in_folder(folder: &FolderFacts, entry: &Artefact, live: OsString) -> Result<Candidate> {
    let reason = match entry.class {
        Class::Archive(reason) => Some(reason_word(reason)),
        _ => None,
    };
    let path = folder.path.join(&*entry.name);
    let packed = if entry.is_packed() {
        let archive::read::Digest { bytes, sha256, .. } = archive::read::read(&path, &mut io::sink())?;
        Some(PackedContent { bytes, sha256, mtime_ms: entry.fp.mtime_ms(), mode: entry.fp.mode })
    } else {
        None
    };
    Ok(Candidate {
        source: reason.map_or(CopySource::Orphan, CopySource::Archive),
        path,
        link: None,
        ids: ids_of(&live),
        name: live,
        archive: reason.map(|_| entry.name.to_os_string()),
        written_at: entry.fp.mtime_ms(),
        taken_at: entry.stamp,
        bytes: packed.as_ref().map_or(entry.fp.size, |content| content.bytes),
        fp: Some(entry.fp),
        packed,
        sidecars: Vec::new(),
        preview: Preview::default(),
    })
}

/// Trajectory, pointer and checkpoints that the same run took from the same session.
fn sidecars(run: &RunRecord, stem: &[u8]) -> Vec<Sidecar> {
    let of_session = |row: &&RunRow| Session::of(row).id.is_some_and(|id| id.as_bytes() == stem);
    let rows: Vec<&RunRow> = run.rows.iter().filter(of_session).collect();
    let of = |line: &crate::model::run::RunLine| {
        let name = line.from.to_os();
        let named = classify(&name, None);
        let of_stem = &name.as_encoded_bytes()[..usize::from(named.stem_len)] == stem;
        // A checkpoint has the name of the session it was made of; the row knows which are its own.
        let of_row = || rows.iter().any(|row| memchr::memmem::find(&row.value.0, name.as_encoded_bytes()).is_some());
        let fits = match named.class {
            Class::Trajectory | Class::TrajectoryPointer => of_stem,
            Class::Checkpoint => of_stem || of_row(),
            _ => false,
        };
        let fits = fits && matches!(line.op, RunOp::Move | RunOp::Stow | RunOp::Guard) && run.reversible(line);
        let fp = run.kept(line).filter(|_| fits)?;
        Some(Sidecar { from: run.dir.join(FILES).join(line.kept_name()), name, bytes: fp.size })
    };
    run.lines.iter().filter_map(of).collect()
}

fn original(entry: &manifest::Entry) -> PathBuf {
    let hex = entry.original_hex.as_deref().unwrap_or_default();
    let digit = |b: u8| char::from(b).to_digit(16).and_then(|d| u8::try_from(d).ok());
    let bytes: Option<Vec<u8>> =
        hex.as_bytes().chunks_exact(2).map(|p| Some(digit(p[0])? << 4 | digit(p[1])?)).collect();
    match bytes.filter(|b| !b.is_empty()) {
        Some(bytes) => crate::model::run::Raw(bytes).to_path(),
        None => PathBuf::from(&entry.original),
    }
}

fn look(copy: &Candidate) -> Result<Preview> {
    let head = if copy.packed.is_some() {
        Some(archive::read::head(&copy.path, LOOK)?)
    } else {
        read_head(&copy.path, LOOK).ok().map(|h| (h.bytes, h.whole))
    };
    Ok(head.map_or_else(Preview::default, |(bytes, whole)| preview(&bytes, whole)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_before_they_were_archived() {
        let live = |name: &str| {
            live_name(OsStr::new(name), classify(OsStr::new(name), None).class).map(|n| n.into_string().unwrap())
        };
        assert_eq!(live("a.jsonl").as_deref(), Some("a.jsonl"));
        assert_eq!(live("a-topic-5.jsonl.deleted.2026-05-01T08-00-00.000Z").as_deref(), Some("a-topic-5.jsonl"));
        assert_eq!(live("a.jsonl.reset.2026-05-01T08-00-00.000Z").as_deref(), Some("a.jsonl"));
        assert_eq!(live("a.jsonl.reset.2026-05-01T08-00-00.000Z.zst").as_deref(), Some("a.jsonl"));
        for other in ["a.trajectory.jsonl", "sessions.json", "a.jsonl.lock", "a.checkpoint.x.jsonl.deleted.2026"] {
            assert_eq!(live(other), None, "{other}");
        }
    }
}
