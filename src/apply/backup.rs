//! The copy that stays beside a file when its content is replaced: `<name>.bak`, earlier ones as `.bak.1` and so on.
//!
//! The ring turns only once the new content is in place: an edit that fails costs no backup. The old file itself becomes the
//! backup, so that nothing has to be written then, and nobody comes to read it who could not before. Where files cannot be
//! exchanged it is a copy, made before the ring turns.

use std::ffi::{OsStr, OsString};

use super::remove::{Pass, kept_name, write_copy};
use super::state::Stop;
use crate::model::effect::{Effect, FileRef};

impl Pass<'_, '_> {
    /// The effect of the same plan that makes a backup of a file.
    pub(super) fn backup_of(&self, file: &FileRef) -> Option<usize> {
        let backup = |e: &Effect| matches!(e, Effect::Backup { file: of } if of.name == file.name);
        self.run.input.plan.effects.iter().position(|planned| backup(&planned.effect))
    }

    /// Carries out `ix` for a file whose content was just replaced. The old file has the name `old`, or no name but that of
    /// its copy in the run folder, which is that of the effect `rewrite`.
    pub(super) fn back_up(&mut self, ix: usize, file: &FileRef, old: Option<&OsStr>, rewrite: usize) {
        let result = match old {
            Some(old) => self.turn(ix, file, old),
            None => {
                let temp = OsString::from(format!(".clawkeep-{}-{}.tmp", self.journal.id(), kept_name(ix)));
                let kept = kept_name(rewrite);
                let files = self.journal.files();
                let copied = files
                    .read(&kept)
                    .map_err(Stop::from)
                    .and_then(|content| write_copy((files, kept.as_ref()), (&self.run.folder, &temp), &content));
                let result = copied.and_then(|_| self.turn(ix, file, &temp));
                if result.is_err() {
                    let _ = self.run.folder.unlink(&temp);
                }
                result
            }
        };
        self.run.settle(ix, result);
        self.journal.note(&self.run.record(ix));
        self.run.noted.insert(ix);
    }

    /// Earlier backups move on, the oldest first, so that no step replaces one; then `old` becomes the first.
    fn turn(&self, ix: usize, file: &FileRef, old: &OsStr) -> Result<u64, Stop> {
        let folder = &self.run.folder;
        let slot = |n: usize| {
            let mut name = file.name.clone();
            name.push(if n == 0 { ".bak".to_owned() } else { format!(".bak.{n}") });
            name
        };
        let free = (0..Effect::BACKUPS).find(|n| folder.stat(slot(*n)).is_err()).unwrap_or(Effect::BACKUPS - 1);
        if folder.stat(slot(free)).is_ok() {
            // The run folder keeps it a while longer, if it can.
            let _ = folder.link(slot(free), self.journal.files(), kept_name(ix));
            folder.unlink(slot(free))?;
        }
        for n in (0..free).rev() {
            folder.rename(slot(n), folder, slot(n + 1))?;
        }
        folder.rename(old, folder, slot(0))?;
        Ok(0)
    }

    /// A file that stays as it is needs no backup: that of a rewrite that failed ends as the rewrite did.
    pub(super) fn no_backup_without_rewrite(&mut self, ix: usize) {
        let Effect::Rewrite { file, .. } = &self.run.effect(ix).effect else { return };
        if self.run.outcomes[ix].as_ref().is_some_and(|outcome| outcome.freed().is_some()) {
            return;
        }
        if let Some(backup) = self.backup_of(file) {
            self.run.outcomes[backup] = self.run.outcomes[ix].clone();
        }
    }
}
