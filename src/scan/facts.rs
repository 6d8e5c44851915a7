//! Reads everything one store needs to be decided about: index, folder, the other stores of the set, cron jobs, and what
//! an earlier run recorded. Writes nothing.

use std::path::{Path, PathBuf};

use crate::cron;
use crate::error::{Error, Kind, Result};
use crate::journal;
use crate::journal::{layout, snapshot};
use crate::model::facts::{Facts, JobsFacts};
use crate::model::folder::{Class, FolderFacts};
use crate::model::index::{Damage, IndexFacts, IndexState};
use crate::model::settings::Settings;
use crate::model::stores::{Roots, Selection, StoreMember, Target, TargetOrigin};
use crate::report::{command, escape, plural};
use crate::store;
use crate::store::refs::{self, FolderIndex};

use crate::units::time;

use super::folder;
use super::threads::side_by_side;

/// What is there for one target.
#[derive(Debug)]
pub enum Reading {
    /// A whole index and its folder.
    Whole(Box<Facts>),
    /// A configured agent that has no store yet: nothing to do.
    Absent,
}

/// Where the artefacts of a target lie: the folder of the index path, links in folders resolved. `None` if there is no
/// such folder.
pub fn artefact_folder(target: &Target) -> Option<PathBuf> {
    target.store_path.parent().and_then(|dir| dir.canonicalize().ok())
}

/// Refuses a store whose folder, or a folder above it, is a link that leads nowhere: what it led to is a volume that is not
/// mounted, or was moved, and not an agent without sessions.
///
/// # Errors
/// There is such a link. It is named.
pub fn refuse_dangling(target: &Target) -> Result<()> {
    let folders = target.store_path.ancestors().skip(1);
    let dangling = |folder: &&Path| folder.is_symlink() && !folder.exists();
    let Some(link) = folders.into_iter().find(dangling) else { return Ok(()) };
    let to = std::fs::read_link(link).unwrap_or_default();
    Err(Error::failed(format!(
        "the sessions of agent {} cannot be reached: {} is a link to {}, which is not there",
        target.agent_id,
        escape::path(link),
        escape::path(&to)
    ))
    .hint(format!("mount the volume of {}, or let the link lead to where the folder is now", escape::path(&to))))
}

/// Reads the facts of `target`.
///
/// # Errors
/// A store that `--store` names and that is not there ([`Kind::Absent`]); an index that cannot be read, is damaged, or is
/// missing beside transcripts ([`Kind::Failed`]): unreadable never means empty (DESIGN 1.1).
pub fn read(target: &Target, selection: &Selection, roots: &Roots, settings: &Settings) -> Result<Reading> {
    let Some(dir) = artefact_folder(target) else { return absent(target).map(|()| Reading::Absent) };
    // The two do not depend on each other: one waits for the disk while the other computes.
    let (folder, index) = side_by_side(|| folder::scan(&dir, target.store_path.file_name()), || read_index(target));
    let Some(index) = index? else { return Ok(Reading::Absent) };
    Ok(Reading::Whole(Box::new(of_index(target, selection, roots, settings, index, folder?))))
}

/// Facts of a store whose index and folder are at hand.
pub fn of_index(
    target: &Target,
    selection: &Selection,
    roots: &Roots,
    settings: &Settings,
    index: IndexFacts,
    folder: FolderFacts,
) -> Facts {
    let dir = folder.path.clone();
    let lookup = FolderIndex::new(&folder);
    let members = members(target, selection, &lookup, &index);
    let row_files = refs::all_row_files(&lookup, &index);
    let agent_shape = has_agent_shape(&dir);
    let jobs = if belongs_to_state(target, &dir, roots) {
        cron::jobs::read(&settings.cron.store.value)
    } else {
        JobsFacts::NotApplicable
    };
    let (record, left_behind) = journal::record::earlier(&dir, &index.path);
    Facts { index, folder, row_files, members, jobs, record, left_behind, agent_shape }
}

/// Whether `target` has a whole index. Errors as in [`read`].
///
/// # Errors
/// As [`read`].
pub fn index_is_there(target: &Target) -> Result<bool> {
    read_index(target).map(|index| index.is_some())
}

fn read_index(target: &Target) -> Result<Option<IndexFacts>> {
    let path = target.store_path.display();
    match store::read::read(&target.store_path) {
        IndexState::Whole(index) => Ok(Some(index)),
        IndexState::Absent => absent(target).map(|()| None),
        IndexState::Damaged(damage) => Err(damaged(&target.store_path, &damage)),
        IndexState::Unreadable(why) => {
            Err(Error::failed(format!("cannot read {path}: {why}; nothing was changed"))
                .hint(format!("ls -l '{path}'")))
        }
    }
}

