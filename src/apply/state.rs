//! What one execution carries along, and the steps that several phases share.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::PathBuf;

use super::input::{ApplyInput, Label, ToPack};
use crate::error::{Error, Result};
use crate::fsx::mutate::Dir;
use crate::journal::audit::Item;
use crate::journal::retention::KeptLinks;
use crate::model::decision::{Decision, Reason};
use crate::model::effect::{DirLink, Effect, FileRef, ReplaceIndex};
use crate::model::fingerprint::{Fingerprint, Kind};
use crate::model::outcome::{Outcome, Skip};
use crate::model::plan::PlannedEffect;
use crate::model::run::{Raw, RunLine, RunOp, RunOutcome, RunResult, RunRow};

/// State of one execution.
pub(super) struct Exec<'a> {
    pub input: &'a ApplyInput<'a>,
    /// The artefact folder, opened once.
    pub folder: Dir,
    /// One per effect, in plan order; `None` while open.
    pub outcomes: Vec<Option<Outcome>>,
    /// Name or path an effect ended up with, where that is not what was planned.
    pub actual: Vec<Option<OsString>>,
    pub warnings: Vec<String>,
    /// Effects whose outcome is in the run folder already.
    pub noted: std::collections::BTreeSet<usize>,
    /// Id of the run, once it has a folder.
    pub run_id: Option<String>,
    links: Option<KeptLinks>,
    /// Copies that were made ahead, by effect.
    packed: BTreeMap<usize, Result<PathBuf, Stop>>,
}

/// Files that are packed before the first of them goes: their copies are made durable together.
const PACK_BATCH: usize = 64;

/// Files that are taken between two looks at who owns them, where a gateway may be writing.
const BESIDE_BATCH: usize = 256;

/// Why one effect was not done.
pub(super) enum Stop {
    Skip(Skip),
    Io(io::Error),
    Other(String),
}

impl From<io::Error> for Stop {
    fn from(e: io::Error) -> Self {
        if e.kind() == io::ErrorKind::NotFound { Self::Skip(Skip::Gone) } else { Self::Io(e) }
    }
}

impl<'a> Exec<'a> {
    pub(super) fn open(input: &'a ApplyInput<'a>) -> Result<Self> {
        let path = &input.plan.folder;
        let folder = Dir::open(path, &input.ctx.faults).map_err(|e| Error::io("open", path, e))?;
        let n = input.plan.effects.len();
        Ok(Self {
            input,
            folder,
            outcomes: vec![None; n],
            actual: vec![None; n],
            warnings: Vec::new(),
            noted: std::collections::BTreeSet::new(),
            run_id: None,
            links: None,
            packed: BTreeMap::new(),
        })
    }

