//! Phase 3: the files of rows that left, and files that nothing leads to.
//!
//! The order inside the phase: who owns the files now; hard links into the run folder, made durable in one go; then one
//! rename or unlink after the other, each after a last look at its file and its lock; those that found no room once more
//! after everything else; then who owns the files now, again: what a row leads to by then is moved back.
//!
//! # Beside a gateway
//! A files-only run may have a writer beside it. Then all of this happens in small batches, each with an answer of its own
//! to who owns the files; what is unlinked for good keeps a link in the run folder until its batch was looked at again; and
//! the lock of a transcript is looked at once more after its name was taken: a writer that came in between takes the lock
//! before it writes, so that either it is seen, or it finds no file.
//!
//! We do not take that lock ourselves here. A lock keeps a writer out of a file that it is about to write to; these files
//! were written to by nobody for half an hour ([`crate::model::policy::BUSY`]) and no row leads to them, and for such files
//! the ownership that is asked for again decides (SAFETY 5). It would not help either: one rename cannot tear a transcript,
//! and a writer that waited for our lock would find no file afterwards, as it does without it. What it would cost is real:
//! a lock file made and removed for each orphan, in a folder that the gateway watches, and a stale one after a crash, for
//! which the gateway waits a minute.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::Path;

use super::displaced;
use super::splice;
use super::state::{Exec, Stop, file_of};
use crate::fsx::mutate::preserve::Attributes;
use crate::fsx::mutate::{Dir, cannot_link, is_full};
use crate::journal::write::Journal;
use crate::model::effect::{Effect, FileRef, Phase};
use crate::model::fingerprint::Kind;
use crate::model::mend::Edit;
use crate::model::outcome::{Outcome, Skip};
use crate::units::time::{parse_stamp, stamp};

/// How far a stamp may grow before a name counts as taken.
const STAMP_TRIES: u32 = 1000;

/// Runs phase 3. Single failures are outcomes.
pub(super) fn run(run: &mut Exec<'_>, journal: &mut Journal) {
    let mut batch = run.open_effects(|e| e.phase() == Phase::Remove);
    if batch.is_empty() || run.cancelled() {
        return;
    }
    if let Some((why, _)) = run.owner_stop() {
        run.warnings.push(format!("files were left alone: {why}"));
        for ix in batch {
            run.outcomes[ix] = Some(Outcome::Skipped(Skip::OwnerNow));
        }
        return;
    }
    // Neither takes the file away from whoever owns it.
    let stays: Vec<usize> = batch.extract_if(.., |ix| stays(&run.effect(*ix).effect)).collect();
    run.drop_owned(&mut batch);
    batch.extend(stays);
    batch.sort_unstable();
    let size = run.batch(batch.len());
    let mut pass = Pass { run, journal, unlinkable: BTreeSet::new(), no_room: Vec::new() };
    for (at, part) in batch.chunks(size).enumerate() {
        let mut part = part.to_vec();
        if at > 0 {
            pass.run.drop_owned(&mut part);
        }
        pass.keep_all(&part);
        pass.act_all(&part);
        pass.look_again(&part);
        pass.carry_over(&part);
        pass.let_go(&part);
    }
    // Files without a hard link were renamed into the run folder. Where they arrived is made durable before where they
    // left: a file system without links may make a rename durable in two steps.
    let arrived = if pass.unlinkable.is_empty() { Ok(()) } else { pass.journal.files().sync() };
    if let Err(e) = arrived.and_then(|()| pass.run.folder.sync()) {
        pass.run.warnings.push(format!("{} could not be made durable: {e}", pass.run.folder.path().display()));
    }
}

pub(super) struct Pass<'r, 'a> {
    pub(super) run: &'r mut Exec<'a>,
    pub(super) journal: &'r mut Journal,
    /// Effects whose file cannot have a hard link.
    unlinkable: BTreeSet<usize>,
    /// Effects that found no room and are tried once more.
    no_room: Vec<usize>,
}

impl Pass<'_, '_> {
    /// Hard links of everything that is to be kept, durable before the first name goes.
    fn keep_all(&mut self, batch: &[usize]) {
        for ix in batch {
            self.keep(*ix);
        }
        if let Err(e) = self.journal.files().sync() {
            let why = format!("{}: {e}", self.journal.files().path().display());
            for ix in batch {
                self.run.outcomes[*ix].get_or_insert_with(|| Outcome::Failed(why.clone()));
            }
        }
    }

