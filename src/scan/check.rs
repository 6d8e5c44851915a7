//! Reads everything that a check of one store judges. Writes nothing, takes no lock, and goes on where an index is
//! missing or damaged: that is when a check is needed.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::check::{bloat, needs, paths::is_absolute};
use crate::context::Context;
use crate::error::Result;
use crate::fsx::read::{lstat, read_shared};
use crate::journal;
use crate::lock::container::HostView;
use crate::lock::peer;
use crate::model::check::{Broken, CheckFacts, Exposure, PathSeen, RunSeen, Seen, SnapshotSeen};
use crate::model::facts::Facts;
use crate::model::folder::FolderFacts;
use crate::model::index::{Damage, IndexState};
use crate::model::run::{RunRecord, RunState};
use crate::model::settings::Settings;
use crate::model::stores::{Roots, Selection, Target};
use crate::order::Order as _;
use crate::store;

use super::threads::side_by_side;
use super::transcripts::{self, How};
use super::{copies, facts, folder, probe};

/// Most transcripts that a quick check looks into; the newest come first.
pub const QUICK: usize = 20_000;
/// The same for the doctor, which looks at everything else as well.
pub const GLANCE: usize = 2_000;

/// What is needed beside the target.
pub struct Where<'a> {
    /// Clock, environment, cancel flag.
    pub ctx: &'a Context,
    /// Roots of the installation.
    pub roots: &'a Roots,
    /// Configuration.
    pub settings: &'a Settings,
    /// What was selected.
    pub selection: &'a Selection,
}

/// Reads the facts of `target`. `None` if the agent has no sessions folder: nothing to check.
///
/// # Errors
/// A folder that cannot be read.
pub fn read(at: &Where<'_>, target: &Target, how: &How<'_>) -> Result<Option<CheckFacts>> {
    let Some(dir) = facts::artefact_folder(target) else { return facts::refuse_dangling(target).map(|()| None) };
    // What is looked into is chosen by the listing alone, so that goes on while the index is parsed.
    let ((index, fields), looked) = side_by_side(
        || {
            let index = store::read::read(&target.store_path);
            let fields = match &index {
                IndexState::Whole(index) => bloat::fields(index),
                _ => Vec::new(),
            };
            (index, fields)
        },
        || {
            let folder = folder::scan(&dir, target.store_path.file_name())?;
            let (files, not_read) = files_to_read(&folder, how);
            let transcripts = transcripts::read(&folder, &files, how);
            Ok((folder, transcripts, not_read))
        },
    );
    let (folder, transcripts, not_read) = looked?;
    let seen = match index {
        IndexState::Whole(index) => {
            Seen::Whole(Box::new(facts::of_index(target, at.selection, at.roots, at.settings, index, folder)))
        }
        IndexState::Absent => Seen::Broken(Broken::Absent, Box::new(folder)),
        IndexState::Unreadable(why) => Seen::Broken(Broken::Unreadable(why), Box::new(folder)),
        IndexState::Damaged(damage) => Seen::Broken(damaged(&target.store_path, damage), Box::new(folder)),
    };
    let needs = match &seen {
        Seen::Whole(facts) => needs::of_facts(facts),
        Seen::Broken(_, folder) => needs::of_folder(folder),
    };
    let now = at.ctx.run_time();
    let view = HostView::gather(&at.ctx.env).on_volume(seen.folder().volume.network);
    let probes = probe::run(seen.folder(), &needs, &|path| peer::state(path, &view, now));
    let paths = match &seen {
        Seen::Whole(facts) => paths(facts),
        Seen::Broken(..) => HashMap::new(),
    };
    let (runs, runs_unreadable) = runs(&dir);
    Ok(Some(CheckFacts {
        copies: copies::beside(seen.folder()),
        snapshots: snapshots(&dir, &target.store_path),
        exposure: exposure(&dir),
        beside: beside(seen.folder(), target),
        target: target.clone(),
        seen,
        probes,
        paths,
        fields,
        transcripts,
        not_read,
        runs,
        runs_unreadable,
        other_state_dirs: Vec::new(),
        now,
    }))
}