    pub(super) fn effect(&self, ix: usize) -> &'a PlannedEffect {
        &self.input.plan.effects[ix]
    }

    pub(super) fn decision(&self, ix: usize) -> Option<&'a Decision> {
        let at = self.effect(ix).decision?;
        self.input.plan.decisions.get(at as usize)
    }

    /// Effects without an outcome that `pick` accepts, in plan order.
    pub(super) fn open_effects(&self, pick: impl Fn(&Effect) -> bool) -> Vec<usize> {
        (0..self.outcomes.len()).filter(|ix| self.outcomes[*ix].is_none() && pick(&self.effect(*ix).effect)).collect()
    }

    /// A gateway may be writing meanwhile: no row is touched, and every removal can still be taken back for a moment.
    pub(super) fn beside(&self) -> bool {
        self.input.recheck.files_only
    }

    /// How many of `all` effects are carried out on one answer to who owns their files.
    pub(super) fn batch(&self, all: usize) -> usize {
        if self.beside() { BESIDE_BATCH } else { all.max(1) }
    }

    pub(super) fn cancelled(&self) -> bool {
        self.input.ctx.cancel.get().is_some()
    }

    /// Why we may not write any more, if so, and the token that passes it.
    pub(super) fn owner_stop(&self) -> Option<(String, &'static str)> {
        if self.input.recheck.files_only {
            return None;
        }
        let verdict = (self.input.recheck.owner_now)();
        let token = verdict.token()?;
        (!verdict.allows(self.input.overrides)).then_some((verdict.why, token))
    }

    /// Sets aside those of `batch` that a row leads to now. If that cannot be told, all of them.
    pub(super) fn drop_owned(&mut self, batch: &mut Vec<usize>) {
        if batch.is_empty() {
            return;
        }
        match self.owned(batch, |e| file_of(e).map(|f| f.name.clone())) {
            Ok(owned) => {
                let mut flags = owned.into_iter();
                batch.retain(|ix| {
                    let is_owned = flags.next().unwrap_or(true);
                    if is_owned {
                        self.outcomes[*ix] = Some(Outcome::Skipped(Skip::OwnedNow));
                    }
                    !is_owned
                });
            }
            Err(why) => {
                for ix in batch.drain(..) {
                    self.outcomes[ix] = Some(Outcome::Failed(why.clone()));
                }
            }
        }
    }

    /// Asks afresh who owns the files of `batch`.
    pub(super) fn owned(
        &self,
        batch: &[usize],
        name: impl Fn(&Effect) -> Option<OsString>,
    ) -> Result<Vec<bool>, String> {
        let names: Vec<OsString> = batch.iter().map(|ix| name(&self.effect(*ix).effect).unwrap_or_default()).collect();
        let refs: Vec<&OsStr> = names.iter().map(OsString::as_os_str).collect();
        match (self.input.recheck.owned_now)(&refs) {
            Ok(owned) if owned.len() == refs.len() => Ok(owned),
            Ok(_) => Err("cannot tell which files are in use now".to_owned()),
            Err(e) => Err(format!("cannot tell which files are in use now: {e}")),
        }
    }

    /// State of the file now, if it is still what the plan saw.
    pub(super) fn same(&self, file: &FileRef) -> Result<Fingerprint, Stop> {
        let now = self.folder.stat(&file.name)?;
        if now.kind == Kind::File && file.fp.same_file(&now) { Ok(now) } else { Err(Stop::Skip(Skip::Changed)) }
    }

    /// [`Exec::same`], and nobody locked it meanwhile.
    pub(super) fn ready(&self, file: &FileRef) -> Result<Fingerprint, Stop> {
        if (self.input.recheck.locked_now)(&file.name) {
            return Err(Stop::Skip(Skip::LockedNow));
        }
        self.same(file)
    }

    /// Unlinks a file for good, and with it the links that our run folders hold. Gives the bytes freed: 0 while somebody
    /// else's link keeps them.
    pub(super) fn unlink(&mut self, file: &FileRef) -> Result<u64, Stop> {
        let now = self.ready(file)?;
        self.folder.unlink(&file.name)?;
        let ours = if now.nlink > 1 { self.kept_links().release(&now) } else { 0 };
        Ok(if now.nlink.saturating_sub(1).saturating_sub(ours) == 0 { now.size } else { 0 })
    }

    /// Unlinks a file whose verified, durable copy is in the archive. The original is looked at again first.
    /// Copies are made in batches ([`Exec::pack_ahead`]); a file that has none yet is packed alone.
    pub(super) fn pack(&mut self, ix: usize, file: &FileRef) -> Result<u64, Stop> {
        self.packed(ix)?;
        self.unlink(file)
    }

    /// Makes sure that the copy of the file of `ix` is in the archive, and remembers where.
    pub(super) fn packed(&mut self, ix: usize) -> Result<(), Stop> {
        if !self.packed.contains_key(&ix) {
            self.pack_ahead(&[ix]);
        }
        let copy = self.packed.remove(&ix).unwrap_or_else(|| Err(Stop::Other("not packed".to_owned())))?;
        self.actual[ix] = Some(copy.into_os_string());
        Ok(())
    }

    /// Gives up our links in older run folders to a file that is gone for good.
    pub(super) fn release(&mut self, now: &Fingerprint) -> u32 {
        self.kept_links().release(now)
    }

    /// Makes copies for the first of `rest`, and for as many after it as fit into one batch, if that one is to be packed
    /// and has none yet. No original is touched.
    pub(super) fn pack_ahead(&mut self, rest: &[usize]) {
        let is_pack = |ix: &usize| matches!(self.effect(*ix).effect, Effect::PackThenUnlink { .. });
        if !rest.first().is_some_and(|ix| is_pack(ix) && !self.packed.contains_key(ix)) {
            return;
        }
        let batch: Vec<usize> =
            rest.iter().copied().filter(|ix| is_pack(ix) && self.outcomes[*ix].is_none()).take(PACK_BATCH).collect();
        let mut ready = Vec::new();
        for ix in batch {
            let Effect::PackThenUnlink { file, dest, .. } = &self.effect(ix).effect else { continue };
            match self.ready(file) {
                Ok(_) => ready.push((ix, file, dest)),
                Err(stop) => drop(self.packed.insert(ix, Err(stop))),
            }
        }
        let Some(pack) = self.input.pack else {
            for (ix, file, _) in ready {
                let why = format!("{}: no archive folder is open", file.name.display());
                self.packed.insert(ix, Err(Stop::Other(why)));
            }
            return;
        };
        let jobs: Vec<ToPack<'_>> =
            ready.iter().map(|(_, file, dest)| ToPack { folder: self.folder.path(), file, dest }).collect();
        let run = crate::journal::write::next_id(self.input.own_dir, self.input.ctx.run_time());
        let run = self.run_id.as_deref().unwrap_or(&run);
        let copies = pack(&jobs, run);
        for ((ix, ..), copy) in ready.into_iter().zip(copies) {
            self.packed.insert(ix, copy.map_err(|e| Stop::Other(e.to_string())));
        }
    }

    /// Tells whoever watches how far the work is.
    pub(super) fn progress(&self, what: &'static str, done: usize, total: usize) {
        if let Some(tell) = self.input.progress {
            tell(what, done as u64, total as u64);
        }
    }

    fn kept_links(&mut self) -> &mut KeptLinks {
        let input = self.input;
        self.links.get_or_insert_with(|| KeptLinks::scan(input.own_dir, &input.ctx.faults).unwrap_or_default())
    }

    /// Records how an effect ended.
    pub(super) fn settle(&mut self, ix: usize, result: Result<u64, Stop>) {
        self.outcomes[ix] = Some(match result {
            Ok(freed) => Outcome::Done { freed },
            // A file that is there is not gone, whatever the system said when it was to be taken.
            Err(Stop::Skip(Skip::Gone)) if self.is_there(ix) => {
                Outcome::Failed(format!("{}: not found, although it is there", self.subject(ix)))
            }
            Err(Stop::Skip(skip)) => Outcome::Skipped(skip),
            Err(Stop::Io(e)) => Outcome::Failed(format!("{}: {e}", self.subject(ix))),
            Err(Stop::Other(why)) => Outcome::Failed(why),
        });
    }

    fn is_there(&self, ix: usize) -> bool {
        file_of(&self.effect(ix).effect).is_some_and(|file| self.folder.stat(&file.name).is_ok())
    }

    fn subject(&self, ix: usize) -> String {
        match &self.effect(ix).effect {
            Effect::SwapIndex(s) => s.path.display().to_string(),
            Effect::ReplaceIndex(r) => r.swap.path.display().to_string(),
            Effect::Restore { to, .. }
            | Effect::Unpack { to, .. }
            | Effect::Create { to, .. }
            | Effect::MakeDir { name: to, .. } => self.folder.path().join(to).display().to_string(),
            Effect::MoveDir(dir) => dir.from.display().to_string(),
            other => {
                file_of(other).map_or_else(String::new, |f| self.folder.path().join(&f.name).display().to_string())
            }
        }
    }

    /// Every effect as the run folder records it.
    pub(super) fn lines(&self, insert: &[RunRow]) -> Vec<RunLine> {
        (0..self.outcomes.len()).map(|ix| self.line(ix, insert)).collect()
    }

    fn line(&self, ix: usize, insert: &[RunRow]) -> RunLine {
        let planned = self.effect(ix);
        let Label { key, id } = (self.input.label)(planned);
        let mut line = RunLine {
            seq: u32::try_from(ix).unwrap_or(u32::MAX),
            phase: planned.effect.phase(),
            op: op_of(&planned.effect),
            from: Raw::default(),
            to: None,
            replaces: None,
            fp: file_of(&planned.effect).map(|f| f.fp),
            drop: Vec::new(),
            insert: Vec::new(),
            purged: 0,
            reason: self.decision(ix).map(|d| d.reason.id().to_owned()),
            key,
            id,
        };
        if let Some(file) = file_of(&planned.effect) {
            line.from = Raw::of(&file.name);
        }
        match &planned.effect {
            Effect::ReplaceIndex(replace) => {
                let ReplaceIndex { swap, kept_as, .. } = &**replace;
                line.from = Raw::from(swap.path.as_path());
                line.fp = Some(swap.fp);
                line.drop.clone_from(&swap.drop);
                line.insert = insert.to_vec();
                line.to = kept_as.as_deref().map(Raw::of);
            }
            Effect::SwapIndex(swap) => {
                line.from = Raw::from(swap.path.as_path());
                line.fp = Some(swap.fp);
                line.drop.clone_from(&swap.drop);
                line.insert = insert.to_vec();
            }
            Effect::Move { file, to } => line.to = Some(Raw::of(&to.of(&file.name))),
            Effect::SetMode { mode, .. } => line.to = Some(Raw(format!("{mode:04o}").into_bytes())),
            Effect::PackThenUnlink { dest, .. } => line.to = Some(Raw::from(dest.as_path())),
            Effect::Restore { from, to, replaces } => {
                line.from = Raw::from(from.as_path());
                line.to = Some(Raw::of(to));
                line.replaces = replaces.as_deref().map(Raw::of);
                // After a rename back there is no other name left that says which file it was.
                line.fp = crate::fsx::read::lstat(from).ok();
            }
            Effect::Unpack { copy, to, .. } => {
                line.from = Raw::from(copy.as_path());
                line.to = Some(Raw::of(to));
            }
            Effect::Create { to, .. } => {
                line.from = Raw::of(to);
                line.to = Some(Raw::of(to));
            }
            Effect::MakeDir { name, .. } => line.from = Raw::of(name),
            Effect::MoveDir(dir) => {
                line.from = Raw::from(dir.from.as_path());
                line.to = Some(Raw::from(dir.to.as_path()));
                line.fp = Some(dir.fp);
            }
            Effect::Extract { to, .. } => line.to = Some(Raw::of(to)),
            Effect::Stow { .. }
            | Effect::Unlink { .. }
            | Effect::Rewrite { .. }
            | Effect::Splice { .. }
            | Effect::Backup { .. }
            | Effect::RemoveDir { .. }
            | Effect::Guard { .. } => {}
        }
        line
    }

    /// An outcome as the run folder records it.
    pub(super) fn record(&self, ix: usize) -> RunOutcome {
        let (result, freed, why) = match self.outcomes[ix].as_ref() {
            Some(Outcome::Done { freed }) => (RunResult::Done, *freed, None),
            Some(Outcome::UnlinkedForSpace { freed }) => (RunResult::UnlinkedForSpace, *freed, None),
            Some(Outcome::Skipped(skip)) => (RunResult::Skipped, 0, Some(skip_word(skip).to_owned())),
            Some(Outcome::Failed(why)) => (RunResult::Failed, 0, Some(why.clone())),
            Some(Outcome::NotReached) | None => (RunResult::NotReached, 0, None),
        };
        let to = self.actual[ix].as_deref().map(Raw::of);
        RunOutcome { seq: u32::try_from(ix).unwrap_or(u32::MAX), result, to, freed, why }
    }

    /// Audit line of an effect on a file.
    pub(super) fn audit_item(&self, ix: usize, run: &str) -> Option<Item> {
        let planned = self.effect(ix);
        let record = self.record(ix);
        if planned.effect.swap().is_some() || record.result == RunResult::NotReached {
            return None;
        }
        let Label { key, id } = (self.input.label)(planned);
        let unlinked = record.result == RunResult::UnlinkedForSpace;
        let (name, planned_to, bytes) = match &planned.effect {
            Effect::Move { file, .. } if unlinked => (&file.name, None, file.fp.size),
            Effect::Move { file, to } => (&file.name, Some(to.of(&file.name)), file.fp.size),
            Effect::Restore { to, replaces, .. } => (to, replaces.as_deref().map(Cow::Borrowed), 0),
            Effect::Unpack { to, content, .. } => (to, None, content.bytes),
            Effect::Create { to, content, .. } => (to, None, content.len() as u64),
            Effect::MakeDir { name, .. } => (name, None, 0),
            Effect::Extract { to, pieces, .. } => (to, None, super::splice::extracted_len(pieces)),
            other => file_of(other).map(|f| (&f.name, None, f.fp.size))?,
        };
        Some(Item {
            time: crate::units::time::iso(self.input.ctx.now()),
            run: run.to_owned(),
            op: op_word(if unlinked { RunOp::Unlink } else { op_of(&planned.effect) }),
            key,
            id,
            path: Some(Raw::from(self.folder.path().join(name).as_path())),
            bytes,
            reason: self.decision(ix).map(|d| d.reason.id().to_owned()),
            archive: record.to.or_else(|| planned_to.map(|t| Raw::of(&t))),
            outcome: match record.result {
                RunResult::Done => "done".to_owned(),
                RunResult::UnlinkedForSpace => "unlinked-for-space".to_owned(),
                _ => record.why.unwrap_or_default(),
            },
        })
    }
}

