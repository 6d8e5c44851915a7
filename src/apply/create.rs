//! Phase 1: files come back before any row leads to them.
//!
//! All or nothing: if one file cannot come back, those that did are taken away again and the run ends before the index is
//! touched, because a row without its file is what this order is there to prevent.
//!
//! A compressed copy is unpacked into the run folder, compared with what its manifest says, made durable, and only then
//! linked under its own name: a name in the live folder never leads to half a file.

use std::ffi::{OsStr, OsString};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::state::Exec;
use super::{second_name, splice};
use crate::error::{Error, Result};
use crate::fsx::mutate::preserve::Attributes;
use crate::fsx::mutate::{Dir, cannot_link, is_full};
use crate::journal::write::Journal;
use crate::model::effect::{Effect, FileRef, PackedContent, Phase};
use crate::model::fingerprint::Fingerprint;
use crate::model::mend::Piece;
use crate::model::outcome::Outcome;
use crate::model::run::RunLine;

/// Free inodes below which a file comes back by a rename: enough for the record of the undo, with room to spare.
const FEW_INODES: u64 = 64;

/// Files that came back in this run.
#[derive(Debug, Default)]
pub(super) struct Created(Vec<Made>);

#[derive(Debug)]
struct Made {
    ix: usize,
    to: OsString,
    source: Dir,
    name: OsString,
    renamed: bool,
    /// A folder, and empty.
    dir: bool,
}

impl Made {
    /// Whether its bytes were written into the folder of this run: unpacked, made, or copied where no second name of the
    /// file itself can be had.
    fn is_written(&self, run: &Exec<'_>) -> bool {
        match &run.effect(self.ix).effect {
            Effect::Unpack { .. } | Effect::Create { .. } | Effect::Extract { .. } => true,
            Effect::Restore { from, .. } => {
                from.parent() == Some(run.folder.path()) && from.file_name() != Some(&*self.name)
            }
            _ => false,
        }
    }
}

impl Created {
    /// Restores every file of the plan.
    ///
    /// # Errors
    /// The first failure; everything is taken back then.
    pub(super) fn run(run: &mut Exec<'_>, journal: &Journal) -> Result<Self> {
        let mut created = Self::default();
        for ix in run.open_effects(|e| e.phase() == Phase::Create) {
            let made = match &run.effect(ix).effect {
                Effect::Restore { from, to, replaces } => restore(run, journal, ix, (from, to, replaces.as_deref()))
                    .map_err(|e| Error::io("restore", &run.folder.path().join(to), e)),
                Effect::Unpack { copy, content, to } => unpack(run, journal, ix, copy, content, to),
                Effect::Create { to, content, mode } => write_new(run, journal, ix, to, content, *mode)
                    .map_err(|e| Error::io("create", &run.folder.path().join(to), e)),
                Effect::MakeDir { name, mode } => make_dir(run, journal, ix, name, *mode)
                    .map_err(|e| Error::io("create", &run.folder.path().join(name), e)),
                Effect::Extract { file, pieces, to } => extract(run, journal, ix, file, (pieces, None), to)
                    .map_err(|e| Error::io("make", &run.folder.path().join(to), e)),
                _ => continue,
            };
            match made {
                Ok(made) => created.0.push(made),
                Err(error) => {
                    created.roll_back(run);
                    return Err(match (&run.effect(ix).effect, run.input.undoes) {
                        (Effect::Unpack { .. }, _) => {
                            error.hint("clawkeep sessions restore --list KEY  (an older copy may be whole)")
                        }
                        (_, Some(id)) => error.hint(format!("clawkeep sessions undo {id} --dry-run")),
                        _ => error,
                    });
                }
            }
            run.outcomes[ix] = Some(Outcome::Done { freed: 0 });
        }
        if !created.0.is_empty()
            && let Err(e) = run.folder.sync()
        {
            created.roll_back(run);
            return Err(Error::io("sync", run.folder.path(), e));
        }
        Ok(created)
    }

    /// Takes everything back.
    pub(super) fn roll_back(&self, run: &mut Exec<'_>) {
        for made in &self.0 {
            run.outcomes[made.ix] = None;
            let _ = if made.dir {
                run.folder.rmdir(&made.to)
            } else if made.renamed {
                run.folder.rename(&made.to, &made.source, &made.name)
            } else {
                // Only while the run folder still has it.
                if same(run, made) { run.folder.unlink(&made.to) } else { Ok(()) }
            };
        }
    }

