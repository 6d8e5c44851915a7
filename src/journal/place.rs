//! Where the paths of a record lead now.
//!
//! A record holds the paths of the day its run was made. Since then the folder that keeps it may have been renamed, copied,
//! put back from a backup, or mounted somewhere else. So whatever lay inside that folder is looked for inside the folder
//! that keeps the record *now*. What lay outside (a configuration elsewhere, an index behind a link) is taken as recorded,
//! unless the folder of that day is still there and this is another one: then this is a copy, and a copy never touches
//! what belongs to its original; an index of its own in the place of such a link is what it goes by. A file to be read from elsewhere in the state (the old sessions folder, of which the doctor
//! brings the files over) is looked for at the same place of the state of today.
//!
//! Everybody reads records through [`settle`]; nobody else turns recorded paths into present ones.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::write::run_path;
use crate::fsx::read::lstat;
use crate::model::fingerprint::{Fingerprint, Kind};
use crate::model::run::{Raw, RunLine, RunMeta, RunOp, RunRecord, RunState};

/// The folder that keeps a record, now and when the run was made.
struct Place<'a> {
    here: &'a Path,
    now: Option<Fingerprint>,
    /// Its path of that day.
    was: PathBuf,
    /// It is the folder of that day, whatever its path.
    same: bool,
}

/// Makes the paths of a record those of today. `here` is the folder whose `.clawkeep` it was read from.
pub(super) fn settle(record: &mut RunRecord, here: &Path) {
    let Some(mut meta) = record.meta.take() else {
        // Nobody says where it was made. All that such a run has left is a temp file beside the index, and only one here is ours.
        record.lines.iter_mut().for_each(|line| stay(&mut line.from, here));
        return;
    };
    let place = Place::of(here, &record.id, &meta);
    record.copied = !place.same;
    if record.state != RunState::Unfinished {
        place.own_index(&mut meta, &mut record.lines);
    }
    let astray = |path: Option<&Path>| path.filter(|path| place.is_astray(path)).map(|path| place.why(path));
    let (folder, store) = (meta.folder.to_path(), meta.store.as_ref().map(Raw::to_path));
    record.astray = astray(Some(&folder)).or_else(|| astray(store.as_deref()));
    for line in &mut record.lines {
        let strays = place.line(line);
        record.astray = record.astray.take().or_else(|| strays.map(|path| place.why(&path)));
    }
    for to in record.outcomes.iter_mut().filter_map(|outcome| outcome.to.as_mut()) {
        place.lead(to);
    }
    place.lead(&mut meta.folder);
    meta.store.iter_mut().for_each(|store| place.lead(store));
    record.meta = Some(meta);
}

impl<'a> Place<'a> {
    fn of(here: &'a Path, id: &str, meta: &RunMeta) -> Self {
        let now = lstat(here).ok();
        let is_now = |dev, ino| ino != 0 && now.is_some_and(|now| (now.dev, now.ino) == (dev, ino));
        match &meta.base {
            Some(base) => {
                let was = base.folder.to_path();
                let same = is_now(base.dev, base.ino) || base.ino == 0 && was == here;
                Self { here, now, was, same }
            }
            None => {
                let was = guess(here, id, meta);
                let same = was == here || lstat(&was).is_ok_and(|fp| is_now(fp.dev, fp.ino));
                Self { here, now, was, same }
            }
        }
    }

    /// Whether the folder of that day is another one and still there.
    fn is_copy(&self) -> bool {
        !self.same && self.was != self.here && lstat(&self.was).is_ok_and(|fp| fp.kind != Kind::Symlink)
    }

    fn is_astray(&self, path: &Path) -> bool {
        path.is_absolute() && ![&*self.was, self.here].iter().any(|own| path.starts_with(own)) && self.is_copy()
    }

    /// An index that lay elsewhere, behind a link, and that this copy has got one of its own for: what was done to that one is
    /// undone in this one. An interrupted run has left a part of its work beside the other, and is given up as any that
    /// leads out of the copy.
    fn own_index(&self, meta: &mut RunMeta, lines: &mut [RunLine]) {
        let Some(store) = meta.store.as_ref().map(Raw::to_path).filter(|store| self.is_astray(store)) else { return };
        let names = [Some(OsStr::new("sessions.json")), store.file_name()].into_iter().flatten();
        let led_there = |name: &&OsStr| self.was.join(name).canonicalize().is_ok_and(|real| real == store);
        let is_own = |path: &PathBuf| lstat(path).is_ok_and(|fp| fp.kind == Kind::File);
        let Some(own) = names.filter(led_there).map(|name| self.here.join(name)).find(is_own) else { return };
        for line in lines.iter_mut().filter(|line| line.op == RunOp::Swap && line.from.to_path() == store) {
            line.from = Raw::from(own.as_path());
        }
        meta.store = Some(Raw::from(own.as_path()));
    }