/// Whether taking this file does not depend on the index: nothing led to it when the plan was made.
pub(super) fn needs_no_index_change(decision: Option<&Decision>) -> bool {
    decision.is_some_and(|d| !matches!(d.reason, Reason::SessionRemoved | Reason::SidecarRemoved))
}

/// The file an effect works on.
pub(super) fn file_of(effect: &Effect) -> Option<&FileRef> {
    match effect {
        Effect::Move { file, .. }
        | Effect::Stow { file }
        | Effect::Unlink { file, .. }
        | Effect::PackThenUnlink { file, .. }
        | Effect::Rewrite { file, .. }
        | Effect::Backup { file }
        | Effect::Splice { file, .. }
        | Effect::Extract { file, .. }
        | Effect::RemoveDir { dir: file }
        | Effect::SetMode { file, .. }
        | Effect::Guard { file } => Some(file),
        Effect::SwapIndex(_)
        | Effect::ReplaceIndex(_)
        | Effect::Restore { .. }
        | Effect::Unpack { .. }
        | Effect::Create { .. }
        | Effect::MakeDir { .. }
        | Effect::MoveDir(_) => None,
    }
}

fn op_of(effect: &Effect) -> RunOp {
    match effect {
        Effect::SwapIndex(_) | Effect::ReplaceIndex(_) => RunOp::Swap,
        Effect::Move { .. } => RunOp::Move,
        Effect::Stow { .. } => RunOp::Stow,
        Effect::Unlink { .. } => RunOp::Unlink,
        Effect::PackThenUnlink { .. } => RunOp::Pack,
        Effect::Backup { .. } => RunOp::Backup,
        Effect::Rewrite { .. } | Effect::Splice { .. } => RunOp::Rewrite,
        Effect::Extract { .. } => RunOp::Create,
        Effect::Restore { .. } => RunOp::Restore,
        Effect::Unpack { .. } => RunOp::Unpack,
        Effect::SetMode { .. } => RunOp::Mode,
        Effect::Create { .. } => RunOp::Create,
        Effect::MakeDir { .. } => RunOp::MakeDir,
        Effect::RemoveDir { .. } => RunOp::RemoveDir,
        Effect::MoveDir(dir) if dir.link == DirLink::Leave => RunOp::MoveDirLinked,
        Effect::MoveDir(_) => RunOp::MoveDir,
        Effect::Guard { .. } => RunOp::Guard,
    }
}

pub(super) fn op_word(op: RunOp) -> &'static str {
    match op {
        RunOp::Swap => "swap",
        RunOp::Move => "move",
        RunOp::Stow => "stow",
        RunOp::Unlink => "unlink",
        RunOp::Pack => "pack",
        RunOp::Rewrite => "rewrite",
        RunOp::Backup => "backup",
        RunOp::Restore => "restore",
        RunOp::Unpack => "unpack",
        RunOp::Create => "create",
        RunOp::Mode => "mode",
        RunOp::MakeDir => "make-folder",
        RunOp::RemoveDir => "remove-folder",
        RunOp::MoveDir | RunOp::MoveDirLinked => "move-folder",
        RunOp::Guard => "guard",
    }
}

/// The word for a skip in records.
pub(super) fn skip_word(skip: &Skip) -> &'static str {
    match skip {
        Skip::Changed => "changed",
        Skip::Gone => "gone",
        Skip::OwnedNow => "owned-now",
        Skip::LockedNow => "locked-now",
        Skip::OwnerNow => "owner-now",
    }
}