/// An index that is not there: fine for a configured agent without history, an error otherwise.
fn absent(target: &Target) -> Result<()> {
    refuse_dangling(target)?;
    let path = target.store_path.display();
    let transcripts = artefact_folder(target).map_or(0, |dir| transcripts_in(&dir, target));
    if transcripts > 0 {
        return Err(Error::failed(format!(
            "{path} is missing beside {transcripts} transcripts or archives; nothing was changed"
        ))
        .hint("a missing index does not mean that there are no sessions: if you have a backup of it, put that back")
        .hint(crate::hints::DAMAGED_INDEX));
    }
    match target.origin {
        TargetOrigin::StoreFlag => Err(Error::new(Kind::Absent, format!("{path} does not exist"))),
        _ => Ok(()),
    }
}

fn transcripts_in(dir: &Path, target: &Target) -> usize {
    let Ok(folder) = folder::scan(dir, target.store_path.file_name()) else { return 0 };
    let history = |c: Class| matches!(c, Class::Transcript | Class::Archive(_) | Class::Checkpoint);
    folder.entries.iter().filter(|f| f.is_file() && history(f.class)).count()
}

/// The error for a damaged index, of every command: where the damage is, and everything that may hold an earlier text.
pub fn damaged(path: &Path, damage: &Damage) -> Error {
    let rows = match damage.whole_rows {
        0 => String::new(),
        1 => "; 1 row before it is whole".to_owned(),
        n => format!("; {n} rows before it are whole"),
    };
    let mut error = Error::failed(format!(
        "{} is damaged: {} at line {}, column {} (byte {}){rows}; nothing was changed",
        escape::path(path),
        damage.kind.describe(),
        damage.line,
        damage.column,
        damage.offset
    ));
    let copy = path.with_file_name(format!("{}.keep", path.file_name().unwrap_or_default().to_string_lossy()));
    error.hints.push(format!("cp -p {} {}  (keep a copy before anything else)", shell(path), shell(&copy)));
    error.hints.extend(newest_snapshot(path));
    for (backup, rows) in backups_beside(path) {
        let rows = plural::count(rows, "row");
        error.hints.push(format!("ls -l {}  (an earlier text: {rows} can be read)", shell(&backup)));
    }
    error.hint(crate::hints::DAMAGED_INDEX)
}

/// How to look at the newest good text of an index that an earlier run of ours read.
fn newest_snapshot(path: &Path) -> Option<String> {
    let dir = path.parent()?.canonicalize().ok()?;
    let store = snapshot::tag(path);
    let newest = snapshot::list(&dir).ok()?.into_iter().rfind(|s| s.store == store && !s.suspect)?;
    let file = dir.join(layout::OWN).join(layout::INDEX).join(&newest.name);
    Some(format!(
        "zstd -dc {} | head -c 2000  (what we read on {}: {})",
        shell(&file),
        time::iso(newest.at),
        plural::count(newest.rows, "row")
    ))
}

fn shell(path: &Path) -> String {
    command::quote(&path.to_string_lossy()).into_owned()
}

/// Copies beside an index that were seen to hold rows, and how many; newest first, three at most.
fn backups_beside(path: &Path) -> Vec<(PathBuf, u64)> {
    let (Some(dir), Some(name)) = (path.parent(), path.file_name()) else { return Vec::new() };
    let Ok(folder) = folder::scan(dir, Some(name)) else { return Vec::new() };
    let found = super::copies::beside(&folder).into_iter().filter(|(_, rows)| *rows > 0);
    found.take(3).map(|(ix, rows)| (dir.join(&*folder.entries[ix as usize].name), rows)).collect()
}

/// Every other store of the set: those that can be named, and those found beside the index.
fn members(target: &Target, selection: &Selection, lookup: &FolderIndex<'_>, index: &IndexFacts) -> Vec<StoreMember> {
    let mut paths: Vec<PathBuf> = Vec::new();
    let mut seen = vec![index.path.clone()];
    let name = target.store_path.file_name().unwrap_or_default();
    let siblings = store::siblings::siblings(lookup.folder(), name);
    for path in selection.set_paths.iter().cloned().chain(siblings) {
        let real = path.canonicalize().unwrap_or_else(|_| path.clone());
        if !seen.contains(&real) {
            seen.push(real);
            paths.push(path);
        }
    }
    paths.into_iter().map(|path| StoreMember { state: store::member::read(&path, lookup), path }).collect()
}

/// `agents/<id>/sessions`.
pub fn has_agent_shape(dir: &Path) -> bool {
    let mut names = dir.components().rev().map(|c| c.as_os_str());
    names.next().is_some_and(|n| n == "sessions") && names.nth(1).is_some_and(|n| n == "agents")
}

/// Whether the cron jobs of the state folder are the ones whose sessions lie in this store.
fn belongs_to_state(target: &Target, dir: &Path, roots: &Roots) -> bool {
    let configured = !matches!(target.origin, TargetOrigin::StoreFlag);
    let inside = roots.state_dir.canonicalize().is_ok_and(|state| dir.starts_with(state));
    // A sessions folder may be a link to another volume: then the path as given decides.
    configured || inside || target.store_path.starts_with(&roots.state_dir)
}