fn damaged(path: &Path, damage: Damage) -> Broken {
    let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let (size, salvageable) = match read_shared(&real, u64::from(u32::MAX)) {
        Ok((bytes, fp)) => (fp.size, store::count_rows::count(&bytes)),
        Err(_) => (lstat(&real).map_or(0, |fp| fp.size), 0),
    };
    // Rows without session or time are rows too.
    let salvageable = salvageable.max(damage.whole_rows);
    Broken::Damaged { damage, size, salvageable }
}

/// Which transcripts to open: all, or the newest ones.
fn files_to_read(folder: &FolderFacts, how: &How<'_>) -> (Vec<u32>, u64) {
    let mut files = needs::transcripts(folder);
    if how.full || files.len() <= how.most {
        return (files, 0);
    }
    files.order_by_key(|ix| std::cmp::Reverse(folder.entries[*ix as usize].fp.mtime_ns));
    let left_out = files.split_off(how.most).len() as u64;
    (files, left_out)
}

/// What lies at the absolute transcript paths of rows. Each folder is resolved once.
fn paths(facts: &Facts) -> HashMap<u32, PathSeen> {
    let mut folders: HashMap<PathBuf, Option<PathBuf>> = HashMap::new();
    let mut seen = HashMap::new();
    for (row, ix) in facts.index.rows.iter().zip(0..) {
        let Some(text) = row.session_file.map(|text| text.get(&facts.index.bytes).into_owned()) else { continue };
        let path = Path::new(text.trim());
        if !is_absolute(text.trim()) || path.parent() == Some(&facts.folder.path) {
            continue;
        }
        let parent = path.parent().unwrap_or(Path::new("")).to_owned();
        let real = folders.entry(parent).or_insert_with_key(|parent| parent.canonicalize().ok());
        let state = match real {
            Some(real) if *real == facts.folder.path => PathSeen::Here,
            Some(_) if lstat(path).is_ok() => PathSeen::There,
            _ => PathSeen::Gone,
        };
        seen.insert(ix, state);
    }
    seen
}

/// Runs that are not closed in good order.
fn runs(dir: &Path) -> (Vec<RunSeen>, Option<String>) {
    match journal::read::list(dir) {
        Ok(runs) => {
            let open = |state: &RunState| !matches!(state, RunState::Done | RunState::RolledBack | RunState::Abandoned);
            let lost = |run: &RunRecord| run.rows_lost().filter(|_| run.undone_by.is_none());
            let seen = runs.into_iter().filter(|run| open(&run.state) || lost(run).is_some());
            let seen = seen.map(|run| RunSeen { rows_lost: lost(&run), id: run.id, dir: run.dir, state: run.state });
            (seen.collect(), None)
        }
        Err(error) => (Vec::new(), Some(error.message)),
    }
}

fn snapshots(dir: &Path, store: &Path) -> Vec<SnapshotSeen> {
    let real = store.canonicalize().unwrap_or_else(|_| store.to_owned());
    let tag = journal::snapshot::tag(&real);
    let own = dir.join(journal::layout::OWN).join(journal::layout::INDEX);
    let all = journal::snapshot::list(dir).unwrap_or_default().into_iter().filter(|s| s.store == tag);
    all.map(|s| SnapshotSeen { path: own.join(&s.name), at: s.at, rows: s.rows, bytes: s.bytes, suspect: s.suspect })
        .collect()
}

/// Whether the folder and all folders above let group and others through.
fn exposure(dir: &Path) -> Exposure {
    let folder = lstat(dir).ok();
    let (mode, owner) = folder.map_or((0, 0), |fp| (fp.mode, fp.uid));
    let passes = |bit: u32| dir.ancestors().all(|up| lstat(up).is_ok_and(|fp| fp.mode & bit != 0));
    // Sharing with a group is what the setgid bit is for.
    let shared = mode & 0o2000 != 0;
    Exposure { group: !shared && passes(0o010), world: passes(0o001), owner }
}

/// Other indexes in the folder.
fn beside(folder: &FolderFacts, target: &Target) -> Vec<OsString> {
    let own = target.store_path.file_name().unwrap_or_default();
    let siblings = store::siblings::siblings(folder, own);
    siblings.iter().filter_map(|path| Some(path.file_name()?.to_owned())).collect()
}
