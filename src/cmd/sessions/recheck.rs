//! Questions that are asked again right before a file is taken.

use std::ffi::OsStr;
use std::path::PathBuf;

use crate::context::Context;
use crate::error::{Error, Result};
use crate::lock::container::HostView;
use crate::lock::peer;
use crate::model::facts::Facts;
use crate::model::folder::FolderFacts;
use crate::model::index::IndexState;
use crate::model::probe::Probes;
use crate::model::stores::StoreMember;
use crate::plan::draft::index32;
use crate::plan::ownership::Ownership;
use crate::store;
use crate::store::refs::{self, FolderIndex};

/// Which of the files a row leads to now: reads the whole store set afresh. `was_incomplete`: ownership could not be told
/// when the plan was made either.
///
/// # Errors
/// The index, or a store that could be read then, cannot be read any more.
pub(crate) fn owned_now(facts: &Facts, probes: &Probes, was_incomplete: bool, names: &[&OsStr]) -> Result<Vec<bool>> {
    let index = match store::read::read(&facts.index.path) {
        IndexState::Whole(index) => index,
        _ => return Err(Error::failed(format!("{} cannot be read any more", facts.index.path.display()))),
    };
    let lookup = FolderIndex::new(&facts.folder);
    let reread = |m: &StoreMember| StoreMember { path: m.path.clone(), state: store::member::read(&m.path, &lookup) };
    let members: Vec<StoreMember> = facts.members.iter().map(reread).collect();
    let rows = refs::all_row_files(&lookup, &index);
    let ownership = Ownership::of_set(&rows, index.rows.len(), &members, &facts.folder, probes);
    if ownership.incomplete && !facts.members.is_empty() && !was_incomplete {
        return Err(Error::failed("a store that could refer to these files cannot be read any more"));
    }
    let owned = |name: &&OsStr| match facts.folder.find(name) {
        Some(ix) => !ownership.links(index32(ix)).is_empty(),
        None => false,
    };
    Ok(names.iter().map(owned).collect())
}

/// Whether the transcript is locked by somebody who may live.
pub(crate) fn locked_now(ctx: &Context, folder: &FolderFacts, name: &OsStr) -> bool {
    let mut lock = name.to_owned();
    lock.push(".lock");
    let path: PathBuf = folder.path.join(lock);
    if crate::fsx::read::lstat(&path).is_err() {
        return false;
    }
    let view = HostView::gather(&ctx.env).on_volume(folder.volume.network);
    peer::state(&path, &view, ctx.now()).holds()
}
