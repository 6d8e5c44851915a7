//! What it takes to put a run back.
//!
//! Rows return to their old place and never displace a row that lives now; files return to their own names if those are
//! free. Files come before rows, so an undo has only effects of the phases create, swap and remove, and is a run like any
//! other: it can be undone too. What was unlinked for good is named, with the place of its packed copy if there is one.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};

use super::{undo_dir, undo_hidden, undo_since};
use crate::model::effect::{Effect, FileRef, NewName, Phase, ReplaceIndex, RowInsert, SwapIndex};
use crate::model::folder::{Artefact, FolderFacts};
use crate::model::index::IndexFacts;
use crate::model::plan::{Plan, PlannedEffect};
use crate::model::run::{RowChange, RunLine, RunOp, RunRecord, RunResult, RunRow};
use crate::model::{DAY, Ms};
use crate::report::command::quote;
use crate::store::identity::{identity, identity_of};

/// What undo is planned from.
#[derive(Clone, Copy)]
pub struct UndoFacts<'a> {
    /// The run.
    pub run: &'a RunRecord,
    /// The index now; needed if the run changed rows.
    pub index: Option<&'a IndexFacts>,
    /// The folder of the run now.
    pub folder: &'a FolderFacts,
    /// Old text of an index that was replaced, by effect.
    pub contents: &'a BTreeMap<u32, Vec<u8>>,
    /// The index as it was before the run, if it now is to the byte what the run had written and all of the run goes back.
    pub before: Option<&'a [u8]>,
    /// Every run recorded where this one is: what an undo wrote is no use of a file.
    pub others: &'a [RunRecord],
}

/// Something that stays as it is although the run changed it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Left {
    /// Row key or file name.
    pub subject: String,
    /// Why.
    pub why: String,
    /// Bytes.
    pub bytes: u64,
    /// Where a packed copy is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub copy: Option<String>,
}

/// The plan to undo one run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UndoPlan {
    /// The run.
    pub run_id: String,
    /// Changes.
    pub effects: Vec<PlannedEffect>,
    /// The run stays undoable for the rest.
    pub partly: bool,
    /// A damaged text comes back.
    pub damaged: bool,
    /// Keys of rows that come back, decoded.
    pub rows_back: Vec<String>,
    /// Keys of rows that leave again (when an undo is undone).
    pub rows_out: Vec<String>,
    /// Names of files that leave again (when an undo is undone).
    pub files_out: Vec<String>,
    /// Names of files that come back.
    pub files_back: Vec<String>,
    /// Their bytes.
    pub bytes_back: u64,
    /// Rows and files that are in the way.
    pub conflicts: Vec<Left>,
    /// What was removed for good.
    pub not_undoable: Vec<Left>,
    /// What policy had made final before the run: it cannot come back either, and nobody was to expect it.
    pub expired: Vec<Left>,
}

impl UndoPlan {
    /// As a plan for the executor.
    pub fn to_plan(&self, facts: &UndoFacts<'_>, now: Ms) -> Plan {
        let rows = facts.index.map_or(0, |i| i.rows.len() as u64);
        Plan {
            folder: facts.folder.path.clone(),
            now,
            decisions: Vec::new(),
            effects: self.effects.clone(),
            rows_before: rows,
            rows_after: rows + self.rows_back.len() as u64 - self.rows_out.len() as u64,
            budget: None,
            cap_shortfall: 0,
            suspicion: None,
            ownership_incomplete: Vec::new(),
            max_remove_hit: None,
            warnings: Vec::new(),
        }
    }
}

/// Plans the undo of a run.
pub fn plan(facts: &UndoFacts<'_>) -> UndoPlan {
    let mut out = UndoPlan { run_id: facts.run.id.clone(), ..UndoPlan::default() };
    let mut claimed = BTreeSet::new();
    for line in &facts.run.lines {
        file(facts, line, &mut claimed, &mut out);
    }
    rows(facts, &mut out);
    out
}

