//! What phase 3 does more while a gateway may be at work in the same folder (see [`super::remove`]).

use std::io::{self, Write};

use super::remove::{Pass, kept_name};
use crate::model::effect::Effect;

impl Pass<'_, '_> {
    /// Beside a gateway, what is to be gone for good still has our link: it goes now.
    pub(super) fn let_go(&mut self, batch: &[usize]) {
        if !self.run.beside() {
            return;
        }
        for ix in self.taken(batch, |e| matches!(e, Effect::Unlink { .. } | Effect::PackThenUnlink { .. })) {
            let kept = kept_name(ix);
            let gone = self.journal.files().stat(&kept).and_then(|fp| self.journal.files().unlink(&kept).map(|()| fp));
            let freed = match gone {
                Ok(fp) => {
                    let older = if fp.nlink > 1 { self.run.release(&fp) } else { 0 };
                    if fp.nlink.saturating_sub(1).saturating_sub(older) == 0 { fp.size } else { 0 }
                }
                Err(e) => {
                    self.run
                        .warnings
                        .push(format!("{} is still there: {e}", self.journal.path().join(&kept).display()));
                    0
                }
            };
            self.settle(ix, Ok(freed));
        }
    }

    /// What a writer that had opened a log before its content was replaced has appended to the old one since goes to the
    /// end of the new one.
    pub(super) fn carry_over(&mut self, batch: &[usize]) {
        if !self.run.beside() {
            return;
        }
        for ix in self.taken(batch, |e| matches!(e, Effect::Rewrite { .. })) {
            let Effect::Rewrite { file, .. } = &self.run.effect(ix).effect else { continue };
            let late = self.late_lines(ix, file.fp.size).and_then(|late| match late.as_slice() {
                [] => Ok(()),
                late => {
                    let mut log = self.run.folder.open_write(&file.name, true)?;
                    log.write_all(late)?;
                    log.sync()
                }
            });
            if let Err(e) = late {
                let kept = self.journal.files().path().join(kept_name(ix));
                let name = file.name.display();
                self.run.warnings.push(format!("{name} was written to meanwhile; see {}: {e}", kept.display()));
            }
        }
    }

    /// Bytes of the old content of a log beyond its length when it was planned.
    fn late_lines(&self, ix: usize, planned: u64) -> io::Result<Vec<u8>> {
        if self.journal.files().stat(kept_name(ix))?.size <= planned {
            return Ok(Vec::new());
        }
        let all = self.journal.files().read(kept_name(ix))?;
        Ok(usize::try_from(planned).ok().and_then(|from| all.get(from..)).unwrap_or_default().to_vec())
    }
}