    fn keep(&mut self, ix: usize) {
        let file = match &self.run.effect(ix).effect {
            Effect::Move { file, .. }
            | Effect::Stow { file }
            | Effect::Rewrite { file, .. }
            | Effect::Splice { file, .. } => file,
            Effect::Unlink { file, .. } | Effect::PackThenUnlink { file, .. } if self.run.beside() => file,
            _ => return,
        };
        let file = &file.clone();
        // Some readers refuse a file that has two names, for however short: a configuration is copied.
        let copies = matches!(self.run.effect(ix).effect, Effect::Rewrite { .. })
            && (self.run.input.undoes.is_some() || self.backup_of(file).is_some());
        let kept = if copies { self.keep_copy(ix, file) } else { self.keep_link(ix, file) };
        match kept {
            Ok(()) => {}
            Err(Stop::Io(e)) if is_full(&e) => self.no_room.push(ix),
            Err(stop) => self.settle(ix, Err(stop)),
        }
    }

    fn keep_link(&mut self, ix: usize, file: &FileRef) -> Result<(), Stop> {
        self.run.same(file)?;
        match self.run.folder.link(&file.name, self.journal.files(), kept_name(ix)) {
            Err(e) if cannot_link(&e) => {
                self.unlinkable.insert(ix);
                match self.run.effect(ix).effect {
                    Effect::Rewrite { .. } => self.keep_copy(ix, file),
                    _ => Ok(()),
                }
            }
            other => other.map_err(Stop::from),
        }
    }

    fn keep_copy(&mut self, ix: usize, file: &FileRef) -> Result<(), Stop> {
        self.run.same(file)?;
        let content = self.run.folder.read(&file.name)?;
        self.run.same(file)?;
        let to = kept_name(ix);
        write_copy((&self.run.folder, &file.name), (self.journal.files(), to.as_ref()), &content)?;
        Ok(())
    }

    fn act_all(&mut self, batch: &[usize]) {
        for (at, &ix) in batch.iter().enumerate() {
            if self.run.cancelled() {
                return;
            }
            self.run.progress("moving files", at, batch.len());
            self.run.pack_ahead(&batch[at..]);
            if self.run.outcomes[ix].is_none() && !self.no_room.contains(&ix) {
                self.act(ix, true);
            }
        }
        // Names removed meanwhile may have made room. A rename never turns into an unlink.
        for ix in std::mem::take(&mut self.no_room) {
            if self.run.cancelled() {
                return;
            }
            if self.journal.files().stat(kept_name(ix)).is_err() {
                self.keep(ix);
                if let Err(e) = self.journal.files().sync() {
                    self.settle(ix, Err(Stop::Io(e)));
                }
            }
            if self.no_room.contains(&ix) {
                self.settle(ix, Err(Stop::Io(io::ErrorKind::StorageFull.into())));
            } else if self.run.outcomes[ix].is_none() {
                self.act(ix, false);
            }
        }
    }

    fn act(&mut self, ix: usize, may_retry: bool) {
        let result = match &self.run.effect(ix).effect {
            Effect::Move { file, to } => self.rename(ix, file, &to.of(&file.name)),
            Effect::Stow { file } => self.stow(ix, file),
            Effect::Rewrite { file, content } => self.rewrite(ix, file, content),
            // Made with the rewrite of the same file, once that stands.
            Effect::Backup { .. } => return,
            Effect::Splice { file, source, edits } => self.splice(ix, file, source.as_deref(), edits),
            Effect::SetMode { file, mode } => self.set_mode(file, *mode),
            Effect::Unlink { file, .. } if self.run.beside() => self.stow(ix, file),
            Effect::PackThenUnlink { file, .. } if self.run.beside() => {
                self.run.packed(ix).and_then(|()| self.stow(ix, file))
            }
            Effect::Unlink { file, .. } => self.run.unlink(file),
            Effect::PackThenUnlink { file, .. } => self.run.pack(ix, file),
            Effect::RemoveDir { dir } => self.run.folder.rmdir(&dir.name).map(|()| 0).map_err(Stop::from),
            Effect::MoveDir(dir) => super::move_dir::run(&self.run.folder, dir).map(|()| 0),
            Effect::SwapIndex(_)
            | Effect::ReplaceIndex(_)
            | Effect::Restore { .. }
            | Effect::Unpack { .. }
            | Effect::Create { .. }
            | Effect::MakeDir { .. }
            | Effect::Extract { .. }
            | Effect::Guard { .. } => return,
        };
        match result {
            Err(Stop::Io(e)) if may_retry && is_full(&e) => self.no_room.push(ix),
            other => self.settle(ix, other),
        }
    }