    /// Takes back the copies of files whose content was to be replaced and is still the old one: without the new content
    /// they are of no use, and on a full disk in the way.
    pub(super) fn drop_idle_copies(&mut self, run: &mut Exec<'_>) {
        let is_idle = |ix: usize| match &run.effect(ix).effect {
            Effect::Splice { file, source: None, .. } => {
                let failed = run.outcomes[ix].as_ref().is_none_or(|outcome| outcome.freed().is_none());
                // After an exchange that could not be taken back it would be another file.
                let old = |now: Fingerprint| (now.dev, now.ino) == (file.fp.dev, file.fp.ino) && now.ino != 0;
                (failed && run.folder.stat(&file.name).is_ok_and(old)).then(|| file.name.clone())
            }
            _ => None,
        };
        let idle: Vec<OsString> = (0..run.outcomes.len()).filter_map(is_idle).collect();
        let is_copy = |made: &Made| match &run.effect(made.ix).effect {
            Effect::Restore { from, .. } => idle.iter().any(|name| *from == run.folder.path().join(name)),
            Effect::Extract { file, .. } => idle.contains(&file.name),
            _ => false,
        };
        let (idle, rest) = self.0.drain(..).partition(is_copy);
        self.0 = rest;
        let idle = Self(idle);
        idle.roll_back(run);
        for made in &idle.0 {
            // What was written for it in the run folder goes, too.
            if made.is_written(run) && run.folder.stat(&made.to).is_err() {
                drop(made.source.unlink(&made.name));
            }
        }
    }

    /// Second names of files that are back under their own go, durably before the run is closed (nobody looks at the names
    /// of a closed run again): archive names, and what was unpacked in the run folder.
    pub(super) fn drop_spares(&self, run: &mut Exec<'_>) {
        if self.0.is_empty() {
            return;
        }
        for made in &self.0 {
            match &run.effect(made.ix).effect {
                Effect::Restore { replaces: Some(archive), .. } => {
                    if run.folder.stat(archive).is_err() {
                        continue;
                    }
                    // Once more, if it fails: nobody comes back for it, and it would expire as if it were the only name.
                    let unlink = || run.folder.unlink(archive);
                    let why = match second_name::is_one(&run.folder, &made.to, archive) {
                        true => unlink().or_else(|_| unlink()).err().map(|e| e.to_string()),
                        false => Some("it does not hold the same".to_owned()),
                    };
                    if let Some(why) = why {
                        let shown = archive.display();
                        run.warnings.push(format!("{shown} is still there beside its restored file: {why}"));
                    }
                }
                // Otherwise it goes with the run folder.
                _ if made.is_written(run) && !made.renamed && same(run, made) => {
                    drop(made.source.unlink(&made.name));
                }
                _ => {}
            }
        }
        if let Err(e) = run.folder.sync() {
            run.warnings.push(format!("{} could not be made durable: {e}", run.folder.path().display()));
        }
    }
}

fn same(run: &Exec<'_>, made: &Made) -> bool {
    match (run.folder.stat(&made.to), made.source.stat(&made.name)) {
        (Ok(a), Ok(b)) => (a.dev, a.ino) == (b.dev, b.ino),
        _ => false,
    }
}

/// Brings a file back: as a second name of what the run folder has, else under the archive name it has now, which goes in
/// any case. The run renamed it there, so whoever could do that can rename it back, also where no link can be made: of a
/// file of another user, or with no inode left for one. It keeps its owner and its times then.
fn restore(
    run: &Exec<'_>,
    journal: &Journal,
    ix: usize,
    (from, to, replaces): (&Path, &OsStr, Option<&OsStr>),
) -> io::Result<Made> {
    let (Some(parent), Some(name)) = (from.parent(), from.file_name()) else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    let source = Dir::open(parent, run.folder.faults())?;
    let archive = replaces.filter(|archive| is_one_file((&source, name), (&run.folder, archive)));
    let rename = |archive: &OsStr| -> io::Result<Made> {
        let folder = Dir::open(run.folder.path(), run.folder.faults())?;
        folder.rename(archive, &run.folder, to)?;
        Ok(Made { ix, to: to.to_owned(), source: folder, name: archive.to_owned(), renamed: true, dir: false })
    };
    // Where a link may cost an inode, those that are left are for the record.
    if let Some(archive) = archive.filter(|_| run.folder.free_inodes().is_some_and(|free| free < FEW_INODES)) {
        return rename(archive);
    }
    let is_here = parent == run.folder.path();
    match (source.link(name, &run.folder, to), archive) {
        (Ok(()), _) => Ok(Made { ix, to: to.to_owned(), source, name: name.to_owned(), renamed: false, dir: false }),
        (Err(e), Some(archive)) if cannot_link(&e) || is_full(&e) => match rename(archive) {
            Err(e) if cannot_link(&e) && is_here => copy(run, journal, ix, name, to),
            other => other,
        },
        // A file of the live folder must never lose its own name to the second one.
        (Err(e), None) if cannot_link(&e) && is_here => copy(run, journal, ix, name, to),
        (Err(e), None) if (cannot_link(&e) || is_full(&e)) && !is_here => {
            source.rename(name, &run.folder, to)?;
            Ok(Made { ix, to: to.to_owned(), source, name: name.to_owned(), renamed: true, dir: false })
        }
        (Err(e), _) => Err(e),
    }
}

/// Whether two names lead to the same file, where that can be told.
fn is_one_file(a: (&Dir, &OsStr), b: (&Dir, &OsStr)) -> bool {
    match (a.0.stat(a.1), b.0.stat(b.1)) {
        (Ok(a), Ok(b)) => (a.dev, a.ino) == (b.dev, b.ino) && a.ino != 0,
        _ => false,
    }
}