fn rows(facts: &UndoFacts<'_>, out: &mut UndoPlan) {
    if let Some(lost) = facts.run.rows_lost() {
        let subject = facts.run.dir.display().to_string();
        let why = format!("{lost}; for each of the others: clawkeep sessions restore KEY --list");
        out.not_undoable.push(Left { subject, why, bytes: 0, copy: None });
    }
    if facts.run.rows.is_empty() {
        return;
    }
    let Some(index) = facts.index else {
        let left = |r: &RunRow| row_left(r, "the index cannot be read");
        out.conflicts.extend(facts.run.rows.iter().map(left));
        return;
    };
    if let Some((line, kept_as)) = replaced(facts.run) {
        return text_back(facts, index, line, kept_as, out);
    }
    let rewritten = inserted_values(facts.run);
    let mut live: BTreeMap<Vec<u8>, u32> = BTreeMap::new();
    for (ix, row) in (0..).zip(&index.rows) {
        live.insert(identity(row.key, &index.bytes).into_owned(), ix);
    }
    let mut swap = SwapIndex { path: index.path.clone(), fp: index.fp, drop: Vec::new(), insert: Vec::new() };
    let twice = undo_hidden::rewritten(facts.run, index, &mut swap, out);
    for row in facts.run.rows.iter().filter(|row| !twice.contains(&*identity_of(&row.key.0))) {
        let found = live.get(&*identity_of(&row.key.0)).copied();
        match (row.change, found) {
            (RowChange::Dropped, Some(ix)) if undo_hidden::left_alone(facts.run, row) => {
                undo_hidden::back(facts.run, (index, ix), row, &mut swap, out);
            }
            (RowChange::Dropped, None) => {
                let after = row.after.as_ref().map_or(RowInsert::FIRST.to_vec(), |a| a.0.clone());
                out.rows_back.push(key_text(row));
                swap.insert.push(RowInsert { key: row.key.0.clone(), value: row.value.0.clone(), after: Some(after) });
            }
            (RowChange::Dropped, Some(ix)) if value_of(index, ix) == row.value.0 => {}
            // The run rewrote this row, and it was not used since: the new one leaves below.
            (RowChange::Dropped, Some(ix))
                if rewritten.get(&*identity_of(&row.key.0)) == Some(&value_of(index, ix)) =>
            {
                out.rows_back.push(key_text(row));
                let after = row.after.as_ref().map_or(RowInsert::FIRST.to_vec(), |a| a.0.clone());
                swap.insert.push(RowInsert { key: row.key.0.clone(), value: row.value.0.clone(), after: Some(after) });
            }
            (RowChange::Dropped, Some(_)) => {
                out.conflicts.push(row_left(row, "the session has a new row; it stays"));
            }
            (RowChange::Inserted, Some(ix)) if value_of(index, ix) == row.value.0 => {
                out.rows_out.push(key_text(row));
                swap.drop.push(ix);
            }
            (RowChange::Inserted, Some(_)) => out.conflicts.push(row_left(row, "the row was used since; it stays")),
            (RowChange::Inserted, None) => {}
        }
    }
    swap.drop.sort_unstable();
    let effect = match facts.before {
        _ if swap.drop.is_empty() && swap.insert.is_empty() => return,
        Some(text) => Effect::ReplaceIndex(Box::new(ReplaceIndex { swap, text: text.to_vec(), kept_as: None })),
        None => Effect::SwapIndex(swap),
    };
    out.effects.push(PlannedEffect { decision: None, effect });
}

/// Values of the rows that a run put in, by key.
fn inserted_values(run: &RunRecord) -> BTreeMap<Vec<u8>, &[u8]> {
    let inserted = run.rows.iter().filter(|r| r.change == RowChange::Inserted);
    inserted.map(|r| (identity_of(&r.key.0).into_owned(), &*r.value.0)).collect()
}

/// The swap of a run that replaced a damaged index, and the name under which its text stayed.
fn replaced(run: &RunRecord) -> Option<(&RunLine, OsString)> {
    run.lines.iter().filter(|l| l.op == RunOp::Swap).find_map(|l| Some((l, l.to.as_ref()?.to_os())))
}