    fn lead(&self, path: &mut Raw) {
        if self.was == self.here {
            return;
        }
        let recorded = path.to_path();
        if let Ok(below) = recorded.strip_prefix(&self.was) {
            let now = if below.as_os_str().is_empty() { self.here.to_owned() } else { self.here.join(below) };
            *path = Raw::from(now.as_path());
        }
    }

    /// The same for a file that lay beside the folder, in a state that went along as a whole: what the two paths have in
    /// common at their end is the way from the state to the folder. Only to a file that is there, and never to another one
    /// than was recorded where both are there and this is no copy.
    fn lead_beside(&self, path: &mut Raw) {
        let recorded = path.to_path();
        let alike = self.was.components().rev().zip(self.here.components().rev()).take_while(|(a, b)| a == b).count();
        let (Some(was), Some(here)) = (self.was.ancestors().nth(alike), self.here.ancestors().nth(alike)) else {
            return;
        };
        let Ok(below) = recorded.strip_prefix(was) else { return };
        let now = here.join(below);
        let moved = self.was != self.here && !recorded.starts_with(&self.was) && lstat(&now).is_ok();
        if moved && (self.is_copy() || lstat(&recorded).is_err()) {
            *path = Raw::from(now.as_path());
        }
    }

    /// Makes the paths of one effect those of today. Gives a path that it would change and that is not ours to change.
    fn line(&self, line: &mut RunLine) -> Option<PathBuf> {
        let (from, to) = (line.from.to_path(), line.to.as_ref().map(Raw::to_path));
        match line.op {
            RunOp::MoveDir | RunOp::MoveDirLinked => {
                let above = |path: &Path| self.was.starts_with(path);
                // The folder that keeps the record is what was moved: only it can go back.
                if above(&from) || to.as_deref().is_some_and(above) {
                    let is_it = self.now.zip(line.fp).is_some_and(|(a, b)| (a.dev, a.ino) == (b.dev, b.ino));
                    return (!is_it && !self.same).then_some(from);
                }
                let strays = [Some(from), to].into_iter().flatten().find(|path| self.is_astray(path));
                self.lead(&mut line.from);
                line.to.iter_mut().for_each(|to| self.lead(to));
                // The folder of that name here is the copy of the one that was moved.
                let there = line.to.as_ref().and_then(|to| lstat(&to.to_path()).ok());
                if let Some(there) = there.filter(|fp| !self.same && fp.kind == Kind::Dir && line.fp.is_some()) {
                    line.fp = Some(there);
                }
                strays
            }
            RunOp::Swap => {
                self.lead(&mut line.from);
                self.is_astray(&from).then_some(from)
            }
            // What is read from elsewhere does no harm there.
            RunOp::Restore | RunOp::Unpack | RunOp::Pack => {
                for path in [Some(&mut line.from), line.to.as_mut()].into_iter().flatten() {
                    self.lead(path);
                    self.lead_beside(path);
                }
                None
            }
            _ => None,
        }
    }

    fn why(&self, path: &Path) -> String {
        format!(
            "it was made in {}, of which {} is a copy, and {} is not part of the copy",
            self.was.display(),
            self.here.display(),
            path.display()
        )
    }
}

/// The file of that name here.
fn stay(path: &mut Raw, here: &Path) {
    let recorded = path.to_path();
    if let Some(name) = recorded.file_name().filter(|_| recorded.is_absolute()) {
        *path = Raw::from(here.join(name).as_path());
    }
}