/// A copy of a file of the folder, where no second name can be had. Its times are what ages go by.
fn copy(run: &Exec<'_>, journal: &Journal, ix: usize, name: &OsStr, to: &OsStr) -> io::Result<Made> {
    let fp = run.folder.stat(name)?;
    let whole = Piece { at: 0, len: fp.size, newline: false };
    extract(run, journal, ix, &FileRef { name: name.to_owned(), fp }, (&[whole], Some(fp.mtime_ns)), to)
}

/// Links `name` of `source` into the folder, or renames it where no link can be made.
fn give(run: &Exec<'_>, ix: usize, source: Dir, name: &OsStr, to: &OsStr) -> io::Result<Made> {
    let renamed = match source.link(name, &run.folder, to) {
        Err(e) if cannot_link(&e) => {
            source.rename(name, &run.folder, to)?;
            true
        }
        other => {
            other?;
            false
        }
    };
    Ok(Made { ix, to: to.to_owned(), source, name: name.to_owned(), renamed, dir: false })
}

/// A new file: whole and durable in the run folder before it gets its name.
fn write_new(run: &Exec<'_>, journal: &Journal, ix: usize, to: &OsStr, content: &[u8], mode: u32) -> io::Result<Made> {
    let name = RunLine::unpacked_name(u32::try_from(ix).unwrap_or(u32::MAX));
    let mut file = journal.files().create(&name, 0o600)?;
    file.write_all(content)?;
    if let Some((uid, gid)) = crate::fsx::mutate::hand_over(&run.folder.stat_self()?) {
        file.set_owner(uid, gid)?;
    }
    file.set_mode(mode & 0o777)?;
    file.sync()?;
    drop(file);
    let files = journal.dir().sub(crate::journal::write::FILES)?;
    give(run, ix, files, OsStr::new(&name), to)
}

fn make_dir(run: &Exec<'_>, journal: &Journal, ix: usize, name: &OsStr, mode: u32) -> io::Result<Made> {
    run.folder.mkdir(name, mode)?;
    let source = journal.dir().sub(crate::journal::write::FILES)?;
    Ok(Made { ix, to: name.to_owned(), source, name: OsString::new(), renamed: false, dir: true })
}

fn unpack(
    run: &Exec<'_>,
    journal: &Journal,
    ix: usize,
    copy: &Path,
    content: &PackedContent,
    to: &OsStr,
) -> Result<Made> {
    let shown = run.folder.path().join(to);
    let failed = |e| Error::io("restore", &shown, e);
    let name = RunLine::unpacked_name(u32::try_from(ix).unwrap_or(u32::MAX));
    let mut file = journal.files().create(&name, 0o600).map_err(failed)?;
    file.allocate(content.bytes).map_err(failed)?;
    let mut out = BufWriter::with_capacity(1 << 18, &mut file);
    let digest = crate::archive::read(copy, &mut out)?;
    out.flush().map_err(failed)?;
    drop(out);
    if (digest.bytes, &digest.sha256) != (content.bytes, &content.sha256) {
        let why = format!("{} does not hold what its manifest says; nothing was changed", copy.display());
        return Err(Error::failed(why).hint("clawkeep sessions restore --list shows other copies"));
    }
    // The folder says whose file it is; the manifest, who may read it.
    let owner = run.folder.stat_self().map_err(failed)?;
    if let Some((uid, gid)) = crate::fsx::mutate::hand_over(&owner) {
        file.set_owner(uid, gid).map_err(failed)?;
    }
    file.set_mode(if content.mode == 0 { 0o600 } else { content.mode & 0o777 }).map_err(failed)?;
    file.set_mtime_ns(content.mtime_ms.saturating_mul(1_000_000)).map_err(failed)?;
    file.sync().map_err(failed)?;
    drop(file);
    let files = journal.dir().sub(crate::journal::write::FILES).map_err(failed)?;
    give(run, ix, files, OsStr::new(&name), to).map_err(failed)
}

/// Writes pieces of a file into the run folder, durably, and gives them their name from there.
fn extract(
    run: &Exec<'_>,
    journal: &Journal,
    ix: usize,
    file: &FileRef,
    (pieces, mtime_ns): (&[Piece], Option<i64>),
    to: &OsStr,
) -> io::Result<Made> {
    let mut source = run.folder.open_file(&file.name)?;
    if !file.fp.same_file(&crate::fsx::mutate::stat_file(&source)?) {
        return Err(io::Error::other(format!("{} was changed meanwhile", file.name.display())));
    }
    let name = RunLine::unpacked_name(u32::try_from(ix).unwrap_or(u32::MAX));
    let mut new = journal.files().create(&name, 0o600)?;
    new.allocate(splice::extracted_len(pieces))?;
    splice::extract(&mut source, pieces, &mut new)?;
    // Whoever may read the transcript may read what was in it; what cannot be given leaves it with its owner alone.
    let _ = Attributes::of(&source)?.give_to(&new)?;
    if let Some(ns) = mtime_ns {
        new.set_mtime_ns(ns)?;
    }
    new.sync()?;
    drop(new);
    let files = journal.dir().sub(crate::journal::write::FILES)?;
    give(run, ix, files, OsStr::new(&name), to)
}