    /// Records an outcome. A kept link of something that was not taken is given up: it would keep bytes alive that belong
    /// to somebody else.
    pub(super) fn settle(&mut self, ix: usize, result: Result<u64, Stop>) {
        let taken = result.is_ok();
        self.run.settle(ix, result);
        self.journal.note(&self.run.record(ix));
        self.run.noted.insert(ix);
        let still_there =
            file_of(&self.run.effect(ix).effect).is_some_and(|file| self.run.folder.stat(&file.name).is_ok());
        if !taken && still_there {
            let _ = self.journal.files().unlink(kept_name(ix));
        }
        self.no_backup_without_rewrite(ix);
    }

    fn rename(&mut self, ix: usize, file: &FileRef, to: &OsStr) -> Result<u64, Stop> {
        self.run.ready(file)?;
        let to = rename_free(&self.run.folder, &file.name, to)?;
        let now = self.run.folder.stat(&to)?;
        if !file.fp.same_file(&now) {
            // Somebody put another file there between the look and the rename.
            self.run.folder.rename(&to, &self.run.folder, &file.name)?;
            return Err(Stop::Skip(Skip::Changed));
        }
        if self.run.beside() && (self.run.input.recheck.locked_now)(&file.name) {
            match self.run.folder.rename(&to, &self.run.folder, &file.name) {
                Ok(()) => return Err(Stop::Skip(Skip::LockedNow)),
                Err(e) => self.began_anew(file, &e),
            }
        }
        let planned =
            matches!(&self.run.effect(ix).effect, Effect::Move { to: planned, .. } if *planned.of(&file.name) == *to);
        if !planned {
            self.run.actual[ix] = Some(to);
        }
        Ok(0)
    }

    fn stow(&mut self, ix: usize, file: &FileRef) -> Result<u64, Stop> {
        self.run.ready(file)?;
        let kept = kept_name(ix);
        if self.unlinkable.contains(&ix) {
            self.run.folder.rename(&file.name, self.journal.files(), &kept)?;
            return Ok(0);
        }
        match self.journal.files().stat(&kept) {
            Ok(link) if file.fp.same_file(&link) => self.run.folder.unlink(&file.name)?,
            _ => return Err(Stop::Skip(Skip::Changed)),
        }
        if self.run.beside() && (self.run.input.recheck.locked_now)(&file.name) {
            match self.journal.files().link(&kept, &self.run.folder, &file.name) {
                Ok(()) => return Err(Stop::Skip(Skip::LockedNow)),
                Err(e) => self.began_anew(file, &e),
            }
        }
        Ok(0)
    }

    /// A writer locked a transcript while its name was being taken, found no file, and began a new one.
    fn began_anew(&mut self, file: &FileRef, e: &io::Error) {
        self.run.warnings.push(format!(
            "{} was locked while it was being taken and could not be put back; what it held is kept: {e}",
            file.name.display()
        ));
    }

    /// Replaces the content of a file; the old content stays in the run folder, and beside it if the plan says so.
    fn rewrite(&mut self, ix: usize, file: &FileRef, content: &[u8]) -> Result<u64, Stop> {
        self.run.ready(file)?;
        if self.journal.files().stat(kept_name(ix)).is_err() {
            return Err(Stop::Other(format!("{}: its old content could not be kept", file.name.display())));
        }
        let temp = OsString::from(format!(".clawkeep-{}-{}.tmp", self.journal.id(), kept_name(ix)));
        let mut displaced = false;
        let exchanged = self.put_in_place(&temp, file, content, &mut displaced);
        if displaced {
            return Err(displaced::keep(&self.run.folder, self.journal.dir(), &temp, &file.name, ix));
        }
        if let (Ok(exchanged), Some(backup)) = (&exchanged, self.backup_of(file)) {
            self.back_up(backup, file, exchanged.then_some(&*temp), ix);
        }
        // Ours, or the old file, of which the run folder has a link or a copy.
        let _ = self.run.folder.unlink(&temp);
        exchanged.map(|_| 0)
    }