/// The folder that kept a record which does not say so itself.
fn guess(here: &Path, id: &str, meta: &RunMeta) -> PathBuf {
    let folder = meta.folder.to_path();
    if folder.starts_with(here) {
        return here.to_owned();
    }
    // Whoever keeps the same run is what this was copied from, or this very folder under another path.
    if let Some(was) = folder.ancestors().find(|above| lstat(&run_path(above, id)).is_ok()) {
        return was.to_owned();
    }
    let of_store = meta.store.as_ref().is_some_and(|store| store.to_path().parent() == Some(&folder));
    if !of_store && lstat(&folder).is_ok() {
        return here.to_owned();
    }
    // It was moved: as much of the path as there is here lay inside.
    let below = |above: &&Path| folder.strip_prefix(above).is_ok_and(|below| here.join(below).is_dir());
    folder.ancestors().filter(below).last().unwrap_or(&folder).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::run::{FORMAT, RunBase};

    const ID: &str = "20260501T080000Z-0001";

    fn record(folder: &Path, base: Option<RunBase>) -> RunRecord {
        let meta = serde_json::json!({
            "format": FORMAT, "runId": ID, "command": "x", "pid": 1, "startedAt": 1, "effects": 0,
            "folder": folder, "store": folder.join("sessions.json"),
        });
        let meta = RunMeta { base, ..serde_json::from_value(meta).unwrap() };
        let state = RunState::Done;
        RunRecord {
            id: ID.into(),
            dir: PathBuf::new(),
            state,
            meta: Some(meta),
            lines: Vec::new(),
            rows: Vec::new(),
            rows_missing: 0,
            outcomes: Vec::new(),
            kept: Vec::new(),
            undone_by: None,
            undone_in_part: false,
            closed_at: 0,
            copied: false,
            astray: None,
        }
    }

    fn base(folder: &Path) -> RunBase {
        let fp = lstat(folder).unwrap();
        RunBase { folder: Raw::from(folder), dev: fp.dev, ino: fp.ino }
    }

    fn settled(here: &Path, mut record: RunRecord) -> (PathBuf, bool, bool) {
        settle(&mut record, here);
        (record.meta.unwrap().folder.to_path(), record.copied, record.astray.is_some())
    }

    #[cfg(unix)]
    #[test]
    fn copied_moved_and_left_alone_are_told_apart() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().canonicalize().unwrap();
        let (a, b, etc) = (root.join("a"), root.join("b"), root.join("etc"));
        for folder in [&a.join("in"), &b.join("in"), &etc] {
            std::fs::create_dir_all(folder).unwrap();
        }
        let of_a = Some(base(&a));
        // Left alone.
        assert_eq!(settled(&a, record(&a.join("in"), of_a.clone())), (a.join("in"), false, false));
        assert_eq!(settled(&a, record(&etc, of_a.clone())), (etc.clone(), false, false));
        // A copy: what was inside is inside, and nothing outside is touched.
        assert_eq!(settled(&b, record(&a.join("in"), of_a.clone())), (b.join("in"), true, false));
        assert_eq!(settled(&b, record(&a, of_a.clone())), (b.clone(), true, false));
        assert_eq!(settled(&b, record(&etc, of_a.clone())), (etc.clone(), true, true));
        // Copied into itself.
        let inner = a.join("in/copy");
        std::fs::create_dir_all(inner.join("in")).unwrap();
        assert_eq!(settled(&inner, record(&a.join("in"), of_a.clone())), (inner.join("in"), true, false));
        // Put back in its old place.
        std::fs::rename(&a, root.join("gone")).unwrap();
        std::fs::create_dir_all(a.join("in")).unwrap();
        assert_eq!(settled(&a, record(&etc, of_a.clone())), (etc.clone(), true, false));
        // Moved, and something else has the old path.
        assert_eq!(settled(&root.join("gone"), record(&etc, of_a.clone())), (etc.clone(), false, false));
        assert_eq!(settled(&root.join("gone"), record(&a.join("in"), of_a)), (root.join("gone/in"), false, false));
    }

    #[test]
    fn a_record_that_does_not_say_where_it_was_made() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().canonicalize().unwrap();
        let (a, b, etc) = (root.join("a"), root.join("b"), root.join("etc"));
        for folder in [run_path(&a, ID), a.join("in"), run_path(&b, ID), b.join("in"), etc.clone()] {
            std::fs::create_dir_all(folder).unwrap();
        }
        let none = |folder: &Path| {
            let mut record = record(folder, None);
            record.meta.as_mut().unwrap().store = None;
            record
        };
        assert_eq!(settled(&a, none(&a.join("in"))), (a.join("in"), false, false));
        assert_eq!(settled(&b, none(&a.join("in"))), (b.join("in"), true, false));
        assert_eq!(settled(&b, none(&etc)), (etc, false, false));
        std::fs::remove_dir_all(&a).unwrap();
        assert_eq!(settled(&b, none(&a.join("in"))), (b.join("in"), true, false));
        assert_eq!(settled(&b, record(&a, None)), (b.clone(), true, false));
    }
}