/// Puts a damaged text back, unless the index was used since it was repaired.
fn text_back(facts: &UndoFacts<'_>, index: &IndexFacts, line: &RunLine, kept_as: OsString, out: &mut UndoPlan) {
    let left = |why: &str| Left {
        subject: line.from.lossy(),
        why: why.to_owned(),
        bytes: index.fp.size,
        copy: Some(facts.folder.path.join(&kept_as).display().to_string()),
    };
    let inserted = inserted_values(facts.run);
    let untouched = index.rows.len() == inserted.len()
        && (0..).zip(&index.rows).all(|(ix, row)| {
            inserted.get(&*identity(row.key, &index.bytes)).is_some_and(|value| *value == value_of(index, ix))
        });
    match facts.contents.get(&line.seq) {
        _ if !untouched => out.conflicts.push(left("the index was used since it was repaired; it stays")),
        None => out.not_undoable.push(left("its damaged text is no longer there")),
        Some(text) => {
            out.rows_out.extend(index.rows.iter().map(|row| index.key(row).into_owned()));
            let drop = (0..).zip(&index.rows).map(|(ix, _)| ix).collect();
            let swap = SwapIndex { path: index.path.clone(), fp: index.fp, drop, insert: Vec::new() };
            out.damaged = true;
            let replace = ReplaceIndex { swap, text: text.clone(), kept_as: None };
            out.effects.push(PlannedEffect { decision: None, effect: Effect::ReplaceIndex(Box::new(replace)) });
        }
    }
}

pub(super) fn value_of(index: &IndexFacts, ix: u32) -> &[u8] {
    index.rows[ix as usize].value.of(&index.bytes)
}

pub(super) fn key_text(row: &RunRow) -> String {
    crate::units::json_text::unescape(&row.key.0)
}

pub(super) fn row_left(row: &RunRow, why: &str) -> Left {
    Left { subject: key_text(row), why: why.to_owned(), bytes: row.value.0.len() as u64, copy: None }
}

fn file(facts: &UndoFacts<'_>, line: &RunLine, claimed: &mut BTreeSet<OsString>, out: &mut UndoPlan) {
    let Some(outcome) = facts.run.outcome(line.seq) else { return };
    let name = line.from.to_os();
    let bytes = line.fp.map_or(0, |fp| fp.size);
    let left = |why: &str, copy| Left { subject: line.from.lossy(), why: why.to_owned(), bytes, copy };
    match outcome.result {
        RunResult::Done => {}
        RunResult::UnlinkedForSpace => {
            let why = "removed for good: the disk was too full to rename it";
            return out.not_undoable.push(left(why, None));
        }
        RunResult::Skipped | RunResult::Failed | RunResult::NotReached => {
            return not_taken(facts, line, (&name, bytes), claimed, out);
        }
    }
    match line.op {
        // A backup stays: it is one more copy of what comes back.
        RunOp::Swap | RunOp::Backup => {}
        // Policy had made it final before the run: nothing that undo promises.
        RunOp::Unlink if line.phase == Phase::Reclaim => {
            out.expired.push(left("its retention had ended", None));
        }
        RunOp::Pack if line.phase == Phase::Reclaim => {
            let copy = outcome.to.as_ref().map(crate::model::run::Raw::lossy);
            out.expired.push(left("its retention had ended; it was packed", copy));
        }
        RunOp::Unlink => out.not_undoable.push(left("removed for good", None)),
        RunOp::Pack => {
            let copy = outcome.to.as_ref().map(crate::model::run::Raw::lossy);
            out.not_undoable.push(left("packed, then removed", copy));
        }
        RunOp::Move | RunOp::Stow | RunOp::Guard => match source(facts, line) {
            // It is back already, by a rename.
            None if entry(facts.folder, &name)
                .is_some_and(|now| line.fp.is_some_and(|fp| facts.run.is_untouched(&fp, &now.fp))) => {}
            None => out.not_undoable.push(left("no copy is left", None)),
            Some(source) => bring_back(facts, &name, source, bytes, claimed, out),
        },
        RunOp::Rewrite => rewrite_back(facts, line, &name, out),
        // What was made beside a file whose old content cannot go back stays: it may be the one copy that people see.
        RunOp::Restore | RunOp::Unpack | RunOp::Create if cannot_go_back(facts) => {
            let to = line.to.as_ref().unwrap_or(&line.from);
            let why = "it stays beside the file whose old content cannot go back".to_owned();
            out.conflicts.push(Left { subject: to.lossy(), why, bytes: 0, copy: None });
        }
        RunOp::Restore | RunOp::Unpack | RunOp::Create => take_again(facts, line, out),
        RunOp::MakeDir | RunOp::RemoveDir | RunOp::MoveDir | RunOp::MoveDirLinked => undo_dir::plan(facts, line, out),
        RunOp::Mode => mode_back(facts, line, &name, out),
    }
}

