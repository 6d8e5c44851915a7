//! A folder gets another path, with all that is in it: one rename.
//!
//! # Failure story
//! The rename is one step and never replaces anything. If the old path cannot become a link to the new one, the folder goes
//! back. A crash between the two leaves the folder under its new path, whole; only the link is missing.

use std::ffi::OsStr;
use std::io;
use std::path::Path;

use super::state::Stop;
use crate::fsx::mutate::Dir;
use crate::model::effect::{DirLink, MoveDir};
use crate::model::fingerprint::{Fingerprint, Kind};
use crate::model::outcome::Skip;
use crate::model::run::RunLine;

/// Renames it. `near` only lends its fault hook.
pub(super) fn run(near: &Dir, dir: &MoveDir) -> Result<(), Stop> {
    let (from, name) = open(near, &dir.from)?;
    let (to, to_name) = open(near, &dir.to)?;
    if !is_dir(&from.stat(name)?, &dir.fp) {
        return Err(Stop::Skip(Skip::Changed));
    }
    if dir.link == DirLink::Replace && leads(&dir.to, &dir.from) {
        to.unlink(to_name)?;
    }
    from.rename(name, &to, to_name)?;
    if dir.link == DirLink::Leave
        && let Err(e) = from.symlink(&dir.to, name)
    {
        to.rename(to_name, &from, name)?;
        return Err(Stop::Io(e));
    }
    to.sync()?;
    from.sync()?;
    Ok(())
}

/// Whether a recorded move happened.
pub(super) fn is_done(near: &Dir, line: &RunLine) -> bool {
    let (Some(to), Some(fp)) = (line.to.as_ref().map(crate::model::run::Raw::to_path), line.fp) else { return false };
    open(near, &to).and_then(|(dir, name)| dir.stat(name)).is_ok_and(|now| is_dir(&now, &fp))
}

fn is_dir(now: &Fingerprint, planned: &Fingerprint) -> bool {
    now.kind == Kind::Dir && (now.dev, now.ino) == (planned.dev, planned.ino)
}

fn leads(link: &Path, to: &Path) -> bool {
    std::fs::read_link(link).is_ok_and(|target| target == to)
}

fn open<'p>(near: &Dir, path: &'p Path) -> io::Result<(Dir, &'p OsStr)> {
    match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) => Ok((Dir::open(parent, near.faults())?, name)),
        _ => Err(io::ErrorKind::InvalidInput.into()),
    }
}