    /// Puts new content in the place of a file. `true` if the old file has the temp name then. `displaced` is set where it
    /// is the text of somebody else that has it and could not go back.
    fn put_in_place(&self, temp: &OsStr, file: &FileRef, content: &[u8], displaced: &mut bool) -> Result<bool, Stop> {
        let folder = &self.run.folder;
        let lost = write_beside(folder, temp, &file.name, content)?;
        if !lost.is_empty() && !self.run.input.overrides.iter().any(|o| o == "owner-change") {
            return Err(Stop::Other(format!("{}: could not keep its {}", file.name.display(), lost.join(", "))));
        }
        let ours = folder.stat(temp)?;
        self.run.same(file)?;
        folder.faults().pause("before-exchange");
        if !folder.exchange(temp, &file.name)? {
            folder.replace(temp, &file.name)?;
            return Ok(false);
        }
        if folder.stat(temp).is_ok_and(|old| file.fp.same_file(&old)) {
            return Ok(true);
        }
        *displaced = !displaced::go_back(folder, temp, &file.name, &ours);
        Err(Stop::Skip(Skip::Changed))
    }

    /// Replaces the content of a transcript, streamed; the old content stays in the run folder.
    fn splice(&self, ix: usize, file: &FileRef, source: Option<&Path>, edits: &[Edit]) -> Result<u64, Stop> {
        self.run.ready(file)?;
        let kept = kept_name(ix);
        let keep = self.unlinkable.contains(&ix).then(|| (self.journal.files(), &*kept));
        let temp = splice::temp_name(self.journal.id(), &kept);
        let put_away = || displaced::keep(&self.run.folder, self.journal.dir(), &temp, &file.name, ix);
        splice::splice(self.run, &splice::Splice { file, source, edits, temp: &temp, keep }, put_away)
    }

    fn set_mode(&self, file: &FileRef, mode: u32) -> Result<u64, Stop> {
        if file.fp.kind == Kind::Dir {
            let dir = self.run.folder.sub(&file.name)?;
            let now = dir.stat_self()?;
            if (now.dev, now.ino, now.mode) != (file.fp.dev, file.fp.ino, file.fp.mode) {
                return Err(Stop::Skip(Skip::Changed));
            }
            dir.set_mode(mode)?;
            return Ok(0);
        }
        self.run.same(file)?;
        let open = self.run.folder.open_write(&file.name, true)?;
        if !file.fp.same_file(&open.stat()?) {
            return Err(Stop::Skip(Skip::Changed));
        }
        open.set_mode(mode)?;
        Ok(0)
    }

    /// Those of `batch` that were taken.
    pub(super) fn taken(&self, batch: &[usize], wanted: impl Fn(&Effect) -> bool) -> Vec<usize> {
        let done = |ix: &usize| self.run.outcomes[*ix].as_ref().is_some_and(|o| o.freed().is_some());
        batch.iter().copied().filter(done).filter(|ix| wanted(&self.run.effect(*ix).effect)).collect()
    }

    /// A writer may have come to own a file while it was being taken: it gets it back.
    fn look_again(&mut self, batch: &[usize]) {
        let takes = |e: &Effect| {
            e.phase() == Phase::Remove
                && !matches!(
                    e,
                    Effect::Rewrite { .. } | Effect::Splice { .. } | Effect::Backup { .. } | Effect::SetMode { .. }
                )
        };
        let done = self.taken(batch, takes);
        if done.is_empty() {
            return;
        }
        self.run.folder.faults().pause("before-last-look");
        let owned = match self.run.owned(&done, |e| file_of(e).map(|f| f.name.clone())) {
            Ok(owned) => owned,
            Err(why) => return self.run.warnings.push(why),
        };
        for (ix, _) in done.into_iter().zip(owned).filter(|(_, owned)| *owned) {
            self.give_back(ix);
        }
    }