/// A file that the run could not take stayed where it was, beside the row that left. If it went since, the row would come
/// back without it: its kept copy comes back as well, or it is named.
fn not_taken(
    facts: &UndoFacts<'_>,
    line: &RunLine,
    (name, bytes): (&OsStr, u64),
    claimed: &mut BTreeSet<OsString>,
    out: &mut UndoPlan,
) {
    let is_file = matches!(line.op, RunOp::Move | RunOp::Stow);
    let Some(id) = line.id.as_ref().filter(|id| is_file && row_comes_back(facts, id)) else { return };
    if entry(facts.folder, name).is_some() {
        return;
    }
    match source(facts, line).filter(|source| source.archive.is_some() || facts.run.kept(line).is_some()) {
        Some(source) => bring_back(facts, name, source, bytes, claimed, out),
        None => out.not_undoable.push(Left {
            subject: line.from.lossy(),
            why: format!("the run left it where it was, and it is no longer there; look for it: {}", restore(id)),
            bytes,
            copy: None,
        }),
    }
}

fn restore(id: &str) -> String {
    format!("clawkeep sessions restore --list {}", quote(id))
}

/// Whether the run took the row of this session, and the index has none of its key now.
fn row_comes_back(facts: &UndoFacts<'_>, id: &str) -> bool {
    let named = format!("\"{id}\"");
    let of_session = |row: &&RunRow| memchr::memmem::find(&row.value.0, named.as_bytes()).is_some();
    let mut rows = facts.run.rows.iter().filter(|row| row.change == RowChange::Dropped).filter(of_session);
    let Some(index) = facts.index else { return false };
    rows.any(|row| {
        let key = identity_of(&row.key.0);
        !index.rows.iter().any(|live| identity(live.key, &index.bytes) == key)
    })
}

/// Where the bytes of a file are now.
struct Source {
    from: std::path::PathBuf,
    archive: Option<OsString>,
    ino: (u64, u64),
}

fn source(facts: &UndoFacts<'_>, line: &RunLine) -> Option<Source> {
    let outcome = facts.run.outcome(line.seq);
    let archive_name = outcome.and_then(|o| o.to.as_ref()).or(line.to.as_ref()).map(|t| t.to_os());
    let archive = archive_name.and_then(|n| entry(facts.folder, &n));
    if let Some(kept) = facts.run.kept(line) {
        // In a copy one file has become two: whether they hold the same is seen before the archive goes.
        let is_one = |a: &&Artefact| facts.run.copied || (a.fp.dev, a.fp.ino) == (kept.dev, kept.ino) && kept.ino != 0;
        let same = archive.filter(is_one);
        return Some(Source {
            from: facts.run.dir.join(crate::journal::write::FILES).join(line.kept_name()),
            archive: same.map(|a| a.name.to_os_string()),
            ino: (kept.dev, kept.ino),
        });
    }
    let archive = archive.filter(|a| line.fp.is_some_and(|fp| facts.run.is_untouched(&fp, &a.fp)))?;
    Some(Source {
        from: facts.folder.path.join(&*archive.name),
        archive: Some(archive.name.to_os_string()),
        ino: (archive.fp.dev, archive.fp.ino),
    })
}

