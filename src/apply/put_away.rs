//! Files that an undo had brought back before it was interrupted: out of the live folder again, by rename.
//!
//! What came back by a rename of its archive name gets that name again. Everything else goes to the run folder, and only if
//! it is the very file that the run folder, or the place it came from, still has.

use std::ffi::OsStr;
use std::io;
use std::path::Path;

use crate::context::Context;
use crate::fsx::mutate::Dir;
use crate::journal::write::Journal;
use crate::model::fingerprint::Fingerprint;
use crate::model::run::{Raw, RunLine, RunMeta, RunOp, RunRecord};

/// Puts them away. What cannot be stays: no row leads to it, and the same undo finds it there.
pub(super) fn restored(ctx: &Context, record: &RunRecord, meta: &RunMeta, journal: &Journal) {
    let Ok(folder) = Dir::open(&meta.folder.to_path(), &ctx.faults) else { return };
    for line in record.lines.iter().filter(|l| matches!(l.op, RunOp::Restore | RunOp::Unpack | RunOp::Create)) {
        let (Some(to), from) = (line.to.as_ref().map(Raw::to_os), line.from.to_path()) else { continue };
        let source = match line.op {
            RunOp::Unpack | RunOp::Create => journal.files().stat(RunLine::unpacked_name(line.seq)).ok(),
            _ => state_of(ctx, &from),
        };
        let is_source = source.is_some() && record.is_inode(folder.stat(&to).ok().as_ref(), source.as_ref());
        let archive = line.replaces.as_ref().map(Raw::to_os).filter(|archive| is_free(&folder, archive));
        match archive {
            Some(archive) if is_source || from == folder.path().join(&archive) => {
                let _ = folder.rename(&to, &folder, &archive);
            }
            _ if is_source => {
                let _ = folder.rename(&to, journal.files(), line.kept_name());
            }
            _ => {}
        }
    }
}

fn state_of(ctx: &Context, path: &Path) -> Option<Fingerprint> {
    Dir::open(path.parent()?, &ctx.faults).and_then(|dir| dir.stat(path.file_name().unwrap_or_default())).ok()
}

fn is_free(folder: &Dir, name: &OsStr) -> bool {
    folder.stat(name).is_err_and(|e| e.kind() == io::ErrorKind::NotFound)
}
