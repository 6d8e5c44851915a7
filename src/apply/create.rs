//! Phase 1: files come back before any row leads to them.
//!
//! All or nothing: if one file cannot come back, those that did are taken away again and the run ends before the index is
//! touched, because a row without its file is what this order is there to prevent.

use std::ffi::OsString;
use std::io;
use std::path::Path;

use super::state::Exec;
use crate::error::{Error, Result};
use crate::fsx::mutate::{Dir, cannot_link};
use crate::model::effect::Effect;
use crate::model::outcome::Outcome;

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
}

impl Created {
    /// Restores every file of the plan.
    ///
    /// # Errors
    /// The first failure; everything is taken back then.
    pub(super) fn run(run: &mut Exec<'_>) -> Result<Self> {
        let mut created = Self::default();
        for ix in run.open_effects(|e| matches!(e, Effect::Restore { .. })) {
            let Effect::Restore { from, to, .. } = &run.effect(ix).effect else { continue };
            match restore(run, ix, from, to) {
                Ok(made) => created.0.push(made),
                Err(e) => {
                    created.roll_back(run);
                    let path = run.folder.path().join(to);
                    let error = Error::io("restore", &path, e);
                    return Err(error.hint("clawkeep sessions undo --dry-run"));
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
            let _ = if made.renamed {
                run.folder.rename(&made.to, &made.source, &made.name)
            } else {
                let same = match (run.folder.stat(&made.to), made.source.stat(&made.name)) {
                    (Ok(a), Ok(b)) => (a.dev, a.ino) == (b.dev, b.ino),
                    _ => false,
                };
                // Only while the run folder still has it.
                if same { run.folder.unlink(&made.to) } else { Ok(()) }
            };
        }
    }

    /// Archive names whose file is back under its own name go, durably before the run is closed: nobody looks at the
    /// names of a closed run again.
    pub(super) fn drop_archives(&self, run: &mut Exec<'_>) {
        if self.0.is_empty() {
            return;
        }
        for made in &self.0 {
            let Effect::Restore { replaces: Some(archive), .. } = &run.effect(made.ix).effect else { continue };
            let same = match (run.folder.stat(&made.to), run.folder.stat(archive)) {
                (Ok(a), Ok(b)) => (a.dev, a.ino) == (b.dev, b.ino) && a.ino != 0,
                _ => false,
            };
            if same && let Err(e) = run.folder.unlink(archive) {
                run.warnings.push(format!("{} is still there beside its restored file: {e}", archive.display()));
            }
        }
        if let Err(e) = run.folder.sync() {
            run.warnings.push(format!("{} could not be made durable: {e}", run.folder.path().display()));
        }
    }
}

fn restore(run: &Exec<'_>, ix: usize, from: &Path, to: &std::ffi::OsStr) -> io::Result<Made> {
    let (Some(parent), Some(name)) = (from.parent(), from.file_name()) else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    let source = Dir::open(parent, run.folder.faults())?;
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
    Ok(Made { ix, to: to.to_owned(), source, name: name.to_owned(), renamed })
}