fn entry<'a>(folder: &'a FolderFacts, name: &OsStr) -> Option<&'a Artefact> {
    folder.find(name).and_then(|ix| folder.entries.get(ix))
}

fn bring_back(
    facts: &UndoFacts<'_>,
    name: &OsStr,
    source: Source,
    bytes: u64,
    claimed: &mut BTreeSet<OsString>,
    out: &mut UndoPlan,
) {
    let subject = name.to_string_lossy().into_owned();
    if let Some(there) = entry(facts.folder, name) {
        // It is back already, by whatever way.
        if (there.fp.dev, there.fp.ino) != source.ino || there.fp.ino == 0 {
            let why = "a file of that name is there; it stays".to_owned();
            out.conflicts.push(Left { subject, why, bytes, copy: Some(source.from.display().to_string()) });
        }
        return;
    }
    if !claimed.insert(name.to_owned()) {
        let why = "another file of this run had the same name".to_owned();
        out.conflicts.push(Left { subject, why, bytes, copy: Some(source.from.display().to_string()) });
        return;
    }
    out.files_back.push(subject);
    out.bytes_back += bytes;
    let effect = Effect::Restore { from: source.from, to: name.to_owned(), replaces: source.archive };
    out.effects.push(PlannedEffect { decision: None, effect });
}

fn cannot_go_back(facts: &UndoFacts<'_>) -> bool {
    let done = |line: &&RunLine| facts.run.outcome(line.seq).is_some_and(|o| o.result == RunResult::Done);
    facts.run.lines.iter().filter(|l| l.op == RunOp::Rewrite).filter(done).any(|line| {
        let now = entry(facts.folder, &line.from.to_os());
        let was_written = |now| undo_since::was_written(facts, now) && !undo_since::is_back(facts, now);
        now.is_none_or(was_written) || facts.run.kept(line).is_none()
    })
}

fn rewrite_back(facts: &UndoFacts<'_>, line: &RunLine, name: &OsStr, out: &mut UndoPlan) {
    let bytes = line.fp.map_or(0, |fp| fp.size);
    let copy = facts.run.dir.join(crate::journal::write::FILES).join(line.kept_name()).display().to_string();
    let left = |why: &str| Left { subject: line.from.lossy(), why: why.to_owned(), bytes, copy: Some(copy.clone()) };
    match (entry(facts.folder, name), facts.run.kept(line)) {
        (Some(now), _) if undo_since::is_back(facts, now) => {}
        (Some(now), _) if undo_since::was_written(facts, now) => {
            out.conflicts.push(left("it was written since; it stays"));
        }
        (Some(now), Some(_)) => {
            out.files_back.push(line.from.lossy());
            out.bytes_back += bytes;
            let file = FileRef { name: name.to_owned(), fp: now.fp };
            let source = Some(facts.run.dir.join(crate::journal::write::FILES).join(line.kept_name()));
            let effect = Effect::Splice { file, source, edits: Vec::new() };
            out.effects.push(PlannedEffect { decision: None, effect });
        }
        (None, _) => out.conflicts.push(left("it is gone")),
        (_, None) => out.not_undoable.push(left("its old content cannot be read")),
    }
}

/// Permission bits come back unless somebody changed them since.
fn mode_back(facts: &UndoFacts<'_>, line: &RunLine, name: &OsStr, out: &mut UndoPlan) {
    let given = line.to.as_ref().and_then(|to| u32::from_str_radix(&to.lossy(), 8).ok());
    let (Some(now), Some(old)) = (entry(facts.folder, name), line.fp) else { return };
    if Some(now.fp.mode) == given && old.mode != now.fp.mode {
        out.files_back.push(line.from.lossy());
        let file = FileRef { name: name.to_owned(), fp: now.fp };
        out.effects.push(PlannedEffect { decision: None, effect: Effect::SetMode { file, mode: old.mode } });
    }
}