    fn give_back(&mut self, ix: usize) {
        let folder = &self.run.folder;
        let renamed = matches!(self.run.outcomes[ix], Some(Outcome::Done { .. }));
        let (name, result) = match &self.run.effect(ix).effect {
            Effect::Move { file, to } if renamed => {
                let planned = to.of(&file.name);
                let at = self.run.actual[ix].as_deref().unwrap_or(&planned);
                (&file.name, folder.rename(at, folder, &file.name))
            }
            Effect::Stow { file } | Effect::Unlink { file, .. } | Effect::PackThenUnlink { file, .. }
                if self.unlinkable.contains(&ix) =>
            {
                (&file.name, self.journal.files().rename(kept_name(ix), folder, &file.name))
            }
            Effect::Stow { file } => (&file.name, self.journal.files().link(kept_name(ix), folder, &file.name)),
            Effect::Unlink { file, .. } | Effect::PackThenUnlink { file, .. } if self.run.beside() => {
                (&file.name, self.journal.files().link(kept_name(ix), folder, &file.name))
            }
            other => {
                let name = file_of(other).map(|f| f.name.display().to_string()).unwrap_or_default();
                self.run.warnings.push(format!("a session has come to use {name}, which was removed"));
                return;
            }
        };
        let shown = name.display().to_string();
        match result {
            Ok(()) => {
                self.run.actual[ix] = None;
                self.settle(ix, Err(Stop::Skip(Skip::OwnedNow)));
            }
            Err(e) => {
                self.run.warnings.push(format!("a session has come to use {shown}; it could not be put back: {e}"))
            }
        }
    }
}

/// Writes `content` as a new file with the attributes of another, as far as they can be carried over. What cannot be
/// written whole leaves no name.
pub(super) fn write_copy(like: (&Dir, &OsStr), to: (&Dir, &OsStr), content: &[u8]) -> Result<u64, Stop> {
    let mut file = to.0.create(to.1, 0o600)?;
    let mut fill = || {
        file.allocate(content.len() as u64)?;
        file.write_all(content)?;
        // A copy is nobody else's to read than the file was.
        if !Attributes::of(&like.0.open_file(like.1)?)?.give_to(&file)?.is_empty() {
            file.set_mode(0o600)?;
        }
        file.sync()
    };
    if let Err(e) = fill() {
        let _ = to.0.unlink(to.1);
        return Err(e.into());
    }
    Ok(0)
}

fn stays(effect: &Effect) -> bool {
    matches!(effect, Effect::SetMode { .. } | Effect::Splice { .. })
}

pub(super) fn kept_name(ix: usize) -> String {
    format!("{ix:06}")
}

/// Renames without replacing; while the name is taken its stamp grows by a millisecond.
pub(super) fn rename_free(folder: &Dir, from: &OsStr, to: &OsStr) -> io::Result<OsString> {
    let mut to = to.to_owned();
    for _ in 0..STAMP_TRIES {
        match folder.rename(from, folder, &to) {
            Ok(()) => return Ok(to),
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => match later(&to) {
                Some(next) => to = next,
                None => return Err(e),
            },
            Err(e) => return Err(e),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// The same archive name, one millisecond later. `None` if the name does not end in a stamp.
fn later(name: &OsStr) -> Option<OsString> {
    let bytes = name.as_encoded_bytes();
    let at = bytes.len().checked_sub(24)?;
    let next = stamp(parse_stamp(&bytes[at..])? + 1);
    let mut out = bytes[..at].to_vec();
    out.extend_from_slice(next.as_bytes());
    Some(crate::model::run::Raw(out).to_os())
}

/// Writes a file with the attributes of `like` beside it. Gives what could not be carried over.
fn write_beside(folder: &Dir, temp: &OsStr, like: &OsStr, content: &[u8]) -> Result<Vec<String>, Stop> {
    let mut file = folder.create(temp, 0o600)?;
    file.allocate(content.len() as u64)?;
    file.write_all(content)?;
    let lost = Attributes::of(&folder.open_file(like)?)?.give_to(&file)?;
    file.sync()?;
    Ok(lost)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_grows_by_a_millisecond() {
        let next = |n: &str| later(OsStr::new(n)).map(|n| n.into_string().unwrap());
        assert_eq!(
            next("a.jsonl.deleted.2026-05-01T08-00-00.999Z").as_deref(),
            Some("a.jsonl.deleted.2026-05-01T08-00-01.000Z")
        );
        assert_eq!(next("a.jsonl"), None);
        assert_eq!(next("a-name-that-is-longer-than-a-stamp.jsonl"), None);
    }
}
