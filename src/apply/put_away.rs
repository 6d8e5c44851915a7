//! Files that an undo had brought back before it was interrupted: out of the live folder again, by rename.
//!
//! What came back by a rename of its archive name gets that name again. Everything else goes to the run folder. Either only
//! if it is the very file that was brought back: a program may have put its own under that name meanwhile.

use std::ffi::OsStr;
use std::io;
use std::path::Path;

use crate::context::Context;
use crate::fsx::mutate::Dir;
use crate::journal::write::Journal;
use crate::model::fingerprint::Fingerprint;
use crate::model::run::{Raw, RunLine, RunMeta, RunOp, RunRecord};

/// Puts them away, durably: after a power cut nobody comes back for them. What cannot be stays: no row leads to it, and the
/// same undo finds it there.
pub(super) fn restored(ctx: &Context, record: &RunRecord, meta: &RunMeta, journal: &Journal) {
    let Ok(folder) = Dir::open(&meta.folder.to_path(), &ctx.faults) else { return };
    let mut moved = false;
    for line in record.lines.iter().filter(|l| matches!(l.op, RunOp::Restore | RunOp::Unpack | RunOp::Create)) {
        let (Some(to), from) = (line.to.as_ref().map(Raw::to_os), line.from.to_path()) else { continue };
        let source = match line.op {
            RunOp::Unpack | RunOp::Create => journal.files().stat(RunLine::unpacked_name(line.seq)).ok(),
            _ => state_of(ctx, &from),
        };
        // What was renamed has left no other name; its inode was written down before.
        let is_it =
            |known: Option<&Fingerprint>| known.is_some() && record.is_inode(folder.stat(&to).ok().as_ref(), known);
        if !is_it(source.as_ref()) && !is_it(line.fp.as_ref()) {
            continue;
        }
        let renamed = match line.replaces.as_ref().map(Raw::to_os).filter(|archive| is_free(&folder, archive)) {
            Some(archive) => folder.rename(&to, &folder, &archive),
            None => folder.rename(&to, journal.files(), line.kept_name()),
        };
        moved |= renamed.is_ok();
    }
    if moved {
        let _ = journal.files().sync();
        let _ = folder.sync();
    }
}

fn state_of(ctx: &Context, path: &Path) -> Option<Fingerprint> {
    Dir::open(path.parent()?, &ctx.faults).and_then(|dir| dir.stat(path.file_name().unwrap_or_default())).ok()
}

fn is_free(folder: &Dir, name: &OsStr) -> bool {
    folder.stat(name).is_err_and(|e| e.kind() == io::ErrorKind::NotFound)
}