/// The undo of an undo: a file that came back goes where it was.
fn take_again(facts: &UndoFacts<'_>, line: &RunLine, out: &mut UndoPlan) {
    let Some(name) = line.to.as_ref().map(|t| t.to_os()) else { return };
    // A second name of a damaged index: it stays beside whatever the index is.
    if replaced(facts.run).is_some_and(|(_, kept_as)| kept_as == name) {
        return;
    }
    let Some(now) = entry(facts.folder, &name) else { return };
    if undo_since::was_written(facts, now) {
        let why = "it was written since; it stays".to_owned();
        let subject = name.to_string_lossy().into_owned();
        out.conflicts.push(Left { subject, why, bytes: now.fp.size, copy: None });
        return;
    }
    out.files_out.push(name.to_string_lossy().into_owned());
    let file = FileRef { name, fp: now.fp };
    let effect = match &line.replaces {
        Some(archive) => Effect::Move { file, to: NewName::Given(archive.to_os()) },
        None => Effect::Stow { file },
    };
    out.effects.push(PlannedEffect { decision: None, effect });
}

/// What the gateway itself does to old rows when it next writes its index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GatewayLimits {
    /// Its maintenance mode is enforce (its own default).
    pub enforces: bool,
    /// Age at which it removes rows.
    pub prune_after: Option<Ms>,
    /// Rows it keeps.
    pub max_entries: Option<u64>,
}

impl Default for GatewayLimits {
    fn default() -> Self {
        Self { enforces: true, prune_after: Some(30 * DAY), max_entries: Some(500) }
    }
}

/// Rows that the gateway would remove again after this undo.
pub fn pruned_again(facts: &UndoFacts<'_>, plan: &UndoPlan, limits: GatewayLimits, now: Ms) -> u64 {
    pruned_by_gateway(&plan.effects, facts.index, limits, now)
}

/// Rows that the gateway would remove again after these effects: restored ones past its age limit, and what then is above
/// its row limit (SAFETY 5).
pub fn pruned_by_gateway(effects: &[PlannedEffect], index: Option<&IndexFacts>, limits: GatewayLimits, now: Ms) -> u64 {
    let inserted = effects.iter().find_map(|e| e.effect.swap().filter(|swap| !swap.insert.is_empty()));
    let (Some(swap), Some(index)) = (inserted, index) else { return 0 };
    let back: Vec<Option<Ms>> = swap.insert.iter().map(|r| updated_at(&r.value)).collect();
    let stays = (0..).zip(&index.rows).filter(|(ix, row)| !row.shadowed && swap.drop.binary_search(ix).is_err());
    let here: Vec<Option<Ms>> = stays.map(|(_, row)| row.updated_at.ms()).collect();
    would_prune(&back, &here, limits, now)
}

/// Of rows that come back beside rows that are here, by their `updatedAt`: how many the gateway would remove again.
pub fn would_prune(back: &[Option<Ms>], here: &[Option<Ms>], limits: GatewayLimits, now: Ms) -> u64 {
    if !limits.enforces || back.is_empty() {
        return 0;
    }
    let stale = |updated: &&Option<Ms>| limits.prune_after.is_some_and(|age| updated.is_some_and(|at| now - at > age));
    let (old_back, old_here) = (back.iter().filter(stale).count(), here.iter().filter(stale).count());
    let fresh = (back.len() + here.len() - old_back - old_here) as u64;
    old_back as u64 + limits.max_entries.map_or(0, |max| fresh.saturating_sub(max))
}

fn updated_at(value: &[u8]) -> Option<Ms> {
    #[derive(serde::Deserialize)]
    struct Row {
        #[serde(rename = "updatedAt")]
        updated_at: Option<f64>,
    }
    let at = serde_json::from_slice::<Row>(value).ok()?.updated_at?;
    #[expect(clippy::cast_possible_truncation, reason = "saturating, and only compared with a limit")]
    Some(at as Ms)
}
