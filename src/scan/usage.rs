//! Measures what fills a state folder.
//!
//! Sessions folders have been listed already ([`FolderFacts`]), so their files are only added up; everything else is
//! walked once, without following links and without opening a file. A file with several names (the copies that our run
//! folders keep are hard links) counts under the first one met: sessions folders are added first, so that what is in
//! `undo` is what the undo folders alone keep on disk.
//!
//! # Failure story
//! What cannot be listed or looked at is named in [`Usage::unreadable`] and the walk goes on: a report about a full
//! disk must not end at the first folder of another user.

use std::collections::{BinaryHeap, HashMap, HashSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use crate::context::Cancel;
use crate::fsx::read::fingerprint;
use crate::model::fingerprint::{Fingerprint, Kind};
use crate::model::folder::{ArchiveReason, Class, FolderFacts};
use crate::model::usage::{LargeFile, Usage, UsageClass, UsageOwner};

/// Name of our own folder.
const OWN: &str = ".clawkeep";

/// What is known about the places a walk comes through.
#[derive(Debug, Clone, Default)]
pub struct Places {
    /// Canonical sessions folders whose own files have been added, with their owner.
    pub sessions: HashMap<PathBuf, UsageOwner>,
    /// Canonical folder of the run logs.
    pub run_logs: Option<PathBuf>,
}

/// Class of an entry of a sessions folder by its name alone. Transcripts come back as [`UsageClass::Transcript`]: only
/// the index tells whose they are.
pub fn class_of(class: Class) -> UsageClass {
    match class {
        Class::Index => UsageClass::Index,
        Class::Transcript => UsageClass::Transcript,
        Class::Checkpoint => UsageClass::Checkpoint,
        Class::Trajectory | Class::TrajectoryPointer => UsageClass::Trajectory,
        Class::Archive(ArchiveReason::Reset) => UsageClass::Reset,
        Class::Archive(ArchiveReason::Deleted) => UsageClass::Deleted,
        Class::Archive(ArchiveReason::Bak)
        | Class::IndexBackup
        | Class::RepairBackup
        | Class::DoctorBackup
        | Class::Damaged => UsageClass::Backup,
        Class::Temp => UsageClass::Temp,
        Class::Lock => UsageClass::Lock,
        Class::Own => UsageClass::Undo,
        Class::Migrated | Class::Foreign => UsageClass::Other,
    }
}

/// Adds up files.
#[derive(Debug, Default)]
pub struct Meter {
    usage: Usage,
    seen: HashSet<(u64, u64)>,
    top: usize,
    largest: BinaryHeap<BySize>,
}

/// Smallest first, so that the heap gives up the smallest.
#[derive(Debug)]
struct BySize(LargeFile);

impl BySize {
    fn key(&self) -> (std::cmp::Reverse<u64>, &Path) {
        (std::cmp::Reverse(self.0.bytes), &self.0.path)
    }
}

impl PartialEq for BySize {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for BySize {}

impl PartialOrd for BySize {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for BySize {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key().cmp(&other.key())
    }
}

impl Meter {
    /// A meter that remembers the `top` largest files.
    pub fn new(top: usize) -> Self {
        Self { top, ..Self::default() }
    }

    /// Adds the files of a sessions folder; `classes` has one class for each of its entries.
    pub fn folder(&mut self, owner: &UsageOwner, folder: &FolderFacts, classes: &[UsageClass]) {
        for (entry, class) in folder.entries.iter().zip(classes) {
            match entry.fp.kind {
                Kind::Dir => {}
                Kind::File => self.add(owner, *class, &folder.path, &entry.name, &entry.fp),
                Kind::Symlink | Kind::Other => self.usage.not_regular += 1,
            }
        }
        let unreadable = folder.unreadable.iter().map(|(name, why)| (folder.path.join(name), why.clone()));
        self.usage.unreadable.extend(unreadable);
    }

    /// Walks `root` and adds what no sessions folder has contributed yet. `owner` says whose a file below `root` is,
    /// given its path from there. Stops early if the run is cancelled; `tick` is called for every entry.
    pub fn walk(
        &mut self,
        root: &Path,
        places: &Places,
        owner: &dyn Fn(&Path) -> UsageOwner,
        cancel: &Cancel,
        tick: &dyn Fn(),
    ) {
        for entry in WalkDir::new(root).min_depth(1).follow_links(false).sort_by_file_name() {
            if cancel.get().is_some() {
                return;
            }
            tick();
            match entry {
                Ok(entry) => self.entry(root, &entry, places, owner),
                Err(e) => {
                    let path = e.path().unwrap_or(root).to_owned();
                    let why = e.io_error().map_or_else(|| e.to_string(), ToString::to_string);
                    self.usage.unreadable.push((path, why));
                }
            }
        }
    }

    fn entry(&mut self, root: &Path, entry: &DirEntry, places: &Places, owner: &dyn Fn(&Path) -> UsageOwner) {
        let (path, parent) = (entry.path(), entry.path().parent().unwrap_or(root));
        if entry.file_type().is_dir() || places.sessions.contains_key(parent) {
            return;
        }
        if !entry.file_type().is_file() {
            self.usage.not_regular += 1;
            return;
        }
        let fp = match entry.metadata() {
            Ok(meta) => fingerprint(&meta),
            Err(e) => {
                self.usage.unreadable.push((path.to_owned(), e.to_string()));
                return;
            }
        };
        let below = path.strip_prefix(root).unwrap_or(path);
        let class = class_by_place(below, parent, path, places);
        let inside = parent.ancestors().find_map(|dir| places.sessions.get(dir));
        let owner = inside.cloned().unwrap_or_else(|| owner(below));
        self.add(&owner, class, parent, entry.file_name(), &fp);
    }

    fn add(&mut self, owner: &UsageOwner, class: UsageClass, dir: &Path, name: &OsStr, fp: &Fingerprint) {
        // Without inode numbers every name counts.
        if fp.nlink > 1 && fp.ino != 0 && !self.seen.insert((fp.dev, fp.ino)) {
            return;
        }
        if !self.usage.groups.contains_key(owner) {
            self.usage.groups.insert(owner.clone(), std::collections::BTreeMap::new());
        }
        if let Some(classes) = self.usage.groups.get_mut(owner) {
            classes.entry(class).or_default().add(fp);
        }
        self.remember(owner, class, dir, name, fp);
    }

    fn remember(&mut self, owner: &UsageOwner, class: UsageClass, dir: &Path, name: &OsStr, fp: &Fingerprint) {
        let full = self.largest.len() >= self.top;
        if self.top == 0 || (full && self.largest.peek().is_some_and(|least| least.0.bytes > fp.size)) {
            return;
        }
        self.largest.push(BySize(LargeFile {
            path: dir.join(name),
            owner: owner.clone(),
            class,
            bytes: fp.size,
            modified: fp.mtime_ms(),
        }));
        if self.largest.len() > self.top {
            self.largest.pop();
        }
    }

    /// The result.
    pub fn finish(mut self) -> Usage {
        self.usage.largest = self.largest.into_sorted_vec().into_iter().map(|large| large.0).collect();
        self.usage
    }
}

/// Class of a file outside of any sessions folder: by where it lies.
fn class_by_place(below: &Path, parent: &Path, path: &Path, places: &Places) -> UsageClass {
    if below.components().any(|c| c.as_os_str() == OWN) {
        UsageClass::Undo
    } else if places.run_logs.as_deref() == Some(parent) && path.extension().is_some_and(|e| e == "jsonl") {
        UsageClass::RunLog
    } else {
        UsageClass::Other
    }
}

/// Owner of a file of a state folder by its path from there: the agent of `agents/<id>/...`, else the top-level folder,
/// or `.` for a file that lies in none.
pub fn owner_in_state(below: &Path) -> UsageOwner {
    let mut names = below.components().map(|c| c.as_os_str().to_string_lossy());
    match (names.next(), names.next(), names.next()) {
        (Some(agents), Some(id), Some(_)) if agents == "agents" => UsageOwner::Agent(id.to_lowercase()),
        (Some(top), Some(_), _) => UsageOwner::Top(top.into_owned()),
        _ => UsageOwner::Top(".".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::usage::Tally;

    fn put(path: &Path, bytes: usize) {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, vec![b'x'; bytes]).unwrap();
    }

    fn walked(root: &Path, places: &Places, top: usize) -> Usage {
        let mut meter = Meter::new(top);
        meter.walk(root, places, &owner_in_state, &Cancel::default(), &|| {});
        meter.finish()
    }

    fn bytes(usage: &Usage, owner: UsageOwner, class: UsageClass) -> u64 {
        usage.groups.get(&owner).and_then(|g| g.get(&class)).copied().unwrap_or_default().bytes
    }

    #[test]
    fn files_are_classed_by_where_they_lie() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().canonicalize().unwrap();
        put(&root.join("openclaw.json"), 1);
        put(&root.join("credentials/a"), 2);
        put(&root.join("cron/jobs.json"), 3);
        put(&root.join("cron/runs/j.jsonl"), 4);
        put(&root.join("cron/runs/j.jsonl.tmp"), 5);
        put(&root.join("agents/Main/agent/auth.json"), 6);
        put(&root.join("agents/Main/sessions/counted.jsonl"), 7);
        put(&root.join("agents/Main/sessions/.clawkeep/runs/r/plan.jsonl"), 8);
        put(&root.join("agents/Main/sessions/sub/x"), 9);
        put(&root.join(".clawkeep/audit.jsonl"), 10);
        let main = UsageOwner::Agent("main".into());
        let places = Places {
            sessions: HashMap::from([(root.join("agents/Main/sessions"), main.clone())]),
            run_logs: Some(root.join("cron/runs")),
        };
        let usage = walked(&root, &places, 2);
        let top = |name: &str| UsageOwner::Top(name.into());
        assert_eq!(bytes(&usage, top("."), UsageClass::Other), 1);
        assert_eq!(bytes(&usage, top("credentials"), UsageClass::Other), 2);
        assert_eq!(bytes(&usage, top("cron"), UsageClass::Other), 8);
        assert_eq!(bytes(&usage, top("cron"), UsageClass::RunLog), 4);
        assert_eq!(bytes(&usage, main.clone(), UsageClass::Other), 15);
        assert_eq!(bytes(&usage, main, UsageClass::Undo), 8);
        assert_eq!(bytes(&usage, top(".clawkeep"), UsageClass::Undo), 10);
        assert_eq!(usage.total().bytes, 48, "the sessions folder itself is not counted twice");
        let largest: Vec<u64> = usage.largest.iter().map(|l| l.bytes).collect();
        assert_eq!(largest, [10, 9]);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_neither_followed_nor_counted_twice() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().canonicalize().unwrap();
        put(&root.join("a/one"), 100);
        std::fs::hard_link(root.join("a/one"), root.join("a/two")).unwrap();
        std::os::unix::fs::symlink("/", root.join("a/away")).unwrap();
        let usage = walked(&root, &Places::default(), 5);
        assert_eq!(usage.total().files, 1);
        assert_eq!(usage.total().bytes, 100);
        assert_eq!(usage.not_regular, 1);
        assert_eq!(usage.largest.len(), 1);
    }

    #[test]
    fn a_folder_counts_where_it_was_listed() {
        let temp = tempfile::tempdir().unwrap();
        put(&temp.path().join("a.jsonl"), 5);
        put(&temp.path().join("b.jsonl.lock"), 1);
        let folder = crate::scan::folder::scan(temp.path(), None).unwrap();
        let classes: Vec<UsageClass> = folder.entries.iter().map(|e| class_of(e.class)).collect();
        let owner = UsageOwner::Agent("main".into());
        let mut meter = Meter::new(0);
        meter.folder(&owner, &folder, &classes);
        let usage = meter.finish();
        let tally = |class| usage.groups[&owner].get(&class).copied().unwrap_or_default();
        assert_eq!((tally(UsageClass::Transcript).bytes, tally(UsageClass::Lock).files), (5, 1));
        assert_eq!(tally(UsageClass::Temp), Tally::default());
        assert!(usage.largest.is_empty());
    }
}
